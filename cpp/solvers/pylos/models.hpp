// Symbols and their chances in a context, and the coding of symbols by them.
//
// Chances are fixed for a whole file, so that each of its blocks can be read on its own. The coder is range coding by
// asymmetric numeral systems: J. Duda, arXiv:1311.2540; a 32-bit state, 16 bits written at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace zg::pylos::solver {

using Symbol = std::uint16_t;
inline constexpr int kChanceBits = 12;
inline constexpr std::uint32_t kChances = 1u << kChanceBits;
inline constexpr Symbol kOther = 0xFFFF;  // a symbol that is rare in its context follows, as a plain number

struct SymbolShare {
  Symbol symbol;
  std::uint16_t start, size;  // of kChances
};

// Up to three earlier symbols; numbers from 0 to `none`, which stands for no symbol there.
struct Context {
  std::array<std::uint16_t, 3> before;
};

// How often each symbol came in each context.
class Counts {
 public:
  void add(const Context& c, Symbol symbol, std::uint32_t n = 1) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::uint64_t key =
        (((std::uint64_t{c.before[0]} << 16 | c.before[1]) << 16 | c.before[2]) << 16 | symbol) + 1;
    std::size_t slot = slot_of(key);
    while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & (keys_.size() - 1);
    used_ += keys_[slot] == 0;
    keys_[slot] = key;
    values_[slot] += n;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == 0) continue;
      const std::uint64_t key = keys_[i] - 1;
      const auto part = [&](int shift) { return static_cast<std::uint16_t>(key >> shift); };
      f(Context{{part(48), part(32), part(16)}}, part(0), values_[i]);
    }
  }

 private:
  std::size_t slot_of(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15) >> 20 & (keys_.size() - 1); }
  void grow() {
    const std::vector<std::uint64_t> keys = std::move(keys_);
    const std::vector<std::uint32_t> values = std::move(values_);
    keys_.assign(std::max<std::size_t>(1024, 2 * keys.size()), 0);
    values_.assign(keys_.size(), 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == 0) continue;
      std::size_t slot = slot_of(keys[i]);
      while (keys_[slot] != 0) slot = (slot + 1) & (keys_.size() - 1);
      keys_[slot] = keys[i];
      values_[slot] = values[i];
    }
  }
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t used_ = 0;
};

// The chances of symbols in every context. Rare contexts share those of shorter ones.
class Models {
 public:
  Models() = default;

  // `none`: the greatest number in a context; its first `depth` places are in use.
  Models(const Counts& counts, int none, int depth) : none_(none), depth_(depth) {
    std::map<std::uint64_t, std::map<Symbol, std::uint64_t>> all;
    counts.for_each([&](Context c, Symbol symbol, std::uint32_t n) {
      for (auto i = static_cast<std::size_t>(depth_); i < 3; ++i) c.before[i] = any();
      for (int used = depth_; used >= 0; --used) {
        if (used < depth_) c.before[static_cast<std::size_t>(used)] = any();
        all[key_of(c)][symbol] += n;
      }
    });
    if (all.empty()) all[key_of(nothing())];
    for (const auto& [key, symbols] : all) {
      std::uint64_t total = 0;
      for (const auto& [symbol, n] : symbols) total += n;
      if (total < kFewest && key != key_of(nothing())) continue;
      keys_.push_back(key);
      firsts_.push_back(static_cast<std::uint32_t>(shares_.size()));
      append_shares(symbols, total);
    }
    fill_index();
  }

  // The shares of a context; the last one ends at kChances. Only the places in use are looked at.
  const SymbolShare* shares(const Context& c) const { return shares_.data() + index_[slot_of(c)]; }

  // ---- as bytes ----
  std::vector<std::uint32_t> packed() const {
    std::vector<std::uint32_t> out{static_cast<std::uint32_t>(none_), static_cast<std::uint32_t>(depth_),
                                   static_cast<std::uint32_t>(keys_.size())};
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto list = shares_from(firsts_[i]);
      out.push_back(static_cast<std::uint32_t>(keys_[i] >> 32));
      out.push_back(static_cast<std::uint32_t>(keys_[i]));
      out.push_back(static_cast<std::uint32_t>(list.size()));
      for (const SymbolShare& s : list) out.push_back(std::uint32_t{s.symbol} << 16 | s.size);
    }
    return out;
  }
  // False for what `packed` cannot have made of models with this `none`.
  static bool unpack(std::span<const std::uint32_t> in, int none, Models& out) {
    if (in.size() < 3 || in[0] != static_cast<std::uint32_t>(none) || in[1] > 3) return false;
    out.none_ = static_cast<int>(in[0]);
    out.depth_ = static_cast<int>(in[1]);
    std::size_t at = 3;
    for (std::uint32_t i = 0; i < in[2]; ++i) {
      if (at + 3 > in.size() || in[at + 2] > in.size() - at - 3) return false;
      const std::uint64_t key = std::uint64_t{in[at]} << 32 | in[at + 1];
      if (!out.is_key(key) || (i > 0 && key <= out.keys_.back())) return false;
      out.keys_.push_back(key);
      out.firsts_.push_back(static_cast<std::uint32_t>(out.shares_.size()));
      const std::uint32_t n = in[at + 2];
      std::uint32_t start = 0;
      at += 3;
      for (std::uint32_t k = 0; k < n; ++k, ++at) {
        const std::uint32_t size = in[at] & 0xFFFF;
        if (size == 0 || size > kChances - start) return false;
        out.shares_.push_back(
            {static_cast<Symbol>(in[at] >> 16), static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(size)});
        start += size;
      }
      if (start != kChances) return false;
    }
    if (at != in.size() || out.keys_.empty()) return false;
    return out.fill_index();
  }

 private:
  static constexpr std::uint64_t kFewest = 24;  // symbols that a context of its own needs

  std::uint16_t any() const { return static_cast<std::uint16_t>(none_ + 1); }
  Context nothing() const { return {{any(), any(), any()}}; }
  // Symbols, and behind them, as far as places are in use, nothing.
  bool is_key(std::uint64_t key) const {
    bool ended = false;
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t part = key >> (32 - 16 * i) & 0xFFFF;
      if (part > any() || (ended && i < depth_ && part != any())) return false;
      ended |= part == any();
    }
    return key >> 48 == 0;
  }
  static std::uint64_t key_of(const Context& c) {
    return (std::uint64_t{c.before[0]} << 16 | c.before[1]) << 16 | c.before[2];
  }
  std::span<const SymbolShare> shares_from(std::uint32_t first) const {
    std::size_t last = first;
    while (shares_[last].start + shares_[last].size < static_cast<int>(kChances)) ++last;
    return {shares_.data() + first, last + 1 - first};
  }
  // Places that are not in use have factor 0. Products of their own, not one after another: readers wait for this.
  std::size_t slot_of(const Context& c) const {
    return c.before[0] * factors_[0] + c.before[1] * factors_[1] + c.before[2] * factors_[2];
  }

  // Shares of kChances by frequency, the most frequent first; all that is rare is kOther.
  void append_shares(const std::map<Symbol, std::uint64_t>& symbols, std::uint64_t total) {
    std::vector<std::pair<std::uint64_t, Symbol>> list;
    std::uint32_t left = kChances - 1;
    for (const auto& [symbol, n] : symbols)
      if (n * kChances * 2 >= total) list.push_back({n, symbol});
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::uint32_t> sizes;
    for (const auto& [n, symbol] : list) {
      sizes.push_back(static_cast<std::uint32_t>(
          std::clamp<std::uint64_t>(n * (kChances - 1) / std::max<std::uint64_t>(total, 1), 1, kChances - 1)));
      if (sizes.back() > left) sizes.back() = left;
      left -= sizes.back();
    }
    // What rounding has left belongs to the most frequent one, but for a share that the rare ones need.
    std::uint64_t rare = total;
    for (const auto& [n, symbol] : list) rare -= n;
    const auto others =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(left, total == 0 ? left : rare * kChances / total));
    if (!list.empty()) sizes[0] += left - others;
    std::uint32_t start = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (sizes[i] == 0) continue;
      shares_.push_back({list[i].second, static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(sizes[i])});
      start += sizes[i];
    }
    shares_.push_back({kOther, static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(kChances - start)});
  }

  // Every context finds the longest part of itself that has shares. False if there are none even for nothing.
  bool fill_index() {
    const auto side = static_cast<std::size_t>(none_ + 1);
    std::size_t slots = 1;
    factors_ = {};
    for (std::size_t i = static_cast<std::size_t>(depth_); i-- > 0; slots *= side) factors_[i] = slots;
    index_.assign(slots, 0);
    bool any_first = false;
    for (int used = 0; used <= depth_; ++used) {
      for (std::size_t i = 0; i < keys_.size(); ++i) {
        const Context c{{static_cast<std::uint16_t>(keys_[i] >> 32), static_cast<std::uint16_t>(keys_[i] >> 16),
                         static_cast<std::uint16_t>(keys_[i])}};
        if (length(c) != used) continue;
        std::size_t first = 0, width = slots;
        for (int k = 0; k < used; ++k) {
          width /= side;
          first += c.before[static_cast<std::size_t>(k)] * width;
        }
        if (first + width > slots) return false;
        std::fill_n(index_.begin() + static_cast<std::ptrdiff_t>(first), width, firsts_[i]);
        any_first |= used == 0;
      }
    }
    return any_first;
  }
  int length(const Context& c) const {
    int used = 0;
    while (used < 3 && c.before[static_cast<std::size_t>(used)] != any()) ++used;
    return used;
  }

  int none_ = 0;
  int depth_ = 0;
  std::array<std::size_t, 3> factors_{};
  std::vector<std::uint64_t> keys_;  // ascending
  std::vector<std::uint32_t> firsts_;
  std::vector<SymbolShare> shares_;
  std::vector<std::uint32_t> index_;  // of the first share, by context
};

// Symbols are read in the order in which they were added; they are coded the other way round.
class Encoder {
 public:
  void add(std::uint32_t start, std::uint32_t size) { parts_.push_back(start << 16 | size); }
  std::vector<std::uint16_t> finish() {
    std::vector<std::uint16_t> out;
    std::uint32_t state = kLow;
    for (std::size_t i = parts_.size(); i-- > 0;) {
      const std::uint32_t start = parts_[i] >> 16, size = parts_[i] & 0xFFFF;
      if (std::uint64_t{state} >= (std::uint64_t{size} << (32 - kChanceBits))) {
        out.push_back(static_cast<std::uint16_t>(state));
        state >>= 16;
      }
      state = (state / size << kChanceBits) + state % size + start;
    }
    out.push_back(static_cast<std::uint16_t>(state));
    out.push_back(static_cast<std::uint16_t>(state >> 16));
    std::reverse(out.begin(), out.end());
    parts_.clear();
    return out;
  }
  static constexpr std::uint32_t kLow = 1u << 16;

 private:
  std::vector<std::uint32_t> parts_;
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint16_t> in) : in_(in) {
    state_ = std::uint32_t{next()} << 16;
    state_ |= next();
  }
  // A symbol in a context.
  Symbol read(const SymbolShare* s) {
    const std::uint32_t slot = state_ & (kChances - 1);
    while (slot >= std::uint32_t{s->start} + s->size) ++s;
    advance(s->start, s->size);
    return s->symbol != kOther ? s->symbol : plain();
  }
  // A number below kChances.
  Symbol plain() {
    const std::uint32_t slot = state_ & (kChances - 1);
    advance(slot, 1);
    return static_cast<Symbol>(slot);
  }

 private:
  void advance(std::uint32_t start, std::uint32_t size) {
    state_ = size * (state_ >> kChanceBits) + (state_ & (kChances - 1)) - start;
    if (state_ < Encoder::kLow) state_ = state_ << 16 | next();
  }
  std::uint16_t next() { return at_ < in_.size() ? in_[at_++] : std::uint16_t{0}; }

  std::span<const std::uint16_t> in_;
  std::size_t at_ = 0;
  std::uint32_t state_ = 0;
};

}  // namespace zg::pylos::solver
