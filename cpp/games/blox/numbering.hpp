// Which action has which id: RULES.md section 5.
#pragma once

#include <array>
#include <cstdint>

#include "core/index.hpp"
#include "core/mixed_radix.hpp"
#include "games/blox/cards.hpp"
#include "games/blox/lines.hpp"

namespace zg::blox {

enum class Kind : std::uint8_t { Enter, Move, Capture, Demolish, Build, Block, Swap, Done };
inline constexpr std::size_t kNumKinds = 8;

// The ways to pay, as ids number them.
inline constexpr int kCapturePays = 4;   // three or four, without or with the joker among them
inline constexpr int kDemolishPays = 5;  // cards alone, or the joker for a colour

// What one action says; what its kind does not need is 0.
struct Move {
  Kind kind = Kind::Done;
  std::uint8_t pay = 0;  // Enter, Move, Block: with the joker? Capture, Demolish: which of the ways
  std::uint8_t field = 0;
  std::uint8_t rank = 0;
  std::uint8_t direction = 0;
  std::uint8_t colour = 0;
  friend bool operator==(const Move&, const Move&) = default;

  bool is_joker() const { return kind == Kind::Capture ? pay % 2 != 0 : pay != 0; }
  int captured_points() const { return 3 + pay / 2; }
};

// The numbering of a board with so many fields, for a number of pawns.
template <int Fields>
class Numbering {
 public:
  static constexpr int most() { return 2 * Fields + 69 * kMostPawns + 13; }

  constexpr explicit Numbering(int pawns) : pawns_(pawns) {}

  constexpr int total() const { return ids().total(); }
  constexpr int first(Kind kind) const { return ids().first(static_cast<std::size_t>(kind)); }
  constexpr Action encode(const Move& m) const {
    switch (m.kind) {
      case Kind::Enter: return first(m.kind) + Fields * m.pay + m.field;
      case Kind::Move: return first(m.kind) + moves().encode({m.pay, m.rank, m.direction, m.colour});
      case Kind::Capture: return first(m.kind) + lines(kCapturePays).encode({m.pay, m.rank, m.direction});
      case Kind::Demolish: return first(m.kind) + lines(kDemolishPays).encode({m.pay, m.rank, m.direction});
      case Kind::Build: return first(m.kind) + m.rank;
      case Kind::Block: return first(m.kind) + 2 * m.colour + m.pay;
      case Kind::Swap: return first(m.kind) + m.colour;
      case Kind::Done: break;
    }
    return first(Kind::Done);
  }
  constexpr Move decode(Action a) const {
    const auto kind = static_cast<Kind>(ids().block_of(a));
    const int code = a - first(kind);
    switch (kind) {
      case Kind::Enter: return made(kind, {code / Fields, code % Fields, 0, 0, 0});
      case Kind::Move: {
        const auto d = moves().decode(code);
        return made(kind, {d[0], 0, d[1], d[2], d[3]});
      }
      case Kind::Capture:
      case Kind::Demolish: {
        const auto d = lines(kDemolishPays).decode(code);  // how many ways there are does not change a digit
        return made(kind, {d[0], 0, d[1], d[2], 0});
      }
      case Kind::Build: return made(kind, {0, 0, code, 0, 0});
      case Kind::Block: return made(kind, {code % 2, 0, 0, 0, code / 2});
      case Kind::Swap: return made(kind, {0, 0, 0, 0, code});
      case Kind::Done: break;
    }
    return {};
  }

 private:
  static constexpr Move made(Kind kind, const std::array<int, 5>& parts) {
    const auto part = [&](std::size_t i) { return static_cast<std::uint8_t>(parts[i]); };
    return {kind, part(0), part(1), part(2), part(3), part(4)};
  }
  constexpr MixedRadix<4> moves() const { return {{2, pawns_, kNumDirections, kNumColours}}; }
  constexpr MixedRadix<3> lines(int pays) const { return {{pays, pawns_, kNumDirections}}; }

  static constexpr IdBlocks<kNumKinds> blocks_for(int pawns) {
    return IdBlocks<kNumKinds>({2 * Fields, 2 * 16 * pawns, kCapturePays * 4 * pawns, kDemolishPays * 4 * pawns, pawns,
                                2 * kNumColours, kNumColours, 1});
  }
  constexpr const IdBlocks<kNumKinds>& ids() const { return kIds[static_cast<std::size_t>(pawns_ - 1)]; }

  static constexpr std::array<IdBlocks<kNumKinds>, kMostPawns> kIds{blocks_for(1), blocks_for(2), blocks_for(3),
                                                                    blocks_for(4)};
  int pawns_;
};

static_assert(Numbering<100>(4).total() == 489 && Numbering<81>(4).total() == 451, "RULES.md section 5");
static_assert(Numbering<100>::most() == 489);

}  // namespace zg::blox
