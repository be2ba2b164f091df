// Uniform random games, one or millions. Game i of a seed is the same whoever plays it: see docs/random-stream.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/random.hpp"
#include "engine/parallel.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

// What happened in one game, and what may end it early.
struct Tale {
  std::int32_t plies = 0;  // actions
  std::int32_t turns = 0;
  std::int64_t legal_total = 0;      // choices at each decision (an action or a turn, as they are drawn), added up
  std::int32_t legal_max = 0;        // the most at one decision
  std::int32_t forced_passes = 0;    // plies where a pass was the only legal action
  std::span<std::int32_t> counts{};  // of a CountingGame; the caller owns them
  const Progress* progress = nullptr;

  // Games without a limit may never end.
  void look_up() const {
    if (progress != nullptr && progress->stop.load(std::memory_order_relaxed)) throw Stopped{};
    if (plies > kMostPlies) throw std::overflow_error("a game has more than 2,000,000,000 actions");
  }
  static constexpr std::int32_t kMostPlies = 2'000'000'000;
};

// The names of a game's counters; none if it does not count.
template <Game G>
std::span<const std::string_view> counters() {
  if constexpr (CountingGame<G>) return G::counters();
  return {};
}

// w winners of n players: 1/w to each winner, -1/(n-w) to each other; 0 for all if w is 0 or n.
inline double return_of(PlayerMask winners, Player player, int num_players) {
  const int w = std::popcount(winners);
  if (w == 0 || w == num_players) return 0.0;
  return (winners >> player & 1) != 0 ? 1.0 / w : -1.0 / (num_players - w);
}

template <Game G>
class Playout {
 public:
  using State = typename G::State;

  // Plays s to its end, every action drawn uniformly from the legal ones.
  static void by_action(State& s, Stream& choices, Tale& tale) {
    while (true) {
      const auto legal = G::legal(s);
      const int count = legal.count();
      if (count == 0) return end(s, tale);
      note(tale, count);
      play(s, legal.nth(static_cast<int>(choices.bounded(static_cast<std::uint64_t>(count)))), count, tale);
      tale.turns += !G::in_turn(s);
    }
  }

  // Plays s to its end, every whole turn drawn uniformly from the legal ones.
  static void by_turn(State& s, Stream& choices, Tale& tale) {
    while (const std::int64_t count = Turns<G>::count(s)) {
      note(tale, count);
      const auto k = static_cast<std::int64_t>(choices.bounded(static_cast<std::uint64_t>(count)));
      Turns<G>::play_nth(s, k, [&](Action a) { before(s, a, count, tale); });
      ++tale.turns;
    }
    end(s, tale);
  }

 private:
  static void note(Tale& tale, std::int64_t count) {
    tale.legal_total += count;
    tale.legal_max = std::max(tale.legal_max, static_cast<std::int32_t>(count));
  }
  static void before(const State& s, Action a, std::int64_t count, Tale& tale) {
    if (++tale.plies % 4096 == 0) tale.look_up();
    tale.forced_passes += count == 1 && G::is_pass(s.options, a);
    if constexpr (CountingGame<G>) G::count_action(s, a, tale.counts);
  }
  static void play(State& s, Action a, int count, Tale& tale) {
    before(s, a, count, tale);
    G::apply(s, a);
  }
  static void end([[maybe_unused]] const State& s, [[maybe_unused]] Tale& tale) {
    if constexpr (CountingGame<G>) G::count_end(s, tale.counts);
  }
};

// Columns of a run, one entry a game (`scores`, `returns` and `counts`: one row a game). The caller owns them all.
struct Columns {
  std::span<std::int32_t> scores;
  std::span<double> returns;
  std::span<PlayerMask> winners;
  std::span<std::int32_t> plies, turns;
  std::span<std::int64_t> legal_total;
  std::span<std::int32_t> legal_max, forced_passes;
  std::span<std::int32_t> counts;
};

struct SimulateRequest {
  std::uint64_t games = 0;
  std::uint64_t seed = 0;
  std::uint64_t first = 0;  // index of the first game
  bool by_turn = false;
  int threads = 1;
};

template <Game G>
class Simulation {
 public:
  // False if the monitor stopped it before all games were played.
  static bool run(const typename G::Options& options, const SimulateRequest& request, const Columns& out,
                  const Monitor& monitor) {
    // Some tasks for each thread, however few games there are; at most 64 games each.
    const std::uint64_t share = request.games / (16 * static_cast<std::uint64_t>(request.threads));
    const std::uint64_t size = std::clamp<std::uint64_t>(share, 1, 64);
    const std::size_t chunks = (request.games + size - 1) / size;
    Progress progress;
    return Workers::run(chunks, request.threads, progress, monitor, [&](std::size_t chunk, int) {
      const std::uint64_t begin = chunk * size;
      const std::uint64_t end = std::min(begin + size, request.games);
      for (std::uint64_t row = begin; row < end && !progress.stop; ++row) {
        one_game(options, request, row, out, progress);
        ++progress.done;
      }
    });
  }

 private:
  static void one_game(const typename G::Options& options, const SimulateRequest& request, std::uint64_t row,
                       const Columns& out, const Progress& progress) {
    const std::uint64_t index = request.first + row;
    auto s = G::initial(options, stream_key(request.seed, index, StreamTag::Chance));
    Stream choices{stream_key(request.seed, index, StreamTag::Playout)};
    const std::size_t width = counters<G>().size();
    Tale tale;
    tale.progress = &progress;
    tale.counts = out.counts.subspan(row * width, width);
    std::fill(tale.counts.begin(), tale.counts.end(), 0);
    request.by_turn ? Playout<G>::by_turn(s, choices, tale) : Playout<G>::by_action(s, choices, tale);
    write(s, tale, row, out);
  }

  static void write(const typename G::State& s, const Tale& tale, std::size_t row, const Columns& out) {
    const auto scores = G::scores(s);
    const PlayerMask winners = G::winners(s);
    const int players = G::num_players(s.options);
    for (int p = 0; p < players; ++p) {
      const std::size_t at = row * static_cast<std::size_t>(players) + static_cast<std::size_t>(p);
      out.scores[at] = scores[static_cast<std::size_t>(p)];
      out.returns[at] = return_of(winners, p, players);
    }
    out.winners[row] = winners;
    out.plies[row] = tale.plies;
    out.turns[row] = tale.turns;
    out.legal_total[row] = tale.legal_total;
    out.legal_max[row] = tale.legal_max;
    out.forced_passes[row] = tale.forced_passes;
  }
};

}  // namespace zg
