// What front ends ask (RULES.md section 11) and what random games are counted by (section 13).
#pragma once

#include <algorithm>
#include <vector>

#include "games/numberplace_city/numberplace_city.hpp"

namespace zg::numberplace_city {

namespace detail {

struct Analyses {
  using G = NumberplaceCity;
  using State = G::State;
  using Viewed = Seated<State>;
  using Ints = std::span<std::int32_t>;

  static std::vector<int> per_cell(const Options&) { return {kSide, kSide}; }
  static std::vector<int> per_number(const Options&) { return {kNumNumbers}; }
  static std::vector<int> per_number_and_cell(const Options&) { return {kNumNumbers, kSide, kSide}; }
  static std::vector<int> per_seat(const Options& o) { return {o.players}; }
  static std::vector<int> per_seat_and_block(const Options& o) { return {o.players, kNumBlocks}; }
  static std::vector<int> per_seat_and_cell(const Options& o) { return {o.players, kSide, kSide}; }

  static void areas(const Options& o, Ints out) {
    zero(out);
    for (int p = 0; p < o.players; ++p) mark(out, kNumCells * p, cells_of(o.area(p)));
  }
  static void exclusive(const Options& o, Ints out) {
    for (int p = 0; p < o.players; ++p)
      for (int b = 0; b < kNumBlocks; ++b) at(out, kNumBlocks * p + b) = o.exclusive(p) >> b & 1;
  }

  static void built(const State& s, Ints out) {
    for (int cell = 0; cell < kNumCells; ++cell) at(out, cell) = s.board.number_at(Cell(cell));
  }
  static void laid(const State& s, Ints out) {
    zero(out);
    for (const auto& laid : s.laid) ++at(out, kNumCells * laid.seat + laid.cell.value());
  }
  static void penalties(const State& s, Ints out) {
    for (int p = 0; p < s.options.players; ++p) at(out, p) = s.seat(p).penalties.total();
  }

  static void layable(const Viewed& v, Ints out) {
    zero(out);
    mark(out, 0, G::layable(v.state, v.player));
  }
  static void candidates(const Viewed& v, Ints out) {
    zero(out);
    const Cells cells = G::layable(v.state, v.player);
    for (int n = 1; n <= kNumNumbers; ++n)
      cells.for_each(
          [&](int cell) { at(out, kNumCells * (n - 1) + cell) = !v.state.board.contradictions(Cell(cell), n).any(); });
  }
  static void gain(const Viewed& v, Ints out) {
    zero(out);
    G::layable(v.state, v.player).for_each([&](int cell) {
      Board after = v.state.board;
      after.flip(Cell(cell), 1);  // which number it is makes no difference
      at(out, cell) = points_for(after, Cell(cell), v.state.options.exclusive(v.player));
    });
  }
  static void hand(const Viewed& v, Ints out) { count(out, v.state.seat(v.player).hand); }
  static void facedown(const Viewed& v, Ints out) {
    zero(out);
    for (const auto& laid : v.state.laid)
      if (laid.seat == v.player) ++at(out, kNumCells * (laid.number - 1) + laid.cell.value());
  }
  static void taken(const Viewed& v, Ints out) { count(out, v.state.seat(v.player).penalties); }

 private:
  static std::int32_t& at(Ints out, int i) { return out[static_cast<std::size_t>(i)]; }
  static void zero(Ints out) { std::fill(out.begin(), out.end(), 0); }
  static void mark(Ints out, int first, const Cells& cells) {
    cells.for_each([&](int cell) { at(out, first + cell) = 1; });
  }
  static void count(Ints out, Tiles tiles) {
    for (int n = 1; n <= kNumNumbers; ++n) at(out, n - 1) = tiles[n];
  }
};

}  // namespace detail

inline std::span<const NamedArray<Options, Options>> NumberplaceCity::tables() {
  using A = detail::Analyses;
  static const std::array<NamedArray<Options, Options>, 2> kTables{{
      {"areas", "the cells that each seat may lay on", A::per_seat_and_cell, A::areas},
      {"exclusive", "the blocks that only this seat may lay on", A::per_seat_and_block, A::exclusive},
  }};
  return kTables;
}

inline std::span<const NamedArray<Options, NumberplaceCity::State>> NumberplaceCity::analyses() {
  using A = detail::Analyses;
  static const std::array<NamedArray<Options, State>, 3> kAnalyses{{
      {"built", "the number of the tile built on each cell, or 0", A::per_cell, A::built},
      {"laid", "how many laid tiles of each seat lie on each cell", A::per_seat_and_cell, A::laid},
      {"penalties", "how many penalty tiles each seat has", A::per_seat, A::penalties},
  }};
  return kAnalyses;
}

inline std::span<const NamedArray<Options, Seated<NumberplaceCity::State>>> NumberplaceCity::views() {
  using A = detail::Analyses;
  static const std::array<NamedArray<Options, Seated<State>>, 6> kViews{{
      {"layable", "cells of the player's area without a built tile", A::per_cell, A::layable},
      {"candidates", "for each number the cells where the board does not contradict it", A::per_number_and_cell,
       A::candidates},
      {"gain", "points for lines that a tile built on each cell would fill", A::per_cell, A::gain},
      {"hand", "his tiles of each number: secret", A::per_number, A::hand},
      {"facedown", "for each number the cells of his laid tiles: secret until the reveal", A::per_number_and_cell,
       A::facedown},
      {"taken", "his penalty tiles of each number: secret where they lie face down", A::per_number, A::taken},
  }};
  return kViews;
}

namespace detail {

enum Counter : std::size_t {
  kLays,
  kPasses,
  kBonuses,  // nine
  kDeclined = kBonuses + kNumNumbers,
  kBuilt,
  kPenalties,
  kEliminated,
  kEnds,  // six, in the order of Ended
  kLimit = kEnds + 6,
  kNumCounters,
};

}  // namespace detail

inline std::span<const std::string_view> NumberplaceCity::counters() {
  static constexpr std::array<std::string_view, detail::kNumCounters> kNames{
      "lay",      "pass",      "bonus_1",  "bonus_2",    "bonus_3",   "bonus_4",   "bonus_5",    "bonus_6",
      "bonus_7",  "bonus_8",   "bonus_9",  "declined",   "built",     "penalties", "eliminated", "end_points",
      "end_area", "end_bonus", "end_last", "end_nobody", "end_count", "limit"};
  return kNames;
}

inline void NumberplaceCity::count_action(const State& s, Action a, std::span<std::int32_t> counts) {
  const Kind kind = decode_move(a).kind;
  if (kind == Kind::Lay)
    ++counts[detail::kLays];
  else if (!s.bonus.is_pending())
    ++counts[detail::kPasses];
  else if (kind == Kind::Decline)
    ++counts[detail::kDeclined];
  else
    ++counts[detail::kBonuses + s.bonus.number - 1U];
}

inline void NumberplaceCity::count_end(const State& s, std::span<std::int32_t> counts) {
  counts[detail::kBuilt] = s.board.filled().count();
  for (const Seat& seat : s.in_use()) {
    counts[detail::kPenalties] += seat.penalties.total();
    counts[detail::kEliminated] += !seat.is_in();
  }
  ++counts[s.end.how == Ended::No ? detail::kLimit : detail::kEnds + static_cast<std::size_t>(s.end.how) - 1];
}

}  // namespace zg::numberplace_city
