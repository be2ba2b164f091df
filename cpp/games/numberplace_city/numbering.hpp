// Which action has which id: RULES.md section 7.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/index.hpp"
#include "core/mixed_radix.hpp"
#include "games/numberplace_city/board.hpp"

namespace zg::numberplace_city {

// The kinds from Remove to Win are the effects, in their order.
enum class Kind : std::uint8_t { Lay, PassWith, Pass, Remove, Start, Discard, Turn, Point, Win, Decline };
inline constexpr std::size_t kNumKinds = 10;

inline constexpr std::array<std::string_view, kNumTurns> kTurnNames{"left", "180", "right"};

// What one action says; what its kind does not need is 0 or none.
struct Move {
  Kind kind = Kind::Decline;
  std::uint8_t number = 0;  // Lay, PassWith, Discard
  std::uint8_t turn = 0;    // Turn: left, 180, right
  Cell cell;                // Lay, Remove
  friend bool operator==(const Move&, const Move&) = default;

  bool is_pass() const { return kind == Kind::PassWith || kind == Kind::Pass; }
  bool is_of_a_round() const { return kind == Kind::Lay || is_pass(); }
};

inline constexpr IdBlocks<kNumKinds> kIds({kNumNumbers * kNumCells, kNumNumbers, 1, kNumCells, 1, kNumNumbers,
                                           kNumTurns, 1, 1, 1});
inline constexpr int kNumActions = kIds.total();
static_assert(kNumActions == 836, "RULES.md section 7");

constexpr int first_id(Kind kind) { return kIds.first(static_cast<std::size_t>(kind)); }
constexpr int first_lay(int number) { return first_id(Kind::Lay) + kNumCells * (number - 1); }

constexpr Action encode_move(const Move& m) {
  const int first = first_id(m.kind);
  switch (m.kind) {
    case Kind::Lay: return first_lay(m.number) + m.cell.value();
    case Kind::PassWith:
    case Kind::Discard: return first + m.number - 1;
    case Kind::Remove: return first + m.cell.value();
    case Kind::Turn: return first + m.turn;
    default: return first;
  }
}

constexpr Move decode_move(Action a) {
  Move m;
  m.kind = static_cast<Kind>(kIds.block_of(a));
  const int code = a - first_id(m.kind);
  switch (m.kind) {
    case Kind::Lay:
      m.number = static_cast<std::uint8_t>(code / kNumCells + 1);
      m.cell = Cell(code % kNumCells);
      break;
    case Kind::PassWith:
    case Kind::Discard: m.number = static_cast<std::uint8_t>(code + 1); break;
    case Kind::Remove: m.cell = Cell(code); break;
    case Kind::Turn: m.turn = static_cast<std::uint8_t>(code); break;
    default: break;
  }
  return m;
}

}  // namespace zg::numberplace_city
