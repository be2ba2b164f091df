// NumPy arrays in and out: checked views, never a silent copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace zg::bindings {

namespace py = pybind11;

inline std::string repr_of(const py::handle& object) { return py::repr(object).cast<std::string>(); }

// Objects come from our functions alone: `cls.__new__(cls)` would be one without a value.
inline void forbid_new(const py::object& type) { reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = nullptr; }

inline std::string shape_text(const std::vector<py::ssize_t>& shape) {
  std::string out;
  for (const py::ssize_t n : shape) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

inline std::vector<py::ssize_t> shape_of(const py::array& array) {
  return {array.shape(), array.shape() + array.ndim()};
}
inline bool is_aligned(const py::array& array) {
  return (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}
inline bool is_contiguous(const py::array& array) { return (array.flags() & py::array::c_style) != 0; }

// A contiguous array to write into: `out` after checks, or a new one if it is None.
template <class T>
py::array_t<T> output_array(const py::object& out, const std::vector<py::ssize_t>& shape) {
  if (out.is_none()) return py::array_t<T>(shape);
  if (!py::isinstance<py::array>(out)) throw BadType("out is a NumPy array, not " + repr_of(py::type::of(out)));
  auto array = py::reinterpret_borrow<py::array>(out);
  const py::dtype wanted = py::dtype::of<T>();
  if (!array.dtype().equal(wanted))
    throw BadType("out has dtype " + repr_of(wanted) + ", not " + repr_of(array.dtype()));
  const std::vector<py::ssize_t> given = shape_of(array);
  if (given != shape) throw BadValue("out has shape " + shape_text(shape) + ", not " + shape_text(given));
  if (!is_aligned(array)) throw BadValue("out is an aligned array, unlike this one");
  if (!array.writeable()) throw BadValue("out is writeable, not read-only");
  if (!is_contiguous(array)) throw BadValue("out is C-contiguous, not strided");
  return py::reinterpret_borrow<py::array_t<T>>(array);
}

template <class T>
std::span<T> span_of(py::array_t<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

}  // namespace zg::bindings
