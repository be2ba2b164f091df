// What a game must say. Everything else (perft, play-outs, laws, bindings) is written once over this page.
//
// `G` is the rules: static functions over plain values. `G::State` is the position: bytes without pointers, so that a
// clone is a copy, undo is the old value, and a batch is a flat array. It carries the options, so that a state explains
// itself.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/event.hpp"
#include "core/index.hpp"
#include "core/named_array.hpp"
#include "core/options.hpp"
#include "core/planes.hpp"
#include "core/random.hpp"

namespace zg {

// "All legal actions" in the game's own compact form, with four readings that agree; ascending ids everywhere.
template <class L>
concept LegalSet = requires(const L& legal, int k, std::span<std::uint8_t> mask, void (*visit)(Action)) {
  { legal.count() } -> std::same_as<int>;
  { legal.nth(k) } -> std::same_as<Action>;  // 0 <= k < count()
  legal.for_each(visit);
  legal.write_mask(mask);  // one byte an action id: 1 if legal, else 0
};

template <class G>
concept Game = std::is_trivially_copyable_v<typename G::State> && std::is_trivially_copyable_v<typename G::Options> &&
               std::equality_comparable<typename G::State> && std::equality_comparable<typename G::Move> &&
               requires(const typename G::State& s, typename G::State& mutable_s, const typename G::Options& options,
                        Action a, const typename G::Move& move, Player viewer, Planes<float>& planes,
                        std::string_view text, std::uint64_t key) {
                 {
                   G::kClassName
                 } -> std::convertible_to<std::string_view>;              // of the Python classes: kClassName + "State"
                 { G::kNumPlayers } -> std::convertible_to<int>;          // at most; seats that are not used never move
                 { G::kSingleActionTurns } -> std::convertible_to<bool>;  // is every turn one action?
                 { G::accepts(options) } -> std::same_as<bool>;           // is this the form that these options need?

                 { G::num_players(options) } -> std::same_as<int>;  // at most kNumPlayers
                 { G::num_actions(options) } -> std::same_as<int>;
                 { G::max_game_length(options) } -> std::same_as<int>;  // an upper bound on plies; 0: none
                 { G::encode(options, move) } -> std::same_as<Action>;  // move must be one that decode returns
                 { G::decode(options, a) } -> std::same_as<typename G::Move>;
                 { G::is_pass(options, a) } -> std::same_as<bool>;
                 { G::is_closing(options, a) } -> std::same_as<bool>;  // ends a turn and is left out of its text
                 { G::action_to_text(options, a) } -> std::same_as<std::string>;
                 { G::text_to_action(options, text) } -> std::same_as<Action>;  // throws ParseError

                 {
                   G::initial(options, key)
                 } -> std::same_as<typename G::State>;  // key: stream_key(seed, index, Chance)
                 { s.options } -> std::same_as<const typename G::Options&>;
                 { G::to_move(s) } -> std::same_as<Player>;                          // after the end: who would be next
                 { G::is_terminal(s) } -> std::same_as<bool>;                        // exactly when legal(s) is empty
                 { G::in_turn(s) } -> std::same_as<bool>;                            // between the actions of one turn
                 { G::winners(s) } -> std::same_as<PlayerMask>;                      // 0 before the end
                 { G::scores(s) } -> std::same_as<std::array<int, G::kNumPlayers>>;  // the game's own points; 0 beyond
                 { G::legal(s) } -> LegalSet;
                 { G::count_legal(s) } -> std::same_as<int>;
                 { G::is_legal(s, a) } -> std::same_as<bool>;            // for every a in 0 .. num_actions - 1
                 { G::why_illegal(s, a) } -> std::same_as<std::string>;  // a sentence; empty if it is legal
                 { G::apply(mutable_s, a) } -> std::same_as<void>;       // the unchecked door: a must be legal
                 { G::hash(s) } -> std::same_as<std::uint64_t>;
                 {
                   G::unlimited(s)
                 } -> std::same_as<typename G::State>;  // free of move limits, so that equal positions are equal states

                 { G::observation_shape(options) } -> std::convertible_to<std::span<const int>>;
                 { G::plane_layout(options) } -> std::same_as<PlaneLayout>;
                 {
                   G::observe(s, viewer, planes)
                 } -> std::same_as<void>;  // a template over the sinks of core/planes.hpp
                 { G::to_text(s) } -> std::same_as<std::string>;
                 {
                   G::parse(options, text)
                 } -> std::same_as<typename G::State>;            // throws ParseError; to_text is its inverse
                 { G::drawing(s) } -> std::same_as<std::string>;  // a board for people
                 { G::broken_invariant(s) } -> std::same_as<std::string_view>;  // what does not hold; empty if all does
               };

// A game whose turns have several actions may count a position's legal turns faster than by playing them.
template <class G>
concept CountsTurns = Game<G> && requires(const typename G::State& s) {
  { G::count_turns(s) } -> std::same_as<std::int64_t>;
};

// A game may know of an action, whatever the position, that it ends the turn: true only if that is sure.
template <class G>
concept ForeseesTurns = Game<G> && requires(const typename G::Options& options, Action a) {
  { G::ends_turn(options, a) } -> std::same_as<bool>;
};

// transform(s, 0) == s, and between turns transform commutes with legal and apply. A symmetry may exchange players.
template <class G>
concept SymmetricGame =
    Game<G> && requires(const typename G::State& s, const typename G::Options& options, Action a, int k) {
      { G::num_symmetries(options) } -> std::same_as<int>;
      { G::transform(s, k) } -> std::same_as<typename G::State>;
      { G::transform_action(options, a, k) } -> std::same_as<Action>;
    };

// A game that computes named arrays: from a state for front ends and learners, and from its options.
template <class G>
concept AnalysedGame = Game<G> && requires {
  { G::analyses() } -> std::same_as<std::span<const NamedArray<typename G::Options, typename G::State>>>;
  { G::tables() } -> std::same_as<std::span<const NamedArray<typename G::Options, typename G::Options>>>;
};

// A game with secrets: what a player knows, as text, and a state that he could as well be in. Of two states that a
// player cannot tell apart he gets the same texts, observations and legal actions.
template <class G>
concept HiddenGame = Game<G> && requires(const typename G::State& s, Player viewer, Stream& random) {
  { G::information_state(s, viewer) } -> std::same_as<std::string>;
  { G::determinize(s, viewer, random) } -> std::same_as<typename G::State>;  // with a chance key of its own
  { G::drawing_for(s, viewer) } -> std::same_as<std::string>;                // with marks for what he does not see
};

// A game whose actions may make more public than what they say: it tells what, in order, before they are played.
template <class G>
concept TellingGame = Game<G> && requires(const typename G::State& s, Action a) {
  { G::events(s, a) } -> std::same_as<std::vector<Event>>;
};

// A state as one of its players asks about it.
template <class State>
struct Seated {
  const State& state;
  Player player;
};

// A game that computes named arrays for one player: methods of a state in Python.
template <class G>
concept ViewedGame = Game<G> && requires {
  { G::views() } -> std::same_as<std::span<const NamedArray<typename G::Options, Seated<typename G::State>>>>;
};

// A game whose random games are counted by more than their lengths: how often each kind of turn is taken, for example.
template <class G>
concept CountingGame = Game<G> && requires(const typename G::State& s, Action a, std::span<std::int32_t> counts) {
  { G::counters() } -> std::same_as<std::span<const std::string_view>>;
  G::count_action(s, a, counts);  // before a is played
  G::count_end(s, counts);
};

// A family is what users call a game: one set of options, and the forms that its storage comes in. `Variants` is a
// std::tuple of Games; for valid options exactly one accepts them.
template <class F>
concept GameFamily = requires {
  typename F::Options;
  typename F::Variants;
  { F::kName } -> std::convertible_to<std::string_view>;
  { F::option_table() } -> std::same_as<const OptionTable<typename F::Options>&>;
  {
    F::law_options()
  } -> std::convertible_to<std::span<const std::string_view>>;  // settings that make rare ends common
};

}  // namespace zg
