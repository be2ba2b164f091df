// What can be chosen about Blokus: RULES.md section 7.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/options.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "games/blokus/shapes.hpp"

namespace zg::blokus {

inline constexpr int kSmallestBoard = 5;
inline constexpr int kLargestBoard = 20;
inline constexpr int kMostColours = 4;

enum class Sharing : std::uint8_t { None, Pairs, Fourth };
enum class Start : std::uint8_t { OwnCorner, AnyCorner };
enum class PassMode : std::uint8_t { Action, Skip };
enum class Scoring : std::uint8_t { Advanced, Basic };

// As it is written, so that it has the same text on every board.
struct StartSquare {
  std::uint8_t column = 0;
  std::uint8_t row = 0;  // from 1 at the bottom; 0: not given
  friend bool operator==(const StartSquare&, const StartSquare&) = default;
};

struct Options {
  std::uint8_t board = kLargestBoard;
  std::uint8_t colours = kMostColours;
  Sharing sharing = Sharing::None;
  Start start = Start::OwnCorner;
  std::array<StartSquare, kMostColours> starts{};  // not given: the corners [BK-7.1]
  PieceSet pieces = kAllPieces;
  std::uint8_t copies = 1;
  PassMode pass_mode = PassMode::Action;
  Scoring scoring = Scoring::Advanced;

  std::uint64_t hash() const {
    std::uint64_t h = std::uint64_t{board} << 32 | pieces;
    h = hash_append(h, std::bit_cast<std::uint64_t>(starts));
    std::uint64_t rest = 0;
    for (const int x : {int{colours}, int(sharing), int(start), int{copies}, int(pass_mode), int(scoring)})
      rest = rest * 8 + static_cast<std::uint64_t>(x);
    return hash_append(h, rest);
  }
  bool has_corners() const { return starts == std::array<StartSquare, kMostColours>{}; }
  // The start square of a colour; rows from 0 at the top. [BK-1.4]
  Square start_of(int colour) const {
    const int last = board - 1;
    if (has_corners())  // clockwise from the top left
      return Square::at(colour < 2 ? 0 : last, colour == 1 || colour == 2 ? last : 0);
    const StartSquare& s = starts[static_cast<std::size_t>(colour)];
    return Square::at(board - s.row, s.column);
  }
  int num_players() const {  // [BK-1.5]
    return sharing == Sharing::None ? colours : sharing == Sharing::Pairs ? 2 : 3;
  }
  friend bool operator==(const Options&, const Options&) = default;
};

namespace detail {

struct PieceWord {
  std::string_view word;
  PieceSet pieces;
};
constexpr PieceSet up_to(int squares) {
  PieceSet out = 0;
  for (int p = 0; p < kNumPieces; ++p)
    if (squares_of(p) <= squares) out |= PieceSet{1} << p;
  return out;
}
inline constexpr std::array<PieceWord, 5> kPieceWords{{
    // [BK-7.2]
    {"all", kAllPieces},
    {"junior", up_to(4) | piece_bit("I5") | piece_bit("L5") | piece_bit("P")},
    {"up_to_4", up_to(4)},
    {"up_to_3", up_to(3)},
    {"up_to_2", up_to(2)},
}};

inline std::string pieces_text(const Options& options) {
  for (const PieceWord& known : kPieceWords)
    if (known.pieces == options.pieces) return std::string(known.word);
  std::string out;
  for (std::size_t p = 0; p < kNumPieces; ++p)
    if ((options.pieces >> p & 1) != 0) (out += out.empty() ? "" : "+") += kPictures[p].name;
  return out;
}
inline void read_pieces(Options& options, std::string_view text) {
  for (const PieceWord& known : kPieceWords)
    if (known.word == text) {
      options.pieces = known.pieces;
      return;
    }
  PieceSet pieces = 0;
  for (bool more = true; more;) {
    const std::string_view name = text.substr(0, text.find('+'));
    more = name.size() < text.size();
    text.remove_prefix(name.size() + (more ? 1 : 0));
    const PieceSet piece = piece_bit(name);
    if (piece == 0) throw BadValue(quoted(name) + " is no piece");
    if ((pieces & piece) != 0) throw BadValue("piece " + std::string(name) + " is given twice");
    pieces |= piece;
  }
  options.pieces = pieces;
}

inline std::string starts_text(const Options& options) {
  if (options.has_corners()) return "corners";
  std::string out;
  for (const StartSquare& s : options.starts)
    if (s.row != 0) ((out += out.empty() ? "" : "+") += static_cast<char>('a' + s.column)) += std::to_string(s.row);
  return out;
}
inline void read_starts(Options& options, std::string_view text) {
  std::array<StartSquare, kMostColours> starts{};
  if (text != "corners") {
    Cursor in(text);
    std::size_t n = 0;
    try {
      do {
        if (n == starts.size()) in.fail("at most four cells before this");
        const int column = in.take("abcdefghijklmnopqrst") - 'a';
        starts[n++] = {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(in.number(1, kLargestBoard))};
      } while (in.accept('+'));
      in.finish();
    } catch (const ParseError& error) {
      throw BadValue(error.what());
    }
  }
  options.starts = starts;
}

// [BK-7.1]
inline void check_starts(Options& options) {
  if (options.has_corners()) return;
  const auto refuse = [&](const std::string& why) {
    throw BadValue("option starts is corners or a cell for each colour, not " + quoted(starts_text(options)) + ": " +
                   why);
  };
  const auto first = options.starts.begin();
  const auto end = first + options.colours;
  const auto given = std::count_if(first, options.starts.end(), [](const StartSquare& s) { return s.row != 0; });
  if (given != options.colours)
    refuse("there are " + std::to_string(options.colours) + " colours and " + std::to_string(given) + " cells");
  for (auto s = first; s != end; ++s) {
    if (s->row > options.board || s->column >= options.board)
      refuse("not all are on a board of size " + std::to_string(options.board));
    if (std::find(first, s, *s) != s)
      refuse(std::string(1, static_cast<char>('a' + s->column)) + std::to_string(s->row) + " stands there twice");
  }
  Options corners = options;
  corners.starts = {};
  for (int c = 0; c < options.colours; ++c)
    if (options.start_of(c) != corners.start_of(c)) return;
  options.starts = {};
}

inline void settle(Options& options) {
  if (options.sharing != Sharing::None && options.colours != kMostColours)  // [BK-7.3]
    throw BadValue("option sharing is none, not " +
                   std::string(options.sharing == Sharing::Pairs ? "pairs" : "fourth") +
                   ", unless there are 4 colours, and there are " + std::to_string(options.colours));
  check_starts(options);
}

}  // namespace detail

inline const OptionTable<Options>& option_table() {
  static const OptionTable<Options> kTable(
      {
          number_option<&Options::board>("board", kSmallestBoard, kLargestBoard, "rows and columns of the board"),
          number_option<&Options::colours>("colours", 1, kMostColours, "how many colours there are"),
          choice_option<&Options::sharing>("sharing", {"none", "pairs", "fourth"},
                                           "one colour each, two each, or three players who share the fourth"),
          choice_option<&Options::start>("start", {"own_corner", "any_corner"},
                                         "which start square a first piece covers", {{"own", 0}, {"either", 1}}),
          text_option<Options>(
              "starts", "the start squares of the colours, in order",
              {"corners or a cell for each colour, as in e10+j5", detail::starts_text, detail::read_starts}),
          text_option<Options>("pieces", "the pieces that every colour has",
                               {"one of all, junior, up_to_4, up_to_3, up_to_2, or names of pieces, as in 1+V3+X",
                                detail::pieces_text, detail::read_pieces}),
          number_option<&Options::copies>("copies", 1, 2, "how many of each piece"),
          choice_option<&Options::pass_mode>("pass_mode", {"action", "skip"},
                                             "is a forced pass an action, or are blocked colours left out?"),
          choice_option<&Options::scoring>("scoring", {"advanced", "basic"},
                                           "with or without the bonus for placing everything"),
      },
      {
          {"classic", "", "20x20, four players, one colour each"},
          {"classic-3", "sharing=fourth", "20x20, three players, who play the fourth colour in turn"},
          {"classic-2", "sharing=pairs", "20x20, two players, two colours each"},
          {"duo", "board=14,colours=2,starts=e10+j5", "14x14, two players"},
          {"junior", "board=14,colours=2,starts=e10+j5,pieces=junior,copies=2,scoring=basic",
           "14x14, two players, two of each of 12 pieces"},
          {"mini", "board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic",
           "8x8, two players, the 9 pieces of at most four squares"},
      },
      detail::settle);
  return kTable;
}

inline constexpr std::array<std::string_view, 12> kLawOptions{
    "start=any_corner",
    "pass_mode=skip",
    "scoring=basic",
    "start=any_corner,pass_mode=skip,scoring=basic",
    "sharing=fourth,start=any_corner,pass_mode=skip",
    "board=14,colours=2,start=any_corner,starts=e10+j5",
    "board=5,colours=1,pieces=1+2+I3+O+X,copies=2",
    "board=5,pieces=up_to_3,copies=2,pass_mode=skip",
    "board=7,sharing=pairs,starts=c3+d3+c4+g7,pieces=up_to_2",
    "board=9,colours=3,start=any_corner,starts=a1+a2+e5,pieces=1+V3+F+N",
    "board=11,colours=2,pieces=up_to_4,copies=2,pass_mode=skip,scoring=basic",
    "board=17,sharing=fourth,pieces=junior",
};

}  // namespace zg::blokus
