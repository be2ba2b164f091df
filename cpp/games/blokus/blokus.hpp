// Blokus: the rules of RULES.md on padded bit boards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "game.hpp"
#include "games/blokus/options.hpp"
#include "games/blokus/sweep.hpp"
#include "games/blokus/tables.hpp"

namespace zg::blokus {

template <int Size>
struct Blokus {
  using Options = blokus::Options;
  using Tables = blokus::Tables<Size>;
  using Board = typename Tables::Board;
  using Cells = typename Board::Set;

  static constexpr std::string_view kClassName = "Blokus";
  static constexpr int kNumPlayers = 4;
  static constexpr bool kSingleActionTurns = true;
  static constexpr int kNumActions = Tables::kPassId + 1;
  static constexpr std::uint8_t kAllColours = (1 << kNumPlayers) - 1;
  static constexpr std::string_view kColourLetters = "byrg";

  // A placement, by the top left corner of its bounding box; or the pass.
  struct Move {
    OrientationId orientation;  // none: the pass
    int row = 0;
    int column = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  struct State {
    std::array<Cells, kNumPlayers> own;        // squares on the board
    std::array<PieceSet, kNumPlayers> hand{};  // pieces not yet placed
    std::uint8_t to_move = 0;
    std::uint8_t passed = 0;  // colours that have passed; with `skip`, that were left out [BK-5.4]
    std::uint8_t single = 0;  // colours that placed everything, the single square last
    Options options;

    Cells occupied() const { return (own[0] | own[1]) | (own[2] | own[3]); }
    friend bool operator==(const State&, const State&) = default;
  };

  // The anchors of every orientation of every piece in hand; or the pass; or nothing.
  class LegalSet {
   public:
    LegalSet(const State& s, int colour) : hand_(is_blocked(s, colour) ? 0 : s.hand[index(colour)]) {
      if (hand_ == 0) return;
      Tally<Cells::kWords> tally;
      sweep(
          s, colour,
          [&](auto o, const Cells& anchors) {
            anchors_[o] = anchors;
            tally.add(anchors.bits());
          },
          [&](auto piece) {
            up_to_[piece] = tally;
            return true;
          });
      if (tally.total() == 0) hand_ = 0;
    }
    void add_pass() { pass_ = true; }  // only where there are no placements

    int count() const { return hand_ == 0 ? pass_ : up_to_.back().total(); }

    Action nth(int k) const {
      if (pass_) return Tables::kPassId;
      const std::size_t piece = piece_of(k);
      if (piece > 0) k -= up_to_[piece - 1].total();
      for (std::size_t o = kFirstOrientation[piece];; ++o) {
        const int here = anchors_[o].count();
        if (k < here) return Tables::id_at(o, anchors_[o].select(k));
        k -= here;
      }
    }

    template <class F>
    void for_each(F&& f) const {
      if (pass_) f(Tables::kPassId);
      for_each_bit(hand_, [&](int piece) {
        for (std::size_t o = kFirstOrientation[index(piece)]; o < kFirstOrientation[index(piece + 1)]; ++o)
          anchors_[o].for_each([&](int anchor) { f(Tables::id_at(o, anchor)); });
      });
    }
    void write_mask(std::span<std::uint8_t> mask) const {
      std::fill(mask.begin(), mask.end(), std::uint8_t{0});
      for_each([&](Action a) { mask[index(a)] = 1; });
    }

   private:
    std::size_t piece_of(int k) const {
      std::size_t low = 0;
      for (std::size_t length = kNumPieces; length > 1;) {
        const std::size_t half = length / 2;
        if (up_to_[low + half - 1].total() <= k) low += half;
        length -= half;
      }
      return low;
    }

    PieceSet hand_;  // empty: there are no placements, and the tables below are not written
    bool pass_ = false;
    std::array<Tally<Cells::kWords>, kNumPieces> up_to_;  // placements of pieces 0 .. p
    std::array<Cells, kNumOrientations> anchors_;         // written for the pieces in hand
  };

  static bool accepts(const Options&) { return true; }

  // ---- actions ----
  static int num_actions(const Options&) { return kNumActions; }
  // Every placement with the passes of the others around it.
  static int max_game_length(const Options&) { return kNumPlayers * kNumPlayers * kNumPieces; }

  static Action encode(const Options&, const Move& move) {
    if (move.orientation.is_none()) return Tables::kPassId;
    const std::size_t o = move.orientation.index();
    return Tables::kIds.first(o) + move.row * Tables::columns_for(o) + move.column;
  }
  static Move decode(const Options&, Action a) {
    if (a == Tables::kPassId) return {};
    const std::size_t o = Tables::kIds.block_of(a);
    const int place = a - Tables::kIds.first(o);
    return {OrientationId(static_cast<int>(o)), place / Tables::columns_for(o), place % Tables::columns_for(o)};
  }
  static bool is_pass(const Options&, Action a) { return a == Tables::kPassId; }
  static bool is_closing(const Options&, Action) { return false; }
  static std::string action_to_text(const Options& options, Action a);
  static Action text_to_action(const Options& options, std::string_view text);

  // ---- the state ----
  static State initial(const Options& options, std::uint64_t) {
    State s;
    s.own.fill(Cells::empty());
    s.hand.fill(kAllPieces);
    s.options = options;
    return s;
  }
  static Player to_move(const State& s) { return s.to_move; }
  static constexpr bool in_turn(const State&) { return false; }

  static bool is_terminal(const State& s) {
    if (s.options.pass_mode == PassMode::Skip) return s.passed == kAllColours;
    return !can_place(s, s.to_move) && !any_other_can_place(s);
  }
  static PlayerMask winners(const State& s) {
    if (!is_terminal(s)) return 0;
    const auto points = scores(s);
    const int best = *std::max_element(points.begin(), points.end());
    PlayerMask mask = 0;
    for (std::size_t c = 0; c < points.size(); ++c) mask |= PlayerMask{points[c] == best} << c;  // [BK-3.3]
    return mask;
  }
  static std::array<int, kNumPlayers> scores(const State& s) {
    std::array<int, kNumPlayers> out{};
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c] = -squares_in(s.hand[c]);
      if (s.hand[c] == 0 && s.options.scoring == Scoring::Advanced) out[c] = 15 + 5 * (s.single >> c & 1);  // [BK-3.1]
    }
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
    if (a == Tables::kPassId) return !can_place(s, s.to_move) && must_pass(s);
    const std::size_t o = Tables::kIds.block_of(a);
    if ((s.hand[s.to_move] >> kOrientations[o].piece & 1) == 0) return false;
    const Cells squares = Tables::squares_at(o, Tables::anchor_of(o, a));
    return !squares.minus(free_cells(s, s.to_move)).any() && squares.intersects(contact_cells(s, s.to_move));
  }
  static std::string why_illegal(const State& s, Action a);

  static void apply(State& s, Action a) {
    if (a == Tables::kPassId)
      s.passed |= colour_bit(s.to_move);
    else
      place(s, a);
    s.to_move = static_cast<std::uint8_t>((s.to_move + 1) % kNumPlayers);
    if (s.options.pass_mode == PassMode::Skip) leave_out_blocked(s);
  }

  static std::uint64_t hash(const State& s) {
    std::uint64_t h = s.options.hash();
    for (std::size_t c = 0; c < kNumPlayers; ++c) h = hash_append(s.own[c].hash(h), s.hand[c]);
    return hash_append(h, std::uint64_t{s.to_move} << 16 | std::uint64_t{s.passed} << 8 | s.single);
  }
  static State unlimited(const State& s) { return s; }

  // ---- views and texts: views.hpp ----
  static std::span<const int> observation_shape(const Options&) {
    static constexpr std::array kShape{8, Size, Size};
    return kShape;
  }
  static void observe(const State& s, Player viewer, std::span<float> planes);
  static std::string to_text(const State& s);
  static State parse(const Options& options, std::string_view text);
  static std::string drawing(const State& s);
  static std::string_view broken_invariant(const State& s);

  // ---- inside ----
  static int colour_at(const State& s, int cell);
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::uint8_t colour_bit(int colour) { return static_cast<std::uint8_t>(1 << colour); }
  static bool is_blocked(const State& s, int colour) { return (s.passed & colour_bit(colour)) != 0; }

  // Empty cells that share no edge with an own square. [BK-2.2]
  static Cells free_cells(const State& s, int colour) {
    return Board::board().minus(s.occupied() | Board::edges(s.own[index(colour)]));
  }
  // Cells of which a placement covers at least one, before they are cut to the free ones. [BK-2.1] [BK-2.2]
  static Cells contact_cells(const State& s, int colour) {
    if (s.hand[index(colour)] != kAllPieces) return Board::corners(s.own[index(colour)]);
    return s.options.start == Start::AnyCorner ? Cells(kCorners) : Cells(kCornerOf[index(colour)]);
  }

  template <class Visit, class GoOn>
  static void sweep(const State& s, int colour, Visit&& visit, GoOn&& go_on) {
    Sweep<Board>::over(free_cells(s, colour), contact_cells(s, colour), s.hand[index(colour)], visit, go_on);
  }
  static int count_placements(const State& s, int colour) {
    Tally<Cells::kWords> tally;
    sweep(s, colour, [&](auto, const Cells& anchors) { tally.add(anchors.bits()); }, [](auto) { return true; });
    return tally.total();
  }
  static bool can_place(const State& s, int colour) {
    if (is_blocked(s, colour) || s.hand[index(colour)] == 0) return false;
    Cells found = Cells::empty();
    sweep(s, colour, [&](auto, const Cells& anchors) { found |= anchors; }, [&](auto) { return !found.any(); });
    return found.any();
  }
  static bool any_other_can_place(const State& s) {
    for (int next = 1; next < kNumPlayers; ++next)
      if (can_place(s, (s.to_move + next) % kNumPlayers)) return true;
    return false;
  }
  // Is the pass the one legal action of a colour that cannot place? [BK-2.3] [BK-2.5]
  static bool must_pass(const State& s) { return s.options.pass_mode == PassMode::Action && any_other_can_place(s); }

  static void place(State& s, Action a) {
    const std::size_t o = Tables::kIds.block_of(a);
    const int colour = s.to_move;
    s.own[index(colour)] |= Tables::squares_at(o, Tables::anchor_of(o, a));
    PieceSet& hand = s.hand[index(colour)];
    hand &= ~(PieceSet{1} << kOrientations[o].piece);
    if (hand == 0 && kOrientations[o].piece == kSingle) s.single |= colour_bit(colour);
  }
  static void leave_out_blocked(State& s) {
    for (int tried = 0; tried < kNumPlayers && !can_place(s, s.to_move); ++tried) {
      s.passed |= colour_bit(s.to_move);
      s.to_move = static_cast<std::uint8_t>((s.to_move + 1) % kNumPlayers);
    }
  }

  // Start squares, clockwise from the top left. [BK-1.4]
  static constexpr std::array<int, kNumPlayers> kCornerCell{Board::cell(0, 0), Board::cell(0, Size - 1),
                                                            Board::cell(Size - 1, Size - 1), Board::cell(Size - 1, 0)};
  static constexpr auto kCornerOf = [] {
    std::array<typename Cells::Words, kNumPlayers> out{};
    for (std::size_t c = 0; c < out.size(); ++c) out[c][index(kCornerCell[c] / 64)] = bit(kCornerCell[c] % 64);
    return out;
  }();
  static constexpr auto kCorners = [] {
    typename Cells::Words out{};
    for (const auto& corner : kCornerOf)
      for (std::size_t w = 0; w < out.size(); ++w) out[w] |= corner[w];
    return out;
  }();
};

}  // namespace zg::blokus

#include "games/blokus/views.hpp"

namespace zg::blokus {

struct Family {
  using Options = blokus::Options;
  using Variants = std::tuple<Blokus<20>>;
  static constexpr std::string_view kName = "blokus";
  static const OptionTable<Options>& option_table() { return blokus::option_table(); }
  static std::span<const std::string_view> law_options() { return kLawOptions; }
};

static_assert(Game<Blokus<20>> && GameFamily<Family>);

}  // namespace zg::blokus
