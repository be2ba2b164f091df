// The laws, for every registered game, every preset and every law option set; and a few perft counts, on two threads.
#include "engine/laws.hpp"

#include <cstdio>
#include <string>
#include <tuple>

#include "check.hpp"
#include "engine/perft.hpp"
#include "registry.hpp"

namespace {

using namespace zg;

template <Game G>
void check_engines(const typename G::Options& options) {
  const auto s = G::initial(options, 0);
  for (const Unit unit : {Unit::Turn, Unit::Action}) {
    const auto alone = perft<G>(s, {2, unit, 1, 0}, {});
    const auto together = perft<G>(s, {2, unit, 2, 1 << 16}, {});
    ZG_CHECK(alone && together && *alone == *together);
  }
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
    check_variant<F>(options, games);
    ++sets;
  };
  for (const Preset& preset : F::option_table().presets()) check(preset.settings);
  for (const std::string_view settings : F::law_options()) check(settings);
  return sets;
}

}  // namespace

int main(int argc, char** argv) {
  tests::skip_unless_cpu_has_level();
  const int games = argc > 1 ? std::atoi(argv[1]) : 4;
  int sets = 0;
  [&]<class... F>(std::tuple<F...>*) { ((sets += check_family<F>(games)), ...); }(static_cast<AllFamilies*>(nullptr));
  std::printf("%d option sets keep the laws over %d games each\n", sets, games);
}
