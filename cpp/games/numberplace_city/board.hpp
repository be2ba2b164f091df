// The city: cells, lines, and a set of cells for each number.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/cellset.hpp"
#include "core/index.hpp"
#include "core/text.hpp"
#include "games/numberplace_city/options.hpp"
#include "games/numberplace_city/tiles.hpp"

namespace zg::numberplace_city {

inline constexpr int kSide = 9;
inline constexpr int kNumCells = kSide * kSide;
inline constexpr int kNumTurns = 3;  // left, 180, right

using Cell = Index<struct CellTag, kNumCells>;
using Cells = CellSet<kNumCells>;

constexpr int row_of(int cell) { return cell / kSide; }
constexpr int column_of(int cell) { return cell % kSide; }
constexpr int block_of(int cell) { return row_of(cell) / 3 * 3 + column_of(cell) / 3; }

namespace detail {

using Words = Cells::Words;

constexpr void put_cell(Words& words, int cell) { words[static_cast<std::size_t>(cell / 64)] |= bit(cell % 64); }

template <class F>
constexpr Words cells_where(F&& holds) {
  Words words{};
  for (int cell = 0; cell < kNumCells; ++cell)
    if (holds(cell)) put_cell(words, cell);
  return words;
}

template <std::size_t N, class F>
constexpr std::array<Words, N> table_of(F&& words_of) {
  std::array<Words, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = words_of(static_cast<int>(i));
  return out;
}

inline constexpr auto kRows = table_of<kSide>([](int i) { return cells_where([&](int c) { return row_of(c) == i; }); });
inline constexpr auto kColumns =
    table_of<kSide>([](int i) { return cells_where([&](int c) { return column_of(c) == i; }); });
inline constexpr auto kBlocks =
    table_of<kNumBlocks>([](int i) { return cells_where([&](int c) { return block_of(c) == i; }); });

// All sets of blocks.
constexpr Words blocks_together(int blocks) {
  Words words{};
  for (std::size_t b = 0; b < kNumBlocks; ++b)
    if ((blocks >> b & 1) != 0)
      for (std::size_t w = 0; w < words.size(); ++w) words[w] |= kBlocks[b][w];
  return words;
}
inline constexpr auto kBlockSets = table_of<(1 << kNumBlocks)>(blocks_together);

// The other cells of the lines of a cell.
constexpr Words peers_of(int cell) {
  const auto row = static_cast<std::size_t>(row_of(cell));
  const auto column = static_cast<std::size_t>(column_of(cell));
  const auto block = static_cast<std::size_t>(block_of(cell));
  Words words{};
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = kRows[row][w] | kColumns[column][w] | kBlocks[block][w];
  words[static_cast<std::size_t>(cell / 64)] &= ~bit(cell % 64);
  return words;
}
inline constexpr auto kPeers = table_of<kNumCells>(peers_of);

// Where a cell goes when the board turns. [NC-7.1]
constexpr int turned(int cell, int turn) {
  for (int quarters = turn; quarters >= 0; --quarters) cell = kSide * (kSide - 1 - column_of(cell)) + row_of(cell);
  return cell;
}
static_assert(turned(0, 0) == 72 && turned(0, 1) == 80 && turned(0, 2) == 8 && turned(5, 0) == 27);

}  // namespace detail

inline Cells row_cells(int i) { return Cells(detail::kRows[static_cast<std::size_t>(i)]); }
inline Cells column_cells(int i) { return Cells(detail::kColumns[static_cast<std::size_t>(i)]); }
inline Cells block_cells(int i) { return Cells(detail::kBlocks[static_cast<std::size_t>(i)]); }
inline Cells cells_of(BlockMask blocks) { return Cells(detail::kBlockSets[blocks]); }
inline Cells peers(Cell cell) { return Cells(detail::kPeers[cell.index()]); }

// Built tiles. No two equal numbers share a line.
class Board {
 public:
  Board() : filled_(Cells::empty()) { built_.fill(Cells::empty()); }

  const Cells& filled() const { return filled_; }
  const Cells& built(int number) const { return built_[index(number)]; }
  int number_at(Cell cell) const {  // 0: none
    int number = 0;
    if (filled_.contains(cell.value()))
      for (number = 1; !built(number).contains(cell.value()); ++number) {
      }
    return number;
  }
  // Built tiles of the number in the lines of the cell.
  Cells contradictions(Cell cell, int number) const { return built(number) & peers(cell); }
  bool covers(const Cells& cells) const { return !cells.minus(filled_).any(); }

  void flip(Cell cell, int number) {  // puts a tile there, or takes it away
    const Cells one = Cells::single(cell.value());
    built_[index(number)] = built_[index(number)] ^ one;
    filled_ = filled_ ^ one;
  }
  void take(const Cells& cells, int number) {  // they all have that number
    built_[index(number)] = built_[index(number)].minus(cells);
    filled_ = filled_.minus(cells);
  }
  void turn(int turn) {
    const Board before = *this;
    *this = Board();
    for (int n = 1; n <= kNumNumbers; ++n)
      before.built(n).for_each([&](int cell) { flip(Cell(detail::turned(cell, turn)), n); });
  }

  std::uint64_t hash(std::uint64_t h) const {
    for (const Cells& cells : built_) h = cells.hash(h);
    return h;
  }
  friend bool operator==(const Board&, const Board&) = default;

 private:
  static constexpr std::size_t index(int number) { return static_cast<std::size_t>(number - 1); }

  std::array<Cells, kNumNumbers> built_;
  Cells filled_;
};

// What one more tile fills, in points, of whoever owns these exclusive blocks. [NC-3.4]
inline int points_for(const Board& after, Cell cell, BlockMask exclusive) {
  const int block = block_of(cell.value());
  return after.covers(row_cells(row_of(cell.value()))) + after.covers(column_cells(column_of(cell.value()))) +
         after.covers(block_cells(block)) * (1 + (exclusive >> block & 1));
}

inline std::string cell_text(Cell cell) {
  return {'r', static_cast<char>('1' + row_of(cell.value())), 'c', static_cast<char>('1' + column_of(cell.value()))};
}

inline std::string cells_text(const Cells& cells) {
  std::string out;
  cells.for_each([&](int cell) { out += (out.empty() ? "" : "+") + cell_text(Cell(cell)); });
  return out.empty() ? "-" : out;
}

inline Cell read_cell(Cursor& in) {
  in.expect('r');
  const int row = read_number(in) - 1;
  in.expect('c');
  return Cell(kSide * row + read_number(in) - 1);
}

}  // namespace zg::numberplace_city
