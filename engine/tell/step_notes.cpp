#include "engine/tell/step_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/contact/knobs.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/failure_words.h"
#include "engine/sim/turning_bodies.h"

namespace slip {
namespace {

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
// The same of bodies without links on springs with anchors, whose energy is known to the last bits.
constexpr double kLentShare = 1e-6;
// From this turn of a step on rolling and spinning lose their accuracy [rad].
constexpr double kFarTurn = 0.5;
// Energy that the time stepping made is told of where something turned by more than this in a step
// [rad], and where it is more than this share of the largest kinetic energy.
constexpr double kNoticedTurn = 0.01, kNoticedShare = 0.01;

std::string Steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }

}  // namespace

/// What a row looks at: a step and the run before it, or the step that it says most of.
struct StepNotes::View {
  const SignalValues& values;
  const StepParams& params;
  int64_t step;  ///< its number
  const StepGuard& guard;
  double smallest, handled;
  bool has_links;
  const Seen& seen;
  const Held& held;

  double operator()(Signal signal) const { return values[static_cast<std::size_t>(signal)]; }
  double h() const { return params.time_step; }
  double NearRigidShare() const { return (*this)(Signal::kNearRigidOverlap) / smallest; }
  /// What is above the start's energy and all work: lost less than nothing [J].
  double EnergyAbove() const {
    const View& s = *this;
    return -(s(Signal::kFrictionDissipation) + s(Signal::kDampingDissipation) +
             s(Signal::kNumericalDissipation));
  }
  const MethodInfo& method() const { return Info(static_cast<MethodId>(params.method)); }
  /// The step's length over the longest stable one; NaN where none is known.
  double OverLimit() const {
    const View& s = *this;
    const double inner = s(Signal::kInnerStep), limit = s(Signal::kStabilityLimit);
    return (std::isnan(inner) ? h() : inner) / std::max(1e-300, limit);
  }
  bool IsBeyond() const {
    const bool known = !std::isnan((*this)(Signal::kStabilityLimit));
    return known && method().stable_step != nullptr && OverLimit() > 1;
  }
};

struct StepNotes::Row {
  using Phrase = std::string (*)(const View&);
  std::string_view id;
  /// How much there is to say of the step; nothing at 0 or below.
  double (*size)(const View&);
  Phrase what, advice = nullptr;
  int in_a_row = 1;  ///< so many steps, one after another, before it is said
  bool elsewhere = false;
  bool names_body = false;
  /// It is of the run up to the last step, which may take it back.
  bool of_run = false;
  double (*counts)(const View&) = nullptr;  ///< what is summed over the steps
};

std::span<const StepNotes::Row> StepNotes::Rows() {
  static constexpr Row::Phrase kLowerNearRigid = [](const View&) -> std::string {
    return "lower near_rigid (0 = off) or the time step";
  };
  static constexpr Row kRows[] = {
      {.id = "start",
       .size =
           [](const View& s) {
             const double v = s(Signal::kNormalVelocity);
             const bool pushed = s.step == 1 && s(Signal::kNormalForce) > 0;
             return pushed && v > kThrownSteps * s.params.gravity * s.h() ? v : 0;
           },
       .what =
           [](const View& s) {
             const double v = s(Signal::kNormalVelocity), gap = s(Signal::kGlidingPredicted);
             return gap > 0
                        ? fmt::format(
                              "was thrown up by its first step at {:.3g} m/s: it starts in "
                              "contact, without the gap of {:.3g} mm on which this model slides",
                              v, 1e3 * gap)
                        : fmt::format(
                              "was thrown up by its first step at {:.3g} m/s: it starts "
                              "overlapping, deeper than its weight presses this model's contact",
                              v);
           },
       .advice = [](const View& s) -> std::string {
         return s(Signal::kGlidingPredicted) > 0
                    ? "set start_offset to that gap, or to \"glide-or-rest\""
                    : "start it where it touches: start_offset = \"rest\" presses by the "
                      "stiffness, which SAP, Todorov and Anitescu bound or do not read";
       }},
      {.id = "overlap",
       .size =
           [](const View& s) {
             const double left = s(Signal::kOverlapEnergy);
             const double rest = s(Signal::kKineticEnergy) + s(Signal::kElasticEnergy);
             return left > kLeastOverlap && left > kOverlapShare * rest ? left : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "left an overlap of {:.3g} mm by a step of {:.3g} ms: its springs would hold "
                 "{:.3g} J that no load put there",
                 1e3 * s(Signal::kLeftOverlap), 1e3 * s.h(), s(Signal::kOverlapEnergy));
           },
       .advice = [](const View&) -> std::string {
         return "contacts are those of a step's start: take shorter steps, or let error_control "
                "choose them";
       }},
      {.id = "near-rigid",
       .size =
           [](const View& s) { return s.NearRigidShare() > kSunkShare ? s.NearRigidShare() : 0; },
       .what =
           [](const View& s) {
             return fmt::format(
                 "sinks {:.3g} mm deeper than its stiffness says: the near-rigid limit softens the "
                 "contact",
                 1e3 * s(Signal::kNearRigidOverlap));
           },
       .advice = kLowerNearRigid,
       .in_a_row = 5},
      {.id = "passed",
       .size =
           [](const View& s) { return s.NearRigidShare() > kPassedShare ? s.NearRigidShare() : 0; },
       .what =
           [](const View& s) {
             return fmt::format(
                 "let bodies overlap by {:.3g} mm in an impact, where they can pass each other: "
                 "the near-rigid limit softens the contact",
                 1e3 * s(Signal::kNearRigidOverlap));
           },
       .advice = kLowerNearRigid},
      {.id = "impact",
       .size =
           [](const View& s) {
             const bool few = s(Signal::kImpactSteps) < kFewSteps;
             const double v = s(Signal::kImpactSpeed);
             const bool hits = v > kThrownSteps * s.params.gravity * s.h();
             return few && hits && s(Signal::kImpactRestitution) > kSeenRebound ? v : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "has an impact at {:.3g} m/s within {:.2g} steps: the step decides the rebound, "
                 "not the damping, which would leave {:.3g} of the speed",
                 s(Signal::kImpactSpeed), s(Signal::kImpactSteps), s(Signal::kImpactRestitution));
           },
       .advice =
           [](const View& s) {
             return fmt::format("take steps below {:.2g} ms, or let error_control choose them",
                                1e3 * s.h() * s(Signal::kImpactSteps) / kFewSteps);
           },
       .elsewhere = true},
      {.id = "turn",
       .size =
           [](const View& s) {
             const double turn = s(Signal::kTurnPerStep);
             return turn > kFarTurn ? turn : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "turns {} by {:.0f} deg in a step while it touches: rolling and spinning need a "
                 "turn below {} rad",
                 s.held.body.empty() ? "a body" : s.held.body,
                 s(Signal::kTurnPerStep) * 180 / std::numbers::pi, kFarTurn);
           },
       .advice =
           [](const View& s) {
             return fmt::format("take steps below {:.2g} ms",
                                1e3 * s(Signal::kTimeStep) * kFarTurn / s(Signal::kTurnPerStep));
           },
       .names_body = true},
      {.id = "created",
       .size =
           [](const View& s) {
             const double created = -s(Signal::kNumericalDissipation);
             const double most = s.seen.kinetic;
             // a deep overlap gives back more than it took, and that is another matter
             const bool sprung = s.seen.elastic > most || s.seen.overlap > kNoticedShare * most;
             const bool turned = s.seen.turn >= kNoticedTurn;
             return created > kNoticedShare * most && turned && !sprung ? created : 0;
           },
       .what =
           [](const View& s) {
             const double created = -s(Signal::kNumericalDissipation);
             return fmt::format(
                 "made energy from nowhere while bodies turned: {:.2g} J, {:.0f} % of the largest "
                 "kinetic energy",
                 created, 100 * created / s.seen.kinetic);
           },
       .advice = [](const View&) -> std::string { return "a smaller time step makes less"; },
       .of_run = true},
      {.id = "gain",
       .size =
           [](const View& s) {
             const bool kept = (s.method().knobs & knob::kBalance) != 0;
             const bool told =
                 s.seen.beyond || (s(Signal::kTurnPerStep) >= kNoticedTurn &&
                                   s(Signal::kElasticEnergy) <= s(Signal::kKineticEnergy));
             return kept && !told && s.EnergyAbove() > kGainedShare * s.handled ? s.EnergyAbove()
                                                                                : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "has {:.3g} J more than it began with and was given since: the time stepping made "
                 "them",
                 s.EnergyAbove());
           },
       .advice = [](const View&) -> std::string {
         return "take shorter steps, or let error_control choose them";
       }},
      {.id = "lent",
       .size =
           [](const View& s) {
             const double above = s.EnergyAbove();
             const bool exact = s.method().family == Family::kAnchored && !s.has_links;
             const bool told = s.seen.beyond || above > kGainedShare * s.handled;
             const bool own = s.seen.made > 0.5 * above;
             return exact && !told && own && above > kLentShare * s.handled ? above : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "had up to {:.3g} J more than it began with and was given until then: in each "
                 "step "
                 "the method errs by a little of what springs take and give",
                 s.EnergyAbove());
           },
       .advice = [](const View&) -> std::string { return "shorter steps err by less"; }},
      {.id = "halved",
       .size = [](const View& s) { return static_cast<double>(s.guard.pieces); },
       .what =
           [](const View& s) {
             const bool one = s.held.steps == 1;
             return fmt::format(
                 "made {} of {:.0f} shorter ones, which keep the energy that {} would not",
                 Steps(s.held.steps), s.held.sum, one ? "it" : "they");
           },
       .elsewhere = true,
       .counts = [](const View& s) { return static_cast<double>(s.guard.pieces); }},
      {.id = "gained",
       .size =
           [](const View& s) {
             // beyond its limit a method makes energy, and that is told
             return s.guard.gain > kGainOfAnchors && !s.IsBeyond() ? s.guard.gain : 0;
           },
       .what =
           [](const View& s) {
             return fmt::format(
                 "made energy from nothing in {}, up to {:.2g} times the energy that a step "
                 "handles",
                 Steps(s.held.steps), s.guard.gain);
           },
       .advice = [](const View&) -> std::string { return "a smaller time step makes less"; }},
      {.id = "beyond",
       .size = [](const View& s) { return s.IsBeyond() ? s.OverLimit() : 0; },
       .what =
           [](const View& s) {
             const double limit = s(Signal::kStabilityLimit);
             const std::string steps = Steps(s.held.steps);
             return limit > 0
                        ? fmt::format("took {} longer than its limit of stability, about {:.2g} ms",
                                      steps, 1e3 * limit)
                        : fmt::format(
                              "took {} with contacts without damping, for which no step is "
                              "stable",
                              steps);
           },
       .advice = [](const View& s) -> std::string {
         return "beyond a limit explicit methods make energy: " +
                AdviceBeyond(s(Signal::kStabilityLimit));
       },
       .elsewhere = true},
  };
  return kRows;
}

const StepNote* Find(std::span<const StepNote> notes, std::string_view id) {
  const auto at = std::find_if(notes.begin(), notes.end(),
                               [id](const StepNote& note) { return note.id == id; });
  return at == notes.end() ? nullptr : &*at;
}

ToldStep TellStep(const Simulation& simulation) {
  const SolveRecord& solve = simulation.solve();
  return {simulation.signals(),
          simulation.config().step,
          simulation.step(),
          simulation.time(),
          {solve.anchors.pieces, solve.gain.share, solve.gain.energy}};
}

StepNotes::StepNotes(const Model& model) : held_(Rows().size()) {
  mass_ = MovingMass(model);
  has_links_ = model.articulated > 0;
  smallest_ = std::numeric_limits<double>::infinity();
  for (const Body& body : model.bodies) {
    if (body.Moves() && body.collides && body.bound > 0)
      smallest_ = std::min(smallest_, body.bound);
  }
}

bool StepNotes::Add(const ToldStep& step) {
  const auto more = [&step](double* most, Signal id) {
    // fmax: what is not known does not count
    *most = std::fmax(*most, step.values[static_cast<std::size_t>(id)]);
  };
  more(&seen_.kinetic, Signal::kKineticEnergy);
  more(&seen_.elastic, Signal::kElasticEnergy);
  more(&seen_.overlap, Signal::kOverlapEnergy);
  more(&seen_.turn, Signal::kTurnPerStep);
  const auto value = [&step](Signal id) { return step.values[static_cast<std::size_t>(id)]; };
  const double fall = step.params.gravity * step.params.time_step;
  handled_ =
      std::fmax(handled_, value(Signal::kKineticEnergy) + value(Signal::kElasticEnergy) +
                              std::abs(value(Signal::kDriveWork)) + 0.5 * mass_ * fall * fall);
  last_time_ = step.time;
  wants_body_ = false;
  bool told = false;
  static const Held kNone;
  const View whole{step.values, step.params, step.step, step.guard, smallest_,
                   handled_,    has_links_,  seen_,     kNone};
  seen_.beyond = seen_.beyond || whole.IsBeyond();
  seen_.made += step.guard.made;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Row& row = Rows()[i];
    Held& held = held_[i];
    const View view{step.values, step.params, step.step, step.guard, smallest_,
                    handled_,    has_links_,  seen_,     held};
    const double size = row.size(view);
    if (!(size > 0)) {
      held.in_a_row = 0;
      if (row.of_run) held = {};
      continue;
    }
    if (++held.in_a_row < row.in_a_row) continue;
    if (held.steps++ == 0) held.first_time = step.time;
    if (row.counts != nullptr) held.sum += row.counts(view);
    if (!row.of_run && !(size > held.worst)) continue;
    // of a run what grows in every step is said again when it has grown by a tenth
    told = told || !row.of_run || size > 1.1 * held.worst;
    held.worst = size;
    held.worst_time = step.time;
    held.values = step.values;
    held.params = step.params;
    held.guard = step.guard;
    wants_body_ = wants_body_ || row.names_body;
  }
  return told;
}

void StepNotes::SetBody(const Model& model, const ChannelFrame& frame) {
  const int body = FindFastestTurning(model, frame);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!Rows()[i].names_body || held_[i].worst_time != last_time_) continue;
    held_[i].body = body >= 0 ? model.bodies[static_cast<std::size_t>(body)].name : std::string();
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
          .elsewhere = row.elsewhere,
          .what = row.what(worst),
          .advice = row.advice != nullptr ? row.advice(worst) : std::string()};
}

std::vector<StepNote> StepNotes::List() const {
  std::vector<StepNote> notes;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].steps > 0) notes.push_back(NoteOf(Rows()[i], held_[i]));
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
