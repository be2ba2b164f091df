// Lines of sight on the board: a row or a column is a word with a lane of 16 bits for each colour, so that one
// multiplication and one AND say which colours lie on a stretch of it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/bits.hpp"
#include "games/blox/cards.hpp"

namespace zg::blox {

enum class Direction : std::uint8_t { North, East, South, West };
inline constexpr int kNumDirections = 4;
inline constexpr std::array<Direction, kNumDirections> kDirections{Direction::North, Direction::East, Direction::South,
                                                                   Direction::West};
constexpr bool is_vertical(Direction d) { return d == Direction::North || d == Direction::South; }
constexpr bool is_ascending(Direction d) { return d == Direction::East || d == Direction::South; }

using Places = unsigned;  // a bit for each place on a line, at most 15

// For each colour the places on a line that have it.
class Lanes {
 public:
  constexpr Lanes() = default;
  constexpr explicit Lanes(std::uint64_t bits) : bits_(bits) {}

  constexpr Places of(int colour) const { return static_cast<Places>(bits_ >> (16 * colour) & 0xFFFF); }
  void add(int colour, int place) { bits_ |= bit(16 * colour + place); }
  constexpr Lanes on(Places places) const { return Lanes(bits_ & kOnes * places); }
  constexpr Lanes minus(Lanes o) const { return Lanes(bits_ & ~o.bits_); }
  // Only these colours.
  constexpr Lanes with(ColourMask colours) const {
    std::uint64_t keep = 0;
    for (int c = 0; c < kNumColours; ++c)
      if ((colours >> c & 1) != 0) keep |= std::uint64_t{0xFFFF} << (16 * c);
    return Lanes(bits_ & keep);
  }
  // The colours that have a place; at most 15 places are used, so no lane carries into the next.
  constexpr ColourMask colours() const {
    const std::uint64_t tops = (bits_ + 0x7FFF * kOnes) & kTops;
    return static_cast<ColourMask>((tops >> 15) * 0x0001000200040008U >> 48 & 0xF);
  }
  constexpr Places any_colour() const {
    const std::uint64_t half = bits_ | bits_ >> 32;
    return static_cast<Places>((half | half >> 16) & 0xFFFF);
  }
  // In each lane the lowest place alone, or the highest.
  constexpr Lanes lowest() const { return Lanes(bits_ & ~((bits_ | kTops) - kOnes)); }
  constexpr Lanes highest() const {
    std::uint64_t x = bits_;  // fill each lane below its highest place
    x |= x >> 1 & kOnes * 0x7FFF;
    x |= x >> 2 & kOnes * 0x3FFF;
    x |= x >> 4 & kOnes * 0x0FFF;
    x |= x >> 8 & kOnes * 0x00FF;
    return Lanes(x & ~(x >> 1 & kOnes * 0x7FFF));
  }
  friend constexpr Lanes operator|(Lanes a, Lanes b) { return Lanes(a.bits_ | b.bits_); }
  Lanes& operator|=(Lanes o) { return *this = *this | o; }
  friend constexpr bool operator==(Lanes, Lanes) = default;

 private:
  static constexpr std::uint64_t kOnes = 0x0001000100010001;
  static constexpr std::uint64_t kTops = 0x8000800080008000;
  std::uint64_t bits_ = 0;
};

static_assert(Lanes(0x0006000000000400).colours() == 0b1001);
static_assert(Lanes(0x0006000003000400).lowest() == Lanes(0x0002000001000400));
static_assert(Lanes(0x0006000003F00400).highest() == Lanes(0x0004000002000400));

// What is seen along a line from a place on it, up to the first obstacle and without it.
struct Sight {
  Places open;   // the places before the obstacle
  int obstacle;  // its place; -1 if there is none
};

constexpr Sight sight_up(Places pieces, int from) {
  const Places beyond = ~Places{1} << from & 0xFFFF;
  const Places ahead = pieces & beyond;
  return {((ahead & (0 - ahead)) - 1) & beyond, ahead == 0 ? -1 : std::countr_zero(ahead)};
}
constexpr Sight sight_down(Places pieces, int from) {
  const Places below = (Places{1} << from) - 1;
  const int n = std::bit_width(pieces & below);
  return {below & (~Places{0} << n), n - 1};
}
static_assert(sight_up(0b1000010, 1).open == 0b0111100 && sight_up(0b1000010, 1).obstacle == 6);
static_assert(sight_down(0b1000010, 6).open == 0b0111100 && sight_down(0b1000010, 6).obstacle == 1);
static_assert(sight_down(0b1, 0).open == 0 && sight_down(0b1, 0).obstacle == -1);

}  // namespace zg::blox
