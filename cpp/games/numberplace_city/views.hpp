// How Numberplace City is seen: observation planes (RULES.md section 9) and drawings.
#pragma once

#include <algorithm>
#include <string>

#include "core/planes.hpp"
#include "games/numberplace_city/faults.hpp"
#include "games/numberplace_city/numberplace_city.hpp"
#include "games/numberplace_city/texts.hpp"

namespace zg::numberplace_city {

namespace detail {

// The planes of one position for one viewer, in the order of the rules page.
template <class Out>
class Observation {
  using G = NumberplaceCity;
  using State = G::State;
  using Seat = G::Seat;

 public:
  Observation(const State& s, Player viewer, Out& out) : s_(s), o_(s.options), viewer_(viewer), out_(out) {}

  // [NC-9.1]
  void board() {
    for (int n = 1; n <= kNumNumbers; ++n) mark(s_.board.built(n));
    each_seat([&](int p, const Seat&) { mark(G::area(s_, p)); });
    each_seat([&](int p, const Seat&) {
      out_.cells([&](auto put) {
        for (const auto& laid : s_.laid)
          if (laid.seat == p) put(laid.cell.value(), laid_on(laid.cell, p) / 2.0);
      });
    });
    each_laid([&](const auto&) { return 1.0; });
    each_laid([&](const auto& laid) { return G::sees_laid(s_, viewer_, laid) ? laid.number / 9.0 : 0.0; });
  }
  // [NC-9.2]
  void seats() {
    tiles(s_.seat(viewer_).hand, kMostHand);
    each_seat([&](int, const Seat& seat) { all(seat.hand.total() / double{kMostHand}); });
    each_seat([&](int p, const Seat& seat) {
      tiles(G::sees_penalties(s_, viewer_, p) ? seat.penalties : Tiles{}, kNumNumbers);
    });
    each_seat([&](int, const Seat& seat) { all(seat.penalties.total() / double(o_.penalties_that_eliminate())); });
    each_seat([&](int, const Seat& seat) { all(seat.points / double(o_.points_to_win)); });
    each_seat([&](int, const Seat& seat) { all(seat.is_in()); });
    each_seat([&](int, const Seat& seat) { all(seat.status == G::Status::Passed); });
    each_seat([&](int p, const Seat&) { all(p == s_.start); });
    each_seat([&](int p, const Seat&) { all(p == s_.next_start); });
    each_seat([&](int p, const Seat&) { all(!G::is_terminal(s_) && p == G::to_move(s_)); });
    for (int p = 0; p < o_.players; ++p) all(p == viewer_);
  }
  void rest() {
    for (int place = 0; place < G::kMostPlaces; ++place) all(!G::is_terminal(s_) && s_.place == place);
    for (int n = 1; n <= kNumNumbers; ++n) all(s_.bonus.number == n);
    for (int n = 1; n <= kNumNumbers; ++n) all(o_.bonus_scope == BonusScope::AllUpTo && s_.bonus.step == n);
    tiles(s_.discard, o_.tiles_per_number);
    all(static_cast<double>(s_.supply.size()) / o_.tiles());
    all(G::is_final(s_));
    all(o_.max_turns == 0 ? 0.0 : s_.turns / double(o_.max_turns));
  }

 private:
  template <class F>
  void each_seat(F&& f) {
    for (int r = 0; r < o_.players; ++r) {
      const int p = G::clockwise(s_, viewer_, r);
      f(p, s_.seat(p));
    }
  }
  template <class F>
  void each_laid(F&& value) {
    for (std::size_t i = 0; i < G::kMostPlaces; ++i)
      out_.cells([&](auto put) {
        if (i < s_.laid.size()) put(s_.laid.begin()[i].cell.value(), value(s_.laid.begin()[i]));
      });
  }
  int laid_on(Cell cell, int p) const {
    return static_cast<int>(std::count_if(s_.laid.begin(), s_.laid.end(),
                                          [&](const auto& laid) { return laid.cell == cell && laid.seat == p; }));
  }
  void mark(const Cells& cells) {
    out_.cells([&](auto put) { cells.for_each([&](int cell) { put(cell, 1.0); }); });
  }
  void all(double value) { out_.all(std::min(value, 1.0)); }
  void tiles(Tiles tiles, double most) {
    for (int n = 1; n <= kNumNumbers; ++n) all(tiles[n] / most);
  }

  const State& s_;
  const Options& o_;
  Player viewer_;
  Out& out_;
};

}  // namespace detail

template <class Out>
void NumberplaceCity::observe(const State& s, Player viewer, Out& out) {
  detail::Observation observation(s, viewer, out);
  observation.board();
  observation.seats();
  observation.rest();
}

namespace detail {

inline std::string board_drawing(const NumberplaceCity::State& s) {
  std::string out;
  for (int r = 0; r < kSide; ++r) {
    if (r % 3 == 0 && r != 0) out += "   ------+-------+------\n";
    out += "r" + std::to_string(r + 1);
    for (int c = 0; c < kSide; ++c) {
      const Cell cell(kSide * r + c);
      const int number = s.board.number_at(cell);
      const bool laid = std::any_of(s.laid.begin(), s.laid.end(), [&](const auto& tile) { return tile.cell == cell; });
      out += c % 3 == 0 && c != 0 ? " | " : " ";
      out += number != 0 ? static_cast<char>('0' + number) : laid ? '*' : '.';
    }
    out += '\n';
  }
  return out + "  c1 2 3   4 5 6   7 8 9\n";
}

}  // namespace detail

// `*` marks cells with laid tiles.
inline std::string NumberplaceCity::drawing_for(const State& s, Player viewer) {
  const detail::PositionWriter writer(s, viewer);
  std::string out = detail::board_drawing(s) + "laid: " + writer.laid();
  for (int p = 0; p < s.options.players; ++p) {
    const Seat& seat = s.seat(p);
    out += "\nplayer " + std::to_string(p) + " (blocks " + detail::blocks_text(s.options.area(p)) +
           "): " + std::to_string(seat.points) + " points, hand " + writer.hand(p) + ", penalties " +
           writer.penalties(p) + (seat.is_in() ? "" : ", out") +
           (seat.status == Status::Passed ? ", passed for good" : "");
  }
  out += "\nsupply: " + std::to_string(s.supply.size()) + " tiles, discard " + tiles_text(s.discard) + "\n";
  out += "start player " + std::to_string(s.next_start);
  if (is_terminal(s)) return out + ": the game is over (" + (is_over_limit(s) ? "limit" : writer.end()) + ")";
  out += ": player " + std::to_string(to_move(s));
  return out + (s.bonus.is_pending() ? " decides the bonus of a " + std::to_string(s.bonus.number) : " to move");
}

inline std::string NumberplaceCity::drawing(const State& s) {
  return drawing_for(s, detail::PositionWriter::kEverybody);
}

}  // namespace zg::numberplace_city
