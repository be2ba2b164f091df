// What is legal in Numberplace City, why other things are not, and who wins: RULES.md sections 2, 4 and 5.
#pragma once

#include <utility>

#include "games/numberplace_city/numberplace_city.hpp"
#include "games/numberplace_city/round.hpp"

namespace zg::numberplace_city {

inline NumberplaceCity::LegalSet NumberplaceCity::legal(const State& s) {
  LegalSet legal;
  if (s.bonus.is_pending()) {
    add_decisions(s, legal);
  } else if (!is_terminal(s)) {
    const int mover = to_move(s);
    const bool free_pass = passes_free(s, mover);
    legal.lay_on(layable(s, mover));
    s.seat(mover).hand.for_each_number([&](int number) {
      legal.add_number(number);
      if (!free_pass) legal.add(Kind::PassWith, number - 1);
    });
    if (free_pass) legal.add(Kind::Pass);
  }
  return legal;
}

inline void NumberplaceCity::add_decisions(const State& s, LegalSet& legal) {
  for_each_effect(s.options, s.bonus, [&](Effect effect) {
    switch (effect) {
      case Effect::Remove: legal.add(Kind::Remove, s.board.filled()); break;
      case Effect::Start: legal.add(Kind::Start); break;
      case Effect::Discard:
        s.seat(s.bonus.seat).penalties.for_each_number([&](int number) { legal.add(Kind::Discard, number - 1); });
        break;
      case Effect::Turn:
        for (int turn = 0; turn < kNumTurns; ++turn) legal.add(Kind::Turn, turn);
        break;
      case Effect::Point: legal.add(Kind::Point); break;
      case Effect::Win: legal.add(Kind::Win); break;
      case Effect::None: break;
    }
  });
  legal.add(Kind::Decline);
}

// What anyone at the table sees, and the mover's own hand: nothing else is looked at.
inline std::string NumberplaceCity::why_illegal(const State& s, Action a) {
  if (is_legal(s, a)) return "";
  if (is_terminal(s)) return "the game is over";
  const Move m = decode_move(a);
  if (s.bonus.is_pending())
    return m.is_of_a_round() ? "[NC-4.2] a bonus is to be decided first" : why_not_of_the_bonus(s, m);
  return m.is_of_a_round() ? why_not_of_a_round(s, m) : "[NC-4.2] no bonus is to be decided";
}

inline std::string NumberplaceCity::why_not_of_a_round(const State& s, const Move& m) {
  const int mover = to_move(s);
  if (m.kind == Kind::Pass) return "[NC-7.1] a pass costs one of the tiles in hand";
  if (m.kind == Kind::PassWith && passes_free(s, mover)) return "[NC-7.1] a pass costs no tile";
  if (s.seat(mover).hand[m.number] == 0)
    return (m.kind == Kind::Lay ? "[NC-2.2] no " : "[NC-2.3] no ") + std::to_string(m.number) + " in hand";
  if (!area(s, mover).contains(m.cell.value())) return "[NC-2.2] " + cell_text(m.cell) + " is not in the player's area";
  return "[NC-2.2] a tile is built on " + cell_text(m.cell);
}

inline std::string NumberplaceCity::why_not_of_the_bonus(const State& s, const Move& m) {
  bool offered = false;
  const auto effect = static_cast<Effect>(static_cast<int>(m.kind) - static_cast<int>(Kind::Remove));
  for_each_effect(s.options, s.bonus, [&](Effect each) { offered |= each == effect; });
  if (!offered) return "[NC-4.2] the bonus of a " + std::to_string(s.bonus.number) + " does not have this effect here";
  if (m.kind == Kind::Remove) return "[NC-4.1] no tile is built on " + cell_text(m.cell);
  return "[NC-4.1] no " + std::to_string(m.number) + " among the penalty tiles";
}

inline void NumberplaceCity::apply(State& s, Action a) {
  Silence silence;
  Round<Silence>(s, silence).play(decode_move(a));
}

inline std::vector<Event> NumberplaceCity::events(const State& s, Action a) {
  State after = s;
  Report report;
  Round<Report>(after, report).play(decode_move(a));
  return report.take();
}

// [NC-5.1] Where nobody has won otherwise: most points of those in, then fewest penalty tiles.
inline PlayerMask NumberplaceCity::winners(const State& s) {
  if (!is_terminal(s) || s.end.how == Ended::Nobody) return 0;
  if (s.end.has_winner()) return PlayerMask{1} << s.end.winner;
  const auto rank = [&](int p) { return std::pair(s.seat(p).points, -s.seat(p).penalties.total()); };
  auto best = std::pair(std::uint8_t{0}, -kMostTiles - 1);
  PlayerMask out = 0;
  for (int p = 0; p < s.options.players; ++p) {
    if (!s.seat(p).is_in() || rank(p) < best) continue;
    if (rank(p) > best) out = 0;
    best = rank(p);
    out |= PlayerMask{1} << p;
  }
  return out;
}

inline std::uint64_t NumberplaceCity::hash(const State& s) {
  std::uint64_t h = s.board.hash(s.options.hash());
  for (const Seat& seat : s.in_use()) {
    h = hash_append(h,
                    seat.hand.hash() << 16 | std::uint64_t{seat.points} << 8 | static_cast<std::uint64_t>(seat.status));
    h = hash_append(h, seat.penalties.hash());
  }
  for (const Laid& laid : s.laid)
    h = h * 4096 + static_cast<std::uint64_t>(laid.cell.value() * 40 + laid.number * 4 + laid.seat);
  h = hash_append(h, s.discard.hash());
  h = hash_append(h, std::uint64_t{s.turns} << 48 | std::uint64_t{s.start} << 40 | std::uint64_t{s.next_start} << 36 |
                         std::uint64_t{s.place} << 32 | std::uint64_t{s.bonus.seat} << 24 |
                         std::uint64_t{s.bonus.number} << 20 | std::uint64_t{s.bonus.step} << 16 |
                         static_cast<std::uint64_t>(s.end.how) << 8 | s.end.winner);
  h = hash_append(hash_append(h, s.chance.key), s.chance.counter);
  return s.supply.hash(hash_append(h, s.laid.size()));
}

}  // namespace zg::numberplace_city
