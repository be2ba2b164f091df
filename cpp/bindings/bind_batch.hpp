// A batch of one game in Python: what ziggurat.BatchEnv stands on. Every call checks its arguments, then works without
// the global lock and under the batch's own.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/buffers.hpp"
#include "bindings/numbers.hpp"
#include "engine/batch.hpp"

namespace zg::bindings {

inline Autoreset autoreset_from(std::string_view name) {
  if (name == "next_step") return Autoreset::NextStep;
  if (name == "same_step") return Autoreset::SameStep;
  if (name == "disabled") return Autoreset::Disabled;
  throw BadValue("autoreset is 'next_step', 'same_step' or 'disabled', not " + quoted(name));
}

// An array of integers [n], converted where needed: int32 and int64 are taken as they are.
inline py::array integers(const char* name, const py::object& given, py::ssize_t n) {
  py::array array = py::array::ensure(given);
  if (!array) {
    PyErr_Clear();
    throw BadType(std::string(name) + " is an array of integers, not " + repr_of(py::type::of(given)));
  }
  const char kind = array.dtype().kind();
  if ((kind != 'i' && kind != 'u') && !(n == 0 && array.size() == 0))
    throw BadType(std::string(name) + " has an integer dtype, not " + repr_of(array.dtype()));
  if (array.ndim() != 1 || array.shape(0) != n)
    throw BadValue(std::string(name) + " has shape " + shape_text({n}) + ", not " +
                   shape_text({array.shape(), array.shape() + array.ndim()}));
  const bool plain = (array.flags() & py::array::c_style) != 0 &&
                     (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0 &&
                     (array.dtype().equal(py::dtype::of<std::int32_t>()) ||
                      array.dtype().equal(py::dtype::of<std::int64_t>()));
  if (plain) return array;
  return py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
}

inline ActionIds ids_of(const py::array& array) {
  ActionIds out;
  if (array.itemsize() == 4)
    out.narrow = static_cast<const std::int32_t*>(array.data());
  else
    out.wide = static_cast<const std::int64_t*>(array.data());
  return out;
}

// bool[n]; empty for None.
inline std::span<const std::uint8_t> chosen_rows(const py::object& mask, py::ssize_t n) {
  if (mask.is_none()) return {};
  if (!py::isinstance<py::array>(mask)) throw BadType("mask is a NumPy array, not " + repr_of(py::type::of(mask)));
  const auto array = py::reinterpret_borrow<py::array>(mask);
  if (!array.dtype().equal(py::dtype::of<bool>()))
    throw BadType("mask has dtype bool, not " + repr_of(array.dtype()));
  if (array.ndim() != 1 || array.shape(0) != n)
    throw BadValue("mask has shape " + shape_text({n}) + ", not " +
                   shape_text({array.shape(), array.shape() + array.ndim()}));
  if ((array.flags() & py::array::c_style) == 0) throw BadValue("mask is C-contiguous, not strided");
  return {static_cast<const std::uint8_t*>(array.data()), static_cast<std::size_t>(n)};
}

template <Game G, class State>
class PyBatch {
 public:
  using Options = typename G::Options;

  PyBatch(const Options& options, std::size_t rows, std::uint64_t seed, std::uint64_t first, int threads,
          Autoreset autoreset)
      : batch_(options, rows, seed, first, threads, autoreset) {}
  PyBatch(const PyBatch& other, std::span<const std::int64_t> rows) : batch_(other.batch_, rows) {}

  py::ssize_t size() const { return static_cast<py::ssize_t>(batch_.size()); }
  const Options& options() const { return batch_.options(); }
  BatchShape shape() const { return {size(), G::num_players(options()), G::num_actions(options())}; }

  Buffers buffers(const py::object& observation, const py::object& dtype, const py::object& legal,
                  const py::dict& arrays) const {
    const Encoding encoding =
        observation.is_none() ? Encoding::Planes : encoding_from(std::string(py::str(observation)));
    return Buffers(shape(), encoding, observation_shape<G>(options(), encoding), observation, is_bytes(dtype),
                   batch_.autoreset() == Autoreset::SameStep, legal, arrays);
  }

  void step(const py::object& actions, const py::object& mask, Buffers& out) {
    const BatchTargets targets = targets_of(out);
    const py::array ids = integers("actions", actions, size());
    const auto rows = chosen_rows(mask, size());
    write([&] { batch_.step(ids_of(ids), rows, targets); }, out);
  }
  void reset(const py::object& mask, const std::optional<std::uint64_t>& seed, Buffers& out) {
    const BatchTargets targets = targets_of(out);
    const auto rows = chosen_rows(mask, size());
    write([&] { batch_.reset(rows, seed ? &*seed : nullptr, targets); }, out);
  }

  py::array_t<std::int32_t> sample(const py::object& logits, const py::object& mask, bool opponents,
                                   const py::object& out) {
    auto drawn = output_array<std::int32_t>(out, {size()});
    const auto rows = chosen_rows(mask, size());
    std::span<const float> wanted;
    if (!logits.is_none()) {
      auto array = input_logits(logits);
      wanted = {array.data(), static_cast<std::size_t>(array.size())};
    }
    const StreamTag tag = opponents ? StreamTag::Opponents : StreamTag::Playout;
    const auto written = span_of(drawn);
    unlocked([&] { batch_.sample(wanted, rows, tag, written); });
    return drawn;
  }

  py::array observe(const py::object& players, Encoding encoding, bool bytes, const py::object& out) {
    const std::vector<Player> viewers = viewers_of(players);
    std::vector<py::ssize_t> shape{size()};
    py::ssize_t one = 1;
    for (const int length : observation_shape<G>(options(), encoding)) {
      shape.push_back(length);
      one *= length;
    }
    ObservationTarget target{encoding, static_cast<std::size_t>(one)};
    const auto filled = [&](auto array, auto& elements) -> py::array {
      elements = span_of(array);
      unlocked([&] { batch_.observe_rows(viewers, target); });
      return array;
    };
    return bytes ? filled(output_array<std::uint8_t>(out, shape), target.bytes)
                 : filled(output_array<float>(out, shape), target.floats);
  }

  py::array_t<std::uint8_t> legal_mask(const py::object& out) {
    auto mask = output_array<std::uint8_t>(out, {size(), shape().actions});
    BatchTargets targets;
    targets.mask = span_of(mask);
    unlocked([&] { batch_.write_legal(targets); });
    return mask;
  }
  py::array_t<std::uint8_t> legal_packed(const py::object& out) {
    auto packed = output_array<std::uint8_t>(out, {size(), packed_size(shape().actions)});
    BatchTargets targets;
    targets.packed = span_of(packed);
    unlocked([&] { batch_.write_legal(targets); });
    return packed;
  }
  // (indptr, actions); `actions` is the given array, cut to what is listed, or a new one.
  py::tuple legal_csr(const py::object& indptr, const py::object& actions) {
    auto ends = output_array<std::int64_t>(indptr, {size() + 1});
    BatchTargets targets;
    targets.indptr = span_of(ends);
    std::vector<std::int32_t> listed;
    unlocked([&] {
      batch_.write_legal(targets);
      listed.resize(batch_.num_listed());
      batch_.write_listed(listed);
    });
    const auto n = static_cast<py::ssize_t>(listed.size());
    if (actions.is_none()) return py::make_tuple(ends, py::array_t<std::int32_t>(n, listed.data()));
    const py::ssize_t room = py::isinstance<py::array>(actions)
                                 ? py::reinterpret_borrow<py::array>(actions).size()
                                 : 0;  // output_array says what it is instead
    auto list = output_array<std::int32_t>(actions, {room});
    if (room < n)
      throw BadValue("out has room for " + std::to_string(room) + " actions, and " + std::to_string(n) + " are legal");
    std::copy(listed.begin(), listed.end(), list.mutable_data());
    return py::make_tuple(ends, list[py::slice(0, n, 1)]);
  }

  // An array [n] or [n, p] of what f(row, player) tells.
  template <class T, class F>
  py::array_t<T> each(const std::vector<py::ssize_t>& shape, const py::object& out, F&& f) {
    auto array = output_array<T>(out, shape);
    const auto values = span_of(array);
    unlocked([&] { f(values); });
    return array;
  }
  py::array_t<std::int32_t> current_players(const py::object& out) {
    return each<std::int32_t>({size()}, out, [&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = batch_.current_player(i);
    });
  }
  py::array_t<bool> is_terminal(const py::object& out) {
    return each<bool>({size()}, out, [&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = batch_.row(i).over;
    });
  }
  py::array_t<std::uint64_t> episodes() {
    return each<std::uint64_t>({size()}, py::none(), [&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = batch_.row(i).episode;
    });
  }
  py::array_t<std::int32_t> scores() {
    const auto p = static_cast<std::size_t>(shape().players);
    return each<std::int32_t>({size(), shape().players}, py::none(), [&](auto values) {
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        const auto points = G::scores(batch_.state(i));
        std::copy_n(points.begin(), p, values.begin() + static_cast<std::ptrdiff_t>(i * p));
      }
    });
  }
  py::array_t<double> returns() {
    const auto p = static_cast<std::size_t>(shape().players);
    return each<double>({size(), shape().players}, py::none(), [&](auto values) {
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        const PlayerMask winners = G::winners(batch_.state(i));
        for (std::size_t player = 0; player < p; ++player)
          values[i * p + player] = return_of(winners, static_cast<Player>(player), static_cast<int>(p));
      }
    });
  }

  State state(std::size_t i) const {
    const std::lock_guard lock(mutex_);
    return State{batch_.state(i)};
  }
  void set_states(std::span<const std::int64_t> rows, const std::vector<typename G::State>& states) {
    unlocked([&] {
      for (std::size_t i = 0; i < rows.size(); ++i) batch_.set_state(static_cast<std::size_t>(rows[i]), states[i]);
    });
  }
  // Seed, index, episode and the counters of the streams of a row.
  std::array<std::uint64_t, 5> origin(std::size_t i) const {
    const std::lock_guard lock(mutex_);
    const auto& row = batch_.row(i);
    return {row.seed, row.index, row.episode, row.choices.counter, row.opponents.counter};
  }
  void restore(std::size_t i, const std::array<std::uint64_t, 5>& origin, const typename G::State& s) {
    const std::lock_guard lock(mutex_);
    batch_.restore(i, {origin[0], origin[1], origin[2]}, s, origin[3], origin[4]);
  }
  std::unique_ptr<PyBatch> select(std::span<const std::int64_t> rows) const {
    const py::gil_scoped_release no_gil;
    const std::lock_guard lock(mutex_);
    return std::make_unique<PyBatch>(*this, rows);
  }

 private:
  template <class F>
  void unlocked(F&& f) {
    const py::gil_scoped_release no_gil;
    const std::lock_guard lock(mutex_);
    f();
  }
  BatchTargets targets_of(Buffers& out) const {
    if (!(out.shape() == shape())) throw BadValue("out is what buffers() of this batch, or of one like it, returns");
    return out.targets();
  }
  // The legal actions as a list need room that is known only now.
  template <class F>
  void write(F&& change, Buffers& out) {
    std::vector<std::int32_t> listed;
    unlocked([&] {
      change();
      if (!out.is_list_wanted()) return;
      listed.resize(batch_.num_listed());
      batch_.write_listed(listed);
    });
    if (out.is_list_wanted()) std::copy(listed.begin(), listed.end(), out.room_for(listed.size()).begin());
  }
  py::array_t<float> input_logits(const py::object& given) const {
    if (!py::isinstance<py::array>(given)) throw BadType("logits are a NumPy array, not " + repr_of(py::type::of(given)));
    const auto array = py::reinterpret_borrow<py::array>(given);
    if (!array.dtype().equal(py::dtype::of<float>()))
      throw BadType("logits have dtype float32, not " + repr_of(array.dtype()));
    const std::vector<py::ssize_t> wanted{size(), shape().actions};
    const std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
    if (shape != wanted) throw BadValue("logits have shape " + shape_text(wanted) + ", not " + shape_text(shape));
    if ((array.flags() & py::array::c_style) == 0 ||
        (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
      throw BadValue("logits are C-contiguous and aligned, not strided");
    return py::reinterpret_borrow<py::array_t<float>>(array);
  }
  // Who looks at each row: the player to move (None), one player, or one a row.
  std::vector<Player> viewers_of(const py::object& players) {
    std::vector<Player> out(batch_.size());
    if (players.is_none()) {
      unlocked([&] {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = G::to_move(batch_.state(i));
      });
      return out;
    }
    if (PyIndex_Check(players.ptr()) != 0 && !py::isinstance<py::array>(players)) {
      const std::int64_t player = whole_number(players);
      check_player<G>(options(), player);
      std::fill(out.begin(), out.end(), static_cast<Player>(player));
      return out;
    }
    const py::array array = integers("player", players, size());
    const ActionIds given = ids_of(array);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t player = given[i];
      check_player<G>(options(), player);
      out[i] = static_cast<Player>(player);
    }
    return out;
  }

  Batch<G> batch_;
  mutable std::mutex mutex_;
};

}  // namespace zg::bindings
