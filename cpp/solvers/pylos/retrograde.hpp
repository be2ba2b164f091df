// All positions of Pylos solved backwards: who wins, and in how many turns.
//
// A position is a set of occupied cells and the balls of the player to move, his *own*; the rest are the *other's*.
// After a turn the new player to move has exactly the balls that were the other's. So tables are read by number of the
// other's balls, whole blocks of colourings at once, and written by number of the own ones: the same with all bits
// turned.
//
// Two planes hold one bit a position: `lost`, and `open` for "not won". A player has won in d turns if some turn leads
// to a position lost in d - 1; he has lost in d if no turn leads to one that is not won in d - 1 or less. Both ask
// whether some turn leads into a plane (reach.hpp), by ascending d.
//
// With no_move=passes a player who is stuck (no ball in hand, none to raise) is skipped. Planes tell of such a position
// what the other player makes of it, at the same distance: winning distances are then even or odd, and so are lost
// ones.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "engine/parallel.hpp"
#include "games/pylos/options.hpp"
#include "solvers/pylos/bit_map.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/layout.hpp"
#include "solvers/pylos/plane.hpp"
#include "solvers/pylos/reach.hpp"

namespace zg::pylos::solver {

// What one pass over all positions finds. The n-th pass (from 1 on) writes n as the code of its positions.
struct Pass {
  int distance = 0;
  bool win = false;
  friend bool operator==(const Pass&, const Pass&) = default;
};

// Without skipped turns lost distances are even and won ones odd, so one kind of pass a distance is enough.
inline Pass pass_of(bool skips, int number) {
  if (skips) return {(number - 1) / 2, number % 2 == 0};
  return {number - 1, number % 2 == 0};
}
inline bool skips_turns(const Options& options) {
  return options.no_move == NoMove::Passes && options.empty_reserve == EmptyReserve::Continues;
}

template <int Base, int Bits = Base == 4 ? 12 : 7>
class Retrograde {
 public:
  using Geo = Geometry<Base>;
  using Op = Blocks<Bits>;
  using Block = typename Op::Block;
  using Mask = Masks<Base, Bits>;
  using Turns = Ways<Base, Bits>;
  using Tally = std::array<std::uint64_t, static_cast<std::size_t>(Geo::kCells)>;  // positions by balls on the board
  static constexpr std::size_t kWords = Op::kWords;

  // `codes` has one byte for each colouring of the catalogue. Where `passes` is not 0, they hold those passes already.
  Retrograde(const Options& options, int threads, Code* codes)
      : options_(options),
        skips_(skips_turns(options)),
        threads_(threads),
        codes_(codes),
        lost_(layout_),
        open_(layout_),
        undecided_(layout_.num_blocks(), 1),
        reach_(layout_, options) {
    for (std::size_t i = 0; i < open_.bits.size(); ++i) open_.bits[i].words.fill(~Word{0});
    if (skips_) late_ = std::make_unique<Plane<Base, Bits>>(layout_);
    lost_.marks.fill(1);
    open_.marks.fill(1);
  }

  const Layout<Base, Bits>& layout() const { return layout_; }
  const Catalogue<Base>& catalogue() const { return catalogue_; }
  int passes() const { return passes_; }
  bool is_finished() const { return quiet_ == (skips_ ? 4 : 2); }  // passes in a row without a change

  // The next pass; the positions found, by balls. The monitor hears of blocks, of layout().num_blocks(). Stops with
  // Stopped when the monitor says so.
  Tally run_pass(const Monitor& monitor) {
    const int number = passes_ + 1;
    if (number >= kCodes)
      throw std::runtime_error("distances beyond what a table can hold: " + std::to_string(kCodes - 1) + " passes");
    monitor_ = &monitor;
    done_ = 0;
    const Pass pass = pass_of(skips_, number);
    Tally found{};  // nobody wins in no turn
    if (pass != Pass{0, true})
      found = pass.win ? sweep_all(lost_, open_, number) : sweep_all(open_, skips_ ? *late_ : lost_, number);
    bool any = std::any_of(found.begin(), found.end(), [](std::uint64_t n) { return n > 0; });
    if (skips_ && pass.win) any |= finish_distance();
    quiet_ = any || pass.distance == 0 ? 0 : quiet_ + 1;
    passes_ = number;
    return found;
  }

  // Sets the planes to what the codes say of the first passes, as many as end a distance; other codes are forgotten.
  // The positions of each pass.
  std::array<std::uint64_t, kCodes> resume(int passes, const Monitor& monitor) {
    monitor_ = &monitor;
    passes_ = skips_ ? passes / 2 * 2 : passes;
    std::array<std::atomic<std::uint64_t>, kCodes> counts{};
    for (int balls = 0; balls <= Catalogue<Base>::kMostBalls; ++balls)
      for_blocks(balls, [&](SetId set, std::uint32_t begin, std::uint32_t end) { restore(set, begin, end, counts); });
    if (passes_ > 0) restore_last(counts);
    if (skips_)
      for_classes(Geo::kEach, [&](SetId set, std::uint32_t begin, std::uint32_t end) {
        const Turns ways(layout_, options_, set);
        for (std::uint32_t v = begin; v < end; ++v) add_stuck_pair(ways, set, v);
      });
    lost_.marks.fill(1);
    open_.marks.fill(1);
    std::array<std::uint64_t, kCodes> out{};
    std::copy(counts.begin(), counts.end(), out.begin());
    quiet_ = quiet_passes(out);
    return out;
  }

  static std::uint64_t count_blocks() { return Layout<Base, Bits>().num_blocks(); }

  // Bytes in memory while it runs, those of the codes included.
  static std::uint64_t memory_needed(const Options& options) {
    const Layout<Base, Bits> layout;
    const std::uint64_t planes = skips_turns(options) ? 3 : 2;
    const std::uint64_t scratch = options.patterns == Patterns::None ? 0 : 4;
    const std::uint64_t block = sizeof(Block) + 2;
    return Catalogue<Base>(layout.sets()).size() + layout.num_blocks() * (planes * block + 1) +
           layout.largest_class() * scratch * block + (std::uint64_t{64} << 20);
  }

 private:
  Tally sweep_all(Plane<Base, Bits>& from, Plane<Base, Bits>& to, int number) {
    to.marks.fill(0);
    const auto run = [&](int balls, auto&& f) { for_blocks(balls, f); };
    Tally found{};
    for (int balls = 0; balls < Geo::kCells; ++balls) {
      reach_.begin_class(from, balls, run);
      std::atomic<std::uint64_t> sum{0};
      for_blocks(balls, [&](SetId set, std::uint32_t begin, std::uint32_t end) {
        sum += sweep(to, number, set, begin, end);
        done_ += end - begin;
      });
      found[static_cast<std::size_t>(balls)] = sum;
    }
    return found;
  }

  std::uint64_t sweep(Plane<Base, Bits>& to, int number, SetId set, std::uint32_t begin, std::uint32_t end) {
    const Pass pass = pass_of(skips_, number);
    if (all_decided(set, begin, end)) return 0;
    const Turns ways(layout_, options_, set);
    if (pass.distance > 1 && !reach_.touched(ways)) return 0;
    Code* const codes = codes_of(set);
    std::uint64_t found = 0;
    Block need, reached;
    for (std::uint32_t v = begin; v < end; ++v) {
      const std::uint32_t own = turned_block(ways, v);
      std::uint8_t& undecided = undecided_[ways.first_block + own];
      if (undecided == 0 || (!pass.win && pass.distance > 0 && !reach_.touched(ways, v))) continue;
      undecided = load_undecided(ways, v, need);
      if (undecided == 0) continue;
      reached.words.fill(0);
      reach_.add(ways, v, pass.win, need, reached);
      Word left = 0;
      for (std::size_t i = 0; i < kWords; ++i) {
        const Word now = need[i] & (pass.win ? reached[i] : ~reached[i]);
        left |= need[i] ^ now;
        need[i] = now;
      }
      undecided = left != 0;
      const std::uint64_t here = store(ways.balls, need, pass.win, to.bits[ways.first_block + own]);
      if (here == 0) continue;
      found += here;
      to.marks.put(ways.first_block + own, set);
      if (codes != nullptr)
        write_codes(ways.balls, need, codes + (std::size_t{own} << Bits), static_cast<Code>(number));
    }
    return found;
  }

  bool all_decided(SetId set, std::uint32_t begin, std::uint32_t end) const {
    const auto behind = undecided_.begin() + layout_.first_block(set) + layout_.num_blocks(set);
    return std::all_of(behind - end, behind - begin, [](std::uint8_t undecided) { return undecided == 0; });
  }
  static std::uint32_t turned_block(const Turns& ways, std::uint32_t v) {
    return (Layout<Base, Bits>::blocks_of(ways.balls) - 1) ^ v;
  }
  Code* codes_of(SetId set) const {
    const int entry = catalogue_.index_of(set);
    return entry < 0 ? nullptr : codes_ + catalogue_.entries()[static_cast<std::size_t>(entry)].first;
  }

  // The positions of block v that are not decided, by number of the other's balls; are there any?
  bool load_undecided(const Turns& ways, std::uint32_t v, Block& need) const {
    const std::uint32_t own = ways.first_block + turned_block(ways, v);
    const Block& open = open_.bits[own];
    const Block& lost = lost_.bits[own];
    const std::size_t words = Mask::words_of(ways.balls);
    need.words.fill(0);
    for (std::size_t i = 0; i < words; ++i)
      need[i] = Mask::turned(ways.balls, open[words - 1 - i] & ~lost[words - 1 - i]) & Mask::possible(ways.balls, v, i);
    Block stuck;
    if (skips_ && Mask::stuck(ways.balls, ways.raisers, v, stuck))
      for (std::size_t i = 0; i < words; ++i) need[i] &= ~stuck[i];
    return std::any_of(need.words.begin(), need.words.end(), [](Word w) { return w != 0; });
  }
  // Writes what was found by number of the own balls; how many there were.
  static std::uint64_t store(int balls, const Block& found, bool clear, Block& out) {
    const std::size_t words = Mask::words_of(balls);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words; ++i) {
      sum += static_cast<std::uint64_t>(std::popcount(found[i]));
      const Word w = Mask::turned(balls, found[words - 1 - i]);
      out[i] = clear ? out[i] & ~w : out[i] | w;
    }
    return sum;
  }
  static void write_codes(int balls, const Block& found, Code* codes, Code code) {
    const std::size_t words = Mask::words_of(balls);
    for (std::size_t i = 0; i < words; ++i)
      for_each_bit(Mask::turned(balls, found[words - 1 - i]),
                   [&](int bit) { codes[i * 64 + static_cast<std::size_t>(bit)] = code; });
  }

  // ---- skipped turns ----
  // Adds the losses of this distance, and then what stuck players get out of both passes. Has anything changed?
  bool finish_distance() {
    lost_.marks.fill(0);
    std::atomic<bool> any{false};
    for (int balls = 0; balls < Geo::kCells; ++balls) {
      for_blocks(balls, [&](SetId set, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t b = layout_.first_block(set) + begin; b < layout_.first_block(set) + end; ++b)
          if (late_->marks.block[b] != 0) add_late(b, set);
      });
      if (balls < Geo::kEach) continue;
      for_blocks(balls, [&](SetId set, std::uint32_t begin, std::uint32_t end) {
        if (!late_->marks.has(set) && !open_.marks.has(set)) return;
        const Turns ways(layout_, options_, set);
        for (std::uint32_t v = begin; v < end; ++v)
          if (add_stuck_pair(ways, set, v)) any.store(true, std::memory_order_relaxed);
      });
    }
    return any;
  }
  void add_late(std::uint32_t b, SetId set) {
    for (std::size_t i = 0; i < kWords; ++i) lost_.bits[b][i] |= late_->bits[b][i];
    late_->bits[b].words.fill(0);
    lost_.marks.put(b, set);
  }
  // Two blocks tell of each other: one thread does both, since it writes to what it reads.
  bool add_stuck_pair(const Turns& ways, SetId set, std::uint32_t v) {
    const std::uint32_t own = turned_block(ways, v);
    if (own < v) return false;
    const bool any = add_stuck(ways, set, v);
    return (own > v && add_stuck(ways, set, own)) || any;
  }
  // Block v, read by number of the other's balls, tells what he makes of it when it is his turn.
  bool add_stuck(const Turns& ways, SetId set, std::uint32_t v) {
    Block stuck;
    if (!Mask::stuck(ways.balls, ways.raisers, v, stuck)) return false;
    const std::uint32_t own = ways.first_block + turned_block(ways, v);
    const Block& his_open = open_.bits[ways.first_block + v];
    const Block& his_lost = lost_.bits[ways.first_block + v];
    Block won = stuck, lost = stuck, open_now, lost_now;
    for (std::size_t i = 0; i < kWords; ++i) {
      lost[i] &= ~his_open[i];
      won[i] &= his_lost[i];
    }
    open_now = open_.bits[own];
    lost_now = lost_.bits[own];
    store(ways.balls, lost, false, lost_now);
    store(ways.balls, won, true, open_now);
    const bool new_lost = lost_now.words != lost_.bits[own].words, new_won = open_now.words != open_.bits[own].words;
    lost_.bits[own] = lost_now;
    open_.bits[own] = open_now;
    if (new_lost) lost_.marks.put(own, set);
    if (new_won) open_.marks.put(own, set);
    return new_lost || new_won;
  }

  // ---- from codes ----
  // How many of the last passes, by whole distances, found nothing: a solution that is complete stays so.
  int quiet_passes(const std::array<std::uint64_t, kCodes>& found) const {
    const int step = skips_ ? 2 : 1;
    int quiet = 0;
    const auto is_empty = [&](int number) { return found[static_cast<std::size_t>(number)] == 0; };
    for (int number = passes_; number > step && quiet < 2 * step && is_empty(number); --number) ++quiet;
    return quiet / step * step;
  }
  template <class Counts>
  void restore(SetId set, std::uint32_t begin, std::uint32_t end, Counts& counts) {
    const Cells cells = layout_.sets().cells(set);
    const auto [least, k] = Sets<Base>::canonical(cells);
    std::vector<int> places;
    for_each_cell(cells,
                  [&](int c) { places.push_back(place_in(least, Geo::kImage[std::size_t(k)][std::size_t(c)])); });
    const BitMap place(places);
    Code* const codes = codes_of(layout_.sets().find(least));
    const std::size_t size = std::size_t{1} << places.size();
    std::array<std::uint64_t, kCodes> here{};
    for (std::size_t own = std::size_t{begin} << Bits; own < std::min(size, std::size_t{end} << Bits); ++own) {
      const std::atomic_ref code(codes[place(static_cast<std::uint32_t>(own))]);  // images of the set read it too
      const int told = code.load(std::memory_order_relaxed);
      const int pass = told <= passes_ ? told : 0;
      if (told > passes_ && cells == least) code.store(0, std::memory_order_relaxed);
      ++here[static_cast<std::size_t>(pass)];
      if (pass > 0) put(set, own, pass_of(skips_, pass).win);
    }
    for (std::size_t i = 1; i < kCodes; ++i)
      if (here[i] > 0) counts[i] += here[i];
  }
  void put(SetId set, std::size_t own, bool win) {
    const std::size_t block = layout_.first_block(set) + (own >> Bits);
    const std::size_t word = (own >> 6) % kWords;
    const Word mask = Word{1} << (own & 63);
    if (win)
      open_.bits[block][word] &= ~mask;
    else
      lost_.bits[block][word] |= mask;
  }
  // Where only the apex is missing there are no codes: who has a ball wins in one turn, who has none has lost, or is
  // stuck.
  template <class Counts>
  void restore_last(Counts& counts) {
    const SetId set = layout_.sets().first(Geo::kCells - 1);
    const int win = skips_ ? 4 : 2;  // the pass of the first wins
    for (std::size_t own = 0; own < std::size_t{1} << (Geo::kCells - 1); ++own) {
      const int balls = std::popcount(own);
      if (balls > Geo::kEach || Geo::kCells - 1 - balls > Geo::kEach) continue;
      const bool has_ball = balls < Geo::kEach;
      const int pass = has_ball ? win : 1;
      if (pass > passes_ || (!has_ball && skips_)) continue;
      put(set, own, has_ball);
      ++counts[static_cast<std::size_t>(pass)];
    }
  }

  template <class F>
  void for_classes(int first, F&& f) {
    for (int balls = first; balls < Geo::kCells; ++balls) for_blocks(balls, f);
  }
  // f(set, begin, end) for runs of blocks, counted within their set, of all sets of a class, in parallel.
  template <class F>
  void for_blocks(int balls, F&& f) {
    constexpr std::uint32_t kTask = Base == 4 ? 512 : 8;  // in small games too threads share sets
    if (!watch()) throw Stopped{};
    const std::uint32_t start = layout_.class_first(balls), blocks = layout_.class_blocks(balls);
    Progress progress;
    const bool whole =
        Workers::run((blocks + kTask - 1) / kTask, threads_, progress, [&](std::uint64_t) { return watch(); },
                     [&](std::size_t task, int) {
                       std::uint32_t at = start + static_cast<std::uint32_t>(task) * kTask;
                       const std::uint32_t stop = std::min(start + blocks, at + kTask);
                       for (SetId set = layout_.set_of(at); at < stop; ++set) {
                         const std::uint32_t first = layout_.first_block(set);
                         const std::uint32_t end = std::min(stop, first + layout_.num_blocks(set));
                         f(set, at - first, end - first);
                         at = end;
                       }
                     });
    if (!whole) throw Stopped{};
  }

  // Asks the monitor about twenty times a second, however short the pieces of work are.
  bool watch() {
    const auto now = std::chrono::steady_clock::now();
    if (!*monitor_ || now - asked_ < std::chrono::milliseconds(50)) return true;
    asked_ = now;
    return (*monitor_)(done_);
  }

  Options options_;
  bool skips_;
  int threads_;
  Code* codes_;
  Layout<Base, Bits> layout_;
  Catalogue<Base> catalogue_{layout_.sets()};
  Plane<Base, Bits> lost_, open_;
  std::unique_ptr<Plane<Base, Bits>> late_;  // losses of the distance at hand, while wins are still to be found
  std::vector<std::uint8_t> undecided_;      // blocks, by number of the own balls
  Reach<Base, Bits> reach_;
  const Monitor* monitor_ = nullptr;
  std::chrono::steady_clock::time_point asked_{};
  std::atomic<std::uint64_t> done_{0};  // blocks of this pass
  int passes_ = 0;
  int quiet_ = 0;
};

}  // namespace zg::pylos::solver
