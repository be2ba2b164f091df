// One representative of all states that are the same but for a symmetry.
#pragma once

#include <string>
#include <utility>

#include "game.hpp"

namespace zg {

// Of all images of s the one with the least text, and the least number of a symmetry that leads to it.
template <Game G>
std::pair<typename G::State, int> canonical(const typename G::State& s) {
  std::pair<typename G::State, int> best{s, 0};
  if constexpr (SymmetricGame<G>) {
    std::string least = G::to_text(s);
    for (int k = 1; k < G::num_symmetries(s.options); ++k) {
      const typename G::State image = G::transform(s, k);
      if (image == best.first) continue;
      std::string text = G::to_text(image);
      if (text >= least) continue;
      least = std::move(text);
      best = {image, k};
    }
  }
  return best;
}

}  // namespace zg
