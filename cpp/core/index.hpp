// An integer that belongs to one kind of thing: a cell is not a piece.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace zg {

// `Limit` values, 0 .. Limit-1; one more bit pattern means "none".
template <class Tag, int Limit>
class Index {
 public:
  static_assert(0 < Limit && Limit < 0xFFFF);
  using Rep = std::conditional_t<(Limit < 0xFF), std::uint8_t, std::uint16_t>;
  static constexpr int kLimit = Limit;

  constexpr Index() = default;  // none
  constexpr explicit Index(int value) : value_(static_cast<Rep>(value)) {}

  constexpr int value() const { return value_; }
  constexpr std::size_t index() const { return value_; }  // into tables
  constexpr bool is_none() const { return value_ == kNone; }
  friend constexpr auto operator<=>(Index, Index) = default;

 private:
  static constexpr Rep kNone = static_cast<Rep>(-1);
  Rep value_ = kNone;
};

using Action = std::int32_t;  // dense: 0 <= action < num_actions
using Player = int;           // 0 <= player < num_players
using PlayerMask = std::uint32_t;

}  // namespace zg
