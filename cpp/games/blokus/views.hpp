// How Blokus is seen: texts of placements and positions, observation planes, drawing (RULES.md sections 4 to 6).
#pragma once

#include "games/blokus/blokus.hpp"

namespace zg::blokus {

namespace detail {

template <class Board>
std::string cell_name(int row, int column) {
  return static_cast<char>('a' + column) + std::to_string(Board::kHeight - row);
}

// Reads `t20` or `T20`; (row, column) from the top left.
template <class Board>
Square read_cell(Cursor& in) {
  const char letter = lower(in.peek());
  if (letter < 'a' || letter >= 'a' + Board::kWidth) {
    std::string expected = "a column from a to ";
    in.fail(expected += static_cast<char>('a' + Board::kWidth - 1));
  }
  in.take(std::string{in.peek()});
  const int row = Board::kHeight - in.number(1, Board::kHeight);
  return {static_cast<std::int8_t>(row), static_cast<std::int8_t>(letter - 'a')};
}

}  // namespace detail

// [BK-4.2]
template <int Size>
std::string Blokus<Size>::action_to_text(const Options& options, Action a) {
  const Move move = decode(options, a);
  if (move.orientation.is_none()) return "pass";
  const Shape& shape = kOrientations[move.orientation.index()].shape;
  std::string out;
  for (int row = shape.height() - 1; row >= 0; --row)
    for (int i = 0; i < shape.size; ++i) {
      if (shape.at(i).row != row) continue;
      if (!out.empty()) out += ',';
      out += detail::cell_name<Board>(move.row + row, move.column + shape.at(i).column);
    }
  return out;
}

template <int Size>
Action Blokus<Size>::text_to_action(const Options& options, std::string_view text) {
  if (lowered(text) == "pass") return Tables::kPassId;
  Cursor in(text);
  Shape shape;
  int row = Size;
  int column = Size;
  do {
    if (shape.size == kMostSquares) in.fail("a piece of at most five squares");
    const Square s = detail::read_cell<Board>(in);
    shape.squares[index(shape.size++)] = s;
    row = std::min<int>(row, s.row);
    column = std::min<int>(column, s.column);
  } while (in.accept(','));
  in.finish();
  shape.normalise();
  for (std::size_t o = 0; o < kNumOrientations; ++o)
    if (kOrientations[o].shape == shape) return encode(options, {OrientationId(static_cast<int>(o)), row, column});
  throw ParseError(quoted(text) + " are not the squares of a piece");
}

template <int Size>
std::string Blokus<Size>::why_illegal(const State& s, Action a) {
  if (is_legal(s, a)) return "";
  if (is_terminal(s)) return "the game is over";
  if (a == Tables::kPassId) return "[BK-2.3] a colour that can place must place";
  const std::size_t o = Tables::kIds.block_of(a);
  if ((s.hand[s.to_move] >> kOrientations[o].piece & 1) == 0)
    return "[BK-1.3] piece " + std::string(kPictures[kOrientations[o].piece].name) + " is already placed";
  const Cells squares = Tables::squares_at(o, Tables::anchor_of(o, a));
  if (!can_place(s, s.to_move)) return "[BK-2.3] the colour is blocked and must pass";
  if (squares.intersects(s.occupied())) return "[BK-2.2] it covers an occupied cell";
  if (squares.intersects(Board::edges(s.own[s.to_move]))) return "[BK-2.2] it touches an own piece along an edge";
  if (s.hand[s.to_move] == kAllPieces) return "[BK-2.1] a first piece covers its start square";
  return "[BK-2.2] it touches no own piece at a corner";
}

template <int Size>
void Blokus<Size>::observe(const State& s, Player viewer, std::span<float> planes) {
  constexpr std::size_t kPlane = index(Size) * Size;
  std::fill(planes.begin(), planes.end(), 0.0F);
  const auto mark_all = [&](std::size_t plane, const Cells& cells) {
    cells.for_each(
        [&](int cell) { planes[plane * kPlane + index(Board::row(cell) * Size + Board::column(cell))] = 1; });
  };
  const auto mark = [&](std::size_t plane, int cell) { planes[plane * kPlane + index(cell)] = 1; };
  const Cells free = free_cells(s, viewer);
  mark_all(4, contact_cells(s, viewer) & free);
  mark_all(5, free);
  const bool is_over = is_terminal(s);
  for (int relative = 0; relative < kNumPlayers; ++relative) {
    const int colour = (viewer + relative) % kNumPlayers;
    mark_all(index(relative), s.own[index(colour)]);
    for_each_bit(s.hand[index(colour)], [&](int piece) { mark(6, kNumPieces * relative + piece); });
    if (colour == s.to_move && !is_over) mark(7, relative);
    if (is_blocked(s, colour)) mark(7, kNumPlayers + relative);
    if ((s.single & colour_bit(colour)) != 0) mark(7, 2 * kNumPlayers + relative);
  }
}

namespace detail {

inline std::string hand_text(PieceSet hand) {
  if (hand == kAllPieces) return "*";
  if (hand == 0) return "-";
  std::string out;
  for_each_bit(hand,
               [&](int piece) { (out += out.empty() ? "" : ",") += kPictures[static_cast<std::size_t>(piece)].name; });
  return out;
}

inline std::string colours_text(std::string_view letters, unsigned colours) {
  std::string out;
  for_each_bit(colours, [&](int c) { out += letters[static_cast<std::size_t>(c)]; });
  return out.empty() ? "-" : out;
}

}  // namespace detail

template <int Size>
std::string Blokus<Size>::to_text(const State& s) {
  std::string out;
  for (int row = 0; row < Size; ++row) {
    if (row > 0) out += '/';
    int run = 0;
    const auto end_run = [&] {
      if (run > 0) out += std::to_string(run);
      run = 0;
    };
    for (int column = 0; column < Size; ++column) {
      const int colour = colour_at(s, Board::cell(row, column));
      if (colour < 0) {
        ++run;
        continue;
      }
      end_run();
      out += kColourLetters[index(colour)];
    }
    end_run();
  }
  ((out += ' ') += kColourLetters[s.to_move]) += ' ';
  for (std::size_t c = 0; c < kNumPlayers; ++c) (out += c == 0 ? "" : "/") += detail::hand_text(s.hand[c]);
  return out + " " + detail::colours_text(kColourLetters, s.passed) + " " +
         detail::colours_text(kColourLetters, s.single);
}

namespace detail {

template <int Size>
class PositionReader {
  using G = Blokus<Size>;
  using Board = typename G::Board;
  using Cells = typename G::Cells;
  using State = typename G::State;

 public:
  PositionReader(const Options& options, std::string_view text) : in_(text), s_(G::initial(options, 0)) {}

  State read() {
    for (int row = 0; row < Size; ++row) {
      if (row > 0) in_.expect('/');
      read_row(row);
    }
    in_.expect(' ');
    s_.to_move = static_cast<std::uint8_t>(G::kColourLetters.find(in_.take(G::kColourLetters)));
    for (std::size_t c = 0; c < G::kNumPlayers; ++c) {
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
    for (int column = 0; column < Size;) {
      const std::size_t colour = in_.at_end() ? G::kColourLetters.npos : G::kColourLetters.find(in_.peek());
      if (colour != G::kColourLetters.npos) {
        in_.take(G::kColourLetters);
        s_.own[colour] |= Cells::single(Board::cell(row, column++));
        after_run = false;
      } else {
        if (after_run || in_.peek() == '0') in_.fail("one of 'byrg'");
        column += in_.number(1, Size - column);
        after_run = true;
      }
    }
  }
  PieceSet read_hand() {  // [BK-5.3]
    if (in_.accept('*')) return kAllPieces;
    if (in_.accept('-')) return 0;
    PieceSet hand = 0;
    do {
      const std::string_view name = in_.take_until(",/ ");
      const auto* piece =
          std::find_if(kPictures.begin(), kPictures.end(), [&](const Picture& p) { return p.name == name; });
      const auto added = piece == kPictures.end() ? PieceSet{0} : PieceSet{1} << (piece - kPictures.begin());
      if (added <= hand) in_.fail("the names of pieces, each once and in order, before this");
      hand |= added;
    } while (in_.accept(','));
    if (hand == kAllPieces) in_.fail("'*' for all pieces");
    return hand;
  }
  std::uint8_t read_colours() {  // [BK-5.4]
    if (in_.accept('-')) return 0;
    unsigned colours = 0;
    do {
      const unsigned added = 1U << G::kColourLetters.find(in_.take(G::kColourLetters));
      if (added <= colours) in_.fail("colours each once and in order, before this");
      colours |= added;
    } while (!in_.at_end() && in_.peek() != ' ');
    return static_cast<std::uint8_t>(colours);
  }

  Cursor in_;
  State s_;
};

}  // namespace detail

template <int Size>
typename Blokus<Size>::State Blokus<Size>::parse(const Options& options, std::string_view text) {
  return detail::PositionReader<Size>(options, text).read();
}

// [BK-5.6]
template <int Size>
std::string_view Blokus<Size>::broken_invariant(const State& s) {
  int squares = 0;
  State as_if_open = s;
  as_if_open.passed = 0;
  for (std::size_t c = 0; c < kNumPlayers; ++c) {
    const int colour = static_cast<int>(c);
    squares += s.own[c].count();
    if (s.own[c].count() + squares_in(s.hand[c]) != kSquaresInSet)
      return "a colour's squares on the board and in hand are not 89";
    const auto& start = s.options.start == Start::AnyCorner ? kCorners : kCornerOf[c];
    if (s.hand[c] != kAllPieces && !s.own[c].intersects(Cells(start)))
      return "a colour has placed something but covers no start square";
    if ((s.single & colour_bit(colour)) != 0 && s.hand[c] != 0) return "a colour marked single has pieces in hand";
    if (is_blocked(s, colour) && can_place(as_if_open, colour)) return "a colour that has passed can place";
  }
  if (s.occupied().count() != squares) return "two squares in one cell";
  if (s.occupied().minus(Board::board()).any()) return "a square off the board";
  if (s.options.pass_mode == PassMode::Action || s.passed == kAllColours) return "";
  return can_place(s, s.to_move) ? "" : "the side to move is blocked, but the colours are not all marked as left out";
}

// The colour on a cell, -1 if it is empty.
template <int Size>
int Blokus<Size>::colour_at(const State& s, int cell) {
  for (int c = 0; c < kNumPlayers; ++c)
    if (s.own[index(c)].contains(cell)) return c;
  return -1;
}

// Rows and columns as in RULES.md; `+` marks the contact cells of the colour to move.
template <int Size>
std::string Blokus<Size>::drawing(const State& s) {
  static constexpr std::array<std::string_view, kNumPlayers> kNames{"blue", "yellow", "red", "green"};
  const bool is_over = is_terminal(s);
  const Cells contacts = is_over ? Cells::empty() : contact_cells(s, s.to_move) & free_cells(s, s.to_move);
  std::string out;
  for (int row = 0; row < Size; ++row) {
    const std::string number = std::to_string(Size - row);
    out += std::string(2 - number.size(), ' ') + number;
    for (int column = 0; column < Size; ++column) {
      const int cell = Board::cell(row, column);
      const int colour = colour_at(s, cell);
      out += ' ';
      out += colour >= 0 ? kColourLetters[index(colour)] : contacts.contains(cell) ? '+' : '.';
    }
    out += '\n';
  }
  out += "  ";
  for (int column = 0; column < Size; ++column) (out += ' ') += static_cast<char>('a' + column);
  const auto points = scores(s);
  for (std::size_t c = 0; c < kNumPlayers; ++c) {
    ((out += '\n') += kNames[c]) +=
        ": " + std::to_string(points[c]) + " points, in hand " + detail::hand_text(s.hand[c]);
    if (is_blocked(s, static_cast<int>(c))) out += ", blocked";
  }
  return out + "\n" + (is_over ? "the game is over" : std::string(kNames[s.to_move]) + " to move");
}

}  // namespace zg::blokus
