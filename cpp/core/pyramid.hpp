// A pyramid of balls: level l is a square of side Base - l; a cell rests on the 2x2 square of the level below that
// starts at its own row and column. All levels live in one 64-bit word, 16 bits a level and 4 a row, so that "the
// supports are all there" is a handful of shifts for the whole pyramid. Cells also have dense ids, level by level and
// row by row; ids and bits ascend alike.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/bits.hpp"
#include "core/index.hpp"

namespace zg {

template <int Base>
struct Pyramid {
  static_assert(2 <= Base && Base <= 4);
  using Balls = std::uint64_t;

  static constexpr int kCells = Base * (Base + 1) * (2 * Base + 1) / 6;
  using Cell = Index<Pyramid, kCells>;  // a dense id; the place of its bit is a plain int
  static constexpr Cell kApex{kCells - 1};

  // A table with an entry for each cell.
  template <class T>
  struct PerCell {
    std::array<T, kCells> entries{};
    constexpr T& operator[](Cell cell) { return entries[cell.index()]; }
    constexpr const T& operator[](Cell cell) const { return entries[cell.index()]; }
  };

  static constexpr int level_of(int bit_index) { return bit_index / 16; }
  static constexpr int row_of(int bit_index) { return bit_index / 4 % 4; }
  static constexpr int column_of(int bit_index) { return bit_index % 4; }

  // The cells of the first `side - shrink` rows and columns of every level.
  static constexpr Balls cells_shrunk(int shrink) {
    Balls out = 0;
    for (int i = 0; i < 16 * Base; ++i) {
      const int side = Base - level_of(i) - shrink;
      if (row_of(i) < side && column_of(i) < side) out |= bit(i);
    }
    return out;
  }
  static constexpr Balls kBoard = cells_shrunk(0);
  static constexpr Balls kAnchors = cells_shrunk(1);  // front left cells of the 2x2 squares
  static constexpr Balls kGround = kBoard & 0xFFFF;
  static constexpr Balls kApexBall = kBoard & ~(bit(16 * (Base - 1)) - 1);

  static constexpr PerCell<std::uint8_t> kBitOf = [] {
    PerCell<std::uint8_t> out{};
    int id = 0;
    for_each_bit(kBoard, [&](int i) { out[Cell(id++)] = static_cast<std::uint8_t>(i); });
    return out;
  }();
  static constexpr Balls ball(Cell cell) { return bit(kBitOf[cell]); }
  static constexpr Cell cell_of(Balls one_ball) { return Cell(std::popcount(kBoard & (one_ball - 1))); }
  static constexpr Cell cell_at(int bit_index) { return cell_of(bit(bit_index)); }
  template <class F>
  static constexpr void for_each_cell(F&& f) {
    for (int id = 0; id < kCells; ++id) f(Cell(id));
  }
  static std::uint64_t ids(Balls balls) { return gather_bits(balls, kBoard); }  // one bit a cell id

  // Front left cells of the full 2x2 squares.
  static constexpr Balls squares(Balls x) { return x & (x >> 1) & (x >> 4) & (x >> 5) & kAnchors; }
  static constexpr Balls spread(Balls anchors) { return anchors | anchors << 1 | anchors << 4 | anchors << 5; }
  // Front left cells of the squares that one ball may belong to; those that do not exist are not in kAnchors.
  static constexpr Balls squares_around(Balls one_ball) {
    return one_ball | one_ball >> 1 | one_ball >> 4 | one_ball >> 5;
  }

  static constexpr Balls supported(Balls occupied) { return kGround | squares(occupied) << 16; }
  static constexpr Balls playable(Balls occupied) { return supported(occupied) & ~occupied; }
  static constexpr Balls covered(Balls occupied) { return spread(occupied >> 16); }
  static constexpr Balls supports(Balls one_ball) { return spread(one_ball >> 16); }
  static constexpr Balls below(Balls one_ball) {  // all cells of lower levels
    return kBoard & (bit(16 * level_of(std::countr_zero(one_ball))) - 1);
  }
  // Everything that holds the ball up, down to the ground.
  static constexpr Balls cone(Balls one_ball) {
    Balls out = 0;
    for (Balls layer = one_ball; (layer = spread(layer >> 16)) != 0;) out |= layer;
    return out;
  }
  static constexpr bool is_stable(Balls occupied) { return (occupied & ~supported(occupied)) == 0; }

  // Cells whose ball would complete a 2x2 square of x.
  static constexpr Balls completes_square(Balls x) {
    const Balls front_left = (x >> 1) & (x >> 4) & (x >> 5) & kAnchors;
    const Balls front_right = x & (x >> 4) & (x >> 5) & kAnchors;
    const Balls back_left = x & (x >> 1) & (x >> 5) & kAnchors;
    const Balls back_right = x & (x >> 1) & (x >> 4) & kAnchors;
    return front_left | front_right << 1 | back_left << 4 | back_right << 5;
  }

  // The eight symmetries, on row and column of a side: bit 0 mirrors columns, bit 1 rows, bit 2 swaps them, in this
  // order.
  static constexpr Cell transformed_cell(Cell cell, int k) {
    const int i = kBitOf[cell];
    const int last = Base - level_of(i) - 1;
    const int column = (k & 1) != 0 ? last - column_of(i) : column_of(i);
    const int row = (k & 2) != 0 ? last - row_of(i) : row_of(i);
    return cell_at(level_of(i) * 16 + ((k & 4) != 0 ? column * 4 + row : row * 4 + column));
  }
};

static_assert(Pyramid<4>::kCells == 30 && std::popcount(Pyramid<4>::kBoard) == 30);
static_assert(Pyramid<3>::kCells == 14 && std::popcount(Pyramid<3>::kBoard) == 14);

}  // namespace zg
