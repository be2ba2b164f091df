// A permutation of bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zg::pylos::solver {

// Bits moved to other places, ten at a time.
class BitMap {
 public:
  explicit BitMap(const std::vector<int>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t bit = std::size_t{1} << (i % 10);
      auto& table = table_[i / 10];
      for (std::size_t x = 0; x < bit; ++x) table[bit + x] = table[x] | std::uint32_t{1} << to[i];
    }
  }
  std::uint32_t operator()(std::uint32_t x) const {
    return table_[0][x & 1023] | table_[1][x >> 10 & 1023] | table_[2][x >> 20];
  }

 private:
  std::array<std::array<std::uint32_t, 1024>, 3> table_{};
};

}  // namespace zg::pylos::solver
