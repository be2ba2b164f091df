// How many positions there are, and what a table says of its whole solution.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/pylos/geometry.hpp"
#include "solvers/pylos/retrograde.hpp"

namespace zg::pylos::solver {

// Positions by number of balls on the board, as the player to move sees them.
template <int Base>
std::vector<std::uint64_t> count_positions(const Options& options) {
  using Geo = Geometry<Base>;
  std::vector<std::uint64_t> out(Geo::kCells + 1);
  const Sets<Base> sets;
  for (SetId set = 0; set < sets.size(); ++set) {
    const Cells cells = sets.cells(set);
    const int balls = std::popcount(cells);
    std::uint64_t& sum = out[static_cast<std::size_t>(balls)];
    sum += Geo::num_colourings(balls);
    if (skips_turns(options)) sum -= choose(balls - std::popcount(Geo::raisers(cells)), Geo::kEach);  // stuck
  }
  out[Geo::kCells] = choose(Geo::kCells, Geo::kEach);
  return out;
}

struct SummaryRow {
  std::uint64_t wins = 0, draws = 0, losses = 0;
};
struct Summary {
  std::vector<std::pair<Pass, std::uint64_t>> passes;  // with the positions found
  std::vector<SummaryRow> by_balls;

  std::vector<std::uint64_t> packed() const {
    std::vector<std::uint64_t> out;
    for (const auto& [pass, positions] : passes)
      for (const std::uint64_t n : {std::uint64_t(pass.distance), std::uint64_t{pass.win}, positions}) out.push_back(n);
    for (const SummaryRow& row : by_balls)
      for (const std::uint64_t n : {row.wins, row.draws, row.losses}) out.push_back(n);
    return out;
  }
  // From what `packed` made of a summary with so many passes.
  static Summary unpacked(std::span<const std::uint64_t> words, std::size_t num_passes) {
    Summary out;
    for (std::size_t i = 0; i < words.size(); i += 3)
      if (i < 3 * num_passes)
        out.passes.push_back({{static_cast<int>(words[i]), words[i + 1] != 0}, words[i + 2]});
      else
        out.by_balls.push_back({words[i], words[i + 1], words[i + 2]});
    return out;
  }
};

}  // namespace zg::pylos::solver
