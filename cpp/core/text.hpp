// A cursor over a text: every reader says what it expected and where.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace zg {

// Where a letter stands among a few, npos if it does not. For so few a loop is quicker than the library's search.
constexpr std::size_t place_in(std::string_view letters, char c) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters[i] == c) return i;
  return std::string_view::npos;
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "'");
  }
  char take(std::string_view allowed) { return allowed[take_place(allowed)]; }
  // The place of the next character among `allowed`.
  std::size_t take_place(std::string_view allowed) {
    const std::size_t place = at_end() ? allowed.npos : place_in(allowed, text_[at_]);
    if (place == allowed.npos) fail("one of " + quoted(allowed));
    ++at_;
    return place;
  }
  // The characters up to one of `stops`, or to the end.
  std::string_view take_until(std::string_view stops) {
    const std::size_t start = at_;
    while (!at_end() && place_in(stops, text_[at_]) == stops.npos) ++at_;
    return text_.substr(start, at_ - start);
  }
  // A number in its one usual form: no sign unless it is needed, no leading zeros.
  int number(int lowest, int highest) {
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - (text_.data() + at_));
    const std::string_view written = text_.substr(at_, length);
    const bool usual = error == std::errc{} && (length == 1 || written[written[0] == '-'] != '0');
    if (!usual || value < lowest || value > highest)
      fail("a number from " + std::to_string(lowest) + " to " + std::to_string(highest));
    at_ += length;
    return value;
  }
  void finish() const {
    if (!at_end()) fail("the end of the text");
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw ParseError("at character " + std::to_string(at_ + 1) + " of " + quoted(text_) + ": expected " + expected +
                     (at_end() ? ", but the text ends" : ", not " + quoted(text_.substr(at_, 12))));
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Appends a number in that form. Most have one digit.
inline void append_number(std::string& out, std::int64_t n) {
  if (0 <= n && n <= 9)
    out += static_cast<char>('0' + n);
  else
    out += std::to_string(n);
}

inline char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

}  // namespace zg
