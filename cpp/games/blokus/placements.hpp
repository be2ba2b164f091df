// The placements of one colour as the anchors of every orientation: counted, and found by their number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "core/rect.hpp"
#include "games/blokus/shapes.hpp"
#include "games/blokus/sweep.hpp"

namespace zg::blokus {

// The rows of a board that fit into half the words, where that is less work.
template <class Board>
struct Strip {
  static constexpr bool kHelps = !kInRegister<Board::Set::kWords> && Board::Set::kWords > 2;
  static constexpr int kRows = Board::Set::kWords / 2 * 64 / Board::kStride;
  using Rows = Rect<Board::kWidth, kHelps ? kRows : 1, Board::kStride>;  // one row: not used
};

// Returns use(sweep, first row) with a sweep over the rows in which anchors can lie; `nothing` if there are none. A
// placement covers a contact cell in one of the five rows from its anchor on, so that often a strip of the board is
// enough.
template <class Board, class Result, class Use>
Result with_sweep(const typename Board::Set& free, const typename Board::Set& contact, Result nothing, Use&& use) {
  using Narrow = typename Strip<Board>::Rows;
  const auto touched = contact & free;
  if (!touched.any()) return nothing;
  if constexpr (Strip<Board>::kHelps) {
    const int first = std::max(0, Board::row(touched.lowest()) - (kMostSquares - 1));
    if (Board::row(touched.highest()) - first < Narrow::kHeight)
      return use(Sweep<Board, Narrow>(free.down(first * Board::kStride), touched.down(first * Board::kStride)), first);
  }
  return use(Sweep<Board, Board>(free, touched), 0);
}

template <class Board>
class Placements {
  using Set = typename Board::Set;
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

 public:
  Placements() = default;  // the anchors are not initialised: they are many, and most may never be needed

  template <class Sweep>
  void fill(Sweep& sweep, PieceSet hand) {
    typename Set::Tally tally;
    sweep.over(
        hand,
        [&](auto o, const Set& anchors) {
          anchors_[o] = anchors;
          tally.add(anchors.bits());
        },
        [&](auto piece) {
          up_to_[piece] = tally;
          return true;
        });
  }
  int count() const { return up_to_.back().total(); }

  // The k-th: its orientation and its anchor.
  std::pair<std::size_t, int> find(int k) const {
    const std::size_t piece = piece_of(k);
    if (piece > 0) k -= up_to_[piece - 1].total();
    for (std::size_t o = kFirstOrientation[piece];; ++o) {
      const int here = anchors_[o].count();
      if (k < here) return {o, anchors_[o].select(k)};
      k -= here;
    }
  }
  // f(orientation, anchors), ascending, for the pieces of a hand that the sweep has seen.
  template <class F>
  void for_each(PieceSet hand, F&& f) const {
    for_each_bit(hand, [&](int piece) {
      for (std::size_t o = kFirstOrientation[index(piece)]; o < kFirstOrientation[index(piece + 1)]; ++o)
        f(o, anchors_[o]);
    });
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

  std::array<typename Set::Tally, kNumPieces> up_to_;  // placements of pieces 0 .. p
  std::array<Set, kNumOrientations> anchors_;          // written for the pieces in hand
};

}  // namespace zg::blokus
