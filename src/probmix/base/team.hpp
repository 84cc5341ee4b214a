// A thread pool that runs one task after another. Its threads stay alive, so that even a task of a
// few microseconds is worth sharing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/matrix.hpp"

namespace probmix {

class Team {
 public:
  // `threads` includes the caller's.
  explicit Team(Index threads) : threads_(std::max<Index>(1, threads)) {
    try {
      for (Index t = 1; t < threads_; ++t) others_.emplace_back([this, t] { serve(t); });
    } catch (...) {
      dismiss();
      throw;
    }
  }
  ~Team() { dismiss(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  Index threads() const { return threads_; }

  // Calls work(k, thread) for k = 0, ..., n − 1, each once, with thread in [0, threads). After the
  // first exception no new work starts, and it is rethrown here. Allocates nothing. One caller at a
  // time, and not from within work.
  template <class Work>
  void run(Index n, Work&& work) {
    if (threads_ == 1 || n <= 1) {
      for (Index k = 0; k < n; ++k) work(k, Index{0});
      return;
    }
    check(!running_.exchange(true),
          "a team was given a second task before it had finished the first");
    task_ = [](void* context, Index k, Index thread) {
      (*static_cast<std::remove_reference_t<Work>*>(context))(k, thread);
    };
    context_ = &work;
    n_ = n;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(threads_ - 1, std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
    take_part(0);
    wait_while(busy_, [](Index busy) { return busy != 0; });
    running_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  // Spins first (on x86 for a few hundred microseconds), because the next task of a training step
  // comes within that time; then sleeps, as waking up takes about as long.
  template <class T, class Condition>
  static T wait_while(const std::atomic<T>& value, Condition&& condition) {
    T seen = value.load(std::memory_order_acquire);
    for (int spins = 0; condition(seen); seen = value.load(std::memory_order_acquire)) {
      if (spins < 8000) {
        ++spins;
        pause();
      } else {
        value.wait(seen, std::memory_order_acquire);
      }
    }
    return seen;
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  void serve(Index thread) {
    std::uint32_t done = 0;
    for (;;) {
      done = wait_while(calls_, [done](std::uint32_t call) { return call == done; });
      if (dismissed_.load(std::memory_order_relaxed)) return;
      take_part(thread);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void take_part(Index thread) {
    for (Index k = next_++; k < n_; k = next_++) {
      try {
        task_(context_, k, thread);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = n_;
      }
    }
  }

  void dismiss() {
    dismissed_.store(true, std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
    others_.clear();  // joins
  }

  Index threads_;
  void (*task_)(void*, Index, Index) = nullptr;
  void* context_ = nullptr;
  Index n_ = 0;
  alignas(64) std::atomic<Index> next_{0};
  alignas(64) std::atomic<Index> busy_{0};
  alignas(64) std::atomic<std::uint32_t> calls_{0};
  std::atomic<bool> dismissed_{false};
  std::atomic<bool> running_{false};
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::vector<std::jthread> others_;
};

}  // namespace probmix
