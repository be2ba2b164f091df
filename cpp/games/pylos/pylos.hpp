// Pylos: the rules of RULES.md on a 64-bit pyramid.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bits.hpp"
#include "core/id_set.hpp"
#include "core/pyramid.hpp"
#include "game.hpp"
#include "games/pylos/options.hpp"
#include "games/pylos/tables.hpp"

namespace zg::pylos {

template <int Base>
struct Pylos {
  using Options = pylos::Options;
  using P = Pyramid<Base>;
  using Balls = typename P::Balls;
  using Tables = pylos::Tables<Base>;
  using Cell = typename P::Cell;

  static constexpr std::string_view kClassName = Base == 4 ? "Pylos" : "PylosMini";
  static constexpr int kNumPlayers = 2;
  static constexpr bool kSingleActionTurns = false;
  static constexpr int kBallsEach = P::kCells / 2;
  static constexpr int kNumActions = Tables::kIds.total();

  enum class Kind : std::uint8_t { Place, Raise, TakeBack, Stop };
  struct Move {
    Kind kind = Kind::Stop;
    Cell from;  // Raise, TakeBack
    Cell to;    // Place, Raise
    friend bool operator==(const Move&, const Move&) = default;
  };

  struct State {
    std::array<Balls, 2> balls{};  // of light and dark
    std::uint16_t turns = 0;       // counted only where there is a limit [PY-4.4]
    std::uint8_t to_move = 0;
    Cell placed;  // between the actions of a turn: the cell of this turn's ball
    Cell taken;   // and the cell of the ball already taken back
    Options options;

    Balls occupied() const { return balls[0] | balls[1]; }
    Balls own() const { return balls[to_move]; }
    friend bool operator==(const State&, const State&) = default;
  };

  using LegalSet = IdSet<kNumActions>;

  static bool accepts(const Options& options) { return options.base == Base; }

  // ---- actions ----
  static int num_players(const Options&) { return kNumPlayers; }
  static int num_symmetries(const Options&) { return 8; }
  static int num_actions(const Options&) { return kNumActions; }
  static int max_game_length(const Options& options) { return 3 * options.max_turns; }

  static Action encode(const Options&, const Move& move) {
    switch (move.kind) {
      case Kind::Place: return Tables::kIds.first(Tables::kPlace) + move.to.value();
      case Kind::Raise: return Tables::raise_id(move.from, move.to);
      case Kind::TakeBack: return Tables::kIds.first(Tables::kTakeBack) + move.from.value();
      case Kind::Stop: return Tables::kStopId;
    }
    return Tables::kStopId;
  }
  static Move decode(const Options&, Action a) {
    switch (Tables::kIds.block_of(a)) {
      case Tables::kPlace: return {Kind::Place, {}, Cell(a)};
      case Tables::kTakeBack: return {Kind::TakeBack, Cell(a - Tables::kIds.first(Tables::kTakeBack)), {}};
      case Tables::kStop: return {};
      default: break;
    }
    const auto raise = Tables::raise_of(a);
    return {Kind::Raise, raise.from, raise.to};
  }
  static bool is_pass(const Options&, Action) { return false; }
  static bool is_closing(const Options&, Action a) { return a == Tables::kStopId; }

  static std::string action_to_text(const Options& options, Action a) {
    const Move move = decode(options, a);
    switch (move.kind) {
      case Kind::Place: return Tables::cell_name(move.to);
      case Kind::Raise: return Tables::cell_name(move.from) + ">" + Tables::cell_name(move.to);
      case Kind::TakeBack: return "-" + Tables::cell_name(move.from);
      case Kind::Stop: break;
    }
    return "stop";
  }
  static Action text_to_action(const Options& options, std::string_view text) {
    const std::string lower_text = lowered(text);
    if (lower_text == "stop") return Tables::kStopId;
    Cursor in(lower_text);
    Move move;
    if (in.accept('-')) {
      move = {Kind::TakeBack, Tables::read_cell(in), {}};
    } else {
      move = {Kind::Place, {}, Tables::read_cell(in)};
      if (in.accept('>')) move = {Kind::Raise, move.to, Tables::read_cell(in)};
    }
    in.finish();
    const Action a = encode(options, move);
    if (a < 0)
      throw ParseError(quoted(text) +
                       " can never be legal: a ball is raised to a higher level, not onto itself or the apex");
    return a;
  }

  // ---- the state ----
  static State initial(const Options& options, std::uint64_t) {
    State s;
    s.options = options;
    return s;
  }
  static Player to_move(const State& s) { return s.to_move; }
  static bool in_turn(const State& s) { return !s.placed.is_none(); }
  static int reserve(const State& s, Player p) {
    return kBallsEach - std::popcount(s.balls[static_cast<std::size_t>(p)]);
  }

  static bool is_terminal(const State& s) {
    if (in_turn(s)) return false;
    return is_decided(s) || is_over_limit(s);
  }
  static PlayerMask winners(const State& s) {
    if (in_turn(s)) return 0;
    if ((s.balls[0] & P::kApexBall) != 0) return 1;  // [PY-4.1]
    if ((s.balls[1] & P::kApexBall) != 0) return 2;
    return is_decided(s) ? PlayerMask{1} << (1 - s.to_move) : 0;  // [PY-4.2] [PY-4.3]; a limit decides nothing [PY-4.4]
  }
  static std::array<int, 2> scores(const State& s) {
    const PlayerMask w = winners(s);
    return {static_cast<int>(w & 1), static_cast<int>(w >> 1)};  // [PY-4.5]
  }

  static LegalSet legal(const State& s) {
    typename LegalSet::Ids::Words ids{};
    if (in_turn(s)) {
      put_bits(ids, Tables::kIds.first(Tables::kTakeBack), P::ids(takable(s)));
      if (may_stop(s)) put_bits(ids, Tables::kStopId, 1);
    } else if (!is_terminal(s)) {
      const Balls targets = P::playable(s.occupied());
      if (reserve(s, s.to_move) > 0) put_bits(ids, 0, P::ids(targets));
      for_each_raise(s, targets, [&](Cell from, Balls to) {
        put_bits(ids, Tables::kFirstRaise[from], gather_bits(to, Tables::kRaiseTargets[from]));
      });
    }
    return {typename LegalSet::Ids(ids)};
  }
  static int count_legal(const State& s) { return legal(s).count(); }
  static bool is_legal(const State& s, Action a) { return legal(s).contains(a); }

  static std::string why_illegal(const State& s, Action a) {
    if (is_legal(s, a)) return "";
    if (is_terminal(s)) return "the game is over";
    const Move move = decode(s.options, a);
    const bool in_pattern = in_turn(s);
    if (in_pattern != (move.kind == Kind::TakeBack || move.kind == Kind::Stop))
      return in_pattern ? "[PY-3.7] a pattern was made: take a ball back or stop"
                        : "[PY-2.1] a turn starts with a placing or a raise";
    switch (move.kind) {
      case Kind::Place: return why_not_place(s, move.to);
      case Kind::Raise: return why_not_raise(s, move);
      case Kind::TakeBack: return why_not_take_back(s, move.from);
      case Kind::Stop: break;
    }
    return "[PY-3.7] one ball must be taken back before the turn can stop";
  }

  static void apply(State& s, Action a) {
    const Move move = decode(s.options, a);
    Balls& own = s.balls[s.to_move];
    switch (move.kind) {
      case Kind::Place: return put_ball(s, own | P::ball(move.to), move.to);
      case Kind::Raise: return put_ball(s, (own ^ P::ball(move.from)) | P::ball(move.to), move.to);
      case Kind::TakeBack:
        own ^= P::ball(move.from);
        if (!s.taken.is_none()) return end_turn(s);
        s.taken = move.from;
        return;
      case Kind::Stop: return end_turn(s);
    }
  }

  // The number of whole turns, counted without playing them.
  static std::int64_t count_turns(const State& s) {
    if (!s.taken.is_none()) return 1 + std::popcount(takable(s));
    if (in_turn(s)) return ways_to_finish(s.options, s.own(), s.occupied(), P::ball(s.placed));
    if (is_terminal(s)) return 0;
    const Balls own = s.own();
    const Balls occupied = s.occupied();
    const Balls targets = P::playable(occupied);
    const Balls completing = targets & completes_pattern(s.options, own);
    std::int64_t turns = 0;
    if (reserve(s, s.to_move) > 0) {
      turns += std::popcount(targets & ~completing);
      for_each_bit(targets & completing,
                   [&](int i) { turns += ways_to_finish(s.options, own | bit(i), occupied | bit(i), bit(i)); });
    }
    // A raise leaves its target's level alone, so `completing` holds for raises too.
    const Balls movers = own & ~P::covered(occupied);
    for_each_bit(targets & ~P::kGround & ~P::kApexBall, [&](int i) {
      const Balls from = movers & P::below(bit(i)) & ~P::supports(bit(i));
      if ((completing & bit(i)) == 0) {
        turns += std::popcount(from);
        return;
      }
      for_each_bit(from, [&](int f) {
        const Balls moved = bit(i) | bit(f);
        turns += ways_to_finish(s.options, own ^ moved, occupied ^ moved, bit(i));
      });
    });
    return turns;
  }

  static std::uint64_t hash(const State& s) {
    std::uint64_t h = hash_append(hash_append(0, s.balls[0]), s.balls[1]);
    h = hash_append(h, std::uint64_t{s.turns} << 24 | s.taken.index() << 16 | s.placed.index() << 8 | s.to_move);
    return hash_append(h, s.options.hash());
  }
  static State unlimited(State s) {
    s.options.max_turns = 0;
    s.turns = 0;
    return s;
  }

  // ---- symmetries [PY-9.1] ----
  static State transform(const State& s, int k) {
    State out = s;
    out.balls = {transformed(s.balls[0], k), transformed(s.balls[1], k)};
    if (!s.placed.is_none()) out.placed = P::transformed_cell(s.placed, k);
    if (!s.taken.is_none()) out.taken = P::transformed_cell(s.taken, k);
    return out;
  }
  static Action transform_action(const Options& options, Action a, int k) {
    Move move = decode(options, a);
    if (!move.from.is_none()) move.from = P::transformed_cell(move.from, k);
    if (!move.to.is_none()) move.to = P::transformed_cell(move.to, k);
    return encode(options, move);
  }

  // ---- views and texts: views.hpp ----
  static std::span<const int> observation_shape(const Options&) {
    static constexpr std::array kShape{12, Base, Base, Base};
    return kShape;
  }
  static PlaneLayout plane_layout(const Options&) { return {P::kCells, Base * Base * Base, Tables::kPlaces.data()}; }
  template <class Out>
  static void observe(const State& s, Player viewer, Out& out);
  static std::string to_text(const State& s);
  static State parse(const Options& options, std::string_view text);
  static std::string drawing(const State& s);

  static std::string_view broken_invariant(const State& s) {
    if ((s.balls[0] & s.balls[1]) != 0) return "two balls in one cell";
    if ((s.occupied() & ~P::kBoard) != 0) return "a ball off the board";
    if (!P::is_stable(s.occupied())) return "a ball without its supports";
    if (reserve(s, 0) < 0 || reserve(s, 1) < 0) return "more balls than a player has";
    if (!in_turn(s) && !s.taken.is_none()) return "a ball taken back between turns";
    if (s.turns > s.options.max_turns) return "more turns than the limit";
    return "";
  }

  // ---- inside ----
  static bool is_decided(const State& s) {
    if ((s.occupied() & P::kApexBall) != 0) return true;
    if (reserve(s, s.to_move) > 0) return false;
    return s.options.empty_reserve == EmptyReserve::Loses || !can_raise(s);
  }
  static bool is_over_limit(const State& s) { return s.options.max_turns != 0 && s.turns >= s.options.max_turns; }

  static bool can_raise(const State& s) {
    bool found = false;
    for_each_raise(s, P::playable(s.occupied()), [&](Cell, Balls) { found = true; });
    return found;
  }
  // f(cell, targets) for every own free ball that can be raised. [PY-2.2]
  template <class F>
  static void for_each_raise(const State& s, Balls targets, F&& f) {
    const Balls occupied = s.occupied();
    const Balls upper = targets & ~P::kGround & ~P::kApexBall;
    if (upper == 0) return;
    for_each_bit(s.own() & ~P::covered(occupied), [&](int i) {
      const Cell from = P::cell_at(i);
      const Balls to = upper & Tables::kRaiseTargets[from];
      if (to != 0) f(from, to);
    });
  }

  static void put_ball(State& s, Balls own, Cell cell) {
    s.balls[s.to_move] = own;
    if (makes_pattern(s.options, own, P::ball(cell))) {
      s.placed = cell;
      if (s.options.removal == Removal::Optional || takable(s) != 0) return;  // [PY-3.7]
    }
    end_turn(s);
  }
  static void end_turn(State& s) {
    s.placed = s.taken = Cell{};
    s.to_move ^= 1;
    s.turns = static_cast<std::uint16_t>(s.turns + (s.options.max_turns != 0));
    if (is_skipped(s)) s.to_move ^= 1;  // the other one has balls left, so he can place
  }
  // Can the player to move not act, and is his turn left out rather than lost? [PY-4.2]
  static bool is_skipped(const State& s) {
    return s.options.no_move == NoMove::Passes && s.options.empty_reserve == EmptyReserve::Continues &&
           reserve(s, s.to_move) == 0 && (s.occupied() & P::kApexBall) == 0 && !can_raise(s);
  }

  static bool makes_pattern(const Options& options, Balls own, Balls placed) {
    if (options.patterns == Patterns::None) return false;
    if ((P::squares(own) & P::squares_around(placed)) != 0) return true;
    return options.patterns == Patterns::Lines && Tables::in_full_line(own, placed);
  }
  static Balls completes_pattern(const Options& options, Balls own) {
    if (options.patterns == Patterns::None) return 0;
    const Balls square = P::completes_square(own);
    return options.patterns == Patterns::Lines ? square | Tables::completes_line(own) : square;
  }

  // Own free balls that may be taken now, in the canonical order. [PY-3.3] [PY-3.4] [PY-3.6]
  static Balls takable(const State& s) {
    const Balls occupied = s.occupied();
    Balls out = s.own() & ~P::covered(occupied);
    if (!s.options.remove_placed) out &= ~P::ball(s.placed);
    if (s.taken.is_none()) return out;
    const Balls first = P::ball(s.taken);
    const Balls freed = out & P::supports(first);
    const Balls later = out & ~freed & ~(first - 1);
    return s.options.chain_removal ? later | freed : later;
  }
  static bool may_stop(const State& s) { return s.options.removal == Removal::Optional || !s.taken.is_none(); }

  // The number of ways to end a turn that has just made a pattern with `placed`.
  static std::int64_t ways_to_finish(const Options& options, Balls own, Balls occupied, Balls placed) {
    Balls free = own & ~P::covered(occupied);
    if (!options.remove_placed) free &= ~placed;
    const std::int64_t singles = std::popcount(free);
    std::int64_t ways = singles + singles * (singles - 1) / 2;
    ways += options.removal == Removal::Optional || singles == 0;
    if (!options.chain_removal) return ways;
    for_each_bit(free & ~P::kGround,
                 [&](int i) { ways += std::popcount(own & P::supports(bit(i)) & ~P::covered(occupied ^ bit(i))); });
    return ways;
  }

  static bool starts_upper_level(Cell cell) { return P::kBitOf[cell] % 16 == 0 && P::kBitOf[cell] > 0; }

  static Balls transformed(Balls balls, int k) {
    Balls out = 0;
    for_each_bit(balls, [&](int i) { out |= P::ball(P::transformed_cell(P::cell_at(i), k)); });
    return out;
  }

  static std::string why_not_place(const State& s, Cell to) {
    const std::string cell = Tables::cell_name(to);
    if ((s.occupied() & P::ball(to)) != 0) return "[PY-2.1] " + cell + " is occupied";
    if ((P::supported(s.occupied()) & P::ball(to)) == 0) return "[PY-2.1] " + cell + " is not held up by four balls";
    return "[PY-2.1] the reserve is empty";
  }
  static std::string why_not_raise(const State& s, const Move& move) {
    const std::string from = Tables::cell_name(move.from);
    if ((s.own() & P::ball(move.from)) == 0) return "[PY-2.2] there is no own ball on " + from;
    if ((P::covered(s.occupied()) & P::ball(move.from)) != 0) return "[PY-2.2] a ball rests on " + from;
    if ((s.occupied() & P::ball(move.to)) != 0) return "[PY-2.2] " + Tables::cell_name(move.to) + " is occupied";
    return "[PY-2.2] " + Tables::cell_name(move.to) + " is not held up by four other balls";
  }
  static std::string why_not_take_back(const State& s, Cell from) {
    const std::string cell = Tables::cell_name(from);
    if ((s.own() & P::ball(from)) == 0) return "[PY-3.2] there is no own ball on " + cell;
    if ((P::covered(s.occupied()) & P::ball(from)) != 0) return "[PY-3.2] a ball rests on " + cell;
    if (from == s.placed && !s.options.remove_placed) return "[PY-3.3] the ball of this turn stays";
    if (!s.options.chain_removal && !s.taken.is_none() && (P::supports(P::ball(s.taken)) & P::ball(from)) != 0)
      return "[PY-3.4] " + cell + " was not free before the first ball was taken";
    return "[PY-3.6] two balls are taken in ascending order of cells";
  }
};

}  // namespace zg::pylos

#include "games/pylos/views.hpp"

namespace zg::pylos {

struct Family {
  using Options = pylos::Options;
  using Variants = std::tuple<Pylos<4>, Pylos<3>>;
  static constexpr std::string_view kName = "pylos";
  static const OptionTable<Options>& option_table() { return pylos::option_table(); }
  static std::span<const std::string_view> law_options() { return kLawOptions; }
};

static_assert(Game<Pylos<4>> && CountsTurns<Pylos<4>> && SymmetricGame<Pylos<4>> && GameFamily<Family>);
static_assert(sizeof(Pylos<4>::State) == 32);

}  // namespace zg::pylos
