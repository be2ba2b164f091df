// A random stream in a position's text: key and counter, sixteen hexadecimal digits each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.hpp"
#include "core/text.hpp"

namespace zg {

namespace detail {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

inline std::string hex_text(std::uint64_t x) {
  std::string out(16, '0');
  for (auto digit = out.rbegin(); digit != out.rend(); ++digit, x /= 16) *digit = kHexDigits[x % 16];
  return out;
}
inline std::uint64_t read_hex(Cursor& in) {
  std::uint64_t out = 0;
  for (int i = 0; i < 16; ++i) out = out * 16 + kHexDigits.find(in.take(kHexDigits));
  return out;
}

}  // namespace detail

inline std::string stream_text(const Stream& stream) {
  return detail::hex_text(stream.key) + "." + detail::hex_text(stream.counter);
}

inline Stream read_stream(Cursor& in) {
  Stream out;
  out.key = detail::read_hex(in);
  in.expect('.');
  out.counter = detail::read_hex(in);
  return out;
}

}  // namespace zg
