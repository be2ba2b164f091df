// What can be said of any state once positions between turns can be probed: by a solution in memory, a table on disk.
#pragma once

#include <utility>
#include <vector>

#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

// What a position is worth under perfect play for the player to move; of a finished game, for who would be next.
struct Probe {
  int value = 0;      // +1: he wins, -1: he loses, 0: neither can force a win
  int distance = -1;  // turns of both sides to the end, where the winner hurries and the loser tarries; -1: no end
  friend bool operator==(const Probe&, const Probe&) = default;
};

// Greater is better: quick wins, slow wins, draws, slow losses, quick losses.
constexpr int merit(const Probe& p) {
  constexpr int kFar = 1 << 30;  // further than any distance
  return p.value * (kFar - p.distance);
}

// Calls f(turn, position) for every legal turn (inside a turn: every rest of it), in lexicographic order of action ids.
template <Game G, class F>
void for_each_turn(const typename G::State& s, F&& f) {
  std::vector<Action> turn;
  const auto visit = [&](const auto& self, const typename G::State& state) -> void {
    G::legal(state).for_each([&](Action a) {
      const typename G::State child = Turns<G>::after(state, a);
      turn.push_back(a);
      if (G::in_turn(child))
        self(self, child);
      else
        f(std::as_const(turn), child);
      turn.pop_back();
    });
  };
  visit(visit, s);
}

// Probes of any state and best turns, over a `Prober`: a callable that takes a State between turns and returns its
// Probe. What it throws passes through.
template <Game G, class Prober>
class Adviser {
 public:
  using State = typename G::State;
  using Turn = std::vector<Action>;

  explicit Adviser(const Prober& prober) : prober_(prober) {}

  // Inside a turn the best of the ways to finish it; the turn counts as one.
  Probe probe(const State& s) const {
    if (!G::in_turn(s)) return prober_(s);
    Probe best = kWorse;
    for_each_probe(s, [&](const Turn&, const Probe& p) {
      if (merit(p) > merit(best)) best = p;
    });
    return best;
  }

  // The turns (inside a turn: its rests) that are worth most, ascending; none after the end.
  std::vector<Turn> best_turns(const State& s) const {
    std::vector<Turn> best;
    int most = merit(kWorse);
    for_each_probe(s, [&](const Turn& turn, const Probe& p) {
      if (merit(p) < most) return;
      if (merit(p) > most) best.clear();
      most = merit(p);
      best.push_back(turn);
    });
    return best;
  }

  // All ways to finish the turn, each with its worth for who plays it.
  template <class F>
  void for_each_probe(const State& s, F&& f) const {
    const Player mover = G::to_move(s);
    for_each_turn<G>(s, [&](const Turn& turn, const State& child) { f(turn, before(mover, child)); });
  }

 private:
  static constexpr Probe kWorse{-1, 0};  // than any turn, which takes at least one

  // The worth of a position for the player who just made it. He may be the one to move again: the other was skipped.
  Probe before(Player mover, const State& child) const {
    const Probe p = prober_(child);
    if (p.value == 0) return p;
    return {G::to_move(child) == mover ? p.value : -p.value, p.distance + 1};
  }

  const Prober& prober_;
};

}  // namespace zg
