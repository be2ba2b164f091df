// Blocks of a table as a few bytes each.
//
// A block is 512 symbols. In a table of distances a symbol is the code of one position, in one of values the values
// of four. Each is coded in the context of three earlier symbols of the block, whose colourings differ by one ball: the
// one with one ball less, and two with a ball moved to a place that matters less. In a table of values 64 positions are
// often one of some common shapes, which have symbols of their own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/bits.hpp"
#include "solvers/pylos/geometry.hpp"
#include "solvers/pylos/models.hpp"

namespace zg::pylos::solver {

inline constexpr int kSymbolBits = 9;
inline constexpr std::size_t kSymbols = std::size_t{1} << kSymbolBits;

// The earlier symbols that are the context of each; kSymbols: none.
struct Before {
  std::array<std::uint16_t, 3> at;
};
inline constexpr std::array<Before, kSymbols> kBefore = [] {
  std::array<Before, kSymbols> out{};
  for (std::uint32_t x = 0; x < kSymbols; ++x) {
    auto& at = out[x].at;
    at = {kSymbols, kSymbols, kSymbols};
    if (x != 0) at[0] = static_cast<std::uint16_t>(x & (x - 1));
    std::uint32_t movable = x & ~(x << 1) & ~1u;  // a ball here, none at the place below
    for (std::size_t i = 1; i < 3 && movable != 0; ++i, movable &= movable - 1) {
      const std::uint32_t ball = movable & (0 - movable);
      at[i] = static_cast<std::uint16_t>(x ^ ball ^ ball >> 1);
    }
  }
  return out;
}();

// What a block is made of. A position that no probe can ask for has no `care`: any value will do.
enum class Value : std::uint8_t { Loss, Win, Draw };

// A symbol of a block to be written: some bits of it do not matter.
struct Wanted {
  std::uint16_t value = 0, care = 0;
  bool fits(std::uint16_t other) const { return ((value ^ other) & care) == 0; }
};
using WantedBlock = std::array<Wanted, kSymbols>;

// How many balls of the player to move are on the cells that choose the block, and how many there may be in all: what
// lies outside is no position and is not coded.
struct BallCount {
  int high = 0, least = 0, most = 0;
  // Can any of 2^bits positions with these balls, and up to `bits` more, be one?
  bool allows(std::size_t x, int bits) const {
    const int balls = high + std::popcount(x);
    return balls <= most && balls + bits >= least;
  }
};

template <int Base>
BallCount ball_count(int balls, std::uint32_t block) {
  return {std::popcount(block), Geometry<Base>::least_own(balls), Geometry<Base>::most_own(balls)};
}

// Four values as one number from 0 to 80, and as two bits each.
inline constexpr int kQuads = 81;
inline constexpr std::array<std::uint8_t, kQuads> kQuadBits = [] {
  std::array<std::uint8_t, kQuads> out{};
  for (int n = 0; n < kQuads; ++n)
    for (int i = 0, rest = n; i < 4; ++i, rest /= 3)
      out[static_cast<std::size_t>(n)] =
          static_cast<std::uint8_t>(out[static_cast<std::size_t>(n)] | rest % 3 << (2 * i));
  return out;
}();

// The symbols of a kind of table.
struct Kind {
  int positions_bits;  // a symbol is 2^this positions
  int none;            // symbols are less than this
  bool shapes;
};
inline constexpr Kind kValues{2, kQuads, true};
inline Kind kDistances(int passes) { return {0, passes + 1, false}; }

class Codec {
 public:
  static constexpr std::size_t kMostShapes = 1023;
  static constexpr std::size_t kShapeSymbols = 16;  // of four positions each
  static constexpr std::uint16_t kNoShape = 256, kNoneBefore = 257;
  using Symbols = std::array<std::uint8_t, kSymbols>;

  Codec(Kind kind, Models symbols, std::vector<std::uint64_t> shapes, Models shape_models)
      : kind_(kind), symbols_(std::move(symbols)), shapes_(std::move(shapes)), shape_models_(std::move(shape_models)) {
    for (const std::uint64_t shape : shapes_) {
      std::array<std::uint8_t, kShapeSymbols> quads;
      for (std::size_t i = 0; i < kShapeSymbols; ++i) quads[i] = quad_of(shape >> (4 * i) & 15);
      shape_numbers_.emplace(shape, static_cast<Symbol>(shape_quads_.size()));
      shape_quads_.push_back(quads);
    }
  }

  const Kind& kind() const { return kind_; }
  const Models& symbols() const { return symbols_; }
  const Models& shape_models() const { return shape_models_; }
  const std::vector<std::uint64_t>& shapes() const { return shapes_; }

  // The symbols 0 .. last of a block; none behind them is touched but those of the last shape.
  void decode(std::span<const std::uint16_t> words, BallCount count, std::size_t last,
              std::span<std::uint8_t, kSymbols> out) const {
    Decoder in(words);
    walk(
        last + 1, out,
        [&](const Context& c, std::size_t w) {
          return shape_coded(count, w) ? in.read(shape_models_.shares(c)) : shape_guess(c);
        },
        [&](const Context& c, std::size_t x) {
          if (!coded(count, x)) return guess(c);
          return static_cast<Symbol>(std::min<int>(in.read(symbols_.shares(c)), kind_.none - 1));
        });
  }

  // Nothing for a block in which no position is cared for.
  std::vector<std::uint16_t> encode(const WantedBlock& block, BallCount count) const {
    std::size_t end = kSymbols;
    while (end > 0 && block[end - 1].care == 0) --end;
    if (end == 0) return {};
    Encoder out;
    choose(
        block, count, end, [&](const Context& c, Symbol shape) { write(out, shape_models_.shares(c), shape); },
        [&](const Context& c, Symbol symbol) { write(out, symbols_.shares(c), symbol); });
    return out.finish();
  }

  // What is coded for the symbols 0 .. end-1 of a block, in this order: shape(context, shape), symbol(context, symbol).
  template <class OnShape, class OnSymbol>
  void choose(const WantedBlock& block, BallCount count, std::size_t end, OnShape&& shape, OnSymbol&& symbol) const {
    Symbols chosen;
    walk(
        end, std::span(chosen),
        [&](const Context& c, std::size_t w) {
          const Symbol s = choose_shape(c, &block[w * kShapeSymbols]);
          if (shape_coded(count, w)) shape(c, s);
          return s;
        },
        [&](const Context& c, std::size_t x) {
          const Symbol s = choose_symbol(c, block[x]);
          if (coded(count, x)) symbol(c, s);
          return s;
        });
  }

  // Do all of 64 positions matter, and is none a draw? Then they have one shape.
  static bool is_sure(const Wanted* wanted, std::uint64_t& wins) {
    wins = 0;
    for (std::size_t i = 0; i < kShapeSymbols; ++i) {
      if (wanted[i].care != 0xFF || (wanted[i].value & 0xAA) != 0) return false;
      wins |= gather_bits(wanted[i].value, 0x55) << (4 * i);
    }
    return true;
  }

  // What a block's symbol says of the position with this number among those of the symbol.
  static Value value_in(std::uint8_t quad, std::uint32_t i) {
    return static_cast<Value>(kQuadBits[quad] >> (2 * i) & 3);
  }

 private:
  // Reading, writing and counting visit a block alike: shape_at(context, w) and symbol_at(context, x) tell what is
  // there.
  template <class ShapeAt, class SymbolAt>
  [[gnu::always_inline]] void walk(std::size_t end, std::span<std::uint8_t, kSymbols> out, ShapeAt&& shape_at,
                                   SymbolAt&& symbol_at) const {
    std::array<std::uint16_t, kSymbols / kShapeSymbols> before;
    for (std::size_t first = 0; first < end; first += kShapeSymbols) {
      std::size_t behind = std::min(first + kShapeSymbols, end);
      if (kind_.shapes) {
        const std::size_t w = first / kShapeSymbols;
        const Symbol shape = shape_at(shape_context(before, w), w);
        before[w] = std::min<Symbol>(shape, kNoShape);
        behind = first + kShapeSymbols;
        if (shape < shapes_.size()) {
          std::copy_n(shape_quads_[shape].begin(), kShapeSymbols, out.begin() + static_cast<std::ptrdiff_t>(first));
          continue;
        }
      }
      for (std::size_t x = first; x < behind; ++x)
        out[x] = static_cast<std::uint8_t>(symbol_at(symbol_context(out, x), x));
    }
  }

  static std::uint8_t quad_of(std::uint64_t wins) {
    return static_cast<std::uint8_t>((wins & 1) + (wins >> 1 & 1) * 3 + (wins >> 2 & 1) * 9 + (wins >> 3 & 1) * 27);
  }
  std::uint16_t bits_of(Symbol symbol) const { return kind_.shapes ? kQuadBits[symbol] : symbol; }

  template <class List>
  static Context context_of(const List& list, std::size_t x, std::uint16_t none) {
    Context c;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t at = kBefore[x].at[i];
      c.before[i] = at == kSymbols ? none : list[at];
    }
    return c;
  }
  template <class List>
  Context symbol_context(const List& list, std::size_t x) const {
    return context_of(list, x, static_cast<std::uint16_t>(kind_.none));
  }
  template <class List>
  static Context shape_context(const List& before, std::size_t w) {
    Context c = context_of(before, w, kNoneBefore);
    for (auto& b : c.before) b = std::min(b, kNoneBefore);
    return c;
  }

  bool coded(BallCount count, std::size_t x) const { return count.allows(x, kind_.positions_bits); }
  static bool shape_coded(BallCount count, std::size_t w) { return count.allows(w, 6); }
  // What does not matter is as before, where that fits.
  Symbol guess(const Context& c) const {
    for (const std::size_t i : {1, 0, 2})
      if (c.before[i] < kind_.none) return c.before[i];
    return 0;
  }
  Symbol choose_symbol(const Context& c, const Wanted& wanted) const {
    for (const std::size_t i : {1, 0, 2})
      if (c.before[i] < kind_.none && wanted.fits(bits_of(c.before[i]))) return c.before[i];
    return plain_symbol(wanted);
  }
  Symbol plain_symbol(const Wanted& wanted) const {
    Symbol symbol = 0;
    while (!wanted.fits(bits_of(symbol))) ++symbol;
    return symbol;
  }
  static void write(Encoder& out, const SymbolShare* s, Symbol symbol) {
    while (s->symbol != symbol && s->symbol != kOther) ++s;
    out.add(s->start, s->size);
    if (s->symbol == kOther) out.add(symbol, 1);
  }

  static Symbol shape_guess(const Context& c) {
    for (const std::size_t i : {1, 0, 2})
      if (c.before[i] < kNoShape) return c.before[i];
    return 0;
  }
  // One as before where that fits, or the most frequent one; the number of shapes if none does.
  Symbol choose_shape(const Context& c, const Wanted* wanted) const {
    for (const std::size_t i : {1, 0, 2})
      if (c.before[i] < kNoShape && shape_fits(c.before[i], wanted)) return c.before[i];
    return first_shape(wanted);
  }
  Symbol first_shape(const Wanted* wanted) const {
    const auto none = static_cast<Symbol>(shapes_.size());
    std::uint64_t wins = 0;
    if (is_sure(wanted, wins)) {
      const auto found = shape_numbers_.find(wins);
      return found != shape_numbers_.end() ? found->second : none;
    }
    for (Symbol s = 0; s < none; ++s)
      if (shape_fits(s, wanted)) return s;
    return none;
  }
  bool shape_fits(Symbol shape, const Wanted* wanted) const {
    if (shape >= shapes_.size()) return false;
    const auto& quads = shape_quads_[shape];
    for (std::size_t i = 0; i < kShapeSymbols; ++i)
      if (!wanted[i].fits(kQuadBits[quads[i]])) return false;
    return true;
  }

  Kind kind_;
  Models symbols_;
  std::vector<std::uint64_t> shapes_;  // bit i: does the player to move win position i? No draws.
  Models shape_models_;
  std::vector<std::array<std::uint8_t, kShapeSymbols>> shape_quads_;
  std::unordered_map<std::uint64_t, Symbol> shape_numbers_;
};

}  // namespace zg::pylos::solver
