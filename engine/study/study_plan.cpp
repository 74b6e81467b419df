#include "engine/study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>

#include "engine/core/handoff.h"
#include "engine/core/hash.h"
#include "engine/run/record/scene_json.h"

namespace slip {
namespace {

/// One thread's side of the work. The queue is the only way back.
struct CellWorker {
  SpscQueue<std::unique_ptr<StudyCell>, 64> cells;
  std::atomic<double> fraction{0};  ///< of the present cell
  std::atomic<bool> idle{false};    ///< will send no more
  std::thread thread;
};

struct CellWork {
  const StudyPlan& plan;
  const std::vector<bool>& done;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> waiting{0};  ///< cells that are made and not delivered
  std::atomic<bool> stop{false};
  ReferenceRuns references = {};
};

void ServeCells(CellWork* work, CellWorker* worker) {
  // who makes cells faster than they can be written has to wait: memory stays flat
  constexpr std::size_t kMostWaiting = 256;
  const StudyWatch watch{[&](double fraction) {
                           worker->fraction.store(fraction, std::memory_order_relaxed);
                           return !work->stop.load(std::memory_order_relaxed);
                         },
                         [&] { return work->stop.load(std::memory_order_relaxed); }};
  while (!work->stop.load(std::memory_order_relaxed)) {
    if (work->waiting.load() > kMostWaiting) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    const std::size_t cell = work->next.fetch_add(1);
    if (cell >= work->count) break;
    if (!work->plan.IsOurs(cell) || work->done[cell]) continue;
    const StudyPlan::Place place = work->plan.PlaceOf(cell);
    std::unique_ptr<StudyCell> made =
        MakeStudyCell(work->plan.RunOf(place), place.index, &work->references, watch);
    worker->fraction.store(0, std::memory_order_relaxed);
    if (made == nullptr) continue;
    made->cell = cell;
    work->waiting.fetch_add(1);
    worker->cells.Push(std::move(made));
  }
  // after the last Push: who sees this sees all cells
  worker->idle.store(true, std::memory_order_release);
}

/// Starts up to `jobs` threads; at least one has to be granted.
bool StartWorkers(int jobs, CellWork* work, std::vector<std::unique_ptr<CellWorker>>* workers) {
  for (int i = 0; i < std::max(1, jobs); ++i) {
    auto worker = std::make_unique<CellWorker>();
    try {
      worker->thread = std::thread(ServeCells, work, worker.get());
    } catch (const std::system_error&) {
      break;
    }
    workers->push_back(std::move(worker));
  }
  return !workers->empty();
}

}  // namespace

std::size_t StudyPlan::cells() const {
  std::size_t count = 0;
  for (const Study& study : studies) count += study.cells();
  return count;
}

StudyPlan::Place StudyPlan::PlaceOf(std::size_t cell) const {
  Place place;
  for (; place.study < studies.size(); ++place.study) {
    const Study& study = studies[place.study];
    for (place.run = 0; place.run < study.runs.size(); ++place.run) {
      const std::size_t count = study.runs[place.run].cells();
      if (cell < count) {
        place.index = cell;
        return place;
      }
      cell -= count;
    }
  }
  return place;
}

std::string StudyPlan::Hash(const RunContext& context) const {
  Fnv1a hash;
  const auto add = [&hash](std::string_view text) {
    hash.Add(text.size());
    for (const char c : text) hash.Add(static_cast<unsigned char>(c));
  };
  add(context.version);
  add(context.build);
  for (const Study& study : studies) {
    add(study.id);
    add(study.text);
    hash.Add(study.is_quick ? 1 : 0);
    for (const StudyRun& run : study.runs) {
      JsonWriter json;
      json.BeginObject().Key("scene");
      WriteScene(*run.plan.base.scene, &json);
      json.EndObject();
      add(json.Take());
    }
  }
  return fmt::format("{:016x}", hash.value());
}

bool MakeStudyCells(const StudyPlan& plan, int jobs, const std::vector<bool>& done,
                    const StudyCallbacks& callbacks) {
  CellWork work{.plan = plan, .done = done, .count = plan.cells()};
  std::size_t ours = 0, finished = 0;
  for (std::size_t cell = 0; cell < work.count; ++cell) {
    if (!plan.IsOurs(cell)) continue;
    ++ours;
    if (done[cell]) ++finished;
  }
  std::vector<std::unique_ptr<CellWorker>> workers;
  if (!StartWorkers(jobs, &work, &workers)) return finished == ours;
  for (bool idle = false; !idle;) {
    // read before the queues: a worker that was idle then has nothing more to send
    idle = true;
    for (const auto& worker : workers) idle = idle && worker->idle.load(std::memory_order_acquire);
    double part = 0;
    for (const auto& worker : workers) {
      std::unique_ptr<StudyCell> cell;
      while (worker->cells.Pop(&cell)) {
        ++finished;
        if (callbacks.cell) callbacks.cell(*cell);
        cell.reset();
        work.waiting.fetch_sub(1);
      }
      part += worker->fraction.load(std::memory_order_relaxed);
    }
    const double fraction = (static_cast<double>(finished) + part) /
                            static_cast<double>(std::max<std::size_t>(1, ours));
    if (callbacks.poll && !idle && !callbacks.poll(std::min(1.0, fraction))) work.stop = true;
    // a hundredth of what a person notices
    if (!idle) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  for (const auto& worker : workers) worker->thread.join();
  return finished == ours;
}

}  // namespace slip
