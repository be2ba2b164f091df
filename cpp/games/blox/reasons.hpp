// Why an action is not legal, in words that cite RULES.md.
#pragma once

#include <string>

#include "games/blox/blox.hpp"

namespace zg::blox {

namespace detail {

inline constexpr std::array<std::string_view, kNumColours> kColourNames{"white", "red", "grey", "black"};
inline constexpr std::array<std::string_view, kNumDirections> kDirectionNames{"north", "east", "south", "west"};

inline std::string colour_name(int colour) { return std::string(kColourNames[static_cast<std::size_t>(colour)]); }

template <int Size>
std::string field_text(typename Board<Size>::Field f);

// The objections to one action of the player to move that is not legal.
template <int Size>
class Objections {
  using G = Blox<Size>;
  using State = typename G::State;
  using B = Board<Size>;
  using Field = typename B::Field;
  using What = typename G::Begun::What;

 public:
  Objections(const State& s, const Move& m) : s_(s), me_(s.mover()), m_(m) {}

  std::string text() const {
    const bool in_build = s_.begun.what == What::Build;
    const bool in_swap = s_.begun.what == What::Swap;
    if (in_build && m_.kind != Kind::Block && m_.kind != Kind::Done)
      return "[BX-5.3] a build was begun: a block or done is wanted";
    if (in_swap && m_.kind != Kind::Swap && m_.kind != Kind::Done)
      return "[BX-5.3] a swap was begun: a card or done is wanted";
    switch (m_.kind) {
      case Kind::Enter: return enter();
      case Kind::Block: return in_build ? block() : "[BX-5.3] a block belongs to a build, which begins with its pawn";
      case Kind::Swap: return swap();
      case Kind::Done:
        return in_build ? "[BX-5.4] " + std::to_string(s_.begun.blocks()) + " blocks are fewer than the " +
                              std::to_string(G::build_height(s_)) + " of phase " + std::to_string(s_.phase)
                        : "[BX-5.3] nothing was begun that could be ended";
      default: break;
    }
    if (pawn().is_none())
      return "[BX-5.1] no pawn of rank " + std::to_string(m_.rank) + ": there are " + std::to_string(me_.num_pawns()) +
             " on the board";
    switch (m_.kind) {
      case Kind::Move: return move();
      case Kind::Capture: return capture();
      case Kind::Demolish: return demolish();
      default: return build();
    }
  }

 private:
  Field pawn() const { return me_.pawns[m_.rank]; }
  auto view() const { return s_.board.view(pawn(), static_cast<Direction>(m_.direction)); }
  static std::string name(Field f) { return field_text<Size>(f); }
  std::string where() const { return std::string(kDirectionNames[m_.direction]) + " of " + name(pawn()); }
  static std::string used_up() { return "[BX-3.8] the joker is used up"; }
  std::string payment(std::string_view clause, int colour, int cards) const {
    if (m_.is_joker() && !me_.joker) return used_up();
    return "[" + std::string(clause) + "] " + std::to_string(cards) + " " + colour_name(colour) +
           (cards == 1 ? " card is" : " cards are") + " wanted, and the hand has " + std::to_string(me_.hand[colour]);
  }

  std::string enter() const {
    const Field to(m_.field);
    const int colour = s_.board.colour(to);
    if (G::supply_of_pawns(s_, me_) == 0) return "[BX-3.1] no pawn is in supply";
    if (!s_.board.is_free(to)) return "[BX-3.1] " + name(to) + " is occupied";
    const Lanes row = Entries<Size>(s_.board, s_.options.entry).row(B::row(to));
    if ((row.of(colour) >> B::column(to) & 1) == 0)
      return "[BX-3.1] no line leads to " + name(to) + " as its first " + colour_name(colour) + " field";
    return payment("BX-3.1", colour, 1);
  }
  std::string move() const {
    if ((view().open.colours() >> m_.colour & 1) == 0)
      return "[BX-3.2] no " + colour_name(m_.colour) + " field can be reached " + where();
    return payment("BX-3.2", m_.colour, 1);
  }
  std::string capture() const {
    const Field to = view().obstacle;
    if (to.is_none() || s_.board.tower(to).any() || me_.has_pawn(to))
      return "[BX-3.3] no enemy pawn is the first obstacle " + where();
    const int colour = s_.board.colour(to);
    if ((view().open.colours() >> colour & 1) != 0)
      return "[BX-3.3] a " + colour_name(colour) + " field lies before the pawn on " + name(to);
    return payment("BX-3.3", colour, m_.captured_points() - m_.is_joker());
  }
  std::string demolish() const {
    const Field to = view().obstacle;
    if (to.is_none() || !s_.board.tower(to).any()) return "[BX-3.4] no tower is the first obstacle " + where();
    const Counts tower = s_.board.tower(to);
    if ((view().open.colours() & tower.colours()) != 0)
      return "[BX-3.4] a field with a colour of the tower lies before " + name(to);
    if (tower.total() > s_.phase)
      return "[BX-3.4] the tower is " + std::to_string(tower.total()) + " high, and it is phase " +
             std::to_string(s_.phase);
    if (me_.blocks.total() >= s_.options.block_limit)
      return "[BX-3.4] " + std::to_string(me_.blocks.total()) + " blocks are at the limit of " +
             std::to_string(s_.options.block_limit);
    if (m_.is_joker() && !me_.joker) return used_up();
    if (m_.is_joker() && tower[m_.pay - 1] == 0)
      return "[BX-3.8] the tower has no " + colour_name(m_.pay - 1) + " block";
    return "[BX-3.4] the cards are not those of the tower's blocks " + counts_text(tower);
  }
  std::string build() const {
    if (!s_.board.may_hold_tower(pawn(), s_.options))
      return "[BX-3.6] a tower on " + name(pawn()) + " would leave a tower without access";
    return "[BX-3.5] blocks and cards do not suffice for a height of " + std::to_string(G::build_height(s_));
  }
  std::string block() const {
    const Supply left = G::supply(s_);
    if (m_.colour < left.from) return "[BX-5.3] blocks are placed in the order of colours, the joker's last";
    if (left.blocks[m_.colour] == 0) return "[BX-3.5] no " + colour_name(m_.colour) + " block is left";
    if (m_.is_joker() && !left.joker) return used_up();
    if (!m_.is_joker() && left.cards[m_.colour] == 0) return "[BX-3.5] no " + colour_name(m_.colour) + " card is left";
    return "[BX-5.4] after it a height of " + std::to_string(G::build_height(s_)) + " could not be reached";
  }
  std::string swap() const {
    if (m_.colour < s_.begun.from()) return "[BX-5.3] cards are swapped in the order of colours";
    return "[BX-3.7] no " + colour_name(m_.colour) + " card is left";
  }

  const State& s_;
  const typename G::Seat& me_;
  const Move& m_;
};

}  // namespace detail

template <int Size>
std::string Blox<Size>::why_illegal(const State& s, Action a) {
  if (is_legal(s, a)) return "";
  if (is_terminal(s)) return "the game is over";
  const Move m = decode(s.options, a);
  return detail::Objections<Size>(s, m).text();
}

}  // namespace zg::blox
