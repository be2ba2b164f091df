// The legal actions of a game with few ids, as a set of them: the four readings of a LegalSet (game.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/cellset.hpp"
#include "core/index.hpp"

namespace zg {

template <int MostActions>
struct IdSet {
  using Ids = CellSet<MostActions>;
  Ids ids;

  int count() const { return ids.count(); }
  Action nth(int k) const { return ids.select(k); }
  bool contains(Action a) const { return ids.contains(a); }
  template <class F>
  void for_each(F&& f) const {
    ids.for_each(f);
  }
  void write_mask(std::span<std::uint8_t> mask) const {
    std::fill(mask.begin(), mask.end(), std::uint8_t{0});
    ids.for_each([&](int a) { mask[static_cast<std::size_t>(a)] = 1; });
  }
};

}  // namespace zg
