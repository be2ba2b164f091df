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

// A task throws this when it sees `stop`; parallel_for then returns false.
struct Stopped {};

class Workers {
 public:
  // Runs work(task, worker) for every task 0 .. tasks-1 on `threads` threads; the first exception is thrown again here.
  template <class Work>
  static bool run(std::size_t tasks, int threads, Progress& progress, const Monitor& monitor, Work&& work) {
    const int workers = static_cast<int>(std::min<std::size_t>(tasks, static_cast<std::size_t>(threads)));
    Workers shared(progress, workers);
    {
      std::vector<std::jthread> pool;
      for (int w = 0; w < workers; ++w)
        pool.emplace_back([&, w] { shared.take_tasks(tasks, [&](std::size_t task) { work(task, w); }); });
      shared.watch(monitor);
    }
    if (shared.error_) std::rethrow_exception(shared.error_);
    return !progress.stop;
  }

 private:
  Workers(Progress& progress, int running) : progress_(progress), running_(running) {}

  template <class Work>
  void take_tasks(std::size_t tasks, Work&& work) {
    try {
      for (std::size_t task = next_++; task < tasks && !progress_.stop; task = next_++) work(task);
    } catch (const Stopped&) {
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      progress_.stop = true;
    }
    const std::lock_guard lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  void watch(const Monitor& monitor) {
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, std::chrono::milliseconds(50), [&] { return running_ == 0; })) {
      if (!monitor) continue;
      lock.unlock();
      try {
        if (!monitor(progress_.done)) progress_.stop = true;
      } catch (...) {
        progress_.stop = true;
        lock.lock();
        if (!error_) error_ = std::current_exception();
        lock.unlock();
      }
      lock.lock();
    }
  }

  Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable finished_;
  int running_;
  std::exception_ptr error_;
};

}  // namespace zg
