// The Python class of a batch, method by method. ziggurat.BatchEnv documents them; it alone calls them.
#pragma once

#include "bindings/bind_game.hpp"

namespace zg::bindings {

// k rows, 0 <= i < n for each.
inline std::vector<std::int64_t> row_list(const py::object& given, py::ssize_t n) {
  auto rows = integers("indices", given, std::nullopt);
  checked_number("the number of indices", static_cast<std::int64_t>(rows.size()), 0, kMostRows);
  for (const std::int64_t i : rows) checked_number("an index", i, 0, n - 1);
  return rows;
}

template <class Family>
template <Game G>
void Binder<Family>::bind_batch(py::class_<PyBatch<G, PyState<G>>>& c) {
  c.def("__len__", &PyBatch<G, PyState<G>>::size);
  c.def_property_readonly_static("bytes_per_env", [](const py::object&) { return sizeof(typename Batch<G>::Row); });
  bind_batch_play<G>(c);
  bind_batch_views<G>(c);
  bind_batch_rows<G>(c);
}

template <class Family>
template <Game G>
void Binder<Family>::bind_batch_play(py::class_<PyBatch<G, PyState<G>>>& c) {
  using Self = PyBatch<G, PyState<G>>;
  c.def("buffers", &Self::buffers, "observation"_a, "dtype"_a, "legal"_a, "arrays"_a);
  c.def("show", &Self::show, "out"_a);
  c.def("step", &Self::step, "actions"_a, "mask"_a, "out"_a);
  c.def(
      "reset",
      [](Self& batch, const py::object& mask, const py::object& seed, Buffers& out) {
        batch.reset(mask, seed.is_none() ? std::nullopt : std::optional(seed_from(seed)), out);
      },
      "mask"_a, "seed"_a, "out"_a);
  c.def("sample", &Self::sample, "logits"_a, "mask"_a, "opponents"_a, "out"_a);
}

template <class Family>
template <Game G>
void Binder<Family>::bind_batch_views(py::class_<PyBatch<G, PyState<G>>>& c) {
  using Self = PyBatch<G, PyState<G>>;
  c.def(
      "observe",
      [](Self& batch, const py::object& player, const py::str& encoding, const py::object& dtype,
         const py::object& out) {
        return batch.observe(player, encoding_from(text_of(encoding)), is_bytes(dtype), out);
      },
      "player"_a, "encoding"_a, "dtype"_a, "out"_a);
  c.def("legal_mask", &Self::legal_mask, "out"_a);
  c.def("legal_packed", &Self::legal_packed, "out"_a);
  c.def("legal_csr", &Self::legal_csr, "indptr"_a, "actions"_a);
  c.def("current_players", &Self::current_players, "out"_a);
  c.def("is_terminal", &Self::is_terminal, "out"_a);
  c.def("episodes", &Self::episodes, "out"_a);
  c.def("scores", &Self::scores, "out"_a);
  c.def("returns", &Self::returns, "out"_a);
}

template <class Family>
template <Game G>
void Binder<Family>::bind_batch_rows(py::class_<PyBatch<G, PyState<G>>>& c) {
  using Self = PyBatch<G, PyState<G>>;
  c.def(
      "state",
      [](const Self& batch, Whole i) {
        return batch.state(static_cast<std::size_t>(checked_number("an index", i.value, 0, batch.size() - 1)));
      },
      "index"_a);
  c.def(
      "set_states",
      [](Self& batch, const py::object& indices, const py::typing::Iterable<PyState<G>>& states) {
        const auto rows = row_list(indices, batch.size());
        std::vector<typename G::State> given;
        for (const py::handle& item : states) {
          if (given.size() == rows.size())
            throw BadValue("there are more states than the " + std::to_string(rows.size()) + " indices");
          given.push_back(state_of_batch(batch, item));
        }
        if (given.size() != rows.size())
          throw BadValue("there are " + std::to_string(rows.size()) + " indices, and " + std::to_string(given.size()) +
                         " states");
        batch.set_states(rows, given);
      },
      "indices"_a, "states"_a);
  c.def(
      "select", [](const Self& batch, const py::object& rows) { return batch.select(row_list(rows, batch.size())); },
      "indices"_a);
  c.def(
      "origin",
      [](const Self& batch, Whole i) {
        return batch.origin(static_cast<std::size_t>(checked_number("an index", i.value, 0, batch.size() - 1)));
      },
      "index"_a);
  c.def(
      "restore",
      [](Self& batch, Whole i, const py::typing::Iterable<py::int_>& origin, const py::object& state) {
        const auto row = static_cast<std::size_t>(checked_number("an index", i.value, 0, batch.size() - 1));
        std::vector<std::uint64_t> numbers;
        for (const py::handle& item : origin) numbers.push_back(seed_from(item));
        if (numbers.size() != 5) throw BadValue("a row comes from 5 numbers, not " + std::to_string(numbers.size()));
        batch.restore(row, {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}, state_of_batch(batch, state));
      },
      "index"_a, "origin"_a, "state"_a);
}

}  // namespace zg::bindings
