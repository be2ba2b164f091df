// Work split into numbered tasks whose results do not depend on who ran them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace zg {

// Asked about twenty times a second, on the thread that started the work, with the units done so far; false stops it.
using Monitor = std::function<bool(std::uint64_t done)>;

// What workers and monitor share.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};
};

// A task throws this when it sees `stop`; Workers::run then returns false.
struct Stopped {};

class Workers {
 public:
  // Runs work(task, worker) for every task 0 .. tasks-1 on `threads` threads, or on as many as the system lets us
  // start; the first exception is thrown again here. False if it was stopped.
  template <class Work>
  static bool run(std::size_t tasks, int threads, Progress& progress, const Monitor& monitor, Work&& work) {
    const int workers = static_cast<int>(std::min<std::size_t>(tasks, static_cast<std::size_t>(threads)));
    Workers shared(progress);
    {
      std::vector<std::jthread> pool;
      pool.reserve(static_cast<std::size_t>(workers));
      for (int w = 0; w < workers; ++w) {
        shared.count_in();
        try {
          pool.emplace_back([&, w] { shared.take_tasks(tasks, [&](std::size_t task) { work(task, w); }); });
        } catch (...) {  // no thread or no memory for it: those that run do the work
          shared.count_out();
          if (pool.empty()) throw std::runtime_error("the system does not let us start a thread");
          break;
        }
      }
      shared.watch(monitor);
    }
    if (shared.error_) std::rethrow_exception(shared.error_);
    return !progress.stop;
  }

 private:
  explicit Workers(Progress& progress) : progress_(progress) {}

  void count_in() {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  void count_out() {
    const std::lock_guard lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  template <class Work>
  void take_tasks(std::size_t tasks, Work&& work) {
    try {
      for (std::size_t task = next_++; task < tasks && !progress_.stop; task = next_++) work(task);
    } catch (const Stopped&) {
    } catch (...) {
      keep_error();
    }
    count_out();
  }
  // Called where an exception is caught: the first one is kept, and all work stops.
  void keep_error() {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    progress_.stop = true;
  }

  void watch(const Monitor& monitor) {
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, std::chrono::milliseconds(50), [&] { return running_ == 0; })) {
      if (!monitor) continue;
      lock.unlock();
      try {
        if (!monitor(progress_.done)) progress_.stop = true;
      } catch (...) {
        keep_error();
      }
      lock.lock();
    }
  }

  Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable finished_;
  int running_ = 0;
  std::exception_ptr error_;
};

}  // namespace zg
