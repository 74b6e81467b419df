// The cells of all studies that are asked for, in one row: any worker makes any cell, whichever
// process it belongs to. Cells are counted study by study, run by run, as sweep_plan.h counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/run/record/recording_file.h"
#include "engine/run/study/sweep_plan.h"
#include "engine/study/study.h"
#include "engine/study/study_cell.h"

namespace slip {

struct StudyPlan {
  std::vector<Study> studies;
  SweepShard shard;

  std::size_t cells() const;
  struct Place {
    std::size_t study = 0, run = 0, index = 0;
  };
  Place PlaceOf(std::size_t cell) const;
  const StudyRun& RunOf(const Place& place) const { return studies[place.study].runs[place.run]; }
  /// Every shard.count-th cell is this part's.
  bool IsOurs(std::size_t cell) const {
    return cell % static_cast<std::size_t>(shard.count) ==
           static_cast<std::size_t>(shard.index - 1);
  }
  /// What a cell costs beside others, to tell how far the work is: steps times coordinates.
  double WorkOf(const Place& place) const;
  /// In a word, all that decides the numbers: program, files, scenes, parameters, lengths.
  std::string Hash(const RunContext& context) const;
};

struct StudyCallbacks {
  /// On the caller's thread, as they are finished.
  std::function<void(const StudyCell&)> cell;
  /// Now and then, with the share of the work that is done; false stops: cells that are finished
  /// are still delivered.
  std::function<bool(double fraction)> poll;
};

/// Makes this part's cells with `jobs` threads, but for those that are `done`; false when it was
/// stopped.
Sliced<bool> MakeCellsInSlices(const StudyPlan& plan, int jobs, std::vector<bool> done,
                               const StudyCallbacks& callbacks);
inline bool MakeStudyCells(const StudyPlan& plan, int jobs, const std::vector<bool>& done,
                           const StudyCallbacks& callbacks) {
  return MakeCellsInSlices(plan, jobs, done, callbacks).Finish();
}

}  // namespace slip
