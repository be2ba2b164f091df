// How Blokus is seen: observation planes (RULES.md section 6) and a drawing.
#pragma once

#include "games/blokus/blokus.hpp"
#include "games/blokus/texts.hpp"

namespace zg::blokus {

template <int Form>
template <class Out>
void Blokus<Form>::observe(const State& s, Player viewer, Out& out) {
  const int board = s.options.board;
  const int colours = s.options.colours;
  const bool is_over = is_terminal(s);
  const int base = !is_over && player_of(s, s.to_move) == viewer ? s.to_move : viewer;
  const auto each_colour = [&](auto&& f) {
    for (int relative = 0; relative < colours; ++relative) f(relative, (base + relative) % colours);
  };
  const auto plane = [&](const Cells& cells) {
    out.cells(
        [&](auto mark) { cells.for_each([&](int cell) { mark(Board::row(cell) * board + Board::column(cell), 1); }); });
  };
  const Cells free = free_cells(s, base);
  each_colour([&](int, int colour) { plane(s.own[index(colour)]); });
  plane(contact_cells(s, base) & free);
  plane(free);
  out.list(kNumPieces * colours * s.options.copies, [&](auto mark) {
    each_colour([&](int relative, int colour) {
      const Hand& hand = s.hand[index(colour)];
      for_each_bit(hand.once, [&](int piece) { mark(kNumPieces * relative + piece, 1); });
      for_each_bit(hand.twice, [&](int piece) { mark(kNumPieces * (colours + relative) + piece, 1); });
    });
  });
  out.list(3 * colours, [&](auto mark) {
    each_colour([&](int relative, int colour) {
      if (colour == s.to_move && !is_over) mark(relative, 1);
      if (is_blocked(s, colour)) mark(colours + relative, 1);
      if ((s.single & colour_bit(colour)) != 0) mark(2 * colours + relative, 1);
    });
  });
}

// Rows and columns as in RULES.md; `+` marks the contact cells of the colour to move.
template <int Form>
std::string Blokus<Form>::drawing(const State& s) {
  static constexpr std::array<std::string_view, kMostColours> kFour{"blue", "yellow", "red", "green"};
  static constexpr std::array<std::string_view, kMostColours> kTwo{"purple", "orange"};
  const auto& names = s.options.colours == 2 ? kTwo : kFour;
  const int board = s.options.board;
  const bool is_over = is_terminal(s);
  const Cells contacts = is_over ? Cells::empty() : contact_cells(s, s.to_move) & free_cells(s, s.to_move);
  std::string out;
  for (int row = 0; row < board; ++row) {
    const std::string number = std::to_string(board - row);
    out += std::string(2 - number.size(), ' ') + number;
    for (int column = 0; column < board; ++column) {
      const int cell = Board::cell(row, column);
      const int colour = colour_at(s, cell);
      out += ' ';
      out += colour >= 0 ? kColourLetters[index(colour)] : contacts.contains(cell) ? '+' : '.';
    }
    out += '\n';
  }
  out += "  ";
  for (int column = 0; column < board; ++column) (out += ' ') += static_cast<char>('a' + column);
  for (int c = 0; c < s.options.colours; ++c) {
    ((out += '\n') += names[index(c)]) +=
        ": " + std::to_string(score_of(s, c)) + " points, in hand " + detail::hand_text(s.options, s.hand[index(c)]);
    if (is_blocked(s, c)) out += ", blocked";
  }
  out += '\n';
  if (is_over) return out + "the game is over";
  (out += names[s.to_move]) += " to move";
  if (s.options.sharing != Sharing::None) out += ", played by player " + std::to_string(to_move(s));
  return out;
}

}  // namespace zg::blokus
