// Observation planes, written one after the other; every element is written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace zg {

class Planes {
 public:
  Planes(std::span<float> planes, int cells) : planes_(planes), cells_(static_cast<std::size_t>(cells)) {
    std::fill(planes.begin(), planes.end(), 0.0F);
  }
  // A plane of cells: `f(mark)` gets a function that sets one of them.
  template <class F>
  void cells(F&& f) {
    f([&](auto cell, double value) { planes_[start_ + static_cast<std::size_t>(cell)] = static_cast<float>(value); });
    start_ += cells_;
  }
  // A plane of one value.
  void all(double value) {
    std::fill_n(planes_.begin() + static_cast<std::ptrdiff_t>(start_), cells_, static_cast<float>(value));
    start_ += cells_;
  }

 private:
  std::span<float> planes_;
  std::size_t cells_;
  std::size_t start_ = 0;
};

}  // namespace zg
