// Analyses of states and tables of games: arrays by name.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "core/error.hpp"
#include "game.hpp"

namespace zg::bindings {

template <Game G>
std::span<const NamedArray<typename G::Options, typename G::State>> analyses() {
  if constexpr (AnalysedGame<G>) return G::analyses();
  return {};
}
template <Game G>
std::span<const NamedArray<typename G::Options, typename G::Options>> tables() {
  if constexpr (AnalysedGame<G>) return G::tables();
  return {};
}

template <Game G>
std::span<const NamedArray<typename G::Options, Seated<typename G::State>>> views() {
  if constexpr (ViewedGame<G>) return G::views();
  return {};
}

template <class Options, class Subject>
py::dict about(std::span<const NamedArray<Options, Subject>> arrays) {
  py::dict out;
  for (const auto& array : arrays) out[py::str(std::string(array.name))] = std::string(array.about);
  return out;
}
template <Game G>
py::dict analyses_of() {
  return about(analyses<G>());
}
template <Game G>
py::dict tables_of() {
  return about(tables<G>());
}

template <Game G>
py::dict views_of() {
  return about(views<G>());
}

template <Game G, class Subject>
py::array filled(const NamedArray<typename G::Options, Subject>& array, const typename G::Options& options,
                 const Subject& subject, const py::object& out) {
  const std::vector<int> lengths = array.shape(options);
  const std::vector<py::ssize_t> shape(lengths.begin(), lengths.end());
  return std::visit(
      [&]<class T>(void (*fill)(const Subject&, std::span<T>)) -> py::array {
        auto values = output_array<T>(out, shape);
        fill(subject, span_of(values));
        return values;
      },
      array.fill);
}

}  // namespace zg::bindings
