// What must hold for every game, checked along random walks. Written once: a new game is tested the moment it is
// registered.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "engine/checked.hpp"
#include "engine/observe.hpp"
#include "engine/playout.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

struct BrokenLaw : std::logic_error {
  using std::logic_error::logic_error;
};

template <Game G>
class Laws {
 public:
  using State = typename G::State;
  using Options = typename G::Options;

  // Throws BrokenLaw, with the position, at the first law that does not hold.
  static void check(const Options& options, int games, std::uint64_t seed) {
    check_action_names(options);
    for (int i = 0; i < games; ++i) Laws(options, seed, static_cast<std::uint64_t>(i)).walk();
  }

 private:
  Laws(const Options& options, std::uint64_t seed, std::uint64_t index)
      : s_(G::initial(options, stream_key(seed, index, StreamTag::Chance))),
        choices_{stream_key(seed, index, StreamTag::Playout)} {}

  static void check_action_names(const Options& options) {
    for (Action a = 0; a < G::num_actions(options); ++a) {
      require(G::encode(options, G::decode(options, a)) == a, "encode(decode(a)) == a", std::to_string(a));
      const std::string text = G::action_to_text(options, a);
      require(G::text_to_action(options, text) == a, "text_to_action(action_to_text(a)) == a", text);
    }
  }

  void walk() {
    int plies = 0;
    while (true) {
      const auto legal = G::legal(s_);
      // Long games: laws now and then only, and the costly ones even less often.
      if (plies < 300 || plies % 8 == 0 || legal.count() == 0) check_position();
      if (legal.count() == 0) break;
      if (plies % 8 == 0) {
        check_every_action();
        check_symmetries();
      }
      G::apply(s_, legal.nth(static_cast<int>(choices_.bounded(static_cast<std::uint64_t>(legal.count())))));
      ++plies;
    }
    const int bound = G::max_game_length(s_.options);
    law(bound == 0 || plies <= bound, "a game is no longer than max_game_length");
    law(Turns<G>::count(s_) == 0, "a finished game has no turns");
  }

  void check_position() const {
    const std::string_view broken = G::broken_invariant(s_);
    law(broken.empty(), broken);
    check_readings();
    check_texts();
    check_views();
    check_secrets();
    const PlayerMask winners = G::winners(s_);
    law(G::is_terminal(s_) == (G::count_legal(s_) == 0), "a game is over exactly when nothing is legal");
    law(G::is_terminal(s_) || winners == 0, "nobody has won before the end");
    law(winners >> G::num_players(s_.options) == 0, "winners are players");
    if constexpr (!G::kSingleActionTurns)
      law(Turns<G>::count(s_) == Turns<G>::count_by_playing(s_), "turns are counted right");
  }

  void check_readings() const {
    const auto legal = G::legal(s_);
    std::vector<Action> listed;
    legal.for_each([&](Action a) { listed.push_back(a); });
    law(static_cast<int>(listed.size()) == legal.count(), "for_each visits count() actions");
    law(G::count_legal(s_) == legal.count(), "count_legal is the legal set's count");
    for (std::size_t k = 0; k < listed.size(); ++k) {
      law(k == 0 || listed[k - 1] < listed[k], "for_each ascends");
      law(legal.nth(static_cast<int>(k)) == listed[k], "nth(k) is the k-th visited");
    }
    const std::vector<std::uint8_t> mask = mask_of(s_);
    std::vector<std::uint8_t> expected(mask.size(), 0);
    for (const Action a : listed) expected[static_cast<std::size_t>(a)] = 1;
    law(mask == expected, "the mask is the list");
  }

  void check_texts() const {
    State again = G::parse(s_.options, G::to_text(s_));
    law(again == s_, "parse(to_text(s)) == s");
    law(G::hash(again) == G::hash(s_), "equal states hash equal");
    law(!G::drawing(s_).empty(), "there is a drawing");
  }

  void check_views() const {
    for (Player viewer = 0; viewer < G::num_players(s_.options); ++viewer) {
      for (const float x : observation(s_, viewer))
        law(x >= 0 && x <= 1, "an observation is written whole, within 0 and 1");
    }
  }

  static std::vector<float> observation(const State& s, Player viewer) {
    std::size_t size = 1;
    for (const int n : G::observation_shape(s.options)) size *= static_cast<std::size_t>(n);
    std::vector<float> planes(size, NAN);
    observe<G, float>(s, viewer, Encoding::Planes, planes);
    return planes;
  }
  static std::vector<std::uint8_t> mask_of(const State& s) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(G::num_actions(s.options)), 7);
    G::legal(s).write_mask(mask);
    return mask;
  }

  // A state that a player could as well be in looks the same to him, and has secrets of its own.
  void check_secrets() const {
    if constexpr (HiddenGame<G>)
      for (Player viewer = 0; viewer < G::num_players(s_.options); ++viewer) {
        Stream random{G::hash(s_)};
        const State other = G::determinize(s_, viewer, random);
        law(G::broken_invariant(other).empty(), "what a player does not know is drawn within the rules");
        law(G::information_state(other, viewer) == G::information_state(s_, viewer), "a player knows the same of both");
        law(observation(other, viewer) == observation(s_, viewer), "a player sees the same of both");
        law(G::is_terminal(other) == (G::count_legal(other) == 0), "a drawn state can be played on");
        law(G::to_move(s_) != viewer || mask_of(other) == mask_of(s_), "the player to move can do the same in both");
        law(G::winners(other) == G::winners(s_) && G::scores(other) == G::scores(s_), "points are no secret");
        State again = G::parse(other.options, G::to_text(other));
        law(again == other, "a drawn state survives its text");
      }
  }

  // Listed exactly when legal, for every id; the checked door refuses all others and leaves the state alone.
  void check_every_action() const {
    const std::vector<std::uint8_t> mask = mask_of(s_);
    const Action step = std::max(1, G::num_actions(s_.options) / 2000);
    for (Action a = 0; a < G::num_actions(s_.options); ++a) {
      law((mask[static_cast<std::size_t>(a)] != 0) == G::is_legal(s_, a),
          "an action is listed exactly when it is legal");
      if (a % step == 0) check_door(a, mask[static_cast<std::size_t>(a)] != 0);
    }
  }

  void check_door(Action a, bool legal) const {
    State copy = s_;
    law(G::why_illegal(s_, a).empty() == legal, "there is a reason exactly for what is illegal");
    try {
      apply_checked<G>(copy, a);
      law(legal, "the checked door refuses what is illegal");
      law(!(copy == s_), "an action changes the state");
      if constexpr (ForeseesTurns<G>)
        law(!G::ends_turn(s_.options, a) || !G::in_turn(copy), "an action ends the turn where that was foreseen");
    } catch (const IllegalAction&) {
      law(!legal, "the checked door takes what is legal");
      law(copy == s_, "a refused action leaves the state alone");
    }
  }

  void check_symmetries() const {
    if constexpr (SymmetricGame<G>) {
      law(G::transform(s_, 0) == s_, "symmetry 0 is the identity");
      if (G::in_turn(s_)) return;
      for (int k = 1; k < G::num_symmetries(s_.options); ++k) {
        const State image = G::transform(s_, k);
        law(G::count_legal(image) == G::count_legal(s_), "a symmetry keeps the number of legal actions");
        G::legal(s_).for_each([&](Action a) {
          const Action b = G::transform_action(s_.options, a, k);
          law(G::is_legal(image, b), "a symmetry keeps legality");
          law(Turns<G>::after(image, b) == G::transform(Turns<G>::after(s_, a), k), "a symmetry commutes with apply");
        });
      }
    }
  }

  static void require(bool holds, std::string_view what, const std::string& where) {
    if (!holds) throw BrokenLaw(std::string(what) + ": broken at " + where);
  }
  void law(bool holds, std::string_view what) const {
    if (!holds) require(false, what, G::to_text(s_));
  }

  State s_;
  Stream choices_;
};

}  // namespace zg
