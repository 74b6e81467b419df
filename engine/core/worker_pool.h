// Threads that share the iterations of a loop and then wait for the next one.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace slip {

/// Runs independent calls side by side. Calls that touch different data give the same results for
/// any number of workers; only their order in time differs.
class WorkerPool {
 public:
  /// `workers` includes the calling thread; one or less starts no thread. Fewer are used when the
  /// system grants no more threads, and none is started where the program starts none.
  explicit WorkerPool(int workers = 1);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }
  /// Loops that were offered to the threads so far; the rest the caller did alone.
  unsigned shared() const {
    return static_cast<unsigned>(ticket_.load(std::memory_order_relaxed) >> 32);
  }

  /// fn(i) or fn(i, worker) for every i in [0, count), begun in this order; worker is in
  /// [0, workers()), and calls of one worker follow each other. Returns when all are done. One
  /// caller at a time, and not from inside a call; fn must not throw. Allocates nothing.
  template <class Fn>
  void ForEach(int count, Fn&& fn) {
    const auto call = [&fn](int i, int worker) {
      if constexpr (std::is_invocable_v<Fn&, int, int>) {
        fn(i, worker);
      } else {
        (void)worker;
        fn(i);
      }
    };
    if (threads_.empty() || count <= 1) {
      for (int i = 0; i < count; ++i) call(i, 0);
      return;
    }
    Dispatch(
        count,
        [](const void* f, int i, int worker) { (*static_cast<decltype(&call)>(f))(i, worker); },
        &call);
  }

  /// Wakes the threads for a ForEach that comes within a fraction of a millisecond: waking takes
  /// about as long as a short loop.
  void Wake();

 private:
  using Call = void (*)(const void* fn, int i, int worker);
  void Dispatch(int count, Call call, const void* fn);
  void Serve(int worker);
  void Work(int worker);

  std::vector<std::thread> threads_;
  // The job at hand. Only who has taken an index reads these: until that call is done there is no
  // other job.
  Call call_ = nullptr;
  const void* fn_ = nullptr;
  int count_ = 0;
  // each on a cache line of its own
  alignas(64) std::atomic<std::uint64_t> ticket_{0};  // job number, below it: indices left
  alignas(64) std::atomic<int> unfinished_{0};        // calls of the job that have not returned
  alignas(64) std::atomic<unsigned> signal_{0};  // jobs and wake-ups so far: sleepers look at it
  std::atomic<bool> stop_{false};
};

/// Waking another thread costs tens of microseconds: work below this is faster done alone [us].
inline constexpr double kWorthSharingUs = 200;

/// Threads that the machine runs at once, at least 1; 1 where the program starts none.
int HardwareThreads();

}  // namespace slip
