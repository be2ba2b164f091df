// What front ends ask, and what random games are counted by: RULES.md sections 10 and 11.
#pragma once

#include <array>
#include <vector>

#include "games/blox/blox.hpp"

namespace zg::blox {

namespace detail {

template <int Size>
class Analyses {
  using G = Blox<Size>;
  using B = Board<Size>;
  using Field = typename B::Field;
  using State = typename G::State;
  using Viewed = Seated<State>;
  using Ints = std::span<std::int32_t>;

 public:
  static std::vector<int> per_field(const Options&) { return {Size, Size}; }
  static std::vector<int> per_colour_and_field(const Options&) { return {kNumColours, Size, Size}; }
  static std::vector<int> per_seat(const Options& o) { return {o.players, kNumColours}; }
  static std::vector<int> per_line(const Options& o) { return {o.pawns, kNumDirections, kNumColours}; }
  static std::vector<int> per_colour(const Options&) { return {kNumColours}; }

  // ---- of a position [BX-10.1] ----
  static void colours(const State& s, Ints out) {
    for (int f = 0; f < B::kFields; ++f) out[index(f)] = s.board.colour(Field(f));
  }
  static void towers(const State& s, Ints out) {
    for (int c = 0; c < kNumColours; ++c)
      for (int f = 0; f < B::kFields; ++f) out[index(c * B::kFields + f)] = s.board.tower(Field(f))[c];
  }
  static void pawns(const State& s, Ints out) {
    for (int f = 0; f < B::kFields; ++f) out[index(f)] = G::owner_of(s, Field(f));
  }
  static void blocks(const State& s, Ints out) {
    for (int i = 0; i < s.options.players * kNumColours; ++i)
      out[index(i)] = s.seats[index(i / kNumColours)].blocks[i % kNumColours];
  }

  // ---- of a player [BX-10.2] ----
  static void enterable(const Viewed& v, Ints out) {
    std::fill(out.begin(), out.end(), 0);
    if (G::supply_of_pawns(v.state, seat(v)) == 0) return;
    const Entries<Size> entries(v.state.board, v.state.options.entry);
    for (int r = 0; r < Size; ++r)
      for_each_bit(entries.row(r).any_colour(), [&](int c) { out[B::at(r, c).index()] = 1; });
  }
  static void reachable(const Viewed& v, Ints out) {
    enterable(v, out);
    each_view(v, [&](std::size_t, Field from, Direction d, const auto& view) {
      for_each_bit(view.open.colours(), [&](int c) { out[B::first(view, from, d, c).index()] = 1; });
    });
  }
  static void capturable(const Viewed& v, Ints out) {
    mark_obstacles(v, out, [&](Field f, ColourMask seen) {
      const Player owner = G::owner_of(v.state, f);
      return owner >= 0 && owner != v.player && (seen >> v.state.board.colour(f) & 1) == 0;
    });
  }
  static void demolishable(const Viewed& v, Ints out) {
    mark_obstacles(v, out, [&](Field f, ColourMask seen) {
      const Counts tower = v.state.board.tower(f);
      return tower.any() && (tower.colours() & seen) == 0 && G::may_demolish(v.state, seat(v), tower.total());
    });
  }
  static void buildable(const Viewed& v, Ints out) {
    std::fill(out.begin(), out.end(), 0);
    for (const Field f : seat(v).pawns)
      if (!f.is_none()) out[f.index()] = v.state.board.may_hold_tower(f, v.state.options);
  }
  static void destinations(const Viewed& v, Ints out) {
    std::fill(out.begin(), out.end(), -1);
    each_view(v, [&](std::size_t rank, Field from, Direction d, const auto& view) {
      const std::size_t line = (rank * kNumDirections + static_cast<std::size_t>(d)) * kNumColours;
      for_each_bit(view.open.colours(), [&](int c) { out[line + index(c)] = B::first(view, from, d, c).value(); });
    });
  }
  static void hand(const Viewed& v, Ints out) {
    for (int c = 0; c < kNumColours; ++c) out[index(c)] = seat(v).hand[c];
  }

 private:
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static const typename G::Seat& seat(const Viewed& v) { return v.state.seats[index(v.player)]; }
  template <class F>
  static void each_view(const Viewed& v, F&& f) {
    const auto& pawns = seat(v).pawns;
    for (std::size_t rank = 0; rank < pawns.size() && !pawns[rank].is_none(); ++rank)
      for (const auto views = v.state.board.views(pawns[rank]); const Direction d : kDirections)
        f(rank, pawns[rank], d, views[static_cast<std::size_t>(d)]);
  }
  // Ones where is_wanted(field, colours seen before it) says so of what ends a line of sight.
  template <class F>
  static void mark_obstacles(const Viewed& v, Ints out, F&& is_wanted) {
    std::fill(out.begin(), out.end(), 0);
    each_view(v, [&](std::size_t, Field, Direction, const auto& view) {
      if (!view.obstacle.is_none() && is_wanted(view.obstacle, view.open.colours())) out[view.obstacle.index()] = 1;
    });
  }
};

}  // namespace detail

template <int Size>
std::span<const NamedArray<Options, typename Blox<Size>::State>> Blox<Size>::analyses() {
  using A = detail::Analyses<Size>;
  static const std::array<NamedArray<Options, State>, 4> kAnalyses{{
      {"colours", "the colour of each field", A::per_field, A::colours},
      {"towers", "blocks of each colour in the tower on each field", A::per_colour_and_field, A::towers},
      {"pawns", "the player whose pawn stands on each field, or -1", A::per_field, A::pawns},
      {"blocks", "blocks of each colour in front of each player", A::per_seat, A::blocks},
  }};
  return kAnalyses;
}

template <int Size>
std::span<const NamedArray<Options, Seated<typename Blox<Size>::State>>> Blox<Size>::views() {
  using A = detail::Analyses<Size>;
  static const std::array<NamedArray<Options, Seated<State>>, 7> kViews{{
      {"enterable", "fields that a pawn of the player could enter with the right card", A::per_field, A::enterable},
      {"reachable", "fields that he could enter or move to with the right card", A::per_field, A::reachable},
      {"capturable", "fields of pawns that he could capture with the right cards", A::per_field, A::capturable},
      {"demolishable", "fields of towers that he could demolish with the right cards", A::per_field, A::demolishable},
      {"buildable", "fields of his pawns where a tower would leave all towers their access", A::per_field,
       A::buildable},
      {"destinations", "for each pawn, direction and colour the field where a move ends, or -1", A::per_line,
       A::destinations},
      {"hand", "his cards of each colour: secret", A::per_colour, A::hand},
  }};
  return kViews;
}

namespace detail {

enum Counter : std::size_t { kTurns = 0, kJokers = 6, kPhases = 7, kLimits = 11, kNumCounters = 12 };

}  // namespace detail

template <int Size>
std::span<const std::string_view> Blox<Size>::counters() {
  static constexpr std::array<std::string_view, detail::kNumCounters> kNames{
      "enter", "move",    "capture", "demolish", "build",   "swap",
      "joker", "phase_1", "phase_2", "phase_3",  "phase_4", "limit"};
  return kNames;
}

template <int Size>
void Blox<Size>::count_action(const State& s, Action a, std::span<std::int32_t> counts) {
  const Move m = decode(s.options, a);
  counts[detail::kJokers] += m.is_joker();
  if (in_turn(s)) return;
  const auto turn = m.kind == Kind::Swap ? 5 : static_cast<std::size_t>(m.kind);
  ++counts[detail::kTurns + turn];
  ++counts[detail::kPhases + s.phase - 1];
}

template <int Size>
void Blox<Size>::count_end(const State& s, std::span<std::int32_t> counts) {
  counts[detail::kLimits] += !is_played_out(s);
}

}  // namespace zg::blox
