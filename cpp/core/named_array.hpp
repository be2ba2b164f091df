// An array that a game computes and names: of a state (an analysis) or of the options alone (a table).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace zg {

template <class Options, class Subject>
struct NamedArray {
  using FillInts = void (*)(const Subject&, std::span<std::int32_t>);
  using FillFloats = void (*)(const Subject&, std::span<float>);

  std::string_view name;
  std::string_view about;
  std::vector<int> (*shape)(const Options&);
  std::variant<FillInts, FillFloats> fill;  // writes every element, in C order
};

}  // namespace zg
