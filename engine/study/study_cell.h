// One cell of a study: a run of one method at one point of the axes, as a row of text and samples.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/study/made_once.h"
#include "engine/run/study/work_pool.h"
#include "engine/study/study.h"

namespace slip {

/// What a cell gave. The texts are lines of CSV without their ends.
struct StudyCell {
  std::size_t cell = 0;  ///< of the plan, from 0
  bool failed = false;
  std::string row;                   ///< as StudyRowHeader names it
  std::vector<std::string> samples;  ///< as StudyRun::SampleColumns
};

/// Samples of a run at multiples of a grid, angles without jumps of full turns.
class GridSamples {
 public:
  GridSamples(const StudyReference& reference, double duration)
      : reference_(reference),
        duration_(duration),
        now_(reference.signals.size()),
        before_(reference.signals.size(), kNaN),
        turns_(reference.signals.size(), 0) {}
  void Add(const Simulation& simulation);
  /// A row of values for each multiple of the grid; none when steps missed one.
  const std::vector<double>& values() const { return values_; }
  bool IsWhole() const;

 private:
  const StudyReference& reference_;
  double duration_;
  std::vector<double> now_, before_, turns_, values_;
  int64_t next_ = 1;
  bool missed_ = false;
};

/// Samples of the reference runs of the cells. Empty: it failed, or its steps miss the grid.
using StudyReferences = MadeOnce<std::string, std::vector<double>>;

/// Number of the cell within its run from 1, axes, model, status, the run's columns, note.
std::string StudyRowHeader(const StudyRun& run);
/// Cell, axes and model, then the signals.
std::string StudySampleHeader(const StudyRun& run);
/// Cells of text before those of the columns.
inline std::size_t StudyRowBegin(const StudyRun& run) { return run.plan.axes.size() + 3; }

/// Makes cell `index` of a run; null when it was stopped.
Sliced<std::unique_ptr<StudyCell>> MakeStudyCell(const StudyRun& run, std::size_t index,
                                                 StudyReferences* references,
                                                 const WorkWatch& watch);

}  // namespace slip
