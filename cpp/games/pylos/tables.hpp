// Action numbers, names of cells and full lines of Pylos: RULES.md sections 1, 3 and 5.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/index.hpp"
#include "core/mixed_radix.hpp"
#include "core/pyramid.hpp"
#include "core/text.hpp"

namespace zg::pylos {

template <int Base>
struct Tables {
  using P = Pyramid<Base>;
  using Balls = typename P::Balls;
  using Cell = typename P::Cell;
  template <class T>
  using PerCell = typename P::template PerCell<T>;

  // Where a ball may ever be raised to: higher, not the apex, and not held up by the ball itself. [PY-5.1]
  static constexpr PerCell<Balls> kRaiseTargets = [] {
    PerCell<Balls> out{};
    P::for_each_cell([&](Cell from) {
      P::for_each_cell([&](Cell to) {
        const Balls eligible = P::below(P::ball(to)) & ~P::cone(P::ball(to));
        if (to != P::kApex && (eligible & P::ball(from)) != 0) out[from] |= P::ball(to);
      });
    });
    return out;
  }();
  static constexpr int kRaises = [] {
    int n = 0;
    for (const Balls targets : kRaiseTargets.entries) n += std::popcount(targets);
    return n;
  }();

  enum Block : std::size_t { kPlace, kRaise, kTakeBack, kStop };
  static constexpr IdBlocks<4> kIds{{P::kCells, kRaises, P::kCells, 1}};
  static constexpr Action kStopId = kIds.first(kStop);

  static constexpr PerCell<std::uint8_t> kFirstRaise = [] {
    PerCell<std::uint8_t> out{};
    int next = kIds.first(kRaise);
    P::for_each_cell([&](Cell from) {
      out[from] = static_cast<std::uint8_t>(next);
      next += std::popcount(kRaiseTargets[from]);
    });
    return out;
  }();

  // Where a cell lies in an observation plane: (level, row, column).
  static constexpr std::array<std::uint8_t, static_cast<std::size_t>(P::kCells)> kPlaces = [] {
    std::array<std::uint8_t, static_cast<std::size_t>(P::kCells)> out{};
    std::size_t next = 0;
    P::for_each_cell([&](Cell cell) {
      const int i = P::kBitOf[cell];
      out[next++] = static_cast<std::uint8_t>((P::level_of(i) * Base + P::row_of(i)) * Base + P::column_of(i));
    });
    return out;
  }();

  struct Raise {
    Cell from, to;
  };
  static constexpr std::array<Raise, static_cast<std::size_t>(kRaises)> kRaisePairs = [] {
    std::array<Raise, static_cast<std::size_t>(kRaises)> out{};
    std::size_t next = 0;
    P::for_each_cell(
        [&](Cell from) { for_each_bit(kRaiseTargets[from], [&](int i) { out[next++] = {from, P::cell_at(i)}; }); });
    return out;
  }();

  static constexpr Raise raise_of(Action a) { return kRaisePairs[static_cast<std::size_t>(a - kIds.first(kRaise))]; }
  static constexpr Action raise_id(Cell from, Cell to) {  // -1 if it can never be legal
    const Balls targets = kRaiseTargets[from];
    if ((targets & P::ball(to)) == 0) return -1;
    return kFirstRaise[from] + std::popcount(targets & (P::ball(to) - 1));
  }

  // Full rows and columns, on levels whose side is 3 or more. [PY-3.1]
  static constexpr int kLineLevels = Base - 2;
  static constexpr Balls row_through(Balls one_ball) { return line_through(one_ball, 1); }
  static constexpr Balls column_through(Balls one_ball) { return line_through(one_ball, 4); }
  static constexpr Balls line_through(Balls one_ball, int step) {
    const int i = std::countr_zero(one_ball);
    const int level = P::level_of(i);
    if (level >= kLineLevels) return 0;
    const int start = step == 1 ? i - P::column_of(i) : i - 4 * P::row_of(i);
    Balls out = 0;
    for (int k = 0; k < Base - level; ++k) out |= bit(start + k * step);
    return out;
  }
  struct Lines {
    Balls row, column;
  };
  static constexpr PerCell<Lines> kLines = [] {
    PerCell<Lines> out{};
    P::for_each_cell([&](Cell cell) { out[cell] = {row_through(P::ball(cell)), column_through(P::ball(cell))}; });
    return out;
  }();

  static constexpr bool in_full_line(Balls own, Balls placed) {
    const Lines& lines = kLines[P::cell_of(placed)];
    return lines.row != 0 && ((lines.row & ~own) == 0 || (lines.column & ~own) == 0);
  }
  // Cells whose ball would complete a full line of x.
  static constexpr Balls completes_line(Balls x) {
    Balls out = 0;
    for (int level = 0; level < kLineLevels; ++level) {
      const int side = Base - level;
      const Balls first_column = P::kBoard & (Balls{0x1111} << (16 * level));
      const Balls first_row = P::kBoard & (Balls{0x000F} << (16 * level));
      out |= completes(x, side, 1, first_column) | completes(x, side, 4, first_row);
    }
    return out;
  }

  static std::string cell_name(Cell cell) {
    const int i = P::kBitOf[cell];
    return {static_cast<char>('1' + P::level_of(i)), static_cast<char>('a' + P::column_of(i)),
            static_cast<char>('1' + P::row_of(i))};
  }
  static Cell read_cell(Cursor& in) {
    const int level = in.take(std::string_view("1234").substr(0, Base)) - '1';
    const auto side = static_cast<std::size_t>(Base - level);
    const int column = in.take(std::string_view("abcd").substr(0, side)) - 'a';
    const int row = in.take(std::string_view("1234").substr(0, side)) - '1';
    return P::cell_at(level * 16 + row * 4 + column);
  }

 private:
  // The missing cells of the lines of `side` cells, `step` apart, that start in `starts` and lack exactly that cell (or
  // none).
  static constexpr Balls completes(Balls x, int side, int step, Balls starts) {
    Balls out = 0;
    for (int missing = 0; missing < side; ++missing) {
      Balls others = starts;
      for (int k = 0; k < side; ++k)
        if (k != missing) others &= x >> (k * step);
      out |= others << (missing * step);
    }
    return out;
  }
};

static_assert(Tables<4>::kRaises == 156 && Tables<4>::kIds.total() == 217, "RULES.md section 5");
static_assert(Tables<3>::kRaises == 20 && Tables<3>::kIds.total() == 49, "RULES.md section 5");

}  // namespace zg::pylos
