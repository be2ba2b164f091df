// Turns: sequences of actions of one player, for games whose turns have several and, at no cost, for those whose turns
// have one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"

namespace zg {

// The k-th branch in a tree of actions: which action to take, and which of its ways to finish the turn.
template <Game G>
class Turns {
 public:
  using State = typename G::State;

  // The number of legal turns; inside a turn, of ways to finish it.
  static std::int64_t count(const State& s) {
    if constexpr (G::kSingleActionTurns)
      return G::count_legal(s);
    else if constexpr (CountsTurns<G>)
      return G::count_turns(s);
    else
      return count_by_playing(s);
  }

  static std::int64_t count_by_playing(const State& s) {
    std::int64_t turns = 0;
    G::legal(s).for_each([&](Action a) { turns += ways_after(s, a); });
    return turns;
  }

  // Plays the k-th turn in lexicographic order of action ids, 0 <= k < count(s); on_action sees each action before it
  // is played.
  template <class F>
  static void play_nth(State& s, std::int64_t k, F&& on_action) {
    do {
      const auto [action, rest] = step(s, k);
      on_action(action);
      G::apply(s, action);
      k = rest;
    } while (G::in_turn(s));
  }

  // The actions of the legal turn that is written so; empty if there is none.
  static std::vector<Action> find(const State& s, std::string_view text) {
    std::vector<Action> actions;
    if (!search(s, text, actions)) actions.clear();
    return actions;
  }

  static State after(const State& s, Action a) {
    State child = s;
    G::apply(child, a);
    return child;
  }

  // The text of an action inside the text of its turn.
  static std::string text_of(const typename G::Options& options, Action a) {
    return G::is_closing(options, a) ? "" : G::action_to_text(options, a);
  }

 private:
  // The number of ways to finish the turn after an action.
  static std::int64_t ways_after(const State& s, Action a) {
    if constexpr (ForeseesTurns<G>)
      if (G::ends_turn(s.options, a)) return 1;
    const State child = after(s, a);
    return G::in_turn(child) ? count(child) : 1;
  }

  struct Step {
    Action action;
    std::int64_t rest;
  };

  static Step step(const State& s, std::int64_t k) {
    Step out{-1, k};
    G::legal(s).for_each([&](Action a) {
      if (out.action >= 0) return;
      const std::int64_t ways = ways_after(s, a);
      if (out.rest < ways)
        out.action = a;
      else
        out.rest -= ways;
    });
    return out;
  }

  // Depth first over the actions whose texts are a prefix of what is left.
  static bool search(const State& s, std::string_view text, std::vector<Action>& actions) {
    bool found = false;
    G::legal(s).for_each([&](Action a) {
      const std::string part = lowered(text_of(s.options, a));
      if (found || !text.starts_with(part)) return;
      const std::string_view rest = text.substr(part.size());
      const State child = after(s, a);
      actions.push_back(a);
      found = G::in_turn(child) ? search(child, rest, actions) : rest.empty();
      if (!found) actions.pop_back();
    });
    return found;
  }
};

}  // namespace zg
