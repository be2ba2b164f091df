// Numberplace City: the rules of RULES.md on a set of cells for each number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/event.hpp"
#include "core/named_array.hpp"
#include "game.hpp"
#include "games/numberplace_city/board.hpp"
#include "games/numberplace_city/choices.hpp"
#include "games/numberplace_city/numbering.hpp"
#include "games/numberplace_city/options.hpp"
#include "games/numberplace_city/tiles.hpp"

namespace zg::numberplace_city {

struct NumberplaceCity {
  using Options = numberplace_city::Options;
  using Move = numberplace_city::Move;
  using LegalSet = Choices;

  static constexpr std::string_view kClassName = "NumberplaceCity";
  static constexpr int kNumPlayers = kMostPlayers;
  static constexpr int kMostPlaces = 4;  // of a round; two players have four, too [NC-2.1]
  static constexpr bool kSingleActionTurns = true;

  enum class Status : std::uint8_t { In, Passed, Out };  // Passed: for good, in the final phase

  struct Seat {
    Tiles hand;
    Tiles penalties;
    std::uint8_t points = 0;
    Status status = Status::In;

    bool is_in() const { return status != Status::Out; }
    bool is_active() const { return status == Status::In; }
    friend bool operator==(const Seat&, const Seat&) = default;
  };

  struct Laid {
    Cell cell;
    std::uint8_t number = 0;
    std::uint8_t seat = 0;
    friend bool operator==(const Laid&, const Laid&) = default;
  };

  // Laid tiles, or claims, in their order; one for each place of a round at most.
  class LaidList {
   public:
    std::size_t size() const { return size_; }
    const Laid* begin() const { return laid_.data(); }
    const Laid* end() const { return laid_.data() + size_; }
    Laid* begin() { return laid_.data(); }
    Laid* end() { return laid_.data() + size_; }
    const Laid& back() const { return laid_[size_ - 1U]; }
    void push_back(const Laid& laid) { laid_[size_++] = laid; }
    friend bool operator==(const LaidList&, const LaidList&) = default;

   private:
    std::array<Laid, kMostPlaces> laid_{};
    std::uint8_t size_ = 0;
  };

  // A decision that somebody has to take; number 0: nobody.
  struct Bonus {
    std::uint8_t seat = 0;
    std::uint8_t number = 0;  // of the tile
    std::uint8_t step = 0;    // the number whose effect is decided, with all_up_to; else the tile's [NC-8.3]

    bool is_pending() const { return number != 0; }
    friend bool operator==(const Bonus&, const Bonus&) = default;
  };

  enum class Ended : std::uint8_t { No, Points, Area, Bonus, Last, Nobody, Count };
  static constexpr std::array<std::string_view, 7> kEndNames{"-", "points", "area", "bonus", "last", "nobody", "count"};
  struct End {
    Ended how = Ended::No;
    std::uint8_t winner = 0;

    bool has_winner() const { return Ended::Points <= how && how <= Ended::Last; }
    friend bool operator==(const End&, const End&) = default;
  };

  static constexpr std::uint8_t kAllHaveActed = kMostPlaces;

  struct State {
    Options options;
    Board board;
    std::array<Seat, kMostPlayers> seats{};
    Supply supply;
    Stream chance;
    Tiles discard;
    LaidList laid;
    std::uint16_t turns = 0;  // counted only where there is a limit [NC-5.2]
    std::uint8_t start = 0;
    std::uint8_t next_start = 0;  // the same, but while a bonus is decided
    std::uint8_t place = 0;       // of the player to move in the order of the round [NC-8.2]
    Bonus bonus;
    End end;

    const Seat& seat(int p) const { return seats[static_cast<std::size_t>(p)]; }
    Seat& seat(int p) { return seats[static_cast<std::size_t>(p)]; }
    std::span<const Seat> in_use() const { return std::span(seats).first(options.players); }
    friend bool operator==(const State&, const State&) = default;
  };

  static bool accepts(const Options&) { return true; }

  // ---- actions ----
  static int num_players(const Options& options) { return options.players; }
  static int num_actions(const Options&) { return kNumActions; }
  // Every round has a lay or a pass, and after it at most one decision, or one for each effect.
  static int max_game_length(const Options& options) {
    return options.max_turns * (options.bonus_scope == BonusScope::AllUpTo ? 7 : 2);
  }
  static Action encode(const Options&, const Move& move) { return encode_move(move); }
  static Move decode(const Options&, Action a) { return decode_move(a); }
  static bool is_pass(const Options&, Action a) { return decode_move(a).is_pass(); }
  static bool is_closing(const Options&, Action) { return false; }
  static std::string action_to_text(const Options& options, Action a);
  static Action text_to_action(const Options& options, std::string_view text);

  // ---- the state ----
  static State initial(const Options& options, std::uint64_t key);
  static Player to_move(const State& s) {
    if (s.bonus.is_pending()) return s.bonus.seat;
    return s.place == kAllHaveActed ? s.start : seat_at(s, s.place);
  }
  static bool is_terminal(const State& s) { return s.end.how != Ended::No || is_over_limit(s); }
  static bool in_turn(const State&) { return false; }
  static PlayerMask winners(const State& s);
  static std::array<int, kNumPlayers> scores(const State& s) {
    std::array<int, kNumPlayers> out{};
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = s.seats[p].points;
    return out;
  }

  static LegalSet legal(const State& s);
  static int count_legal(const State& s) { return legal(s).count(); }
  static bool is_legal(const State& s, Action a) { return legal(s).contains(a); }
  static std::string why_illegal(const State& s, Action a);
  static void apply(State& s, Action a);
  static std::vector<Event> events(const State& s, Action a);

  static std::uint64_t hash(const State& s);
  static State unlimited(State s) {
    s.options.max_turns = 0;
    s.turns = 0;
    return s;
  }

  // ---- secrets: chance.hpp ----
  static std::string information_state(const State& s, Player viewer);
  static State determinize(const State& s, Player viewer, Stream& random);

  // ---- views and texts: texts.hpp, views.hpp, analyses.hpp ----
  static std::array<int, 3> observation_shape(const Options& options) {
    return {60 + 20 * options.players, kSide, kSide};
  }
  static PlaneLayout plane_layout(const Options&) { return {kNumCells, kNumCells}; }
  template <class Out>
  static void observe(const State& s, Player viewer, Out& out);
  static std::string to_text(const State& s);
  static State parse(const Options& options, std::string_view text);
  static std::string drawing(const State& s);
  static std::string drawing_for(const State& s, Player viewer);
  static std::string_view broken_invariant(const State& s);
  static std::span<const NamedArray<Options, State>> analyses();
  static std::span<const NamedArray<Options, Options>> tables();
  static std::span<const NamedArray<Options, Seated<State>>> views();

  // ---- what random games are counted by: RULES.md section 13 ----
  static std::span<const std::string_view> counters();
  static void count_action(const State& s, Action a, std::span<std::int32_t> counts);
  static void count_end(const State& s, std::span<std::int32_t> counts);

  // ---- inside ----
  // The seat that acts at a place of the round. [NC-2.1]
  static int seat_at(const State& s, int place) {
    if (s.options.players == 2) return place == 1 || place == 2 ? 1 - s.start : s.start;
    return clockwise(s, s.start, place);
  }
  static int num_places(const State& s) { return s.options.players == 2 ? 4 : s.options.players; }
  static int clockwise(const State& s, int seat, int steps) {
    const int p = seat + steps;
    return p < s.options.players ? p : p - s.options.players;
  }
  static int distance(const State& s, int from, int to) {
    return to >= from ? to - from : to - from + s.options.players;
  }
  static bool is_over_limit(const State& s) {  // [NC-5.2]
    return s.place != kAllHaveActed && s.options.max_turns != 0 && s.turns >= s.options.max_turns;
  }
  static bool is_final(const State& s) {  // [NC-2.4]
    if (s.options.players == 2) return false;
    return s.options.start_in_final || count_seats(s, [](const Seat& seat) { return !seat.is_in(); }) > 0;
  }
  template <class F>
  static int count_seats(const State& s, F&& holds) {
    int n = 0;
    for (const Seat& seat : s.in_use()) n += holds(seat);
    return n;
  }
  static int num_in(const State& s) {
    return count_seats(s, [](const Seat& seat) { return seat.is_in(); });
  }
  static int num_active(const State& s) {
    return count_seats(s, [](const Seat& seat) { return seat.is_active(); });
  }
  static bool passes_free(const State& s, int seat) {  // [NC-2.3] [NC-2.4]
    return !s.seat(seat).hand.any() || (is_final(s) && s.options.final_pass == FinalPass::Free);
  }
  static Cells area(const State& s, int seat) { return cells_of(s.options.area(seat)); }
  static Cells layable(const State& s, int seat) { return area(s, seat).minus(s.board.filled()); }
  static bool can_anyone_lay(const State& s) {  // [NC-4.6]
    for (int p = 0; p < s.options.players; ++p)
      if (s.seat(p).is_active() && s.seat(p).hand.any() && layable(s, p).any()) return true;
    return false;
  }
  static bool has_choice(const State& s, int seat, Effect effect) {  // [NC-4.3]
    switch (effect) {
      case Effect::Remove: return s.board.filled().any();
      case Effect::Discard: return s.seat(seat).penalties.any();
      case Effect::None: return false;
      default: return true;
    }
  }
  // Is this the first number of its effect? [NC-4.2]
  static bool is_first_of_effect(const Options& o, int number) {
    for (int n = 1; n < number; ++n)
      if (o.effect(n) == o.effect(number)) return false;
    return true;
  }
  // Calls f(effect) for all that can be chosen from in the decision; an effect may come twice.
  template <class F>
  static void for_each_effect(const Options& o, const Bonus& bonus, F&& f) {
    const bool several = o.bonus_scope == BonusScope::OneOfUpTo;
    for (int n = several ? 1 : bonus.step; n <= bonus.step; ++n) f(o.effect(n));
  }
  static bool asks_something(const State& s, const Bonus& bonus) {
    bool asks = false;
    for_each_effect(s.options, bonus, [&](Effect effect) { asks |= has_choice(s, bonus.seat, effect); });
    return asks;
  }
  static bool sees_laid(const State& s, Player viewer, const Laid& laid) {  // [NC-8.5]
    return viewer < 0 || laid.seat == viewer || s.end.how != Ended::No;
  }
  static bool sees_hand(Player viewer, int seat) { return viewer < 0 || seat == viewer; }
  static bool sees_penalties(const State& s, Player viewer, int seat) {
    return s.options.penalties_open || sees_hand(viewer, seat);
  }

  static void add_decisions(const State& s, LegalSet& legal);
  static std::string why_not_of_a_round(const State& s, const Move& m);
  static std::string why_not_of_the_bonus(const State& s, const Move& m);
};

}  // namespace zg::numberplace_city

#include "games/numberplace_city/analyses.hpp"
#include "games/numberplace_city/chance.hpp"
#include "games/numberplace_city/play.hpp"
#include "games/numberplace_city/texts.hpp"
#include "games/numberplace_city/views.hpp"

namespace zg::numberplace_city {

struct Family {
  using Options = numberplace_city::Options;
  using Variants = std::tuple<NumberplaceCity>;
  static constexpr std::string_view kName = "numberplace_city";
  static const OptionTable<Options>& option_table() { return numberplace_city::option_table(); }
  static std::span<const std::string_view> law_options() { return kLawOptions; }
};

static_assert(Game<NumberplaceCity> && HiddenGame<NumberplaceCity> && TellingGame<NumberplaceCity> &&
              AnalysedGame<NumberplaceCity> && ViewedGame<NumberplaceCity> && CountingGame<NumberplaceCity> &&
              GameFamily<Family>);
static_assert(sizeof(NumberplaceCity::State) <= 1024);

}  // namespace zg::numberplace_city
