// Tables against the rules: positions drawn at random are judged anew from their successors, by the code that plays.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "engine/best_turns.hpp"
#include "engine/parallel.hpp"
#include "games/pylos/pylos.hpp"
#include "solvers/pylos/summary.hpp"
#include "solvers/pylos/tablebase.hpp"

namespace zg::pylos::solver {

// Positions between turns that are not over by the apex, all equally likely: light is to move.
template <int Base>
class PositionSampler {
 public:
  using G = Pylos<Base>;
  using Geo = Geometry<Base>;

  explicit PositionSampler(const Options& options)
      : options_(without_limit(options)), positions_(count_positions<Base>(Options{.base = Base})) {
    positions_.pop_back();
    total_ = std::accumulate(positions_.begin(), positions_.end(), std::uint64_t{0});
  }

  typename G::State draw(Stream& random) const {
    typename G::State s = G::initial(options_, 0);
    do {
      std::uint64_t k = random.bounded(total_);
      int balls = 0;
      while (k >= positions_[static_cast<std::size_t>(balls)]) k -= positions_[static_cast<std::size_t>(balls++)];
      const SetId first = sets_.first(balls);
      const Cells cells = sets_.cells(first + static_cast<SetId>(random.bounded(sets_.first(balls + 1) - first)));
      const Cells own = some_of(cells, draw_own(balls, random), random);
      s.balls = {Geo::balls(own), Geo::balls(cells & ~own)};
    } while (G::is_skipped(s));
    return s;
  }

 private:
  int draw_own(int balls, Stream& random) const {
    std::uint64_t k = random.bounded(Geo::num_colourings(balls));
    int own = Geo::least_own(balls);
    while (k >= choose(balls, own)) k -= choose(balls, own++);
    return own;
  }
  static Cells some_of(Cells cells, int n, Stream& random) {
    std::vector<int> list;
    for_each_cell(cells, [&](int c) { list.push_back(c); });
    random.shuffle(list);
    Cells out = 0;
    for (int i = 0; i < n; ++i) out |= one(list[static_cast<std::size_t>(i)]);
    return out;
  }

  Options options_;
  Sets<Base> sets_;
  std::vector<std::uint64_t> positions_;
  std::uint64_t total_ = 0;
};

struct CheckResult {
  std::uint64_t positions = 0, wins = 0, draws = 0, losses = 0, turns = 0;
};

// BadValue names the first position (by number of the sample) for which a table does not follow from the rules.
template <int Base>
CheckResult self_check(const Tablebase<Base>& tables, std::uint64_t samples, std::uint64_t seed, int threads,
                       const Monitor& monitor) {
  using G = Pylos<Base>;
  const PositionSampler<Base> sampler(tables.options());
  constexpr std::uint64_t kTask = 1024;
  const std::size_t tasks = (samples + kTask - 1) / kTask;
  struct Finding {
    CheckResult counts;
    std::size_t task = ~std::size_t{0};  // of the first error
    std::string error;
  };
  std::vector<Finding> findings(static_cast<std::size_t>(threads));
  Progress progress;
  const bool whole = Workers::run(tasks, threads, progress, monitor, [&](std::size_t task, int worker) {
    Finding& finding = findings[static_cast<std::size_t>(worker)];
    const Adviser<G, Tablebase<Base>> adviser(tables);
    for (std::uint64_t i = task * kTask; i < std::min(samples, (task + 1) * kTask); ++i) {
      Stream random{stream_key(seed, i, StreamTag::Playout)};
      const typename G::State s = sampler.draw(random);
      CheckResult& r = finding.counts;
      Probe anew{G::is_terminal(s) ? -1 : 0, G::is_terminal(s) ? 0 : -1};
      bool first = true;
      adviser.for_each_probe(s, [&](const auto&, const Probe& p) {
        ++r.turns;
        if (first || merit(p) > merit(anew)) anew = p;
        first = false;
      });
      const Probe told = tables(s);
      const int value = G::is_terminal(s) ? -1 : tables.value_open(s.balls[0], s.balls[1]);
      const bool same = told.value == anew.value && (!tables.has_distances() || told == anew) && value == anew.value;
      if (!same && finding.error.empty()) {
        finding.task = task;
        finding.error = "the table is wrong of " + G::to_text(s) + ": it says " + std::to_string(told.value) + " in " +
                        std::to_string(told.distance) + ", its successors " + std::to_string(anew.value) + " in " +
                        std::to_string(anew.distance);
      }
      ++r.positions;
      ++(anew.value > 0 ? r.wins : anew.value < 0 ? r.losses : r.draws);
    }
    progress.done += std::min(samples, (task + 1) * kTask) - task * kTask;
  });
  if (!whole) throw Stopped{};
  const auto first = std::ranges::min_element(findings, {}, &Finding::task);
  if (!first->error.empty()) throw BadValue(first->error);
  CheckResult sum;
  for (const auto& [counts, task, error] : findings) {
    sum.positions += counts.positions;
    sum.wins += counts.wins;
    sum.draws += counts.draws;
    sum.losses += counts.losses;
    sum.turns += counts.turns;
  }
  return sum;
}

}  // namespace zg::pylos::solver
