// The board: its colours, and where towers and pawns stand.
#pragma once

#include <array>
#include <cstdint>

#include "core/index.hpp"
#include "games/blox/cards.hpp"
#include "games/blox/lines.hpp"

namespace zg::blox {

template <int Size>
class Board {
 public:
  static constexpr int kFields = Size * Size;
  static constexpr Places kLine = (Places{1} << Size) - 1;
  using Field = Index<struct FieldTag, kFields>;
  using Rows = std::array<std::uint16_t, Size>;  // a set of fields, row by row

  static constexpr Field at(int row, int column) { return Field(row * Size + column); }
  static constexpr int row(Field f) { return f.value() / Size; }
  static constexpr int column(Field f) { return f.value() % Size; }

  // ---- colours ----
  Board() = default;
  Board(const Faces& faces, int sides) {
    for (int q = 0; q < kNumQuarters; ++q) {
      const Quarter quarter(Size, q);
      const Face& face = faces[static_cast<std::size_t>(2 * q + (sides >> q & 1))];
      for (int f = 0; f < face.fields; ++f)
        paint(quarter.top + f / quarter.columns, quarter.left + f % quarter.columns, face.colour(f));
    }
  }
  Lanes row_lanes(int row) const { return rows_[index(row)]; }
  int colour(Field f) const { return std::countr_zero(rows_[index(row(f))].on(Places{1} << column(f)).colours()); }

  // ---- pieces ----
  bool is_free(Field f) const { return (row_pieces_[index(row(f))] >> column(f) & 1) == 0; }
  Places row_pieces(int row) const { return row_pieces_[index(row)]; }
  Counts tower(Field f) const { return towers_[f.index()]; }
  int standing(int height) const { return standing_[index(height - 1)]; }  // towers of that height, 1 to 4
  void flip_piece(Field f) {
    row_pieces_[index(row(f))] ^= static_cast<std::uint16_t>(1 << column(f));
    column_pieces_[index(column(f))] ^= static_cast<std::uint16_t>(1 << row(f));
  }
  void put_tower(Field f, Counts blocks) { change_tower(f, blocks, blocks.total(), 1); }
  Counts take_tower(Field f) {
    const Counts blocks = tower(f);
    change_tower(f, {}, blocks.total(), -1);
    return blocks;
  }
  // f(field), ascending.
  template <class F>
  void for_each_tower(F&& f) const {
    for (int r = 0; r < Size; ++r) for_each_bit(row_towers_[index(r)], [&](int c) { f(at(r, c)); });
  }

  // ---- lines ----
  struct View {
    Lanes open;      // the colours of the free fields in a direction, by their places on the line
    Field obstacle;  // what ends them; none at the board's edge
  };
  // In all directions.
  std::array<View, kNumDirections> views(Field from) const {
    const std::size_t r = index(row(from));
    const std::size_t c = index(column(from));
    const auto seen = [&](Lanes line, const Sight& s, bool vertical) {
      return View{line.on(s.open),
                  s.obstacle < 0 ? Field{} : on_line(vertical, static_cast<int>(vertical ? c : r), s.obstacle)};
    };
    return {seen(columns_[c], sight_down(column_pieces_[c], row(from)), true),
            seen(rows_[r], sight_up(row_pieces_[r], column(from)), false),
            seen(columns_[c], sight_up(column_pieces_[c], row(from)), true),
            seen(rows_[r], sight_down(row_pieces_[r], column(from)), false)};
  }
  View view(Field from, Direction d) const { return views(from)[static_cast<std::size_t>(d)]; }
  // For each colour the first field of a view, by its place on the line.
  static Lanes firsts(const View& view, Direction d) {
    return is_ascending(d) ? view.open.lowest() : view.open.highest();
  }
  // The first field of a colour that a view holds.
  static Field first(const View& view, Field from, Direction d, int colour) {
    const bool vertical = is_vertical(d);
    return on_line(vertical, vertical ? column(from) : row(from), std::countr_zero(firsts(view, d).of(colour)));
  }

  // ---- access of towers [BX-3.6] ----
  bool may_hold_tower(Field f, const Options& options) const {
    Rows open;
    for (int r = 0; r < Size; ++r) open[index(r)] = static_cast<std::uint16_t>(~row_towers_[index(r)] & kLine);
    open[index(row(f))] &= static_cast<std::uint16_t>(~(1 << column(f)));
    if (options.reach == Reach::Region) open = joined_to_edge(open);
    if (options.reach_new && !touches(open, row(f), column(f))) return false;
    return keeps_access(open, row(f) - 1, column(f)) && keeps_access(open, row(f) + 1, column(f)) &&
           keeps_access(open, row(f), column(f) - 1) && keeps_access(open, row(f), column(f) + 1);
  }

  friend bool operator==(const Board&, const Board&) = default;

 private:
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static Field on_line(bool vertical, int line, int place) { return vertical ? at(place, line) : at(line, place); }
  void paint(int row, int column, int colour) {
    rows_[index(row)].add(colour, column);
    columns_[index(column)].add(colour, row);
  }
  void change_tower(Field f, Counts blocks, int height, int step) {
    flip_piece(f);
    row_towers_[index(row(f))] ^= static_cast<std::uint16_t>(1 << column(f));
    towers_[f.index()] = blocks;
    if (height <= 4) standing_[index(height - 1)] = static_cast<std::uint8_t>(standing(height) + step);
  }

  static bool touches(const Rows& open, int row, int column) {
    const Places beside = (Places{1} << column << 1 | Places{1} << column >> 1) & open[index(row)];
    const Places above = row > 0 ? open[index(row - 1)] >> column & 1 : 0;
    const Places under = row + 1 < Size ? open[index(row + 1)] >> column & 1 : 0;
    return (beside | above | under) != 0;
  }
  bool keeps_access(const Rows& open, int row, int column) const {
    if (row < 0 || row >= Size || column < 0 || column >= Size) return true;
    return (row_towers_[index(row)] >> column & 1) == 0 || touches(open, row, column);
  }
  // The fields of a set that are connected to the edge of the board inside the set.
  static Rows joined_to_edge(const Rows& open) {
    Rows joined{};
    for (int r = 0; r < Size; ++r) {
      const Places edge = r == 0 || r == Size - 1 ? kLine : Places{1} | Places{1} << (Size - 1);
      joined[index(r)] = static_cast<std::uint16_t>(open[index(r)] & edge);
    }
    for (Rows before{}; before != joined;) {
      before = joined;
      for (int r = 0; r < Size; ++r) {
        Places grown = joined[index(r)];
        grown |= grown << 1 | grown >> 1;
        if (r > 0) grown |= joined[index(r - 1)];
        if (r + 1 < Size) grown |= joined[index(r + 1)];
        joined[index(r)] = static_cast<std::uint16_t>(grown & open[index(r)]);
      }
    }
    return joined;
  }

  std::array<Lanes, Size> rows_{};  // colours, by row and by column
  std::array<Lanes, Size> columns_{};
  Rows row_pieces_{};  // towers and pawns
  Rows column_pieces_{};
  Rows row_towers_{};
  std::array<Counts, kFields> towers_{};
  std::array<std::uint8_t, 4> standing_{};
};

}  // namespace zg::blox
