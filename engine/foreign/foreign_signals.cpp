// The signals of a sample, from the one table that all channels have, less what no recording tells.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/foreign/foreign_joints.h"
#include "engine/foreign/foreign_measure.h"
#include "engine/sim/measure.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/step_view.h"
#include "engine/sim/turning_bodies.h"

namespace slip {
namespace {

constexpr std::string_view kNoSolver = "a recording tells nothing of a solver",
                           kNoLaw = "the engine's contact law is not known",
                           kNoStore = "what its contacts store and lose is not known",
                           kNoForces =
                               "forces: none were given, and some body touches several others or "
                               "is not in the file",
                           kNoPoints =
                               "friction of single points: none was given, and a pair touches at "
                               "several";

constexpr double kSlipsFrom = 0.95;  // share of the friction limit, as of all methods

int CountLeaning(const Model& model, const State& state) {
  int count = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.robot >= 0 || body.shape.kind == ShapeKind::kSphere) continue;
    const Vec3 up = state.X_WB[b].q * (body.X_WB.q.conjugate() * Vec3::UnitZ());
    count += up.z() < std::sqrt(0.5) ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string_view ForeignReason(Signal signal) {
  switch (signal) {
    case Signal::kIterations:
    case Signal::kInteriorPointIterations:
    case Signal::kFallbacks:
    case Signal::kLineSearchIterations:
    case Signal::kMomentumResidual:
    case Signal::kInverseDynamicsResidual:
    case Signal::kConditionNumber:
    case Signal::kConditionNumberRaw:
    case Signal::kCost:
    case Signal::kIslands:
    case Signal::kLargestIsland:
    case Signal::kConverged:
    case Signal::kInnerSteps:
    case Signal::kRejectedSteps:
    case Signal::kInnerStep:
    case Signal::kSmallestInnerStep:
    case Signal::kInnerError:
    case Signal::kFloorSteps:
    case Signal::kSolveRate:
    case Signal::kStabilityLimit:
      return kNoSolver;
    case Signal::kGlidingPredicted:
    case Signal::kCreepPredicted:
    case Signal::kStictionTolerance:
    case Signal::kMeanStictionTolerance:
    case Signal::kMaxStictionTolerance:
    case Signal::kEffectiveStiffness:
    case Signal::kEffectiveDissipation:
    case Signal::kEffectiveDamping:
    case Signal::kWithoutFriction:
    case Signal::kNearRigidOverlap:
    case Signal::kImpactSteps:
    case Signal::kImpactRestitution:
    case Signal::kContactTorque:
      return kNoLaw;
    case Signal::kElasticEnergy:
    case Signal::kMechanicalEnergy:
    case Signal::kDriveWork:
    case Signal::kFrictionDissipation:
    case Signal::kDampingDissipation:
    case Signal::kNumericalDissipation:
    case Signal::kOverlapEnergy:
    case Signal::kLeftOverlap:
      return kNoStore;
    case Signal::kNormalForce:
    case Signal::kSupportForce:
    case Signal::kMeanPenetration:
    case Signal::kMeanOverlap:
    case Signal::kGlidingOffset:
    case Signal::kGlidingOverStep:
      return kNoForces;
    case Signal::kFrictionForce:
    case Signal::kFrictionUsed:
    case Signal::kFrictionBudget:
    case Signal::kSticking:
    case Signal::kSlipping:
      return kNoPoints;
    default:
      return Info(signal).is_wall ? std::string_view("a recording has no clock")
                                  : std::string_view("nothing was in contact");
  }
}

// Judges the contacts and sums them up; the one that carries most, where forces are known, else the
// deepest.
const ContactFrame* ForeignMeasure::SumContacts(ContactTotals* sums) {
  const Model& model = run_->model();
  ContactTotals& totals = *sums;
  const ContactFrame* primary = nullptr;
  std::vector<ContactKey> loaded;
  for (ContactFrame& frame : record_.contacts) {
    const bool carries = frame.fn > 0;
    frame.mode = !carries ? ContactMode::kOpen : ContactMode::kStick;
    if (carries && frame.ft > kSlipsFrom * frame.friction * frame.fn)
      frame.mode = ContactMode::kSlip;
    const bool estimated = frame.word == kEstimated;
    JudgeFriction(FrictionBound::kCone, &frame);
    if (estimated) frame.word = kEstimated;
    frame.gliding_offset = carries ? frame.signed_distance + frame.fn / frame.stiffness : kNaN;
    frame.stiffness = kNaN;  // that of the scene's material, not the engine's
    ++totals.contacts;
    totals.normal += frame.fn;
    totals.friction += frame.ft;
    totals.penetration = std::max(totals.penetration, -frame.signed_distance);
    totals.sticking += frame.mode == ContactMode::kStick;
    totals.slipping += frame.mode == ContactMode::kSlip;
    if (carries) {
      loaded.push_back(frame.key);
      totals.loaded_penetration -= frame.signed_distance;
      totals.loaded_overlap += std::max(0.0, -frame.signed_distance);
      totals.largest_budget = std::fmax(totals.largest_budget, frame.friction_used);
      for (const int body : {frame.body, frame.body_a}) {
        if (body >= 0 && TurnsContacts(model, model.body(body)))
          totals.turn = std::max(totals.turn,
                                 config_.step.time_step * slip::At(V_WB_, body).head<3>().norm());
      }
      const auto place = static_cast<std::size_t>(&frame - record_.contacts.data());
      const bool pressed = std::find(loaded_.begin(), loaded_.end(), frame.key) != loaded_.end();
      if (!pressed && place < found_.size())
        totals.impact = std::fmax(totals.impact, std::max(0.0, -found_[place].vn0));
    }
    const bool more =
        primary == nullptr ||
        (forces_ ? frame.fn > primary->fn : frame.signed_distance < primary->signed_distance);
    if (more) primary = &frame;
  }
  loaded_ = std::move(loaded);
  return primary;
}

void ForeignMeasure::Finish(int64_t k) {
  const Model& model = run_->model();
  State& state = record_.state;
  ContactTotals totals;
  const ContactFrame* primary = SumContacts(&totals);
  const bool given = run_->has_contacts() && run_->file().has_forces();
  for (const GivenContact& contact : given_) {
    const bool moves = contact.body_a >= 0 && model.body(contact.body_a).Moves();
    if (given && !moves) totals.support += contact.f_W.z();
  }
  // else what holds all of them up is the sum of what each needs: they give each other nothing in
  // sum
  bool all = given || (run_->whole() && k > 0);
  for (std::size_t b = 0; b < model.bodies.size() && all && !given; ++b) {
    if (!model.bodies[b].Moves() || model.bodies[b].shape_of_link >= 0) continue;
    all = net_[b].known;
    totals.support += net_[b].force_W.z();
  }

  StepView step{config_, state};
  step.kinetic = CalcKineticEnergy(model, state, V_WB_);
  step.potential = CalcPotentialEnergy(model, state, CalcGravity(config_.step));
  Vec3 momentum = Vec3::Zero();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.Moves() && body.shape_of_link < 0) momentum += body.mass * V_WB_[b].tail<3>();
  }
  step.momentum = momentum.norm();
  BodyFrame lead;
  if (!model.bodies.empty()) {
    const auto b = static_cast<std::size_t>(model.lead_body);
    lead = {X_WB_[b], V_WB_[b]};
    step.lead = &lead;
    step.lead_x = model.bodies[b].X_BL.q * Vec3::UnitX();
    step.start = &model.lead_start;
    step.fallen = CountLeaning(model, state);
  }
  step.totals = &totals;
  step.primary = primary;
  ReadSignals(step, &record_.signals);
  const bool forces = forces_ && (k > 0 || run_->has_contacts());
  for (const SignalInfo& info : SignalTable()) {
    const std::string_view why = ForeignReason(info.id);
    double& value = slip::At(record_.signals, info.id);
    const bool never = why == kNoSolver || why == kNoLaw || why == kNoStore || info.is_wall;
    const bool missing =
        (why == kNoForces && !forces) || (why == kNoPoints && !(forces && friction_)) ||
        (info.id == Signal::kSupportForce && !all) ||
        ((info.id == Signal::kImpactSpeed || info.id == Signal::kTurnPerStep) && !forces);
    if (never || missing) value = kNaN;
  }
  ListJoints(model, state, &joints_);
  ReadPartSignals(model, step, joints_, record_.contacts, forces, &record_.part_signals);
}

}  // namespace slip
