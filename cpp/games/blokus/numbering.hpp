// Which id a placement has on a board of any size, with any set of pieces: RULES.md section 4.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/bits.hpp"
#include "core/index.hpp"
#include "core/listing.hpp"
#include "core/mixed_radix.hpp"
#include "games/blokus/options.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

// Where a placement lies: the top left corner of its bounding box.
struct Place {
  std::size_t orientation = 0;
  int row = 0;
  int column = 0;
};

namespace detail {

using Ids = IdBlocks<kNumOrientations>;

constexpr Ids ids_on(int board) {
  std::array<int, kNumOrientations> sizes{};
  for (std::size_t o = 0; o < sizes.size(); ++o)
    sizes[o] = std::max(0, board - kOrientations[o].height + 1) * std::max(0, board - kOrientations[o].width + 1);
  return Ids(sizes);
}
// The ids of each orientation, by the size of the board, when all pieces are in the set.
inline constexpr auto kIds = []<std::size_t... Size>(std::index_sequence<Size...>) {
  return std::array{ids_on(static_cast<int>(Size))...};
}(std::make_index_sequence<kLargestBoard + 1>{});
static_assert(kIds[20].total() == 30433 && kIds[14].total() == 13729 && kIds[8].total() == 3577 &&
                  kIds[5].total() == 958,
              "the published numbers of placements");

}  // namespace detail

class Numbering {
 public:
  explicit Numbering(const Options& options)
      : ids_(&detail::kIds[options.board]), size_(options.board), missing_(kAllPieces & ~options.pieces) {}

  // The number of placements, and the id of the pass.
  Action total() const { return ids_->total() - gap_before(kNumPieces); }

  Action id_of(const Place& at) const {
    const Orientation& o = kOrientations[at.orientation];
    return ids_->first(at.orientation) + at.row * (size_ - o.width + 1) + at.column - gap_before(o.piece);
  }
  // The ids of an orientation's placements from their anchors, the first squares, counted from `first_row` of a board
  // whose rows are `stride` apart.
  GridNumbers of_anchors(std::size_t o, int stride, int first_row) const {
    const Orientation& orientation = kOrientations[o];
    const int columns = size_ - orientation.width + 1;
    const int first = ids_->first(o) + first_row * columns - orientation.first_column - gap_before(orientation.piece);
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(stride - columns)};
  }
  Place place_of(Action id) const {
    for_each_bit(missing_, [&](int p) {
      if (id >= first_of(p)) id += first_of(p + 1) - first_of(p);
    });
    const std::size_t o = ids_->block_of(id);
    const int columns = size_ - kOrientations[o].width + 1;
    const int place = id - ids_->first(o);
    return {o, place / columns, place % columns};
  }

 private:
  Action first_of(int piece) const { return ids_->first(kFirstOrientation[static_cast<std::size_t>(piece)]); }
  // The ids that pieces outside the set would have had before this piece.
  Action gap_before(int piece) const {
    Action gap = 0;
    for_each_bit(missing_ & ((PieceSet{1} << piece) - 1), [&](int p) { gap += first_of(p + 1) - first_of(p); });
    return gap;
  }

  const detail::Ids* ids_;
  int size_;
  PieceSet missing_;
};

}  // namespace zg::blokus
