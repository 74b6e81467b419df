// A study is run beside the session (engine/core/side_work.h); nobody waits for it. What its cells
// tell so far is there to be shown at any time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/report/figure_axes.h"
#include "app/report/study_folder.h"
#include "engine/core/side_work.h"

namespace slip::app {

/// What is known of a study; it never changes.
struct StudyShown {
  std::shared_ptr<const StudyPlan> plan;  ///< of this one study
  StudyReport report;                     ///< its figures as a screen shows them
  std::vector<FigureAxes> axes;           ///< of each figure
  std::size_t made = 0;                   ///< cells
  bool whole = false;

  const Study& study() const { return plan->studies.front(); }
};

/// The cells of a study that is whole. A file of the session's goes with this; null: they are kept.
struct KeptCells {
  std::shared_ptr<const StudyPlan> plan;
  std::shared_ptr<CellFile> file;
  std::optional<CellIndex> index;
};

/// From the cells of a plan of one study, of which `made` are there.
std::shared_ptr<const StudyShown> ShowStudy(const std::shared_ptr<const StudyPlan>& plan,
                                            const StudyData& data, std::size_t made,
                                            std::size_t failed, bool whole);

class StudyJob {
 public:
  /// Called beside the session when a study is whole, with the seconds that it took.
  using Keep = std::function<void(const KeptCells& cells, double seconds)>;
  /// `plan` has one study. Cells are kept in the folder; what an interrupted job of the same plan
  /// has left there is not made again.
  StudyJob(std::shared_ptr<const StudyPlan> plan, std::string folder, RunContext context,
           Keep keep = {});
  ~StudyJob();  ///< stops; waits for the steps at hand
  StudyJob(const StudyJob&) = delete;
  StudyJob& operator=(const StudyJob&) = delete;

  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  bool stopping() const { return stop_.load(std::memory_order_relaxed); }
  double progress() const { return progress_.load(std::memory_order_relaxed); }  ///< 0 to 1
  double seconds() const;                     ///< that it has run
  std::optional<double> SecondsLeft() const;  ///< nothing while it cannot be told yet
  std::shared_ptr<const StudyShown> shown() const;
  bool done() const { return done_.load(std::memory_order_acquire); }
  // After done().
  /// Why it could not go on, a sentence; empty where it is whole or was stopped.
  const std::string& error() const { return error_; }
  /// Null unless it is whole.
  const std::shared_ptr<const KeptCells>& cells() const { return cells_; }

 private:
  Sliced<> Work();
  Sliced<> WorkToItsEnd();
  Sliced<bool> MakeCells(CellFile* file, StudyData* data);
  void Take(const StudyCell& cell, StudyData* data);
  void Show(const StudyData& data, bool whole);

  std::shared_ptr<const StudyPlan> plan_;
  std::string folder_;
  RunContext context_;
  Keep keep_;
  double begun_ = 0, ended_ = 0;  ///< [s]
  std::size_t made_ = 0, failed_ = 0;
  std::string error_;
  std::shared_ptr<const KeptCells> cells_;
  mutable std::mutex mutex_;  ///< of what is shown
  std::shared_ptr<const StudyShown> shown_;
  std::atomic<bool> stop_{false}, done_{false};
  std::atomic<double> progress_{0}, kept_{0};
  std::optional<SideWork> work_;  ///< last: everything else is there when it starts
};

}  // namespace slip::app
