// W 64-bit words handled as one value, in the widest registers that the instruction set of this build has.
// This is the only file that knows about instruction sets (but for the one-word tricks of bits.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/bits.hpp"
#if defined(__AVX512VBMI2__) && defined(__AVX512VPOPCNTDQ__)
#include <immintrin.h>
#define ZG_AVX512 1
#else
#define ZG_AVX512 0
#endif

namespace zg {

#if ZG_AVX512
inline constexpr int kRegisterWords = 8;
#elif defined(__AVX2__)
inline constexpr int kRegisterWords = 4;
#else
inline constexpr int kRegisterWords = 2;
#endif

namespace detail {
template <int Words>
struct LaneOf {
  typedef std::uint64_t type __attribute__((vector_size(Words * 8)));
};
template <>
struct LaneOf<1> {
  using type = std::uint64_t;
};
}  // namespace detail

template <int W>
class Wide {
 public:
  static_assert(std::has_single_bit(static_cast<unsigned>(W)) && W <= 8);
  static constexpr int kLaneWords = W < kRegisterWords ? W : kRegisterWords;
  static constexpr int kLanes = W / kLaneWords;
  using Lane = typename detail::LaneOf<kLaneWords>::type;
  using Words = std::array<std::uint64_t, W>;

  Wide() = default;  // not initialised, so that tables of sets cost nothing until they are written
  explicit Wide(const Words& words) { std::memcpy(lanes_, words.data(), sizeof lanes_); }

  Words words() const {
    Words out;
    std::memcpy(out.data(), lanes_, sizeof lanes_);
    return out;
  }
  std::uint64_t word(int i) const {
    std::uint64_t out;
    std::memcpy(&out, reinterpret_cast<const char*>(lanes_) + i * 8, 8);
    return out;
  }
  const Lane& lane(int i) const { return lanes_[i]; }
  Lane& lane(int i) { return lanes_[i]; }

  friend Wide operator&(const Wide& a, const Wide& b) {
    return map2(a, b, [](Lane x, Lane y) { return x & y; });
  }
  friend Wide operator|(const Wide& a, const Wide& b) {
    return map2(a, b, [](Lane x, Lane y) { return x | y; });
  }
  friend Wide operator^(const Wide& a, const Wide& b) {
    return map2(a, b, [](Lane x, Lane y) { return x ^ y; });
  }
  Wide minus(const Wide& b) const {
    return map2(*this, b, [](Lane x, Lane y) { return x & ~y; });
  }

  bool any() const {
    Lane all = lanes_[0];
    for (int i = 1; i < kLanes; ++i) all |= lanes_[i];
    return lane_any(all);
  }
  friend bool operator==(const Wide& a, const Wide& b) { return !(a ^ b).any(); }

  int count() const {
#if ZG_AVX512
    if constexpr (W == 8) return static_cast<int>(_mm512_reduce_add_epi64(_mm512_popcnt_epi64(zmm())));
#endif
    int total = 0;
    for (int i = 0; i < W; ++i) total += std::popcount(word(i));
    return total;
  }

  // Position of the k-th set bit; there are more than k.
  int select(int k) const {
    for (int i = 0;; ++i) {
      const int here = std::popcount(word(i));
      if (k < here) return i * 64 + select_bit(word(i), k);
      k -= here;
    }
  }

#if ZG_AVX512
  explicit Wide(__m512i x)
    requires(W == 8)
  {
    std::memcpy(lanes_, &x, sizeof lanes_);
  }
  __m512i zmm() const
    requires(W == 8)
  {
    return reinterpret_cast<__m512i>(lanes_[0]);
  }
#endif

 private:
  template <class F>
  static Wide map2(const Wide& a, const Wide& b, F f) {
    Wide out;
    for (int i = 0; i < kLanes; ++i) out.lanes_[i] = f(a.lanes_[i], b.lanes_[i]);
    return out;
  }

  static bool lane_any(const Lane& lane) {
    if constexpr (kLaneWords == 1) {
      return lane != 0;
    } else {
      std::uint64_t all = lane[0];
      for (int i = 1; i < kLaneWords; ++i) all |= lane[i];
      return all != 0;
    }
  }

  Lane lanes_[kLanes];
};

// One set, ready to be shifted by many distances. Inlined by force: with a constant distance the shift counts become
// constants, which is worth 23 % of all instructions of a Blokus game with AVX2. `down(n)` moves bit i+n to bit i,
// `up(n)` bit i to bit i+n; 0 <= n < 64 W.
template <int W>
class Shifter {
 public:
  explicit Shifter(const Wide<W>& set) : set_(set) {
    if constexpr (!kInRegister) {
      const auto words = set.words();
      std::memset(padded_, 0, sizeof padded_);
      std::memcpy(padded_ + W, words.data(), sizeof words);
    }
  }

  [[gnu::always_inline]] Wide<W> down(int n) const {
#if ZG_AVX512
    if constexpr (kInRegister)
      return in_register_down(n);
    else
#endif
      return from_memory(W + n / 64, n % 64);
  }
  [[gnu::always_inline]] Wide<W> up(int n) const {
#if ZG_AVX512
    if constexpr (kInRegister)
      return in_register_up(n);
    else
#endif
      return n % 64 == 0 ? from_memory(W - n / 64, 0) : from_memory(W - n / 64 - 1, 64 - n % 64);
  }

 private:
  static constexpr bool kInRegister = ZG_AVX512 != 0 && W == 8;

  // The words from `first` on, moved down by b < 64 bits.
  [[gnu::always_inline]] Wide<W> from_memory(int first, int b) const {
    Wide<W> out;
    for (int i = 0; i < Wide<W>::kLanes; ++i) {
      const std::uint64_t* at = padded_ + first + i * Wide<W>::kLaneWords;
      out.lane(i) = b == 0 ? load(at) : (load(at) >> b) | (load(at + 1) << (64 - b));
    }
    return out;
  }

  static typename Wide<W>::Lane load(const std::uint64_t* at) {
    typename Wide<W>::Lane lane;
    std::memcpy(&lane, at, sizeof lane);
    return lane;
  }

#if ZG_AVX512
  // Two word permutations and one funnel shift; with a constant n all operands but the set are constants.
  Wide<W> in_register_down(int n) const {
    const __m512i iota = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const int w = n / 64;
    const __m512i low = permuted(_mm512_add_epi64(iota, _mm512_set1_epi64(w)), static_cast<__mmask8>(0xFF >> w));
    const __m512i high =
        permuted(_mm512_add_epi64(iota, _mm512_set1_epi64(w + 1)), static_cast<__mmask8>(0xFF >> (w + 1)));
    return Wide<W>(_mm512_shrdv_epi64(low, high, _mm512_set1_epi64(n % 64)));
  }
  Wide<W> in_register_up(int n) const {
    const __m512i iota = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const int w = n / 64;
    const __m512i high = permuted(_mm512_sub_epi64(iota, _mm512_set1_epi64(w)), static_cast<__mmask8>(0xFF << w));
    const __m512i low =
        permuted(_mm512_sub_epi64(iota, _mm512_set1_epi64(w + 1)), static_cast<__mmask8>(0xFF << (w + 1)));
    return Wide<W>(_mm512_shldv_epi64(high, low, _mm512_set1_epi64(n % 64)));
  }
  __m512i permuted(__m512i index, __mmask8 keep) const {
    return _mm512_maskz_permutexvar_epi64(keep, index, set_.zmm());
  }
#endif

  struct Nothing {};
  Wide<W> set_;
  [[no_unique_address]] std::conditional_t<kInRegister, Nothing, std::uint64_t[3 * W]> padded_;
};

// The number of bits in many sets. With AVX-512 it stays a vector until somebody asks.
template <int W>
class Tally {
 public:
  void add(const Wide<W>& set) { sum_ += set.count(); }
  int total() const { return sum_; }

 private:
  int sum_ = 0;
};

#if ZG_AVX512
template <>
class Tally<8> {
 public:
  void add(const Wide<8>& set) { sum_ = _mm512_add_epi64(sum_, _mm512_popcnt_epi64(set.zmm())); }
  int total() const { return static_cast<int>(_mm512_reduce_add_epi64(sum_)); }

 private:
  __m512i sum_ = _mm512_setzero_si512();
};
#endif

}  // namespace zg
