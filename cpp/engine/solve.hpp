// Perfect play in small games: all positions that can be reached are found and judged backward from the ends. Games may
// run in circles, and a player may move twice in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "engine/backward.hpp"
#include "engine/best_turns.hpp"
#include "engine/parallel.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

// A game that some of its options may make one of two players who see everything.
template <class G>
concept SolvableGame = Game<G> && !HiddenGame<G> && (G::kNumPlayers >= 2);

struct SolveLimits {
  std::size_t max_positions = 10'000'000;
};

// Different positions between turns, numbered in the order in which they came.
template <Game G>
class Positions {
 public:
  using State = typename G::State;
  static constexpr PositionId kNone = std::numeric_limits<PositionId>::max();
  static constexpr std::size_t kMost = kNone - 1;

  std::size_t size() const { return states_.size(); }
  const State& operator[](std::size_t i) const { return states_[i]; }

  PositionId find(const State& s) const { return slots_.empty() ? kNone : slots_[slot_of(s)]; }

  // The number of s, a new one if it equals the size before. At most kMost of them may have been given out.
  PositionId number(const State& s) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    PositionId& slot = slots_[slot_of(s)];
    if (slot == kNone) {
      slot = static_cast<PositionId>(states_.size());
      states_.push_back(s);
    }
    return slot;
  }

 private:
  // Where s stands, or would: from its hash on, the first slot that has it or is free. Half of the slots are free.
  std::size_t slot_of(const State& s) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = G::hash(s) & mask;
    while (slots_[slot] != kNone && !(states_[slots_[slot]] == s)) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), kNone);
    for (std::size_t i = 0; i < states_.size(); ++i) slots_[slot_of(states_[i])] = static_cast<PositionId>(i);
  }

  std::vector<State> states_;
  std::vector<PositionId> slots_;  // a power of two of them
};

namespace detail {

// Finds what can be reached from a state by whole turns, breadth first, and who moves where.
template <Game G>
class Explorer {
 public:
  using State = typename G::State;

  Explorer(const SolveLimits& limits, Progress& progress) : limits_(limits), progress_(progress) {}

  void explore(const State& root) {
    if (G::in_turn(root))
      for_each_turn<G>(root, [&](const auto&, const State& s) { number(s); });
    else
      number(root);
    for (std::size_t i = 0; i < positions_.size(); ++i) expand(State(positions_[i]));  // a copy: positions_ grows
  }

  Positions<G> take_positions() { return std::move(positions_); }
  PositionGraph take_graph() { return std::move(graph_); }

 private:
  void expand(const State& s) {
    if (progress_.stop.load(std::memory_order_relaxed)) throw Stopped{};
    for_each_turn<G>(s, [&](const auto&, const State& child) { graph_.target.push_back(number(child)); });
    graph_.first.push_back(graph_.target.size());
  }

  PositionId number(const State& s) {
    const std::size_t before = positions_.size();
    const PositionId i = positions_.number(s);
    if (i == before) note_new(s);
    return i;
  }
  void note_new(const State& s) {
    if (positions_.size() > limits_.max_positions)
      throw BadValue("there are more than max_positions=" + std::to_string(limits_.max_positions) +
                     " positions to solve");
    graph_.mover.push_back(static_cast<std::uint8_t>(G::to_move(s)));
    graph_.result.push_back(G::is_terminal(s) ? result(G::winners(s), G::to_move(s)) : std::int8_t{0});
    progress_.done.store(positions_.size(), std::memory_order_relaxed);
  }
  static std::int8_t result(PlayerMask winners, Player mover) {
    const auto has_won = [winners](Player p) { return static_cast<int>(winners >> p & 1); };
    return static_cast<std::int8_t>(has_won(mover) - has_won(1 - mover));
  }

  const SolveLimits& limits_;
  Progress& progress_;
  Positions<G> positions_;
  PositionGraph graph_;
};

}  // namespace detail

// All positions between turns that can be reached from a state, without limits on the length of the game.
template <SolvableGame G>
class Solution {
 public:
  using State = typename G::State;
  using Options = typename G::Options;

  Solution(const State& root, const SolveLimits& limits, Progress& progress) : options_(root.options) {
    detail::Explorer<G> explorer(limits, progress);
    explorer.explore(root);
    positions_ = explorer.take_positions();
    verdicts_ = Backward::judge(explorer.take_graph(), progress);
  }

  const Options& options() const { return options_; }
  const Positions<G>& positions() const { return positions_; }
  const Verdicts& verdicts() const { return verdicts_; }

  // Of any state of this game that was reached, also inside a turn. BadValue for one that was not.
  Probe probe(const State& s) const {
    return advise(s, [](const auto& adviser, const State& t) { return adviser.probe(t); });
  }
  std::vector<std::vector<Action>> best_turns(const State& s) const {
    return advise(s, [](const auto& adviser, const State& t) {
      adviser.probe(t);  // a position that was not reached is refused, even if all that follow were
      return adviser.best_turns(t);
    });
  }

 private:
  template <class Ask>
  auto advise(const State& s, Ask&& ask) const {
    const auto look_up = [this](const State& t) { return known(t); };
    return ask(Adviser<G, decltype(look_up)>(look_up), G::unlimited(s));
  }
  Probe known(const State& s) const {
    const PositionId i = positions_.find(s);
    if (i == Positions<G>::kNone)
      throw BadValue(quoted(G::to_text(s)) + " is none of the " + std::to_string(positions_.size()) +
                     " positions of this solution: it cannot be reached from where the solution starts");
    return {verdicts_.values[i], verdicts_.distances[i]};
  }

  Options options_;
  Positions<G> positions_;
  Verdicts verdicts_;
};

// BadValue unless these options make it a game of two players who see everything.
template <Game G>
void check_solvable(const typename G::Options& options) {
  const std::string wanted = "only games of two players who see everything can be solved, and this one ";
  if (HiddenGame<G>) throw BadValue(wanted + "has secrets");
  const int players = G::num_players(options);
  if (players != 2) throw BadValue(wanted + "has " + std::to_string(players) + (players == 1 ? " player" : " players"));
}

// Nothing if the monitor, which hears of the positions found so far, stopped it. BadValue if there are too many, or if
// the game is none of two players.
template <SolvableGame G>
std::optional<Solution<G>> solve(const typename G::State& root, const SolveLimits& limits, const Monitor& monitor) {
  check_solvable<G>(root.options);
  Progress progress;
  std::optional<Solution<G>> out;
  const bool all = Workers::run(1, 1, progress, monitor,
                                [&](std::size_t, int) { out.emplace(G::unlimited(root), limits, progress); });
  return all ? std::move(out) : std::nullopt;
}

}  // namespace zg
