// What a finished solution holds besides its values: positions where nobody wants to move, and the deepest ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/bits.hpp"
#include "games/pylos/pylos.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/retrograde.hpp"
#include "solvers/pylos/table_format.hpp"

namespace zg::pylos::solver {

struct Analysis {
  // Pairs of positions that differ in who is to move, by number of balls; in each the player to move has lost, or one
  // of them draws by not being to move.
  std::vector<std::uint64_t> both_lose, lose_or_draw;
  std::vector<std::string> longest_wins, longest_losses;  // one of each class under symmetry, light to move
};

template <int Base>
Analysis analyse(const Options& options, const Catalogue<Base>& catalogue, const Code* codes, int passes) {
  using G = Pylos<Base>;
  using Geo = Geometry<Base>;
  constexpr std::size_t kMost = 16;
  Analysis out;
  out.both_lose.resize(Geo::kCells + 1);
  out.lose_or_draw.resize(Geo::kCells + 1);
  const bool skips = skips_turns(options);
  std::array<std::vector<std::pair<Cells, Cells>>, kCodes> examples;
  std::array<bool, kCodes> lost{};
  for (int n = 1; n <= passes; ++n) lost[static_cast<std::size_t>(n)] = !pass_of(skips, n).win;
  for (const auto& entry : catalogue.entries()) {
    const int balls = std::popcount(entry.cells);
    const std::uint64_t raisers = gather_bits(Geo::raisers(entry.cells), entry.cells);
    const std::uint64_t all = (std::uint64_t{1} << balls) - 1;
    for (std::uint64_t own = 0; own <= all; ++own) {
      const Code mine = codes[entry.first + own];
      if (mine == 0) continue;
      if (mine + 4 > passes && examples[mine].size() < kMost) {
        const auto cells = static_cast<Cells>(scatter_bits(own, entry.cells));
        examples[mine].push_back({cells, entry.cells & ~cells});
      }
      const Code his = codes[entry.first + (all ^ own)];
      if (!lost[mine] || mine == 1 || his == 1) continue;
      const int own_balls = std::popcount(own);
      const bool drawn = his == 0 && own_balls <= Geo::kEach && balls - own_balls <= Geo::kEach &&
                         !(skips && balls - own_balls == Geo::kEach && ((all ^ own) & raisers) == 0);
      if (lost[his] && own < (all ^ own))
        out.both_lose[static_cast<std::size_t>(balls)] += static_cast<std::uint64_t>(entry.orbit);
      if (drawn) out.lose_or_draw[static_cast<std::size_t>(balls)] += static_cast<std::uint64_t>(entry.orbit);
    }
  }
  for (int n = passes; n > 0; --n) {
    auto& list = lost[static_cast<std::size_t>(n)] ? out.longest_losses : out.longest_wins;
    if (!list.empty()) continue;
    for (const auto& [own, other] : examples[static_cast<std::size_t>(n)]) {
      typename G::State s = G::initial(without_limit(options), 0);
      s.balls = {Geo::balls(own), Geo::balls(other)};
      list.push_back(G::to_text(s));
    }
  }
  return out;
}

}  // namespace zg::pylos::solver
