#include "engine/study/study_pace.h"

#include <algorithm>

namespace slip {

StudyPace::StudyPace(const StudyPlan& plan, const std::vector<bool>& done) : plan_(plan) {
  for (const Study& study : plan.studies) {
    std::vector<std::size_t>& first = first_.emplace_back();
    for (const StudyRun& run : study.runs) {
      first.push_back(groups_.size());
      groups_.resize(groups_.size() + run.plan.models());
    }
  }
  for (std::size_t cell = 0; cell < plan.cells(); ++cell) {
    if (!plan.IsOurs(cell)) continue;
    const StudyPlan::Place place = plan.PlaceOf(cell);
    const double work = plan.WorkOf(place);
    Of(place).all += work;
    if (done[cell]) Of(place).done += work;
  }
}

StudyPace::Group& StudyPace::Of(const StudyPlan::Place& place) {
  return groups_[first_[place.study][place.run] + place.index % plan_.RunOf(place).plan.models()];
}

void StudyPace::Add(const StudyPlan::Place& place, double work) {
  const std::lock_guard lock(mutex_);
  Of(place).done += work;
}

void StudyPace::Measure(const StudyPlan::Place& place, double work, double seconds) {
  const std::lock_guard lock(mutex_);
  Of(place).measured += work;
  Of(place).seconds += seconds;
}

double StudyPace::fraction() {
  const std::lock_guard lock(mutex_);
  double measured = 0, seconds = 0;
  for (const Group& group : groups_) {
    measured += group.measured;
    seconds += group.seconds;
  }
  // as long as nothing is known of a group it is like the others
  const double mean = seconds > 0 ? seconds / measured : 1;
  double all = 0, done = 0;
  for (const Group& group : groups_) {
    const double rate = group.seconds > 0 ? group.seconds / group.measured : mean;
    all += rate * group.all;
    done += rate * group.done;
  }
  if (all > 0) told_ = std::max(told_, std::min(1.0, done / all));
  return told_;
}

}  // namespace slip
