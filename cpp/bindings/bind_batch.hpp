// A batch of one game in Python: what ziggurat.BatchEnv stands on. Every call checks its arguments, then works without
// the global lock and under the batch's own.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/buffers.hpp"
#include "bindings/numbers.hpp"
#include "bindings/unlocked.hpp"
#include "engine/batch.hpp"

namespace zg::bindings {

inline Autoreset autoreset_from(std::string_view name) {
  if (name == "next_step") return Autoreset::NextStep;
  if (name == "same_step") return Autoreset::SameStep;
  if (name == "disabled") return Autoreset::Disabled;
  throw BadValue("autoreset is 'next_step', 'same_step' or 'disabled', not " + quoted(name));
}

// A copy of an array of integers [n], of any width: whoever changes it meanwhile changes nothing here.
inline std::vector<std::int64_t> integers(const char* name, const py::object& given, std::optional<py::ssize_t> n) {
  py::array array(given);  // numpy.asarray, with whatever it raises
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u' && array.size() != 0)
    throw BadType(std::string(name) + " has an integer dtype, not " + repr_of(array.dtype()));
  if (array.ndim() != 1 || (n && array.shape(0) != *n))
    throw BadValue(std::string(name) + " has shape " + (n ? shape_text({*n}) : "(k,)") + ", not " +
                   shape_text(shape_of(array)));
  const bool narrow = array.dtype().equal(py::dtype::of<std::int32_t>());
  if (narrow && is_contiguous(array) && is_aligned(array)) {
    const auto* const first = static_cast<const std::int32_t*>(array.data());
    return {first, first + array.size()};
  }
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(array);
  std::vector<std::int64_t> out(wide.data(), wide.data() + wide.size());
  if (kind == 'u' && std::any_of(out.begin(), out.end(), [](std::int64_t x) { return x < 0; }))
    throw BadValue(std::string(name) + " are below 2^63, and one is not");
  return out;
}

// A copy of bool[n]; empty for None.
inline std::vector<std::uint8_t> chosen_rows(const py::object& mask, py::ssize_t n) {
  if (mask.is_none()) return {};
  if (!py::isinstance<py::array>(mask)) throw BadType("mask is a NumPy array, not " + repr_of(py::type::of(mask)));
  const auto array = py::reinterpret_borrow<py::array>(mask);
  if (!array.dtype().equal(py::dtype::of<bool>())) throw BadType("mask has dtype bool, not " + repr_of(array.dtype()));
  if (array.ndim() != 1 || array.shape(0) != n)
    throw BadValue("mask has shape " + shape_text({n}) + ", not " + shape_text(shape_of(array)));
  if (!is_contiguous(array)) throw BadValue("mask is C-contiguous, not strided");
  const auto* const first = static_cast<const std::uint8_t*>(array.data());
  return {first, first + n};
}

template <Game G, class State>
class PyBatch {
 public:
  using Options = typename G::Options;

  PyBatch(const Options& options, std::size_t rows, std::uint64_t seed, std::uint64_t first, int threads,
          Autoreset autoreset)
      : batch_(options, rows, seed, first, threads, autoreset), shape_(batch_shape(batch_)) {}
  PyBatch(const PyBatch& other, std::span<const std::int64_t> rows)
      : batch_(other.batch_, rows), shape_(batch_shape(batch_)) {}

  py::ssize_t size() const { return static_cast<py::ssize_t>(batch_.size()); }
  const Options& options() const { return batch_.options(); }
  const BatchShape& shape() const { return shape_; }

  std::unique_ptr<Buffers> buffers(const py::object& observation, const py::object& dtype, const py::object& legal,
                                   const py::dict& arrays) const {
    return std::make_unique<Buffers>(shape_, observation, is_bytes(dtype), legal, arrays);
  }

  // Arguments are copied first, since that may run code of the caller's; then come the arrays that are written.
  void step(const py::object& actions, const py::object& mask, Buffers& out) {
    const auto ids = integers("actions", actions, size());
    const auto rows = chosen_rows(mask, size());
    write(out, [&](const BatchTargets& targets) { batch_.step(ids, rows, targets); });
  }
  void reset(const py::object& mask, const std::optional<std::uint64_t>& seed, Buffers& out) {
    const auto rows = chosen_rows(mask, size());
    write(out, [&](const BatchTargets& targets) { batch_.reset(rows, seed ? &*seed : nullptr, targets); });
  }
  void show(Buffers& out) {
    write(out, [&](const BatchTargets& targets) { batch_.show(targets); });
  }

  py::array_t<std::int32_t> sample(const py::object& logits, const py::object& mask, bool opponents,
                                   const py::object& out) {
    const auto rows = chosen_rows(mask, size());
    auto drawn = output_array<std::int32_t>(out, {size()});
    std::span<const float> wanted;
    if (!logits.is_none()) {
      auto array = input_logits(logits);
      wanted = {array.data(), static_cast<std::size_t>(array.size())};
    }
    const StreamTag tag = opponents ? StreamTag::Opponents : StreamTag::Playout;
    const auto written = span_of(drawn);
    alone([&] { batch_.sample(wanted, rows, tag, written); });
    return drawn;
  }

  py::array observe(const py::object& players, Encoding encoding, bool bytes, const py::object& out) {
    const std::vector<Player> viewers = viewers_of(players);
    std::vector<py::ssize_t> shape{size()};
    py::ssize_t one = 1;
    for (const int length : shape_.observations[static_cast<std::size_t>(encoding)]) {
      shape.push_back(length);
      one *= length;
    }
    ObservationTarget target{encoding, static_cast<std::size_t>(one)};
    const auto filled = [&](auto array, auto& elements) -> py::array {
      elements = span_of(array);
      alone([&] { batch_.observe_rows(viewers, target); });
      return array;
    };
    return bytes ? filled(output_array<std::uint8_t>(out, shape), target.bytes)
                 : filled(output_array<float>(out, shape), target.floats);
  }

  py::array_t<std::uint8_t> legal_mask(const py::object& out) {
    auto mask = output_array<std::uint8_t>(out, {size(), shape().actions});
    BatchTargets targets;
    targets.mask = span_of(mask);
    alone([&] { batch_.show(targets); });
    return mask;
  }
  py::array_t<std::uint8_t> legal_packed(const py::object& out) {
    auto packed = output_array<std::uint8_t>(out, {size(), packed_size(shape().actions)});
    BatchTargets targets;
    targets.packed = span_of(packed);
    alone([&] { batch_.show(targets); });
    return packed;
  }
  // (indptr, actions); `actions` is the given array, cut to what is listed, or a new one.
  py::tuple legal_csr(const py::object& indptr, const py::object& actions) {
    auto ends = output_array<std::int64_t>(indptr, {size() + 1});
    const py::ssize_t room = py::isinstance<py::array>(actions) ? py::reinterpret_borrow<py::array>(actions).size() : 0;
    auto list = output_array<std::int32_t>(actions, {room});
    std::vector<std::int64_t> found(static_cast<std::size_t>(size() + 1));
    std::vector<std::int32_t> listed;
    BatchTargets targets;
    targets.indptr = found;
    alone([&] {
      batch_.show(targets);
      listed.resize(batch_.num_listed());
      batch_.write_listed(listed);
    });
    const auto n = static_cast<py::ssize_t>(listed.size());
    if (!actions.is_none() && room < n)
      throw BadValue("out has room for " + std::to_string(room) + " actions, and " + std::to_string(n) + " are legal");
    std::copy(found.begin(), found.end(), ends.mutable_data());
    if (actions.is_none()) return py::make_tuple(ends, py::array_t<std::int32_t>(n, listed.data()));
    std::copy(listed.begin(), listed.end(), list.mutable_data());
    return py::make_tuple(ends, list[py::slice(0, n, 1)]);
  }

  // An array [n] or [n, p] of what f(row, player) tells.
  template <class T, class F>
  py::array_t<T> each(const std::vector<py::ssize_t>& shape, const py::object& out, F&& f) {
    auto array = output_array<T>(out, shape);
    const auto values = span_of(array);
    alone([&] { f(values); });
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
  py::array_t<std::uint64_t> episodes(const py::object& out) {
    return each<std::uint64_t>({size()}, out, [&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = batch_.row(i).episode;
    });
  }
  py::array_t<std::int32_t> scores(const py::object& out) {
    const auto p = static_cast<std::size_t>(shape().players);
    return each<std::int32_t>({size(), shape().players}, out, [&](auto values) {
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        const auto points = G::scores(batch_.state(i));
        std::copy_n(points.begin(), p, values.begin() + static_cast<std::ptrdiff_t>(i * p));
      }
    });
  }
  py::array_t<double> returns(const py::object& out) {
    const auto p = static_cast<std::size_t>(shape().players);
    return each<double>({size(), shape().players}, out, [&](auto values) {
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        const PlayerMask winners = G::winners(batch_.state(i));
        for (std::size_t player = 0; player < p; ++player)
          values[i * p + player] = return_of(winners, static_cast<Player>(player), static_cast<int>(p));
      }
    });
  }

  State state(std::size_t i) const {
    std::optional<State> out;
    briefly([&] { out.emplace(batch_.state(i)); });
    return *out;
  }
  void set_states(std::span<const std::int64_t> rows, const std::vector<typename G::State>& states) {
    alone([&] {
      for (std::size_t i = 0; i < rows.size(); ++i) batch_.set_state(static_cast<std::size_t>(rows[i]), states[i]);
    });
  }
  // Seed, index, episode and the counters of the streams of a row.
  std::array<std::uint64_t, 5> origin(std::size_t i) const {
    std::array<std::uint64_t, 5> out{};
    briefly([&] {
      const auto& row = batch_.row(i);
      out = {row.seed, row.index, row.episode, row.choices.counter, row.opponents.counter};
    });
    return out;
  }
  void restore(std::size_t i, const std::array<std::uint64_t, 5>& origin, const typename G::State& s) {
    briefly([&] { batch_.restore(i, {origin[0], origin[1], origin[2]}, s, origin[3], origin[4]); });
  }
  std::unique_ptr<PyBatch> select(std::span<const std::int64_t> rows) const {
    std::unique_ptr<PyBatch> out;
    alone([&] { out = std::make_unique<PyBatch>(*this, rows); });
    return out;
  }

 private:
  // Without Python's lock, and one call at a time.
  template <class F>
  void alone(F&& f) const {
    unlocked([&] {
      const std::shared_lock no_fork(fork_gate());
      const std::lock_guard lock(mutex_);
      f();
    });
  }
  // The same for what takes less time than giving up Python's lock, unless another thread is at work.
  template <class F>
  void briefly(F&& f) const {
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) return f();
    alone(f);
  }
  // change(targets), where the list of legal actions needs room that is known only then.
  template <class F>
  void write(Buffers& out, F&& change) {
    if (!(out.shape() == shape_)) throw BadValue("out is what buffers() of this batch, or of one like it, returns");
    const BatchTargets targets = out.targets();
    std::vector<std::int32_t> listed;
    alone([&] {
      change(targets);
      if (!out.is_list_wanted()) return;
      listed.resize(batch_.num_listed());
      batch_.write_listed(listed);
    });
    if (out.is_list_wanted()) out.keep_list(listed);
  }
  py::array_t<float> input_logits(const py::object& given) const {
    if (!py::isinstance<py::array>(given))
      throw BadType("logits are a NumPy array, not " + repr_of(py::type::of(given)));
    const auto array = py::reinterpret_borrow<py::array>(given);
    if (!array.dtype().equal(py::dtype::of<float>()))
      throw BadType("logits have dtype float32, not " + repr_of(array.dtype()));
    const std::vector<py::ssize_t> wanted{size(), shape().actions};
    const std::vector<py::ssize_t> shape = shape_of(array);
    if (shape != wanted) throw BadValue("logits have shape " + shape_text(wanted) + ", not " + shape_text(shape));
    if (!is_contiguous(array) || !is_aligned(array)) throw BadValue("logits are C-contiguous and aligned, not strided");
    return py::reinterpret_borrow<py::array_t<float>>(array);
  }
  // Who looks at each row: one player, or one a row; nobody for None, the player to move.
  std::vector<Player> viewers_of(const py::object& players) const {
    if (players.is_none()) return {};
    std::vector<std::int64_t> given(batch_.size());
    if (PyIndex_Check(players.ptr()) != 0 && !py::isinstance<py::array>(players))
      std::fill(given.begin(), given.end(), whole_number(players));
    else
      given = integers("player", players, size());
    for (const std::int64_t player : given) check_player<G>(options(), player);
    return {given.begin(), given.end()};
  }

  static BatchShape batch_shape(const Batch<G>& batch) {
    const auto& options = batch.options();
    return {static_cast<py::ssize_t>(batch.size()),
            G::num_players(options),
            G::num_actions(options),
            {observation_shape<G>(options, Encoding::Planes), observation_shape<G>(options, Encoding::Compact)},
            batch.autoreset() == Autoreset::SameStep};
  }

  Batch<G> batch_;
  BatchShape shape_;
  mutable std::mutex mutex_;
};

}  // namespace zg::bindings
