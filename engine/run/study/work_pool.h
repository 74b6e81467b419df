// Independent pieces of long work, such as the runs of a sweep: made by threads, taken by the
// caller's, one after the other as they are finished. A program without threads makes them in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/handoff.h"
#include "engine/core/side_work.h"
#include "engine/core/sliced.h"
#include "engine/core/stop.h"

namespace slip {

/// How a piece is stopped: between steps, which tells how far it is, and within them.
struct WorkWatch {
  std::function<bool(double fraction)> poll;
  StopPoll stop;
};

template <class Piece>
struct WorkCalls {
  /// Makes the piece with this number; null: it was stopped, or is not to be made. Called by any
  /// thread.
  std::function<Sliced<std::unique_ptr<Piece>>(std::size_t, const WorkWatch&)> make;
  /// On the caller's thread.
  std::function<void(std::unique_ptr<Piece>)> take;
  /// Now and then, with how many are taken and the parts of those that are being made. False stops
  /// it: what is finished is still taken. May be empty.
  std::function<bool(double made)> poll;
};

namespace work {

/// A hundredth of what a person notices.
inline constexpr std::chrono::milliseconds kPollPeriod{2};

/// One thread's side. The queue is the only way back.
template <class Piece>
struct Worker {
  SpscQueue<std::unique_ptr<Piece>, 64> pieces;
  std::atomic<double> fraction{0};  ///< of the present piece
  std::atomic<bool> idle{false};    ///< will send no more
  std::thread thread;
};

template <class Piece>
struct Shared {
  const WorkCalls<Piece>& calls;
  std::size_t count;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> waiting{0};  ///< pieces that are made and not taken
  std::atomic<bool> stop{false};
};

/// `most` pieces may wait: who makes them faster than they are taken has to wait, too.
template <class Piece>
void Serve(Shared<Piece>* shared, Worker<Piece>* worker, std::size_t most) {
  const auto stopped = [shared] { return shared->stop.load(std::memory_order_relaxed); };
  const WorkWatch watch{[&](double fraction) {
                          worker->fraction.store(fraction, std::memory_order_relaxed);
                          return !stopped();
                        },
                        stopped};
  while (!stopped()) {
    if (shared->waiting.load() > most) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    const std::size_t at = shared->next.fetch_add(1);
    if (at >= shared->count) break;
    std::unique_ptr<Piece> piece = shared->calls.make(at, watch).Finish();
    worker->fraction.store(0, std::memory_order_relaxed);
    if (piece == nullptr) continue;
    shared->waiting.fetch_add(1);
    worker->pieces.Push(std::move(piece));
  }
  // after the last Push: who sees this sees all pieces
  worker->idle.store(true, std::memory_order_release);
}

/// Up to `jobs` threads; works here and now when the system grants none.
template <class Piece>
std::vector<std::unique_ptr<Worker<Piece>>> Start(int jobs, Shared<Piece>* shared) {
  constexpr std::size_t kMostWaiting = 256;
  std::vector<std::unique_ptr<Worker<Piece>>> workers;
  const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(1, jobs)), shared->count);
  while (workers.size() < wanted) {
    auto worker = std::make_unique<Worker<Piece>>();
    try {
      worker->thread = std::thread(Serve<Piece>, shared, worker.get(), kMostWaiting);
    } catch (const std::system_error&) {
      if (!workers.empty()) break;
      Serve(shared, worker.get(), shared->count);
      workers.push_back(std::move(worker));
      break;
    }
    workers.push_back(std::move(worker));
  }
  return workers;
}

/// Returns when no thread works any more.
template <class Piece>
void MakeOnThreads(std::size_t count, int jobs, const WorkCalls<Piece>& calls) {
  Shared<Piece> shared{.calls = calls, .count = count};
  const auto workers = Start(jobs, &shared);
  std::size_t taken = 0;
  for (bool idle = false; !idle;) {
    // read before the queues: a worker that was idle then has nothing more to send
    idle = true;
    for (const auto& worker : workers) idle = idle && worker->idle.load(std::memory_order_acquire);
    double parts = 0;
    for (const auto& worker : workers) {
      std::unique_ptr<Piece> piece;
      while (worker->pieces.Pop(&piece)) {
        ++taken;
        calls.take(std::move(piece));
        shared.waiting.fetch_sub(1);
      }
      parts += worker->fraction.load(std::memory_order_relaxed);
    }
    if (calls.poll && !idle && !calls.poll(static_cast<double>(taken) + parts)) shared.stop = true;
    if (!idle) std::this_thread::sleep_for(kPollPeriod);
  }
  for (const auto& worker : workers) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

/// The caller makes them itself, and is asked as often.
template <class Piece>
Sliced<> MakeInTurn(std::size_t count, const WorkCalls<Piece>& calls) {
  using Clock = std::chrono::steady_clock;
  std::size_t taken = 0;
  double part = 0;
  bool stopped = false;
  Clock::time_point next{};
  const auto look = [&] {
    const Clock::time_point now = Clock::now();
    if (stopped || !calls.poll || now < next) return !stopped;
    next = now + kPollPeriod;
    stopped = !calls.poll(static_cast<double>(taken) + part);
    return !stopped;
  };
  const WorkWatch watch{[&](double fraction) {
                          part = fraction;
                          return look();
                        },
                        [&] { return !look(); }};
  for (std::size_t at = 0; at < count && !stopped; ++at) {
    std::unique_ptr<Piece> piece = co_await calls.make(at, watch);
    part = 0;
    if (piece == nullptr) continue;
    ++taken;
    calls.take(std::move(piece));
  }
}

}  // namespace work

/// Makes pieces 0 to count-1, with `jobs` threads where the program starts any.
template <class Piece>
Sliced<> MakeAll(std::size_t count, int jobs, const WorkCalls<Piece>& calls) {
  if (StartsThreads()) {
    work::MakeOnThreads(count, jobs, calls);
  } else {
    co_await work::MakeInTurn(count, calls);
  }
}

}  // namespace slip
