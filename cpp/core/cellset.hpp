// A set of cells 0 .. N-1 as bits. Bits from N on are always zero.
#pragma once

#include <bit>
#include <cstdint>

#include "core/random.hpp"
#include "core/wide.hpp"

namespace zg {

template <int N>
class CellSet {
 public:
  static constexpr int kCells = N;
  static constexpr int kWords = static_cast<int>(std::bit_ceil(static_cast<unsigned>((N + 63) / 64)));
  static constexpr int kUsedWords = (N + 63) / 64;
  using Bits = Wide<kWords>;
  using Tally = zg::Tally<kWords, kUsedWords>;
  using Words = typename Bits::Words;

  CellSet() = default;  // not initialised: see Wide
  explicit CellSet(const Bits& bits) : bits_(bits) {}
  explicit CellSet(const Words& words) : bits_(words) {}
  static CellSet empty() { return CellSet(Words{}); }
  static CellSet full() { return CellSet(full_words()); }
  static CellSet single(int cell) {
    Words words{};
    words[static_cast<std::size_t>(cell / 64)] = bit(cell % 64);
    return CellSet(words);
  }
  static constexpr Words full_words() {
    Words words{};
    for (int i = 0; i < N; ++i) words[static_cast<std::size_t>(i / 64)] |= bit(i % 64);
    return words;
  }

  const Bits& bits() const { return bits_; }
  bool contains(int cell) const { return (bits_.word(cell / 64) >> (cell % 64) & 1) != 0; }
  bool any() const { return bits_.any(); }
  int count() const { return bits_.template count<kUsedWords>(); }
  int lowest() const { return bits_.lowest(); }  // there is a cell
  int highest() const { return bits_.highest(); }
  int select(int k) const { return bits_.select(k); }  // the k-th cell, ascending, from 0
  bool intersects(const CellSet& o) const { return (bits_ & o.bits_).any(); }

  friend CellSet operator&(const CellSet& a, const CellSet& b) { return CellSet(a.bits_ & b.bits_); }
  friend CellSet operator|(const CellSet& a, const CellSet& b) { return CellSet(a.bits_ | b.bits_); }
  friend CellSet operator^(const CellSet& a, const CellSet& b) { return CellSet(a.bits_ ^ b.bits_); }
  CellSet& operator|=(const CellSet& o) { return *this = *this | o; }
  CellSet minus(const CellSet& o) const { return CellSet(bits_.minus(o.bits_)); }
  CellSet operator~() const { return full().minus(*this); }
  friend bool operator==(const CellSet&, const CellSet&) = default;

  // Cell i+n becomes cell i (down) or i becomes i+n (up); what leaves 0 .. N-1 is gone.
  CellSet down(int n) const { return CellSet(Shifter<kWords>(bits_).down(n)); }
  CellSet up(int n) const { return CellSet(Shifter<kWords>(bits_).up(n)) & full(); }

  template <class F>
  void for_each(F&& f) const {
    for (int i = 0; i < kUsedWords; ++i) for_each_bit(bits_.word(i), [&](int b) { f(i * 64 + b); });
  }
  std::uint64_t hash(std::uint64_t h) const {
    for (int i = 0; i < kUsedWords; ++i) h = hash_append(h, bits_.word(i));
    return h;
  }

 private:
  Bits bits_;
};

}  // namespace zg
