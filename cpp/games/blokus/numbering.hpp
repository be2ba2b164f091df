// Which id a placement has on a board of any size, with any set of pieces: RULES.md section 4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bits.hpp"
#include "core/index.hpp"
#include "core/listing.hpp"
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

using FirstIds = std::array<std::int32_t, kNumOrientations + 1>;

// Where the ids of each orientation begin, by the size of the board, when all pieces are in the set.
inline constexpr auto kFirstIds = [] {
  std::array<FirstIds, kLargestBoard + 1> out{};
  for (int size = kSmallestBoard; size <= kLargestBoard; ++size) {
    FirstIds& first = out[static_cast<std::size_t>(size)];
    for (std::size_t o = 0; o < kNumOrientations; ++o)
      first[o + 1] = first[o] + (size - kOrientations[o].height + 1) * (size - kOrientations[o].width + 1);
  }
  return out;
}();
static_assert(kFirstIds[20].back() == 30433 && kFirstIds[14].back() == 13729 && kFirstIds[8].back() == 3577 &&
                  kFirstIds[5].back() == 958,
              "the published numbers of placements");

}  // namespace detail

class Numbering {
 public:
  explicit Numbering(const Options& options)
      : first_(detail::kFirstIds[options.board].data()), size_(options.board), missing_(kAllPieces & ~options.pieces) {}

  // The number of placements, and the id of the pass.
  Action total() const { return first_[kNumOrientations] - gap_before(kNumPieces); }

  Action id_of(const Place& at) const {
    const Orientation& o = kOrientations[at.orientation];
    return first_[at.orientation] + at.row * (size_ - o.width + 1) + at.column - gap_before(o.piece);
  }
  // The ids of an orientation's placements from their anchors, the first squares, counted from `first_row` of a board
  // whose rows are `stride` apart.
  GridNumbers of_anchors(std::size_t o, int stride, int first_row) const {
    const Orientation& orientation = kOrientations[o];
    const int columns = size_ - orientation.width + 1;
    const int first = first_[o] + first_row * columns - orientation.first_column - gap_before(orientation.piece);
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(stride - columns)};
  }
  Place place_of(Action id) const {
    for_each_bit(missing_, [&](int p) {
      if (id >= first_of(p)) id += first_of(p + 1) - first_of(p);
    });
    std::size_t o = 0;
    for (std::size_t length = kNumOrientations; length > 1;) {  // the usual halving, without a branch on the data
      const std::size_t half = length / 2;
      o = first_[o + half] <= id ? o + half : o;
      length -= half;
    }
    const int columns = size_ - kOrientations[o].width + 1;
    const int place = id - first_[o];
    return {o, place / columns, place % columns};
  }

 private:
  Action first_of(int piece) const { return first_[kFirstOrientation[static_cast<std::size_t>(piece)]]; }
  // The ids that pieces outside the set would have had before this piece.
  Action gap_before(int piece) const {
    Action gap = 0;
    for_each_bit(missing_ & ((PieceSet{1} << piece) - 1), [&](int p) { gap += first_of(p + 1) - first_of(p); });
    return gap;
  }

  const std::int32_t* first_;
  int size_;
  PieceSet missing_;
};

}  // namespace zg::blokus
