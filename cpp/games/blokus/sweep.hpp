// All legal placements at once, by set algebra (docs/architecture.md has the figures).
//
// Anchor a placement at its first square in reading order. An orientation with squares at distances d1 .. dk from its
// anchor fits at the anchors AND_i (free >> di), and touches a contact cell at OR_i (contact >> di). Every orientation
// grows from a smaller one by one square, so each costs one AND, one OR and one more AND, and all share the 21 shifts
// of `free` and of `contact`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/rect.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

// `Rows` is the board, or its first rows if anchors lie only there.
template <class Board, class Rows>
class Sweep {
 public:
  using Cells = typename Rows::Set;

  Sweep(const typename Board::Set& free, const typename Board::Set& contact) {
    shift(free, contact, std::make_index_sequence<kNumOffsets>{});
  }

  // Calls visit(constant orientation, anchors) for every orientation of the pieces in hand, ascending, with anchors
  // possibly empty; after each piece it asks go_on(constant piece) whether to continue.
  template <class Visit, class GoOn>
  void over(PieceSet hand, Visit&& visit, GoOn&& go_on) {
    pieces(hand, visit, go_on, std::make_index_sequence<kNumPieces>{});
  }

 private:
  static constexpr int kGrowing = 28;  // orientations of up to four squares: the others grow from them
  static_assert(kOrientations[kGrowing - 1].shape.size == 4 && kOrientations[kGrowing].shape.size == 5);

  // The distinct distances from an anchor to a square, in cells of the board.
  static constexpr std::size_t kNumOffsets = 21;
  static constexpr int offset_of(const Square& s) { return s.row * Board::kStride + s.column; }
  static constexpr auto kOffsets = [] {
    std::array<int, kNumOffsets> out{};
    std::size_t n = 0;
    for (const Orientation& o : kOrientations) {
      const int offset = offset_of(o.added);
      if (std::find(out.begin(), out.begin() + n, offset) == out.begin() + n) out.at(n++) = offset;
    }
    return out;
  }();
  static constexpr auto kOffsetIndex = [] {
    std::array<std::uint8_t, kNumOrientations> out{};
    for (std::size_t o = 0; o < out.size(); ++o)
      out[o] = static_cast<std::uint8_t>(
          std::find(kOffsets.begin(), kOffsets.end(), offset_of(kOrientations[o].added)) - kOffsets.begin());
    return out;
  }();
  static_assert(kOffsets.back() != 0, "exactly kNumOffsets distances");

  template <std::size_t... I>
  void shift(const typename Board::Set& free, const typename Board::Set& contact, std::index_sequence<I...>) {
    constexpr int kWords = Cells::kWords;
    const Shifter<Board::Set::kWords> free_shifter(free.bits());
    const Shifter<Board::Set::kWords> contact_shifter(contact.bits());
    ((free_[I] = Cells(free_shifter.template down<kWords>(kOffsets[I]))), ...);
    ((contact_[I] = Cells(contact_shifter.template down<kWords>(kOffsets[I]))), ...);
  }

  template <class Visit, class GoOn, std::size_t... P>
  void pieces(PieceSet hand, Visit& visit, GoOn& go_on, std::index_sequence<P...>) {
    static_cast<void>((piece<P>(hand, visit, go_on) && ...));
  }

  template <std::size_t P, class Visit, class GoOn>
  bool piece(PieceSet hand, Visit& visit, GoOn& go_on) {
    constexpr std::size_t kFirst = kFirstOrientation[P];
    constexpr std::size_t kCount = kFirstOrientation[P + 1] - kFirst;
    const bool in_hand = (hand >> P & 1) != 0;
    if constexpr (kFirst < kGrowing) {
      grow<kFirst>(std::make_index_sequence<kCount>{});
      if (in_hand) visit_grown<kFirst>(visit, std::make_index_sequence<kCount>{});
    } else {
      if (in_hand) visit_leaves<kFirst>(visit, std::make_index_sequence<kCount>{});
    }
    return go_on(std::integral_constant<std::size_t, P>{});
  }

  template <std::size_t O>
  Cells fits() const {
    constexpr auto kParent = kOrientations[O].parent;
    if constexpr (kParent < 0)
      return free_[kOffsetIndex[O]];
    else
      return fits_[static_cast<std::size_t>(kParent)] & free_[kOffsetIndex[O]];
  }
  template <std::size_t O>
  Cells touches() const {
    constexpr auto kParent = kOrientations[O].parent;
    if constexpr (kParent < 0)
      return contact_[kOffsetIndex[O]];
    else
      return touches_[static_cast<std::size_t>(kParent)] | contact_[kOffsetIndex[O]];
  }

  template <std::size_t First, std::size_t... I>
  void grow(std::index_sequence<I...>) {
    ((fits_[First + I] = fits<First + I>(), touches_[First + I] = touches<First + I>()), ...);
  }
  template <std::size_t First, class Visit, std::size_t... I>
  void visit_grown(Visit& visit, std::index_sequence<I...>) const {
    (visit(std::integral_constant<std::size_t, First + I>{}, fits_[First + I] & touches_[First + I]), ...);
  }
  template <std::size_t First, class Visit, std::size_t... I>
  void visit_leaves(Visit& visit, std::index_sequence<I...>) const {
    (visit(std::integral_constant<std::size_t, First + I>{}, fits<First + I>() & touches<First + I>()), ...);
  }

  std::array<Cells, kNumOffsets> free_;
  std::array<Cells, kNumOffsets> contact_;
  std::array<Cells, kGrowing> fits_;
  std::array<Cells, kGrowing> touches_;
};

}  // namespace zg::blokus
