// Which positions have a turn that leads into a plane.
//
// After a pattern the player takes back up to two balls. What he reaches so depends on the cells that are then occupied
// and on the colouring alone, so it is made once for each set of cells and not for each way there, and only where it is
// asked for.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/pylos/options.hpp"
#include "solvers/pylos/blocks.hpp"
#include "solvers/pylos/layout.hpp"
#include "solvers/pylos/plane.hpp"

namespace zg::pylos::solver {

template <int Base, int Bits>
class Reach {
 public:
  using Geo = Geometry<Base>;
  using Op = Blocks<Bits>;
  using Block = typename Op::Block;
  using Lay = Layout<Base, Bits>;
  using Turns = Ways<Base, Bits>;
  using Mask = Masks<Base, Bits>;
  static constexpr std::size_t kWords = Op::kWords;

  Reach(const Lay& layout, const Options& options)
      : layout_(layout),
        options_(options),
        takes_back_(options.patterns != Patterns::None),
        loses_without_reserve_(options.empty_reserve == EmptyReserve::Loses),
        here_(std::make_unique<AfterRemovals>(takes_back_ ? layout.largest_class() : 0)),
        up_(std::make_unique<AfterRemovals>(takes_back_ ? layout.largest_class() : 0)) {}

  // A pass over the positions goes by classes, from few balls to many. run(class, f) calls f(set, begin, end) for runs
  // of blocks of all its sets.
  template <class Run>
  void begin_class(const Plane<Base, Bits>& from, int balls, Run&& run) {
    from_ = &from;
    if (!takes_back_) return;
    std::swap(here_, up_);
    if (balls == 0) here_->twice.start(layout_, 0);
    if (balls + 1 == Geo::kCells) return;
    up_->once.start(layout_, balls);
    up_->twice.start(layout_, balls + 1);
    mark(up_->once, balls, from.marks, 0, 0, run);
    mark(up_->twice, balls + 1, up_->once.marks, layout_.class_first(balls), layout_.sets().first(balls), run);
  }

  // Does any turn lead from the set, or from its block v, to something that has changed?
  bool touched(const Turns& ways) const {
    for (const auto& landing : ways.landings)
      for (const Route& r : landing.routes) {
        if (from_->marks.set[r.set] != 0) return true;
        if (!landing.patterns.empty()) {
          const Reached& reached = after(r).twice;
          if (reached.marks.set[r.set - reached.first_set] != 0) return true;
        }
      }
    return false;
  }
  bool touched(const Turns& ways, std::uint32_t v) const {
    for (const auto& landing : ways.landings) {
      const bool pattern =
          std::any_of(landing.patterns.begin(), landing.patterns.end(), [&](Cells p) { return (p >> Bits & v) == 0; });
      for (const Route& r : landing.routes) {
        const Spot spot = spot_of<Bits>(r, v);
        if (spot.fit != Fit::None && (pattern ? reached_changed(r, spot) : plane_changed(r, spot))) return true;
      }
    }
    return false;
  }

  // Adds to `found` the positions of block v with a turn that leads into the plane; only those in `need` matter. If it
  // is `sparse`, turns to blocks that have not changed may be left out.
  void add(const Turns& ways, std::uint32_t v, bool sparse, const Block& need, Block& found) {
    Block reserve, pattern;
    const Share in_hand = Mask::in_hand(ways.balls, v, reserve);
    for (const auto& landing : ways.landings) {
      if (landing.cell == Geo::kApex) {  // and the other has lost
        if (in_hand != Share::None) merge(ones(), in_hand == Share::Some ? &reserve : nullptr, found);
        continue;
      }
      const Share makes = Mask::own_any(landing.patterns, v, pattern);
      for (const Route& r : landing.routes) {
        const bool by_hand = r.out < 0 || loses_without_reserve_;
        if (by_hand && in_hand == Share::None) continue;
        add_route(r, landing.cell, v, sparse, by_hand && in_hand == Share::Some ? &reserve : nullptr, makes, pattern,
                  found);
      }
      if (covers(found, need)) return;
    }
  }

 private:
  // What the sets of a class reach, block by block, when it is asked for.
  struct Reached {
    explicit Reached(std::size_t blocks) : data(blocks), state(blocks), marks(blocks, 0) {}
    void start(const Lay& layout, int balls) {
      first_block = layout.class_first(balls);
      first_set = layout.sets().first(balls);
      for (std::size_t i = 0; i < layout.class_blocks(balls); ++i) state[i].store(0, std::memory_order_relaxed);
      std::fill_n(marks.block.begin(), layout.class_blocks(balls), 0);
      marks.set.assign(layout.sets().first(balls + 1) - first_set, 0);
    }
    Pages<Block> data;
    std::vector<std::atomic<std::uint8_t>> state;  // 0: not made, 1: being made, 2: made
    Marks marks;
    std::uint32_t first_block = 0;
    SetId first_set = 0;
  };
  // By up to two removals a class reaches what the class below reaches by up to one.
  struct AfterRemovals {
    explicit AfterRemovals(std::size_t blocks) : once(blocks), twice(blocks) {}
    Reached once, twice;
  };
  // Placing a ball leads to the class above, raising one stays within the class.
  AfterRemovals& after(const Route& r) const { return r.out < 0 ? *up_ : *here_; }

  static const Block& ones() {
    static const Block kOnes = [] {
      Block out;
      out.words.fill(~Word{0});
      return out;
    }();
    return kOnes;
  }
  static bool covers(const Block& found, const Block& need) {
    Word rest = 0;
    for (std::size_t i = 0; i < kWords; ++i) rest |= need[i] & ~found[i];
    return rest == 0;
  }
  static void merge(const Block& more, const Block* mask, Block& found) {
    if (mask == nullptr)
      for (std::size_t i = 0; i < kWords; ++i) found[i] |= more[i];
    else
      for (std::size_t i = 0; i < kWords; ++i) found[i] |= more[i] & (*mask)[i];
  }

  // ---- marks ----
  bool plane_changed(const Route& r, const Spot& spot) const {
    return changed(from_->marks.block.data() + layout_.first_block(r.set), r, spot);
  }
  bool reached_changed(const Route& r, const Spot& spot) const {
    const Reached& reached = after(r).twice;
    return changed(reached.marks.block.data() + (layout_.first_block(r.set) - reached.first_block), r, spot);
  }
  bool changed(const std::uint8_t* marks, const Route& r, const Spot& spot) const {
    return marks[spot.block] != 0 ||
           (spot.fit == Fit::Halves && layout_.num_blocks(r.set) > 1 && marks[spot.block + 1] != 0);
  }
  // Marks the blocks of a class from which something changed is reached: their own ones, or by one removal those of
  // `below`, whose first block and set have these numbers.
  template <class Run>
  void mark(Reached& reached, int balls, const Marks& below, std::uint32_t first_block, SetId first_set, Run&& run) {
    run(balls, [&](SetId set, std::uint32_t begin, std::uint32_t end) {
      const Cells cells = layout_.sets().cells(set);
      std::vector<Route> routes = removals(layout_, cells, Geo::free(cells));
      std::erase_if(routes, [&](const Route& r) { return below.set[r.set - first_set] == 0; });
      if (routes.empty() && from_->marks.set[set] == 0) return;
      const std::uint32_t first = layout_.first_block(set);
      for (std::uint32_t v = begin; v < end; ++v) {
        const bool any =
            from_->marks.block[first + v] != 0 || std::any_of(routes.begin(), routes.end(), [&](const Route& r) {
              const Spot spot = spot_of<Bits>(r, v);
              return spot.fit != Fit::None && below.block[layout_.first_block(r.set) - first_block + spot.block] != 0;
            });
        if (any) reached.marks.put(first - reached.first_block + v, set - reached.first_set);
      }
    });
  }

  // ---- turns ----
  void add_route(const Route& r, int cell, std::uint32_t v, bool sparse, const Block* hand, Share makes,
                 const Block& pattern, Block& found) {
    const Spot spot = spot_of<Bits>(r, v);
    if (spot.fit == Fit::None) return;
    Block mask;
    if (makes != Share::All && (!sparse || plane_changed(r, spot))) {
      const bool outside = makes == Share::Some && options_.removal == Removal::Mandatory;
      const Block* blocks = from_->blocks(layout_, r.set);
      gather(
          r, spot, [&](std::uint32_t b) -> const Block& { return blocks[b]; },
          outside ? both<true>(pattern, hand, mask) : hand, found);
    }
    if (makes != Share::None && (!sparse || reached_changed(r, spot))) {
      Block spare;
      gather(
          r, spot, [&](std::uint32_t b) -> const Block& { return after_pattern(r, cell, b, spare); },
          makes == Share::Some ? both<false>(pattern, hand, mask) : hand, found);
    }
  }
  template <bool Outside>
  static const Block* both(const Block& pattern, const Block* hand, Block& mask) {
    for (std::size_t i = 0; i < kWords; ++i)
      mask[i] = (Outside ? ~pattern[i] : pattern[i]) & (hand != nullptr ? (*hand)[i] : ~Word{0});
    return &mask;
  }

  // Adds what lies in the blocks of source(number) at a spot.
  template <class Source>
  void gather(const Route& r, const Spot& spot, Source&& source, const Block* mask, Block& found) const {
    if (spot.fit == Fit::Whole) return merge(source(spot.block), mask, found);
    Block moved;
    Word* out = moved.words.data();
    if (spot.fit == Fit::Halves) {
      Op::compact(r.in, source(spot.block).words.data(), out);
      if (layout_.num_blocks(r.set) > 1)
        Op::compact(r.in, source(spot.block + 1).words.data(), out + Op::kHalf);
      else
        std::fill_n(out + Op::kHalf, Op::kHalf, Word{0});
    } else if (spot.fit == Fit::Half) {
      Op::expand(r.out, source(spot.block).words.data() + spot.half * Op::kHalf, out);
    } else {
      std::array<Word, Op::kHalf> half;
      Op::compact(r.in, source(spot.block).words.data(), half.data());
      Op::expand(r.out, half.data(), out);
    }
    merge(moved, mask, found);
  }

  // ---- after removals ----
  // What block v of a set reaches whose ball on `placed` has just made a pattern.
  const Block& after_pattern(const Route& r, int placed, std::uint32_t v, Block& spare) {
    if (!options_.remove_placed) {
      take_twice(after(r), r.set, v, one(placed), spare);
      return spare;
    }
    return made(after(r).twice, r.set, v, spare, [&](Block& out) { take_twice(after(r), r.set, v, 0, out); });
  }
  void take_twice(AfterRemovals& removed, SetId set, std::uint32_t v, Cells kept, Block& out) {
    const Cells cells = layout_.sets().cells(set);
    const Cells takable = Geo::free(cells) & ~kept;
    out.words.fill(0);
    if (options_.removal == Removal::Optional)
      out = from_->blocks(layout_, set)[v];
    else if (kept != 0)
      add_untakable(set, v, takable, out);
    for (const Route& r : removals(layout_, cells, takable)) {
      const Spot spot = spot_of<Bits>(r, v);
      if (spot.fit == Fit::None) continue;
      const Cells rest = layout_.sets().cells(r.set);
      const Cells second = (options_.chain_removal ? Geo::free(rest) : takable & rest) & ~kept;
      const bool usual = options_.chain_removal && kept == 0;
      Block spare;
      gather(
          r, spot,
          [&](std::uint32_t b) -> const Block& {
            if (usual) return made(removed.once, r.set, b, spare, [&](Block& o) { take_once(r.set, b, second, o); });
            take_once(r.set, b, second, spare);
            return spare;
          },
          nullptr, out);
    }
  }
  void take_once(SetId set, std::uint32_t v, Cells takable, Block& out) const {
    out = from_->blocks(layout_, set)[v];
    for (const Route& r : removals(layout_, layout_.sets().cells(set), takable)) {
      const Spot spot = spot_of<Bits>(r, v);
      if (spot.fit == Fit::None) continue;
      const Block* blocks = from_->blocks(layout_, r.set);
      gather(r, spot, [&](std::uint32_t b) -> const Block& { return blocks[b]; }, nullptr, out);
    }
  }
  // Where nothing may be taken a turn ends without it, even if it is mandatory.
  void add_untakable(SetId set, std::uint32_t v, Cells takable, Block& out) const {
    Block mask;
    const auto places = static_cast<Cells>(gather_bits(takable, layout_.sets().cells(set)));
    if (Mask::others_all(places, v, mask) != Share::None) merge(from_->blocks(layout_, set)[v], &mask, out);
  }

  // The block, made once, unless two threads want it at the same time.
  template <class Make>
  const Block& made(Reached& reached, SetId set, std::uint32_t v, Block& spare, Make&& make) {
    const std::size_t i = layout_.first_block(set) - reached.first_block + v;
    std::atomic<std::uint8_t>& state = reached.state[i];
    std::uint8_t seen = state.load(std::memory_order_acquire);
    if (seen == 0 && state.compare_exchange_strong(seen, 1, std::memory_order_acquire)) {
      make(reached.data[i]);
      state.store(2, std::memory_order_release);
      seen = 2;
    }
    if (seen == 2) return reached.data[i];
    make(spare);
    return spare;
  }

  const Lay& layout_;
  Options options_;
  bool takes_back_;
  bool loses_without_reserve_;
  std::unique_ptr<AfterRemovals> here_, up_;
  const Plane<Base, Bits>* from_ = nullptr;
};

}  // namespace zg::pylos::solver
