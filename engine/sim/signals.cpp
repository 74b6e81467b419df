#include "engine/sim/signals.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/step_view.h"

namespace slip {
namespace {

using S = Signal;

// Readers of the members of what a step measured.
template <auto kMember>
double Total(const StepView& s) {
  return s.totals != nullptr ? s.totals->*kMember : kNaN;
}
template <auto kMember>
double MeanOverLoaded(const StepView& s) {
  const bool loaded = s.totals != nullptr && s.totals->loaded() > 0;
  return loaded ? s.totals->*kMember / s.totals->loaded() : kNaN;
}
template <auto kMember>
double Primary(const StepView& s) {
  return s.primary != nullptr ? s.primary->*kMember : kNaN;
}
template <auto kMember>
double Solved(const StepView& s) {
  return s.solve != nullptr ? s.solve->*kMember : kNaN;
}
template <auto kMember>
double Ledger(const StepView& s) {
  return s.state.energy.*kMember;
}
template <auto kMember>
double Timed(const StepView& s) {
  return s.times != nullptr ? s.times->*kMember : kNaN;
}
template <int kAxis>
double Position(const StepView& s) {
  return s.lead != nullptr ? s.lead->X_WB.p[kAxis] : kNaN;
}
template <int kIndex>
double Velocity(const StepView& s) {
  return s.lead != nullptr ? s.lead->V_WB[kIndex] : kNaN;
}

template <auto kMember>
double OfJoint(const StepView& s) {
  return s.joint->*kMember;
}
template <auto kMember>
double OfFoot(const StepView& s) {
  return s.foot->*kMember;
}

template <int kAxis>
double OfBody(const StepView& s) {
  return s.body->X_WB.p[kAxis];
}

double Pitch(const StepView& s) {
  if (s.lead == nullptr) return kNaN;
  // R = R_y(θ) maps x to (cos θ, 0, −sin θ)
  const Vec3 x_axis = s.lead->X_WB.q * s.lead_x;
  return std::atan2(-x_axis.z(), x_axis.x());
}

double TiltAngle(const StepView& s) {
  if (s.lead == nullptr || s.start == nullptr) return kNaN;
  const Quat turn = s.lead->X_WB.q * s.start->q.conjugate();
  return 2 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}

double Rise(const StepView& s) {
  if (s.lead == nullptr || s.start == nullptr) return kNaN;
  return s.lead->X_WB.p.z() - s.start->p.z();
}

double Fallen(const StepView& s) { return s.fallen; }

double GlidingOverStep(const StepView& s) {
  return s.primary != nullptr ? s.primary->gliding_offset / s.config.step.time_step : kNaN;
}

double LeftOverlap(const StepView& s) {
  if (s.totals == nullptr) return kNaN;
  return s.state.energy.overlap > 0 ? s.totals->unloaded_overlap : 0;
}

double LargestTolerance(const StepView& s) {
  return s.totals != nullptr && s.totals->loaded() > 0 ? s.totals->largest_tolerance : kNaN;
}

double FrictionUsed(const StepView& s) {
  return s.primary != nullptr ? s.primary->friction_used : kNaN;
}

// All over: r/|f| with the norm in which impulses are energies.
double CoulombRelative(const StepView& s) {
  if (s.totals == nullptr || std::isnan(s.totals->coulomb_distance)) return kNaN;
  const ContactTotals& t = *s.totals;
  return t.weighted_force > 0 ? std::sqrt(t.weighted_distance / t.weighted_force) : 0;
}

double BeltSpeed(const StepView& s) {
  if (s.config.surfaces.empty()) return kNaN;
  return s.config.surfaces.front().Velocity(s.state.Time(s.config.step.time_step));
}

double SolveRate(const StepView& s) {
  return s.solve != nullptr ? s.solve->solves / s.config.step.time_step : kNaN;
}

double Unknowns(const StepView& s) {
  return s.solve != nullptr && s.solve->system_size > 0 ? s.solve->system_size : kNaN;
}

template <auto kMember>
double OfProgram(const StepView& s) {
  const bool has = s.solve != nullptr && Info(s.config.method()).family == Family::kProgram;
  return has ? s.solve->program.*kMember : kNaN;
}

// Times that end after the signals are read: the simulation sets them.
double SetAfterwards(const StepView&) { return kNaN; }

// clang-format off
constexpr SignalInfo kSignals[] = {
  {S::kNormalForce, Total<&ContactTotals::normal>, "normal_force", "Normal force", "f_n", "N", 1e-9, "Sum of the normal contact forces on the bodies.", false},
  {S::kFrictionForce, Total<&ContactTotals::friction>, "friction_force", "Friction force", "f_t", "N", 1e-9, "Sum of the friction force magnitudes.", false},
  {S::kSignedDistance, Primary<&ContactFrame::signed_distance>, "signed_distance", "Signed distance", "φ", "m", 1e-9, "At the end of the step, at the contact that carries most; negative = penetration.", false},
  {S::kSupportForce, Total<&ContactTotals::support>, "support_force", "Support force", "f_z", "N", 1e-9, "Vertical force of surfaces and fixed bodies on all bodies together.", false},
  {S::kPenetration, Total<&ContactTotals::penetration>, "max_penetration", "Largest penetration", "x", "m", 1e-9, "Largest penetration of any contact, zero when none overlaps.", false},
  {S::kMeanPenetration, MeanOverLoaded<&ContactTotals::loaded_penetration>, "mean_penetration", "Mean penetration", "x", "m", 1e-9, "Mean of -φ over the contacts that carry load: negative where they carry it across gaps.", true},
  {S::kMeanOverlap, MeanOverLoaded<&ContactTotals::loaded_overlap>, "mean_overlap", "Mean overlap", "x", "m", 1e-9, "Mean over the contacts that carry load of how deep they overlap; those across a gap count as 0.", true},
  {S::kNormalVelocity, Primary<&ContactFrame::vn>, "normal_velocity", "Normal velocity", "v_n", "m/s", 1e-9, "At the contact that carries most; positive separates.", false},
  {S::kSlipSpeed, Primary<&ContactFrame::vt>, "slip_speed", "Slip speed", "|v_t|", "m/s", 1e-9, "Tangential speed of the body relative to the surface.", false},
  {S::kImpactSpeed, Total<&ContactTotals::impact>, "impact_speed", "Impact speed", "v_i", "m/s", 1e-9, "Approach speed before the step, the largest of the contacts that touch in it.", false},
  {S::kGlidingOffset, Primary<&ContactFrame::gliding_offset>, "gliding_offset", "Gliding offset", "φ_g", "m", 1e-9, "Signed distance minus the one at which the normal law alone carries the load.", false},
  {S::kGlidingPredicted, Primary<&ContactFrame::gliding_predicted>, "gliding_predicted", "Gliding offset, predicted", "φ_g", "m", 1e-9, "The model's steady gliding offset at the present slip speed and load.", false},
  {S::kCreepPredicted, Primary<&ContactFrame::creep_predicted>, "creep_predicted", "Creep speed, predicted", "v_c", "m/s", 1e-12, "Slip speed in stiction that carries the present friction force.", true},
  {S::kStictionTolerance, Primary<&ContactFrame::stiction_tolerance>, "effective_stiction_tolerance", "Effective stiction tolerance", "v_s", "m/s", 0, "Slip speed at which the model goes from stick to slip under the present load.", true},
  {S::kMeanStictionTolerance, MeanOverLoaded<&ContactTotals::loaded_tolerance>, "mean_stiction_tolerance", "Mean stiction tolerance", "v_s", "m/s", 0, "Effective stiction tolerance, mean over the contacts that carry load.", true},
  {S::kMaxStictionTolerance, LargestTolerance, "max_stiction_tolerance", "Largest stiction tolerance", "v_s", "m/s", 0, "Effective stiction tolerance, largest of the contacts that carry load.", true},
  {S::kEffectiveStiffness, Primary<&ContactFrame::stiffness>, "effective_stiffness", "Effective stiffness", "k_eff", "N/m", 0, "Normal stiffness after the model's own modulation and the near-rigid limit.", true},
  {S::kEffectiveDissipation, Primary<&ContactFrame::dissipation>, "effective_dissipation", "Effective dissipation", "d_eff", "s/m", 0, "Hunt-Crossley dissipation after the model's own modulation.", true},
  {S::kEffectiveDamping, Primary<&ContactFrame::damping>, "effective_damping", "Effective damping", "c_eff", "N s/m", 0, "Linear normal damping after the model's own modulation.", true},
  {S::kFrictionUsed, FrictionUsed, "friction_used", "Friction used, strongest", "f_t/μf_n", "", 1e-6, "Of the strongest contact, that with the largest normal force: friction force over the Coulomb limit; with torsion |(f_t/μ, T/μ_w)|/f_n, of quasi-dynamic steps (|f_t1|/μ + |f_t2|/μ + |T|/μ_w)/f_n.", false},
  {S::kBeltSpeed, BeltSpeed, "belt_velocity", "Belt velocity", "u", "m/s", 1e-9, "Prescribed velocity of the first moving surface.", false},
  {S::kIterations, Solved<&SolveSummary::iterations>, "iterations", "Newton iterations", "", "", 0, "Newton and interior-point iterations of the hardest island.", false, true},
  {S::kInteriorPointIterations, Solved<&SolveSummary::interior_point_iterations>, "interior_point_iterations", "Interior-point iterations", "", "", 0, "Of these, iterations of the cone interior point.", false, true},
  {S::kFallbacks, Solved<&SolveSummary::fallbacks>, "fallbacks", "Fallbacks", "", "", 0, "Islands that needed the plain solver after the fast one.", false, true},
  {S::kLineSearchIterations, Solved<&SolveSummary::line_search_iterations>, "line_search_iterations", "Line search evaluations", "", "", 0, "Cost evaluations along all search lines of the step.", false, true},
  {S::kMomentumResidual, Solved<&SolveSummary::momentum_residual>, "momentum_residual", "Momentum residual", "", "", 0, "Scaled residual of the momentum balance, relative.", true},
  {S::kInverseDynamicsResidual, Solved<&SolveSummary::inverse_dynamics_residual>, "inverse_dynamics_residual", "Inverse-dynamics residual", "", "", 0, "Momentum residual relative to the contact impulses (PCF, 6.1.4).", true},
  {S::kConditionNumber, Solved<&SolveSummary::condition_number>, "condition_number", "Condition number", "κ", "", 0, "Of the Hessian scaled to unit inertia, at convergence.", true},
  {S::kConditionNumberRaw, Solved<&SolveSummary::condition_number_raw>, "condition_number_raw", "Condition number, unscaled", "κ", "", 0, "Of the Hessian as it is, at convergence.", true},
  {S::kCost, Solved<&SolveSummary::cost>, "cost", "Cost", "ℓ", "J", 1e-15, "Primal cost at convergence.", false},
  {S::kIslands, Solved<&SolveSummary::islands>, "islands", "Islands", "", "", 0, "Groups of touching bodies, each solved on its own.", false, true},
  {S::kLargestIsland, Solved<&SolveSummary::largest_island>, "largest_island", "Largest island", "", "", 0, "Bodies in the largest group.", false, true},
  {S::kContacts, Total<&ContactTotals::contacts>, "contacts", "Contacts", "", "", 0, "Contacts in the step's problem.", false, true},
  {S::kSticking, Total<&ContactTotals::sticking>, "sticking", "Sticking contacts", "", "", 0, "Contacts that carry load and slip no faster than the speed at which the method's friction has reached 95 % of its limit.", false, true},
  {S::kSlipping, Total<&ContactTotals::slipping>, "slipping", "Slipping contacts", "", "", 0, "Contacts that carry load and slip faster than that.", false, true},
  {S::kWithoutFriction, Total<&ContactTotals::without_friction>, "contacts_without_friction", "Contacts without friction", "", "", 0, "Contacts that carry load while their friction is bounded by the normal impulse of the step before, and that was zero.", false, true},
  {S::kKineticEnergy, [](const StepView& s) { return s.kinetic; }, "kinetic_energy", "Kinetic energy", "T", "J", 1e-10, "Of all bodies.", false},
  {S::kPotentialEnergy, [](const StepView& s) { return s.potential; }, "potential_energy", "Potential energy", "V", "J", 1e-12, "Of gravity, zero at the world origin.", false},
  {S::kElasticEnergy, [](const StepView& s) { return s.elastic; }, "elastic_energy", "Elastic energy", "U", "J", 1e-15, "Stored by the normal laws at the end of the step.", false},
  {S::kMechanicalEnergy, Ledger<&EnergyLedger::mechanical>, "mechanical_energy", "Mechanical energy", "E", "J", 1e-12, "Kinetic + potential + elastic.", false},
  {S::kDriveWork, Ledger<&EnergyLedger::drive_work>, "drive_work", "Work of drives", "W", "J", 1e-12, "Done by belts, motors and the mouse spring since the start.", false},
  {S::kFrictionDissipation, Ledger<&EnergyLedger::friction>, "friction_dissipation", "Lost to friction", "", "J", 1e-12, "Since the start.", false},
  {S::kDampingDissipation, Ledger<&EnergyLedger::damping>, "damping_dissipation", "Lost to damping", "", "J", 1e-12, "Lost in the normal dampers since the start.", false},
  {S::kNumericalDissipation, Ledger<&EnergyLedger::numerical>, "numerical_dissipation", "Lost to the time stepping", "", "J", 1e-12, "What the balance leaves since the start; negative = energy created.", false},
  {S::kPositionX, Position<0>, "position_x", "Position x", "x", "m", 1e-9, "Centre of mass of the first body.", false},
  {S::kPositionZ, Position<2>, "position_z", "Height z", "z", "m", 1e-9, "Centre of mass of the first body.", false},
  {S::kVelocityX, Velocity<3>, "velocity_x", "Velocity x", "v_x", "m/s", 1e-9, "Of the first body.", false},
  {S::kVelocityZ, Velocity<5>, "velocity_z", "Velocity z", "v_z", "m/s", 1e-9, "Of the first body.", false},
  {S::kPitch, Pitch, "pitch", "Pitch", "θ", "rad", 1e-9, "Rotation of the first body about y.", false},
  {S::kPitchRate, Velocity<1>, "pitch_rate", "Pitch rate", "ω", "rad/s", 1e-9, "Of the first body about y.", false},
  {S::kTimeStep, [](const StepView& s) { return s.config.step.time_step; }, "step_size", "Time step", "δt", "s", 0, "Time step in force.", true},
  {S::kStabilityLimit, [](const StepView& s) { return s.solve != nullptr ? s.solve->stable_step : kNaN; }, "stability_limit", "Stability limit", "δt", "s", 0, "Longest stable time step of contacts with anchors as they touch: the method's own, or explicit Euler's beside a method without one.", true},
  {S::kConverged, Solved<&SolveSummary::converged>, "converged", "Converged", "", "", 0, "1 when the step met the tolerance, else 0.", false, true},
  {S::kStepTimeUs, SetAfterwards, "step_wall_us", "Step wall time", "", "µs", 0, "Wall time of the step; wall times are the signals that are not reproducible.", true, false, true},
  {S::kDetectionTimeUs, Timed<&StageTimes::detection_us>, "detection_wall_us", "Detection wall time", "", "µs", 0, "Of the step, the part that finds contacts.", true, false, true},
  {S::kAssemblyTimeUs, Timed<&StageTimes::assembly_us>, "assembly_wall_us", "Assembly wall time", "", "µs", 0, "Of the step, the part that writes its problem: inertia, free motion, Jacobians.", true, false, true},
  {S::kSolveTimeUs, Timed<&StageTimes::solve_us>, "solve_wall_us", "Solve wall time", "", "µs", 0, "Of the step, the part that solves the problem; condition numbers included.", true, false, true},
  {S::kMeasureTimeUs, SetAfterwards, "measure_wall_us", "Measure wall time", "", "µs", 0, "Of the step, the part that turns the solution into forces, energies and signals.", true, false, true},
  {S::kTimedStepUs, SetAfterwards, "timed_step_wall_us", "Timed step, wall time", "", "µs", 0, "The step that the parts were timed in: of short steps only some are.", true, false, true},
  {S::kInnerSteps, Solved<&SolveSummary::inner_steps>, "inner_steps", "Inner steps", "", "", 0, "Under controlled error: inner steps that make up this one.", false, true},
  {S::kRejectedSteps, Solved<&SolveSummary::rejected_steps>, "rejected_steps", "Rejected steps", "", "", 0, "Under controlled error: inner steps that were tried and found too long.", false, true},
  {S::kInnerStep, Solved<&SolveSummary::inner_step>, "inner_step", "Inner step", "δt_i", "s", 0, "Under controlled error: length of the last inner step.", true},
  {S::kSmallestInnerStep, Solved<&SolveSummary::smallest_inner_step>, "smallest_inner_step", "Smallest inner step", "δt_i", "s", 0, "Under controlled error: length of the shortest inner step within this one.", true},
  {S::kInnerError, Solved<&SolveSummary::inner_error>, "inner_error", "Error over accuracy", "e/a", "", 0, "Under controlled error: estimated error of the last inner step over the accuracy.", true},
  {S::kFloorSteps, Solved<&SolveSummary::floor_steps>, "floor_steps", "Steps at the floor", "", "", 0, "Under controlled error: inner steps taken at the smallest length, whatever their error.", false, true},
  {S::kSolveRate, SolveRate, "solve_rate", "Solves per second", "", "1/s", 0, "Under controlled error: steps solved, tried ones included, per simulated second.", true},
  {S::kTiltAngle, TiltAngle, "tilt_angle", "Rotation", "θ", "rad", 1e-9, "Angle of the rotation of the first body from its start pose, about whatever axis.", false},
  {S::kRise, Rise, "rise", "Rise", "Δz", "m", 1e-9, "Height of the first body's centre of mass above that of its start pose.", false},
  {S::kFrictionBudget, Total<&ContactTotals::largest_budget>, "friction_budget", "Largest friction used", "", "", 1e-6, "Largest share among contacts that carry load: |(f_t/μ, T/μ_w)|/f_n, of quasi-dynamic steps (|f_t1|/μ + |f_t2|/μ + |T|/μ_w)/f_n.", false},
  {S::kContactTorque, Total<&ContactTotals::largest_torque>, "contact_torque", "Contact torque", "T", "N m", 1e-12, "Largest torque of torsional friction about the normal of a contact; none where no contact has torsion.", false},
  {S::kFallen, Fallen, "fallen", "Fallen bodies", "", "", 0, "Bodies that lean by more than 45 degrees from how they stood at the start; balls and robots do not count.", false, true},
  {S::kGlidingOverStep, GlidingOverStep, "gliding_over_step", "Gliding offset over step", "φ_g/δt", "m/s", 1e-6, "Gliding offset divided by the time step: runs of all steps fall on one curve (PCF, 6.1).", false},
  {S::kOverlapEnergy, Ledger<&EnergyLedger::overlap>, "overlap_energy", "Energy of overlap", "U_o", "J", 1e-15, "What the normal laws would hold of overlap that a step left and no load made; not in the elastic energy.", false},
  {S::kLeftOverlap, LeftOverlap, "left_overlap", "Overlap left by a step", "x_o", "m", 1e-9, "Deepest overlap beyond what its load presses, where a step has left energy of overlap; else 0.", false},
  {S::kNearRigidOverlap, Total<&ContactTotals::near_rigid_overlap>, "near_rigid_overlap", "Overlap of the near-rigid limit", "x_r", "m", 1e-9, "Deepest overlap beyond what the stiffness asked for would have, of contacts that the near-rigid limit softens.", false},
  {S::kImpactSteps, Total<&ContactTotals::impact_steps>, "impact_steps", "Steps of an impact", "", "", 1e-6, "Period of the contact of the step's fastest impact, in time steps.", false},
  {S::kImpactRestitution, Total<&ContactTotals::impact_restitution>, "impact_restitution", "Restitution of an impact, predicted", "e", "", 1e-6, "Share of the speed that the damping of that contact leaves of a free impact, however long the step.", false},
  {S::kLinearMomentum, [](const StepView& s) { return s.momentum; }, "linear_momentum", "Linear momentum", "|p|", "kg m/s", 1e-12, "Size of the sum of m v over all that moves; of convex steps, whose velocities belong to the middle between two poses, with the pose half a step back.", false},
  {S::kTurnPerStep, Total<&ContactTotals::turn>, "turn_per_step", "Turn per step", "δt |ω|", "rad", 1e-9, "Largest angle by which a free body turns in the step while it touches; balls do not count.", false},
  {S::kCoulombDistance, Total<&ContactTotals::coulomb_distance>, "coulomb_distance_N", "Distance from Coulomb", "", "N", 1e-9, "Largest of the contacts: how far force and velocity at the end of the step are from Coulomb's friction with the scene's normal law, as a force. It saturates near √(1 + μ²) f_n where a model glides: see the offset.", true},
  {S::kCoulombRelative, CoulombRelative, "coulomb_distance", "Distance from Coulomb, relative", "", "", 1e-9, "Of all contacts together, over their forces; both weighted by inverse inertia.", true},
  {S::kCoulombOffset, Total<&ContactTotals::coulomb_offset>, "coulomb_offset", "Offset from the law", "φ − φ_law", "m", 1e-9, "Where a contact is, less where the scene's normal law gives the force that it carries; largest in size. Gliding, force across a gap, the near-rigid limit.", false},
  {S::kCoulombLag, Total<&ContactTotals::coulomb_lag>, "coulomb_lag", "Lag of friction", "", "N", 1e-9, "Friction that belongs to the normal force of another step, largest of the contacts.", true},
  {S::kConeExcess, Total<&ContactTotals::cone_excess>, "cone_excess", "Excess over the cone", "", "N", 1e-9, "Friction beyond μ f_n, largest of the contacts.", true},
  {S::kDissipationDeficit, Total<&ContactTotals::dissipation_deficit>, "dissipation_deficit", "Dissipation deficit", "", "W", 1e-9, "Power that Coulomb's friction would take from the slip of all contacts and the method's does not; negative: it takes more.", false},
  {S::kBeyondCone, Total<&ContactTotals::beyond_cone>, "contacts_beyond_cone", "Contacts beyond the cone", "", "", 0, "Contacts that carry load with more friction than Coulomb allows by a hundredth.", false, true},
  {S::kKinematicsTimeUs, Timed<&StageTimes::kinematics_us>, "kinematics_wall_us", "Kinematics wall time", "", "µs", 0, "Of steps with anchors, the part that finds positions, velocities and inertia of the trees.", true, false, true},
  {S::kLinearTimeUs, Timed<&StageTimes::linear_us>, "linear_system_wall_us", "Linear system wall time", "", "µs", 0, "Of steps with anchors, the part that writes the linear system of the contacts (exponential), or makes and solves that of a Newton iteration (implicit Euler).", true, false, true},
  {S::kIntegralsTimeUs, Timed<&StageTimes::integrals_us>, "integrals_wall_us", "Integrals wall time", "", "µs", 0, "Of an exponential step, the part that takes the exponential of the matrix.", true, false, true},
  {S::kLineTimeUs, Timed<&StageTimes::line_us>, "residuals_wall_us", "Residuals wall time", "", "µs", 0, "Of a step of implicit Euler, the part that computes residuals along Newton's directions.", true, false, true},
  {S::kDistancesTimeUs, Timed<&StageTimes::distances_us>, "distances_wall_us", "Distances wall time", "", "µs", 0, "Of a quasi-dynamic step, the part that finds the closest points.", true, false, true},
  {S::kSortingTimeUs, Timed<&StageTimes::sorting_us>, "sorting_wall_us", "Sorting wall time", "", "µs", 0, "Of a quasi-dynamic step, the part that puts its contacts in order; the closest points are chosen as they are found.", true, false, true},
  {S::kUnknowns, Unknowns, "unknowns", "Unknowns", "", "", 0, "Velocity coordinates in the problem of the step; none where a method solves no problem.", false, true},
  {S::kProgramRows, OfProgram<&ProgramSummary::rows>, "program_rows", "Rows of the program", "", "", 0, "Inequalities of a quasi-dynamic step.", false, true},
  {S::kPointsChecked, OfProgram<&ProgramSummary::checked>, "points_checked", "Points checked", "", "", 0, "Points of a quasi-dynamic step whose distance was computed or ruled out.", false, true},
};

constexpr Signal Row(int row) { return static_cast<Signal>((row + 1) << kPlaceBits); }

// In the order of SignalPart, kPartSignals of each: "torque:solo/FL_KFE".
constexpr SignalInfo kPartRows[] = {
  {Row(0), OfJoint<&JointFrame::position>, "position", "Joint angle", "q", "rad", 1e-9, "Angle of a joint at the end of the step.", false},
  {Row(1), OfJoint<&JointFrame::rate>, "rate", "Joint rate", "v", "rad/s", 1e-9, "Angular velocity of a joint.", false},
  {Row(2), OfJoint<&JointFrame::force>, "torque", "Joint torque", "τ", "N m", 1e-9, "Of a joint's motor at the end of the step.", false},
  {Row(3), OfJoint<&JointFrame::target>, "target", "Joint target", "q", "rad", 1e-9, "Angle that a joint's motor goes to; none where a controller gives the torque alone.", false},
  {Row(4), OfJoint<&JointFrame::position>, "position", "Joint position", "q", "m", 1e-9, "Displacement of a joint at the end of the step.", false},
  {Row(5), OfJoint<&JointFrame::rate>, "rate", "Joint rate", "v", "m/s", 1e-9, "Velocity of a joint.", false},
  {Row(6), OfJoint<&JointFrame::force>, "torque", "Joint force", "τ", "N", 1e-9, "Of a joint's motor at the end of the step.", false},
  {Row(7), OfJoint<&JointFrame::target>, "target", "Joint target", "q", "m", 1e-9, "Displacement that a joint's motor goes to; none where a controller gives the force alone.", false},
  {Row(8), OfFoot<&FootLoad::normal>, "force", "Foot force", "f_n", "N", 1e-9, "Sum of the normal forces on a foot.", false},
  {Row(9), OfFoot<&FootLoad::friction>, "friction", "Foot friction", "f_t", "N", 1e-9, "Size of the friction force on a foot.", false},
  {Row(10), OfFoot<&FootLoad::slip_speed>, "slip", "Foot slip speed", "|v_t|", "m/s", 1e-9, "Slip speed of a foot at its contact that carries most; none in the air.", true},
  {Row(11), OfFoot<&FootLoad::height>, "height", "Foot height", "φ", "m", 1e-9, "Least signed distance of a foot's contact points to the surfaces.", false},
  {Row(12), OfBody<0>, "position_x", "Position x", "x", "m", 1e-9, "Centre of mass of a body.", false},
  {Row(13), OfBody<2>, "position_z", "Height z", "z", "m", 1e-9, "Centre of mass of a body.", false},
  {Row(14), [](const StepView& s) { return s.body->V_WB.tail<3>().norm(); }, "speed", "Speed", "|v|", "m/s", 1e-9, "Of the centre of mass of a body.", false},
  {Row(15), [](const StepView& s) { return s.body->V_WB.head<3>().norm(); }, "spin", "Spin", "|ω|", "rad/s", 1e-9, "Angular speed of a body.", false},
};
// clang-format on
static_assert(std::size(kPartRows) == 4 * kPartSignals);

constexpr bool InOrder() {
  int i = 0;
  for (const SignalInfo& info : kSignals) {
    if (static_cast<int>(info.id) != i++) return false;
  }
  return i == kSignalCount;
}
static_assert(InOrder(), "kSignals must list every Signal in the order of the enum");

// Unrolled: each reader is known where it is called, so it costs no call.
template <auto& kTable, std::size_t kFirst, std::size_t... kRow>
void ReadRows(const StepView& step, double* values, std::index_sequence<kRow...>) {
  ((values[kRow] = kTable[kFirst + kRow].read(step)), ...);
}
template <SignalPart kPart>
void ReadRowsOf(const StepView& step, double* values) {
  constexpr std::size_t kFirst = static_cast<std::size_t>(kPart) * kPartSignals;
  ReadRows<kPartRows, kFirst>(step, values, std::make_index_sequence<kPartSignals>());
}

}  // namespace

void ReadSignals(const StepView& step, SignalValues* values) {
  ReadRows<kSignals, 0>(step, values->data(), std::make_index_sequence<kSignalCount>());
}

void ReadPart(SignalPart part, const StepView& step, double* values) {
  switch (part) {
    case SignalPart::kTurningJoint:
      return ReadRowsOf<SignalPart::kTurningJoint>(step, values);
    case SignalPart::kSlidingJoint:
      return ReadRowsOf<SignalPart::kSlidingJoint>(step, values);
    case SignalPart::kFoot:
      return ReadRowsOf<SignalPart::kFoot>(step, values);
    case SignalPart::kBody:
      return ReadRowsOf<SignalPart::kBody>(step, values);
  }
}

std::span<const SignalInfo> SignalTable() { return kSignals; }
std::span<const SignalInfo> PartSignals(SignalPart part) {
  return std::span(kPartRows).subspan(static_cast<std::size_t>(part) * kPartSignals, kPartSignals);
}
const SignalInfo& Info(Signal id) {
  const int row = static_cast<int>(id) >> kPlaceBits;
  return row == 0 ? kSignals[Place(id)] : kPartRows[row - 1];
}

double AboveNoise(Signal id, double value) { return std::abs(value) < Info(id).noise ? 0 : value; }

const SignalInfo* FindSignal(std::string_view name) {
  for (const SignalInfo& info : kSignals) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

double ConeExcess(const ContactFrame& c) {
  if (std::isnan(c.coulomb.offset)) return kNaN;
  const double rho = c.torsional_friction > 0 ? c.torsional_friction / c.friction : 0;
  return CalcConeExcess(c.friction, c.fn, rho > 0 ? std::hypot(c.ft, c.torque / rho) : c.ft);
}

double DissipationDeficit(const ContactFrame& c) {
  if (std::isnan(c.coulomb.offset)) return kNaN;
  const double rho = c.torsional_friction > 0 ? c.torsional_friction / c.friction : 0;
  return CalcDissipationDeficit(c.friction, c.fn, rho > 0 ? std::hypot(c.vt, rho * c.spin) : c.vt,
                                c.ft_W.dot(c.vt_W) + c.torque * c.spin);
}

Vec3 PointAtEnd(const ChannelFrame& frame, const ContactFrame& contact) {
  if (!contact.p_BP.allFinite() || contact.body < 0 ||
      static_cast<std::size_t>(contact.body) >= frame.bodies.size()) {
    return contact.p_W;
  }
  const Vec3 p_W = At(frame.bodies, contact.body).X_WB * contact.p_BP;
  return p_W.allFinite() ? p_W : contact.p_W;
}

std::string_view NameOfA(const Model& model, const ContactFrame& contact) {
  if (contact.surface >= 0) return At(model.surfaces, contact.surface).name;
  if (contact.body_a < 0) return "–";
  return model.body(contact.body_a).name;
}

std::string_view Name(ContactMode mode) {
  constexpr std::string_view kNames[] = {"open", "stick", "slip"};
  return kNames[static_cast<int>(mode)];
}

}  // namespace slip
