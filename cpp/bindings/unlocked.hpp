// Work without Python's lock, and getting the lock back.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <new>
#include <shared_mutex>
#include <thread>
#include <utility>

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
