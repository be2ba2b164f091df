// What can be built from blocks and cards: how high, and in how many ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "games/blox/cards.hpp"

namespace zg::blox {

// What is left for the rest of a build or of a swap, from a colour on. [BX-5.3]
struct Supply {
  Counts blocks;
  Counts cards;
  bool joker = false;
  int from = 0;

  int paid_by_cards(int colour) const { return std::min(blocks[colour], cards[colour]); }

  // The most blocks that can still be placed.
  int most() const {
    int blocks_placed = 0;
    bool one_more = false;
    for (int c = from; c < kNumColours; ++c) {
      blocks_placed += paid_by_cards(c);
      one_more |= blocks[c] > cards[c];
    }
    return blocks_placed + (joker && one_more);
  }

  // The number of ways to place between `least` and `greatest` blocks; each is one sequence.
  std::int64_t ways(int least, int greatest) const {
    constexpr std::size_t kMost = kMostHand + 2;  // a block a card, one for the joker, and none
    using Row = std::array<std::int64_t, kMost>;  // by the number of blocks
    Row without{1};
    Row with{};
    for (int c = from; c < kNumColours; ++c) {
      Row next_without{};
      Row next_with{};
      for (std::size_t n = 0; n < kMost; ++n) {
        if (without[n] == 0 && with[n] == 0) continue;
        for (int k = 0; k <= paid_by_cards(c); ++k) {
          const std::size_t at = n + static_cast<std::size_t>(k);
          next_without[at] += without[n];
          next_with[at] += with[n];
          if (joker && k < blocks[c]) next_with[at + 1] += without[n];
        }
      }
      without = next_without;
      with = next_with;
    }
    std::int64_t sum = 0;
    for (int n = std::max(least, 0); n <= std::min<int>(greatest, kMost - 1); ++n)
      sum += without[static_cast<std::size_t>(n)] + with[static_cast<std::size_t>(n)];
    return sum;
  }
};

}  // namespace zg::blox
