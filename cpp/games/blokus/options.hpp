// What can be chosen about Blokus: RULES.md section 7.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/options.hpp"

namespace zg::blokus {

enum class Start : std::uint8_t { OwnCorner, AnyCorner };
enum class PassMode : std::uint8_t { Action, Skip };
enum class Scoring : std::uint8_t { Advanced, Basic };

struct Options {
  Start start = Start::OwnCorner;
  PassMode pass_mode = PassMode::Action;
  Scoring scoring = Scoring::Advanced;

  std::uint64_t hash() const {
    return std::uint64_t(start) << 16 | std::uint64_t(pass_mode) << 8 | std::uint64_t(scoring);
  }
  friend bool operator==(const Options&, const Options&) = default;
};

inline const OptionTable<Options>& option_table() {
  static const OptionTable<Options> kTable(
      {
          choice_option<&Options::start>("start", {"own_corner", "any_corner"},
                                         "which corner square a first piece covers"),
          choice_option<&Options::pass_mode>("pass_mode", {"action", "skip"},
                                             "is a forced pass an action, or are blocked colours left out?"),
          choice_option<&Options::scoring>("scoring", {"advanced", "basic"},
                                           "with or without the bonus for placing everything"),
      },
      {
          {"classic", "", "20x20, four players, one colour each"},
      });
  return kTable;
}

inline constexpr std::array<std::string_view, 4> kLawOptions{
    "start=any_corner",
    "pass_mode=skip",
    "scoring=basic",
    "start=any_corner,pass_mode=skip,scoring=basic",
};

}  // namespace zg::blokus
