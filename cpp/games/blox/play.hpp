// What is legal in Blox, and what it does: RULES.md sections 3 to 5.
#pragma once

#include "core/bits.hpp"
#include "games/blox/blox.hpp"

namespace zg::blox {

// ---- what is legal ----

template <int Size>
void Blox<Size>::put_turns(const State& s, IdWords& ids) {
  if (supply_of_pawns(s, s.mover()) > 0) put_entries(s, ids);
  put_pawn_actions(s, ids);
  if (can_build_high_enough(s)) {
    const auto& pawns = s.mover().pawns;
    for (std::size_t rank = 0; rank < pawns.size() && !pawns[rank].is_none(); ++rank)
      if (s.board.may_hold_tower(pawns[rank], s.options))
        put_bits(ids, Numbering(s.options.pawns).first(Kind::Build) + static_cast<int>(rank), 1);
  }
  put_swaps(s, ids, 0);
}

template <int Size>
void Blox<Size>::put_entries(const State& s, IdWords& ids) {
  const Entries<Size> entries(s.board, s.options.entry);
  const ColourMask hand = s.mover().hand.colours();
  for (int r = 0; r < Size; ++r) {
    const Lanes row = entries.row(r);
    put_bits(ids, Size * r, row.with(hand).any_colour());
    if (s.mover().joker) put_bits(ids, Board::kFields + Size * r, row.any_colour());
  }
}

template <int Size>
void Blox<Size>::put_pawn_actions(const State& s, IdWords& ids) {
  const Seat& me = s.mover();
  const Numbering numbering(s.options.pawns);
  const int lines = kNumDirections * s.options.pawns;
  std::uint64_t moves = 0;
  const auto put_ways = [&](Kind kind, int line, unsigned pays) {
    for_each_bit(pays, [&](int pay) { put_bits(ids, numbering.first(kind) + pay * lines + line, 1); });
  };
  for (std::size_t rank = 0; rank < me.pawns.size() && !me.pawns[rank].is_none(); ++rank) {
    int line = kNumDirections * static_cast<int>(rank) - 1;
    for (const auto& view : s.board.views(me.pawns[rank])) {
      ++line;
      const ColourMask seen = view.open.colours();
      moves |= std::uint64_t{seen} << (kNumColours * line);
      if (view.obstacle.is_none()) continue;
      const Counts tower = s.board.tower(view.obstacle);
      if (tower.any()) {
        if ((tower.colours() & seen) != 0 || !may_demolish(s, me, tower.total())) continue;
        put_ways(Kind::Demolish, line, demolish_pays(s, tower));
      } else if (const int colour = s.board.colour(view.obstacle);
                 (seen >> colour & 1) == 0 && !me.has_pawn(view.obstacle)) {
        put_ways(Kind::Capture, line, capture_pays(s, colour));
      }
    }
  }
  const int first_move = numbering.first(Kind::Move);
  put_bits(ids, first_move, moves & me.hand.colours() * 0x1111111111111111U);
  if (me.joker) put_bits(ids, first_move + kNumColours * lines, moves);
}

// The ways to pay that the hand allows, a bit each. [BX-3.3]
template <int Size>
unsigned Blox<Size>::capture_pays(const State& s, int colour) {
  const int cards = s.mover().hand[colour];
  const bool joker = s.mover().joker;
  return static_cast<unsigned>((cards >= 3) | (joker && cards >= 2) << 1 | (cards >= 4) << 2 |
                               (joker && cards >= 3) << 3);
}

// [BX-3.4] The joker pays for any colour of the tower if nothing lacks, and else for the one card that does.
template <int Size>
unsigned Blox<Size>::demolish_pays(const State& s, Counts tower) {
  const Seat& me = s.mover();
  const ColourMask lacking = me.hand.lacking(tower);
  if (lacking == 0) return 1U | (me.joker ? tower.colours() << 1 : 0U);
  if (!me.joker || !std::has_single_bit(lacking)) return 0;
  const int colour = std::countr_zero(lacking);
  return tower[colour] == me.hand[colour] + 1 ? lacking << 1 : 0U;
}

// Inside a build: blocks after which an allowed height can still be reached. [BX-5.3] [BX-5.4]
template <int Size>
void Blox<Size>::put_blocks(const State& s, IdWords& ids) {
  const int first = Numbering(s.options.pawns).first(Kind::Block);
  const int missing = build_height(s) - s.begun.blocks();
  const Supply left = supply(s);
  for (int c = left.from; c < kNumColours; ++c) {
    if (left.blocks[c] == 0) continue;
    const Counts one = Counts::one(c);
    if (left.cards[c] > 0 && Supply{left.blocks - one, left.cards - one, left.joker, c}.most() >= missing - 1)
      put_bits(ids, first + 2 * c, 1);
    if (left.joker && Supply{left.blocks - one, left.cards, false, c + 1}.most() >= missing - 1)
      put_bits(ids, first + 2 * c + 1, 1);
  }
  if (missing <= 0) put_bits(ids, num_actions(s.options) - 1, 1);
}

template <int Size>
void Blox<Size>::put_swaps(const State& s, IdWords& ids, int from) {
  const ColourMask cards = (s.mover().hand - s.begun.cards).colours() & (0xFU << from);
  put_bits(ids, Numbering(s.options.pawns).first(Kind::Swap), cards);
  if (in_turn(s)) put_bits(ids, num_actions(s.options) - 1, 1);
}

// The number of whole turns; inside one, of ways to finish it.
template <int Size>
std::int64_t Blox<Size>::count_turns(const State& s) {
  const int height = build_height(s) - s.begun.blocks();
  const auto builds = [&] { return supply(s).ways(height, greatest_height(s) - s.begun.blocks()); };
  if (s.begun.what == Begun::What::Build) return builds();
  const int swapped = s.begun.cards.total();
  if (is_terminal(s)) return 0;
  const Counts cards = s.mover().hand - s.begun.cards;
  const std::int64_t swaps =
      Supply{cards, cards, false, s.begun.from()}.ways(swapped == 0 ? 1 : 0, kMostSwapped - swapped);
  if (in_turn(s)) return swaps;
  const auto ids = legal(s).ids.bits();
  const Numbering numbering(s.options.pawns);
  const auto count_from = [&](Kind kind, int n) {
    int count = 0;
    for (int a = numbering.first(kind); a < numbering.first(kind) + n; ++a) count += ids.word(a / 64) >> (a % 64) & 1;
    return count;
  };
  const int pawns = count_from(Kind::Build, s.options.pawns);
  const int colours = count_from(Kind::Swap, kNumColours);
  return count_legal(s) - pawns - colours + (pawns > 0 ? pawns * builds() : 0) + swaps;
}

// ---- what it does ----

namespace detail {

// What an action does to the state that it is played in.
template <int Size>
class Consequences {
  using G = Blox<Size>;
  using State = typename G::State;
  using Board = typename G::Board;
  using Field = typename Board::Field;

 public:
  explicit Consequences(State& s) : s_(s), me_(s.mover()) {}

  void enter(const Move& m) {
    const Field to(m.field);
    me_.replace(Field{}, to);
    s_.board.flip_piece(to);
    finish(card(s_.board.colour(to), m.is_joker()), m.is_joker());
  }
  void move(const Move& m) {
    const Field from = me_.pawns[m.rank];
    const auto d = static_cast<Direction>(m.direction);
    move_pawn(from, Board::first(s_.board.view(from, d), from, d, m.colour));
    finish(card(m.colour, m.is_joker()), m.is_joker());
  }
  void capture(const Move& m) {
    const Field from = me_.pawns[m.rank];
    const Field to = target(m);
    s_.seats[static_cast<std::size_t>(G::owner_of(s_, to))].replace(to, Field{});
    s_.board.flip_piece(to);
    if (s_.options.capture_moves) move_pawn(from, to);
    score(m.captured_points());
    Counts cards;
    for (int i = m.is_joker(); i < m.captured_points(); ++i) cards += Counts::one(s_.board.colour(to));
    finish(cards, m.is_joker());
  }
  void demolish(const Move& m) {
    const Field from = me_.pawns[m.rank];
    const Field to = target(m);
    const Counts tower = s_.board.take_tower(to);
    move_pawn(from, to);
    me_.blocks += tower;
    score(tower.total());
    finish(m.is_joker() ? tower - Counts::one(m.pay - 1) : tower, m.is_joker());
  }
  void begin_build(const Move& m) {
    s_.begun.what = G::Begun::What::Build;
    s_.begun.rank = m.rank;
  }
  void block(const Move& m) {
    if (m.is_joker())
      s_.begun.joker = Colour(m.colour);
    else
      s_.begun.cards += Counts::one(m.colour);
    if (s_.begun.blocks() == G::greatest_height(s_)) build();
  }
  void swap(const Move& m) {
    s_.begun.what = G::Begun::What::Swap;
    s_.begun.cards += Counts::one(m.colour);
    if (s_.begun.cards.total() == G::kMostSwapped) end_swap();
  }
  void done() { return s_.begun.what == G::Begun::What::Build ? build() : end_swap(); }

 private:
  static Counts card(int colour, bool joker) { return joker ? Counts{} : Counts::one(colour); }
  Field target(const Move& m) const {
    return s_.board.view(me_.pawns[m.rank], static_cast<Direction>(m.direction)).obstacle;
  }
  void move_pawn(Field from, Field to) {
    me_.replace(from, to);
    s_.board.flip_piece(from);
    s_.board.flip_piece(to);
  }
  void build() {
    const Field at = me_.pawns[s_.begun.rank];
    const Counts tower = s_.begun.built();
    me_.replace(at, Field{});
    s_.board.flip_piece(at);
    s_.board.put_tower(at, tower);
    me_.blocks -= tower;
    score(tower.total());
    finish(s_.begun.cards, !s_.begun.joker.is_none());
  }
  void score(int points) {  // [BX-4.3]
    me_.points = std::min<std::uint32_t>(me_.points + static_cast<std::uint32_t>(points), G::kMostPoints);
  }
  void end_swap() {
    me_.joker = true;
    finish(s_.begun.cards, false);
  }

  // The end of every turn: discard, refill, phases, end, next seat.
  void finish(Counts played, bool joker) {
    s_.begun = {};
    me_.joker = me_.joker && !joker;
    me_.hand -= played;
    s_.discard += played;
    for (int n = played.total(); n > 0; --n) me_.hand += Counts::one(draw_card());
    while (s_.phase < 4 && s_.board.standing(s_.phase) <= 1) ++s_.phase;  // [BX-2.1]
    s_.end_triggered |= s_.phase == 4 && s_.board.standing(4) <= 1;       // [BX-2.2]
    s_.to_move = static_cast<std::uint8_t>(s_.to_move + 1 < s_.options.players ? s_.to_move + 1 : 0);
    s_.turns = static_cast<std::uint16_t>(s_.turns + (s_.options.max_turns != 0));
  }
  int draw_card() {  // [BX-3.9]
    if (s_.deck.size() == 0) {
      ColourList cards(s_.discard);
      s_.chance.shuffle(cards);
      s_.deck = Deck(cards.rest());
      s_.discard = {};
    }
    return s_.deck.draw();
  }

  State& s_;
  typename G::Seat& me_;
};

}  // namespace detail

template <int Size>
void Blox<Size>::apply(State& s, Action a) {
  detail::Consequences<Size> turn(s);
  const Move m = decode(s.options, a);
  switch (m.kind) {
    case Kind::Enter: return turn.enter(m);
    case Kind::Move: return turn.move(m);
    case Kind::Capture: return turn.capture(m);
    case Kind::Demolish: return turn.demolish(m);
    case Kind::Build: return turn.begin_build(m);
    case Kind::Block: return turn.block(m);
    case Kind::Swap: return turn.swap(m);
    case Kind::Done: return turn.done();
  }
}

// [BX-4.3]
template <int Size>
PlayerMask Blox<Size>::winners(const State& s) {
  if (!is_terminal(s)) return 0;
  PlayerMask best = 0;
  std::pair<std::uint32_t, int> most{0, -1};
  for (std::size_t p = 0; p < s.options.players; ++p) {
    const std::pair mine{s.seats[p].points, s.seats[p].blocks.total()};
    if (mine > most) best = 0;
    most = std::max(most, mine);
    if (mine == most) best |= PlayerMask{1} << p;
  }
  return best;
}

template <int Size>
std::uint64_t Blox<Size>::hash(const State& s) {
  std::uint64_t h = hash_append(s.options.hash(), std::uint64_t{s.turns} << 32 | std::uint64_t{s.sides} << 24 |
                                                      std::uint64_t{s.to_move} << 16 | std::uint64_t{s.phase} << 8 |
                                                      std::uint64_t{s.end_triggered});
  s.board.for_each_tower([&](Field f) { h = hash_append(h, std::uint64_t{s.board.tower(f).hash()} << 8 | f.index()); });
  for (std::size_t p = 0; p < s.options.players; ++p) {
    const Seat& seat = s.seats[p];
    h = hash_append(h, std::uint64_t{seat.hand.hash()} << 32 | seat.blocks.hash());
    h = hash_append(h, std::uint64_t{seat.points} << 32 | std::bit_cast<std::uint32_t>(seat.pawns));
    h ^= std::uint64_t{seat.joker};
  }
  const Begun& begun = s.begun;
  h = hash_append(h, std::uint64_t{begun.cards.hash()} << 32 | begun.joker.index() << 16 |
                         std::uint64_t{begun.rank} << 8 | static_cast<std::uint64_t>(begun.what));
  h = hash_append(hash_append(h, s.chance.key), s.chance.counter);
  return s.deck.hash(hash_append(h, s.discard.hash()));
}

}  // namespace zg::blox
