// Work without Python's lock, and getting the lock back.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "engine/parallel.hpp"

#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif
#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace zg::bindings {

namespace py = pybind11;

// Runs f, which takes Python's lock. When the interpreter is going away, Pythons before 3.14 end a thread that asks for
// the lock by unwinding its stack, through code that cannot bear it. Such a thread sleeps here until the process ends.
// Hence f owns no Python objects: unwinding would drop them without the lock.
template <class F>
decltype(auto) taking_the_lock(F&& f) {
#if defined(__GLIBCXX__)
  try {
    return f();
  } catch (abi::__forced_unwind&) {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return f();
#endif
}

// Runs f, which does not touch Python, without the lock.
template <class F>
void unlocked(F&& f) {
  PyThreadState* const python = PyEval_SaveThread();
  std::exception_ptr error;
  try {
    f();
  } catch (...) {
    error = std::current_exception();
  }
  taking_the_lock([&] { PyEval_RestoreThread(python); });
  if (error) std::rethrow_exception(error);
}

// The lock, taken back for a while by a thread that gave it up. Not py::gil_scoped_acquire, which looks the thread up
// in an interpreter that may be gone.
class Relocked {
 public:
  explicit Relocked(PyThreadState* python) {
    taking_the_lock([&] { PyEval_RestoreThread(python); });
  }
  Relocked(const Relocked&) = delete;
  Relocked& operator=(const Relocked&) = delete;
  ~Relocked() { PyEval_SaveThread(); }
};

// Runs f(monitor), which does not touch Python, without the lock. Its monitor looks at signals (Ctrl-C) and tells the
// caller's function, unless that is None, how far the work is: progress(done, total).
template <class F>
void watched(const py::object& progress, std::uint64_t total, F&& f) {
  PyThreadState* const python = PyThreadState_Get();
  const Monitor monitor = [&](std::uint64_t done) {
    const Relocked lock(python);
    const py::tuple told = py::make_tuple(done, total);
    const bool fine = taking_the_lock([&] {
      if (PyErr_CheckSignals() != 0) return false;
      if (progress.is_none()) return true;
      PyObject* const answer = PyObject_CallObject(progress.ptr(), told.ptr());
      Py_XDECREF(answer);
      return answer != nullptr;
    });
    if (!fine) throw py::error_already_set();
    return true;
  };
  unlocked([&] { f(monitor); });
}

// A process forks between calls on batches, never within one: its child would find a locked batch, half played. Calls
// hold the gate in common, a fork alone. (Process-wide, since a fork is.)
inline std::shared_mutex& fork_gate() {
  static std::shared_mutex gate;
  return gate;
}
inline void watch_forks() {
#if __has_include(<pthread.h>)
  // The child makes a new gate: a lock knows its owner by a number that a child does not keep.
  pthread_atfork([] { fork_gate().lock(); }, [] { fork_gate().unlock(); },
                 [] { new (&fork_gate()) std::shared_mutex; });
#endif
}

}  // namespace zg::bindings
