// Numbers the actions of a game without holes: the kinds one after the other, each a product of radices.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>

namespace zg {

// One kind: digits d[0] .. d[R-1] with 0 <= d[i] < radix[i]; the last digit runs fastest.
template <std::size_t R>
struct MixedRadix {
  std::array<int, R> radix{};

  constexpr int size() const {
    int n = 1;
    for (int r : radix) n *= r;
    return n;
  }
  constexpr int encode(const std::array<int, R>& digits) const {
    int code = 0;
    for (std::size_t i = 0; i < R; ++i) code = code * radix[i] + digits[i];
    return code;
  }
  constexpr std::array<int, R> decode(int code) const {
    std::array<int, R> digits{};
    for (std::size_t i = R; i-- > 0; code /= radix[i]) digits[i] = code % radix[i];
    return digits;
  }
};

// Blocks of ids laid end to end: block k holds sizes[k] of them.
template <std::size_t Blocks>
class IdBlocks {
 public:
  constexpr explicit IdBlocks(const std::array<int, Blocks>& sizes) {
    std::partial_sum(sizes.begin(), sizes.end(), first_.begin() + 1);
  }
  constexpr int total() const { return first_.back(); }
  constexpr int first(std::size_t block) const { return first_[block]; }
  constexpr int size(std::size_t block) const { return first_[block + 1] - first_[block]; }
  // The block that id belongs to, 0 <= id < total(); empty blocks are stepped over.
  constexpr std::size_t block_of(int id) const {
    std::size_t low = 0;
    for (std::size_t length = Blocks; length > 1;) {  // the usual halving, without a branch on the data
      const std::size_t half = length / 2;
      low = first_[low + half] <= id ? low + half : low;
      length -= half;
    }
    return low;
  }

 private:
  std::array<int, Blocks + 1> first_{};
};

}  // namespace zg
