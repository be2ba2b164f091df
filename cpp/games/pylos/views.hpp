// How Pylos is seen: observation planes, position text, drawing (RULES.md sections 6 and 7).
#pragma once

#include "games/pylos/pylos.hpp"

namespace zg::pylos {

template <int Base>
template <class Out>
void Pylos<Base>::observe(const State& s, Player viewer, Out& out) {
  const Balls own = s.balls[static_cast<std::size_t>(viewer)];
  const Balls other = s.balls[static_cast<std::size_t>(1 - viewer)];
  const Balls free = ~P::covered(s.occupied());
  const auto balls = [&](Balls cells) {
    out.cells([&](auto mark) { for_each_bit(P::ids(cells), [&](int cell) { mark(cell, 1); }); });
  };
  const auto ball = [&](Cell cell) {
    out.cells([&](auto mark) {
      if (!cell.is_none()) mark(cell.value(), 1);
    });
  };
  for (const Balls cells : {own, other, P::playable(s.occupied()), own & free, other & free}) balls(cells);
  out.all(!is_terminal(s) && s.to_move == viewer);
  out.all(static_cast<double>(reserve(s, viewer)) / kBallsEach);
  out.all(static_cast<double>(reserve(s, 1 - viewer)) / kBallsEach);
  out.all(in_turn(s) && s.taken.is_none());
  out.all(!s.taken.is_none());
  ball(s.placed);
  ball(s.taken);
}

template <int Base>
std::string Pylos<Base>::to_text(const State& s) {
  std::string out;
  P::for_each_cell([&](Cell cell) {
    const Balls b = P::ball(cell);
    if (starts_upper_level(cell)) out += '/';
    out += (s.balls[0] & b) != 0 ? 'L' : (s.balls[1] & b) != 0 ? 'D' : '.';
  });
  (out += ' ') += s.to_move == 0 ? 'L' : 'D';
  out += in_turn(s) ? " " + Tables::cell_name(s.placed) : " -";
  if (!s.taken.is_none()) out += "-" + Tables::cell_name(s.taken);
  return out + " " + std::to_string(s.turns);
}

namespace detail {

template <int Base>
class PositionReader {
  using G = Pylos<Base>;
  using P = Pyramid<Base>;
  using State = typename G::State;

 public:
  PositionReader(const Options& options, std::string_view text) : in_(text) { s_.options = options; }

  State read() {
    read_balls();
    in_.expect(' ');
    s_.to_move = in_.take("LD") == 'D';
    in_.expect(' ');
    read_turn();
    in_.expect(' ');
    s_.turns = static_cast<std::uint16_t>(in_.number(0, s_.options.max_turns));
    in_.finish();
    if (G::in_turn(s_))
      check_turn();
    else if (G::is_skipped(s_))
      throw ParseError("not a position: the player to move cannot act, and his turn would be skipped");
    return s_;
  }

 private:
  void read_balls() {
    P::for_each_cell([&](typename P::Cell cell) {
      if (G::starts_upper_level(cell)) in_.expect('/');
      const char c = in_.take("LD.");
      if (c != '.') s_.balls[c == 'D'] |= P::ball(cell);
    });
    const std::string_view broken = G::broken_invariant(s_);
    if (!broken.empty()) throw ParseError("not a position: " + std::string(broken));  // [PY-6.5]
  }
  void read_turn() {
    if (in_.accept('-')) return;
    s_.placed = Tables<Base>::read_cell(in_);
    if (in_.accept('-')) s_.taken = Tables<Base>::read_cell(in_);
  }
  // The turn part must be one that play can reach: it is played again from the balls as they were before anything was
  // taken.
  void check_turn() const {
    State before = s_;
    before.taken = {};
    const auto placed = P::ball(s_.placed);
    auto& own = before.balls[before.to_move];
    bool possible = (s_.occupied() & P::kApexBall) == 0 && !G::is_over_limit(s_);
    if (!s_.taken.is_none()) {
      const auto taken = P::ball(s_.taken);
      possible = possible && (before.occupied() & taken) == 0;
      own |= taken;
      possible = possible && P::is_stable(before.occupied()) && G::reserve(before, before.to_move) >= 0 &&
                 (G::takable(before) & taken) != 0;
    }
    possible = possible && (own & placed) != 0 && (P::covered(before.occupied()) & placed) == 0 &&
               G::makes_pattern(before.options, own, placed) && G::legal(s_).count() > 0;
    if (!possible) throw ParseError("not a position: the turn part cannot come about");  // [PY-6.5]
  }

  Cursor in_;
  State s_;
};

}  // namespace detail

template <int Base>
typename Pylos<Base>::State Pylos<Base>::parse(const Options& options, std::string_view text) {
  return detail::PositionReader<Base>(options, text).read();
}

// Levels side by side, back row at the top as one looks at the board; `o` is an empty cell that can be played.
template <int Base>
std::string Pylos<Base>::drawing(const State& s) {
  const Balls open = P::playable(s.occupied());
  std::string out;
  for (int row = Base - 1; row >= 0; --row) {
    std::string line;
    for (int level = 0; level < Base; ++level) {
      const int side = Base - level;
      line += level == 0 ? "" : "   ";
      line += row < side ? std::to_string(row + 1) : " ";
      for (int column = 0; column < side; ++column) {
        const Balls b = bit(level * 16 + row * 4 + column);
        line += ' ';
        line += row >= side             ? ' '
                : (s.balls[0] & b) != 0 ? 'L'
                : (s.balls[1] & b) != 0 ? 'D'
                : (open & b) != 0       ? 'o'
                                        : '.';
      }
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  for (int level = 0; level < Base; ++level) {
    out += level == 0 ? " " : "    ";
    for (int column = 0; column < Base - level; ++column) (out += ' ') += static_cast<char>('a' + column);
  }
  const std::array<std::string_view, 2> names{"light", "dark"};
  out += "\nreserve: light " + std::to_string(reserve(s, 0)) + ", dark " + std::to_string(reserve(s, 1)) + "\n";
  if (is_terminal(s)) {
    const PlayerMask w = winners(s);
    return out + (w == 0 ? "drawn" : std::string(names[w >> 1]) + " has won");
  }
  out += std::string(names[s.to_move]) + " to move";
  if (in_turn(s)) out += s.taken.is_none() ? ", may take back two balls" : ", may take back one more ball";
  return out;
}

}  // namespace zg::pylos
