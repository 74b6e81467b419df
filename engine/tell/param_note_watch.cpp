#include "engine/tell/param_note_watch.h"

#include <algorithm>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Of the notes that stay for long the one whose size may grow without an end.
constexpr std::string_view kCreep = "creep";

}  // namespace

ParamNoteWatch::ParamNoteWatch(NameOf name, double duration, double period)
    : name_(std::move(name)), duration_(duration), period_(period) {}

ParamNoteWatch::Kind& ParamNoteWatch::Of(std::string_view id) {
  const auto at = std::find_if(kinds_.begin(), kinds_.end(),
                               [id](const Kind& kind) { return kind.most.note.id == id; });
  if (at != kinds_.end()) return *at;
  kinds_.emplace_back();
  kinds_.back().most.note.id = id;
  return kinds_.back();
}

void ParamNoteWatch::Begin(const Config& config) {
  // nobody can look again at what held until then
  for (Kind& kind : kinds_) {
    kind.told = kind.told || kind.held;
    kind.held = false;
  }
  config_ = config;
  params_ = ListParams(config);
  hardest_impact_ = 0;
  grounds_.reset();
}

bool ParamNoteWatch::SaysTheSame(const NoteGrounds& grounds) const {
  if (!grounds_ || grounds.passing || grounds.contacts != grounds_->contacts) return false;
  return grounds.creep == 0 || std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
           return kind.most.note.id == kCreep && grounds.creep <= kind.most.note.size;
         });
}

void ParamNoteWatch::Take(const Simulation& simulation) {
  const double speed = At(simulation.signals(), Signal::kImpactSpeed);
  const bool harder = speed > hardest_impact_;
  if (harder) hardest_impact_ = speed;
  // words cost more than a small step
  const NoteGrounds grounds =
      FindNoteGrounds(simulation.model(), simulation.config(), simulation.contacts(), duration_);
  if (!harder && SaysTheSame(grounds)) return;
  grounds_.reset();
  if (!harder && !grounds.passing) grounds_ = grounds;
  ++looks_;
  simulation.Fill(&frame_);
  RunMoment moment;
  moment.model = &simulation.model();
  moment.channels = {{name_(frame_.config.method()), &frame_}};
  moment.duration = duration_;
  // told of the step that has it
  moment.hardest_impact = harder ? speed : 0;
  holds_.clear();
  for (const ParamEntry& entry : params_) {
    for (ParamNote& note : NotesOf(moment, entry)) {
      Kind& kind = Of(note.id);
      holds_.push_back(note.id);
      kind.told = kind.told || note.is_event;
      if (note.size > kind.most.note.size) kind.most = {std::move(note), frame_.time};
    }
  }
}

void ParamNoteWatch::Look() {
  for (Kind& kind : kinds_) {
    const bool now = std::find(holds_.begin(), holds_.end(), kind.most.note.id) != holds_.end();
    kind.told = kind.told || (now && kind.held);
    kind.held = now;
  }
}

void ParamNoteWatch::Watch(const Simulation& simulation, bool last) {
  if (!name_ || simulation.step() == 0) return;
  if (last) {
    Look();
    return;
  }
  if (simulation.config_version() != version_ && !(simulation.config() == config_))
    Begin(simulation.config());
  version_ = simulation.config_version();
  Take(simulation);
  if (simulation.time() < next_) return;
  next_ = simulation.time() + period_;
  Look();
}

std::vector<ParamNoteWatch::Seen> ParamNoteWatch::seen() const {
  std::vector<Seen> seen;
  for (const Kind& kind : kinds_)
    if (kind.told) seen.push_back(kind.most);
  return seen;
}

}  // namespace slip
