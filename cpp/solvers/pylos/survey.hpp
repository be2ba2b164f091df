// Which symbols are frequent in which contexts: counted in some blocks, before all of them are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solvers/pylos/codec.hpp"

namespace zg::pylos::solver {

// First shapes are counted, if the kind has any, then symbols in their contexts.
class Survey {
 public:
  explicit Survey(Kind kind) : kind_(kind) {}

  void count_shapes(const WantedBlock& block) {
    for (std::size_t first = 0; first < kSymbols; first += Codec::kShapeSymbols)
      if (std::uint64_t wins = 0; Codec::is_sure(&block[first], wins)) ++shape_counts_[wins];
  }
  void merge_shapes(const Survey& other) {
    for (const auto& [shape, n] : other.shape_counts_) shape_counts_[shape] += n;
  }
  std::vector<std::uint64_t> frequent_shapes() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> list;
    for (const auto& [shape, n] : shape_counts_)
      if (n > 1) list.push_back({n, shape});
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::uint64_t> out;
    for (std::size_t i = 0; i < std::min(list.size(), Codec::kMostShapes); ++i) out.push_back(list[i].second);
    return out;
  }

  // As the codec with these shapes (its models are not looked at) would code the block.
  void count_symbols(const Codec& codec, const WantedBlock& block, BallCount count) {
    Codec::Symbols chosen;
    std::array<std::uint16_t, kSymbols / Codec::kShapeSymbols> before;
    for (std::size_t first = 0; first < kSymbols; first += Codec::kShapeSymbols) {
      if (kind_.shapes && count_shape(codec, block, count, first, before, chosen)) continue;
      for (std::size_t x = first; x < first + Codec::kShapeSymbols; ++x)
        chosen[x] = count_symbol(codec, block[x], count, chosen, x);
    }
  }
  const Counts& symbols() const { return symbols_; }
  const Counts& shapes() const { return shapes_; }
  void merge_symbols(const Survey& other) {
    other.symbols_.for_each([&](const Context& c, Symbol s, std::uint32_t n) { symbols_.add(c, s, n); });
    other.shapes_.for_each([&](const Context& c, Symbol s, std::uint32_t n) { shapes_.add(c, s, n); });
  }

 private:
  std::uint8_t count_symbol(const Codec& codec, const Wanted& wanted, BallCount count, const Codec::Symbols& list,
                            std::size_t x) {
    const Context c = codec.symbol_context(list, x);
    const Symbol symbol = codec.choose_symbol(c, wanted);
    if (codec.coded(count, x)) symbols_.add(c, symbol);
    return static_cast<std::uint8_t>(symbol);
  }
  template <class Before>
  bool count_shape(const Codec& codec, const WantedBlock& block, BallCount count, std::size_t first, Before& before,
                   Codec::Symbols& chosen) {
    const std::size_t w = first / Codec::kShapeSymbols;
    const Context c = Codec::shape_context(before, w);
    const Symbol shape = codec.choose_shape(c, &block[first]);
    if (count.allows(w, 6)) shapes_.add({{c.before[0], c.before[1], 0}}, shape);
    before[w] = std::min<Symbol>(shape, Codec::kNoShape);
    if (shape == codec.shapes_.size()) return false;
    std::copy_n(codec.shape_quads_[shape].begin(), Codec::kShapeSymbols,
                chosen.begin() + static_cast<std::ptrdiff_t>(first));
    return true;
  }

  Kind kind_;
  std::unordered_map<std::uint64_t, std::uint64_t> shape_counts_;
  Counts symbols_, shapes_;
};

}  // namespace zg::pylos::solver
