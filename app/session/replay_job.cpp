#include "app/session/replay_job.h"

#include <algorithm>

#include "engine/core/worker_pool.h"
#include "engine/run/scope/scope.h"

namespace slip::app {

ReplayJob::ReplayJob(std::shared_ptr<const Recording> recording)
    : replay_(std::make_shared<Replay>(std::move(recording), kHistoryBudget / kMaxChannels)) {
  work_.emplace(Work());
}

ReplayJob::~ReplayJob() {
  stop_.store(true, std::memory_order_relaxed);
  work_.reset();
}

Sliced<> ReplayJob::Work() {
  WorkerPool workers(std::max(1, HardwareThreads() - 1));
  const std::function<bool(double)> poll = [this](double part) {
    progress_.store(part, std::memory_order_relaxed);
    return !stop_.load(std::memory_order_relaxed);
  };
  co_await replay_->RunInSlices(&workers, poll);
  done_.store(true, std::memory_order_release);
}

}  // namespace slip::app
