// Cards and blocks: numbers of each colour, and a deck.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/index.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "games/blox/options.hpp"

namespace zg::blox {

using Colour = Index<struct ColourTag, kNumColours>;
using ColourMask = unsigned;  // a bit a colour

inline constexpr std::string_view kLowerLetters = "wrgk";

// How many of each colour, up to 127: a byte a colour, so that one word holds a hand or a tower.
class Counts {
 public:
  constexpr Counts() = default;
  static constexpr Counts one(int colour) { return Counts(std::uint32_t{1} << (8 * colour)); }
  static constexpr Counts all(int n) { return Counts(static_cast<std::uint32_t>(n) * kOnes); }

  constexpr int operator[](int colour) const { return static_cast<int>(bytes_ >> (8 * colour) & 0xFF); }
  constexpr bool any() const { return bytes_ != 0; }
  constexpr int total() const { return static_cast<int>(bytes_ * kOnes >> 24); }
  constexpr ColourMask colours() const { return mask_of(bytes_ + 0x7F * kOnes); }
  // The colours of which there are fewer than in `wanted`.
  constexpr ColourMask lacking(Counts wanted) const { return mask_of(~((bytes_ | kTops) - wanted.bytes_)); }

  // No colour may come to more than 127, or to less than none.
  friend constexpr Counts operator+(Counts a, Counts b) { return Counts(a.bytes_ + b.bytes_); }
  friend constexpr Counts operator-(Counts a, Counts b) { return Counts(a.bytes_ - b.bytes_); }
  Counts& operator+=(Counts o) { return *this = *this + o; }
  Counts& operator-=(Counts o) { return *this = *this - o; }
  friend constexpr bool operator==(Counts, Counts) = default;
  constexpr std::uint32_t hash() const { return bytes_; }

 private:
  static constexpr std::uint32_t kOnes = 0x01010101;
  static constexpr std::uint32_t kTops = 0x80808080;
  constexpr explicit Counts(std::uint32_t bytes) : bytes_(bytes) {}
  // The topmost bits of the bytes side by side: the product moves them into the highest four bits.
  static constexpr ColourMask mask_of(std::uint32_t bytes) { return ((bytes & kTops) >> 7) * 0x10204080U >> 28; }

  std::uint32_t bytes_ = 0;
};

static_assert((Counts::one(0) + Counts::one(3)).colours() == 9 && Counts::all(5).total() == 20);
static_assert(Counts::one(2).lacking(Counts::all(1)) == 11 && Counts::all(15).lacking(Counts::one(1)) == 0);

// A list of colours, for shuffling and dealing.
class ColourList {
 public:
  explicit ColourList(Counts counts) {
    for (int c = 0; c < kNumColours; ++c)
      for (int i = 0; i < counts[c]; ++i) colours_[size_++] = static_cast<std::uint8_t>(c);
  }
  std::size_t size() const { return size_; }
  std::uint8_t& operator[](std::size_t i) { return colours_[i]; }
  // The next n from the front.
  Counts deal(int n) {
    Counts out;
    for (; n > 0; --n) out += Counts::one(colours_[front_++]);
    return out;
  }
  std::size_t left() const { return size_ - front_; }
  std::span<const std::uint8_t> rest() const { return std::span(colours_).subspan(front_, left()); }

 private:
  std::array<std::uint8_t, kMostCards> colours_{};
  std::size_t size_ = 0;
  std::size_t front_ = 0;
};

// Cards in order, two bits a card, the front one lowest.
class Deck {
 public:
  static constexpr std::size_t kMost = 64;
  static_assert(kMostCards <= kMost);

  Deck() = default;
  explicit Deck(std::span<const std::uint8_t> cards) {
    for (auto card = cards.rbegin(); card != cards.rend(); ++card) push_front(*card);
  }
  int size() const { return size_; }
  int draw() {  // there is a card
    const int card = static_cast<int>(low_ & 3);
    low_ = low_ >> 2 | high_ << 62;
    high_ >>= 2;
    --size_;
    return card;
  }
  void push_front(int card) {
    high_ = high_ << 2 | low_ >> 62;
    low_ = low_ << 2 | static_cast<std::uint64_t>(card);
    ++size_;
  }
  Counts counts() const {
    Counts out;
    for (Deck rest = *this; rest.size_ > 0;) out += Counts::one(rest.draw());
    return out;
  }
  std::uint64_t hash(std::uint64_t h) const { return hash_append(hash_append(hash_append(h, low_), high_), size_); }
  friend bool operator==(const Deck&, const Deck&) = default;

 private:
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
  std::uint8_t size_ = 0;
};

inline std::string counts_text(Counts counts) {
  std::string out;
  for (int c = 0; c < kNumColours; ++c)
    out.append(static_cast<std::size_t>(counts[c]), kLowerLetters[static_cast<std::size_t>(c)]);
  return out.empty() ? "-" : out;
}

// Letters in the order of colours, or `-`; at most `most`.
inline Counts read_counts(Cursor& in, int most) {
  Counts out;
  if (in.accept('-')) return out;
  int n = 0;
  for (int c = 0; c < kNumColours; ++c)
    for (; in.accept(kLowerLetters[static_cast<std::size_t>(c)]); ++n) {
      if (n == most) in.fail("at most " + std::to_string(most) + " letters");
      out += Counts::one(c);
    }
  if (n == 0) in.fail("'-' or letters w r g k in this order");
  return out;
}

}  // namespace zg::blox
