#include "engine/tell/param_note_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {

ParamNoteWatch::ParamNoteWatch(std::string name, double duration, double period)
    : name_(std::move(name)), duration_(duration), period_(period), looks_(true) {}

void ParamNoteWatch::Watch(const Simulation& simulation, bool last) {
  if (!looks_ || simulation.step() == 0) return;
  if (first_method_ < 0) first_method_ = simulation.config().step.method;
  const double speed = At(simulation.signals(), Signal::kImpactSpeed);
  hardest_impact_ = std::fmax(hardest_impact_, speed);
  if (simulation.time() < next_ && !last) return;
  next_ = simulation.time() + period_;
  ChannelFrame frame;
  simulation.Fill(&frame);
  RunMoment moment;
  moment.model = &simulation.model();
  const int method = frame.config.step.method;
  const bool renamed = method != first_method_;
  moment.channels = {{renamed ? std::string(Info(frame.config.method()).id) : name_, &frame}};
  moment.duration = duration_;
  moment.hardest_impact = hardest_impact_;
  std::vector<std::string_view> kinds;
  for (const ParamEntry& entry : ListParams(frame.config)) {
    for (ParamNote& note : NotesOf(moment, entry)) {
      kinds.push_back(note.id);
      if (std::find(last_.begin(), last_.end(), note.id) == last_.end()) continue;
      const auto same = std::find_if(seen_.begin(), seen_.end(),
                                     [&](const Seen& one) { return one.note.id == note.id; });
      if (same == seen_.end()) {
        seen_.push_back({std::move(note), frame.time});
      } else if (note.size > same->note.size) {
        *same = {std::move(note), frame.time};
      }
    }
  }
  last_ = std::move(kinds);
}

}  // namespace slip
