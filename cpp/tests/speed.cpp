// What one position costs, in nanoseconds: counting its legal actions, drawing one, and listing them all as ids.
// `speed_<level> [from] [to]` looks only at positions with so many legal actions; see bench/README.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "engine/playout.hpp"
#include "registry.hpp"

namespace {

using namespace zg;

struct Range {
  int from = 1;
  int to = 1 << 30;
};

// Positions of random games, at most 200 and 20 of a game.
template <Game G>
std::vector<typename G::State> positions(const typename G::Options& options, const Range& range) {
  std::vector<typename G::State> out;
  for (std::uint64_t i = 0; i < 5000 && out.size() < 200; ++i) {
    auto s = G::initial(options, stream_key(1, i, StreamTag::Chance));
    Stream choices{stream_key(1, i, StreamTag::Playout)};
    for (int taken = 0;;) {
      const auto legal = G::legal(s);
      const int count = legal.count();
      if (count == 0) break;
      if (range.from <= count && count <= range.to && taken < 20 && out.size() < 200) {
        out.push_back(s);
        ++taken;
      }
      G::apply(s, legal.nth(static_cast<int>(choices.bounded(static_cast<std::uint64_t>(count)))));
    }
  }
  return out;
}

// The least nanoseconds a position of many rounds: other programs can only make a round slower.
template <class States, class Work>
double best(const States& states, Work&& work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e18;
  static volatile long sink = 0;
  for (int round = 0; round < 300; ++round) {
    const auto start = Clock::now();
    long sum = 0;
    for (const auto& s : states) sum += work(s);
    least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    sink = sink + sum;
  }
  return least / static_cast<double>(states.size());
}

template <Game G>
void measure(const std::string& name, const typename G::Options& options, const Range& range) {
  const auto states = positions<G>(options, range);
  if (states.empty()) return;
  std::vector<Action> ids(static_cast<std::size_t>(G::num_actions(options)));
  const auto list = [&](const auto& s) {
    Action* end = ids.data();
    G::legal(s).for_each([&](Action a) { *end++ = a; });
    return static_cast<long>(end - ids.data());
  };
  double actions = 0;
  for (const auto& s : states) {
    ZG_CHECK(list(s) == G::count_legal(s));
    actions += G::count_legal(s);
  }
  const double count = best(states, [](const auto& s) { return G::count_legal(s); });
  const double draw = best(states, [](const auto& s) {
    const auto legal = G::legal(s);
    return legal.nth(legal.count() / 2);
  });
  std::printf("%-20s %9zu %8.1f %8.0f %8.0f %8.0f\n", name.c_str(), states.size(),
              actions / static_cast<double>(states.size()), count, draw, best(states, list));
}

template <GameFamily F, std::size_t I = 0>
void measure_variant(const std::string& name, const typename F::Options& options, const Range& range) {
  using G = std::tuple_element_t<I, typename F::Variants>;
  if constexpr (I + 1 < std::tuple_size_v<typename F::Variants>)
    if (!G::accepts(options)) return measure_variant<F, I + 1>(name, options, range);
  measure<G>(name, options, range);
}

template <GameFamily F>
void measure_family(const Range& range) {
  for (const Preset& preset : F::option_table().presets()) {
    typename F::Options options;
    F::option_table().apply_settings(options, preset.settings);
    F::option_table().settle(options);
    measure_variant<F>(std::string(F::kName) + " " + std::string(preset.name), options, range);
  }
}

}  // namespace

int main(int argc, char** argv) {
  tests::skip_unless_cpu_has_level();
  Range range;
  if (argc > 1) range.from = std::atoi(argv[1]);
  if (argc > 2) range.to = std::atoi(argv[2]);
  std::printf("%-20s %9s %8s %8s %8s %8s\n", "nanoseconds", "positions", "actions", "count", "draw", "list");
  [&]<class... F>(std::tuple<F...>*) { (measure_family<F>(range), ...); }(static_cast<AllFamilies*>(nullptr));
}
