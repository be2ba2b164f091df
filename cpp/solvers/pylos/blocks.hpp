// A block is 2^Bits colourings, one bit each. Cells whose place in the number of a colouring is below Bits lie inside
// a block, the others choose the block. These are the few ways in which blocks of one set of cells become blocks of
// another, and masks of colourings.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace zg::pylos::solver {

using Word = std::uint64_t;

// Numbers without their bit i, and with a zero put in there.
constexpr std::uint32_t without_bit(std::uint32_t x, int i) {
  const std::uint32_t low = (std::uint32_t{1} << i) - 1;
  return (x >> 1 & ~low) | (x & low);
}
constexpr std::uint32_t with_zero(std::uint32_t x, int i) {
  const std::uint32_t low = (std::uint32_t{1} << i) - 1;
  return (x & ~low) << 1 | (x & low);
}

inline Word reversed(Word x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
  return __builtin_bswap64(x);
}

// Bits of a word whose number has none of the bits of m.
inline constexpr std::array<Word, 64> kWithout = [] {
  std::array<Word, 64> out{};
  for (std::size_t m = 0; m < 64; ++m)
    for (std::size_t i = 0; i < 64; ++i)
      if ((i & m) == 0) out[m] |= Word{1} << i;
  return out;
}();
// Bits of a word whose number has at most n - 1 bits; n = 0 .. 7.
inline constexpr std::array<Word, 8> kFewer = [] {
  std::array<Word, 8> out{};
  for (int n = 0; n < 8; ++n)
    for (unsigned i = 0; i < 64; ++i)
      if (std::popcount(i) < n) out[static_cast<std::size_t>(n)] |= Word{1} << i;
  return out;
}();
inline Word fewer(int n) { return kFewer[static_cast<std::size_t>(std::clamp(n, 0, 7))]; }

// Words of 64 colourings whose bit p counts as zero; other bits are dropped on the way in and zero on the way out.
constexpr Word zero_at(int p) { return kWithout[std::size_t{1} << p]; }

template <int Bits>
struct Blocks {
  static_assert(Bits >= 7);
  static constexpr std::size_t kWords = std::size_t{1} << (Bits - 6);
  static constexpr std::size_t kHalf = kWords / 2;
  static constexpr std::array<int, kWords> kOnes = [] {  // bits of the number of a word
    std::array<int, kWords> out{};
    for (std::size_t i = 0; i < kWords; ++i) out[i] = std::popcount(i);
    return out;
  }();

  struct alignas(64) Block {
    std::array<Word, kWords> words;
    Word& operator[](std::size_t i) { return words[i]; }
    const Word& operator[](std::size_t i) const { return words[i]; }
  };

  // The colourings of a block whose bit p is zero, numbered without that bit: kHalf words.
  static void compact(int p, const Word* in, Word* out) {
    if (p >= 6) {
      const std::size_t run = std::size_t{1} << (p - 6);
      for (std::size_t i = 0; i < kHalf; i += run) std::copy_n(in + 2 * i, run, out + i);
      return;
    }
    Block x;
    for (std::size_t i = 0; i < kWords; ++i) x[i] = in[i] & zero_at(p);
    for (int s = p; s < 5; ++s) {
      const Word keep = zero_at(s + 1);
      for (std::size_t i = 0; i < kWords; ++i) x[i] = (x[i] | x[i] >> (1 << s)) & keep;
    }
    for (std::size_t i = 0; i < kHalf; ++i) out[i] = x[2 * i] | x[2 * i + 1] << 32;
  }

  // The reverse: a zero bit is put in at p; colourings whose bit p is one become zero.
  static void expand(int p, const Word* in, Word* out) {
    if (p >= 6) {
      const std::size_t run = std::size_t{1} << (p - 6);
      for (std::size_t i = 0; i < kHalf; i += run) {
        std::copy_n(in + i, run, out + 2 * i);
        std::fill_n(out + 2 * i + run, run, Word{0});
      }
      return;
    }
    for (std::size_t i = 0; i < kHalf; ++i) {
      out[2 * i] = in[i] & 0xFFFFFFFF;
      out[2 * i + 1] = in[i] >> 32;
    }
    for (int s = 4; s >= p; --s) {
      const Word keep = zero_at(s);
      for (std::size_t i = 0; i < kWords; ++i) out[i] = (out[i] | out[i] << (1 << s)) & keep;
    }
  }
};

}  // namespace zg::pylos::solver
