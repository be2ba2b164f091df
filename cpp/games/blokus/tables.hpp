// Where placements are numbered and how their squares lie on a board: RULES.md section 4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/index.hpp"
#include "core/mixed_radix.hpp"
#include "core/rect.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

template <int Size>
struct Tables {
  using Board = Rect<Size, Size>;
  using Cells = typename Board::Set;

  static constexpr const Orientation& orientation(std::size_t o) { return kOrientations[o]; }
  // Places for the top left corner of the bounding box.
  static constexpr int rows_for(std::size_t o) { return std::max(0, Size - orientation(o).height + 1); }
  static constexpr int columns_for(std::size_t o) { return std::max(0, Size - orientation(o).width + 1); }

  static constexpr IdBlocks<kNumOrientations> kIds{[] {
    std::array<int, kNumOrientations> sizes{};
    for (std::size_t o = 0; o < sizes.size(); ++o) sizes[o] = rows_for(o) * columns_for(o);
    return sizes;
  }()};
  static constexpr Action kPassId = kIds.total();

  static constexpr Action id_at(std::size_t o, int anchor) {
    const int row = Board::row(anchor);
    const int column = Board::column(anchor) - orientation(o).first_column;
    return kIds.first(o) + row * columns_for(o) + column;
  }
  static constexpr int anchor_of(std::size_t o, Action id) {
    const int place = id - kIds.first(o);
    return Board::cell(place / columns_for(o), place % columns_for(o) + orientation(o).first_column);
  }

  // The squares of an orientation anchored at cell 0: what reaches left of the anchor wraps round, as the sweep's
  // shifts do.
  static constexpr auto kPatterns = [] {
    std::array<typename Cells::Words, kNumOrientations> out{};
    for (std::size_t o = 0; o < out.size(); ++o)
      for (int i = 0; i < orientation(o).shape.size; ++i) {
        const Square& s = orientation(o).shape.at(i);
        const int at = s.row * Board::kStride + s.column - orientation(o).first_column;
        out[o][static_cast<std::size_t>(at / 64)] |= bit(at % 64);
      }
    return out;
  }();
  static Cells squares_at(std::size_t o, int anchor) { return Cells(kPatterns[o]).up(anchor); }
};

static_assert(Tables<20>::kIds.total() == 30433, "the published number of placements");
static_assert(Tables<14>::kIds.total() == 13729, "the published number of placements");

}  // namespace zg::blokus
