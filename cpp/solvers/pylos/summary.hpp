// What a table says of its whole solution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/pylos/retrograde.hpp"

namespace zg::pylos::solver {

struct SummaryRow {
  std::uint64_t wins = 0, draws = 0, losses = 0;
};
struct Summary {
  std::vector<std::pair<Pass, std::uint64_t>> passes;  // with the positions found
  std::vector<SummaryRow> by_balls;

  std::vector<std::uint64_t> packed() const {
    std::vector<std::uint64_t> out;
    for (const auto& [pass, positions] : passes)
      for (const std::uint64_t n : {std::uint64_t(pass.distance), std::uint64_t{pass.win}, positions}) out.push_back(n);
    for (const SummaryRow& row : by_balls)
      for (const std::uint64_t n : {row.wins, row.draws, row.losses}) out.push_back(n);
    return out;
  }
  // From what `packed` made of a summary with so many passes.
  static Summary unpacked(std::span<const std::uint64_t> words, std::size_t num_passes) {
    Summary out;
    for (std::size_t i = 0; i < words.size(); i += 3)
      if (i < 3 * num_passes)
        out.passes.push_back({{static_cast<int>(words[i]), words[i + 1] != 0}, words[i + 2]});
      else
        out.by_balls.push_back({words[i], words[i + 1], words[i + 2]});
    return out;
  }
};

}  // namespace zg::pylos::solver
