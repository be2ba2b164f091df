// All legal actions: every number in hand on every cell that may be laid on, and the few other ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/bits.hpp"
#include "games/numberplace_city/numbering.hpp"

namespace zg::numberplace_city {

class Choices {
 public:
  int count() const { return num_lays() + others_.count(); }
  Action nth(int k) const {
    const int lays = num_lays();
    if (k >= lays) return kNumLays + others_.select(k - lays);
    const int cells = cells_.count();
    return first_lay(select_bit(numbers_, k / cells)) + cells_.select(k % cells);
  }
  bool contains(Action a) const {
    if (a >= kNumLays) return others_.contains(a - kNumLays);
    const Move m = decode_move(a);
    return (numbers_ >> m.number & 1) != 0 && cells_.contains(m.cell.value());
  }
  template <class F>
  void for_each(F&& f) const {
    for_each_bit(numbers_, [&](int n) { cells_.for_each([&](int cell) { f(first_lay(n) + cell); }); });
    others_.for_each([&](int other) { f(kNumLays + other); });
  }
  void write_mask(std::span<std::uint8_t> mask) const {
    std::fill(mask.begin(), mask.end(), std::uint8_t{0});
    for_each([&](Action a) { mask[static_cast<std::size_t>(a)] = 1; });
  }

  void lay_on(const Cells& cells) { cells_ = cells; }
  void add_number(int number) { numbers_ |= bit(number); }
  void add(Kind kind, int i = 0) { others_ |= Others::single(first_id(kind) - kNumLays + i); }
  void add(Kind kind, const Cells& cells) {
    cells.for_each([&](int cell) { add(kind, cell); });
  }

 private:
  static constexpr int kNumLays = first_id(Kind::PassWith);
  using Others = CellSet<kNumActions - kNumLays>;

  int num_lays() const { return numbers_ == 0 ? 0 : std::popcount(numbers_) * cells_.count(); }

  Cells cells_ = Cells::empty();
  std::uint64_t numbers_ = 0;  // a bit a number, from bit 1 on
  Others others_ = Others::empty();
};

}  // namespace zg::numberplace_city
