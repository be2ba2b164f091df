// How Blokus is seen: observation planes (RULES.md section 6) and a drawing.
#pragma once

#include "games/blokus/blokus.hpp"
#include "games/blokus/texts.hpp"

namespace zg::blokus {

template <int Form>
void Blokus<Form>::observe(const State& s, Player viewer, std::span<float> planes) {
  const int board = s.options.board;
  const int colours = s.options.colours;
  const auto mark = [&](int plane, int cell) { planes[index(plane * board * board + cell)] = 1; };
  const auto mark_all = [&](int plane, const Cells& cells) {
    cells.for_each([&](int cell) { mark(plane, Board::row(cell) * board + Board::column(cell)); });
  };
  std::fill(planes.begin(), planes.end(), 0.0F);
  const bool is_over = is_terminal(s);
  const int base = !is_over && player_of(s, s.to_move) == viewer ? s.to_move : viewer;
  const Cells free = free_cells(s, base);
  mark_all(colours, contact_cells(s, base) & free);
  mark_all(colours + 1, free);
  const int hands = colours + 2;
  const int status = hands + hand_planes(s.options);
  for (int relative = 0; relative < colours; ++relative) {
    const int colour = (base + relative) % colours;
    const Hand& hand = s.hand[index(colour)];
    mark_all(relative, s.own[index(colour)]);
    for_each_bit(hand.once, [&](int piece) { mark(hands, kNumPieces * relative + piece); });
    for_each_bit(hand.twice, [&](int piece) { mark(hands, kNumPieces * (colours + relative) + piece); });
    if (colour == s.to_move && !is_over) mark(status, relative);
    if (is_blocked(s, colour)) mark(status, colours + relative);
    if ((s.single & colour_bit(colour)) != 0) mark(status, 2 * colours + relative);
  }
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
