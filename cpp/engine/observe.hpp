// Observations of any game, in either encoding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/planes.hpp"
#include "game.hpp"

namespace zg {

enum class Encoding : std::uint8_t { Planes, Compact };

template <Game G>
std::vector<int> observation_shape(const typename G::Options& options, Encoding encoding) {
  if (encoding == Encoding::Planes) {
    const auto shape = G::observation_shape(options);
    return {shape.begin(), shape.end()};
  }
  CompactLength length(G::plane_layout(options));
  G::observe(G::initial(options, 0), 0, length);
  return {length.length()};
}

// Writes every element; `out` has as many as the shape says.
template <Game G, class T>
void observe(const typename G::State& s, Player viewer, Encoding encoding, std::span<T> out) {
  if (encoding == Encoding::Planes) {
    Planes<T> planes(out, G::plane_layout(s.options));
    G::observe(s, viewer, planes);
  } else {
    Compact<T> row(out, G::plane_layout(s.options));
    G::observe(s, viewer, row);
  }
}

}  // namespace zg
