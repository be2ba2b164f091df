// Which turns and flips of the board the rules respect: RULES.md section 8.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "games/blokus/options.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

inline constexpr int kBoardSymmetries = 8;

// Symmetry j of a board moves what fills `height` x `width` cells from there.
constexpr Square moved(int j, int board, Square at, int height = 1, int width = 1) {
  const int row = (j & 2) != 0 ? board - height - at.row : at.row;
  const int column = (j & 1) != 0 ? board - width - at.column : at.column;
  return (j & 4) != 0 ? Square::at(column, row) : Square::at(row, column);
}

// What symmetry j makes of each orientation.
inline constexpr auto kMovedOrientations = [] {
  std::array<std::array<std::uint8_t, kNumOrientations>, kBoardSymmetries> out{};
  for (int j = 0; j < kBoardSymmetries; ++j)
    for (std::size_t o = 0; o < kNumOrientations; ++o) {
      Shape shape = kOrientations[o].shape;
      for (int i = 0; i < shape.size; ++i)
        shape.squares[static_cast<std::size_t>(i)] = moved(j, kMostSquares, shape.at(i));
      shape.normalise();
      const auto* found = std::find_if(kOrientations.begin(), kOrientations.end(),
                                       [&](const Orientation& other) { return other.shape == shape; });
      out[static_cast<std::size_t>(j)][o] = static_cast<std::uint8_t>(found - kOrientations.begin());
    }
  return out;
}();

// Moves the cells by symmetry `board` and calls colour c the (c + shift)-th.
struct Symmetry {
  int board = 0;
  int shift = 0;
};

class Symmetries {
 public:
  explicit Symmetries(const Options& options) {
    for (int shift = 0; shift < (options.sharing == Sharing::Fourth ? 1 : options.colours); ++shift)
      for (int j = 0; j < kBoardSymmetries; ++j)
        if (are_respected(options, {j, shift})) all_[static_cast<std::size_t>(count_++)] = {j, shift};
  }
  int count() const { return count_; }
  const Symmetry& operator[](int k) const { return all_[static_cast<std::size_t>(k)]; }

 private:
  // Is each start square moved to the one of the new name, or to any of them? [BK-8.1]
  static bool are_respected(const Options& options, const Symmetry& symmetry) {
    for (int c = 0; c < options.colours; ++c) {
      const Square to = moved(symmetry.board, options.board, options.start_of(c));
      bool found = false;
      for (int other = 0; other < options.colours; ++other) {
        const bool may_be = options.start == Start::AnyCorner || other == (c + symmetry.shift) % options.colours;
        found |= may_be && options.start_of(other) == to;
      }
      if (!found) return false;
    }
    return true;
  }

  std::array<Symmetry, std::size_t{kBoardSymmetries} * kMostColours> all_;
  int count_ = 0;
};

}  // namespace zg::blokus
