// The 21 pieces and their 91 orientations, computed from pictures: RULES.md sections 1 and 4. Nothing here knows a
// board.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/index.hpp"

namespace zg::blokus {

inline constexpr int kNumPieces = 21;
inline constexpr int kNumOrientations = 91;
inline constexpr int kMostSquares = 5;
inline constexpr int kSquaresInSet = 89;

struct Picture {
  std::string_view name;
  std::string_view rows;  // joined by '/'
};
inline constexpr std::array<Picture, kNumPieces> kPictures{{
    {"1", "#"},           {"2", "##"},          {"I3", "###"},         {"V3", "#./##"},
    {"I4", "####"},       {"L4", "###/#.."},    {"T4", "###/.#."},     {"O", "##/##"},
    {"Z4", "##./.##"},    {"I5", "#####"},      {"L5", "####/#..."},   {"Y", "####/.#.."},
    {"P", "##/##/#."},    {"U", "###/#.#"},     {"V5", "###/#../#.."}, {"T5", "###/.#./.#."},
    {"N", "###./..##"},   {"F", ".##/##./.#."}, {"W", "#../##./.##"},  {"Z5", "##./.#./.##"},
    {"X", ".#./###/.#."},
}};
inline constexpr int kSingle = 0;  // the piece of one square

using PieceSet = std::uint32_t;  // bit p: piece p

namespace detail {

// A name of one or two letters as a number of its own; 0 for what is no such name.
constexpr std::uint32_t packed_name(std::string_view name) {
  if (name.empty() || name.size() > 2) return 0;
  auto out = static_cast<std::uint32_t>(name.size());
  for (const char c : name) out = out << 8 | static_cast<unsigned char>(c);
  return out;
}
inline constexpr auto kPackedNames = [] {
  std::array<std::uint32_t, kNumPieces> out{};
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = packed_name(kPictures[p].name);
  return out;
}();

}  // namespace detail

// The set of the piece that has this name; empty if there is none. Without a jump, so that a few instructions compare
// with all names: texts of positions are full of them.
constexpr PieceSet piece_bit(std::string_view name) {
  const std::uint32_t wanted = detail::packed_name(name);
  PieceSet out = 0;
  for (std::size_t p = 0; p < kPictures.size(); ++p) out |= detail::kPackedNames[p] == wanted ? PieceSet{1} << p : 0;
  return out;
}

struct Square {
  std::int8_t row = 0;
  std::int8_t column = 0;
  static constexpr Square at(int row, int column) {
    return {static_cast<std::int8_t>(row), static_cast<std::int8_t>(column)};
  }
  friend constexpr auto operator<=>(const Square&, const Square&) = default;
};

// Squares in reading order, moved to row 0 and column 0; unused ones at the end.
struct Shape {
  std::array<Square, kMostSquares> squares{};
  int size = 0;

  constexpr int height() const {
    int h = 0;
    for (int i = 0; i < size; ++i) h = std::max<int>(h, at(i).row + 1);
    return h;
  }
  constexpr int width() const {
    int w = 0;
    for (int i = 0; i < size; ++i) w = std::max<int>(w, at(i).column + 1);
    return w;
  }
  constexpr const Square& at(int i) const { return squares[static_cast<std::size_t>(i)]; }
  constexpr void normalise() {
    int row = at(0).row;
    int column = at(0).column;
    for (int i = 1; i < size; ++i) {
      row = std::min<int>(row, at(i).row);
      column = std::min<int>(column, at(i).column);
    }
    for (int i = 0; i < size; ++i) {
      Square& s = squares[static_cast<std::size_t>(i)];
      s = {static_cast<std::int8_t>(s.row - row), static_cast<std::int8_t>(s.column - column)};
    }
    for (int i = 1; i < size; ++i)  // by insertion: std::sort makes GCC 12 warn of bounds that hold
      for (int j = i; j > 0 && at(j) < at(j - 1); --j)
        std::swap(squares[static_cast<std::size_t>(j)], squares[static_cast<std::size_t>(j - 1)]);
  }
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

constexpr Shape shape_of(std::string_view rows) {
  Shape shape;
  std::int8_t row = 0;
  std::int8_t column = 0;
  for (const char c : rows) {
    if (c == '#') shape.squares[static_cast<std::size_t>(shape.size++)] = {row, column};
    column = static_cast<std::int8_t>(c == '/' ? 0 : column + 1);
    row = static_cast<std::int8_t>(c == '/' ? row + 1 : row);
  }
  shape.normalise();
  return shape;
}

// k in 0..7: bit 0 mirrors, bits 1 and 2 turn.
constexpr Shape turned(Shape shape, int k) {
  for (int i = 0; i < shape.size; ++i) {
    Square& s = shape.squares[static_cast<std::size_t>(i)];
    if ((k & 1) != 0) s = {s.row, static_cast<std::int8_t>(-s.column)};
    for (int turn = 0; turn < k / 2; ++turn) s = {s.column, static_cast<std::int8_t>(-s.row)};
  }
  shape.normalise();
  return shape;
}

struct Orientation {
  Shape shape;
  std::uint8_t piece = 0;
  std::uint8_t height = 0;
  std::uint8_t width = 0;
  std::uint8_t first_column = 0;  // of the first square in reading order, the one that placements are anchored at
  // The orientation of one square less that this one grows from by one square, which is not the first. -1 for the
  // single square.
  std::int8_t parent = -1;
  Square added{};  // relative to the first square
};

namespace detail {

constexpr bool comes_before(const Shape& a, const Shape& b) {
  return std::lexicographical_compare(a.squares.begin(), a.squares.begin() + a.size, b.squares.begin(),
                                      b.squares.begin() + b.size);
}

// The orientation list without the square `removed`; size 0 if that leaves no orientation of a piece.
constexpr Shape without(const Shape& shape, int removed) {
  Shape out;
  for (int i = 0; i < shape.size; ++i)
    if (i != removed) out.squares[static_cast<std::size_t>(out.size++)] = shape.at(i);
  out.normalise();
  return out;
}

constexpr void link_to_parent(std::array<Orientation, kNumOrientations>& all, std::size_t child) {
  Orientation& o = all[child];
  for (int removed = o.shape.size - 1; removed > 0; --removed) {
    const Shape rest = without(o.shape, removed);
    for (std::size_t p = 0; p < child; ++p) {
      if (all[p].shape != rest) continue;
      o.parent = static_cast<std::int8_t>(p);
      o.added = {o.shape.at(removed).row, static_cast<std::int8_t>(o.shape.at(removed).column - o.first_column)};
      return;
    }
  }
}

constexpr std::array<Orientation, kNumOrientations> make_orientations() {
  std::array<Orientation, kNumOrientations> all{};
  std::size_t n = 0;
  for (std::size_t piece = 0; piece < kPictures.size(); ++piece) {
    std::array<Shape, 8> forms{};
    std::size_t found = 0;
    for (int k = 0; k < 8; ++k) {
      const Shape form = turned(shape_of(kPictures[piece].rows), k);
      if (std::find(forms.begin(), forms.begin() + found, form) == forms.begin() + found) forms[found++] = form;
    }
    std::sort(forms.begin(), forms.begin() + found, comes_before);
    for (std::size_t f = 0; f < found; ++f, ++n) {
      const Shape& shape = forms[f];
      all[n] = {shape, static_cast<std::uint8_t>(piece), static_cast<std::uint8_t>(shape.height()),
                static_cast<std::uint8_t>(shape.width()), static_cast<std::uint8_t>(shape.at(0).column)};
      link_to_parent(all, n);
    }
  }
  return all;
}

}  // namespace detail

inline constexpr auto kOrientations = detail::make_orientations();
using OrientationId = Index<Orientation, kNumOrientations>;

// Orientations of piece p: kFirstOrientation[p] .. kFirstOrientation[p + 1] - 1.
inline constexpr auto kFirstOrientation = [] {
  std::array<std::uint8_t, kNumPieces + 1> out{};
  for (const Orientation& o : kOrientations) out[o.piece + std::size_t{1}]++;
  for (std::size_t p = 0; p < kNumPieces; ++p) out[p + 1] = static_cast<std::uint8_t>(out[p] + out[p + 1]);
  return out;
}();
static_assert(kFirstOrientation.back() == kNumOrientations, "the published number of orientations");
static_assert(kOrientations.back().parent > 0, "every orientation but the single square grows from another");

constexpr int squares_of(int piece) {
  return kOrientations[kFirstOrientation[static_cast<std::size_t>(piece)]].shape.size;
}

constexpr int squares_in(PieceSet pieces) {
  int n = 0;
  for (int p = 0; p < kNumPieces; ++p)
    if ((pieces >> p & 1) != 0) n += squares_of(p);
  return n;
}
inline constexpr PieceSet kAllPieces = (1U << kNumPieces) - 1;
static_assert(squares_in(kAllPieces) == kSquaresInSet, "the rules' count of squares");

}  // namespace zg::blokus
