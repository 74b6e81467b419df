#include "engine/tell/step_note_rows.h"

#include <fmt/format.h>

#include <numbers>

#include "engine/contact/contact_models.h"
#include "engine/contact/knobs.h"
#include "engine/core/quantity_text.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/failure_words.h"

namespace slip {
namespace {

using View = StepNotes::View;

std::string Steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }
std::string TakeLessTime(const View&) { return "a smaller time step makes less"; }
std::string Length(double x) { return FormatQuantity(x, "m"); }
std::string Speed(double v) { return FormatQuantity(v, "m/s"); }
std::string Energy(double e) { return FormatQuantity(e, "J"); }
/// Of a time that is good to two digits: "2 ms".
std::string About(double time) {
  std::string text = FormatQuantity(time, "s", 2);
  if (const std::size_t at = text.find(".0 "); at != text.npos) text.erase(at, 2);
  return text;
}

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
                   "was thrown up by its first step at {}: it starts in contact, without the gap "
                   "of {} on which this model slides",
                   Speed(v), Length(gap))
             : fmt::format(
                   "was thrown up by its first step at {}: it starts overlapping, deeper than its "
                   "weight presses this model's contact",
                   Speed(v));
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
      "left an overlap of {} by a step of {}: its springs would hold {} that no load put there",
      Length(s(Signal::kLeftOverlap)), FormatQuantity(s.h(), "s"),
      Energy(s(Signal::kOverlapEnergy)));
}
std::string ResolveOverlap(const View&) {
  return "contacts are those of a step's start: take shorter steps, or let error control choose "
         "them";
}

// Overlap of the near-rigid limit over the smallest body: at rest, and so deep that bodies pass.
constexpr double kSunkShare = 0.004, kPassedShare = 0.2;

double NearRigidShare(const View& s) { return s(Signal::kNearRigidOverlap) / s.smallest; }
double Sunk(const View& s) {
  return NearRigidShare(s) > kSunkShare ? s(Signal::kNearRigidOverlap) : 0;
}
std::string SaySunk(const View& s) {
  return fmt::format(
      "sinks {} deeper than its stiffness says: the near-rigid limit softens the contact",
      Length(s(Signal::kNearRigidOverlap)));
}
double Passed(const View& s) {
  return NearRigidShare(s) > kPassedShare ? s(Signal::kNearRigidOverlap) : 0;
}
std::string SayPassed(const View& s) {
  return fmt::format(
      "let bodies overlap by {} in an impact, where they can pass each other: the near-rigid limit "
      "softens the contact",
      Length(s(Signal::kNearRigidOverlap)));
}
std::string LowerNearRigid(const View&) {
  return "lower the near-rigid threshold (0 = off) or the time step";
}

// An impact of fewer steps is not followed; a law that leaves less of its speed surprises nobody.
constexpr double kFewSteps = 10, kSeenRebound = 0.2;

double CoarseImpact(const View& s) {
  const bool few = s(Signal::kImpactSteps) < kFewSteps;
  const double v = s(Signal::kImpactSpeed);
  const bool hits = v > kThrownSteps * s.params.gravity * s.h();
  return few && hits && s(Signal::kImpactRestitution) > kSeenRebound ? v : 0;
}
std::string SayCoarseImpact(const View& s) {
  const std::string steps = fmt::format("{:.2g}", s(Signal::kImpactSteps));
  return fmt::format(
      "has an impact at {} within {} {}: the step decides the rebound, not the damping, which "
      "would leave {:.3g} of the speed",
      Speed(s(Signal::kImpactSpeed)), steps, steps == "1" ? "step" : "steps",
      s(Signal::kImpactRestitution));
}
std::string ResolveImpact(const View& s) {
  return fmt::format("take steps below {}, or let error control choose them",
                     About(s.h() * s(Signal::kImpactSteps) / kFewSteps));
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
  return fmt::format("take steps below {}",
                     About(s(Signal::kTimeStep) * kFarTurn / s(Signal::kTurnPerStep)));
}

// Energy that the time stepping made is said where something turned by more than this in a step
// [rad], and where it is more than this share of the largest kinetic energy.
constexpr double kNoticedTurn = 0.01, kNoticedShare = 0.01;

double CreatedByTurning(const View& s) {
  // energy of a mass in its contacts is in no sum
  if (s.method().family == Family::kEngine) return 0;
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
      "made energy from nowhere while bodies turned: {}, {:.0f} % of the largest kinetic energy",
      FormatQuantity(created, "J", 2), 100 * created / s.seen.kinetic);
}

// Energy beyond the start's and all that was put in, over what was handled.
constexpr double kGainedShare = 0.01;

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
      "has {} more than it began with and was given since: the time stepping made them",
      Energy(EnergyAbove(s)));
}
std::string TakeShorterSteps(const View&) {
  return "take shorter steps, or let error control choose them";
}

double Lent(const View& s) {
  const double above = EnergyAbove(s);
  const bool exact = s.method().family == Family::kAnchored && !s.has_links;
  const bool said_before = s.seen.beyond || above > kGainedShare * s.handled;
  const bool own = s.seen.gained > 0.5 * above;
  return exact && !said_before && own && above > View::kToldShare * s.handled + s.LastBits() ? above
                                                                                             : 0;
}
std::string SayLent(const View& s) {
  return fmt::format(
      "had up to {} more than it began with and was given until then: in each step the method errs "
      "by a little of what springs take and give",
      Energy(EnergyAbove(s)));
}
std::string ShorterStepsErrByLess(const View&) { return "shorter steps err by less"; }

/// The largest share of its friction that a contact has, where that is more than all.
double BeyondCone(const View& s) {
  if (!(s(Signal::kBeyondCone) > 0)) return 0;
  const int model = s.method().contact_model;
  return model >= 0 && At(kContactModels, model).traits.lags ? s(Signal::kFrictionBudget) : 0;
}
std::string SayBeyondCone(const View& s) {
  const double times = s(Signal::kFrictionBudget);
  return fmt::format(
      "gave {:.2g} % of the contacts that carry load more friction than Coulomb allows, up to {} "
      "times as much: it is bounded by the normal force of the step before",
      100 * s.held.sum / std::max(1.0, s.seen.loaded),
      times < 100 ? fmt::format("{:.3g}", times) : fmt::format("{:.0f}", times));
}
std::string LagLess(const View&) { return "shorter steps lag by less"; }

/// Slip of a contact that pushes without a depth at which it could go on.
double Hops(const View& s) {
  const bool pushes = s.method().family == Family::kEngine && s(Signal::kNormalForce) > 0;
  return pushes && std::isnan(s(Signal::kGlidingPredicted)) ? s(Signal::kSlipSpeed) : 0;
}
std::string SayHops(const View& s) {
  return fmt::format(
      "hops: at a slip of {} its contacts push apart what slides, and act again when it has fallen",
      Speed(s(Signal::kSlipSpeed)));
}
std::string ChangeTimeConstant(const View&) {
  return "a longer time constant or a lower impedance lets it slide faster in touch";
}

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
  // of a tree's contacts, while the rest of the step may have lost as much
  const std::string energy = s.held.sum > 0 ? Energy(s.held.sum) : "energy";
  return fmt::format(
      "made {} from nothing in {}, up to {:.2g} times the energy that a step handles", energy,
      Steps(s.held.steps), s.guard.gain);
}
double MadeInAll(const View& s) { return s.guard.made; }

double Made(const View& s) { return GainedFromNothing(s) > 0 ? 0 : s.Made(); }
std::string SayMade(const View& s) {
  const bool one = s.held.steps == 1;
  std::string text =
      fmt::format("made {} beyond its balance in {}", Energy(s.held.sum), Steps(s.held.steps));
  if (!one) text += fmt::format(", up to {} in one", Energy(s.guard.made));
  if (s.handled > 0)
    text += fmt::format(", {:.2g} times the energy that there was", s.guard.made / s.handled);
  return text;
}
/// Less is nothing to interrupt anybody for.
bool IsLittle(const View& s) { return s.held.sum < kGainedShare * s.handled; }

double BeyondLimit(const View& s) { return s.IsBeyond() ? s.OverLimit() : 0; }
std::string SayBeyondLimit(const View& s) {
  const double limit = s(Signal::kStabilityLimit);
  const std::string steps = Steps(s.held.steps);
  return limit > 0
             ? fmt::format("took {} longer than its limit of stability, about {}", steps,
                           About(limit))
             : fmt::format("took {} with contacts without damping, for which no step is stable",
                           steps);
}
std::string KeepToLimit(const View& s) {
  return "beyond a limit explicit methods make energy: " + AdviceBeyond(s(Signal::kStabilityLimit));
}

double RoundOff(const View& s) { return s.guard.round_off; }
std::string SayRoundOff(const View& s) {
  return fmt::format(
      "solved {} to the last bits of their velocities only: a residual up to {:.2g}, above that of "
      "a certificate",
      Steps(s.held.steps), s.guard.round_off);
}

constexpr StepNotes::Row kStepNoteRows[] = {
    {.id = "start",
     .size = ThrownUp,
     .most = "the fastest",
     .what = SayThrownUp,
     .advice = ChangeStart},
    {.id = "overlap",
     .size = LeftOverlap,
     .most = "the most energy",
     .what = SayLeftOverlap,
     .advice = ResolveOverlap},
    {.id = "near_rigid",
     .size = Sunk,
     .most = "the deepest",
     .what = SaySunk,
     .advice = LowerNearRigid,
     .in_a_row = 5},
    {.id = "passed",
     .size = Passed,
     .most = "the deepest",
     .what = SayPassed,
     .advice = LowerNearRigid},
    {.id = "impact",
     .size = CoarseImpact,
     .most = "the hardest",
     .what = SayCoarseImpact,
     .advice = ResolveImpact,
     .elsewhere = true},
    {.id = "turn",
     .size = FarTurn,
     .most = "the farthest",
     .what = SayFarTurn,
     .advice = ResolveTurn,
     .names_body = true},
    {.id = "created",
     .size = CreatedByTurning,
     .most = "the last",
     .what = SayCreatedByTurning,
     .advice = TakeLessTime,
     .of_run = true},
    {.id = "gain",
     .size = RisenBalance,
     .most = "the most energy",
     .what = SayRisenBalance,
     .advice = TakeShorterSteps},
    {.id = "lent",
     .size = Lent,
     .most = "the most energy",
     .what = SayLent,
     .advice = ShorterStepsErrByLess},
    {.id = "halved",
     .size = Pieces,
     .most = "the most pieces",
     .what = SayPieces,
     .elsewhere = true,
     .counts = Pieces},
    {.id = "gained",
     .size = GainedFromNothing,
     .most = "the largest share",
     .what = SayGainedFromNothing,
     .advice = TakeLessTime,
     .counts = MadeInAll},
    {.id = "made",
     .size = Made,
     .most = "the most energy",
     .what = SayMade,
     .advice = ShorterStepsErrByLess,
     .is_little = IsLittle,
     .counts = Made},
    {.id = "hops",
     .size = Hops,
     .most = "the fastest",
     .what = SayHops,
     .advice = ChangeTimeConstant,
     .is_little = [](const View&) { return true; }},
    {.id = "round_off",
     .size = RoundOff,
     .most = "the largest residual",
     .what = SayRoundOff,
     .is_little = [](const View&) { return true; }},
    {.id = "cone",
     .size = BeyondCone,
     .most = "the most",
     .what = SayBeyondCone,
     .advice = LagLess,
     .is_little = [](const View&) { return true; },
     .counts = [](const View& s) { return s(Signal::kBeyondCone); }},
    {.id = "beyond",
     .size = BeyondLimit,
     .most = "the farthest",
     .what = SayBeyondLimit,
     .advice = KeepToLimit,
     .elsewhere = true},
};

}  // namespace

std::span<const StepNotes::Row> StepNoteRows() { return kStepNoteRows; }

}  // namespace slip
