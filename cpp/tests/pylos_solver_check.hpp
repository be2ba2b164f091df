// The solver of Pylos on the small pyramid: its moves of bits against plain loops, and every position it judges against
// the code that plays.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "core/random.hpp"
#include "engine/best_turns.hpp"
#include "games/pylos/pylos.hpp"
#include "solvers/pylos/retrograde.hpp"

namespace zg::tests::pylos_solver {

using namespace zg::pylos::solver;  // NOLINT: the whole file is about it

using Mini = zg::pylos::Pylos<3>;
using MiniGeometry = Geometry<3>;
using Codes = std::vector<Code>;

inline zg::pylos::Options mini_options(std::string_view settings) {
  zg::pylos::Options options;
  zg::pylos::option_table().apply_settings(options, "base=3,max_turns=0");
  if (!settings.empty()) zg::pylos::option_table().apply_settings(options, settings);
  return options;
}

// ---- bits ----
inline bool bit_at(const Word* words, std::size_t i) { return (words[i / 64] >> (i % 64) & 1) != 0; }
inline std::uint32_t low_mask(int bits) { return (std::uint32_t{1} << bits) - 1; }

// The same by way of lists of bits.
inline std::vector<int> bits_of(std::uint32_t x, int n) {
  std::vector<int> out;
  for (int i = 0; i < n; ++i) out.push_back(static_cast<int>(x >> i & 1));
  return out;
}
inline std::uint32_t number_of(const std::vector<int>& bits) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) out |= static_cast<std::uint32_t>(bits[i]) << i;
  return out;
}
inline std::uint32_t rerouted(std::uint32_t x, int n, int out, int in) {
  std::vector<int> bits = bits_of(x, n);
  if (out >= 0) bits.erase(bits.begin() + out);
  if (in >= 0) bits.insert(bits.begin() + in, 0);
  return number_of(bits);
}

template <int Bits>
void check_block_moves(Stream& random) {
  using Op = Blocks<Bits>;
  constexpr std::size_t kSize = std::size_t{1} << Bits;
  for (int p = 0; p < Bits; ++p) {
    typename Op::Block in, half, back;
    for (Word& w : in.words) w = random.draw();
    Op::compact(p, in.words.data(), half.words.data());
    Op::expand(p, half.words.data(), back.words.data());
    for (std::uint32_t i = 0; i < kSize / 2; ++i) {
      const std::uint32_t wide = rerouted(i, Bits - 1, -1, p);
      ZG_CHECK(with_zero(i, p) == wide && without_bit(wide, p) == i);
      ZG_CHECK(without_bit(wide | one(p), p) == i);
      ZG_CHECK(bit_at(half.words.data(), i) == bit_at(in.words.data(), wide));
      ZG_CHECK(bit_at(back.words.data(), wide) == bit_at(in.words.data(), wide));
      ZG_CHECK(!bit_at(back.words.data(), wide | one(p)));
    }
  }
  const Word x = random.draw();
  for (std::size_t i = 0; i < 64; ++i) ZG_CHECK((reversed(x) >> i & 1) == (x >> (63 - i) & 1));
}

// Where a spot says that colouring `inner` of block v is found, as one number.
template <int Bits>
std::uint32_t place_at(const Route& route, const Spot& spot, std::uint32_t inner) {
  const std::uint32_t half = std::uint32_t{1} << (Bits - 1);
  const auto in_block = [&](std::uint32_t block, std::uint32_t i) { return block << Bits | i; };
  switch (spot.fit) {
    case Fit::Whole: return in_block(spot.block, inner);
    case Fit::Halves: return in_block(spot.block + inner / half, rerouted(inner % half, Bits - 1, -1, route.in));
    case Fit::Half: return in_block(spot.block, spot.half * half + rerouted(inner, Bits, route.out, -1));
    case Fit::Moved: return in_block(spot.block, rerouted(inner, Bits, route.out, route.in));
    case Fit::None: break;
  }
  return ~std::uint32_t{0};
}

template <int Bits>
void check_spots(Stream& random) {
  for (int round = 0; round < 4000; ++round) {
    const int n = Bits + 1 + static_cast<int>(random.bounded(8));
    Route route;
    const auto kind = random.bounded(3);  // placing a ball, raising one, taking one back
    if (kind > 0) route.out = static_cast<int>(random.bounded(static_cast<std::uint64_t>(n)));
    const int from = std::max(route.out, 0), left = n - (kind > 0);
    if (kind < 2) route.in = from + static_cast<int>(random.bounded(static_cast<std::uint64_t>(left + 1 - from)));
    const auto x = static_cast<std::uint32_t>(random.draw()) & low_mask(n);
    const Spot spot = spot_of<Bits>(route, x >> Bits);
    if (route.out >= 0 && (x >> route.out & 1) != 0) {
      ZG_CHECK(route.out < Bits || spot.fit == Fit::None);
      continue;
    }
    ZG_CHECK(spot.fit != Fit::None);
    ZG_CHECK(place_at<Bits>(route, spot, x & low_mask(Bits)) == rerouted(x, n, route.out, route.in));
  }
}

template <int Bits>
void check_bricks() {
  Stream random{Bits};
  check_block_moves<Bits>(random);
  check_spots<Bits>(random);
  const Layout<3, Bits> layout;
  for (SetId set = 0; set < layout.sets().size(); ++set) {
    const Cells cells = layout.sets().cells(set);
    ZG_CHECK(layout.sets().find(cells) == set);
    ZG_CHECK(layout.num_blocks(set) == std::max<std::uint32_t>(1, one(std::popcount(cells)) >> Bits));
    for (std::uint32_t b = 0; b < layout.num_blocks(set); ++b)
      ZG_CHECK(layout.set_of(layout.first_block(set) + b) == set);
  }
  ZG_CHECK(layout.sets().find(MiniGeometry::kAll) == Sets<3>::kNone);
}

// ---- every position ----
// What some codes say of positions.
class Judge {
 public:
  using Balls = Mini::Balls;

  Judge(const zg::pylos::Options& options, const Codes& codes) : options_(options), codes_(codes) {}

  // Positions whose set of cells is the least of its images; the others are the same but for a symmetry.
  std::size_t check() const {
    std::size_t checked = 0;
    for (const auto& entry : kept().entries())
      for (std::uint32_t number = 0; number <= low_mask(std::popcount(entry.cells)); ++number) {
        const auto own = static_cast<Cells>(scatter_bits(number, entry.cells));
        checked +=
            check_one(MiniGeometry::balls(own), MiniGeometry::balls(entry.cells & ~own), codes_[entry.first + number]);
      }
    return checked;
  }

  Probe operator()(const Mini::State& s) const {
    if (Mini::is_terminal(s)) return {(Mini::winners(s) >> s.to_move & 1) != 0 ? 1 : -1, 0};
    if (std::popcount(s.occupied()) == Mini::P::kCells - 1) return {1, 1};
    return of_code(code_of(s));
  }
  Probe of_code(Code code) const {
    if (code == 0) return {0, -1};
    const Pass pass = pass_of(skips_turns(options_), code);
    return {pass.win ? 1 : -1, pass.distance};
  }

  static const Sets<3>& sets() {
    static const Sets<3> kSets;
    return kSets;
  }
  static const Catalogue<3>& kept() {
    static const Catalogue<3> kKept(sets());
    return kKept;
  }

 private:
  Code code_of(const Mini::State& s) const {
    for (int k = 0; k < 8; ++k) {
      const Mini::State image = Mini::transform(s, k);
      const Cells cells = MiniGeometry::cells_slowly(image.occupied());
      const int entry = kept().index_of(sets().find(cells));
      if (entry < 0) continue;
      const auto own = gather_bits(MiniGeometry::cells_slowly(image.own()), cells);
      return codes_[kept().entries()[static_cast<std::size_t>(entry)].first + own];
    }
    ZG_CHECK(!"a set of cells of which no image is kept");
    return 0;
  }
  // With distances that go down to an end, what holds between a position and its successors everywhere is a proof.
  bool check_one(Balls own, Balls other, Code code) const {
    Mini::State s = Mini::initial(options_, 0);
    s.balls = {own, other};
    if (!Mini::broken_invariant(s).empty() || Mini::is_skipped(s)) {
      ZG_CHECK(code == 0);
      return false;
    }
    Probe best{Mini::is_terminal(s) ? -1 : 0, Mini::is_terminal(s) ? 0 : -1};
    bool first = true;
    Adviser<Mini, Judge>(*this).for_each_probe(s, [&](const auto&, const Probe& p) {
      if (first || merit(p) > merit(best)) best = p;
      first = false;
    });
    ZG_CHECK(of_code(code) == best);
    return true;
  }

  zg::pylos::Options options_;
  const Codes& codes_;
};

template <int Bits>
struct Solved {
  using Machine = Retrograde<3, Bits>;
  Codes codes;
  std::vector<typename Machine::Tally> passes;

  Solved(const zg::pylos::Options& options, int threads) : codes(Judge::kept().size()) {
    Machine machine(options, threads, codes.data());
    while (!machine.is_finished()) passes.push_back(machine.run_pass({}));
  }
};

// What an interruption leaves: all codes of the first passes, and some of the next.
inline Codes left_behind(const Codes& codes, std::size_t passes, Stream& random) {
  Codes out = codes;
  for (Code& code : out)
    if (code > passes + 1 || (code == passes + 1 && random.bounded(2) == 0)) code = 0;
  return out;
}
inline Codes up_to(Codes codes, std::size_t passes) {
  for (Code& code : codes)
    if (code > passes) code = 0;
  return codes;
}

// A machine that goes on after any number of passes (or some of them) finds the same in the next one.
template <int Bits>
void check_resuming(const zg::pylos::Options& options, const Solved<Bits>& whole, std::size_t every) {
  using Machine = typename Solved<Bits>::Machine;
  Stream random{5};
  for (std::size_t done = 1; done <= whole.passes.size(); done += every) {
    Codes codes = left_behind(whole.codes, done, random);
    Machine machine(options, 2, codes.data());
    const auto counts = machine.resume(static_cast<int>(done), {});
    const auto kept = static_cast<std::size_t>(machine.passes());
    ZG_CHECK(kept == (skips_turns(options) ? done / 2 * 2 : done));
    for (std::size_t n = 1; n < counts.size(); ++n) {
      std::uint64_t sum = 0;
      if (n <= kept)
        for (const std::uint64_t found : whole.passes[n - 1]) sum += found;
      ZG_CHECK(counts[n] == sum);
    }
    ZG_CHECK(codes == up_to(whole.codes, kept));
    ZG_CHECK(machine.is_finished() == (kept == whole.passes.size()));
    if (kept == whole.passes.size()) continue;
    ZG_CHECK(machine.run_pass({}) == whole.passes[kept]);
    ZG_CHECK(codes == up_to(whole.codes, kept + 1));
  }
}

inline constexpr std::array<std::string_view, 10> kOptionSets{
    "",
    "patterns=none",
    "patterns=none,no_move=passes",
    "patterns=lines,no_move=passes",
    "patterns=lines,chain_removal=false,empty_reserve=loses",
    "removal=mandatory,remove_placed=false",
    "patterns=lines,removal=mandatory,remove_placed=false,chain_removal=false,no_move=passes",
    "remove_placed=false,chain_removal=false,empty_reserve=loses",
    "patterns=lines,removal=mandatory,empty_reserve=loses,no_move=passes",
    "removal=mandatory,chain_removal=false,no_move=passes",
};

// The number of positions that were judged anew.
inline std::size_t check_solver(std::size_t option_sets) {
  check_bricks<7>();
  check_bricks<9>();
  check_bricks<12>();  // as for the large pyramid
  std::size_t checked = 0;
  for (const std::string_view settings : std::span(kOptionSets).last(std::min(option_sets, kOptionSets.size()))) {
    const zg::pylos::Options options = mini_options(settings);
    const Solved<7> whole(options, 2);
    const Solved<9> other(options, 1);
    ZG_CHECK(whole.codes == other.codes && whole.passes == other.passes);
    checked += Judge(options, whole.codes).check();
    check_resuming(options, whole, option_sets < kOptionSets.size() ? 6 : 1);
  }
  return checked;
}

}  // namespace zg::tests::pylos_solver
