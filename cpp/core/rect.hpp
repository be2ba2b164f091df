// A W x H board whose rows are `Stride` cells apart. With a stride of W + 1 the spare column is never part of the
// board, so a shift cannot carry a cell round the edge into another row of the board; connected shapes need no other
// guard.
#pragma once

#include "core/cellset.hpp"

namespace zg {

template <int W, int H, int Stride = W + 1>
struct Rect {
  static_assert(Stride > W);
  static constexpr int kWidth = W;
  static constexpr int kHeight = H;
  static constexpr int kStride = Stride;
  using Set = CellSet<Stride * H>;

  static constexpr int cell(int row, int column) { return row * Stride + column; }
  static constexpr int row(int cell) { return cell / Stride; }
  static constexpr int column(int cell) { return cell % Stride; }
  static constexpr bool inside(int row, int column) { return 0 <= row && row < H && 0 <= column && column < W; }

  static constexpr typename Set::Words board_words() {
    typename Set::Words words{};
    for (int r = 0; r < H; ++r)
      for (int c = 0; c < W; ++c) words[static_cast<std::size_t>(cell(r, c) / 64)] |= bit(cell(r, c) % 64);
    return words;
  }
  static Set board() {
    static constexpr auto kBoard = board_words();
    return Set(kBoard);
  }

  // Cells that share an edge, or a corner, with a cell of the set. Cells off the board may be among them: mask the
  // result.
  static Set edges(const Set& set) {
    const Shifter<Set::kWords> s(set.bits());
    return Set((s.up(1) | s.down(1)) | (s.up(Stride) | s.down(Stride)));
  }
  static Set corners(const Set& set) {
    const Shifter<Set::kWords> s(set.bits());
    return Set((s.up(Stride - 1) | s.up(Stride + 1)) | (s.down(Stride - 1) | s.down(Stride + 1)));
  }
};

}  // namespace zg
