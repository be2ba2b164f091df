// Backward induction against a plain model on random graphs; and for any game, that solutions are consistent: with
// distances that go down to an end, what holds between a position and its successors everywhere is a proof.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "core/random.hpp"
#include "engine/solve.hpp"

namespace zg::tests {

inline void add_position(PositionGraph& graph, int mover, int result, const std::vector<PositionId>& successors) {
  graph.mover.push_back(static_cast<std::uint8_t>(mover));
  graph.result.push_back(static_cast<std::int8_t>(result));
  graph.target.insert(graph.target.end(), successors.begin(), successors.end());
  graph.first.push_back(graph.target.size());
}

inline PositionGraph random_graph(Stream& random) {
  PositionGraph graph;
  const std::uint64_t n = 1 + random.bounded(12);
  const std::uint64_t most = 1 + random.bounded(4);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::vector<PositionId> successors;
    for (std::uint64_t k = random.bounded(most + 1); k > 0; --k)
      successors.push_back(static_cast<PositionId>(random.bounded(n)));
    const int result = successors.empty() ? static_cast<int>(random.bounded(3)) - 1 : 0;
    add_position(graph, static_cast<int>(random.bounded(2)), result, successors);
  }
  return graph;
}

// What i is worth if it can be told from what is known of its successors; else nothing.
inline std::optional<int> told_by_successors(const PositionGraph& graph, const Verdicts& known, std::size_t i) {
  bool all_lose = graph.first[i] < graph.first[i + 1];
  for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
    const PositionId to = graph.target[e];
    const int value = graph.mover[to] == graph.mover[i] ? known.values[to] : -known.values[to];
    if (value > 0) return 1;
    all_lose = all_lose && value < 0;
  }
  return all_lose ? std::optional<int>(-1) : std::nullopt;
}

// Sweep d finds what is decided in d turns, looking at all positions each time.
inline Verdicts judge_by_sweeping(const PositionGraph& graph) {
  Verdicts known{graph.result, {}};
  for (const std::int8_t result : graph.result) known.distances.push_back(result == 0 ? -1 : 0);
  for (std::int16_t d = 1; d <= static_cast<std::int16_t>(graph.size()); ++d) {
    const Verdicts before = known;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (before.values[i] != 0) continue;
      if (const auto value = told_by_successors(graph, before, i)) {
        known.values[i] = static_cast<std::int8_t>(*value);
        known.distances[i] = d;
      }
    }
  }
  return known;
}

inline void check_random_graphs() {
  Stream random{7};
  int decided_in_three = 0;
  int undecided = 0;
  for (int g = 0; g < 3000; ++g) {
    const PositionGraph graph = random_graph(random);
    const Verdicts found = Backward::judge(graph, {});
    const Verdicts expected = judge_by_sweeping(graph);
    ZG_CHECK(found.values == expected.values && found.distances == expected.distances);
    for (const int d : found.distances) {
      decided_in_three += d >= 3;
      undecided += d < 0;
    }
  }
  ZG_CHECK(decided_in_three > 500 && undecided > 1000);
}

// A row of positions, each with the next one as its only successor; the last is lost for player 0.
inline PositionGraph row(std::size_t turns) {
  PositionGraph graph;
  for (std::size_t i = 1; i <= turns; ++i) add_position(graph, i % 2, 0, {static_cast<PositionId>(i)});
  add_position(graph, 0, -1, {});
  return graph;
}

template <class Error>
bool judging_throws(const PositionGraph& graph, const Progress& progress) {
  try {
    Backward::judge(graph, progress);
  } catch (const Error&) {
    return true;
  }
  return false;
}

inline void check_backward() {
  check_random_graphs();
  const Verdicts far = Backward::judge(row(32767), {});
  ZG_CHECK(far.distances[0] == 32767 && far.values[0] == 1 && far.values[1] == -1);
  ZG_CHECK(judging_throws<std::overflow_error>(row(32768), {}));
  Progress stopped;
  stopped.stop = true;
  ZG_CHECK(judging_throws<Stopped>(row(1), stopped));
  ZG_CHECK(Backward::judge({}, {}).values.empty());
}

// Every position against all its turns, which are played one by one.
template <SolvableGame G>
void check_position(const Solution<G>& solution, const typename G::State& s) {
  const Probe found = solution.probe(s);
  const auto best = solution.best_turns(s);
  const auto turns = Turns<G>::count(s);
  std::vector<std::vector<Action>> expected;
  int most = merit({-1, 0});
  for (std::int64_t k = 0; k < turns; ++k) {
    typename G::State child = s;
    std::vector<Action> turn;
    Turns<G>::play_nth(child, k, [&](Action a) { turn.push_back(a); });
    Probe p = solution.probe(child);
    if (p.value != 0) p = {G::to_move(child) == G::to_move(s) ? p.value : -p.value, p.distance + 1};
    if (merit(p) > most) expected.clear();
    if (merit(p) >= most) expected.push_back(turn);
    most = std::max(most, merit(p));
  }
  ZG_CHECK(best == expected);
  ZG_CHECK(turns == 0 ? found.distance <= 0 : merit(found) == most);
  ZG_CHECK((found.value == 0) == (found.distance < 0));
  const PlayerMask winners = G::winners(s);
  if (turns > 0) return;
  ZG_CHECK((found.value > 0) == (winners == PlayerMask{1} << G::to_move(s)));
  ZG_CHECK((found.value == 0) == (winners == 0 || winners == 3));
}

// The number of positions of a solution that was looked through; 0 if there were too many to solve.
template <SolvableGame G>
std::size_t check_solution(const typename G::State& root) {
  std::optional<Solution<G>> solution;
  try {
    solution = solve<G>(root, {3000}, {});
  } catch (const BadValue&) {
    return 0;
  }
  for (std::size_t i = 0; i < solution->positions().size(); ++i) check_position(*solution, solution->positions()[i]);
  solution->probe(root);
  return solution->positions().size();
}

template <Game G>
bool is_refused(const typename G::Options& options) {
  try {
    check_solvable<G>(options);
  } catch (const BadValue&) {
    return true;
  }
  return false;
}

// Solves a random game from its last positions on, from ever earlier ones, while there are few positions to reach.
template <Game G>
std::size_t check_solving(const typename G::Options& options) {
  ZG_CHECK(is_refused<G>(options) == (HiddenGame<G> || G::num_players(options) != 2));
  if constexpr (SolvableGame<G>) {
    if (is_refused<G>(options)) return 0;
    Stream random{11};
    std::vector<typename G::State> line{G::unlimited(G::initial(options, 0))};
    for (auto s = line.front(); !G::is_terminal(s) && line.size() < 5000; line.push_back(s))
      G::apply(s, G::legal(s).nth(static_cast<int>(random.bounded(static_cast<std::uint64_t>(G::count_legal(s))))));
    std::size_t checked = 0;
    for (std::size_t back = 1; back <= line.size(); back *= 2) {
      const std::size_t found = check_solution<G>(line[line.size() - back]);
      if (found == 0) break;
      checked += found;
    }
    return checked;
  }
  return 0;
}

}  // namespace zg::tests
