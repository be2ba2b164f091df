// Blox: the rules of RULES.md on lines of sixteen bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "core/id_set.hpp"
#include "core/named_array.hpp"
#include "game.hpp"
#include "games/blox/board.hpp"
#include "games/blox/builds.hpp"
#include "games/blox/entries.hpp"
#include "games/blox/numbering.hpp"
#include "games/blox/options.hpp"

namespace zg::blox {

template <int Size>
struct Blox {
  using Options = blox::Options;
  using Board = blox::Board<Size>;
  using Field = typename Board::Field;
  using Numbering = blox::Numbering<Board::kFields>;
  using Move = blox::Move;

  static constexpr std::string_view kClassName = Size == 10 ? "Blox" : "Blox9";
  static constexpr int kNumPlayers = kMostPlayers;
  static constexpr bool kSingleActionTurns = false;
  static constexpr int kMostActions = Numbering::most();
  static constexpr int kMostSwapped = 5;
  static constexpr int kMostPoints = 1'000'000'000;

  struct Seat {
    std::uint32_t points = 0;
    Counts hand;
    Counts blocks;
    std::array<Field, kMostPawns> pawns{};  // on the board, ascending; then none
    bool joker = true;

    int num_pawns() const {
      return static_cast<int>(std::count_if(pawns.begin(), pawns.end(), [](Field f) { return !f.is_none(); }));
    }
    bool has_pawn(Field f) const { return std::find(pawns.begin(), pawns.end(), f) != pawns.end(); }
    void replace(Field from, Field to) {  // none: from, or back to, the supply
      *std::find(pawns.begin(), pawns.end(), from) = to;
      std::sort(pawns.begin(), pawns.end());
    }
    friend bool operator==(const Seat&, const Seat&) = default;
  };

  // A build or a swap of which some actions have been played; they take effect at its end. [BX-5.5]
  struct Begun {
    enum class What : std::uint8_t { Nothing, Build, Swap };
    What what = What::Nothing;
    std::uint8_t rank = 0;
    Colour joker;  // the colour that the joker pays, if it does
    Counts cards;

    int blocks() const { return cards.total() + !joker.is_none(); }
    Counts built() const { return joker.is_none() ? cards : cards + Counts::one(joker.value()); }
    // The first colour that may go on. [BX-5.3]
    int from() const {
      return std::max(static_cast<int>(std::bit_width(cards.colours())) - 1, joker.is_none() ? 0 : joker.value() + 1);
    }
    friend bool operator==(const Begun&, const Begun&) = default;
  };

  struct State {
    Options options;
    Board board;
    std::array<Seat, kMostPlayers> seats{};
    Deck deck;
    Stream chance;
    Counts discard;
    Begun begun;
    std::uint16_t turns = 0;  // counted only where there is a limit [BX-4.2]
    std::uint8_t sides = 0;
    std::uint8_t to_move = 0;
    std::uint8_t phase = 1;
    bool end_triggered = false;

    const Seat& mover() const { return seats[to_move]; }
    Seat& mover() { return seats[to_move]; }
    friend bool operator==(const State&, const State&) = default;
  };

  using LegalSet = IdSet<kMostActions>;
  using IdWords = typename LegalSet::Ids::Words;

  static bool accepts(const Options& options) { return options.board == Size; }

  // ---- actions ----
  static int num_players(const Options& options) { return options.players; }
  static int num_actions(const Options& options) { return Numbering(options.pawns).total(); }
  // The longest turn is a build: its pawn, a block for each card and the joker, `done`.
  static int max_game_length(const Options& options) { return options.max_turns * (options.hand + 3); }
  static Action encode(const Options& options, const Move& move) { return Numbering(options.pawns).encode(move); }
  static Move decode(const Options& options, Action a) { return Numbering(options.pawns).decode(a); }
  static bool is_pass(const Options&, Action) { return false; }
  static bool is_closing(const Options& options, Action a) { return a == num_actions(options) - 1; }
  static bool ends_turn(const Options& options, Action a) {
    return a < Numbering(options.pawns).first(Kind::Build) || is_closing(options, a);
  }
  static std::string action_to_text(const Options& options, Action a);
  static Action text_to_action(const Options& options, std::string_view text);

  // ---- the state ----
  static State initial(const Options& options, std::uint64_t key);
  static Player to_move(const State& s) { return s.to_move; }
  static bool in_turn(const State& s) { return s.begun.what != Begun::What::Nothing; }
  static bool is_terminal(const State& s) { return !in_turn(s) && (is_played_out(s) || is_over_limit(s)); }
  static PlayerMask winners(const State& s);
  static std::array<int, kNumPlayers> scores(const State& s) {
    std::array<int, kNumPlayers> out{};
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = static_cast<int>(s.seats[p].points);
    return out;
  }

  static LegalSet legal(const State& s) {
    IdWords ids{};
    if (s.begun.what == Begun::What::Build)
      put_blocks(s, ids);
    else if (s.begun.what == Begun::What::Swap)
      put_swaps(s, ids, s.begun.from());
    else if (!is_terminal(s))
      put_turns(s, ids);
    return {typename LegalSet::Ids(ids)};
  }
  static int count_legal(const State& s) { return legal(s).count(); }
  static bool is_legal(const State& s, Action a) { return legal(s).contains(a); }
  static std::string why_illegal(const State& s, Action a);
  static void apply(State& s, Action a);
  static std::int64_t count_turns(const State& s);

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
    return {36 + 10 * options.players, Size, Size};
  }
  static PlaneLayout plane_layout(const Options&) { return {Board::kFields, Board::kFields}; }
  template <class Out>
  static void observe(const State& s, Player viewer, Out& out);
  static std::string to_text(const State& s);
  static State parse(const Options& options, std::string_view text);
  static std::string drawing(const State& s);
  static std::string drawing_for(const State& s, Player viewer);
  static std::string_view broken_invariant(const State& s);
  static std::string_view board_fault(const State& s);
  static std::span<const NamedArray<Options, State>> analyses();
  static std::span<const NamedArray<Options, Options>> tables() { return {}; }
  static std::span<const NamedArray<Options, Seated<State>>> views();

  // ---- what random games are counted by [BX-11] ----
  static std::span<const std::string_view> counters();
  static void count_action(const State& s, Action a, std::span<std::int32_t> counts);
  static void count_end(const State& s, std::span<std::int32_t> counts);

  // ---- inside ----
  static bool is_played_out(const State& s) { return s.end_triggered && s.to_move == 0; }  // [BX-4.1]
  static bool is_over_limit(const State& s) { return s.options.max_turns != 0 && s.turns >= s.options.max_turns; }
  static int build_height(const State& s) { return s.phase + 1; }
  static int greatest_height(const State& s) {
    return s.options.build_height == BuildHeight::Exact ? build_height(s) : kMostCards;
  }
  static int supply_of_pawns(const State& s, const Seat& seat) { return s.options.pawns - seat.num_pawns(); }
  // What the player to move can still build or swap with.
  static Supply supply(const State& s) {
    const Seat& me = s.mover();
    const Begun& begun = s.begun;
    return {me.blocks - begun.built(), me.hand - begun.cards, me.joker && begun.joker.is_none(), begun.from()};
  }
  static bool can_build_high_enough(const State& s) { return supply(s).most() >= build_height(s); }
  // May the player demolish a tower of that height? [BX-3.4]
  static bool may_demolish(const State& s, const Seat& seat, int height) {
    return height <= s.phase && seat.blocks.total() < s.options.block_limit;
  }
  static Player owner_of(const State& s, Field f) {  // of the pawn there; -1 if there is none
    for (std::size_t p = 0; p < s.options.players; ++p)
      if (s.seats[p].has_pawn(f)) return static_cast<Player>(p);
    return -1;
  }

  static void put_turns(const State& s, IdWords& ids);
  static void put_entries(const State& s, IdWords& ids);
  static void put_pawn_actions(const State& s, IdWords& ids);
  static void put_blocks(const State& s, IdWords& ids);
  static void put_swaps(const State& s, IdWords& ids, int from);

  static unsigned capture_pays(const State& s, int colour);
  static unsigned demolish_pays(const State& s, Counts tower);
};

}  // namespace zg::blox

#include "games/blox/analyses.hpp"
#include "games/blox/chance.hpp"
#include "games/blox/play.hpp"
#include "games/blox/reasons.hpp"
#include "games/blox/texts.hpp"
#include "games/blox/views.hpp"

namespace zg::blox {

struct Family {
  using Options = blox::Options;
  using Variants = std::tuple<Blox<10>, Blox<9>>;
  static constexpr std::string_view kName = "blox";
  static const OptionTable<Options>& option_table() { return blox::option_table(); }
  static std::span<const std::string_view> law_options() { return kLawOptions; }
};

static_assert(Game<Blox<10>> && CountsTurns<Blox<10>> && ForeseesTurns<Blox<10>> && HiddenGame<Blox<10>> &&
              AnalysedGame<Blox<10>> && ViewedGame<Blox<10>> && CountingGame<Blox<10>> && GameFamily<Family>);
static_assert(sizeof(Blox<10>::State) <= 1024);

}  // namespace zg::blox
