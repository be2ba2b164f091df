// Chance and secrets: the set-up, what a player knows, and what might be where he does not (RULES.md section 6).
#pragma once

#include "games/numberplace_city/numberplace_city.hpp"
#include "games/numberplace_city/round.hpp"

namespace zg::numberplace_city {

// [NC-1.4] Filling empty hands in seat order is the deal.
inline NumberplaceCity::State NumberplaceCity::initial(const Options& options, std::uint64_t key) {
  State s;
  s.options = options;
  s.chance.key = key;
  s.supply = Supply(Tiles::all(options.tiles_per_number));
  s.chance.shuffle(s.supply);
  Silence silence;
  Round<Silence>(s, silence).begin();
  return s;
}

// [NC-6.2]
inline NumberplaceCity::State NumberplaceCity::determinize(const State& s, Player viewer, Stream& random) {
  State out = s;
  out.chance = {random.draw(), 0};
  const auto each_hidden = [&](State& state, auto&& f) {  // f(tiles) for everything that the viewer does not see
    for (Laid& laid : state.laid)
      if (!sees_laid(s, viewer, laid)) f(laid);
    for (int p = 0; p < s.options.players; ++p)
      if (!sees_hand(viewer, p)) f(state.seat(p).hand);
    for (int p = 0; p < s.options.players; ++p)
      if (!sees_penalties(s, viewer, p)) f(state.seat(p).penalties);
  };
  struct Collect {
    Tiles unseen;
    void operator()(const Laid& laid) { unseen += Tiles::one(laid.number); }
    void operator()(const Tiles& tiles) { unseen += tiles; }
  } collect{s.supply.tiles()};
  each_hidden(out, collect);
  Supply tiles(collect.unseen);
  random.shuffle(tiles);
  struct Deal {
    Supply& from;
    void operator()(Laid& laid) const { laid.number = static_cast<std::uint8_t>(from.draw()); }
    void operator()(Tiles& to) const { to = from.draw(to.total()); }
  };
  each_hidden(out, Deal{tiles});
  out.supply = tiles;
  return out;
}

}  // namespace zg::numberplace_city
