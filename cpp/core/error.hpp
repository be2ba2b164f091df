// What callers can get wrong. The bindings turn each into a Python exception of the name given here.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zg {

struct IllegalAction : std::invalid_argument {  // ziggurat.IllegalActionError
  using std::invalid_argument::invalid_argument;
};

struct IllegalActions : IllegalAction {  // the same, with the rows of a batch as its attribute `rows`
  IllegalActions(const std::string& text, std::vector<std::int64_t> where)
      : IllegalAction(text), rows(std::move(where)) {}
  std::vector<std::int64_t> rows;
};

struct ParseError : std::invalid_argument {  // ziggurat.ParseError
  using std::invalid_argument::invalid_argument;
};

struct BadValue : std::invalid_argument {  // ValueError
  using std::invalid_argument::invalid_argument;
};

struct BadType : std::invalid_argument {  // TypeError
  using std::invalid_argument::invalid_argument;
};

struct FileError : std::runtime_error {  // OSError, of the kind that belongs to the number
  FileError(int error, const std::string& file) : std::runtime_error(file), number(error) {}
  int number;
};

// A foreign text inside a message: quoted, printable ASCII only, and cut where it is long.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (0x20 <= byte && byte < 0x7F)
      out += c;
    else
      (out += "\\x") += {kHex[byte / 16], kHex[byte % 16]};
  }
  if (text.size() > kMost) out += "...";
  return out + "'";
}

// The item of that name; BadValue, saying which there are, if there is none.
template <class Items>
const auto& find_named(const Items& items, std::string_view kind, std::string_view name) {
  std::string names;
  for (const auto& item : items) {
    if (item.name == name) return item;
    (names += names.empty() ? "" : ", ") += item.name;
  }
  throw BadValue("unknown " + std::string(kind) + " " + quoted(name) +
                 "; there are: " + (names.empty() ? "none" : names));
}

}  // namespace zg
