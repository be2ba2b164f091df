// Threads that wait for work between calls: a batch takes many thousand steps a second, too many to start threads for
// each. The thread that calls works along.
#pragma once

#include <atomic>
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
  explicit Crew(int threads) : threads_(threads) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { leave_behind_if_forked(); }

  int threads() const { return threads_; }

  // Runs work(task) for every task 0 .. tasks-1; the first exception is thrown again here. One call at a time.
  template <class Work>
  void run(std::size_t tasks, Work&& work) {
    if (threads_ == 1 || tasks < 2) {
      for (std::size_t task = 0; task < tasks; ++task) work(task);
      return;
    }
    leave_behind_if_forked();
    if (!helpers_) helpers_ = std::make_unique<Helpers>(threads_ - 1);
    helpers_->run(tasks, std::function<void(std::size_t)>(std::ref(work)));
  }

 private:
  class Helpers {
   public:
    explicit Helpers(int threads) {
      pool_.reserve(static_cast<std::size_t>(threads));
      for (int i = 0; i < threads; ++i) {
        try {
          pool_.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {  // no more threads: those that run do the work
          break;
        }
      }
    }
    ~Helpers() {
      {
        const std::lock_guard lock(mutex_);
        closing_ = true;
      }
      wake_.notify_all();
      for (std::thread& thread : pool_) thread.join();
    }

    void run(std::size_t tasks, std::function<void(std::size_t)> work) {
      {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
        tasks_ = tasks;
        next_ = 0;
        working_ = pool_.size();
        error_ = nullptr;
        ++call_;
      }
      wake_.notify_all();
      take_tasks();
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [&] { return working_ == 0; });
      if (error_) std::rethrow_exception(error_);
    }

   private:
    void serve() {
      std::uint64_t seen = 0;
      while (true) {
        {
          std::unique_lock lock(mutex_);
          wake_.wait(lock, [&] { return closing_ || call_ != seen; });
          if (closing_) return;
          seen = call_;
        }
        take_tasks();
        const std::lock_guard lock(mutex_);
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
    std::size_t working_ = 0;
    std::uint64_t call_ = 0;
    bool closing_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> pool_;
  };

  // A forked process has none of our threads: nobody to wake and nobody to wait for.
  void leave_behind_if_forked() {
#if __has_include(<unistd.h>)
    if (owner_ == getpid()) return;
    owner_ = getpid();
    static_cast<void>(helpers_.release());
#endif
  }

  int threads_;
  std::unique_ptr<Helpers> helpers_;
#if __has_include(<unistd.h>)
  pid_t owner_ = getpid();
#endif
};

}  // namespace zg
