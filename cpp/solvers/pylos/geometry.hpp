// Cells in the order of the solver, and all sets of cells that can be occupied.
//
// A position, as the player to move sees it, is the set of occupied cells and a colouring of it. Colourings are
// numbered by the bits of one player's balls, gathered in the order of this file: level by level, and on a level the
// cells that carry most come first. The balls that are buried first are then the low bits of the number, so that the
// moves of a crowded board change high bits alone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bits.hpp"
#include "core/pyramid.hpp"
#include "games/pylos/tables.hpp"

namespace zg::pylos::solver {

using Cells = std::uint32_t;  // a set of cells, one bit a cell in the solver's order

constexpr Cells one(int cell) { return Cells{1} << cell; }
constexpr Cells below_bit(int i) { return one(i) - 1; }

template <class F>
constexpr void for_each_cell(Cells cells, F&& f) {
  for (; cells != 0; cells &= cells - 1) f(std::countr_zero(cells));
}

// In how many ways k things are chosen from n.
inline constexpr auto kChoose = [] {
  std::array<std::array<std::uint64_t, 32>, 32> out{};
  for (std::size_t n = 0; n < 32; ++n)
    for (std::size_t k = 0; k <= n; ++k) out[n][k] = k == 0 || k == n ? 1 : out[n - 1][k - 1] + out[n - 1][k];
  return out;
}();
constexpr std::uint64_t choose(int n, int k) {
  return k < 0 || k > n ? 0 : kChoose[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

template <int Base>
struct Geometry {
  using P = Pyramid<Base>;
  using Balls = typename P::Balls;
  static constexpr int kCells = P::kCells;
  static constexpr int kEach = kCells / 2;
  static constexpr int kApex = kCells - 1;
  // Of some balls on the board, how many may be those of one player, who has kEach of them.
  static constexpr int least_own(int balls) { return std::max(0, balls - kEach); }
  static constexpr int most_own(int balls) { return std::min(balls, kEach); }
  static constexpr std::uint64_t num_colourings(int balls) {
    std::uint64_t sum = 0;
    for (int own = least_own(balls); own <= most_own(balls); ++own) sum += choose(balls, own);
    return sum;
  }
  static constexpr Cells kAll = static_cast<Cells>((std::uint64_t{1} << kCells) - 1);

  static constexpr Balls level_mask(int level) { return Balls{0xFFFF} << (16 * level); }

  // The cells of one level that are part of the same number of squares, in the order of the solver.
  static constexpr int kRanks = 3;
  static constexpr std::array<Balls, static_cast<std::size_t>(Base* kRanks)> kGroups = [] {
    std::array<Balls, static_cast<std::size_t>(Base * kRanks)> out{};
    for_each_bit(P::kBoard, [&](int i) {
      const int squares = std::popcount(P::squares_around(bit(i)) & P::kAnchors & level_mask(P::level_of(i)));
      out[static_cast<std::size_t>(P::level_of(i) * kRanks + (squares == 4 ? 0 : squares == 2 ? 1 : 2))] |= bit(i);
    });
    return out;
  }();

  static Cells cells(Balls balls) {
    Cells out = 0;
    int next = 0;
    for (const Balls group : kGroups) {
      out |= static_cast<Cells>(gather_bits(balls, group)) << next;
      next += std::popcount(group);
    }
    return out;
  }

  template <class T>
  using PerCell = std::array<T, static_cast<std::size_t>(kCells)>;
  static constexpr PerCell<std::uint8_t> kBitOf = [] {  // in the pyramid's word
    PerCell<std::uint8_t> out{};
    std::size_t next = 0;
    for (const Balls group : kGroups) for_each_bit(group, [&](int i) { out[next++] = static_cast<std::uint8_t>(i); });
    return out;
  }();
  static constexpr Balls balls(Cells cells) {
    Balls out = 0;
    for_each_cell(cells, [&](int c) { out |= bit(kBitOf[static_cast<std::size_t>(c)]); });
    return out;
  }
  static constexpr Cells cells_slowly(Balls balls) {
    Cells out = 0;
    for (int c = 0; c < kCells; ++c)
      if ((balls & bit(kBitOf[static_cast<std::size_t>(c)])) != 0) out |= one(c);
    return out;
  }

  struct Cell {
    Cells supports = 0;               // what it rests on
    Cells above = 0;                  // what may rest on it
    Cells lower = 0;                  // all cells of lower levels
    std::array<Cells, 6> patterns{};  // the other cells of its squares, and behind them those of its lines; 0: none
    int squares = 0;
    int lines = 0;
  };
  static constexpr PerCell<Cell> kCell = [] {
    PerCell<Cell> out{};
    for (int c = 0; c < kCells; ++c) {
      Cell& cell = out[static_cast<std::size_t>(c)];
      const Balls ball = bit(kBitOf[static_cast<std::size_t>(c)]);
      cell.supports = cells_slowly(P::supports(ball));
      for (int u = 0; u < kCells; ++u)
        if ((P::supports(bit(kBitOf[static_cast<std::size_t>(u)])) & ball) != 0) cell.above |= one(u);
      cell.lower = cells_slowly(P::below(ball));
      const Balls level = P::kBoard & level_mask(P::level_of(std::countr_zero(ball)));
      for_each_bit(P::squares_around(ball) & P::kAnchors & level, [&](int anchor) {
        cell.patterns[static_cast<std::size_t>(cell.squares++)] = cells_slowly(P::spread(bit(anchor)) & ~ball);
      });
      for (const Balls line : {Tables<Base>::row_through(ball), Tables<Base>::column_through(ball)})
        if (line != 0)
          cell.patterns[static_cast<std::size_t>(cell.squares + cell.lines++)] = cells_slowly(line & ~ball);
    }
    return out;
  }();
  static constexpr const Cell& at(int cell) { return kCell[static_cast<std::size_t>(cell)]; }

  static Cells playable(Cells occupied) {
    Cells out = 0;
    for_each_cell(kAll & ~occupied, [&](int c) {
      if ((at(c).supports & ~occupied) == 0) out |= one(c);
    });
    return out;
  }
  static Cells free(Cells occupied) {
    Cells out = 0;
    for_each_cell(occupied, [&](int c) {
      if ((at(c).above & occupied) == 0) out |= one(c);
    });
    return out;
  }
  // Cells whose balls may be raised to `to`; whose they are is for the colouring to say.
  static Cells raisable(Cells free_cells, int to) {
    return to == kApex ? 0 : free_cells & at(to).lower & ~at(to).supports;
  }

  // All balls that may be raised somewhere.
  static Cells raisers(Cells occupied) {
    const Cells free_cells = free(occupied);
    Cells out = 0;
    for_each_cell(playable(occupied), [&](int to) { out |= raisable(free_cells, to); });
    return out;
  }

  static Cells transformed(Cells cells, int k) {
    Cells out = 0;
    for_each_cell(cells, [&](int c) { out |= one(kImage[static_cast<std::size_t>(k)][static_cast<std::size_t>(c)]); });
    return out;
  }
  static constexpr std::array<PerCell<std::uint8_t>, 8> kImage = [] {
    std::array<PerCell<std::uint8_t>, 8> out{};
    for (int k = 0; k < 8; ++k)
      for (int c = 0; c < kCells; ++c) {
        const auto cell = P::cell_at(kBitOf[static_cast<std::size_t>(c)]);
        const Cells image = cells_slowly(P::ball(P::transformed_cell(cell, k)));
        out[static_cast<std::size_t>(k)][static_cast<std::size_t>(c)] =
            static_cast<std::uint8_t>(std::countr_zero(image));
      }
    return out;
  }();
};

// All sets of cells in which no ball lacks its supports, but the full one, where the game is over; by number of cells,
// then by value.
template <int Base>
class Sets {
  using Geo = Geometry<Base>;

 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = ~Id{0};

  Sets() {
    std::vector<Cells> found;
    grow(0, 0, found);
    std::sort(found.begin(), found.end(), [](Cells a, Cells b) {
      const int size_a = std::popcount(a), size_b = std::popcount(b);
      return size_a != size_b ? size_a < size_b : a < b;
    });
    found.pop_back();
    cells_ = std::move(found);
    slots_.assign(kSlots, kNone);
    for (Id id = 0; id < size(); ++id) {
      std::size_t slot = slot_of(cells_[id]);
      while (slots_[slot] != kNone) slot = (slot + 1) % kSlots;
      slots_[slot] = id;
      first_[static_cast<std::size_t>(std::popcount(cells_[id])) + 1] = id + 1;
    }
  }

  Id size() const { return static_cast<Id>(cells_.size()); }
  Cells cells(Id id) const { return cells_[id]; }
  // Sets of `balls` cells are first(balls) .. first(balls + 1) - 1.
  Id first(int balls) const { return first_[static_cast<std::size_t>(balls)]; }
  Id find(Cells cells) const {
    std::size_t slot = slot_of(cells);
    while (slots_[slot] != kNone && cells_[slots_[slot]] != cells) slot = (slot + 1) % kSlots;
    return slots_[slot];
  }

  // The least of the eight images of a set, and the symmetry that leads to it.
  static std::pair<Cells, int> canonical(Cells cells) {
    std::pair<Cells, int> best{cells, 0};
    for (int k = 1; k < 8; ++k) best = std::min(best, {Geo::transformed(cells, k), k});
    return best;
  }
  // The number of sets that are images of this one.
  static int orbit(Cells cells) {
    int same = 0;
    for (int k = 0; k < 8; ++k) same += Geo::transformed(cells, k) == cells;
    return 8 / same;
  }

 private:
  static constexpr std::size_t kSlots = Base == 4 ? std::size_t{1} << 18 : std::size_t{1} << 12;
  static std::size_t slot_of(Cells cells) { return (cells * std::uint64_t{0x9E3779B97F4A7C15}) >> 40 & (kSlots - 1); }

  static void grow(Cells cells, int from, std::vector<Cells>& found) {
    found.push_back(cells);
    for (int c = from; c < Geo::kCells; ++c)
      if ((Geo::at(c).supports & ~cells) == 0) grow(cells | one(c), c + 1, found);
  }

  std::vector<Cells> cells_;
  std::vector<Id> slots_;
  std::array<Id, static_cast<std::size_t>(Geo::kCells) + 2> first_{};
};

}  // namespace zg::pylos::solver
