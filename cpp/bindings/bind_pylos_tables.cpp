// Solved Pylos in Python: a solution that is being computed, and finished tables.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind_game.hpp"
#include "bindings/bind_solution.hpp"
#include "games/pylos/pylos.hpp"
#include "solvers/pylos/analysis.hpp"
#include "solvers/pylos/excerpt.hpp"
#include "solvers/pylos/self_check.hpp"
#include "solvers/pylos/tablebase.hpp"
#include "solvers/pylos/work_file.hpp"

namespace zg::bindings {

namespace solver = pylos::solver;
using PylosBinder = Binder<pylos::Family>;
using Turn = std::vector<Action>;
using TurnTuple = std::tuple<Turn, int, int>;

template <int Base>
using PylosGame = PylosBinder::PyGame<pylos::Pylos<Base>>;

// f(options) for a game of Pylos, with its base as a template argument.
template <class F>
auto with_pylos(const py::handle& game, F&& f) {
  if (py::isinstance<PylosGame<3>>(game)) return f.template operator()<3>(game.cast<const PylosGame<3>&>().options);
  if (py::isinstance<PylosGame<4>>(game)) return f.template operator()<4>(game.cast<const PylosGame<4>&>().options);
  throw BadValue("a game of Pylos is wanted, not " + repr_of(game));
}

py::dict pass_dict(const solver::Pass& pass, std::uint64_t positions) {
  return py::dict("distance"_a = pass.distance, "win"_a = pass.win, "positions"_a = positions);
}

// {"positions", "wins", "draws", "losses", "by_balls", "passes"} of a summary.
py::dict summary_dict(const solver::Summary& summary) {
  solver::SummaryRow sum;
  py::list by_balls, passes;
  for (const solver::SummaryRow& row : summary.by_balls) {
    sum.wins += row.wins;
    sum.draws += row.draws;
    sum.losses += row.losses;
    by_balls.append(py::make_tuple(row.wins, row.draws, row.losses));
  }
  for (const auto& [pass, positions] : summary.passes) passes.append(pass_dict(pass, positions));
  return py::dict("positions"_a = sum.wins + sum.draws + sum.losses, "wins"_a = sum.wins, "draws"_a = sum.draws,
                  "losses"_a = sum.losses, "by_balls"_a = by_balls, "passes"_a = passes);
}

// ---- a solution that is being computed ----
class AnyBuilder {
 public:
  AnyBuilder() = default;
  AnyBuilder(const AnyBuilder&) = delete;
  AnyBuilder& operator=(const AnyBuilder&) = delete;
  virtual ~AnyBuilder() = default;
  virtual py::list passes() const = 0;
  virtual py::object advance(const py::object& progress) = 0;
  virtual void save(const std::string& values, const std::string& distances, const py::object& progress) = 0;
  virtual py::dict summary() const = 0;
  virtual py::dict analysis() = 0;
};

// One call at a time: who comes while another thread, or a progress function of ours, is at work is sent away.
class Turnstile {
 public:
  explicit Turnstile(std::atomic_flag& taken) : taken_(taken) {
    if (taken_.test_and_set()) throw BadValue("this builder is at work in another call");
  }
  Turnstile(const Turnstile&) = delete;
  Turnstile& operator=(const Turnstile&) = delete;
  ~Turnstile() { taken_.clear(); }

 private:
  std::atomic_flag& taken_;
};

template <int Base>
class Builder final : public AnyBuilder {
 public:
  Builder(const pylos::Options& options, const std::string& path, int threads) : solving_(options, path, threads) {}

  py::list passes() const override {
    const Turnstile alone(taken_);
    py::list out;
    for (int i = 0; i < solving_.num_passes(); ++i) out.append(found_dict(i));
    return out;
  }
  py::object advance(const py::object& progress) override {
    const Turnstile alone(taken_);
    static const std::uint64_t kBlocks = solver::Solving<Base>::Machine::count_blocks();
    bool more = false;
    watched(progress, kBlocks, [&](const Monitor& monitor) { more = solving_.advance(monitor); });
    return more ? py::object(found_dict(solving_.num_passes() - 1)) : py::none();
  }
  void save(const std::string& values, const std::string& distances, const py::object& progress) override {
    const Turnstile alone(taken_);
    watched(progress, 0, [&](const Monitor& monitor) { solving_.save(values, distances, monitor); });
  }
  py::dict summary() const override {
    const Turnstile alone(taken_);
    return summary_dict(solving_.summary());
  }
  py::dict analysis() override {
    const Turnstile alone(taken_);
    solver::Analysis found;
    unlocked([&] { found = solving_.analysis(); });
    return py::dict("both_lose"_a = found.both_lose, "lose_or_draw"_a = found.lose_or_draw,
                    "longest_wins"_a = found.longest_wins, "longest_losses"_a = found.longest_losses);
  }

 private:
  py::dict found_dict(int i) const {
    const auto found = solving_.pass(i);
    py::dict out = pass_dict(found.pass, found.positions());
    out["by_balls"] = py::cast(std::vector<std::uint64_t>(found.by_balls.begin(), found.by_balls.end()));
    return out;
  }

  solver::Solving<Base> solving_;
  mutable std::atomic_flag taken_;
};

// ---- finished tables ----
class AnyTables {
 public:
  AnyTables() = default;
  AnyTables(const AnyTables&) = delete;
  AnyTables& operator=(const AnyTables&) = delete;
  virtual ~AnyTables() = default;
  virtual std::string game() const = 0;
  virtual bool has_distances() const = 0;
  virtual py::dict summary() const = 0;
  virtual Probe probe(const py::handle& state) const = 0;
  virtual std::vector<Turn> best_turns(const py::handle& state) const = 0;
  virtual std::vector<TurnTuple> turns(const py::handle& state) const = 0;
  virtual void probe_batch(std::span<const std::uint32_t> own, std::span<const std::uint32_t> other,
                           std::span<std::int8_t> values, std::span<std::int16_t> distances, int threads,
                           const Monitor& monitor) const = 0;
  virtual void excerpt(std::int64_t most_balls, const std::string& values, const std::string& distances) const = 0;
  virtual std::pair<std::uint32_t, std::uint32_t> pack(const py::handle& state) const = 0;
  virtual void unpack(int threads, const py::object& progress) const = 0;
  virtual void verify(const py::object& progress) const = 0;
  virtual py::dict self_check(std::uint64_t samples, std::uint64_t seed, int threads,
                              const py::object& progress) const = 0;
};

template <int Base>
class Tables final : public AnyTables {
  using G = pylos::Pylos<Base>;
  using Advice = Adviser<G, solver::Tablebase<Base>>;

 public:
  Tables(const pylos::Options& options, const std::string& values, const std::string& distances)
      : tables_(options, values, distances) {}

  std::string game() const override { return tables_.values().game(); }
  bool has_distances() const override { return tables_.has_distances(); }
  py::dict summary() const override { return summary_dict(tables_.summary()); }
  void excerpt(std::int64_t most_balls, const std::string& values, const std::string& distances) const override {
    watched(py::none(), 0,
            [&](const Monitor& monitor) { solver::write_excerpt(tables_, most_balls, values, distances, monitor); });
  }

  Probe probe(const py::handle& state) const override {
    const auto s = state_from(state);
    Probe out;
    unlocked([&] { out = Advice(tables_).probe(s); });
    return out;
  }
  std::vector<Turn> best_turns(const py::handle& state) const override {
    const auto s = state_from(state);
    std::vector<Turn> out;
    unlocked([&] { out = Advice(tables_).best_turns(s); });
    return out;
  }
  std::vector<TurnTuple> turns(const py::handle& state) const override {
    const auto s = state_from(state);
    std::vector<TurnTuple> out;
    unlocked([&] {
      Advice(tables_).for_each_probe(
          s, [&](const Turn& turn, const Probe& p) { out.push_back({turn, p.value, told_distance(p)}); });
    });
    return out;
  }

  void probe_batch(std::span<const std::uint32_t> own, std::span<const std::uint32_t> other,
                   std::span<std::int8_t> values, std::span<std::int16_t> distances, int threads,
                   const Monitor& monitor) const override {
    using Ord = solver::Order<Base>;
    for (std::size_t i = 0; i < own.size(); ++i) {  // all of them first: nothing is written where one is wrong
      const std::string why = why_no_position(own[i], other[i]);
      if (!why.empty()) throw BadValue("row " + std::to_string(i) + " is no position: " + why);
    }
    constexpr std::size_t kTask = 1 << 14;
    Progress progress;
    Workers::run((own.size() + kTask - 1) / kTask, threads, progress, monitor, [&](std::size_t task, int) {
      for (std::size_t i = task * kTask; i < std::min(own.size(), (task + 1) * kTask); ++i) {
        const Probe p = tables_(state_of(Ord::balls(own[i]), Ord::balls(other[i])));
        values[i] = static_cast<std::int8_t>(p.value);
        distances[i] = static_cast<std::int16_t>(told_distance(p));
      }
    });
  }
  std::pair<std::uint32_t, std::uint32_t> pack(const py::handle& state) const override {
    const auto s = state_from(state);
    if (G::in_turn(s)) throw BadValue("a position between turns is wanted, not " + zg::quoted(G::to_text(s)));
    return {solver::Order<Base>::ids(s.balls[s.to_move]), solver::Order<Base>::ids(s.balls[1 - s.to_move])};
  }
  void unpack(int threads, const py::object& progress) const override {
    watched(progress, 0, [&](const Monitor& monitor) {
      tables_.values().unpack(threads, monitor);
      if (tables_.distances() != nullptr) tables_.distances()->unpack(threads, monitor);
    });
  }
  void verify(const py::object& progress) const override {
    std::vector<const solver::Table<Base>*> list{&tables_.values()};
    if (tables_.distances() != nullptr) list.push_back(tables_.distances());
    std::size_t total = 0;
    for (const auto* table : list) total += table->num_groups();
    Progress done;
    watched(progress, total, [&](const Monitor& monitor) {
      for (const auto* table : list)
        Workers::run((table->num_groups() + 1023) / 1024, 1, done, monitor, [&](std::size_t task, int) {
          const std::size_t end = std::min(table->num_groups(), (task + 1) * 1024);
          for (std::size_t g = task * 1024; g < end; ++g) table->check_group(static_cast<std::uint32_t>(g));
          done.done += end - task * 1024;
        });
    });
  }
  py::dict self_check(std::uint64_t samples, std::uint64_t seed, int threads,
                      const py::object& progress) const override {
    solver::CheckResult r;
    watched(progress, samples,
            [&](const Monitor& monitor) { r = solver::self_check(tables_, samples, seed, threads, monitor); });
    return py::dict("positions"_a = r.positions, "wins"_a = r.wins, "draws"_a = r.draws, "losses"_a = r.losses,
                    "turns"_a = r.turns);
  }

  static int told_distance(const Probe& p) { return p.distance >= solver::Tablebase<Base>::kUnknown ? -1 : p.distance; }

 private:
  typename G::State state_of(typename G::Balls own, typename G::Balls other) const {
    typename G::State s = G::initial(tables_.options(), 0);
    s.balls = {own, other};
    return s;
  }
  std::string why_no_position(std::uint32_t own, std::uint32_t other) const {
    using Ord = solver::Order<Base>;
    if (((own | other) >> (G::P::kCells - 1) >> 1) != 0) return "a cell above " + std::to_string(G::P::kCells - 1);
    const auto s = state_of(Ord::balls(own), Ord::balls(other));
    const std::string_view broken = G::broken_invariant(s);
    if (!broken.empty()) return std::string(broken);
    return G::is_skipped(s) ? "the player to move cannot act, and his turn would be skipped" : "";
  }
  typename G::State state_from(const py::handle& given) const {
    return unlimited_state<G>(given, tables_.options(), game());
  }

  solver::Tablebase<Base> tables_;
};

std::unique_ptr<AnyBuilder> make_builder(const py::object& game, const std::string& work, Whole threads) {
  const int workers = thread_count(threads.value);
  return with_pylos(game, [&]<int Base>(const pylos::Options& options) -> std::unique_ptr<AnyBuilder> {
    return std::make_unique<Builder<Base>>(options, work, workers);
  });
}
std::unique_ptr<AnyTables> make_tables(const py::object& game, const std::string& values,
                                       const std::string& distances) {
  return with_pylos(game, [&]<int Base>(const pylos::Options& options) -> std::unique_ptr<AnyTables> {
    return std::make_unique<Tables<Base>>(options, values, distances);
  });
}

py::dict solver_needs(const py::object& game) {
  return with_pylos(game, []<int Base>(const pylos::Options& options) {
    std::uint64_t positions = 0;
    for (const std::uint64_t n : solver::count_positions<Base>(options)) positions += n;
    return py::dict("positions"_a = positions, "memory"_a = solver::Retrograde<Base>::memory_needed(options),
                    "disk"_a = solver::Solving<Base>::file_bytes());
  });
}

std::tuple<py::array_t<std::int8_t>, py::array_t<std::int16_t>> probe_arrays(
    const AnyTables& tables, const py::array& own, const py::array& other, const py::object& values,
    const py::object& distances, Whole threads) {
  const auto input = [](const char* name, const py::array& array) {
    if (!array.dtype().equal(py::dtype::of<std::uint32_t>()) || array.ndim() != 1 || !is_contiguous(array) ||
        !is_aligned(array))
      throw BadValue(std::string(name) + " is a contiguous array of uint32, one a position, not " +
                     repr_of(array.dtype()) + " of shape " + shape_text(shape_of(array)));
    return std::span(static_cast<const std::uint32_t*>(array.data()), static_cast<std::size_t>(array.size()));
  };
  const int workers = thread_count(threads.value);
  const auto mine = input("own", own), his = input("other", other);
  if (mine.size() != his.size())
    throw BadValue("other has as many rows as own, " + std::to_string(mine.size()) + ", not " +
                   std::to_string(his.size()));
  auto v = output_array<std::int8_t>(values, {own.size()});
  auto d = output_array<std::int16_t>(distances, {own.size()});
  const auto v_span = span_of(v);
  const auto d_span = span_of(d);
  const std::vector<std::uint32_t> mine_kept(mine.begin(), mine.end()), his_kept(his.begin(), his.end());
  std::vector<std::int8_t> found(mine_kept.size());
  std::vector<std::int16_t> far(mine_kept.size());
  watched(py::none(), 0,
          [&](const Monitor& monitor) { tables.probe_batch(mine_kept, his_kept, found, far, workers, monitor); });
  std::ranges::copy(found, v_span.begin());  // nothing of it if there was an error
  std::ranges::copy(far, d_span.begin());
  return {v, d};
}

// Two arrays, as probe_batch wants them.
std::tuple<py::array_t<std::uint32_t>, py::array_t<std::uint32_t>> pack_states(const AnyTables& tables,
                                                                               const py::iterable& states) {
  std::vector<std::uint32_t> own, other;
  for (const py::handle state : states) {
    const auto [mine, his] = tables.pack(state);
    own.push_back(mine);
    other.push_back(his);
  }
  return {copied(own), copied(other)};
}

void bind_builder(py::module_& m) {
  py::class_<AnyBuilder> c(m, "TableBuilder", py::is_final(), "What ziggurat.solver.build stands on.");
  c.def(py::init(&make_builder), "game"_a, "work"_a, "threads"_a, "Goes on with the work file, or makes a new one.");
  c.def_property_readonly("passes", &AnyBuilder::passes, "What each pass has found so far.");
  c.def("advance", &AnyBuilder::advance, "progress"_a, "Runs the next pass and says what it found; None at the end.");
  c.def("save", &AnyBuilder::save, "values"_a, "distances"_a, "progress"_a, "Writes the two tables.");
  c.def("summary", &AnyBuilder::summary, "Totals of what has been found.");
  c.def("analysis", &AnyBuilder::analysis, "Zugzwangs by number of balls, and the deepest positions.");
}

void bind_tables(py::module_& m) {
  py::class_<AnyTables> c(m, "Tablebase", py::is_final(), "What ziggurat.solver.Tablebase stands on.");
  c.def(py::init(&make_tables), "game"_a, "values"_a, "distances"_a, "Maps tables; distances may be empty.");
  c.def_property_readonly("game", &AnyTables::game, "The canonical text of the game, with the default limit of turns.");
  c.def_property_readonly("has_distances", &AnyTables::has_distances);
  c.def_property_readonly("summary", &AnyTables::summary, "Totals of the solution.");
  c.def(
      "probe",
      [](const AnyTables& self, const py::object& state) {
        const Probe p = self.probe(state);
        return std::tuple(p.value, Tables<4>::told_distance(p));
      },
      "state"_a, "(value, distance) for the player to move; distance is -1 where there is none.");
  c.def("best_turns", &AnyTables::best_turns, "state"_a, "The best turns as lists of action ids, ascending.");
  c.def("turns", &AnyTables::turns, "state"_a, "(turn, value, distance) for each legal turn.");
  c.def("pack", &pack_states, "states"_a, "(uint32[n], uint32[n]): the balls of who is to move, and the other's.");
  c.def("probe_batch", &probe_arrays, "own"_a, "other"_a, "values"_a = py::none(), "distances"_a = py::none(),
        "threads"_a = 1,
        "(int8[n], int16[n]) of uint32[n] and uint32[n], one bit a cell id; distance is -1 where there is none.");
  c.def(
      "excerpt",
      [](const AnyTables& self, Whole most_balls, const std::string& values, const std::string& distances) {
        self.excerpt(most_balls.value, values, distances);
      },
      "most_balls"_a, "values"_a, "distances"_a, "Writes tables of the positions with few balls on the board.");
  c.def(
      "unpack",
      [](const AnyTables& self, Whole threads, const py::object& progress) {
        self.unpack(thread_count(threads.value), progress);
      },
      "threads"_a = 0, "progress"_a = py::none(), "Decodes all into memory.");
  c.def("verify", &AnyTables::verify, "progress"_a = py::none(), "Looks at every checksum.");
  c.def(
      "self_check",
      [](const AnyTables& self, Whole samples, const py::object& seed, Whole threads, const py::object& progress) {
        const auto n = checked_number("samples", samples.value, 0, std::int64_t{1} << 40);
        return self.self_check(static_cast<std::uint64_t>(n), seed_from(seed), thread_count(threads.value), progress);
      },
      "samples"_a, "seed"_a = 0, "threads"_a = 0, "progress"_a = py::none(),
      "Judges positions anew from their successors.");
}

void bind_pylos_tables(py::module_& m) {
  m.def("solver_needs", &solver_needs, "game"_a, "Positions, and bytes of memory and of the work file.");
  bind_builder(m);
  bind_tables(m);
}

}  // namespace zg::bindings
