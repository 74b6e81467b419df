#include "engine/run/record/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"

namespace slip {
namespace {

// Whoever waits for a stop waits for so many steps, or for one that takes long.
constexpr int64_t kPollSteps = 64;
constexpr double kLongStepUs = 1000;
constexpr std::chrono::milliseconds kPollPeriod{10};

/// "body 'box' is 1.2e-09 m and 3e-07 m/s off", of the body that is off most; empty when none is.
std::string FarthestBody(const Model& model, const std::vector<double>& recorded,
                         const std::vector<double>& now) {
  if (recorded.size() != now.size()) return "the number of bodies differs";
  const std::size_t bodies = model.bodies.size();
  std::size_t worst = bodies;
  double farthest = -1;
  for (std::size_t b = 0; b < bodies; ++b) {
    double squares = 0;
    for (std::size_t i = 7 * b; i < 7 * b + 3; ++i)
      squares += (recorded[i] - now[i]) * (recorded[i] - now[i]);
    double all = 0;
    for (std::size_t i = 7 * b; i < 7 * b + 7; ++i) all += std::abs(recorded[i] - now[i]);
    if (all > 0 && squares > farthest) {
      farthest = squares;
      worst = b;
    }
  }
  double speed = 0;
  for (std::size_t i = 7 * bodies; i < now.size(); ++i)
    speed = std::max(speed, std::abs(recorded[i] - now[i]));
  if (worst == bodies && speed == 0) return "";
  if (worst == bodies) return fmt::format("velocities are {:.3g} m/s or rad/s off at most", speed);
  return fmt::format("body '{}' is {:.3g} m off, velocities {:.3g} m/s or rad/s at most",
                     model.bodies[worst].name, std::sqrt(farthest), speed);
}

}  // namespace

struct Replay::Progress {
  std::atomic<int64_t> done{0};
  std::atomic<bool> stop{false};
};

/// One channel through all its lines.
struct Replay::Job {
  int channel = 0;
  std::vector<std::pair<int, const TrackLine*>> lines;  // branch, line
  std::optional<Track> track;
  std::map<std::pair<int, int64_t>, StepRecord> forks;  // branch and step that another left from
  std::map<int, StepRecord> ends;                       // of each branch
  std::vector<ReplayDifference> differences;

  // of the line that is run
  const TrackLine* line = nullptr;
  int branch = 0;
  std::vector<StateLog::Bodies> bodies;
  std::size_t next_hash = 0, next_bodies = 0;
  std::optional<ReplayDifference> differs;
  bool located = false;

  void Begin(int number, const TrackLine* next) {
    line = next;
    branch = number;
    bodies = line->log.bodies();
    next_hash = next_bodies = 0;
    differs.reset();
    located = false;
  }

  std::string Where(const Simulation& sim) const {
    return fmt::format("step {} (t = {:.9g} s, {}{})", sim.step(), sim.time(),
                       Info(sim.config().method()).id,
                       branch > 0 ? fmt::format(", branch {}", branch) : std::string());
  }

  void Differ(const Simulation& sim, std::string text) {
    if (differs) return;
    differs = ReplayDifference{branch, channel, sim.step(), sim.time(), std::move(text)};
  }

  /// Every state on the way.
  void Observe(const Simulation& sim) {
    const int64_t step = sim.step();
    if (const auto fork = forks.find({branch, step}); fork != forks.end()) fork->second = sim.now();
    const auto& hashes = line->log.hashes();
    while (next_hash < hashes.size() && hashes[next_hash].step < step) ++next_hash;
    if (next_hash < hashes.size() && hashes[next_hash].step == step &&
        hashes[next_hash].hash != Hash(sim.state())) {
      Differ(sim, Where(sim) + " differs");
    }
    while (next_bodies < bodies.size() && bodies[next_bodies].step < step) ++next_bodies;
    if (next_bodies == bodies.size() || bodies[next_bodies].step != step || located) return;
    const std::string off =
        FarthestBody(sim.model(), bodies[next_bodies].numbers, BodyNumbers(sim.state()));
    if (off.empty()) return;
    Differ(sim, Where(sim) + " differs");
    located = true;
    differs->text += step == differs->step ? ": " + off : fmt::format("; at step {} {}", step, off);
  }

  void End() {
    const Simulation& sim = track->sim();
    if (!differs && sim.step() < line->end_step) {
      Differ(sim, fmt::format("{} is the last one that could be made, of {}: {}", Where(sim),
                              line->end_step, sim.failure()));
    }
    for (const Track::Applied& applied : track->TakeApplied()) {
      if (applied.refused.empty()) continue;
      Differ(sim, fmt::format("the change after step {} was refused: {}", applied.step,
                              applied.refused));
    }
    if (differs) differences.push_back(*differs);
  }
};

Replay::Replay(std::shared_ptr<const Recording> recording, std::size_t history_bytes)
    : recording_(std::move(recording)),
      history_bytes_(history_bytes),
      progress_(std::make_unique<Progress>()) {
  int count = 0;
  for (const RecordedBranch& branch : recording_->branches) {
    for (const RecordedLine& line : branch.lines) count = std::max(count, line.channel + 1);
  }
  for (int c = 0; c < count; ++c) {
    jobs_.push_back(std::make_unique<Job>());
    jobs_.back()->channel = c;
  }
  for (std::size_t b = 0; b < recording_->branches.size(); ++b) {
    for (const RecordedLine& item : recording_->branches[b].lines) {
      Job& job = *At(jobs_, item.channel);
      job.lines.emplace_back(static_cast<int>(b), &item.line);
      if (item.line.parent >= 0) job.forks[{item.line.parent, item.line.fork_step}];
      steps_ += item.line.end_step - item.line.fork_step;
    }
  }
}

Replay::~Replay() = default;

Sliced<> Replay::RunChannel(Job* job, const std::function<bool(double)>& poll) {
  using Clock = std::chrono::steady_clock;
  const auto ask = [&] {
    const double part =
        steps_ > 0 ? static_cast<double>(progress_->done.load()) / static_cast<double>(steps_) : 1;
    if (poll && !poll(std::clamp(part, 0.0, 1.0))) progress_->stop = true;
    return progress_->stop.load();
  };
  // steps ask thousands of times a second, on this thread
  const auto stop = [&, next = Clock::time_point{}]() mutable {
    const Clock::time_point now = Clock::now();
    if (now < next) return progress_->stop.load();
    next = now + kPollPeriod;
    return ask();
  };
  const ThreadStop in_between{StopPoll(stop)};
  for (const auto& [branch, line] : job->lines) {
    if (progress_->stop) break;
    job->Begin(branch, line);
    if (line->parent < 0) {
      const RecordedBranch& of = At(recording_->branches, branch);
      if (job->track) {
        job->track->StartAgain(line->config, branch);
      } else {
        job->track.emplace(of.scene->ModelFor(line->config), line->config, history_bytes_, branch,
                           line->start);
        job->track->SetStop(stop);
        job->track->SetObserver([job](const Simulation& sim) { job->Observe(sim); });
        job->Observe(job->track->sim());
      }
    } else {
      const StepRecord& record = job->forks[{line->parent, line->fork_step}];
      const bool reached = !record.state.X_WB.empty();
      // where the parent ended too early, from there: what follows is shown, and differs
      job->track->ForkFrom(line->parent, reached ? record : job->ends[line->parent], branch);
      if (!reached) job->Differ(job->track->sim(), "the branch it left ended before that");
    }
    job->track->Schedule(line->entries);
    int64_t at = job->track->sim().step();
    for (;;) {
      const bool one = Slice::Present() != nullptr || job->track->step_us() > kLongStepUs;
      const int64_t most = one ? 1 : kPollSteps;
      const AdvanceEnd end = job->track->AdvanceTo({.step = line->end_step, .most = most});
      progress_->done += job->track->sim().step() - at;
      at = job->track->sim().step();
      if (ask() || end != AdvanceEnd::kMost) break;
      co_await MayRest{};
    }
    job->End();
    job->ends[branch] = job->track->sim().now();
  }
  if (job->track) job->track->SetStop({});
}

Sliced<bool> Replay::RunInSlices(WorkerPool* workers, std::function<bool(double)> poll) {
  const int count = static_cast<int>(jobs_.size());
  if (workers != nullptr && workers->workers() > 1 && count > 1) {
    workers->ForEach(count, [&](int c) { RunChannel(At(jobs_, c).get(), poll).Finish(); });
  } else {
    for (int c = 0; c < count; ++c) co_await RunChannel(At(jobs_, c).get(), poll);
  }
  co_return !progress_->stop;
}

std::vector<ReplayDifference> Replay::Differences() const {
  std::vector<ReplayDifference> all;
  for (const auto& job : jobs_)
    all.insert(all.end(), job->differences.begin(), job->differences.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.branch, a.channel) < std::pair(b.branch, b.channel);
  });
  return all;
}

std::vector<Track> Replay::TakeTracks() {
  std::vector<Track> tracks;
  for (const auto& job : jobs_) {
    job->track->SetObserver({});
    job->track->Schedule(std::vector<JournalEntry>());
    tracks.push_back(std::move(*job->track));
  }
  return tracks;
}

}  // namespace slip
