// How a table orders positions: one of each class under the eight symmetries, by its set of occupied cells and by the
// number of its colouring.
//
// In that number the balls that carry most are the low bits. Their colours matter least, so that neighbours in a table
// are mostly worth the same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/bits.hpp"
#include "core/pyramid.hpp"

namespace zg::pylos::solver {

template <int Base>
struct Order {
  using P = Pyramid<Base>;
  using Balls = typename P::Balls;
  using Ids = std::uint32_t;  // a set of cells, one bit an id

  struct Place {
    Ids cells;             // occupied
    std::uint32_t number;  // of the own balls among them
  };

  static Ids ids(Balls balls) { return static_cast<Ids>(P::ids(balls)); }
  static Balls balls(Ids ids) { return scatter_bits(ids, P::kBoard); }

  static Ids transformed(Ids ids, int k) {
    const auto& table = images()[static_cast<std::size_t>(k)];
    return table[0][ids & 255] | table[1][ids >> 8 & 255] | table[2][ids >> 16 & 255] | table[3][ids >> 24];
  }
  static Ids canonical(Ids cells) {
    Ids least = cells;
    for (int k = 1; k < 8; ++k) least = std::min(least, transformed(cells, k));
    return least;
  }

  // Occupied cells by the number of balls right above them: the first mask for four, the last for none.
  using Groups = std::array<Balls, 5>;
  static Groups groups(Balls occupied) {
    const Balls up = occupied >> 16;
    const std::array<Balls, 4> above{up, up << 1, up << 4, up << 5};
    Groups exactly{};
    exactly[4] = occupied;  // with none so far
    for (const Balls a : above) {
      for (std::size_t n = 0; n < 4; ++n) exactly[n] = (exactly[n] & ~a) | (exactly[n + 1] & a);
      exactly[4] &= ~a;
    }
    return exactly;
  }
  static std::uint32_t number(const Groups& groups, Balls own) {
    std::uint32_t out = 0;
    int next = 0;
    for (const Balls group : groups) {
      out |= static_cast<std::uint32_t>(gather_bits(own, group)) << next;
      next += std::popcount(group);
    }
    return out;
  }

  static Place place_of(Balls own, Balls other) {
    const Ids cells = ids(own | other), mine = ids(own);
    std::array<Ids, 8> image;
    for (int k = 0; k < 8; ++k) image[static_cast<std::size_t>(k)] = transformed(cells, k);
    const Ids least = *std::min_element(image.begin(), image.end());
    const Groups split = groups(balls(least));
    std::uint32_t best = ~std::uint32_t{0};
    for (int k = 0; k < 8; ++k)
      if (image[static_cast<std::size_t>(k)] == least)
        best = std::min(best, number(split, balls(transformed(mine, k))));
    return {least, best};
  }

 private:
  using Table = std::array<std::array<Ids, 256>, 4>;
  static const std::array<Table, 8>& images() {
    static const std::array<Table, 8> kImages = [] {
      std::array<Table, 8> out{};
      for (int k = 0; k < 8; ++k)
        P::for_each_cell([&](typename P::Cell cell) {
          const auto i = static_cast<std::size_t>(cell.value());
          const Ids image = Ids{1} << P::transformed_cell(cell, k).value();
          for (std::size_t x = 0; x < 256; ++x)
            if ((x >> (i % 8) & 1) != 0) out[static_cast<std::size_t>(k)][i / 8][x] |= image;
        });
      return out;
    }();
    return kImages;
  }
};

}  // namespace zg::pylos::solver
