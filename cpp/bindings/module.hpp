// What an extension module holds besides its games: the level, the units, and how errors reach Python.
#pragma once

#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>

#include <string>

#include "core/error.hpp"
#include "engine/perft.hpp"

namespace zg::bindings {

namespace py = pybind11;

inline void raise_python(const char* error, const char* text) {
  PyErr_SetString(py::module_::import("ziggurat.errors").attr(error).ptr(), text);
}

inline void translate_errors(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const IllegalAction& e) {
    raise_python("IllegalActionError", e.what());
  } catch (const ParseError& e) {
    raise_python("ParseError", e.what());
  } catch (const BadValue& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const BadType& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  }
}

inline void define_module(py::module_& m, const std::string& level) {
  m.doc() = "The native engine, built for one instruction-set level.";
  m.attr("level") = level;
  m.attr("families") = py::dict();
  py::register_local_exception_translator(&translate_errors);
  py::native_enum<Unit>(m, "Unit", "enum.Enum", "What perft and play-outs count in.")
      .value("TURN", Unit::Turn)
      .value("ACTION", Unit::Action)
      .finalize();
}

}  // namespace zg::bindings
