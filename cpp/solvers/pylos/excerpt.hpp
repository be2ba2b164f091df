// Part of a table, small enough to be carried around: all positions with few balls on the board.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "core/bits.hpp"
#include "engine/parallel.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/memory.hpp"
#include "solvers/pylos/table_writer.hpp"
#include "solvers/pylos/tablebase.hpp"

namespace zg::pylos::solver {

template <int Base>
void write_excerpt(const Tablebase<Base>& tables, std::int64_t most_balls, const std::string& values,
                   const std::string& distances, const Monitor& monitor) {
  using G = Pylos<Base>;
  using Geo = Geometry<Base>;
  if (!tables.has_distances()) throw BadValue("an excerpt is made from tables of values and of distances");
  if (most_balls < 0 || most_balls > Catalogue<Base>::kMostBalls)
    throw BadValue("most_balls is an integer from 0 to " + std::to_string(Catalogue<Base>::kMostBalls) + ", not " +
                   std::to_string(most_balls));
  const Sets<Base> sets;
  const Catalogue<Base> catalogue(sets);
  Pages<Code> codes(catalogue.size());  // few of them are touched
  const auto& entries = catalogue.entries();
  Progress progress;
  const bool whole = Workers::run(entries.size(), 1, progress, monitor, [&](std::size_t i, int) {
    const int balls = std::popcount(entries[i].cells);
    if (balls > most_balls) return;
    for (std::uint64_t number = 0; number >> balls == 0; ++number) {
      if (progress.stop) throw Stopped{};
      const auto own = static_cast<Cells>(scatter_bits(number, entries[i].cells));
      typename G::State s = G::initial(tables.options(), 0);
      s.balls = {Geo::balls(own), Geo::balls(entries[i].cells & ~own)};
      if (G::broken_invariant(s).empty() && !G::is_skipped(s)) codes[entries[i].first + number] = tables.code(s);
    }
  });
  if (!whole) throw Stopped{};
  TableWriter<Base> writer(tables.options(), catalogue, codes.data(), tables.summary(), 1,
                           static_cast<int>(most_balls));
  writer.write(Content::Values, values, monitor);
  writer.write(Content::Distances, distances, monitor);
}

}  // namespace zg::pylos::solver
