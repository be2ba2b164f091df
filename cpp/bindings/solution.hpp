// The Python class of solutions: one for all games, so that a game adds little to build.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/arrays.hpp"
#include "core/index.hpp"
#include "engine/backward.hpp"
#include "engine/best_turns.hpp"

namespace zg::bindings {

// A solution of some game. States are Python's; those of other games are refused.
class AnySolution {
 public:
  AnySolution() = default;
  AnySolution(const AnySolution&) = delete;
  AnySolution& operator=(const AnySolution&) = delete;
  virtual ~AnySolution() = default;

  virtual py::object game() const = 0;
  virtual const Verdicts& verdicts() const = 0;  // one a position
  virtual std::string position_text(std::size_t i) const = 0;
  virtual Probe probe(const py::handle& state) const = 0;
  virtual std::vector<std::vector<Action>> best_turns(const py::handle& state) const = 0;

  std::size_t size() const { return verdicts().values.size(); }
  // Lost, drawn, won.
  std::tuple<std::size_t, std::size_t, std::size_t> counts() const {
    std::array<std::size_t, 3> out{};
    for (const std::int8_t value : verdicts().values) ++out[static_cast<std::size_t>(value + 1)];
    return {out[0], out[1], out[2]};
  }
};

template <class T>
py::array_t<T> copied(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

inline void define_solution(py::module_& m) {
  using namespace pybind11::literals;
  py::class_<AnySolution> c(m, "Solution", py::is_final(), "What ziggurat.solver.Solution stands on.");
  forbid_new(c);
  c.def("__len__", &AnySolution::size);
  c.def("game", &AnySolution::game, "The game that the positions are of, without a limit on its length.");
  c.def("counts", &AnySolution::counts, "How many positions are lost, drawn and won for the player to move.");
  c.def(
      "probe",
      [](const AnySolution& self, const py::object& state) {
        const Probe p = self.probe(state);
        return std::tuple(p.value, p.distance);
      },
      "state"_a, "(value, distance) for the player to move; distance is -1 where value is 0.");
  c.def("best_turns", &AnySolution::best_turns, "state"_a, "The best turns as lists of action ids, ascending.");
  c.def("values", [](const AnySolution& self) { return copied(self.verdicts().values); }, "int8[positions].");
  c.def("distances", [](const AnySolution& self) { return copied(self.verdicts().distances); }, "int16[positions].");
  c.def(
      "positions",
      [](const AnySolution& self) {
        py::typing::List<py::str> out;
        for (std::size_t i = 0; i < self.size(); ++i) out.append(self.position_text(i));
        return out;
      },
      "What State.serialize says of each position.");
}

}  // namespace zg::bindings
