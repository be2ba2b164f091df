// What must hold of every position, and of every text of one: RULES.md, NC-8.4.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "games/numberplace_city/numberplace_city.hpp"

namespace zg::numberplace_city {

namespace detail {

class Faults {
  using G = NumberplaceCity;
  using State = G::State;
  using Seat = G::Seat;
  using Status = G::Status;
  using Ended = G::Ended;

 public:
  explicit Faults(const State& s) : s_(s), o_(s.options) {}

  // The first fault in the order of the rules page; empty if there is none.
  std::string_view first() const {
    for (const auto fault : {&Faults::stages, &Faults::board, &Faults::tiles, &Faults::laid, &Faults::seats,
                             &Faults::points, &Faults::before_the_end, &Faults::after_the_end, &Faults::turns})
      if (const std::string_view found = (this->*fault)(); !found.empty()) return found;
    return "";
  }

 private:
  bool has_ended() const { return s_.end.how != Ended::No; }

  std::string_view stages() const {
    const bool acting = s_.place != G::kAllHaveActed;
    return acting + s_.bonus.is_pending() + has_ended() == 1 ? "" : "not exactly one of place, bonus and end is there";
  }
  std::string_view board() const {
    Cells filled = Cells::empty();
    for (int n = 1; n <= kNumNumbers; ++n) {
      const Cells& built = s_.board.built(n);
      bool clash = false;
      built.for_each([&](int cell) { clash |= s_.board.contradictions(Cell(cell), n).any(); });
      if (clash) return "two equal numbers share a line";
      if (filled.intersects(built)) return "two tiles are built on one cell";
      filled |= built;
    }
    return filled == s_.board.filled() ? "" : "the board is not what is built on it";
  }
  std::string_view tiles() const {
    std::array<int, kNumNumbers + 1> count{};
    const auto add = [&](Tiles tiles) {
      for (std::size_t n = 1; n < count.size(); ++n) count[n] += tiles[static_cast<int>(n)];
    };
    // One by one: a text may have more tiles of a number than Tiles can hold.
    for (std::size_t i = 0; i < s_.supply.size(); ++i) ++count[static_cast<std::size_t>(s_.supply[i])];
    for (std::size_t n = 1; n < count.size(); ++n) count[n] += s_.board.built(static_cast<int>(n)).count();
    add(s_.discard);
    for (const Seat& seat : s_.seats) {
      add(seat.hand);
      add(seat.penalties);
      if (seat.hand.total() > kMostHand) return "a hand has more than four tiles";
    }
    for (const auto& laid : s_.laid) ++count[laid.number];
    const bool all = std::all_of(count.begin() + 1, count.end(), [&](int n) { return n == o_.tiles_per_number; });
    return all ? "" : "there are not so many tiles of each number as option tiles_per_number says";
  }
  std::string_view laid() const {
    if (s_.laid.size() == 0) return "";
    if (s_.bonus.is_pending() || (has_ended() && s_.end.how != Ended::Points && s_.end.how != Ended::Area))
      return "tiles are laid when all have been revealed";
    int place = -1;
    for (const auto& laid : s_.laid) {
      if (!G::layable(s_, laid.seat).contains(laid.cell.value()))
        return "a laid tile lies on a built one or outside its owner's area";
      if (!s_.seat(laid.seat).is_active()) return "the owner of a laid tile has passed for good or is out";
      do ++place;
      while (place < s_.place && place < G::num_places(s_) && G::seat_at(s_, place) != laid.seat);
      if (place >= std::min<int>(s_.place, G::num_places(s_))) return "a tile is laid that is not of this round";
    }
    return "";
  }
  std::string_view seats() const {
    for (std::size_t p = 0; p < s_.seats.size(); ++p) {
      const Seat& seat = s_.seats[p];
      if (p >= o_.players && !(seat == Seat{})) return "a seat that nobody has is not empty";
      if (!seat.is_in() && seat.penalties.total() < o_.penalties_that_eliminate())
        return "a player is out with fewer penalty tiles than that takes";
      if (seat.status == Status::Passed && !G::is_final(s_))
        return "a player has passed for good before the final phase";
    }
    return "";
  }
  std::string_view points() const {
    for (int p = 0; p < o_.players; ++p) {
      const int points = s_.seat(p).points;
      const bool won = s_.end.how == Ended::Points && s_.end.winner == p;
      if (won != (points >= o_.points_to_win)) return "points to win, and a win by points, go together";
      if (points > o_.points_to_win + 4) return "points are above what a win can have";
    }
    return "";
  }
  std::string_view before_the_end() const {
    if (has_ended()) return s_.next_start == s_.start ? "" : "there is no next start player after the end";
    if (G::num_in(s_) < 2) return "fewer than two players are in, and the game goes on";
    if (G::num_active(s_) == 0) return "all have passed for good, and the game goes on";
    return s_.bonus.is_pending() ? bonus() : acting();
  }
  std::string_view acting() const {
    if (!s_.seat(s_.start).is_in()) return "the start player is out";
    if (!s_.seat(G::to_move(s_)).is_active()) return "the player to move has passed for good or is out";
    return s_.next_start == s_.start ? "" : "there is a next start player, and no bonus";
  }
  std::string_view bonus() const {
    const G::Bonus& bonus = s_.bonus;
    const bool all = o_.bonus_scope == BonusScope::AllUpTo;
    if (s_.next_start != s_.start && (!all || s_.next_start != bonus.seat || !start_came_before(bonus.step)))
      return "the next start player is not who decides effects of a bonus after `s`";
    if (!s_.seat(bonus.seat).is_active()) return "who decides the bonus has passed for good or is out";
    if (bonus.step > bonus.number || (all && !G::is_first_of_effect(o_, bonus.step)))
      return "the bonus is at no effect";
    return G::asks_something(s_, bonus) ? "" : "the bonus offers no choice";
  }
  bool start_came_before(int step) const {
    for (int n = 1; n < step; ++n)
      if (o_.effect(n) == Effect::Start) return true;
    return false;
  }
  std::string_view after_the_end() const {
    const auto& [how, winner] = s_.end;
    if (s_.end.has_winner() && !s_.seat(winner).is_in()) return "the winner is out";
    if (how == Ended::Area && !s_.board.covers(G::area(s_, winner))) return "the winner's area is not full";
    if (how == Ended::Last && G::num_in(s_) != 1) return "the last player in is not the only one";
    if (how == Ended::Nobody && G::num_in(s_) != 0) return "nobody has won, and somebody is in";
    if (how == Ended::Count && (G::num_in(s_) < 2 || G::can_anyone_lay(s_)))
      return "the game has ended by points without a cause";
    return "";
  }
  std::string_view turns() const { return s_.turns > o_.max_turns ? "more turns than the limit" : ""; }

  const State& s_;
  const Options& o_;
};

}  // namespace detail

inline std::string_view NumberplaceCity::broken_invariant(const State& s) { return detail::Faults(s).first(); }

}  // namespace zg::numberplace_city
