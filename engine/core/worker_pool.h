// Threads that share the iterations of a loop and then wait for the next one.
#pragma once

#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

namespace slip {

/// Runs independent calls side by side. Calls that touch different data give the same results for
/// any number of workers; only their order in time differs.
class WorkerPool {
 public:
  /// `workers` includes the calling thread; one or less starts no thread. Fewer are used when the
  /// system grants no more threads.
  explicit WorkerPool(int workers = 1);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  /// fn(i) for every i in [0, count); returns when all are done. One caller at a time; fn must not
  /// throw. Allocates nothing.
  template <class Fn>
  void ForEach(int count, Fn&& fn) {
    if (threads_.empty() || count <= 1) {
      for (int i = 0; i < count; ++i) fn(i);
      return;
    }
    Dispatch(
        count, [](void* f, int i) { (*static_cast<std::remove_reference_t<Fn>*>(f))(i); },
        const_cast<void*>(static_cast<const void*>(&fn)));
  }

 private:
  using Call = void (*)(void* fn, int i);
  void Dispatch(int count, Call call, void* fn);
  void Serve();
  void Work();

  std::vector<std::thread> threads_;
  // The job at hand: written before `job_` changes, read after it was seen to change.
  Call call_ = nullptr;
  void* fn_ = nullptr;
  int count_ = 0;
  std::atomic<int> next_{0};      // first index that nobody has taken
  std::atomic<int> busy_{0};      // threads that have not finished with the job
  std::atomic<unsigned> job_{0};  // counts jobs
  std::atomic<bool> stop_{false};
};

/// Waking another thread costs tens of microseconds: work below this is faster done alone [us].
inline constexpr double kWorthSharingUs = 200;

/// Threads that the machine runs at once, at least 1.
int HardwareThreads();

}  // namespace slip
