#include "app/session/study_job.h"

#include <chrono>
#include <utility>

#include "engine/core/worker_pool.h"

namespace slip::app {
namespace {

/// On a clock that only goes on [s].
double ClockSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The window comes first: niceness of its thread, and of those that this starts.
constexpr int kBackground = 10;

}  // namespace

std::shared_ptr<const StudyShown> ShowStudy(const std::shared_ptr<const StudyPlan>& plan,
                                            const StudyData& data, std::size_t made,
                                            std::size_t failed, bool whole) {
  auto shown = std::make_shared<StudyShown>();
  shown->plan = plan;
  shown->report = MakeReport(plan->studies.front(), data, failed);
  for (Figure& figure : shown->report.figures) {
    shown->axes.push_back(FitFigure(figure));
    figure = Thinned(std::move(figure), shown->axes.back());
  }
  shown->made = made;
  shown->whole = whole;
  return shown;
}

StudyJob::StudyJob(std::shared_ptr<const StudyPlan> plan, std::string folder, RunContext context,
                   Keep keep)
    : plan_(std::move(plan)),
      folder_(std::move(folder)),
      context_(std::move(context)),
      keep_(std::move(keep)),
      begun_(ClockSeconds()) {
  work_.emplace(WorkToItsEnd(), SideWork::Options{.niceness = kBackground});
}

StudyJob::~StudyJob() {
  Stop();
  work_.reset();
}

Sliced<> StudyJob::WorkToItsEnd() {
  co_await Work();
  ended_ = ClockSeconds();
  done_.store(true, std::memory_order_release);
}

double StudyJob::seconds() const { return (done() ? ended_ : ClockSeconds()) - begun_; }

std::optional<double> StudyJob::SecondsLeft() const {
  const double kept = kept_.load(std::memory_order_relaxed), made = progress() - kept;
  if (done() || made <= 0 || seconds() < 0.5) return std::nullopt;
  return seconds() * (1 - progress()) / made;
}

std::shared_ptr<const StudyShown> StudyJob::shown() const {
  const std::lock_guard lock(mutex_);
  return shown_;
}

Sliced<> StudyJob::Work() {
  bool taken = false;
  auto opened = CellFile::Open(folder_, *plan_, context_, true, &taken);
  if (!opened) {
    error_ = opened.error().Text();
    co_return;
  }
  const std::shared_ptr<CellFile> file = std::move(opened).value();
  StudyData data(plan_->studies.front());
  const bool whole = co_await MakeCells(file.get(), &data);
  Show(data, whole);
  if (!whole) {
    if (!file->good()) error_ = "A cell is lost: " + file->status().error().Text() + ".";
    file->Leave();
    co_return;
  }
  Result<CellIndex> index = file->Index();
  if (!index) {
    error_ = index.error().Text();
    co_return;
  }
  cells_ = std::make_shared<const KeptCells>(KeptCells{plan_, file, std::move(index).value()});
  if (keep_) keep_(*cells_, seconds());
}

/// False when it was stopped, or a disk is full.
Sliced<bool> StudyJob::MakeCells(CellFile* file, StudyData* data) {
  if (file->kept() > 0) {
    const Result<CellIndex> index = file->Index();
    for (std::size_t cell = 0; index.ok() && cell < file->done().size(); ++cell)
      if (const auto kept = index->Read(cell)) Take(*kept, data);
    double kept = 0, all = 0;
    for (std::size_t cell = 0; cell < file->done().size(); ++cell) {
      const double work = plan_->WorkOf(plan_->PlaceOf(cell));
      all += work;
      kept += file->done()[cell] ? work : 0;
    }
    kept_.store(all > 0 ? kept / all : 0);
  }
  Show(*data, false);
  // no more than a small part of the time goes into what is shown between
  double next = 0;
  bool behind = false;
  const auto show = [&] {
    const double now = ClockSeconds();
    if (!behind || now < next) return;
    behind = false;
    Show(*data, false);
    next = ClockSeconds() + std::max(0.25, 10 * (ClockSeconds() - now));
  };
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) {
    file->Write(cell);
    Take(cell, data);
    behind = true;
    show();
  };
  callbacks.poll = [&](double fraction) {
    progress_.store(fraction, std::memory_order_relaxed);
    show();  // the next cell may be long in coming
    return !stopping() && file->good();
  };
  const bool whole = co_await MakeCellsInSlices(*plan_, HardwareThreads(), file->done(), callbacks);
  co_return whole && file->good();
}

void StudyJob::Take(const StudyCell& cell, StudyData* data) {
  const StudyPlan::Place place = plan_->PlaceOf(cell.cell);
  data->Add(place.run, place.index, cell);
  ++made_;
  failed_ += cell.failed ? 1 : 0;
}

void StudyJob::Show(const StudyData& data, bool whole) {
  auto shown = ShowStudy(plan_, data, made_, failed_, whole);
  const std::lock_guard lock(mutex_);
  shown_ = std::move(shown);
}

}  // namespace slip::app
