// perft: the number of sequences of exactly `depth` turns (or actions). A finished game counts 0 beyond its end.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "engine/parallel.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg {

enum class Unit { Turn, Action };

struct PerftRequest {
  int depth = 1;
  Unit unit = Unit::Turn;
  int threads = 1;
  std::size_t hash_bytes = 0;  // of all threads together; 0: no table
};

namespace detail {

inline std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("perft: the count is 2^64 or more");
  return sum;
}

// Counts that were found before. An entry holds the whole state, so a hit is never a mistake.
template <Game G>
class CountTable {
 public:
  // The memory is asked for as zeros and touched only where it is used: a large table costs no time to set up.
  explicit CountTable(std::size_t bytes) : size_(std::bit_floor(bytes / sizeof(Entry))) {
    if (size_ == 0) return;
    memory_.reset(std::calloc(size_ + 1, sizeof(Entry)));
    if (!memory_) throw std::bad_alloc();
    void* start = memory_.get();
    std::size_t space = (size_ + 1) * sizeof(Entry);
    entries_ = static_cast<Entry*>(std::align(alignof(Entry), size_ * sizeof(Entry), start, space));
  }

  bool is_on() const { return size_ != 0; }
  std::optional<std::uint64_t> find(const typename G::State& s, int depth) const {
    const Entry& e = entries_[slot(s, depth)];
    if (e.depth == depth && e.state == s) return e.count;
    return std::nullopt;
  }
  void store(const typename G::State& s, int depth, std::uint64_t count) {
    entries_[slot(s, depth)] = {s, depth, count};
  }

 private:
  struct Entry {  // all zeros: unused, since counts at depth 0 are never stored
    typename G::State state;
    int depth;
    std::uint64_t count;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::size_t slot(const typename G::State& s, int depth) const {
    return hash_append(G::hash(s), static_cast<std::uint64_t>(depth)) & (size_ - 1);
  }

  static_assert(std::is_trivially_copyable_v<Entry>);

  std::size_t size_;
  std::unique_ptr<void, Free> memory_;
  Entry* entries_ = nullptr;
};

// Counts below one state, on one thread.
template <Game G, Unit U>
class Counter {
 public:
  using State = typename G::State;

  Counter(std::size_t hash_bytes, const Progress& progress) : table_(hash_bytes), progress_(progress) {}

  std::uint64_t count(const State& s, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return last_unit(s);
    if (depth > 2 && progress_.stop.load(std::memory_order_relaxed)) throw Stopped{};
    if (!table_.is_on()) return by_playing(s, depth);
    if (const auto known = table_.find(s, depth)) return *known;
    const std::uint64_t found = by_playing(s, depth);
    table_.store(s, depth, found);
    return found;
  }

  static int depth_after(const State& child, int depth) {
    return U == Unit::Turn && G::in_turn(child) ? depth : depth - 1;
  }

 private:
  static std::uint64_t last_unit(const State& s) {
    if constexpr (U == Unit::Turn) return static_cast<std::uint64_t>(Turns<G>::count(s));
    return static_cast<std::uint64_t>(G::count_legal(s));
  }
  std::uint64_t by_playing(const State& s, int depth) {
    const std::size_t first = actions_.size();
    list_legal(s);
    const std::size_t end = actions_.size();
    std::uint64_t total = 0;
    for (std::size_t i = first; i < end; ++i) {
      const State child = Turns<G>::after(s, actions_[i]);
      total = checked_sum(total, count(child, depth_after(child, depth)));
    }
    actions_.resize(first);
    return total;
  }
  // Not inlined: a legal set can be large, and must not stay on the stack below us, where threads have little of it.
  [[gnu::noinline]] void list_legal(const State& s) {
    G::legal(s).for_each([&](Action a) { actions_.push_back(a); });
  }

  CountTable<G> table_;
  const Progress& progress_;
  std::vector<Action> actions_;  // of all levels of the recursion, one behind the other
};

}  // namespace detail

// One line of `divide`: a first turn (or action) and what is below it.
struct PerftLine {
  std::string text;
  std::uint64_t count = 0;
};

// Splits the tree near the root into tasks, counts them on all threads, and adds up per first turn.
template <Game G, Unit U>
class Perft {
 public:
  using State = typename G::State;

  static std::optional<std::vector<PerftLine>> divide(const State& state, const PerftRequest& request,
                                                      const Monitor& monitor) {
    Perft perft(request);
    perft.split(G::unlimited(state));
    if (!perft.count_all(monitor)) return std::nullopt;
    return perft.lines_;
  }

 private:
  struct Task {
    State state;
    int depth;
    std::size_t line;
  };

  explicit Perft(const PerftRequest& request) : request_(request) {}

  void split(const State& root) {
    expand_first(root, "");
    const std::size_t wanted = request_.threads == 1 ? 1 : 64 * static_cast<std::size_t>(request_.threads);
    while (tasks_.size() < wanted && expand_all(32 * wanted)) {
    }
  }

  // The first unit: every way to play it is a line of its own.
  void expand_first(const State& s, const std::string& text) {
    G::legal(s).for_each([&](Action a) {
      const State child = Turns<G>::after(s, a);
      const std::string part = U == Unit::Turn ? Turns<G>::text_of(s.options, a) : G::action_to_text(s.options, a);
      const int depth = detail::Counter<G, U>::depth_after(child, request_.depth);
      if (depth == request_.depth) return expand_first(child, text + part);
      tasks_.push_back({child, depth, lines_.size()});
      lines_.push_back({text + part, 0});
    });
  }

  // One more action everywhere; false if there is nothing to split, or if it would make more than `most` tasks.
  bool expand_all(std::size_t most) {
    std::size_t children = 0;
    for (const Task& task : tasks_)
      if (task.depth >= 2) children += static_cast<std::size_t>(G::count_legal(task.state));
    if (children == 0 || children > most) return false;
    std::vector<Task> finer;
    for (const Task& task : tasks_) {
      if (task.depth < 2) {
        finer.push_back(task);
        continue;
      }
      G::legal(task.state).for_each([&](Action a) {
        const State child = Turns<G>::after(task.state, a);
        finer.push_back({child, detail::Counter<G, U>::depth_after(child, task.depth), task.line});
      });
    }
    tasks_ = std::move(finer);
    return true;
  }

  bool count_all(const Monitor& monitor) {
    Progress progress;
    const auto workers = static_cast<std::size_t>(request_.threads);
    std::vector<std::optional<detail::Counter<G, U>>> counters(
        workers);  // each is made by its own thread: tables take time
    std::vector<std::uint64_t> counts(tasks_.size());
    const bool all =
        Workers::run(tasks_.size(), request_.threads, progress, monitor, [&](std::size_t task, int worker) {
          auto& counter = counters[static_cast<std::size_t>(worker)];
          if (!counter) counter.emplace(request_.hash_bytes / workers, progress);
          counts[task] = counter->count(tasks_[task].state, tasks_[task].depth);
          progress.done += counts[task];
        });
    if (!all) return false;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      std::uint64_t& total = lines_[tasks_[t].line].count;
      total = detail::checked_sum(total, counts[t]);
    }
    return true;
  }

  PerftRequest request_;
  std::vector<Task> tasks_;
  std::vector<PerftLine> lines_;
};

// The count below each first turn (or action), ascending by action ids; depth >= 1. Nothing if the monitor stopped it.
template <Game G>
std::optional<std::vector<PerftLine>> perft_divide(const typename G::State& s, const PerftRequest& request,
                                                   const Monitor& monitor) {
  return request.unit == Unit::Turn ? Perft<G, Unit::Turn>::divide(s, request, monitor)
                                    : Perft<G, Unit::Action>::divide(s, request, monitor);
}

template <Game G>
std::optional<std::uint64_t> perft(const typename G::State& s, const PerftRequest& request, const Monitor& monitor) {
  if (request.depth == 0) return 1;
  const auto lines = perft_divide<G>(s, request, monitor);
  if (!lines) return std::nullopt;
  std::uint64_t total = 0;
  for (const PerftLine& line : *lines) total = detail::checked_sum(total, line.count);
  return total;
}

}  // namespace zg
