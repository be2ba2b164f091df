// Tiles: how many of each number, and a supply in its order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/bits.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "games/numberplace_city/options.hpp"

namespace zg::numberplace_city {

// How many of each number, up to fifteen: four bits a number, so that one word holds a hand.
class Tiles {
 public:
  constexpr Tiles() = default;
  static constexpr Tiles one(int number) { return Tiles(std::uint64_t{1} << shift(number)); }
  static constexpr Tiles all(int n) { return Tiles(static_cast<std::uint64_t>(n) * kOnes); }

  constexpr int operator[](int number) const { return static_cast<int>(nibbles_ >> shift(number) & 0xF); }
  constexpr bool any() const { return nibbles_ != 0; }
  constexpr int total() const {
    const std::uint64_t pairs = (nibbles_ & kLow) + (nibbles_ >> 4 & kLow);
    return static_cast<int>(pairs * 0x0101010101010101U >> 56);
  }
  // Calls f(number) for each number of which there is a tile, ascending.
  template <class F>
  constexpr void for_each_number(F&& f) const {
    const std::uint64_t halves = nibbles_ | nibbles_ >> 1;
    for_each_bit((halves | halves >> 2) & kOnes, [&](int i) { f(i / 4 + 1); });
  }
  // Calls f(number) for each tile, ascending.
  template <class F>
  constexpr void for_each(F&& f) const {
    for_each_number([&](int number) {
      for (int i = 0; i < (*this)[number]; ++i) f(number);
    });
  }

  // No number may come to more than fifteen, or to less than none.
  friend constexpr Tiles operator+(Tiles a, Tiles b) { return Tiles(a.nibbles_ + b.nibbles_); }
  friend constexpr Tiles operator-(Tiles a, Tiles b) { return Tiles(a.nibbles_ - b.nibbles_); }
  Tiles& operator+=(Tiles o) { return *this = *this + o; }
  Tiles& operator-=(Tiles o) { return *this = *this - o; }
  friend constexpr bool operator==(Tiles, Tiles) = default;
  constexpr std::uint64_t hash() const { return nibbles_; }

 private:
  static constexpr std::uint64_t kOnes = 0x111111111;
  static constexpr std::uint64_t kLow = 0x0F0F0F0F0F;
  static constexpr int shift(int number) { return 4 * (number - 1); }
  constexpr explicit Tiles(std::uint64_t nibbles) : nibbles_(nibbles) {}

  std::uint64_t nibbles_ = 0;
};

static_assert(Tiles::all(kMostPerNumber).total() == kMostTiles && (Tiles::one(9) + Tiles::one(9))[9] == 2);

// Tiles in order; number 0 is the front one.
class Supply {
 public:
  Supply() = default;
  explicit Supply(Tiles tiles) : size_(static_cast<std::uint8_t>(tiles.total())) {
    std::size_t i = 0;
    tiles.for_each([&](int number) { (*this)[i++] = static_cast<std::uint8_t>(number); });
  }
  explicit Supply(std::span<const std::uint8_t> numbers) : size_(static_cast<std::uint8_t>(numbers.size())) {
    std::copy(numbers.rbegin(), numbers.rend(), numbers_.begin());
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // The front is the end of the array, so that drawing moves nothing.
  std::uint8_t& operator[](std::size_t i) { return numbers_[size_ - 1 - i]; }
  int operator[](std::size_t i) const { return numbers_[size_ - 1 - i]; }
  int draw() {  // there is a tile
    --size_;
    return std::exchange(numbers_[size_], std::uint8_t{0});  // what is not there is 0, so that equal ones are equal
  }
  Tiles draw(int n) {
    Tiles out;
    for (; n > 0; --n) out += Tiles::one(draw());
    return out;
  }
  Tiles tiles() const {
    Tiles out;
    for (std::size_t i = 0; i < size_; ++i) out += Tiles::one((*this)[i]);
    return out;
  }
  std::uint64_t hash(std::uint64_t h) const {
    for (std::size_t i = 0; i < size_;) {  // sixteen tiles a word
      std::uint64_t word = 0;
      for (int n = 0; n < 16 && i < size_; ++n, ++i) word = word << 4 | numbers_[i];
      h = hash_append(h, word);
    }
    return hash_append(h, size_);
  }
  friend bool operator==(const Supply&, const Supply&) = default;

 private:
  std::array<std::uint8_t, kMostTiles> numbers_{};
  std::uint8_t size_ = 0;
};

inline std::string tiles_text(Tiles tiles) {
  std::string out;
  tiles.for_each([&](int number) { out += static_cast<char>('0' + number); });
  return out.empty() ? "-" : out;
}

inline constexpr std::string_view kDigits = "123456789";

inline int read_number(Cursor& in) { return in.take(kDigits) - '0'; }

// Ascending digits, at most `most`, or `-`.
inline Tiles read_tiles(Cursor& in, int most) {
  Tiles out;
  if (in.accept('-')) return out;
  int n = 0;
  for (int last = 1; n == 0 || kDigits.find(in.peek()) != kDigits.npos; ++n) {
    if (n == most) in.fail("at most " + std::to_string(most) + " tiles");
    last = in.take(kDigits.substr(static_cast<std::size_t>(last - 1))) - '0';
    if (out[last] == kMostPerNumber) in.fail("at most " + std::to_string(kMostPerNumber) + " tiles of a number");
    out += Tiles::one(last);
  }
  return out;
}

}  // namespace zg::numberplace_city
