// The laws, for every registered game, every preset and every law option set; and a few perft counts, on two threads;
// play-outs and batches on one thread and on three; solutions of the ends of games.
#include "engine/laws.hpp"

#include <cstdio>
#include <string>
#include <tuple>

#include "check.hpp"
#include "engine/batch.hpp"
#include "engine/perft.hpp"
#include "registry.hpp"
#include "solve_check.hpp"

namespace {

using namespace zg;

// Everything that came of some games, whoever played them.
template <Game G>
auto play(const typename G::Options& options, int threads) {
  constexpr std::size_t kGames = 150;  // more than two chunks, and one that is not full
  const std::size_t seats = kGames * static_cast<std::size_t>(G::num_players(options));
  std::vector<std::int32_t> scores(seats), plies(kGames), turns(kGames), legal_max(kGames), passes(kGames);
  std::vector<double> returns(seats);
  std::vector<PlayerMask> winners(kGames);
  std::vector<std::int64_t> legal_total(kGames);
  std::vector<std::int32_t> counts(kGames * counters<G>().size());
  const Columns columns{scores, returns, winners, plies, turns, legal_total, legal_max, passes, counts};
  ZG_CHECK(Simulation<G>::run(options, {kGames, 7, 100, true, threads}, columns, {}));
  return std::tuple(scores, returns, winners, plies, turns, legal_total, legal_max, passes, counts);
}

// Everything that some steps of a batch write: rows in two tasks and one that is not full.
template <Game G>
auto play_batch(const typename G::Options& options, int threads) {
  constexpr std::size_t kRows = 70;
  constexpr int kSteps = 6;
  Batch<G> batch(options, kRows, 7, 100, threads, Autoreset::SameStep, Crew::Time{0});
  const auto actions = static_cast<std::size_t>(G::num_actions(options));
  std::size_t size = 1;
  for (const int n : observation_shape<G>(options, Encoding::Compact)) size *= static_cast<std::size_t>(n);
  std::vector<float> rewards(kRows * static_cast<std::size_t>(G::num_players(options))), observation(kRows * size);
  std::vector<float> final_observation(kRows * size);
  std::vector<std::uint8_t> packed(kRows * packed_size(static_cast<int>(actions)));
  std::vector<std::int64_t> indptr(kRows + 1);
  std::vector<std::int32_t> drawn(kRows), listed;
  BatchTargets out;
  out.rewards = rewards;
  out.observation = {Encoding::Compact, size, observation};
  out.final_observation = {Encoding::Compact, size, final_observation};
  out.packed = packed;
  out.indptr = indptr;
  for (int step = 0; step < kSteps; ++step) {
    batch.sample({}, {}, StreamTag::Playout, drawn);
    batch.step(std::vector<std::int64_t>(drawn.begin(), drawn.end()), {}, out);
  }
  listed.resize(batch.num_listed());
  batch.write_listed(listed);
  return std::tuple(rewards, observation, final_observation, packed, indptr, drawn, listed);
}

std::size_t solved = 0;  // positions whose solutions were checked

template <Game G>
void check_engines(const typename G::Options& options) {
  const auto s = G::initial(options, 0);
  for (const Unit unit : {Unit::Turn, Unit::Action}) {
    const auto alone = perft<G>(s, {2, unit, 1, 0}, {});
    const auto together = perft<G>(s, {2, unit, 2, 1 << 16}, {});
    ZG_CHECK(alone && together && *alone == *together);
  }
  ZG_CHECK(play<G>(options, 1) == play<G>(options, 3));
  ZG_CHECK(play_batch<G>(options, 1) == play_batch<G>(options, 3));
  solved += tests::check_solving<G>(options);
}

template <GameFamily F, std::size_t I = 0>
void check_variant(const typename F::Options& options, int games) {
  using G = std::tuple_element_t<I, typename F::Variants>;
  if constexpr (I + 1 < std::tuple_size_v<typename F::Variants>)
    if (!G::accepts(options)) return check_variant<F, I + 1>(options, games);
  ZG_CHECK(G::accepts(options));
  Laws<G>::check(options, games, 20);
  check_engines<G>(options);
}

template <GameFamily F>
int check_family(int games) {
  int sets = 0;
  const auto check = [&](std::string_view settings) {
    typename F::Options options;
    F::option_table().apply_settings(options, settings);
    F::option_table().settle(options);
    check_variant<F>(options, games);
    ++sets;
  };
  for (const Preset& preset : F::option_table().presets()) check(preset.settings);
  for (const std::string_view settings : F::law_options()) check(settings);
  return sets;
}

bool overflows(std::uint64_t a, std::uint64_t b) {
  try {
    return zg::detail::checked_sum(a, b) != a + b;
  } catch (const std::overflow_error&) {
    return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  tests::skip_unless_cpu_has_level();
  const int games = argc > 1 ? std::atoi(argv[1]) : 4;
  ZG_CHECK(games > 0);
  ZG_CHECK(overflows(~std::uint64_t{0}, 1) && !overflows(~std::uint64_t{0}, 0));
  tests::check_backward();
  int sets = 0;
  [&]<class... F>(std::tuple<F...>*) { ((sets += check_family<F>(games)), ...); }(static_cast<AllFamilies*>(nullptr));
  ZG_CHECK(solved > 1000);
  std::printf("%d option sets keep the laws over %d games each; %zu positions are solved right\n", sets, games, solved);
}
