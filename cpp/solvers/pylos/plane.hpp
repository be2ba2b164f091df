// One bit a position, and masks of positions.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "solvers/pylos/blocks.hpp"
#include "solvers/pylos/layout.hpp"
#include "solvers/pylos/memory.hpp"

namespace zg::pylos::solver {

// Which blocks, and which sets that they belong to, differ from what they were before the last pass.
struct Marks {
  Marks(std::size_t blocks, std::size_t sets) : block(blocks), set(sets) {}
  std::vector<std::uint8_t> block, set;

  void fill(std::uint8_t value) {
    std::fill(block.begin(), block.end(), value);
    std::fill(set.begin(), set.end(), value);
  }
  void put(std::size_t b, std::size_t s) {  // a block has one writer, a set several
    block[b] = 1;
    std::atomic_ref(set[s]).store(1, std::memory_order_relaxed);
  }
  // While others put marks.
  bool has(std::size_t s) { return std::atomic_ref(set[s]).load(std::memory_order_relaxed) != 0; }
};

template <int Base, int Bits>
struct Plane {
  using Block = typename Blocks<Bits>::Block;
  explicit Plane(const Layout<Base, Bits>& layout)
      : bits(layout.num_blocks()), marks(layout.num_blocks(), layout.sets().size()) {}
  const Block* blocks(const Layout<Base, Bits>& layout, SetId set) const {
    return bits.data() + layout.first_block(set);
  }
  Pages<Block> bits;
  Marks marks;
};

// What is true of the colourings of a block: of none, of some, or of all.
enum class Share : std::uint8_t { None, Some, All };

// Masks of the colourings of block v, which are numbered by the other player's balls.
template <int Base, int Bits>
struct Masks {
  using Geo = Geometry<Base>;
  using Op = Blocks<Bits>;
  using Block = typename Op::Block;
  static constexpr std::size_t kWords = Op::kWords;

  // Where no player has more balls than there are.
  static Word possible(int balls, std::uint32_t v, std::size_t word) {
    const int other = std::popcount(v) + Op::kOnes[word];
    return fewer(Geo::kEach + 1 - other) & ~fewer(balls - Geo::kEach - other);
  }
  // Where the player to move has a ball in hand. Fills the mask for Some.
  static Share in_hand(int balls, std::uint32_t v, Block& mask) {
    const int least = balls - Geo::kEach + 1;  // so many balls are the other's
    const int other = std::popcount(v);
    if (other >= least) return Share::All;
    if (other + Bits < least) return Share::None;
    for (std::size_t i = 0; i < kWords; ++i) mask[i] = ~fewer(least - other - Op::kOnes[i]);
    return Share::Some;
  }
  // Where all balls of one of the sets are own. Fills the mask for Some.
  static Share own_any(const std::vector<Cells>& sets, std::uint32_t v, Block& mask) {
    Share share = Share::None;
    for (const Cells set : sets) {
      if ((set >> Bits & v) != 0) continue;
      const Cells low = set & below_bit(Bits);
      if (low == 0) return Share::All;
      if (share == Share::None) mask.words.fill(0);
      share = Share::Some;
      const Word in_word = kWithout[low & 63];
      for (std::size_t i = 0; i < kWords; ++i)
        if ((i & low >> 6) == 0) mask[i] |= in_word;
    }
    return share;
  }
  // Where all balls of the set are the other's.
  static Share others_all(Cells set, std::uint32_t v, Block& mask) {
    if ((set >> Bits & ~v) != 0) return Share::None;
    const Cells low = set & below_bit(Bits);
    const Word in_word = reversed(kWithout[low & 63]);  // 63 - i has none of the bits where i has all
    for (std::size_t i = 0; i < kWords; ++i) mask[i] = (~i & low >> 6) == 0 ? in_word : 0;
    return Share::Some;
  }
  // Where the player to move has no ball in hand and cannot raise one: his turn may be skipped.
  static bool stuck(int balls, Cells raisers, std::uint32_t v, Block& mask) {
    if (balls < Geo::kEach || others_all(raisers, v, mask) == Share::None) return false;
    Word any = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      const int rest = balls - Geo::kEach - std::popcount(v) - Op::kOnes[i];  // of the other's balls, inside the word
      any |= mask[i] &= fewer(rest + 1) & ~fewer(rest);
    }
    return any != 0;
  }

  // The same positions by number of the own balls: numbers turn round, and words with them.
  static std::size_t words_of(int balls) {
    return balls >= Bits ? kWords : balls <= 6 ? 1 : std::size_t{1} << (balls - 6);
  }
  static Word turned(int balls, Word x) { return reversed(x) >> (balls >= 6 ? 0 : 64 - (1 << balls)); }
};

}  // namespace zg::pylos::solver
