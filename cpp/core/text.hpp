// A cursor over a text: every reader says what it expected and where.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace zg {

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
  char take(std::string_view allowed) {
    if (at_end() || allowed.find(text_[at_]) == allowed.npos) fail("one of " + quoted(allowed));
    return text_[at_++];
  }
  // The characters up to one of `stops`, or to the end.
  std::string_view take_until(std::string_view stops) {
    const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
    const std::string_view out = text_.substr(at_, end - at_);
    at_ = end;
    return out;
  }
  // A number in its one usual form: no sign unless it is needed, no leading zeros.
  int number(int lowest, int highest) {
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - (text_.data() + at_));
    const bool usual = error == std::errc{} && text_.substr(at_, length) == std::to_string(value);
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

inline char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

}  // namespace zg
