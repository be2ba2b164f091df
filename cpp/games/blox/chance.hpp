// Chance and secrets: the set-up, what a player knows, and what might be where he does not (RULES.md section 6).
#pragma once

#include <array>
#include <utility>

#include "games/blox/blox.hpp"

namespace zg::blox {

namespace detail {

inline int draw_sides(const Options& options, Stream& chance) {
  if (options.sides != kRandomSides) return options.sides;
  int sides = 0;
  for (int q = 0; q < kNumQuarters; ++q) sides |= static_cast<int>(chance.bounded(2)) << q;
  return sides;
}

// [BX-1.5] [BX-1.7]
template <int Size>
void deal_towers(typename Blox<Size>::State& s) {
  ColourList blocks(Counts::all(s.options.blocks_in_play()));
  s.chance.shuffle(blocks);
  for (int q = 0; q < kNumQuarters; ++q) {
    const Quarter quarter(Size, q);
    const Face& face = s.options.layout()[static_cast<std::size_t>(2 * q + (s.sides >> q & 1))];
    for (int height = s.options.is_printed_pair() ? 2 : 1; height <= 4; ++height) {
      const int n = std::min(height, static_cast<int>(blocks.left()));
      if (n == 0) return;
      const int at = face.towers[static_cast<std::size_t>(height - 1)];
      s.board.put_tower(Board<Size>::at(quarter.top + at / 10, quarter.left + at % 10), blocks.deal(n));
    }
  }
}

// C(n, k); the greatest that is asked for is C(64, 10).
constexpr std::uint64_t binomial(int n, int k) {
  if (k > n) return 0;
  std::uint64_t out = 1;
  for (int i = 1; i <= k; ++i) out = out * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  return out;
}

// Calls f(counts, weight) for each choice of n of these cards, ascending; the weight is in how many ways it comes.
template <class F>
void for_each_choice(Counts cards, int n, F&& f, int colour = 0, Counts chosen = {}, std::uint64_t weight = 1) {
  if (colour == kNumColours) {
    if (n == 0) f(chosen, weight);
    return;
  }
  for (int k = 0; k <= std::min(n, cards[colour]); ++k) {
    for_each_choice(cards, n - k, f, colour + 1, chosen, weight * binomial(cards[colour], k));
    chosen += Counts::one(colour);
  }
}

// The rest of the hand of a player in mid-turn: any with which he could have begun his turn so. [BX-6.2]
template <int Size>
Counts draw_rest_of_hand(const typename Blox<Size>::State& s, Counts unseen, Stream& random) {
  auto trial = s;
  const auto for_each_fit = [&](auto&& f) {
    for_each_choice(unseen, s.options.hand - s.begun.cards.total(), [&](Counts rest, std::uint64_t weight) {
      trial.mover().hand = s.begun.cards + rest;
      if (Blox<Size>::count_legal(trial) > 0) f(rest, weight);
    });
  };
  std::uint64_t all = 0;
  for_each_fit([&](Counts, std::uint64_t weight) { all += weight; });
  std::uint64_t number = random.bounded(all);
  Counts drawn;
  bool found = false;
  for_each_fit([&](Counts rest, std::uint64_t weight) {
    if (!found && number < weight) {
      drawn = rest;
      found = true;
    }
    number -= weight;
  });
  return drawn;
}

}  // namespace detail

template <int Size>
typename Blox<Size>::State Blox<Size>::initial(const Options& options, std::uint64_t key) {
  State s;
  s.options = options;
  s.chance.key = key;
  s.phase = options.start_phase;
  s.sides = static_cast<std::uint8_t>(detail::draw_sides(options, s.chance));
  s.board = Board(options.layout(), s.sides);
  detail::deal_towers<Size>(s);
  ColourList cards(Counts::all(options.cards_per_colour));
  s.chance.shuffle(cards);
  for (std::size_t p = 0; p < options.players; ++p) s.seats[p].hand = cards.deal(options.hand);
  s.deck = Deck(cards.rest());
  return s;
}

template <int Size>
typename Blox<Size>::State Blox<Size>::determinize(const State& s, Player viewer, Stream& random) {
  State out = s;
  out.chance = {random.draw(), 0};
  const auto own = static_cast<std::size_t>(viewer);
  const bool other_in_turn = in_turn(s) && s.to_move != own;
  Counts unseen = Counts::all(s.options.cards_per_colour) - s.seats[own].hand - s.discard;
  if (other_in_turn) {
    unseen -= s.begun.cards;
    const Counts rest = detail::draw_rest_of_hand<Size>(s, unseen, random);
    out.mover().hand = s.begun.cards + rest;
    unseen -= rest;
  }
  ColourList cards(unseen);
  random.shuffle(cards);
  for (std::size_t p = 0; p < s.options.players; ++p)
    if (p != own && !(other_in_turn && p == s.to_move)) out.seats[p].hand = cards.deal(s.options.hand);
  out.deck = Deck(cards.rest());
  return out;
}

}  // namespace zg::blox
