#include "engine/tell/step_note_rows.h"

#include <fmt/format.h>

#include <numbers>

#include "engine/contact/knobs.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/failure_words.h"

namespace slip {
namespace {

using View = StepNotes::View;

std::string Steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }
std::string TakeLessTime(const View&) { return "a smaller time step makes less"; }

// A start that a gliding model lifts: faster than so many steps of fall.
constexpr double kThrownSteps = 5;

double ThrownUp(const View& s) {
  const double v = s(Signal::kNormalVelocity);
  const bool pushed = s.step == 1 && s(Signal::kNormalForce) > 0;
  return pushed && v > kThrownSteps * s.params.gravity * s.h() ? v : 0;
}
std::string SayThrownUp(const View& s) {
  const double v = s(Signal::kNormalVelocity), gap = s(Signal::kGlidingPredicted);
  return gap > 0
             ? fmt::format(
                   "was thrown up by its first step at {:.3g} m/s: it starts in contact, without "
                   "the gap of {:.3g} mm on which this model slides",
                   v, 1e3 * gap)
             : fmt::format(
                   "was thrown up by its first step at {:.3g} m/s: it starts overlapping, deeper "
                   "than its weight presses this model's contact",
                   v);
}
std::string ChangeStart(const View& s) {
  return s(Signal::kGlidingPredicted) > 0
             ? "set start_offset to that gap, or to \"glide-or-rest\""
             : "start it where it touches: start_offset = \"rest\" presses by the stiffness, which "
               "SAP, Todorov and Anitescu bound or do not read";
}

// Energy of overlap beside that of motion and springs; less goes under.
constexpr double kOverlapShare = 0.1, kLeastOverlap = 1e-6;

double LeftOverlap(const View& s) {
  const double left = s(Signal::kOverlapEnergy);
  const double rest = s(Signal::kKineticEnergy) + s(Signal::kElasticEnergy);
  return left > kLeastOverlap && left > kOverlapShare * rest ? left : 0;
}
std::string SayLeftOverlap(const View& s) {
  return fmt::format(
      "left an overlap of {:.3g} mm by a step of {:.3g} ms: its springs would hold {:.3g} J that "
      "no "
      "load put there",
      1e3 * s(Signal::kLeftOverlap), 1e3 * s.h(), s(Signal::kOverlapEnergy));
}
std::string ResolveOverlap(const View&) {
  return "contacts are those of a step's start: take shorter steps, or let error_control choose "
         "them";
}

// Overlap of the near-rigid limit over the smallest body: at rest, and so deep that bodies pass.
constexpr double kSunkShare = 0.004, kPassedShare = 0.2;

double NearRigidShare(const View& s) { return s(Signal::kNearRigidOverlap) / s.smallest; }
double Sunk(const View& s) { return NearRigidShare(s) > kSunkShare ? NearRigidShare(s) : 0; }
std::string SaySunk(const View& s) {
  return fmt::format(
      "sinks {:.3g} mm deeper than its stiffness says: the near-rigid limit softens the contact",
      1e3 * s(Signal::kNearRigidOverlap));
}
double Passed(const View& s) { return NearRigidShare(s) > kPassedShare ? NearRigidShare(s) : 0; }
std::string SayPassed(const View& s) {
  return fmt::format(
      "let bodies overlap by {:.3g} mm in an impact, where they can pass each other: the "
      "near-rigid "
      "limit softens the contact",
      1e3 * s(Signal::kNearRigidOverlap));
}
std::string LowerNearRigid(const View&) { return "lower near_rigid (0 = off) or the time step"; }

// An impact of fewer steps is not followed; a law that leaves less of its speed surprises nobody.
constexpr double kFewSteps = 10, kSeenRebound = 0.2;

double CoarseImpact(const View& s) {
  const bool few = s(Signal::kImpactSteps) < kFewSteps;
  const double v = s(Signal::kImpactSpeed);
  const bool hits = v > kThrownSteps * s.params.gravity * s.h();
  return few && hits && s(Signal::kImpactRestitution) > kSeenRebound ? v : 0;
}
std::string SayCoarseImpact(const View& s) {
  return fmt::format(
      "has an impact at {:.3g} m/s within {:.2g} steps: the step decides the rebound, not the "
      "damping, which would leave {:.3g} of the speed",
      s(Signal::kImpactSpeed), s(Signal::kImpactSteps), s(Signal::kImpactRestitution));
}
std::string ResolveImpact(const View& s) {
  return fmt::format("take steps below {:.2g} ms, or let error_control choose them",
                     1e3 * s.h() * s(Signal::kImpactSteps) / kFewSteps);
}

// From this turn of a step on rolling and spinning lose their accuracy [rad].
constexpr double kFarTurn = 0.5;

double FarTurn(const View& s) {
  const double turn = s(Signal::kTurnPerStep);
  return turn > kFarTurn ? turn : 0;
}
std::string SayFarTurn(const View& s) {
  return fmt::format(
      "turns {} by {:.0f} deg in a step while it touches: rolling and spinning need a turn below "
      "{} "
      "rad",
      s.held.body.empty() ? "a body" : s.held.body,
      s(Signal::kTurnPerStep) * 180 / std::numbers::pi, kFarTurn);
}
std::string ResolveTurn(const View& s) {
  return fmt::format("take steps below {:.2g} ms",
                     1e3 * s(Signal::kTimeStep) * kFarTurn / s(Signal::kTurnPerStep));
}

// Energy that the time stepping made is said where something turned by more than this in a step
// [rad], and where it is more than this share of the largest kinetic energy.
constexpr double kNoticedTurn = 0.01, kNoticedShare = 0.01;

double CreatedByTurning(const View& s) {
  const double created = -s(Signal::kNumericalDissipation);
  const double most = s.seen.kinetic;
  // a deep overlap gives back more than it took, and that is another matter
  const bool sprung = s.seen.elastic > most || s.seen.overlap > kNoticedShare * most;
  const bool turned = s.seen.turn >= kNoticedTurn;
  return created > kNoticedShare * most && turned && !sprung ? created : 0;
}
std::string SayCreatedByTurning(const View& s) {
  const double created = -s(Signal::kNumericalDissipation);
  return fmt::format(
      "made energy from nowhere while bodies turned: {:.2g} J, {:.0f} % of the largest kinetic "
      "energy",
      created, 100 * created / s.seen.kinetic);
}

// Energy beyond the start's and all that was put in, over what was handled.
constexpr double kGainedShare = 0.01;
// The same of bodies without links on springs with anchors, whose energy is known to the last bits.
constexpr double kLentShare = 1e-6;

/// What is above the start's energy and all work: lost less than nothing [J].
double EnergyAbove(const View& s) {
  return -(s(Signal::kFrictionDissipation) + s(Signal::kDampingDissipation) +
           s(Signal::kNumericalDissipation));
}
double RisenBalance(const View& s) {
  const bool kept = (s.method().knobs & knob::kBalance) != 0;
  const bool said_before =
      s.seen.beyond || (s(Signal::kTurnPerStep) >= kNoticedTurn &&
                        s(Signal::kElasticEnergy) <= s(Signal::kKineticEnergy));
  return kept && !said_before && EnergyAbove(s) > kGainedShare * s.handled ? EnergyAbove(s) : 0;
}
std::string SayRisenBalance(const View& s) {
  return fmt::format(
      "has {:.3g} J more than it began with and was given since: the time stepping made them",
      EnergyAbove(s));
}
std::string TakeShorterSteps(const View&) {
  return "take shorter steps, or let error_control choose them";
}

double Lent(const View& s) {
  const double above = EnergyAbove(s);
  const bool exact = s.method().family == Family::kAnchored && !s.has_links;
  const bool said_before = s.seen.beyond || above > kGainedShare * s.handled;
  const bool own = s.seen.made > 0.5 * above;
  return exact && !said_before && own && above > kLentShare * s.handled ? above : 0;
}
std::string SayLent(const View& s) {
  return fmt::format(
      "had up to {:.3g} J more than it began with and was given until then: in each step the "
      "method "
      "errs by a little of what springs take and give",
      EnergyAbove(s));
}
std::string ShorterStepsErrByLess(const View&) { return "shorter steps err by less"; }

double Pieces(const View& s) { return static_cast<double>(s.guard.pieces); }
std::string SayPieces(const View& s) {
  const bool one = s.held.steps == 1;
  return fmt::format("made {} of {:.0f} shorter ones, which keep the energy that {} would not",
                     Steps(s.held.steps), s.held.sum, one ? "it" : "they");
}

double GainedFromNothing(const View& s) {
  // beyond its limit a method makes energy, and another row says so
  return s.guard.gain > kGainOfAnchors && !s.IsBeyond() ? s.guard.gain : 0;
}
std::string SayGainedFromNothing(const View& s) {
  return fmt::format(
      "made energy from nothing in {}, up to {:.2g} times the energy that a step handles",
      Steps(s.held.steps), s.guard.gain);
}

double BeyondLimit(const View& s) { return s.IsBeyond() ? s.OverLimit() : 0; }
std::string SayBeyondLimit(const View& s) {
  const double limit = s(Signal::kStabilityLimit);
  const std::string steps = Steps(s.held.steps);
  return limit > 0
             ? fmt::format("took {} longer than its limit of stability, about {:.2g} ms", steps,
                           1e3 * limit)
             : fmt::format("took {} with contacts without damping, for which no step is stable",
                           steps);
}
std::string KeepToLimit(const View& s) {
  return "beyond a limit explicit methods make energy: " + AdviceBeyond(s(Signal::kStabilityLimit));
}

constexpr StepNotes::Row kStepNoteRows[] = {
    {.id = "start", .size = ThrownUp, .what = SayThrownUp, .advice = ChangeStart},
    {.id = "overlap", .size = LeftOverlap, .what = SayLeftOverlap, .advice = ResolveOverlap},
    {.id = "near-rigid", .size = Sunk, .what = SaySunk, .advice = LowerNearRigid, .in_a_row = 5},
    {.id = "passed", .size = Passed, .what = SayPassed, .advice = LowerNearRigid},
    {.id = "impact",
     .size = CoarseImpact,
     .what = SayCoarseImpact,
     .advice = ResolveImpact,
     .elsewhere = true},
    {.id = "turn", .size = FarTurn, .what = SayFarTurn, .advice = ResolveTurn, .names_body = true},
    {.id = "created",
     .size = CreatedByTurning,
     .what = SayCreatedByTurning,
     .advice = TakeLessTime,
     .of_run = true},
    {.id = "gain", .size = RisenBalance, .what = SayRisenBalance, .advice = TakeShorterSteps},
    {.id = "lent", .size = Lent, .what = SayLent, .advice = ShorterStepsErrByLess},
    {.id = "halved", .size = Pieces, .what = SayPieces, .elsewhere = true, .counts = Pieces},
    {.id = "gained",
     .size = GainedFromNothing,
     .what = SayGainedFromNothing,
     .advice = TakeLessTime},
    {.id = "beyond",
     .size = BeyondLimit,
     .what = SayBeyondLimit,
     .advice = KeepToLimit,
     .elsewhere = true},
};

}  // namespace

std::span<const StepNotes::Row> StepNoteRows() { return kStepNoteRows; }

}  // namespace slip
