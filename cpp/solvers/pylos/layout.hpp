// Where the colourings of each set of cells lie in a table of blocks, and how moves connect the sets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/pylos/options.hpp"
#include "solvers/pylos/blocks.hpp"
#include "solvers/pylos/geometry.hpp"

namespace zg::pylos::solver {

using SetId = std::uint32_t;

template <int Base, int Bits>
class Layout {
 public:
  Layout() {
    std::uint32_t next = 0;
    for (SetId set = 0; set < sets_.size(); ++set) {
      first_.push_back(next);
      next += blocks_of(std::popcount(sets_.cells(set)));
    }
    first_.push_back(next);
  }
  static constexpr std::uint32_t blocks_of(int balls) { return std::uint32_t{1} << std::max(0, balls - Bits); }

  const Sets<Base>& sets() const { return sets_; }
  std::uint32_t num_blocks() const { return first_.back(); }
  std::uint32_t first_block(SetId set) const { return first_[set]; }
  std::uint32_t num_blocks(SetId set) const { return first_[set + 1] - first_[set]; }
  SetId set_of(std::uint32_t block) const {
    return static_cast<SetId>(std::upper_bound(first_.begin(), first_.end(), block) - first_.begin() - 1);
  }
  // Sets with the same number of balls are a class; its blocks lie side by side.
  std::uint32_t class_first(int balls) const { return first_[sets_.first(balls)]; }
  std::uint32_t class_blocks(int balls) const { return class_first(balls + 1) - class_first(balls); }
  std::uint32_t largest_class() const {
    std::uint32_t most = 0;
    for (int balls = 0; balls < Geometry<Base>::kCells; ++balls) most = std::max(most, class_blocks(balls));
    return most;
  }

 private:
  Sets<Base> sets_;
  std::vector<std::uint32_t> first_;
};

// How the colourings of one set are found among those of another: by leaving a cell out, by putting one in, or both.
// Cells are named by the places of their bits in the number of a colouring; -1: none.
struct Route {
  SetId set = 0;
  int out = -1;
  int in = -1;  // after `out` has gone
};

// Where the colourings of block v are found so, if the cell left out is the own one's, whose bit is zero, and so is the
// bit put in: in a whole block, in two halves of two, in one half, or in a block whose inner bits are moved.
enum class Fit : std::uint8_t { None, Whole, Halves, Half, Moved };
struct Spot {
  Fit fit = Fit::None;
  std::uint32_t block = 0;
  std::uint32_t half = 0;
};

template <int Bits>
Spot spot_of(const Route& route, std::uint32_t v) {
  if (route.out < 0) {
    if (route.in < Bits) return {Fit::Halves, 2 * v};
    return {Fit::Whole, with_zero(v, route.in - Bits)};
  }
  if (route.out >= Bits) {
    if ((v >> (route.out - Bits) & 1) != 0) return {};
    const std::uint32_t rest = without_bit(v, route.out - Bits);
    return {Fit::Whole, route.in < 0 ? rest : with_zero(rest, route.in - Bits)};
  }
  if (route.in < 0) return {Fit::Half, v >> 1, v & 1};
  if (route.in >= Bits) return {Fit::Half, with_zero(v >> 1, route.in - Bits), v & 1};
  return {Fit::Moved, v};
}

// The place of a cell in the numbers of colourings of a set.
inline int place_in(Cells cells, int cell) { return std::popcount(cells & below_bit(cell)); }

// The turns from a set of cells, whatever its colours.
template <int Base, int Bits>
struct Ways {
  using Geo = Geometry<Base>;

  struct Landing {
    int cell = 0;
    std::vector<Cells> patterns;  // each the places of balls that make one if all of them are own
    std::vector<Route> routes;    // the first one places a ball, the others raise one; none to the apex
  };

  int balls;
  std::uint32_t first_block;
  Cells raisers = 0;  // places of balls that can be raised
  std::vector<Landing> landings;

  Ways(const Layout<Base, Bits>& layout, const Options& options, SetId set)
      : balls(std::popcount(layout.sets().cells(set))), first_block(layout.first_block(set)) {
    const Cells cells = layout.sets().cells(set);
    const Cells free = Geo::free(cells);
    for_each_cell(Geo::playable(cells), [&](int c) {
      Landing landing{c, patterns(options, cells, c), {}};
      if (c != Geo::kApex) landing.routes.push_back({layout.sets().find(cells | one(c)), -1, place_in(cells, c)});
      for_each_cell(Geo::raisable(free, c), [&](int f) {
        const Cells rest = cells & ~one(f);
        landing.routes.push_back({layout.sets().find(rest | one(c)), place_in(cells, f), place_in(rest, c)});
        raisers |= one(place_in(cells, f));
      });
      landings.push_back(std::move(landing));
    });
  }

 private:
  static std::vector<Cells> patterns(const Options& options, Cells cells, int c) {
    const auto& cell = Geo::at(c);
    const int squares = options.patterns == Patterns::None ? 0 : cell.squares;
    const int lines = options.patterns == Patterns::Lines ? cell.lines : 0;
    std::vector<Cells> out;
    for (int i = 0; i < squares + lines; ++i) {
      const Cells others = cell.patterns[static_cast<std::size_t>(i)];
      if ((others & ~cells) == 0) out.push_back(static_cast<Cells>(gather_bits(others, cells)));
    }
    return out;
  }
};

// Taking back one of `some` balls.
template <int Base, int Bits>
std::vector<Route> removals(const Layout<Base, Bits>& layout, Cells cells, Cells some) {
  std::vector<Route> out;
  for_each_cell(some, [&](int r) { out.push_back({layout.sets().find(cells & ~one(r)), place_in(cells, r), -1}); });
  return out;
}

}  // namespace zg::pylos::solver
