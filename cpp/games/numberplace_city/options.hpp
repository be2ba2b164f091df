// What can be chosen about Numberplace City: RULES.md section 10.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bits.hpp"
#include "core/options.hpp"
#include "core/random.hpp"

namespace zg::numberplace_city {

inline constexpr int kNumNumbers = 9;
inline constexpr int kNumBlocks = 9;
inline constexpr int kMostPlayers = 4;
inline constexpr int kMostHand = 4;
inline constexpr int kMostPerNumber = 12;
inline constexpr int kMostTiles = kNumNumbers * kMostPerNumber;

enum class BoardConflict : std::uint8_t { All, One };
enum class BonusScope : std::uint8_t { Own, OneOfUpTo, AllUpTo };
enum class SoloPoint : std::uint8_t { Built, Laid };
enum class FinalPass : std::uint8_t { Free, Penalty };
enum class Effect : std::uint8_t { Remove, Start, Discard, Turn, Point, Win, None };
inline constexpr std::string_view kEffectLetters = "rsdtpw-";

using BlockMask = std::uint16_t;  // a bit a block
using Areas = std::array<BlockMask, kMostPlayers>;

constexpr BlockMask blocks(std::string_view digits) {
  BlockMask out = 0;
  for (const char c : digits) out = static_cast<BlockMask>(out | 1U << (c - '0'));
  return out;
}

// [NC-1.3]
constexpr Areas standard_areas(int players) {
  if (players == 2) return {blocks("034678"), blocks("012458"), 0, 0};
  if (players == 3) return {blocks("4678"), blocks("0346"), blocks("2458"), 0};
  return {blocks("4678"), blocks("0346"), blocks("0124"), blocks("2458")};
}

struct Options {
  Areas areas{};  // nothing: the standard ones
  std::uint16_t max_turns = 2000;
  std::array<Effect, kNumNumbers> bonus_table{Effect::Remove,  Effect::Remove,  Effect::Start,
                                              Effect::Discard, Effect::Discard, Effect::Turn,
                                              Effect::Turn,    Effect::Point,   Effect::Win};
  std::uint8_t players = 4;
  std::uint8_t tiles_per_number = 9;
  std::uint8_t out_at = 0;  // 0: as printed
  std::uint8_t points_to_win = 3;
  BoardConflict board_conflict = BoardConflict::All;
  BonusScope bonus_scope = BonusScope::Own;
  SoloPoint solo_point = SoloPoint::Built;
  FinalPass final_pass = FinalPass::Free;
  bool penalties_open = true;
  bool recycle = true;
  bool start_in_final = false;

  bool has_own_areas() const { return areas[0] != 0; }
  BlockMask area(int seat) const {
    return (has_own_areas() ? areas : standard_areas(players))[static_cast<std::size_t>(seat)];
  }
  // The blocks that only this seat may use.
  BlockMask exclusive(int seat) const {
    unsigned others = 0;
    for (int p = 0; p < players; ++p)
      if (p != seat) others |= area(p);
    return static_cast<BlockMask>(area(seat) & ~others);
  }
  int tiles() const { return kNumNumbers * tiles_per_number; }
  int penalties_that_eliminate() const { return out_at != 0 ? out_at : printed_out_at(); }
  int printed_out_at() const { return players == 2 ? 7 : 5; }
  Effect effect(int number) const { return bonus_table[static_cast<std::size_t>(number - 1)]; }

  std::uint64_t hash() const {
    std::uint64_t h = max_turns;
    for (const BlockMask area : areas) h = hash_append(h, area);
    for (const Effect effect : bonus_table) h = h * 8 + static_cast<std::uint64_t>(effect);
    for (const int x : {int{players}, int{tiles_per_number}, int{out_at}, int{points_to_win}})
      h = hash_append(h, static_cast<std::uint64_t>(x));
    for (const int x : {int(board_conflict), int(bonus_scope), int(solo_point), int(final_pass), int{penalties_open},
                        int{recycle}, int{start_in_final}})
      h = h * 4 + static_cast<std::uint64_t>(x);
    return h;
  }
  friend bool operator==(const Options&, const Options&) = default;
};

namespace detail {

inline std::string blocks_text(BlockMask blocks) {
  std::string out;
  for_each_bit(blocks, [&](int b) { out += static_cast<char>('0' + b); });
  return out;
}
inline std::string areas_text(const Options& options) {
  if (!options.has_own_areas()) return "standard";
  std::string out;
  for (const BlockMask area : options.areas)
    if (area != 0) (out += out.empty() ? "" : "+") += blocks_text(area);
  return out;
}
inline BlockMask read_area(std::string_view text) {
  BlockMask blocks = 0;
  for (const char c : text) {
    if (c < '0' || '8' < c) throw BadValue("a block is a digit from 0 to 8, not " + quoted({&c, 1}));
    const auto block = static_cast<BlockMask>(bit(c - '0'));
    if ((blocks & block) != 0) throw BadValue("block " + std::string(1, c) + " stands twice in " + quoted(text));
    blocks = static_cast<BlockMask>(blocks | block);
  }
  if (blocks == 0) throw BadValue("an area has no blocks");
  return blocks;
}
inline void read_areas(Options& options, std::string_view text) {
  options.areas = {};
  if (text == "standard") return;
  const std::string_view given = text;
  std::size_t seats = 0;
  for (bool more = true; more; ++seats) {
    if (seats == options.areas.size()) throw BadValue(quoted(given) + " has more than four areas");
    const std::size_t plus = text.find('+');
    options.areas[seats] = read_area(text.substr(0, plus));
    more = plus != text.npos;
    text.remove_prefix(more ? plus + 1 : text.size());
  }
}

inline std::string bonus_table_text(const Options& options) {
  std::string out;
  for (const Effect effect : options.bonus_table) out += kEffectLetters[static_cast<std::size_t>(effect)];
  return out;
}
inline void read_bonus_table(Options& options, std::string_view text) {
  if (text.size() != options.bonus_table.size())
    throw BadValue(quoted(text) + " has the length " + std::to_string(text.size()));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t effect = kEffectLetters.find(text[i]);
    if (effect == kEffectLetters.npos) throw BadValue(quoted(text.substr(i, 1)) + " is not one of them");
    options.bonus_table[i] = static_cast<Effect>(effect);
  }
}

// [NC-10.1] [NC-10.3]
inline void settle(Options& options) {
  if (options.has_own_areas()) {
    const auto given = std::count_if(options.areas.begin(), options.areas.end(), [](BlockMask a) { return a != 0; });
    if (given != options.players)
      throw BadValue("option areas has " + std::to_string(given) + " areas, but there are " +
                     std::to_string(options.players) + " players");
    if (options.areas == standard_areas(options.players)) options.areas = {};
  }
  if (options.out_at == options.printed_out_at()) options.out_at = 0;
  if (options.players == 2) {
    options.solo_point = SoloPoint::Built;
    options.final_pass = FinalPass::Free;
    options.start_in_final = false;
  }
}

}  // namespace detail

inline const OptionTable<Options>& option_table() {
  using O = Options;
  static const OptionTable<Options> kTable(
      {
          number_option<&O::players>("players", 2, kMostPlayers, "how many players"),
          number_option<&O::tiles_per_number>("tiles_per_number", 1, kMostPerNumber, "tiles of each number"),
          text_option<O>("areas", "the blocks that each seat may lay on",
                         {"standard, or areas as text", detail::areas_text, detail::read_areas}),
          choice_option<&O::board_conflict>("board_conflict", {"all", "one"},
                                            "which contradicting tiles of the board a wrong tile takes along"),
          number_option<&O::out_at>("out_at", 0, 127, "penalty tiles that eliminate; 0: 5, with two players 7"),
          number_option<&O::points_to_win>("points_to_win", 1, 99, "points that win at once"),
          text_option<O>(
              "bonus_table", "the effect of each number: remove, start, discard, turn, point, win",
              {"nine letters of r, s, d, t, p, w and -", detail::bonus_table_text, detail::read_bonus_table}),
          choice_option<&O::bonus_scope>("bonus_scope", {"own", "one_of_up_to", "all_up_to"},
                                         "which effects the lowest number built gives"),
          flag_option<&O::penalties_open>("penalties_open", "do penalty tiles lie face up?"),
          choice_option<&O::solo_point>("solo_point", {"built", "laid"}, "when the last one laying scores for a tile"),
          choice_option<&O::final_pass>("final_pass", {"free", "penalty"}, "what a pass costs in the final phase"),
          flag_option<&O::recycle>("recycle", "does the discard become a new supply?"),
          flag_option<&O::start_in_final>("start_in_final", "is it the final phase from the start?"),
          number_option<&O::max_turns>("max_turns", 0, 65535,
                                       "lays and passes until a game ends by points; 0: no limit"),
      },
      {
          {"standard", "", "four players, nine tiles of each number"},
      },
      detail::settle);
  return kTable;
}

inline constexpr std::array<std::string_view, 12> kLawOptions{
    "tiles_per_number=2,max_turns=60",
    "players=2,tiles_per_number=2,points_to_win=1",
    "players=2,out_at=3,penalties_open=false,recycle=false,tiles_per_number=4",
    "players=3,start_in_final=true,final_pass=penalty,solo_point=laid,tiles_per_number=5,max_turns=80",
    "players=3,tiles_per_number=3,start_in_final=true,bonus_scope=all_up_to,points_to_win=2,max_turns=90",
    "out_at=2,board_conflict=one,bonus_scope=one_of_up_to,max_turns=100",
    "tiles_per_number=1,areas=4+04+48+4,out_at=3,bonus_table=ddddddddd,max_turns=70",
    "players=3,areas=012+345+678,bonus_table=trtrtrtrs,bonus_scope=all_up_to,points_to_win=50,out_at=127,max_turns=120",
    "players=3,areas=0+04+048,bonus_table=p-------w,bonus_scope=one_of_up_to,penalties_open=false,max_turns=60",
    "players=2,areas=0+8,tiles_per_number=12,bonus_table=tttttttts,points_to_win=9,max_turns=150",
    "solo_point=laid,out_at=1,points_to_win=6,max_turns=100",
    "max_turns=1",
};

}  // namespace zg::numberplace_city
