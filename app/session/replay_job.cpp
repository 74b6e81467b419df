#include "app/session/replay_job.h"

#include <algorithm>

#include "engine/core/worker_pool.h"
#include "engine/run/scope/scope.h"

namespace slip::app {

ReplayJob::ReplayJob(std::shared_ptr<const Recording> recording)
    : replay_(std::make_shared<Replay>(std::move(recording), kHistoryBudget / kMaxChannels)) {
  thread_ = std::jthread([this] {
    WorkerPool workers(std::max(1, HardwareThreads() - 1));
    replay_->Run(&workers, [this](double part) {
      progress_.store(part, std::memory_order_relaxed);
      return !stop_.load(std::memory_order_relaxed);
    });
    done_.store(true, std::memory_order_release);
  });
}

ReplayJob::~ReplayJob() { stop_.store(true, std::memory_order_relaxed); }

}  // namespace slip::app
