#include "engine/core/side_work.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/thread_stop.h"

namespace slip {
namespace {

using Clock = Slice::Clock;

Clock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool starts_threads = true;

}  // namespace

bool StartsThreads() { return starts_threads; }
void SetStartsThreads(bool starts) { starts_threads = starts; }

struct SideWork::Impl {
  Sliced<> work;
  Options options;
  // on a thread
  std::mutex mutex;
  std::condition_variable ends;
  bool done = false;
  std::thread thread;
  // in slices
  bool in_slices = false;
  bool rests = false;
  sliced::PromiseBase* place = nullptr;
  const StopPoll* stop = nullptr;  // the work's, while others have the thread

  Impl(Sliced<> made, Options chosen) : work(std::move(made)), options(chosen) {}

  bool IsDone() {
    const std::lock_guard lock(mutex);
    return done;
  }

  void RunThrough() {
    if (options.niceness != 0) setpriority(PRIO_PROCESS, 0, options.niceness);
    std::move(work).Finish();
    const std::lock_guard lock(mutex);
    done = true;
    ends.notify_all();
  }

  /// Until then, or until it rests.
  void Resume(Clock::time_point until) {
    if (done) return;
    // what asks its thread whether to go on must not ask for the work of others
    stop = ThreadStop::Exchange(stop);
    {
      Slice slice(until);
      place = Slice::GoOn(place);
      rests = slice.rested;
    }
    stop = ThreadStop::Exchange(stop);
    done = place == nullptr;
    if (done) std::move(work).Take();
  }

  void RunToItsEnd() {
    stop = ThreadStop::Exchange(stop);
    {
      const NoSlice through;
      place = Slice::GoOn(place);
    }
    stop = ThreadStop::Exchange(stop);
    done = true;
  }
};

namespace {

/// Of this thread, in the order in which they began.
std::vector<SideWork::Impl*>& Works() {
  static thread_local std::vector<SideWork::Impl*> works;
  return works;
}

}  // namespace

SideWork::SideWork(Sliced<> work, Options options)
    : impl_(std::make_unique<Impl>(std::move(work), options)) {
  if (StartsThreads()) {
    try {
      impl_->thread = std::thread([impl = impl_.get()] { impl->RunThrough(); });
      return;
    } catch (const std::system_error&) {
      // no thread to be had
    }
  }
  impl_->in_slices = true;
  impl_->place = impl_->work.place();
  Works().push_back(impl_.get());
}

SideWork::~SideWork() {
  if (impl_->thread.joinable()) impl_->thread.join();
  if (!impl_->in_slices) return;
  std::erase(Works(), impl_.get());
  impl_->RunToItsEnd();
}

bool SideWork::done() const { return impl_->IsDone(); }

bool SideWork::WaitFor(double seconds) {
  const Clock::time_point until = Clock::now() + Seconds(seconds);
  if (impl_->in_slices) {
    if (seconds > 0) impl_->Resume(until);
    return impl_->done;
  }
  std::unique_lock lock(impl_->mutex);
  return impl_->ends.wait_until(lock, until, [this] { return impl_->done; });
}

void GiveSlices(const SliceBudget& budget) {
  // counted, not held: a work may begin others
  std::vector<SideWork::Impl*>& works = Works();
  const Clock::time_point first_end = Clock::now() + Seconds(budget.first);
  std::size_t others = 0;
  for (std::size_t i = 0; i < works.size(); ++i) {
    SideWork::Impl* work = works[i];
    if (work->done) continue;
    if (work->options.order == SideWork::Order::kFirst) {
      work->Resume(first_end);
    } else {
      ++others;
    }
  }
  if (others == 0) return;
  const Clock::time_point end = std::max(first_end, Clock::now() + Seconds(budget.after));
  for (std::size_t i = 0; i < works.size(); ++i) {
    SideWork::Impl* work = works[i];
    if (work->done || work->options.order == SideWork::Order::kFirst) continue;
    const Clock::time_point now = Clock::now();
    // what one leaves is the next ones'; each makes a step at least
    work->Resume(now + (std::max(end, now) - now) / static_cast<int>(others));
    if (others > 1) --others;
  }
}

bool HasMoreSlices() {
  return std::any_of(Works().begin(), Works().end(),
                     [](const SideWork::Impl* work) { return !work->done && !work->rests; });
}

}  // namespace slip
