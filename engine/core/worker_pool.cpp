#include "engine/core/worker_pool.h"

#include <algorithm>
#include <system_error>

namespace slip {

WorkerPool::WorkerPool(int workers) {
  for (int i = 1; i < workers; ++i) {
    try {
      threads_.emplace_back([this] { Serve(); });
    } catch (const std::system_error&) {
      break;
    }
  }
}

WorkerPool::~WorkerPool() {
  stop_.store(true, std::memory_order_relaxed);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Work() {
  for (int i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) call_(fn_, i);
}

void WorkerPool::Serve() {
  unsigned seen = 0;
  for (;;) {
    job_.wait(seen, std::memory_order_acquire);
    seen = job_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    Work();
    // the last one out wakes the caller: every thread passes here once per job
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void WorkerPool::Dispatch(int count, Call call, void* fn) {
  call_ = call;
  fn_ = fn;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  Work();
  for (int busy; (busy = busy_.load(std::memory_order_acquire)) != 0;) busy_.wait(busy);
}

int HardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace slip
