// What can be chosen about Pylos: RULES.md section 8.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/options.hpp"
#include "core/random.hpp"

namespace zg::pylos {

enum class Patterns : std::uint8_t { Squares, None, Lines };
enum class Removal : std::uint8_t { Optional, Mandatory };
enum class NoMove : std::uint8_t { Loses, Passes };
enum class EmptyReserve : std::uint8_t { Continues, Loses };

struct Options {
  std::uint8_t base = 4;
  Patterns patterns = Patterns::Squares;
  Removal removal = Removal::Optional;
  bool remove_placed = true;
  bool chain_removal = true;
  NoMove no_move = NoMove::Loses;
  EmptyReserve empty_reserve = EmptyReserve::Continues;
  std::uint16_t max_turns = 2000;

  std::uint64_t hash() const {
    std::uint64_t h = max_turns;
    for (const int v : {int{base}, int(patterns), int(removal), int{remove_placed}, int{chain_removal}, int(no_move),
                        int(empty_reserve)})
      h = h << 4 | static_cast<std::uint64_t>(v);
    return h;
  }
  friend bool operator==(const Options&, const Options&) = default;
};

inline const OptionTable<Options>& option_table() {
  static const OptionTable<Options> kTable(
      {
          number_option<&Options::base>("base", 3, 4, "side of the lowest level: 4 for 30 cells, 3 for 14"),
          choice_option<&Options::patterns>("patterns", {"squares", "none", "lines"},
                                            "what lets a player take balls back"),
          choice_option<&Options::removal>("removal", {"optional", "mandatory"},
                                           "must a ball be taken back after a pattern?"),
          flag_option<&Options::remove_placed>("remove_placed", "may the ball of this turn be taken back?"),
          flag_option<&Options::chain_removal>("chain_removal", "may the second ball be one that the first has freed?"),
          choice_option<&Options::no_move>("no_move", {"loses", "passes"}, "a player who can neither place nor raise"),
          choice_option<&Options::empty_reserve>("empty_reserve", {"continues", "loses"},
                                                 "a player whose reserve is empty"),
          number_option<&Options::max_turns>("max_turns", 0, 65535,
                                             "turns until an undecided game is a draw; 0: no limit"),
      },
      {
          {"standard", "", "squares give balls back"},
          {"children", "patterns=none", "no balls are taken back"},
          {"expert", "patterns=lines", "squares and full lines give balls back"},
          {"mini", "base=3", "14 cells, 7 balls each; for tests and exhaustive solving"},
      });
  return kTable;
}

inline constexpr std::array<std::string_view, 10> kLawOptions{
    "max_turns=7",
    "patterns=none,no_move=passes",
    "patterns=lines,removal=mandatory,remove_placed=false",
    "removal=mandatory,remove_placed=false,chain_removal=false,no_move=passes",
    "empty_reserve=loses",
    "base=3",
    "base=3,removal=mandatory,remove_placed=false,no_move=passes,max_turns=0",
    "base=3,patterns=lines,chain_removal=false",
    "base=3,patterns=none,no_move=passes",
    "base=3,empty_reserve=loses,no_move=passes,max_turns=1",
};

}  // namespace zg::pylos
