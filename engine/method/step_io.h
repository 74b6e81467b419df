// What a step takes and what it gives, the same for every formulation.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/contact/contact_value.h"
#include "engine/contact/coulomb_distance.h"
#include "engine/core/numbers.h"
#include "engine/core/stop.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/method/config.h"
#include "engine/method/solve_record.h"

namespace slip {

enum class StepStatus : int {
  kConverged,
  kIterationLimit,       ///< state advanced with the best iterate; flagged
  kLost,                 ///< state untouched: the best iterate is no solution (kLostResidual)
  kGain,                 ///< state untouched: the step makes energy from nothing (EnergyGain)
  kNotFinite,            ///< state untouched
  kBeyondDigits,         ///< state untouched: StepOutput::reason says whose numbers have no digits
  kRunaway,              ///< state untouched: a body would be faster than kRunawaySpeed, or the
                         ///< step would create more than kRunawayGain
  kInfeasible,           ///< state untouched: a barrier law met an overlap, or no motion holds the
                         ///< constraints and StepOutput::reason says which
  kUnable,               ///< state untouched: StepOutput::reason says what the method does not have
  kInnerLimit,           ///< state untouched: controlled error took StepParams::max_inner attempts
  kFactorizationFailed,  ///< state untouched: a body's inertia is not positive definite
  kStopped               ///< state untouched: StepInput::stop said so
};
/// A state that has come to this speed is a method's instability, not mechanics [m/s].
inline constexpr double kRunawaySpeed = 1e4;
/// So does a step beyond its method's limit of stability that creates this much energy, over the
/// mass of what moves [J/kg]: it lifts everything by half a metre.
inline constexpr double kRunawayGain = 5;
inline bool Advanced(StepStatus s) {
  return s == StepStatus::kConverged || s == StepStatus::kIterationLimit;
}

struct StepInput {
  const Model& model;
  const Config& config;
  const State& start;
  std::span<const Vec6> V_WB;          ///< of the Kinematics at the start
  std::span<TreeDynamics> trees = {};  ///< likewise
  const VectorX* actuation = nullptr;  ///< forces of joints, constant within the step [N m] or [N];
                                       ///< Model::nv, null = none
  /// Fill the record's condition numbers, or the limit of stable steps: costs part of a solve.
  bool measure_condition = true;
  bool measure_distance = true;    ///< set ContactOutcome::coulomb
  bool time_stages = false;        ///< set StepOutput::times; else they stay as they are
  const StopPoll* stop = nullptr;  ///< asked within the step; true = give it up
};

/// What a contact does against spin about its normal (engine/README.md 5.6).
struct Torsion {
  double rho = 0;     ///< mu_w/mu: slip over spin [m]; 0 = it spins freely
  double spin = 0;    ///< of B relative to A about n, at the end [rad/s]
  double torque = 0;  ///< on B about n, mean over the step [N m]

  /// Third components of slip [m/s] and friction [N], where rho > 0.
  double slip() const { return rho * spin; }
  double force() const { return torque / rho; }
  /// Norms of slip [m/s] and friction [N], the third component included.
  double SlipNorm(double vt) const { return rho > 0 ? std::hypot(vt, rho * spin) : vt; }
  double FrictionNorm(double ft) const { return rho > 0 ? std::hypot(ft, torque / rho) : ft; }
};

/// One contact as the step left it. B is `body`; A a surface or a body; the frame (t1, t2, n) has n
/// from A into B.
struct ContactOutcome {
  ContactKey key = 0;
  int surface = -1;  ///< A; -1 = A is a body
  int body_a = -1;   ///< A; -1 = A is a surface
  int body = 0;
  bool a_moves = false;     ///< A has coordinates of its own: it is neither at rest nor driven
  Vec3 p_W = Vec3::Zero();  ///< contact point [m]
  bool at_end = false;      ///< p_W is that of the end pose; else of the step's start
  Vec3 t1_W = Vec3::UnitX(), t2_W = Vec3::UnitY(), n_W = Vec3::UnitZ();
  double vn0 = 0;           ///< normal velocity at the start [m/s]
  double phi = 0;           ///< signed distance at the end [m]
  double mu = 0;            ///< friction coefficient [-]
  double w = 0;             ///< Delassus estimate: RMS of the inverse mass [1/kg]
  Vec3 v_C = Vec3::Zero();  ///< velocity of B relative to A at the end [m/s]
  Vec3 f_C = Vec3::Zero();  ///< force on B, mean over the step [N]
  double vt = 0, ft = 0;    ///< norms of the tangential parts of v_C [m/s] and f_C [N]
  Torsion torsion = {};
  ContactPrediction prediction = {};  ///< the method's of itself, under this load
  CoulombDistance coulomb = {};       ///< of the last inner step, where a step is made of such
  double elastic_energy = 0;          ///< stored at phi [J]
  /// Stored where the step's start has the contact [J]; not known where a method makes no
  /// difference between the distance at the end of a step and that at the start of the next one.
  double start_energy = kNaN;
  double unloaded_energy = 0;  ///< of elastic_energy, beyond what the load holds [J]
  double asked_stiffness = 0;  ///< of the materials, where the near-rigid limit caps it [N/m]
  double damping_force = 0;    ///< part of the normal force that its damper carries [N]
  int sticks = -1;             ///< 1 or 0 where the method knows; -1: by the slip speed
  /// Friction is bounded by |f_t1|/mu + |f_t2|/mu + |torque|/mu_w <= f_n; else by the cone's norm.
  bool octahedral = false;
  /// Where it is: of the constraints +t1, +t2, -t1, -t2, +n, -n that make that bound [N s].
  std::array<double, 6> multipliers{};
  double drive_work = 0;  ///< done by A, where it is driven, in the step [J]

  /// As the yardstick sees it, after a step of h; v_law is the law's normal velocity for its force.
  MeasuredContact Measured(double h, double v_law) const {
    const bool spins = torsion.rho > 0;
    return {.u = Vec3(v_C.x(), v_C.y(), spins ? torsion.slip() : 0),
            .vn = v_C.z(),
            .f_u = Vec3(f_C.x(), f_C.y(), spins ? torsion.force() : 0),
            .fn = f_C.z(),
            .mu = mu,
            .w = w,
            .h = h,
            .v_law = v_law,
            .friction_load = f_C.z()};
  }
  Vec3 ToWorld(const Vec3& in_C) const {
    return in_C.x() * t1_W + in_C.y() * t2_W + in_C.z() * n_W;
  }
};

/// Energy that contacts took in a step [J].
struct ContactLosses {
  double friction = 0, damping = 0;

  /// Adds what a contact took in `span` seconds: minus the work of its friction and of its damper.
  /// The tangential force and slip are those of the outcome, in whatever frame the caller has them.
  template <class Tangent>
  void Add(const ContactOutcome& contact, const Tangent& force, const Tangent& slip, double span) {
    // a contact that sticks by its spring stores this work
    if (contact.sticks != 1) friction -= span * force.dot(slip);
    const Torsion& torsion = contact.torsion;
    if (torsion.rho > 0) friction -= span * torsion.torque * torsion.spin;
    damping -= span * contact.damping_force * contact.v_C.z();
  }
};

/// A point of a cloud that a step has chosen to keep apart from something, and what it came to.
struct CandidatePoint {
  int surface = -1;  ///< A; -1 = A is a body
  int body_a = -1;   ///< A; -1 = A is a surface
  int body = 0;      ///< B
  int point = 0;     ///< of B's cloud
  double phi = 0;    ///< signed distance at the end [m]
  double fn = 0;     ///< normal force on it, mean over the step; 0 = it carries nothing [N]
};

/// What a contact's elastic energy depends on, beside the knobs.
struct StoredContact {
  int surface = -1, body_a = -1, body = 0;
  double phi = 0;  ///< signed distance [m]
  double w = 0;    ///< as in ContactOutcome [1/kg]
};

/// A contact as the step before left it, for a formulation that goes on from there.
struct PreviousContact {
  ContactKey key = 0;
  Vec3 f_W = Vec3::Zero();  ///< force on B [N]
  Vec3 v_W = Vec3::Zero();  ///< velocity of B relative to A [m/s]
};

/// Wall time of a step and its parts [us]. A formulation that has no such part leaves it 0.
struct StageTimes {
  /// Those that only some formulations have begin anew.
  void ForgetParts() {
    for (double* part :
         {&kinematics_us, &linear_us, &integrals_us, &line_us, &distances_us, &sorting_us})
      *part = kNaN;
  }

  double step_us = 0;       ///< of the simulation: the whole step that these are parts of
  double assembly_us = 0;   ///< inertia, free motion, Jacobians
  double detection_us = 0;  ///< who touches whom
  double solve_us = 0;
  double measure_us = 0;  ///< of the simulation: forces, energies, signals
  // parts of those above, of formulations that have them; NaN = it has none
  double kinematics_us = kNaN;  ///< motion of the trees at the start
  double linear_us = kNaN;      ///< a linear system: its matrix, and its factors where it has any
  double integrals_us = kNaN;   ///< of the motion within the step
  double line_us = kNaN;        ///< residuals along search lines
  double distances_us = kNaN;   ///< closest points
  double sorting_us = kNaN;     ///< of contacts
};

/// A contact and its normal force [N].
struct KeyedLoad {
  ContactKey key = 0;
  double fn = 0;
};

/// What the mouse spring did in a step.
struct PullOutcome {
  Vec3 force_W = Vec3::Zero();  ///< on the body, mean over the step [N]; of a twist [N m]
  double work = 0;              ///< [J]
};

/// Memory is reused from step to step.
struct StepOutput {
  State end;  ///< valid if the step advanced
  SolveRecord solve;
  StageTimes times;
  PullOutcome pull;
  double motor_work = 0;                     ///< done in the step [J]
  double joint_damping_loss = 0;             ///< in the step [J]
  double joint_friction_loss = 0;            ///< likewise
  std::optional<ContactLosses> losses = {};  ///< of a step made of inner steps, which know them
  /// Likewise the normal forces of its last inner step [N], which controllers feel.
  std::vector<KeyedLoad> last_loads = {};
  /// Error of positions that two halves of the step may share with it, such as a touch that both
  /// find too late [m].
  double shared_error = 0;
  /// Largest at the end, of points that no contact of Formulation::Contacts stands for [m].
  double unseen_penetration = 0;
  int culprit_body = -1;         ///< of a step that failed; -1 = no single one
  std::string_view reason = {};  ///< of a step that cannot be made or was lost, a phrase
};

}  // namespace slip
