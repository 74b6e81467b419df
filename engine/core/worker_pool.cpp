#include "engine/core/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/core/side_work.h"

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;

// How long a thread looks for work before it sleeps: the pauses between the shared parts of a step
// are of this length.
constexpr std::chrono::microseconds kPatience{100};
constexpr int kPauses = 64;  // between two looks at the clock: about a microsecond

void SpinPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// True as soon as ready() holds, false when patience ends. Others who need the processor get it.
template <class Ready>
bool Await(Ready&& ready) {
  const Clock::time_point end = Clock::now() + kPatience;
  for (;;) {
    for (int i = 0; i < kPauses; ++i, SpinPause()) {
      if (ready()) return true;
    }
    if (Clock::now() >= end) return false;
    std::this_thread::yield();
  }
}

}  // namespace

WorkerPool::WorkerPool(int workers) {
  for (int i = 1; i < workers && StartsThreads(); ++i) {
    try {
      threads_.emplace_back([this, i] { Serve(i); });
    } catch (const std::system_error&) {
      break;
    }
  }
}

WorkerPool::~WorkerPool() {
  stop_.store(true, std::memory_order_relaxed);
  Wake();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Wake() {
  signal_.fetch_add(1, std::memory_order_release);
  signal_.notify_all();
}

void WorkerPool::Work(int worker) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    const int left = static_cast<int>(ticket & 0xffffffffu);
    if (left == 0) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    call_(fn_, count_ - left, worker);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void WorkerPool::Serve(int worker) {
  unsigned seen = 0;
  for (;;) {
    const auto called = [&] { return signal_.load(std::memory_order_acquire) != seen; };
    if (!Await(called)) signal_.wait(seen, std::memory_order_acquire);
    seen = signal_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    Work(worker);
  }
}

void WorkerPool::Dispatch(int count, Call call, const void* fn) {
  call_ = call;
  fn_ = fn;
  count_ = count;
  unfinished_.store(count, std::memory_order_relaxed);
  const std::uint64_t job = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
  ticket_.store(job << 32 | static_cast<std::uint64_t>(count), std::memory_order_release);
  Wake();
  Work(0);
  const auto done = [&] { return unfinished_.load(std::memory_order_acquire) == 0; };
  if (Await(done)) return;
  for (int left; (left = unfinished_.load(std::memory_order_acquire)) != 0;) {
    unfinished_.wait(left, std::memory_order_acquire);
  }
}

int HardwareThreads() {
  if (!StartsThreads()) return 1;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace slip
