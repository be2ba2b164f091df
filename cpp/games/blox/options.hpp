// What can be chosen about Blox: RULES.md section 9.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/options.hpp"
#include "core/random.hpp"
#include "games/blox/faces.hpp"

namespace zg::blox {

inline constexpr int kMostPlayers = 4;
inline constexpr int kMostPawns = 4;
inline constexpr int kMostCards = kNumColours * 16;
inline constexpr int kMostHand = 10;
inline constexpr std::uint8_t kRandomSides = 16;

enum class BuildHeight : std::uint8_t { Min, Exact };
enum class Reach : std::uint8_t { Side, Region };
enum class Entry : std::uint8_t { Outside, FromEdgeField };
enum class TwoPlayers : std::uint8_t { Same, Printed };

struct Options {
  Faces faces{};  // not given: the layout that ships
  std::uint16_t max_turns = 2000;
  std::uint8_t players = 2;
  std::uint8_t board = 10;
  std::uint8_t sides = kRandomSides;  // or a bit for each quarter: is it side B?
  std::uint8_t hand = 6;
  std::uint8_t cards_per_colour = 15;
  std::uint8_t blocks_per_colour = 10;
  std::uint8_t pawns = kMostPawns;
  std::uint8_t block_limit = 7;
  std::uint8_t start_phase = 1;
  BuildHeight build_height = BuildHeight::Min;
  Reach reach = Reach::Side;
  bool reach_new = true;
  Entry entry = Entry::Outside;
  bool capture_moves = true;
  TwoPlayers two_player_setup = TwoPlayers::Same;

  int cards() const { return kNumColours * cards_per_colour; }
  bool is_printed_pair() const { return players == 2 && two_player_setup == TwoPlayers::Printed; }
  int blocks_in_play() const { return blocks_per_colour - is_printed_pair(); }  // of each colour [BX-1.7]
  const Faces& layout() const { return is_given(faces) ? faces : shipped_faces(board); }

  std::uint64_t hash() const {
    std::uint64_t h = max_turns;
    if (is_given(faces))
      for (const Face& face : faces) {
        h = hash_append(h, face.colours);
        for (const std::uint8_t at : face.towers) h = h * 100 + at;
      }
    for (const int x : {int{players}, int{board}, int{sides}, int{hand}, int{cards_per_colour}, int{blocks_per_colour},
                        int{pawns}, int{block_limit}, int{start_phase}})
      h = h * 64 + static_cast<std::uint64_t>(x);
    h = hash_append(h, 0);
    for (const int x :
         {int(build_height), int(reach), int{reach_new}, int(entry), int{capture_moves}, int(two_player_setup)})
      h = h * 2 + static_cast<std::uint64_t>(x);
    return h;
  }
  friend bool operator==(const Options&, const Options&) = default;
};

namespace detail {

inline std::string faces_option_text(const Options& options) {
  return is_given(options.faces) ? faces_text(options.faces) : "synthetic";
}
inline void read_faces(Options& options, std::string_view text) {
  if (text == "synthetic") {
    options.faces = {};
    return;
  }
  check_faces_text(text);
  options.faces = faces_of(text);
}

inline std::string sides_letters(int sides) {
  std::string out;
  for (int q = 0; q < kNumQuarters; ++q) out += (sides >> q & 1) != 0 ? 'B' : 'A';
  return out;
}
inline std::string sides_option_text(const Options& options) {
  return options.sides == kRandomSides ? "random" : sides_letters(options.sides);
}
inline void read_sides(Options& options, std::string_view text) {
  if (text == "random") {
    options.sides = kRandomSides;
    return;
  }
  if (text.size() != kNumQuarters || text.find_first_not_of("AB") != text.npos)
    throw BadValue(quoted(text) + " is neither");
  options.sides = 0;
  for (std::size_t q = 0; q < text.size(); ++q)
    options.sides = static_cast<std::uint8_t>(options.sides | (text[q] == 'B') << q);
}

inline void settle(Options& options) {
  if (is_given(options.faces)) {
    check_faces(options.faces, options.board);
    if (options.faces == shipped_faces(options.board)) options.faces = {};
  }
  if (options.cards() < options.players * options.hand)  // [BX-1.6]
    throw BadValue("option cards_per_colour is " + std::to_string(options.cards_per_colour) + ", which makes " +
                   std::to_string(options.cards()) + " cards, fewer than " + std::to_string(options.players) +
                   " hands of " + std::to_string(options.hand));
  if (options.players != 2) options.two_player_setup = TwoPlayers::Same;  // [BX-1.7]
  if (options.is_printed_pair()) options.start_phase = std::max<std::uint8_t>(options.start_phase, 2);
}

}  // namespace detail

inline const OptionTable<Options>& option_table() {
  using O = Options;
  static const OptionTable<Options> kTable(
      {
          number_option<&O::players>("players", 2, kMostPlayers, "how many players"),
          number_option<&O::board>("board", 9, 10, "rows and columns of the board"),
          text_option<O>("faces", "the colours and tower fields of the board's quarters",
                         {"synthetic, or a layout as text", detail::faces_option_text, detail::read_faces}),
          text_option<O>("sides", "which side of each quarter lies up",
                         {"random, or four letters A or B", detail::sides_option_text, detail::read_sides}),
          number_option<&O::hand>("hand", 1, kMostHand, "cards in a full hand"),
          number_option<&O::cards_per_colour>("cards_per_colour", 1, kMostCards / kNumColours, "cards of each colour"),
          number_option<&O::blocks_per_colour>("blocks_per_colour", 1, 10, "blocks of each colour"),
          number_option<&O::pawns>("pawns", 1, kMostPawns, "pawns of each player"),
          number_option<&O::block_limit>("block_limit", 1, 40, "with so many blocks a player cannot demolish"),
          choice_option<&O::build_height>("build_height", {"min", "exact"},
                                          "is the phase's build height the least or the only one?"),
          choice_option<&O::reach>("reach", {"side", "region"},
                                   "what a tower keeps: a free side, or a free way to the edge"),
          flag_option<&O::reach_new>("reach_new", "must a new tower itself be reachable?"),
          choice_option<&O::entry>("entry", {"outside", "from_edge_field"},
                                   "pawns enter from beyond the edge, or from a free edge field"),
          flag_option<&O::capture_moves>("capture_moves", "does a capturing pawn take the captured one's field?"),
          number_option<&O::start_phase>("start_phase", 1, 4, "the phase that the game starts in"),
          choice_option<&O::two_player_setup>("two_player_setup", {"same", "printed"},
                                              "for two players: as for more, or without lowest towers"),
          number_option<&O::max_turns>("max_turns", 0, 65535, "turns until a game ends by points; 0: no limit"),
      },
      {
          {"standard", "", "10x10, hands of six, build at least the phase's height"},
          {"ravensburger2008", "board=9,hand=5,build_height=exact,two_player_setup=printed",
           "9x9, hands of five, build exactly the phase's height"},
      },
      detail::settle);
  return kTable;
}

inline constexpr std::array<std::string_view, 12> kLawOptions{
    "players=4,max_turns=60",
    "players=3,sides=ABBA,hand=2,cards_per_colour=2,max_turns=90",
    "hand=1,cards_per_colour=1,pawns=1,max_turns=40",
    "hand=10,cards_per_colour=16,start_phase=4,block_limit=40,max_turns=120",
    "hand=2,cards_per_colour=1,blocks_per_colour=1,pawns=2",
    "players=3,blocks_per_colour=3,reach=region,start_phase=2,max_turns=150",
    "blocks_per_colour=4,entry=from_edge_field,capture_moves=false,max_turns=100",
    "board=9,hand=4,build_height=exact,reach=region,reach_new=false,entry=from_edge_field,max_turns=120",
    "board=9,players=4,sides=BABA,hand=5,pawns=3,build_height=exact,start_phase=3,max_turns=80",
    "board=9,two_player_setup=printed,blocks_per_colour=2,hand=3,max_turns=1",
    "hand=7,block_limit=1,reach_new=false,max_turns=50",
    "faces=WRGKWGKWRGWRGKWGKWRGWRGKW:00112233+KGRWKRWKGRKGRWKRWKGRKGRWK:44332211+"
    "WRGKWGKWRGWRGKWGKWRGWRGKW:00010203+WRGKWGKWRGWRGKWGKWRGWRGKW:00112233+WRGKWGKWRGWRGKWGKWRGWRGKW:40414243+"
    "WWWWWRRRRRGGGGGKKKKKWWWWW:00112233+WRGKWGKWRGWRGKWGKWRGWRGKW:12112122+WRGKWGKWRGWRGKWGKWRGWRGKW:00112233,"
    "hand=5,max_turns=70",
};

}  // namespace zg::blox
