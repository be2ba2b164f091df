// The pieces that a colour has not yet placed: up to two of each.
#pragma once

#include <bit>
#include <cstdint>

#include "games/blokus/options.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

struct Hand {
  PieceSet once = 0;   // pieces of which there is at least one
  PieceSet twice = 0;  // pieces of which there are two

  static Hand whole(const Options& options) { return {options.pieces, options.copies == 2 ? options.pieces : 0}; }

  bool is_empty() const { return once == 0; }
  bool has(int piece) const { return (once >> piece & 1) != 0; }
  int count() const { return std::popcount(once) + std::popcount(twice); }
  int squares() const { return squares_in(once) + squares_in(twice); }
  void take(int piece) {
    const PieceSet spare = twice & PieceSet{1} << piece;
    once &= ~(PieceSet{1} << piece) | spare;
    twice ^= spare;
  }
  friend bool operator==(const Hand&, const Hand&) = default;
};

}  // namespace zg::blokus
