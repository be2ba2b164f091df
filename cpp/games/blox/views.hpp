// How Blox is seen: observation planes (RULES.md section 8), a drawing, and what must hold of every position.
#pragma once

#include <algorithm>
#include <string>

#include "core/planes.hpp"
#include "games/blox/blox.hpp"
#include "games/blox/texts.hpp"

namespace zg::blox {

template <int Size>
template <class Out>
void Blox<Size>::observe(const State& s, Player viewer, Out& out) {
  constexpr double kMostBlocks = 10;
  const Options& o = s.options;
  const bool build = s.begun.what == Begun::What::Build;
  const auto counts = [&](Counts colours, double most) {
    for (int c = 0; c < kNumColours; ++c) out.all(colours[c] / most);
  };
  const auto each_seat = [&](auto&& f) {
    for (int r = 0; r < o.players; ++r) {
      const int p = (viewer + r) % o.players;
      f(p, s.seats[static_cast<std::size_t>(p)]);
    }
  };
  out.planes(kNumColours, [&](auto mark) {
    for (int row = 0; row < Size; ++row)
      for (int c = 0; c < kNumColours; ++c) {
        const Places places = s.board.row_lanes(row).of(c);
        for (int column = 0; column < Size; ++column) mark(c, row * Size + column, places >> column & 1);
      }
  });
  out.planes(kNumColours, [&](auto mark) {
    s.board.for_each_tower([&](Field f) {
      const Counts blocks = s.board.tower(f);
      for (int c = 0; c < kNumColours; ++c) mark(c, f.value(), blocks[c] / kMostBlocks);
    });
  });
  out.cells([&](auto mark) {
    if (build) mark(s.mover().pawns[s.begun.rank].value(), 1);
  });
  each_seat([&](int, const Seat& seat) {
    out.cells([&](auto mark) {
      for (const Field f : seat.pawns)
        if (!f.is_none()) mark(f.value(), 1);
    });
  });
  counts(s.seats[static_cast<std::size_t>(viewer)].hand, o.hand);
  each_seat([&](int, const Seat& seat) { counts(seat.blocks, kMostBlocks); });
  each_seat([&](int, const Seat& seat) { out.all(seat.joker); });
  each_seat([&](int, const Seat& seat) { out.all(supply_of_pawns(s, seat) / static_cast<double>(o.pawns)); });
  each_seat([&](int, const Seat& seat) { out.all(seat.points / (seat.points + 100.0)); });
  counts(s.discard, o.cards_per_colour);
  out.all(s.deck.size() / static_cast<double>(o.cards()));
  for (int phase = 1; phase <= 4; ++phase) out.all(s.phase == phase);
  out.all(s.end_triggered);
  each_seat([&](int p, const Seat&) { out.all(!is_terminal(s) && s.to_move == p); });
  for (int p = 0; p < o.players; ++p) out.all(p == viewer);
  counts(build ? s.begun.built() : Counts{}, kMostBlocks);
  for (int c = 0; c < kNumColours; ++c) out.all(s.begun.joker == Colour(c));
  counts(build ? Counts{} : s.begun.cards, kMostSwapped);
  out.all(o.max_turns == 0 ? 0.0 : s.turns / static_cast<double>(o.max_turns));
}

namespace detail {

template <int Size>
std::string seat_drawing(const typename Blox<Size>::State& s, int p, bool open) {
  const auto& seat = s.seats[static_cast<std::size_t>(p)];
  std::string out = "player " + std::to_string(p) + " (" + static_cast<char>('A' + p) + "): ";
  out += std::to_string(seat.points) + " points, cards " +
         (open ? counts_text(seat.hand) : std::string(static_cast<std::size_t>(seat.hand.total()), '?')) + ", blocks " +
         counts_text(seat.blocks) + ", joker " + (seat.joker ? "active" : "used") + ", pawns in supply " +
         std::to_string(Blox<Size>::supply_of_pawns(s, seat)) + ", on";
  if (seat.num_pawns() == 0) out += " no field";
  for (const auto f : seat.pawns)
    if (!f.is_none()) out += " " + field_text<Size>(f);
  return out;
}

}  // namespace detail

// A field is its colour and what stands on it: a tower's height (`*` from ten on) or the letter of a player's pawn.
template <int Size>
std::string Blox<Size>::drawing_for(const State& s, Player viewer) {
  const detail::PositionWriter<Size> writer(s, viewer);
  std::string out;
  for (int r = 0; r < Size; ++r) {
    const std::string number = std::to_string(Size - r);
    out += std::string(2 - number.size(), ' ') + number;
    for (int c = 0; c < Size; ++c) {
      const Field f = Board::at(r, c);
      const Counts tower = s.board.tower(f);
      const Player owner = owner_of(s, f);
      (out += ' ') += detail::letter(s.board.colour(f));
      out += owner >= 0            ? static_cast<char>('A' + owner)
             : !tower.any()        ? '.'
             : tower.total() >= 10 ? '*'
                                   : static_cast<char>('0' + tower.total());
    }
    out += '\n';
  }
  out += "  ";
  for (int c = 0; c < Size; ++c) ((out += ' ') += static_cast<char>('a' + c)) += ' ';
  out += "\ntowers:";
  s.board.for_each_tower(
      [&](Field f) { out += " " + detail::field_text<Size>(f) + " " + counts_text(s.board.tower(f)); });
  for (int p = 0; p < s.options.players; ++p) out += "\n" + detail::seat_drawing<Size>(s, p, writer.sees_hand(p));
  out += "\ndeck: " + std::to_string(s.deck.size()) + " cards, discard " + counts_text(s.discard) + "\nphase " +
         std::to_string(s.phase) + (s.end_triggered ? ", last round" : "");
  if (is_terminal(s)) return out + ": the game is over";
  out += ": player " + std::to_string(s.to_move) + " to move";
  if (in_turn(s)) out += ", has begun " + writer.begun();
  return out;
}

template <int Size>
std::string Blox<Size>::drawing(const State& s) {
  return drawing_for(s, detail::PositionWriter<Size>::kEverybody);
}

template <int Size>
std::string_view Blox<Size>::broken_invariant(const State& s) {
  const Options& o = s.options;
  const auto each_colour = [&](int wanted, auto&& add_up) {
    for (int c = 0; c < kNumColours; ++c)
      if (add_up(c) != wanted) return false;
    return true;
  };
  const Counts deck = s.deck.counts();
  const bool cards = each_colour(o.cards_per_colour, [&](int c) {
    int n = s.discard[c] + deck[c];
    for (const Seat& seat : s.seats) n += seat.hand[c];
    return n;
  });
  const bool blocks = each_colour(o.blocks_in_play(), [&](int c) {
    int n = 0;
    s.board.for_each_tower([&](Field f) { n += s.board.tower(f)[c]; });
    for (const Seat& seat : s.seats) n += seat.blocks[c];
    return n;
  });
  if (!cards) return "hands, deck and discard are not all cards";
  if (!blocks) return "towers and the blocks of players are not all blocks";
  for (std::size_t p = 0; p < s.seats.size(); ++p) {
    const Seat& seat = s.seats[p];
    if (p >= o.players && !(seat == Seat{})) return "a seat that nobody has is not empty";
    if (p < o.players && seat.hand.total() != o.hand) return "a hand is not full";
    if (seat.num_pawns() > o.pawns) return "a player has more pawns than there are";
    for (const Field f : seat.pawns)
      if (!f.is_none() && s.board.is_free(f)) return "a pawn is not on the board";
    if (!std::is_sorted(seat.pawns.begin(), seat.pawns.end())) return "pawns are out of order";
  }
  if (s.end_triggered && s.phase != 4) return "the end was triggered before phase 4";
  if (s.turns > o.max_turns) return "more turns than the limit";
  return board_fault(s);
}

// Everything that the board knows, against the same put together from towers and pawns.
template <int Size>
std::string_view Blox<Size>::board_fault(const State& s) {
  Board again(s.options.layout(), s.sides);
  s.board.for_each_tower([&](Field f) { again.put_tower(f, s.board.tower(f)); });
  for (const Seat& seat : s.seats)
    for (const Field f : seat.pawns)
      if (!f.is_none()) {
        if (!again.is_free(f)) return "two pieces on one field";
        again.flip_piece(f);
      }
  return again == s.board ? "" : "the board is not what stands on it";
}

}  // namespace zg::blox
