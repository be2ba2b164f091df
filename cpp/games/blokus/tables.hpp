// How the squares of placements lie on boards that are stored in the form for `Form` x `Form` cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/rect.hpp"
#include "games/blokus/numbering.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

template <int Form>
struct Tables {
  using Board = Rect<Form, Form>;
  using Cells = typename Board::Set;
  using Words = typename Cells::Words;

  // The cells of a board of any size up to Form, which lies in the top left corner of the form.
  static constexpr auto kBoards = [] {
    std::array<Words, Form + 1> out{};
    for (int size = 1; size <= Form; ++size)
      for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
          const int cell = Board::cell(row, column);
          out[static_cast<std::size_t>(size)][static_cast<std::size_t>(cell / 64)] |= bit(cell % 64);
        }
    return out;
  }();
  static Cells board(int size) { return Cells(kBoards[static_cast<std::size_t>(size)]); }

  // A placement is anchored at its first square in reading order.
  static int anchor_of(const Place& at) {
    return Board::cell(at.row, at.column + kOrientations[at.orientation].first_column);
  }
  static Place place_at(std::size_t o, int anchor) {
    return {o, Board::row(anchor), Board::column(anchor) - kOrientations[o].first_column};
  }

  // The squares of an orientation anchored at cell 0: what reaches left of the anchor wraps round, as the sweep's
  // shifts do.
  static constexpr auto kPatterns = [] {
    std::array<Words, kNumOrientations> out{};
    for (std::size_t o = 0; o < out.size(); ++o)
      for (int i = 0; i < kOrientations[o].shape.size; ++i) {
        const Square& s = kOrientations[o].shape.at(i);
        const int at = s.row * Board::kStride + s.column - kOrientations[o].first_column;
        out[o][static_cast<std::size_t>(at / 64)] |= bit(at % 64);
      }
    return out;
  }();
  static Cells squares_at(const Place& at) { return Cells(kPatterns[at.orientation]).up(anchor_of(at)); }
};

}  // namespace zg::blokus
