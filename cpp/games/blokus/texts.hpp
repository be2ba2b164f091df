// The texts of placements and positions: RULES.md sections 4 and 5.
#pragma once

#include "games/blokus/blokus.hpp"

namespace zg::blokus {

namespace detail {

inline std::string cell_name(int board, int row, int column) {
  return static_cast<char>('a' + column) + std::to_string(board - row);
}

// Reads `t20` or `T20`.
inline Square read_cell(Cursor& in, int board) {
  const char letter = lower(in.peek());
  if (letter < 'a' || letter >= 'a' + board) {
    std::string expected = "a column from a to ";
    in.fail(expected += static_cast<char>('a' + board - 1));
  }
  in.take(std::string{in.peek()});
  return Square::at(board - in.number(1, board), letter - 'a');
}

}  // namespace detail

// [BK-4.2]
template <int Form>
std::string Blokus<Form>::action_to_text(const Options& options, Action a) {
  const Move move = decode(options, a);
  if (move.orientation.is_none()) return "pass";
  const Shape& shape = kOrientations[move.orientation.index()].shape;
  std::string out;
  for (int row = shape.height() - 1; row >= 0; --row)
    for (int i = 0; i < shape.size; ++i) {
      if (shape.at(i).row != row) continue;
      if (!out.empty()) out += ',';
      out += detail::cell_name(options.board, move.row + row, move.column + shape.at(i).column);
    }
  return out;
}

template <int Form>
Action Blokus<Form>::text_to_action(const Options& options, std::string_view text) {
  if (lowered(text) == "pass") return pass_id(options);
  Cursor in(text);
  Shape shape;
  int row = options.board;
  int column = options.board;
  do {
    if (shape.size == kMostSquares) in.fail("a piece of at most five squares");
    const Square s = detail::read_cell(in, options.board);
    shape.squares[index(shape.size++)] = s;
    row = std::min<int>(row, s.row);
    column = std::min<int>(column, s.column);
  } while (in.accept(','));
  in.finish();
  shape.normalise();
  for (std::size_t o = 0; o < kNumOrientations; ++o) {
    if (kOrientations[o].shape != shape) continue;
    if ((options.pieces >> kOrientations[o].piece & 1) != 0) return Numbering(options).id_of({o, row, column});
    throw ParseError(quoted(text) + " is piece " + std::string(kPictures[kOrientations[o].piece].name) +
                     ", which this game does not have");
  }
  throw ParseError(quoted(text) + " are not the squares of a piece");
}

template <int Form>
std::string Blokus<Form>::why_illegal(const State& s, Action a) {
  if (is_legal(s, a)) return "";
  if (is_terminal(s)) return "the game is over";
  if (is_pass(s.options, a)) return "[BK-2.3] a colour that can place must place";
  const Place at = Numbering(s.options).place_of(a);
  if (!s.hand[s.to_move].has(piece_at(at)))
    return "[BK-1.3] piece " + std::string(kPictures[index(piece_at(at))].name) + " is already placed";
  const Cells squares = Tables::squares_at(at);
  if (!can_place(s, s.to_move)) return "[BK-2.3] the colour is blocked and must pass";
  if (squares.intersects(s.occupied())) return "[BK-2.2] it covers an occupied cell";
  if (squares.intersects(Board::edges(s.own[s.to_move]))) return "[BK-2.2] it touches an own piece along an edge";
  if (is_first(s, s.to_move)) return "[BK-2.1] a first piece covers its start square";
  return "[BK-2.2] it touches no own piece at a corner";
}

namespace detail {

inline std::string hand_text(const Options& options, const Hand& hand) {
  if (hand.is_empty()) return "-";
  if (hand == Hand::whole(options)) return "*";
  std::string out;
  for_each_bit(hand.once, [&](int piece) {
    const std::string_view name = kPictures[static_cast<std::size_t>(piece)].name;
    (out += out.empty() ? "" : ",") += name;
    if ((hand.twice >> piece & 1) != 0) (out += ',') += name;
  });
  return out;
}

inline std::string colours_text(std::string_view letters, unsigned colours) {
  std::string out;
  for_each_bit(colours, [&](int c) { out += letters[static_cast<std::size_t>(c)]; });
  return out.empty() ? "-" : out;
}

}  // namespace detail

template <int Form>
std::string Blokus<Form>::to_text(const State& s) {
  std::array<char, Cells::kCells> letters{};
  for (std::size_t c = 0; c < s.options.colours; ++c)
    s.own[c].for_each([&](int cell) { letters[index(cell)] = kColourLetters[c]; });
  std::string out;
  out.reserve(Cells::kCells);  // most positions fit
  for (int row = 0; row < s.options.board; ++row) {
    if (row > 0) out += '/';
    int run = 0;
    const auto end_run = [&] {
      if (run > 0) append_number(out, run);
      run = 0;
    };
    for (int column = 0; column < s.options.board; ++column) {
      const char letter = letters[index(Board::cell(row, column))];
      if (letter == '\0') {
        ++run;
        continue;
      }
      end_run();
      out += letter;
    }
    end_run();
  }
  (out += ' ') += kColourLetters[s.to_move];
  for (std::size_t c = 0; c < s.options.colours; ++c)
    (out += c == 0 ? ' ' : '/') += detail::hand_text(s.options, s.hand[c]);
  (out += ' ') += detail::colours_text(kColourLetters, s.passed);
  (out += ' ') += detail::colours_text(kColourLetters, s.single);
  return out;
}

namespace detail {

template <int Form>
class PositionReader {
  using G = Blokus<Form>;
  using Board = typename G::Board;
  using Cells = typename G::Cells;
  using State = typename G::State;

 public:
  PositionReader(const Options& options, std::string_view text)
      : in_(text), letters_(G::kColourLetters.substr(0, options.colours)) {
    s_.options = options;
  }

  State read() {
    for (int row = 0; row < s_.options.board; ++row) {
      if (row > 0) in_.expect('/');
      read_row(row);
    }
    std::transform(squares_.begin(), squares_.end(), s_.own.begin(), [](const auto& words) { return Cells(words); });
    in_.expect(' ');
    s_.to_move = static_cast<std::uint8_t>(in_.take_place(letters_));
    for (std::size_t c = 0; c < s_.options.colours; ++c) {
      in_.expect(c == 0 ? ' ' : '/');
      s_.hand[c] = read_hand();
    }
    in_.expect(' ');
    s_.passed = read_colours();
    in_.expect(' ');
    s_.single = read_colours();
    in_.finish();
    const std::string_view broken = G::broken_invariant(s_);
    if (!broken.empty()) throw ParseError("not a position: " + std::string(broken));  // [BK-5.6]
    return s_;
  }

 private:
  void read_row(int row) {  // [BK-5.1]
    bool after_run = false;
    for (int column = 0; column < s_.options.board;) {
      const std::size_t colour = in_.at_end() ? letters_.npos : place_in(letters_, in_.peek());
      if (colour != letters_.npos) {
        in_.take(letters_);
        const int cell = Board::cell(row, column++);
        squares_[colour][G::index(cell / 64)] |= bit(cell % 64);
        after_run = false;
      } else {
        if (after_run || in_.peek() == '0') in_.fail("one of " + quoted(letters_));
        column += in_.number(1, s_.options.board - column);
        after_run = true;
      }
    }
  }
  Hand read_hand() {  // [BK-5.3]
    const Hand whole = Hand::whole(s_.options);
    if (in_.accept('*')) return whole;
    if (in_.accept('-')) return {};
    Hand hand;
    do {
      const PieceSet piece = piece_bit(in_.take_until(",/ "));
      const bool again = piece == std::bit_floor(hand.once) && (piece & whole.twice & ~hand.twice) != 0;
      if (!again && (piece <= hand.once || (piece & whole.once) == 0))
        in_.fail("the names of pieces of the set, no more than there are and in order, before this");
      (again ? hand.twice : hand.once) |= piece;
    } while (in_.accept(','));
    if (hand == whole) in_.fail("'*' for all pieces");
    return hand;
  }
  std::uint8_t read_colours() {  // [BK-5.4]
    if (in_.accept('-')) return 0;
    unsigned colours = 0;
    do {
      const unsigned added = 1U << in_.take_place(letters_);
      if (added <= colours) in_.fail("colours each once and in order, before this");
      colours |= added;
    } while (!in_.at_end() && in_.peek() != ' ');
    return static_cast<std::uint8_t>(colours);
  }

  Cursor in_;
  std::string_view letters_;
  std::array<typename Cells::Words, kMostColours> squares_{};  // on the board
  State s_;
};

}  // namespace detail

template <int Form>
typename Blokus<Form>::State Blokus<Form>::parse(const Options& options, std::string_view text) {
  return detail::PositionReader<Form>(options, text).read();
}

// [BK-5.6]
template <int Form>
std::string_view Blokus<Form>::broken_invariant(const State& s) {
  int squares = 0;
  const Hand whole = Hand::whole(s.options);
  State as_if_open = s;
  as_if_open.passed = 0;
  for (int c = 0; c < s.options.colours; ++c) {
    const Cells& own = s.own[index(c)];
    const Hand& hand = s.hand[index(c)];
    squares += own.count();
    if (own.count() + hand.squares() != whole.squares())
      return "a colour's squares on the board and in hand are not those of its set";
    if (!is_first(s, c) && !own.intersects(start_cells(s.options, c)))
      return "a colour has placed something but covers no start square";
    if ((s.single & colour_bit(c)) != 0 && (!hand.is_empty() || !whole.has(kSingle)))
      return "a colour marked single has pieces in hand, or no single square in its set";
    if (is_blocked(s, c) && can_place(as_if_open, c)) return "a colour that has passed can place";
  }
  if (s.occupied().count() != squares) return "two squares in one cell";
  if (s.occupied().minus(Tables::board(s.options.board)).any()) return "a square off the board";
  if (s.options.pass_mode == PassMode::Action || s.passed == all_colours(s.options)) return "";
  return can_place(s, s.to_move) ? "" : "the side to move is blocked, but the colours are not all marked as left out";
}

// The colour on a cell, -1 if it is empty.
template <int Form>
int Blokus<Form>::colour_at(const State& s, int cell) {
  for (int c = 0; c < s.options.colours; ++c)
    if (s.own[index(c)].contains(cell)) return c;
  return -1;
}

}  // namespace zg::blokus
