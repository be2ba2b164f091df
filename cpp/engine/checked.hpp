// The checked door: it explains what is wrong and leaves the state alone. Engines use G::apply, the unchecked one.
#pragma once

#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

template <Game G>
void check_action_id(const typename G::Options& options, std::int64_t action) {
  if (action >= 0 && action < G::num_actions(options)) return;
  throw BadValue("an action is an integer from 0 to " + std::to_string(G::num_actions(options) - 1) + ", not " +
                 std::to_string(action));
}

template <Game G>
void check_player(const typename G::Options& options, std::int64_t player) {
  if (player >= 0 && player < G::num_players(options)) return;
  throw BadValue("a player is an integer from 0 to " + std::to_string(G::num_players(options) - 1) + ", not " +
                 std::to_string(player));
}

template <Game G>
int num_symmetries(const typename G::Options& options) {
  if constexpr (SymmetricGame<G>) return G::num_symmetries(options);
  return 1;
}

template <Game G>
void check_symmetry(const typename G::Options& options, std::int64_t k) {
  const int symmetries = num_symmetries<G>(options);
  if (k >= 0 && k < symmetries) return;
  throw BadValue("a symmetry is an integer from 0 to " + std::to_string(symmetries - 1) + ", not " + std::to_string(k));
}

template <Game G>
void check_legal(const typename G::State& s, std::int64_t action) {
  check_action_id<G>(s.options, action);
  const auto a = static_cast<Action>(action);
  if (G::is_legal(s, a)) return;
  const std::string who = G::is_terminal(s) ? "" : " for player " + std::to_string(G::to_move(s));
  throw IllegalAction("action " + std::to_string(action) + " (" + G::action_to_text(s.options, a) + ") is not legal" +
                      who + ": " + G::why_illegal(s, a));
}

template <Game G>
void apply_checked(typename G::State& s, std::int64_t action) {
  check_legal<G>(s, action);
  G::apply(s, static_cast<Action>(action));
}

// The actions of the legal turn that is written so.
template <Game G>
std::vector<Action> parse_turn(const typename G::State& s, std::string_view text) {
  if constexpr (G::kSingleActionTurns) {
    const Action action = G::text_to_action(s.options, text);
    if (G::is_legal(s, action)) return {action};
    throw ParseError(quoted(text) + " is not a legal turn in this position: " + G::why_illegal(s, action));
  } else {
    auto actions = Turns<G>::find(s, lowered(text));
    if (actions.empty()) throw ParseError(quoted(text) + " is not the text of a legal turn in this position");
    return actions;
  }
}

}  // namespace zg
