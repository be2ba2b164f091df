// A round and its reveal: RULES.md sections 2 to 4. Written once for playing and for telling.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/numberplace_city/numberplace_city.hpp"

namespace zg::numberplace_city {

// Tells nobody; facts are named and valued in turn: tell("built", "player", 0, "cell", cell).
struct Silence {
  template <class... Facts>
  void operator()(std::string_view, const Facts&...) const {}
};

class Report {
 public:
  template <class... Facts>
  void operator()(std::string_view name, const Facts&... facts) {
    events_.push_back({name, {}});
    add(facts...);
  }
  std::vector<Event> take() { return std::move(events_); }

 private:
  static Event::Value value(int x) { return std::int64_t{x}; }
  static Event::Value value(std::string_view text) { return std::string(text); }
  static Event::Value value(Cell cell) { return cell_text(cell); }
  static Event::Value value(const Cells& cells) { return cells_text(cells); }

  void add() {}
  template <class T, class... Facts>
  void add(std::string_view name, const T& fact, const Facts&... facts) {
    events_.back().facts.emplace_back(name, value(fact));
    add(facts...);
  }

  std::vector<Event> events_;
};

template <class Tell>
class Round {
  using G = NumberplaceCity;
  using State = G::State;
  using Seat = G::Seat;
  using Laid = G::Laid;
  using LaidList = G::LaidList;
  using Ended = G::Ended;
  using Status = G::Status;

 public:
  Round(State& s, Tell& tell) : s_(s), tell_(tell) {}

  void play(const Move& m) {
    if (m.is_of_a_round()) {
      act(m);
      s_.turns += s_.options.max_turns != 0;
    } else {
      decide(m);
    }
    if (G::is_over_limit(s_)) tell_end("limit");
  }
  // From the set-up on. [NC-1.4]
  void begin() { begin_round(); }

 private:
  // ---- laying and passing ----
  void act(const Move& m) {
    const int mover = G::to_move(s_);
    const bool solo = m.kind == Kind::Lay && G::num_active(s_) == 1;  // [NC-2.5]
    m.kind == Kind::Lay ? lay(mover, m) : pass(mover, m);
    if (s_.end.how != Ended::No) return;
    const int places = G::num_places(s_);
    do ++s_.place;
    while (s_.place < places && !s_.seat(G::seat_at(s_, s_.place)).is_active());
    if (s_.place >= places) reveal(solo);
  }
  void lay(int mover, const Move& m) {
    s_.seat(mover).hand -= Tiles::one(m.number);
    s_.laid.push_back({m.cell, m.number, static_cast<std::uint8_t>(mover)});
    tell_("laid", "player", mover, "cell", m.cell);
  }
  void pass(int mover, const Move& m) {
    Seat& seat = s_.seat(mover);
    if (m.kind == Kind::PassWith) {
      seat.hand -= Tiles::one(m.number);
      seat.penalties += Tiles::one(m.number);
    }
    if (m.kind == Kind::PassWith && s_.options.penalties_open)
      tell_("passed", "player", mover, "number", int{m.number});
    else
      tell_("passed", "player", mover);
    if (!G::is_final(s_)) return;
    seat.status = Status::Passed;
    if (G::num_active(s_) == 0) end(Ended::Count);
  }

  // ---- the reveal ----
  void reveal(bool solo) {
    s_.place = G::kAllHaveActed;
    if (solo && s_.options.solo_point == SoloPoint::Laid && score_solo(s_.laid.back().seat)) return;  // [NC-3.1]
    const LaidList laid = s_.laid;
    s_.laid = {};
    const LaidList claims = against_board(within_round(laid));
    if (const Laid* rest = build(claims, solo)) return leave(laid, rest, claims.end());
    if (eliminate()) return;
    give_bonus(claims);
  }
  // A solo tile's point; true if it wins.
  bool score_solo(int seat) {
    ++s_.seat(seat).points;
    tell_("solo_point", "player", seat, "points", int{s_.seat(seat).points});
    return wins_by_points(seat);
  }
  bool wins_by_points(int seat) {
    if (s_.seat(seat).points < s_.options.points_to_win) return false;
    end(Ended::Points, seat);
    return true;
  }

  // [NC-3.2]
  LaidList within_round(const LaidList& laid) {
    LaidList claims;
    for (const Laid& tile : laid) {
      Laid* here = std::find_if(claims.begin(), claims.end(), [&](const Laid& c) { return c.cell == tile.cell; });
      if (here != claims.end()) {
        if (here->number != tile.number) {
          knock_out(tile, "other_number", *here);
        } else {
          knock_out(*here, "same_number", tile);
          *here = tile;
        }
        continue;
      }
      const Laid* clash = std::find_if(claims.begin(), claims.end(), [&](const Laid& c) {
        return c.number == tile.number && peers(tile.cell).contains(c.cell.value());
      });
      if (clash != claims.end())
        knock_out(tile, "line", *clash);
      else
        claims.push_back(tile);
    }
    return claims;
  }
  void knock_out(const Laid& tile, std::string_view reason, const Laid& by) {
    s_.seat(tile.seat).penalties += Tiles::one(tile.number);
    tell_("knocked_out", "player", int{tile.seat}, "cell", tile.cell, "number", int{tile.number}, "reason", reason,
          "by", int{by.seat});
  }

  // [NC-3.3] The claims that stand.
  LaidList against_board(const LaidList& claims) {
    const Board before = s_.board;
    LaidList standing;
    for (const Laid& claim : claims) {
      const Cells contradicting = before.contradictions(claim.cell, claim.number);
      if (contradicting.any())
        fall(claim, contradicting);
      else
        standing.push_back(claim);
    }
    return standing;
  }
  void fall(const Laid& claim, const Cells& tiles) {
    Cells taken = tiles & s_.board.built(claim.number);  // not by an earlier claim
    if (taken.any() && s_.options.board_conflict == BoardConflict::One) taken = Cells::single(taken.lowest());
    s_.board.take(taken, claim.number);
    for (int i = taken.count(); i >= 0; --i) s_.seat(claim.seat).penalties += Tiles::one(claim.number);
    tell_("contradicted", "player", int{claim.seat}, "cell", claim.cell, "number", int{claim.number}, "tiles", tiles,
          "taken", taken);
  }

  // [NC-3.4] to [NC-3.6]; if the game is won the claims after the one that won it.
  const Laid* build(const LaidList& claims, bool solo) {
    for (const Laid& claim : claims) {
      Seat& builder = s_.seat(claim.seat);
      s_.board.flip(claim.cell, claim.number);
      const int points = points_for(s_.board, claim.cell, s_.options.exclusive(claim.seat));
      builder.points = static_cast<std::uint8_t>(builder.points + points);
      tell_("built", "player", int{claim.seat}, "cell", claim.cell, "number", int{claim.number}, "points", points);
      const bool won =
          solo && s_.options.solo_point == SoloPoint::Built ? score_solo(claim.seat) : wins_by_points(claim.seat);
      if (won || wins_by_area(claim.seat)) return &claim + 1;
    }
    return nullptr;
  }
  // What is not built any more stays laid, in laying order: a claim may have inherited its place. [NC-3.6]
  void leave(const LaidList& laid, const Laid* begin, const Laid* end) {
    for (const Laid* tile = laid.begin(); tile != laid.end(); ++tile) {
      const bool again = std::find(tile + 1, laid.end(), *tile) != laid.end();  // then this one was knocked out
      if (!again && std::find(begin, end, *tile) != end) s_.laid.push_back(*tile);
    }
  }
  bool wins_by_area(int builder) {
    if (has_full_area(builder)) return end(Ended::Area, builder);
    for (int steps = 0; steps < s_.options.players; ++steps)
      if (const int p = G::clockwise(s_, s_.start, steps); s_.seat(p).is_in() && has_full_area(p))
        return end(Ended::Area, p);
    return false;
  }
  bool has_full_area(int seat) const { return s_.board.covers(G::area(s_, seat)); }

  // [NC-3.7] True if the game has ended.
  bool eliminate() {
    const int limit = s_.options.penalties_that_eliminate();
    bool anybody = false;
    for (int p = 0; p < s_.options.players; ++p) {
      Seat& seat = s_.seat(p);
      const int penalties = seat.penalties.total();
      if (!seat.is_in() || penalties < limit) continue;
      seat.status = Status::Out;
      anybody = true;
      tell_("eliminated", "player", p, "penalties", penalties);
    }
    if (!anybody) return false;
    const int in = G::num_in(s_);
    if (in == 0) return end(Ended::Nobody);
    if (in > 1) {
      if (G::num_active(s_) > 0) return false;
      return end(Ended::Count);
    }
    for (int p = 0; p < s_.options.players; ++p)
      if (s_.seat(p).is_in()) end(Ended::Last, p);
    return true;
  }

  // ---- the bonus ----
  // [NC-3.8] To the owner of the lowest tile built.
  void give_bonus(const LaidList& built) {
    if (built.size() == 0) return finish();
    const Laid& lowest = *std::min_element(built.begin(), built.end(), [&](const Laid& a, const Laid& b) {
      if (a.number != b.number) return a.number < b.number;
      return G::distance(s_, s_.start, a.seat) < G::distance(s_, s_.start, b.seat);
    });
    if (s_.seat(lowest.seat).is_in() && ask({lowest.seat, lowest.number, 0})) {
      tell_("bonus", "player", int{lowest.seat}, "number", int{lowest.number});
    } else {
      tell_("bonus_lapsed", "player", int{lowest.seat}, "number", int{lowest.number});
      finish();
    }
  }
  // Asks for the decision after this one, if there is any. [NC-4.2] [NC-4.3]
  bool ask(G::Bonus bonus) {
    const bool all = s_.options.bonus_scope == BonusScope::AllUpTo;
    for (int step = all ? bonus.step + 1 : bonus.number; step <= bonus.number; ++step) {
      bonus.step = static_cast<std::uint8_t>(step);
      if ((all && !G::is_first_of_effect(s_.options, step)) || !G::asks_something(s_, bonus)) continue;
      s_.bonus = bonus;
      return true;
    }
    return false;
  }
  void decide(const Move& m) {
    const G::Bonus bonus = s_.bonus;
    if (use(m, bonus.seat)) return;
    if (s_.options.bonus_scope != BonusScope::AllUpTo || !ask(bonus)) finish();
  }
  // [NC-4.1] True if it wins.
  bool use(const Move& m, int mover) {
    Seat& seat = s_.seat(mover);
    switch (m.kind) {
      case Kind::Remove: {
        const int number = s_.board.number_at(m.cell);
        s_.board.flip(m.cell, number);
        s_.discard += Tiles::one(number);
        tell_("removed", "player", mover, "cell", m.cell, "number", number);
        return false;
      }
      case Kind::Start:
        s_.next_start = static_cast<std::uint8_t>(mover);
        tell_("start_player", "player", mover);
        return false;
      case Kind::Discard:
        seat.penalties -= Tiles::one(m.number);
        s_.discard += Tiles::one(m.number);
        tell_("discarded", "player", mover, "number", int{m.number});
        return false;
      case Kind::Turn:
        s_.board.turn(m.turn);
        tell_("turned", "player", mover, "turn", kTurnNames[m.turn]);
        return false;
      case Kind::Point:
        ++seat.points;
        tell_("point", "player", mover, "points", int{seat.points});
        return wins_by_points(mover);
      case Kind::Win: tell_("bonus_win", "player", mover); return end(Ended::Bonus, mover);
      default: tell_("declined", "player", mover); return false;
    }
  }

  // ---- between rounds ----
  void finish() {
    s_.bonus = {};
    begin_round();
  }
  // [NC-4.4]
  void refill() {
    for (int steps = 0; steps < s_.options.players; ++steps)
      if (const int p = G::clockwise(s_, s_.start, steps); s_.seat(p).is_active()) fill_hand(p);
  }
  void fill_hand(int p) {
    int drawn = 0;
    for (int wanted = kMostHand - s_.seat(p).hand.total(); wanted > 0 && renew_supply(); --wanted, ++drawn)
      s_.seat(p).hand += Tiles::one(s_.supply.draw());
    if (drawn > 0) tell_("refilled", "player", p, "tiles", drawn);
  }
  // True if there is a tile to draw; the discard becomes one where it may. [NC-4.5]
  bool renew_supply() {
    if (s_.supply.empty() && s_.options.recycle && s_.discard.any()) {
      tell_("recycled", "tiles", s_.discard.total());
      s_.supply = Supply(s_.discard);
      s_.chance.shuffle(s_.supply);
      s_.discard = {};
    }
    return !s_.supply.empty();
  }
  // [NC-4.6] After the refill.
  void begin_round() {
    refill();
    int start = s_.next_start;
    while (!s_.seat(start).is_in()) start = G::clockwise(s_, start, 1);
    if (start != s_.next_start) tell_("start_player", "player", start);
    s_.start = s_.next_start = static_cast<std::uint8_t>(start);
    if (!G::can_anyone_lay(s_)) {
      end(Ended::Count);
      return;
    }
    s_.place = 0;
    while (!s_.seat(G::seat_at(s_, s_.place)).is_active()) ++s_.place;
  }

  bool end(Ended how, int winner = 0) {
    s_.end = {how, static_cast<std::uint8_t>(winner)};
    s_.place = G::kAllHaveActed;
    s_.bonus = {};
    s_.next_start = s_.start;
    tell_end(G::kEndNames[static_cast<std::size_t>(how)]);
    return true;
  }
  void tell_end(std::string_view how) {
    if constexpr (!std::is_same_v<Tell, Silence>) {
      std::string winners;
      for_each_bit(G::winners(s_), [&](int p) { winners += (winners.empty() ? "" : "+") + std::to_string(p); });
      tell_("end", "by", how, "winners", std::string_view(winners.empty() ? "-" : winners));
    }
  }

  State& s_;
  Tell& tell_;
};

}  // namespace zg::numberplace_city
