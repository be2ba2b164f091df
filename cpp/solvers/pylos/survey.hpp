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
    codec.choose(
        block, count, kSymbols,
        [&](const Context& c, Symbol shape) { shapes_.add({{c.before[0], c.before[1], 0}}, shape); },
        [&](const Context& c, Symbol symbol) { symbols_.add(c, symbol); });
  }
  const Counts& symbols() const { return symbols_; }
  const Counts& shapes() const { return shapes_; }
  void merge_symbols(const Survey& other) {
    other.symbols_.for_each([&](const Context& c, Symbol s, std::uint32_t n) { symbols_.add(c, s, n); });
    other.shapes_.for_each([&](const Context& c, Symbol s, std::uint32_t n) { shapes_.add(c, s, n); });
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> shape_counts_;
  Counts symbols_, shapes_;
};

}  // namespace zg::pylos::solver
