// What an action makes public, told in order: a name and its facts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace zg {

struct Event {
  using Value = std::variant<std::int64_t, std::string>;

  std::string_view name;
  std::vector<std::pair<std::string_view, Value>> facts;
};

}  // namespace zg
