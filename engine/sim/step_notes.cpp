#include "engine/sim/step_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/knobs.h"
#include "engine/sim/energy_gain.h"

namespace slip {
namespace {

/// A step, and what its numbers are measured by.
struct NotedStep {
  const SignalValues& values;
  const StepParams& params;
  int64_t step;
  double smallest;  ///< radius of the smallest body that moves [m]
  double handled;   ///< most energy of motion and springs so far, work, a step's fall [J]

  double operator()(Signal signal) const { return values[static_cast<std::size_t>(signal)]; }
  double h() const { return params.time_step; }
};

using Phrase = std::string (*)(const NotedStep&);

struct NoteRow {
  std::string_view id;
  int in_a_row;  ///< so many steps, one after another, before it is said
  /// How much there is to say of the step; nothing at 0 or below.
  double (*size)(const NotedStep&);
  Phrase what, advice;
  bool beside_row = false;
};

// A start that a gliding model lifts: faster than so many steps of fall.
constexpr double kThrownSteps = 5;
// Energy of overlap beside that of motion and springs; less goes under.
constexpr double kOverlapShare = 0.1, kLeastOverlap = 1e-6;
// Overlap of the near-rigid limit over the smallest body: at rest, and so deep that bodies pass.
constexpr double kSunkShare = 0.004, kPassedShare = 0.2;
// An impact of fewer steps is not followed; a law that leaves less of its speed surprises nobody.
constexpr double kFewSteps = 10, kSeenRebound = 0.2;

// Energy beyond the start's and all that was put in, over what was handled.
constexpr double kGainedShare = 0.01;
// What turned farther in a step while it touched is told by its own note [rad].
constexpr double kTurnedFar = 0.01;

double NearRigidShare(const NotedStep& s) { return s(Signal::kNearRigidOverlap) / s.smallest; }

std::string NearRigidAdvice(const NotedStep&) {
  return "lower near_rigid (0 = off) or the time step";
}

// What is above the start's energy and all work: lost less than nothing.
double EnergyAbove(const NotedStep& s) {
  return -(s(Signal::kFrictionDissipation) + s(Signal::kDampingDissipation) +
           s(Signal::kNumericalDissipation));
}

constexpr NoteRow kRows[] = {
    {"start", 1,
     [](const NotedStep& s) {
       const double v = s(Signal::kNormalVelocity);
       const bool pushed = s.step == 1 && s(Signal::kNormalForce) > 0;
       return pushed && v > kThrownSteps * s.params.gravity * s.h() ? v : 0;
     },
     [](const NotedStep& s) {
       const double v = s(Signal::kNormalVelocity), gap = s(Signal::kGlidingPredicted);
       return gap > 0 ? fmt::format(
                            "was thrown up by its first step at {:.3g} m/s: it starts in contact, "
                            "without the gap of {:.3g} mm on which this model slides",
                            v, 1e3 * gap)
                      : fmt::format(
                            "was thrown up by its first step at {:.3g} m/s: it starts overlapping, "
                            "deeper than its weight presses this model's contact",
                            v);
     },
     [](const NotedStep& s) -> std::string {
       return s(Signal::kGlidingPredicted) > 0
                  ? "set start_offset to that gap, or to \"glide-or-rest\""
                  : "start it where it touches: start_offset = \"rest\" presses by the stiffness, "
                    "which SAP, Todorov and Anitescu bound or do not read";
     }},
    {"overlap", 1,
     [](const NotedStep& s) {
       const double left = s(Signal::kOverlapEnergy);
       const double rest = s(Signal::kKineticEnergy) + s(Signal::kElasticEnergy);
       return left > kLeastOverlap && left > kOverlapShare * rest ? left : 0;
     },
     [](const NotedStep& s) {
       return fmt::format(
           "left an overlap of {:.3g} mm by a step of {:.3g} ms: its springs would hold {:.3g} J "
           "that "
           "no load put there",
           1e3 * s(Signal::kLeftOverlap), 1e3 * s.h(), s(Signal::kOverlapEnergy));
     },
     [](const NotedStep&) -> std::string {
       return "contacts are those of a step's start: take shorter steps, or let error_control "
              "choose "
              "them";
     }},
    {"near-rigid", 5,
     [](const NotedStep& s) { return NearRigidShare(s) > kSunkShare ? NearRigidShare(s) : 0; },
     [](const NotedStep& s) {
       return fmt::format(
           "sinks {:.3g} mm deeper than its stiffness says: the near-rigid limit softens the "
           "contact",
           1e3 * s(Signal::kNearRigidOverlap));
     },
     NearRigidAdvice},
    {"passed", 1,
     [](const NotedStep& s) { return NearRigidShare(s) > kPassedShare ? NearRigidShare(s) : 0; },
     [](const NotedStep& s) {
       return fmt::format(
           "let bodies overlap by {:.3g} mm in an impact, where they can pass each other: the "
           "near-rigid limit softens the contact",
           1e3 * s(Signal::kNearRigidOverlap));
     },
     NearRigidAdvice},
    {"impact", 1,
     [](const NotedStep& s) {
       const bool few = s(Signal::kImpactSteps) < kFewSteps;
       const double v = s(Signal::kImpactSpeed);
       const bool hits = v > kThrownSteps * s.params.gravity * s.h();
       return few && hits && s(Signal::kImpactRestitution) > kSeenRebound ? v : 0;
     },
     [](const NotedStep& s) {
       return fmt::format(
           "has an impact at {:.3g} m/s within {:.2g} steps: the step decides the rebound, not the "
           "damping, which would leave {:.3g} of the speed",
           s(Signal::kImpactSpeed), s(Signal::kImpactSteps), s(Signal::kImpactRestitution));
     },
     [](const NotedStep& s) {
       return fmt::format("take steps below {:.2g} ms, or let error_control choose them",
                          1e3 * s.h() * s(Signal::kImpactSteps) / kFewSteps);
     },
     true},
    {"gain", 1,
     [](const NotedStep& s) {
       const MethodInfo& method = Info(static_cast<MethodId>(s.params.method));
       const bool kept = (method.knobs & knob::kBalance) != 0;
       const bool told = s(Signal::kTurnPerStep) >= kTurnedFar &&
                         s(Signal::kElasticEnergy) <= s(Signal::kKineticEnergy);
       return kept && !told && EnergyAbove(s) > kGainedShare * s.handled ? EnergyAbove(s) : 0;
     },
     [](const NotedStep& s) {
       return fmt::format(
           "has {:.3g} J more than it began with and was given since: the time stepping made them",
           EnergyAbove(s));
     },
     [](const NotedStep&) -> std::string {
       return "take shorter steps, or let error_control choose them";
     }},
};
constexpr std::size_t kRowCount = std::size(kRows);

}  // namespace

StepNotes::StepNotes(const Model& model) : held_(kRowCount) {
  mass_ = MovingMass(model);
  smallest_ = std::numeric_limits<double>::infinity();
  for (const Body& body : model.bodies) {
    if (body.Moves() && body.collides && body.bound > 0)
      smallest_ = std::min(smallest_, body.bound);
  }
}

bool StepNotes::Add(const SignalValues& values, const Config& config, int64_t step, double time) {
  bool told = false;
  const auto value = [&values](Signal id) { return values[static_cast<std::size_t>(id)]; };
  const double fall = config.step.gravity * config.step.time_step;
  handled_ =
      std::fmax(handled_, value(Signal::kKineticEnergy) + value(Signal::kElasticEnergy) +
                              std::abs(value(Signal::kDriveWork)) + 0.5 * mass_ * fall * fall);
  const NotedStep noted{values, config.step, step, smallest_, handled_};
  for (std::size_t i = 0; i < held_.size(); ++i) {
    Held& held = held_[i];
    const double size = kRows[i].size(noted);
    if (!(size > 0)) {
      held.in_a_row = 0;
      continue;
    }
    if (++held.in_a_row < kRows[i].in_a_row) continue;
    if (held.steps++ == 0) held.first_time = time;
    if (!(size > held.worst)) continue;
    held.worst = size;
    held.worst_time = time;
    held.values = values;
    held.params = config.step;
    told = true;
  }
  return told;
}

std::vector<StepNote> StepNotes::List() const {
  std::vector<StepNote> notes;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Held& held = held_[i];
    if (held.steps == 0) continue;
    const NotedStep worst{held.values, held.params, 1, smallest_, handled_};
    notes.push_back({kRows[i].id, held.steps, held.first_time, held.worst_time, kRows[i].beside_row,
                     kRows[i].what(worst), kRows[i].advice(worst)});
  }
  return notes;
}

void StepNotes::Forget(double after) {
  for (Held& held : held_) {
    if (held.worst_time > after || held.first_time > after) held = {};
  }
}

}  // namespace slip
