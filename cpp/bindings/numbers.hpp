// Whole numbers from Python: anything with __index__ (so never a float that would be cut), checked to fit.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

#include "bindings/arrays.hpp"
#include "core/error.hpp"

namespace zg::bindings {

// 64 bits of what has __index__; nothing if they are not enough.
inline std::optional<std::int64_t> try_whole_number(const py::handle& object) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  return overflow == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

inline std::int64_t whole_number(const py::handle& object) {
  if (const auto number = try_whole_number(object)) return *number;
  throw BadValue("an integer from -2^63 to 2^63 - 1 is wanted, not " + repr_of(object));
}

// An argument that is a whole number.
struct Whole {
  std::int64_t value = 0;
};

}  // namespace zg::bindings

template <>
struct pybind11::detail::type_caster<zg::bindings::Whole> {
  PYBIND11_TYPE_CASTER(zg::bindings::Whole, const_name("int"));
  bool load(handle source, bool) {
    if (PyIndex_Check(source.ptr()) == 0) return false;
    value.value = zg::bindings::whole_number(source);
    return true;
  }
};
