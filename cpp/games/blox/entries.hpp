// Where a pawn can enter the board: RULES.md, BX-3.1.
#pragma once

#include <array>

#include "games/blox/board.hpp"

namespace zg::blox {

// For each row, and in it for each colour, the fields that a card of that colour lets a pawn enter.
template <int Size>
class Entries {
  using B = Board<Size>;
  using Field = typename B::Field;

 public:
  Entries(const B& board, Entry entry) {
    if (entry == Entry::FromEdgeField) {
      from_edge_fields(board);
      return;
    }
    along_rows(board);
    along_columns<true>(board);
    along_columns<false>(board);
  }

  Lanes row(int r) const { return rows_[static_cast<std::size_t>(r)]; }

 private:
  void add(int r, Lanes lanes) { rows_[static_cast<std::size_t>(r)] |= lanes; }

  void along_rows(const B& board) {
    for (int r = 0; r < Size; ++r) {
      const Places pieces = board.row_pieces(r);
      const Lanes from_left = board.row_lanes(r).on(((pieces & (0 - pieces)) - 1) & B::kLine);
      const Lanes from_right = board.row_lanes(r).on((~Places{0} << std::bit_width(pieces)) & B::kLine);
      add(r, from_left.lowest() | from_right.highest());
    }
  }
  // All columns at once, row by row: those that are still open, and the colours that have been met in each.
  template <bool Down>
  void along_columns(const B& board) {
    Places open = B::kLine;
    Lanes met;
    for (int i = 0; i < Size; ++i) {
      const int r = Down ? i : Size - 1 - i;
      open &= ~board.row_pieces(r);
      const Lanes here = board.row_lanes(r).on(open).minus(met);
      met |= here;
      add(r, here);
    }
  }

  void from_edge_fields(const B& board) {
    for (int r = 0; r < Size; ++r)
      for (int c = 0; c < Size; ++c) {
        const bool edge = r == 0 || r == Size - 1 || c == 0 || c == Size - 1;
        if (edge && board.is_free(B::at(r, c))) from_field(board, B::at(r, c));
      }
  }
  void from_field(const B& board, Field from) {
    for (const auto views = board.views(from); const Direction d : kDirections) {
      const auto& view = views[static_cast<std::size_t>(d)];
      for_each_bit(view.open.colours(), [&](int colour) {
        const Field target = B::first(view, from, d, colour);
        Lanes lane;
        lane.add(colour, B::column(target));
        add(B::row(target), lane);
      });
    }
  }

  std::array<Lanes, Size> rows_{};
};

}  // namespace zg::blox
