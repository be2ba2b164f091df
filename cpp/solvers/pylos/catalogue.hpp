// The sets of cells that a table keeps: one of each eight that are the same but for a symmetry, and none where only the
// apex is missing, since there the balls in hand decide.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "solvers/pylos/geometry.hpp"
#include "solvers/pylos/layout.hpp"

namespace zg::pylos::solver {

// How a position is decided: a number that is 0 for a draw; the others stand for the passes of a solution in order.
using Code = std::uint8_t;
inline constexpr int kCodes = 256;

template <int Base>
class Catalogue {
  using Geo = Geometry<Base>;

 public:
  static constexpr int kMostBalls = Geo::kCells - 2;
  struct Entry {
    Cells cells;
    int orbit;            // of how many sets it is one
    std::uint64_t first;  // where its colourings begin, by number of the own balls' set
  };

  explicit Catalogue(const Sets<Base>& sets) : index_(sets.size(), -1) {
    for (SetId set = 0; set < sets.first(kMostBalls + 1); ++set) {
      const Cells cells = sets.cells(set);
      if (Sets<Base>::canonical(cells).first != cells) continue;
      index_[set] = static_cast<std::int32_t>(entries_.size());
      entries_.push_back({cells, Sets<Base>::orbit(cells), size_});
      size_ += std::uint64_t{1} << std::popcount(cells);
    }
  }
  const std::vector<Entry>& entries() const { return entries_; }
  std::uint64_t size() const { return size_; }           // colourings of all entries
  int index_of(SetId set) const { return index_[set]; }  // -1 if it is not kept

 private:
  std::vector<Entry> entries_;
  std::vector<std::int32_t> index_;
  std::uint64_t size_ = 0;
};

}  // namespace zg::pylos::solver
