// States and actions under the symmetries of the game: RULES.md section 8.
#pragma once

#include "games/blokus/blokus.hpp"

namespace zg::blokus {

template <int Form>
typename Blokus<Form>::State Blokus<Form>::transform(const State& s, int k) {
  const Symmetry symmetry = Symmetries(s.options)[k];
  const auto renamed = [&](int colour) { return (colour + symmetry.shift) % s.options.colours; };
  const auto renamed_set = [&](std::uint8_t colours) {
    unsigned out = 0;
    for_each_bit(colours, [&](int c) { out |= colour_bit(renamed(c)); });
    return static_cast<std::uint8_t>(out);
  };
  State out = s;
  for (int c = 0; c < s.options.colours; ++c) {
    typename Cells::Words words{};
    s.own[index(c)].for_each([&](int cell) {
      const Square to = moved(symmetry.board, s.options.board, Square::at(Board::row(cell), Board::column(cell)));
      const int at = Board::cell(to.row, to.column);
      words[index(at / 64)] |= bit(at % 64);
    });
    out.own[index(renamed(c))] = Cells(words);
    out.hand[index(renamed(c))] = s.hand[index(c)];
  }
  out.to_move = static_cast<std::uint8_t>(renamed(s.to_move));
  out.passed = renamed_set(s.passed);
  out.single = renamed_set(s.single);
  return out;
}

template <int Form>
Action Blokus<Form>::transform_action(const Options& options, Action a, int k) {
  if (is_pass(options, a)) return a;
  const int j = Symmetries(options)[k].board;
  const Place at = Numbering(options).place_of(a);
  const Orientation& o = kOrientations[at.orientation];
  const Square to = moved(j, options.board, Square::at(at.row, at.column), o.height, o.width);
  return Numbering(options).id_of({kMovedOrientations[index(j)][at.orientation], to.row, to.column});
}

}  // namespace zg::blokus
