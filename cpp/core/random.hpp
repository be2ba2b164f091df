// The random stream: SplitMix64 in counter form. docs/random-stream.md is its contract; the reference makes the same
// draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace zg {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Tags keep the streams of one game apart.
enum class StreamTag : std::uint64_t { Chance = 0, Playout = 1, Determinize = 2, Opponents = 3, Episode = 4 };

constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t index, StreamTag tag) {
  std::uint64_t h = mix64(seed + kGolden);
  h = mix64((h ^ index) + kGolden);
  return mix64((h ^ static_cast<std::uint64_t>(tag)) + kGolden);
}

struct Stream {
  std::uint64_t key = 0;
  std::uint64_t counter = 0;

  constexpr std::uint64_t draw() { return mix64(key + ++counter * kGolden); }

  // Uniform on 0 .. n-1 (n >= 1), without bias: Lemire, doi 10.1145/3230636.
  constexpr std::uint64_t bounded(std::uint64_t n) {
    Product m = Product{draw()} * n;
    if (static_cast<std::uint64_t>(m) < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (static_cast<std::uint64_t>(m) < threshold) m = Product{draw()} * n;
    }
    return static_cast<std::uint64_t>(m >> 64);
  }

  template <class List>
  constexpr void shuffle(List& list) {
    for (std::size_t i = list.size(); i-- > 1;) std::swap(list[i], list[bounded(i + 1)]);
  }

  friend constexpr bool operator==(const Stream&, const Stream&) = default;

 private:
  __extension__ using Product = unsigned __int128;
};

// Chains values into one 64-bit hash.
constexpr std::uint64_t hash_append(std::uint64_t h, std::uint64_t value) { return mix64((h ^ value) + kGolden); }

static_assert(Stream{1234567}.draw() == 6457827717110365317U, "the published first output of SplitMix64 for this seed");

}  // namespace zg
