// How far a study is. Cells differ in steps and in size, which is known before they are made, and
// in what their method makes of a step, which is not: cells of a run and model are weighed by the
// time that others of them have taken.
#pragma once

#include <mutex>
#include <vector>

#include "engine/study/study_plan.h"

namespace slip {

class StudyPace {
 public:
  /// `done`: cells that are there already.
  StudyPace(const StudyPlan& plan, const std::vector<bool>& done);

  // Any thread may call these.
  /// More of a cell's work (StudyPlan::WorkOf) is done.
  void Add(const StudyPlan::Place& place, double work);
  /// All of it is, and took so long [s].
  void Measure(const StudyPlan::Place& place, double work, double seconds);
  /// 0 to 1; it never falls.
  double fraction();

 private:
  struct Group {
    double all = 0, done = 0;          ///< work
    double measured = 0, seconds = 0;  ///< of the cells whose time is known
  };
  Group& Of(const StudyPlan::Place& place);

  const StudyPlan& plan_;
  std::mutex mutex_;
  std::vector<std::vector<std::size_t>> first_;  ///< group of each study's runs' first model
  std::vector<Group> groups_;
  double told_ = 0;
};

}  // namespace slip
