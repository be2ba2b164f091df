// One template binds any game: a Game class, a State class and an entry in `families`. Bindings check and translate;
// they do not think. Every method that changes a state goes through the checked door.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bind_batch.hpp"
#include "bindings/named_arrays.hpp"
#include "bindings/numbers.hpp"
#include "bindings/unlocked.hpp"
#include "core/bits.hpp"
#include "core/random.hpp"
#include "engine/canonical.hpp"
#include "engine/checked.hpp"
#include "engine/perft.hpp"
#include "engine/playout.hpp"
#include "engine/turns.hpp"
#include "game.hpp"

namespace zg::bindings {

using namespace pybind11::literals;

using Reduced = py::typing::Tuple<py::object, py::ellipsis>;  // what __reduce__ returns: a function and its arguments

inline constexpr int kTerminalPlayer = kNobody;

// The UTF-8 bytes of a Python text. Lone surrogates have none.
inline std::string text_of(const py::str& given) {
  py::ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw ParseError("a text must be valid Unicode, unlike " + repr_of(given));
}

inline std::uint64_t seed_from(const py::handle& seed) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(seed.ptr()));
  if (!number) throw py::error_already_set();
  const unsigned long long value = PyLong_AsUnsignedLongLong(number.ptr());
  if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw BadValue("seed is an integer from 0 to 2^64 - 1, not " + repr_of(seed));
  }
  return value;
}

inline std::int64_t checked_number(std::string_view name, std::int64_t value, std::int64_t lowest,
                                   std::int64_t highest) {
  if (value < lowest || value > highest)
    throw BadValue(std::string(name) + " is an integer from " + std::to_string(lowest) + " to " +
                   std::to_string(highest) + ", not " + std::to_string(value));
  return value;
}

inline int thread_count(std::int64_t threads) {
  checked_number("threads", threads, 0, 1024);
  return threads > 0 ? static_cast<int>(threads) : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// A state of G as Python holds it. Where Python has no global lock, a lock of its own lets threads share it: every call
// works on a copy that was whole.
template <Game G>
class PyState {
 public:
  using State = typename G::State;

  explicit PyState(const State& state) : state_(state) {}
  PyState(const PyState& other) : state_(other.read()) {}
  PyState& operator=(const PyState&) = delete;

#ifdef Py_GIL_DISABLED
  State read() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void apply(std::int64_t action) {
    const std::lock_guard lock(mutex_);
    apply_checked<G>(state_, action);
  }
#else
  const State& read() const { return state_; }
  void apply(std::int64_t action) { apply_checked<G>(state_, action); }
#endif
  friend bool operator==(const PyState& a, const PyState& b) { return a.read() == b.read(); }

 private:
  State state_;
#ifdef Py_GIL_DISABLED
  mutable std::mutex mutex_;
#endif
};

// What a pickle of a state calls, looked up once, and the version of its form, which it names.
inline constexpr int kPickleVersion = 1;
inline const py::object& restore_state() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> once;
  return once.call_once_and_store_result([] { return py::module_::import("ziggurat").attr("restore_state"); })
      .get_stored();
}

template <Game G>
py::list counter_names() {
  py::list out;
  for (const std::string_view name : counters<G>()) out.append(std::string(name));
  return out;
}

template <class Family>
struct Binder {
  using Options = typename Family::Options;

  template <Game G>
  struct PyGame {
    Options options;
    friend bool operator==(const PyGame&, const PyGame&) = default;
  };

  // The name and what differs from the defaults: `pylos(removal=mandatory)`.
  static std::string game_text(const Options& options) {
    return std::string(Family::kName) + "(" + Family::option_table().canonical(options) + ")";
  }

  // What Game.deserialize and restore_state read: the game, then the position.
  template <Game G>
  static std::string state_text(const typename G::State& s) {
    std::string out = game_text(s.options);
    (out += ' ') += G::to_text(s);
    return out;
  }

  // A state that a row of the batch can hold: one of the same game.
  template <class Held, Game G>
  static typename G::State state_of_batch(const PyBatch<G, Held>& batch, const py::handle& item) {
    if (!py::isinstance<Held>(item)) throw BadType("a state of this batch's game is wanted, not " + repr_of(item));
    const auto state = item.cast<const Held&>().read();
    if (!(state.options == batch.options()))
      throw BadValue("a state of " + game_text(batch.options()) + " is wanted, not of " + game_text(state.options));
    return state;
  }

  // What stands in error texts and logs: nothing that a player may not see.
  template <Game G>
  static std::string shown(const typename G::State& s) {
    if constexpr (HiddenGame<G>)
      return game_text(s.options) +
             (G::is_terminal(s) ? " after the end" : ", player " + std::to_string(G::to_move(s)) + " to move");
    return state_text<G>(s);
  }

  // A preset, over it settings as text ("a=x,b=y"), over them typed values.
  static Options options_from(const py::object& preset, const py::str& settings, const py::dict& given) {
    const OptionTable<Options>& table = Family::option_table();
    Options options;
    if (!preset.is_none()) {
      if (!py::isinstance<py::str>(preset)) throw BadType("preset is a string or None, not " + repr_of(preset));
      table.apply_preset(options, text_of(py::reinterpret_borrow<py::str>(preset)));
    }
    table.apply_settings(options, text_of(settings));
    for (const auto& [key, value] : given) {
      const auto& field = table.find(text_of(py::reinterpret_borrow<py::str>(key)));
      table.set(options, field, value_from(field, value));
    }
    table.settle(options);
    return options;
  }
  static OptionValue value_from(const OptionField<Options>& field, const py::handle& value) {
    if (PyBool_Check(value.ptr()) != 0) return value.cast<bool>();
    if (py::isinstance<py::str>(value)) return text_of(py::reinterpret_borrow<py::str>(value));
    const std::string message =
        "option " + std::string(field.name) + " is " + field.allowed() + ", not " + repr_of(value);
    if (PyIndex_Check(value.ptr()) == 0) throw BadType(message);
    const auto number = try_whole_number(value);
    if (!number) throw BadValue(message);
    return *number;
  }

  // The form of the game that the options need.
  template <std::size_t I = 0>
  static py::object make_game(const Options& options) {
    using G = std::tuple_element_t<I, typename Family::Variants>;
    if constexpr (I + 1 < std::tuple_size_v<typename Family::Variants>)
      if (!G::accepts(options)) return make_game<I + 1>(options);
    return py::cast(PyGame<G>{options});
  }

  static py::dict describe() {
    py::list options;
    for (const auto& field : Family::option_table().fields())
      options.append(py::dict("name"_a = field.name, "default"_a = field.value(Options{}),
                              "allowed"_a = field.allowed(), "about"_a = field.about));
    py::dict presets;
    for (const Preset& preset : Family::option_table().presets())
      presets[py::str(std::string(preset.name))] = std::string(preset.about);
    py::list law_options;
    for (const std::string_view settings : Family::law_options()) law_options.append(std::string(settings));
    using First = std::tuple_element_t<0, typename Family::Variants>;  // all have the same names
    return py::dict(
        "options"_a = options, "presets"_a = presets, "law_options"_a = law_options,
        "analyses"_a = analyses_of<First>(), "tables"_a = tables_of<First>(), "views"_a = views_of<First>(),
        "counters"_a = counter_names<First>(),
        "make"_a = py::cpp_function([](const py::object& preset, const py::str& settings, const py::dict& given) {
          return make_game(options_from(preset, settings, given));
        }));
  }

  template <Game G>
  static void bind_game(py::class_<PyGame<G>>& c);
  template <Game G>
  static void bind_game_facts(py::class_<PyGame<G>>& c);
  template <Game G>
  static void bind_game_makers(py::class_<PyGame<G>>& c);
  template <Game G>
  static void bind_game_actions(py::class_<PyGame<G>>& c);
  template <Game G>
  static void bind_game_value(py::class_<PyGame<G>>& c);
  template <Game G>
  static void bind_state(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_play(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_outcome(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_texts(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_views(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_secrets(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_state_value(py::class_<PyState<G>>& c);
  template <Game G>
  static void bind_batch(py::class_<PyBatch<G, PyState<G>>>& c);
  template <Game G>
  static void bind_batch_play(py::class_<PyBatch<G, PyState<G>>>& c);
  template <Game G>
  static void bind_batch_views(py::class_<PyBatch<G, PyState<G>>>& c);
  template <Game G>
  static void bind_batch_rows(py::class_<PyBatch<G, PyState<G>>>& c);

  // Both classes are declared before either has methods, so that signatures can name them.
  template <Game G>
  static void bind(py::module_& m) {
    const std::string name(G::kClassName);
    py::class_<PyGame<G>> game(m, (name + "Game").c_str(), py::is_final(),
                               "The rules of one game with its options: an immutable value. Made by "
                               "ziggurat.load_game.");
    py::class_<PyState<G>> state(
        m, (name + "State").c_str(), py::is_final(),
        "A position of a game. Made by Game.new_initial_state; changed by apply_action alone.");
    py::class_<PyBatch<G, PyState<G>>> batch(m, (name + "Batch").c_str(), py::is_final(),
                                             "What a ziggurat.BatchEnv of this game stands on.");
    forbid_new(game);
    forbid_new(state);
    forbid_new(batch);
    bind_game<G>(game);
    bind_state<G>(state);
    bind_batch<G>(batch);
  }
};

// The text of an action id, after a check; games and states both answer with it.
template <Game G>
std::string checked_action_text(const typename G::Options& options, std::int64_t action) {
  check_action_id<G>(options, action);
  return G::action_to_text(options, static_cast<Action>(action));
}

template <Game G>
py::array_t<std::int32_t> legal_actions(const PyState<G>& s, std::optional<Whole> player) {
  const auto& state = s.read();
  if (player && player->value != kTerminalPlayer) check_player<G>(state.options, player->value);
  if (player && player->value != G::to_move(state)) return py::array_t<std::int32_t>(0);
  const auto legal = G::legal(state);
  py::array_t<std::int32_t> out(legal.count());
  std::int32_t* next = out.mutable_data();
  legal.for_each([&](Action a) { *next++ = a; });
  return out;
}

template <Game G>
py::array_t<std::uint8_t> legal_actions_mask(const PyState<G>& s, const py::object& out) {
  auto mask = output_array<std::uint8_t>(out, {G::num_actions(s.read().options)});
  G::legal(s.read()).write_mask(span_of(mask));
  return mask;
}

template <Game G>
py::array_t<float> observation_tensor(const PyState<G>& s, Whole player, const py::object& out,
                                      const py::str& encoding) {
  const auto& state = s.read();
  check_player<G>(state.options, player.value);
  const Encoding form = encoding_from(text_of(encoding));
  const std::vector<int> shape = observation_shape<G>(state.options, form);
  auto values = output_array<float>(out, {shape.begin(), shape.end()});
  observe<G>(state, static_cast<Player>(player.value), form, span_of(values));
  return values;
}

template <Game G, class View>
py::array player_array(const View& view, const PyState<G>& s, Whole player, const py::object& out) {
  const auto state = s.read();
  check_player<G>(state.options, player.value);
  return filled<G>(view, state.options, Seated<typename G::State>{state, static_cast<Player>(player.value)}, out);
}

// What an action makes public: a dict for each event. [TellingGame]
template <Game G>
py::typing::List<py::dict> told_events([[maybe_unused]] const typename G::State& s, [[maybe_unused]] Action a) {
  py::typing::List<py::dict> out;
  if constexpr (TellingGame<G>)
    for (const Event& event : G::events(s, a)) {
      py::dict told("event"_a = std::string(event.name));
      for (const auto& [name, value] : event.facts) told[py::str(std::string(name))] = value;
      out.append(told);
    }
  return out;
}

template <Game G>
std::vector<Player> winner_list(const PyState<G>& s) {
  std::vector<Player> out;
  for_each_bit(G::winners(s.read()), [&](int p) { out.push_back(p); });
  return out;
}

template <Game G>
py::array_t<double> returns_of(const PyState<G>& s) {
  const int players = G::num_players(s.read().options);
  py::array_t<double> out(players);
  const PlayerMask winners = G::winners(s.read());
  for (int p = 0; p < players; ++p) out.mutable_at(p) = return_of(winners, p, players);
  return out;
}

template <Game G>
py::array_t<std::int32_t> scores_of(const PyState<G>& s) {
  const int players = G::num_players(s.read().options);
  py::array_t<std::int32_t> out(players);
  const auto scores = G::scores(s.read());
  std::copy_n(scores.begin(), players, out.mutable_data());
  return out;
}

template <Game G>
py::object run_perft(const PyState<G>& s, Whole depth, Unit unit, bool divide, Whole threads, Whole hash_mb,
                     const py::object& progress) {
  constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 20;
  const PerftRequest request{
      static_cast<int>(checked_number("depth", depth.value, 0, 1000)), unit, thread_count(threads.value),
      static_cast<std::size_t>(checked_number("hash_mb", hash_mb.value, 0, kMostMegabytes)) << 20};
  if (divide && request.depth == 0) throw BadValue("divide needs a depth of at least 1, not 0");
  const typename G::State root = s.read();  // others may play on with s while we count
  std::optional<std::uint64_t> count;
  std::optional<std::vector<PerftLine>> lines;
  watched(progress, 0, [&](const Monitor& monitor) {
    if (divide)
      lines = perft_divide<G>(root, request, monitor);
    else
      count = perft<G>(root, request, monitor);
  });
  if (!divide) return py::int_(*count);
  py::dict out;
  for (const PerftLine& line : *lines) out[py::str(line.text)] = line.count;
  return out;
}

inline constexpr std::int64_t kMostGames = std::int64_t{1} << 60;
inline constexpr std::int64_t kMostRows = std::int64_t{1} << 24;

using ColumnDict = py::typing::Dict<py::str, py::array>;

template <Game G>
ColumnDict run_simulation(const typename G::Options& options, Whole games, const py::object& seed, Whole first,
                          Unit uniform, Whole threads, const py::object& progress) {
  const auto rows = static_cast<py::ssize_t>(checked_number("games", games.value, 0, kMostGames));
  const auto start = static_cast<std::uint64_t>(checked_number("first", first.value, 0, kMostGames));
  const SimulateRequest request{static_cast<std::uint64_t>(rows), seed_from(seed), start, uniform == Unit::Turn,
                                thread_count(threads.value)};
  const std::vector<py::ssize_t> per_player{rows, G::num_players(options)};
  py::array_t<std::int32_t> scores(per_player), plies(rows), turns(rows), legal_max(rows), forced_passes(rows);
  py::array_t<double> returns(per_player);
  py::array_t<PlayerMask> winners(rows);
  py::array_t<std::int64_t> legal_total(rows);
  py::array_t<std::int32_t> counts({rows, static_cast<py::ssize_t>(counters<G>().size())});
  const Columns columns{span_of(scores),    span_of(returns),       span_of(winners),
                        span_of(plies),     span_of(turns),         span_of(legal_total),
                        span_of(legal_max), span_of(forced_passes), span_of(counts)};
  watched(progress, request.games,
          [&](const Monitor& monitor) { Simulation<G>::run(options, request, columns, monitor); });
  return py::dict("scores"_a = scores, "returns"_a = returns, "winners"_a = winners, "plies"_a = plies,
                  "turns"_a = turns, "legal_total"_a = legal_total, "legal_max"_a = legal_max,
                  "forced_passes"_a = forced_passes, "counts"_a = counts);
}

}  // namespace zg::bindings

#include "bindings/bind_batch_class.hpp"
#include "bindings/bind_classes.hpp"

namespace zg::bindings {

template <GameFamily Family>
void bind_family(py::module_& m) {
  [&]<class... G>(std::tuple<G...>*) {
    (Binder<Family>::template bind<G>(m), ...);
  }(static_cast<typename Family::Variants*>(nullptr));
  m.attr("families")[py::str(std::string(Family::kName))] = Binder<Family>::describe();
}

}  // namespace zg::bindings
