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
template <int W>
inline constexpr bool kInRegister = W == 8 || W == 4;
#elif defined(__AVX2__)
inline constexpr int kRegisterWords = 4;
#else
inline constexpr int kRegisterWords = 2;
#endif
#if !ZG_AVX512
template <int>
inline constexpr bool kInRegister = false;  // do sets of W words have a Register?
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

#if ZG_AVX512
// The instructions that a set of eight or of four words needs, by one name for both sizes.
template <int W>
struct Register;
template <>
struct Register<8> {
  using Type = __m512i;
  static Type counting() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
  static Type starts() { return _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0); }  // the words' lowest bits
  static Type all(long long x) { return _mm512_set1_epi64(x); }
  static Type zero() { return _mm512_setzero_si512(); }
  static Type add(Type a, Type b) { return _mm512_add_epi64(a, b); }
  static Type bit_counts(Type x) { return _mm512_popcnt_epi64(x); }
  static int sum(Type x) { return static_cast<int>(_mm512_reduce_add_epi64(x)); }
  static Type permuted(unsigned keep, Type index, Type x) {
    return _mm512_maskz_permutexvar_epi64(static_cast<__mmask8>(keep), index, x);
  }
  static Type down(Type low, Type high, int n) { return _mm512_shrdv_epi64(low, high, all(n)); }
  static Type up(Type high, Type low, int n) { return _mm512_shldv_epi64(high, low, all(n)); }
  static unsigned full_words(Type x) { return _mm512_test_epi64_mask(x, x); }
  static Type compressed(unsigned keep, Type x) { return _mm512_maskz_compress_epi64(static_cast<__mmask8>(keep), x); }
  static void store(void* to, Type x) { _mm512_storeu_si512(to, x); }
};
template <>
struct Register<4> {
  using Type = __m256i;
  static Type counting() { return _mm256_set_epi64x(3, 2, 1, 0); }
  static Type starts() { return _mm256_set_epi64x(192, 128, 64, 0); }
  static Type all(long long x) { return _mm256_set1_epi64x(x); }
  static Type zero() { return _mm256_setzero_si256(); }
  static Type add(Type a, Type b) { return _mm256_add_epi64(a, b); }
  static Type bit_counts(Type x) { return _mm256_popcnt_epi64(x); }
  static int sum(Type x) {
    const __m128i pair = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return static_cast<int>(_mm_cvtsi128_si64(pair) + _mm_extract_epi64(pair, 1));
  }
  static Type permuted(unsigned keep, Type index, Type x) {
    return _mm256_maskz_permutexvar_epi64(static_cast<__mmask8>(keep), index, x);
  }
  static Type down(Type low, Type high, int n) { return _mm256_shrdv_epi64(low, high, all(n)); }
  static Type up(Type high, Type low, int n) { return _mm256_shldv_epi64(high, low, all(n)); }
  static unsigned full_words(Type x) { return _mm256_test_epi64_mask(x, x); }
  static Type compressed(unsigned keep, Type x) { return _mm256_maskz_compress_epi64(static_cast<__mmask8>(keep), x); }
  static void store(void* to, Type x) { _mm256_storeu_si256(static_cast<__m256i*>(to), x); }
};
#endif

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
  template <int Few>
  Wide<Few> first_words() const {
    typename Wide<Few>::Words out;
    static_assert(sizeof out <= sizeof lanes_);
    std::memcpy(out.data(), lanes_, sizeof out);
    return Wide<Few>(out);
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

  // Of the first `Words` words: a caller who knows that the others are empty need not look at them.
  template <int Words = W>
  int count() const {
#if ZG_AVX512
    if constexpr (kInRegister<W>) return Register<W>::sum(Register<W>::bit_counts(in_register()));
#endif
    int total = 0;
    for (int i = 0; i < Words; ++i) total += std::popcount(word(i));
    return total;
  }

  // Positions of the first and the last set bit; there is one.
  int lowest() const {
    int i = 0;
    while (word(i) == 0) ++i;
    return i * 64 + std::countr_zero(word(i));
  }
  int highest() const {
    int i = W - 1;
    while (word(i) == 0) --i;
    return i * 64 + 63 - std::countl_zero(word(i));
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
  template <class R>
    requires(kInRegister<W> && std::is_same_v<R, typename Register<W>::Type>)
  explicit Wide(R x) {
    std::memcpy(lanes_, &x, sizeof lanes_);
  }
  auto in_register() const
    requires(kInRegister<W>)
  {
    return reinterpret_cast<typename Register<W>::Type>(lanes_[0]);
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
    if constexpr (!kInRegister<W>) {
      const auto words = set.words();
      std::memset(padded_, 0, sizeof padded_);
      std::memcpy(padded_ + W, words.data(), sizeof words);
    }
  }

  // The first `Words` words of the result.
  template <int Words = W>
  [[gnu::always_inline]] Wide<Words> down(int n) const {
#if ZG_AVX512
    if constexpr (kInRegister<W>)
      return in_register_down(n).template first_words<Words>();
    else
#endif
      return from_memory<Words>(W + n / 64, n % 64);
  }
  [[gnu::always_inline]] Wide<W> up(int n) const {
#if ZG_AVX512
    if constexpr (kInRegister<W>)
      return in_register_up(n);
    else
#endif
      return n % 64 == 0 ? from_memory<W>(W - n / 64, 0) : from_memory<W>(W - n / 64 - 1, 64 - n % 64);
  }

 private:
  // The words from `first` on, moved down by b < 64 bits.
  template <int Words>
  [[gnu::always_inline]] Wide<Words> from_memory(int first, int b) const {
    Wide<Words> out;
    for (int i = 0; i < Wide<Words>::kLanes; ++i) {
      const std::uint64_t* at = padded_ + first + i * Wide<Words>::kLaneWords;
      out.lane(i) = b == 0 ? load<Words>(at) : (load<Words>(at) >> b) | (load<Words>(at + 1) << (64 - b));
    }
    return out;
  }

  template <int Words>
  static typename Wide<Words>::Lane load(const std::uint64_t* at) {
    typename Wide<Words>::Lane lane;
    std::memcpy(&lane, at, sizeof lane);
    return lane;
  }

#if ZG_AVX512
  // Two word permutations and one funnel shift; with a constant n all operands but the set are constants.
  Wide<W> in_register_down(int n) const {
    const int w = n / 64;
    return Wide<W>(R::down(moved(w, kAll >> w), moved(w + 1, kAll >> (w + 1)), n % 64));
  }
  Wide<W> in_register_up(int n) const {
    const int w = n / 64;
    return Wide<W>(R::up(moved(-w, kAll << w), moved(-w - 1, kAll << (w + 1)), n % 64));
  }
  // Word i + w in place i.
  auto moved(int w, unsigned keep) const {
    return R::permuted(keep, R::add(R::counting(), R::all(w)), set_.in_register());
  }
  using R = Register<W>;
  static constexpr unsigned kAll = (1U << W) - 1;
#endif

  struct Nothing {};
  Wide<W> set_;
  [[no_unique_address]] std::conditional_t<kInRegister<W>, Nothing, std::uint64_t[3 * W]> padded_;
};

// The number of bits in many sets, of which only the first `Words` words are used. With AVX-512 it stays a vector until
// somebody asks.
template <int W, int Words = W>
class Tally {
 public:
  void add(const Wide<W>& set) { sum_ += set.template count<Words>(); }
  int total() const { return sum_; }

 private:
  int sum_ = 0;
};

#if ZG_AVX512
template <int W, int Words>
  requires(kInRegister<W>)
class Tally<W, Words> {
 public:
  void add(const Wide<W>& set) { sum_ = Register<W>::add(sum_, Register<W>::bit_counts(set.in_register())); }
  int total() const { return Register<W>::sum(sum_); }

 private:
  typename Register<W>::Type sum_ = Register<W>::zero();
};
#endif

}  // namespace zg
