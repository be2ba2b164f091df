// What an extension module holds besides its games: the level, the units, what is known of the build, and how errors
// reach Python.
#pragma once

#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <string>

#include "bindings/buffers.hpp"
#include "bindings/solution.hpp"
#include "bindings/unlocked.hpp"
#include "core/error.hpp"
#include "engine/perft.hpp"

namespace zg::bindings {

namespace py = pybind11;

extern const char* const kGitDescribe;  // in build_facts.cpp, which CMake writes
extern const char* const kCompiler;

inline void raise_python(const char* error, const char* text) {
  PyErr_SetString(py::module_::import("ziggurat.errors").attr(error).ptr(), text);
}

inline void translate_errors(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const IllegalActions& e) {
    py::object raised = py::module_::import("ziggurat.errors").attr("IllegalActionError")(e.what());
    raised.attr("rows") = py::tuple(py::cast(e.rows));
    PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
  } catch (const IllegalAction& e) {
    raise_python("IllegalActionError", e.what());
  } catch (const ParseError& e) {
    raise_python("ParseError", e.what());
  } catch (const FileError& e) {
    errno = e.number;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, e.what());
  } catch (const BadValue& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const BadType& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  }
}

inline py::typing::Dict<py::str, py::str> build_facts() {
  py::typing::Dict<py::str, py::str> facts;
  facts["git_describe"] = kGitDescribe;
  facts["compiler"] = kCompiler;
  return facts;
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
  define_buffers(m);
  define_solution(m);
  watch_forks();
  m.def("build_facts", &build_facts, "The commit (empty outside Git) and the compiler that this was built from.");
}

}  // namespace zg::bindings
