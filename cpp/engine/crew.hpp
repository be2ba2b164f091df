// Threads that wait for work between calls: a batch takes many thousand steps a second, too many to start threads for
// each. The thread that calls works along.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace zg {

class Crew {
 public:
  using Time = std::chrono::nanoseconds;
  static constexpr Time kWorthWaking =
      std::chrono::microseconds(100);  // to wake a thread and wait for it takes 10 or 20

  // Threads are woken for work that has taken longer than `worth_waking` the last time.
  explicit Crew(int threads, Time worth_waking = kWorthWaking) : threads_(threads), worth_waking_(worth_waking) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { leave_behind_if_forked(); }

  int threads() const { return threads_; }
  Time worth_waking() const { return worth_waking_; }

  // How long the tasks of one kind of work have taken, all together, the last time.
  struct Pace {
    Time last{};
  };

  // Runs work(task) for every task 0 .. tasks-1; the first exception is thrown again here. One call at a time.
  template <class Work>
  void run(Pace& pace, std::size_t tasks, Work&& work) {
    if (threads_ == 1 || tasks < 2) return alone(tasks, work);
    const auto start = std::chrono::steady_clock::now();
    const bool together = pace.last >= worth_waking_;
    if (together)
      helpers().run(tasks, std::min(tasks, static_cast<std::size_t>(threads_)) - 1, std::ref(work));
    else
      alone(tasks, work);
    pace.last = (std::chrono::steady_clock::now() - start) * (together ? threads_ : 1);
  }

 private:
  template <class Work>
  static void alone(std::size_t tasks, Work& work) {
    for (std::size_t task = 0; task < tasks; ++task) work(task);
  }

  // Threads wait for a seat at the work, take tasks, and leave.
  class Helpers {
   public:
    ~Helpers() {
      {
        const std::lock_guard lock(mutex_);
        closing_ = true;
      }
      wake_.notify_all();
      for (std::thread& thread : pool_) thread.join();
    }

    // On the calling thread and on at most `seats` others.
    void run(std::size_t tasks, std::size_t seats, std::function<void(std::size_t)> work) {
      hire(seats);
      {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
        tasks_ = tasks;
        next_ = 0;
        error_ = nullptr;
        seats_ = std::min(seats, pool_.size());
      }
      for (std::size_t i = 0; i < seats; ++i) wake_.notify_one();
      take_tasks();
      std::unique_lock lock(mutex_);
      seats_ = 0;  // who has not come yet is not needed
      finished_.wait(lock, [&] { return working_ == 0; });
      if (error_) std::rethrow_exception(error_);
    }

   private:
    void hire(std::size_t threads) {
      while (pool_.size() < threads) {
        try {
          pool_.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {  // no more threads: those that run do the work
          return;
        }
      }
    }
    void serve() {
      std::unique_lock lock(mutex_);
      while (true) {
        wake_.wait(lock, [&] { return closing_ || seats_ > 0; });
        if (closing_) return;
        --seats_;
        ++working_;
        lock.unlock();
        take_tasks();
        lock.lock();
        if (--working_ == 0) finished_.notify_one();
      }
    }
    void take_tasks() {
      try {
        for (std::size_t task = next_++; task < tasks_; task = next_++) work_(task);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = tasks_;
      }
    }

    std::mutex mutex_;
    std::condition_variable wake_, finished_;
    std::function<void(std::size_t)> work_;
    std::size_t tasks_ = 0;
    std::atomic<std::size_t> next_{0};
    std::size_t seats_ = 0;    // for threads that may still join in
    std::size_t working_ = 0;  // threads that have
    bool closing_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> pool_;
  };

  Helpers& helpers() {
    leave_behind_if_forked();
    if (!helpers_) helpers_ = std::make_unique<Helpers>();
    return *helpers_;
  }
  // A forked process has none of our threads: nobody to wake and nobody to wait for.
  void leave_behind_if_forked() {
#if __has_include(<unistd.h>)
    if (owner_ == getpid()) return;
    owner_ = getpid();
    static_cast<void>(helpers_.release());
#endif
  }

  int threads_;
  Time worth_waking_;
  std::unique_ptr<Helpers> helpers_;
#if __has_include(<unistd.h>)
  pid_t owner_ = getpid();
#endif
};

}  // namespace zg
