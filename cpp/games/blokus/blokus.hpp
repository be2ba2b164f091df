// Blokus: the rules of RULES.md on padded bit boards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/listing.hpp"
#include "core/text.hpp"
#include "game.hpp"
#include "games/blokus/hand.hpp"
#include "games/blokus/numbering.hpp"
#include "games/blokus/options.hpp"
#include "games/blokus/placements.hpp"
#include "games/blokus/symmetry.hpp"
#include "games/blokus/tables.hpp"

namespace zg::blokus {

// Boards of up to Form x Form cells, and larger than the next smaller form.
template <int Form>
struct Blokus {
  using Options = blokus::Options;
  using Tables = blokus::Tables<Form>;
  using Board = typename Tables::Board;
  using Cells = typename Board::Set;

  static constexpr std::string_view kClassName = Form == 20 ? "Blokus" : Form == 14 ? "Blokus14" : "Blokus8";
  static constexpr int kNumPlayers = kMostColours;
  static constexpr bool kSingleActionTurns = true;
  static constexpr int kSmaller = Form == 20 ? 14 : Form == 14 ? 8 : 0;  // the next smaller form
  static constexpr std::string_view kColourLetters = "byrg";

  // A placement, by the top left corner of its bounding box; or the pass.
  struct Move {
    OrientationId orientation;  // none: the pass
    int row = 0;
    int column = 0;
    Place place() const { return {orientation.index(), row, column}; }
    friend bool operator==(const Move&, const Move&) = default;
  };

  struct State {
    std::array<Cells, kMostColours> own;    // squares on the board
    std::array<Hand, kMostColours> hand{};  // pieces not yet placed
    std::uint8_t to_move = 0;               // the colour
    std::uint8_t passed = 0;                // colours that have passed; with `skip`, that were left out [BK-5.4]
    std::uint8_t single = 0;                // colours that placed everything, the single square last
    Options options;

    Cells occupied() const { return (own[0] | own[1]) | (own[2] | own[3]); }
    friend bool operator==(const State&, const State&) = default;
  };

  // The placements of a colour; or the pass; or nothing.
  class LegalSet {
   public:
    LegalSet(const State& s, int colour)
        : numbering_(s.options), hand_(is_blocked(s, colour) ? 0 : s.hand[index(colour)].once) {
      if (hand_ == 0) return;
      const bool any = sweep(s, colour, false, [&](auto&& sweep, int first_row) {
        first_row_ = first_row;
        in_strip_ = !std::is_same_v<typename std::decay_t<decltype(sweep)>::Cells, Cells>;
        if constexpr (std::is_same_v<typename std::decay_t<decltype(sweep)>::Cells, Cells>)
          return fill(on_board_, sweep);
        else
          return fill(in_rows_, sweep);
      });
      if (!any) hand_ = 0;
    }
    void add_pass() { pass_ = true; }  // only where there are no placements

    int count() const {
      if (hand_ == 0) return pass_;
      return read([](auto& placements) { return placements.count(); });
    }
    Action nth(int k) const {
      if (pass_) return numbering_.total();
      const auto [o, anchor] = read([&](auto& placements) { return placements.find(k); });
      return numbering_.id_of(Tables::place_at(o, anchor + first_row_ * Board::kStride));
    }
    template <class F>
    void for_each(F&& f) const {
      if (pass_) f(numbering_.total());
      Listing<Board, kNumOrientations> ids;
      read([&](auto& placements) {
        placements.for_each(hand_, [&](std::size_t o, const auto& anchors) {
          ids.add(anchors, numbering_.of_anchors(o, Board::kStride, first_row_));
        });
      });
      ids.for_each(f);
    }
    void write_mask(std::span<std::uint8_t> mask) const {
      std::fill(mask.begin(), mask.end(), std::uint8_t{0});
      for_each([&](Action a) { mask[index(a)] = 1; });
    }
    // The placements of each orientation of the pieces in hand, ascending, as the set of their anchors.
    template <class F>
    void for_each_orientation(F&& f) const {
      read([&](auto& placements) {
        placements.for_each(hand_, [&](std::size_t o, const auto& anchors) { f(o, widened(anchors)); });
      });
    }

   private:
    using StripRows = typename Strip<Board>::Rows;

    template <class Rows>
    bool fill(Placements<Rows>& placements, auto& sweep) {
      placements.fill(sweep, hand_);
      return placements.count() > 0;
    }
    template <class F>
    auto read(F&& f) const {
      if constexpr (Strip<Board>::kHelps)
        if (in_strip_) return f(in_rows_);
      return f(on_board_);
    }
    template <class Set>
    Cells widened(const Set& anchors) const {
      if constexpr (std::is_same_v<Set, Cells>) return anchors;
      typename Cells::Words words{};
      const auto given = anchors.bits().words();
      std::copy(given.begin(), given.end(), words.begin());
      return Cells(words).up(first_row_ * Board::kStride);
    }

    Numbering numbering_;
    PieceSet hand_;  // empty: there are no placements, and the sets below are not written
    bool pass_ = false;
    bool in_strip_ = false;
    int first_row_ = 0;
    // One of them is in use.
    Placements<Board> on_board_;
    Placements<StripRows> in_rows_;
  };

  static bool accepts(const Options& options) { return kSmaller < options.board && options.board <= Form; }

  // ---- actions ----
  static int num_players(const Options& options) { return options.num_players(); }
  static int num_actions(const Options& options) { return pass_id(options) + 1; }
  // Every placement with the passes of the others around it.
  static int max_game_length(const Options& options) {
    return options.colours * options.colours * Hand::whole(options).count();
  }

  static Action encode(const Options& options, const Move& move) {
    if (move.orientation.is_none()) return pass_id(options);
    return Numbering(options).id_of(move.place());
  }
  static Move decode(const Options& options, Action a) {
    if (is_pass(options, a)) return {};
    const Place at = Numbering(options).place_of(a);
    return {OrientationId(static_cast<int>(at.orientation)), at.row, at.column};
  }
  static bool is_pass(const Options& options, Action a) { return a == pass_id(options); }
  static bool is_closing(const Options&, Action) { return false; }
  static std::string action_to_text(const Options& options, Action a);
  static Action text_to_action(const Options& options, std::string_view text);

  // ---- the state ----
  static State initial(const Options& options, std::uint64_t) {
    State s;
    s.own.fill(Cells::empty());
    std::fill_n(s.hand.begin(), options.colours, Hand::whole(options));
    s.options = options;
    if (options.pass_mode == PassMode::Skip) leave_out_blocked(s);
    return s;
  }
  static Player to_move(const State& s) { return player_of(s, s.to_move); }
  static constexpr bool in_turn(const State&) { return false; }

  static bool is_terminal(const State& s) {
    if (s.options.pass_mode == PassMode::Skip) return s.passed == all_colours(s.options);
    return !can_place(s, s.to_move) && !any_other_can_place(s);
  }
  static PlayerMask winners(const State& s) {
    if (!is_terminal(s)) return 0;
    const auto points = scores(s);
    const int players = num_players(s.options);
    const int best = *std::max_element(points.begin(), points.begin() + players);
    PlayerMask mask = 0;
    for (int p = 0; p < players; ++p) mask |= PlayerMask{points[index(p)] == best} << p;  // [BK-3.3]
    return mask;
  }
  // [BK-3.4]
  static std::array<int, kNumPlayers> scores(const State& s) {
    std::array<int, kNumPlayers> out{};
    const bool fourth_counts = s.options.sharing != Sharing::Fourth;
    for (int c = 0; c < s.options.colours; ++c)
      if (c < 3 || fourth_counts) out[index(player_of(s, c))] += score_of(s, c);
    return out;
  }

  static LegalSet legal(const State& s) {
    LegalSet out(s, s.to_move);  // one named result: it is large, and must not be copied
    if (out.count() == 0 && must_pass(s)) out.add_pass();
    return out;
  }
  static int count_legal(const State& s) {
    const int placements = is_blocked(s, s.to_move) ? 0 : count_placements(s, s.to_move);
    return placements > 0 ? placements : must_pass(s);
  }
  static bool is_legal(const State& s, Action a) {
    if (is_pass(s.options, a)) return !can_place(s, s.to_move) && must_pass(s);
    const Place at = Numbering(s.options).place_of(a);
    if (!s.hand[s.to_move].has(piece_at(at))) return false;
    const Cells squares = Tables::squares_at(at);
    return !squares.minus(free_cells(s, s.to_move)).any() && squares.intersects(contact_cells(s, s.to_move));
  }
  static std::string why_illegal(const State& s, Action a);

  static void apply(State& s, Action a) {
    if (is_pass(s.options, a))
      s.passed |= colour_bit(s.to_move);
    else
      place(s, Numbering(s.options).place_of(a));
    s.to_move = after(s, s.to_move);
    if (s.options.pass_mode == PassMode::Skip) leave_out_blocked(s);
  }

  static std::uint64_t hash(const State& s) {
    std::uint64_t h = s.options.hash();
    for (std::size_t c = 0; c < s.options.colours; ++c)
      h = hash_append(s.own[c].hash(h), std::uint64_t{s.hand[c].twice} << 32 | s.hand[c].once);
    return hash_append(h, std::uint64_t{s.to_move} << 16 | std::uint64_t{s.passed} << 8 | s.single);
  }
  static State unlimited(const State& s) { return s; }

  // ---- symmetries: RULES.md section 8 ----
  static int num_symmetries(const Options& options) { return Symmetries(options).count(); }
  static State transform(const State& s, int k);
  static Action transform_action(const Options& options, Action a, int k);

  // ---- views and texts: views.hpp, texts.hpp, analyses.hpp ----
  static std::array<int, 3> observation_shape(const Options& options) {
    return {options.colours + 3 + hand_planes(options), options.board, options.board};
  }
  static PlaneLayout plane_layout(const Options& options) {
    const int cells = options.board * options.board;
    return {cells, cells};
  }
  template <class Out>
  static void observe(const State& s, Player viewer, Out& out);
  static std::string to_text(const State& s);
  static State parse(const Options& options, std::string_view text);
  static std::string drawing(const State& s);
  static std::string_view broken_invariant(const State& s);
  static std::span<const NamedArray<Options, State>> analyses();
  static std::span<const NamedArray<Options, Options>> tables();

  // ---- inside ----
  static Action pass_id(const Options& options) { return Numbering(options).total(); }
  static int piece_at(const Place& at) { return kOrientations[at.orientation].piece; }
  static constexpr std::uint8_t all_colours(const Options& options) {
    return static_cast<std::uint8_t>((1 << options.colours) - 1);
  }
  static std::uint8_t after(const State& s, int colour) {
    return static_cast<std::uint8_t>(colour + 1 == s.options.colours ? 0 : colour + 1);
  }
  // Who plays a colour now. [BK-1.5]
  static Player player_of(const State& s, int colour) {
    if (s.options.sharing == Sharing::None) return colour;
    if (s.options.sharing == Sharing::Pairs) return colour % 2;
    return colour < 3 ? colour : (Hand::whole(s.options).count() - s.hand[3].count()) % 3;
  }
  // [BK-3.1] [BK-3.2]
  static int score_of(const State& s, int colour) {
    const Hand& hand = s.hand[index(colour)];
    if (!hand.is_empty() || s.options.scoring == Scoring::Basic) return -hand.squares();
    return 15 + 5 * (s.single >> colour & 1);
  }
  static bool is_first(const State& s, int colour) { return s.hand[index(colour)] == Hand::whole(s.options); }
  // What a colour's first piece may cover, occupied or not. [BK-2.1]
  static Cells start_cells(const Options& options, int colour) {
    Cells out = Cells::empty();
    for (int c = 0; c < options.colours; ++c)
      if (c == colour || options.start == Start::AnyCorner) {
        const Square at = options.start_of(c);
        out |= Cells::single(Board::cell(at.row, at.column));
      }
    return out;
  }
  static int hand_planes(const Options& options) {
    const int cells = options.board * options.board;
    return (kNumPieces * options.colours * options.copies + cells - 1) / cells;
  }
  static int colour_at(const State& s, int cell);
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::uint8_t colour_bit(int colour) { return static_cast<std::uint8_t>(1 << colour); }
  static bool is_blocked(const State& s, int colour) { return (s.passed & colour_bit(colour)) != 0; }

  // Empty cells that share no edge with an own square. [BK-2.2]
  static Cells free_cells(const State& s, int colour) {
    return Tables::board(s.options.board).minus(s.occupied() | Board::edges(s.own[index(colour)]));
  }
  // Cells of which a placement covers at least one, before they are cut to the free ones. [BK-2.1] [BK-2.2]
  static Cells contact_cells(const State& s, int colour) {
    return is_first(s, colour) ? start_cells(s.options, colour) : Board::corners(s.own[index(colour)]);
  }

  // use(sweep, first row): see with_sweep.
  template <class Result, class Use>
  static Result sweep(const State& s, int colour, Result nothing, Use&& use) {
    return with_sweep<Board>(free_cells(s, colour), contact_cells(s, colour), nothing, use);
  }
  static int count_placements(const State& s, int colour) {
    return sweep(s, colour, 0, [&](auto&& sweep, int) {
      using Set = typename std::decay_t<decltype(sweep)>::Cells;
      typename Set::Tally tally;
      sweep.over(
          s.hand[index(colour)].once, [&](auto, const Set& anchors) { tally.add(anchors.bits()); },
          [](auto) { return true; });
      return tally.total();
    });
  }
  static bool can_place(const State& s, int colour) {
    if (is_blocked(s, colour) || s.hand[index(colour)].is_empty()) return false;
    return sweep(s, colour, false, [&](auto&& sweep, int) {
      using Set = typename std::decay_t<decltype(sweep)>::Cells;
      Set found = Set::empty();
      sweep.over(
          s.hand[index(colour)].once, [&](auto, const Set& anchors) { found |= anchors; },
          [&](auto) { return !found.any(); });
      return found.any();
    });
  }
  static bool any_other_can_place(const State& s) {
    for (int colour = after(s, s.to_move); colour != s.to_move; colour = after(s, colour))
      if (can_place(s, colour)) return true;
    return false;
  }
  // Is the pass the one legal action of a colour that cannot place? [BK-2.3] [BK-2.5]
  static bool must_pass(const State& s) { return s.options.pass_mode == PassMode::Action && any_other_can_place(s); }

  static void place(State& s, const Place& at) {
    const int colour = s.to_move;
    s.own[index(colour)] |= Tables::squares_at(at);
    Hand& hand = s.hand[index(colour)];
    hand.take(piece_at(at));
    if (hand.is_empty() && piece_at(at) == kSingle) s.single |= colour_bit(colour);
  }
  static void leave_out_blocked(State& s) {
    for (int tried = 0; tried < s.options.colours && !can_place(s, s.to_move); ++tried) {
      s.passed |= colour_bit(s.to_move);
      s.to_move = after(s, s.to_move);
    }
  }
};

}  // namespace zg::blokus

#include "games/blokus/analyses.hpp"
#include "games/blokus/moved.hpp"
#include "games/blokus/texts.hpp"
#include "games/blokus/views.hpp"

namespace zg::blokus {

struct Family {
  using Options = blokus::Options;
  using Variants = std::tuple<Blokus<20>, Blokus<14>, Blokus<8>>;
  static constexpr std::string_view kName = "blokus";
  static const OptionTable<Options>& option_table() { return blokus::option_table(); }
  static std::span<const std::string_view> law_options() { return kLawOptions; }
};

static_assert(Game<Blokus<20>> && SymmetricGame<Blokus<14>> && AnalysedGame<Blokus<8>> && GameFamily<Family>);

}  // namespace zg::blokus
