#include "engine/tell/step_notes.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/turning_bodies.h"
#include "engine/tell/step_note_rows.h"

namespace slip {

const StepNote* Find(std::span<const StepNote> notes, std::string_view id) {
  const auto at = std::find_if(notes.begin(), notes.end(),
                               [id](const StepNote& note) { return note.id == id; });
  return at == notes.end() ? nullptr : &*at;
}

StepGuard GuardOf(const SolveRecord& solve) {
  return {.pieces = solve.anchors.pieces,
          .gain = solve.gain.share,
          .gained = solve.gain.energy,
          .made = solve.made,
          .mismatch = solve.mismatch,
          .round_off = solve.converged ? solve.worst_residual : 0};
}

ToldStep TellStep(const Simulation& simulation) {
  return {simulation.signals(), simulation.config().step, simulation.step(), simulation.time(),
          GuardOf(simulation.solve())};
}

StepNotes::StepNotes(const Model& model) : held_(StepNoteRows().size()) {
  mass_ = MovingMass(model);
  has_links_ = model.articulated > 0;
  smallest_ = kInfinity;
  for (const Body& body : model.bodies) {
    if (body.Moves() && body.collides && body.bound > 0)
      smallest_ = std::min(smallest_, body.bound);
  }
}

bool StepNotes::Add(const ToldStep& step) {
  const auto more = [&step](double* most, Signal id) {
    // what is not known does not count
    if (const double value = At(step.values, id); value > *most) *most = value;
  };
  more(&seen_.kinetic, Signal::kKineticEnergy);
  more(&seen_.elastic, Signal::kElasticEnergy);
  more(&seen_.overlap, Signal::kOverlapEnergy);
  more(&seen_.turn, Signal::kTurnPerStep);
  const auto value = [&step](Signal id) { return At(step.values, id); };
  const double fall = step.params.gravity * step.params.time_step;
  handled_ =
      std::fmax(handled_, value(Signal::kKineticEnergy) + value(Signal::kElasticEnergy) +
                              std::abs(value(Signal::kDriveWork)) + 0.5 * mass_ * fall * fall);
  last_time_ = step.time;
  wants_body_ = false;
  bool says_more = false;
  static const Held kNone;
  const View whole{step.values, step.params, step.step, step.guard, smallest_,
                   handled_,    has_links_,  seen_,     kNone};
  seen_.beyond = seen_.beyond || whole.IsBeyond();
  seen_.gained += step.guard.gained;
  seen_.loaded += std::fmax(0.0, value(Signal::kSticking) + value(Signal::kSlipping));
  Held* of_row = held_.data();
  for (const Row& row : StepNoteRows()) {
    Held& held = *of_row++;
    const double size = row.size(whole);
    if (!(size > 0)) {
      held.in_a_row = 0;
      if (held.steps > 0 && row.of_run) held = {};
      continue;
    }
    if (++held.in_a_row < row.in_a_row) continue;
    if (held.steps++ == 0) held.first_time = step.time;
    if (row.counts != nullptr) held.sum += row.counts(whole);
    if (!row.of_run && !(size > held.worst)) continue;
    // of a run what grows in every step is said again when it has grown by a tenth
    says_more = says_more || !row.of_run || size > 1.1 * held.worst;
    held.worst = size;
    held.worst_time = step.time;
    held.values = step.values;
    held.params = step.params;
    held.guard = step.guard;
    wants_body_ = wants_body_ || row.names_body;
  }
  return says_more;
}

void StepNotes::SetBody(const Model& model, const ChannelFrame& frame) {
  const int body = FindFastestTurning(model, frame);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!StepNoteRows()[i].names_body || held_[i].worst_time != last_time_) continue;
    held_[i].body = body >= 0 ? model.body(body).name : std::string();
  }
  wants_body_ = false;
}

void StepNotes::Watch(const Simulation& simulation) {
  Add(TellStep(simulation));
  if (!wants_body_) return;
  ChannelFrame frame;
  simulation.Fill(&frame);
  SetBody(simulation.model(), frame);
}

StepNote StepNotes::NoteOf(const Row& row, const Held& held) const {
  const View worst{held.values, held.params, 1,     held.guard, smallest_,
                   handled_,    has_links_,  seen_, held};
  return {.id = row.id,
          .steps = held.steps,
          .first_time = held.first_time,
          .worst_time = held.worst_time,
          .worst = held.worst,
          .sum = held.sum,
          .most = row.most,
          .elsewhere = row.elsewhere,
          .is_little = row.is_little != nullptr && row.is_little(worst),
          .method = static_cast<MethodId>(held.params.method),
          .what = row.what(worst),
          .advice = row.advice != nullptr ? row.advice(worst) : std::string()};
}

std::vector<StepNote> StepNotes::List() const {
  std::vector<StepNote> notes;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].steps > 0) notes.push_back(NoteOf(StepNoteRows()[i], held_[i]));
  }
  return notes;
}

void StepNotes::Forget(double after) {
  for (Held& held : held_) {
    if (held.worst_time > after || held.first_time > after) held = {};
  }
  if (last_time_ > after) seen_ = {}, handled_ = 0;
}

}  // namespace slip
