// Bit tricks on one 64-bit word, with a portable form beside the BMI2 one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace zg {

constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << i; }

// Index of the k-th set bit, counted from 0; x has more than k bits set.
inline int select_bit(std::uint64_t x, int k) {
#if defined(__BMI2__)
  return std::countr_zero(_pdep_u64(bit(k), x));
#else
  for (; k > 0; --k) x &= x - 1;
  return std::countr_zero(x);
#endif
}

// Moves the bits of x that `mask` selects to the low end, in order.
inline std::uint64_t gather_bits(std::uint64_t x, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(x, mask);
#else
  std::uint64_t out = 0;
  for (x &= mask; x != 0; x &= x - 1) {
    const std::uint64_t lowest = x & (0 - x);
    out |= bit(std::popcount(mask & (lowest - 1)));
  }
  return out;
#endif
}

// The reverse: moves the low bits of x to where `mask` has bits, in order.
inline std::uint64_t scatter_bits(std::uint64_t x, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(x, mask);
#else
  std::uint64_t out = 0;
  for (; mask != 0; mask &= mask - 1, x >>= 1) out |= (mask & (0 - mask)) * (x & 1);
  return out;
#endif
}

// Sets the bits of a list of words, from its bit `first` on, that are set in x.
template <class Words>
constexpr void put_bits(Words& words, int first, std::uint64_t x) {
  const auto word = static_cast<std::size_t>(first / 64);
  words[word] |= x << (first % 64);
  if (first % 64 != 0 && word + 1 < words.size()) words[word + 1] |= x >> (64 - first % 64);
}

// Calls f(index) for every set bit, ascending.
template <class F>
constexpr void for_each_bit(std::uint64_t x, F&& f) {
  for (; x != 0; x &= x - 1) f(std::countr_zero(x));
}

}  // namespace zg
