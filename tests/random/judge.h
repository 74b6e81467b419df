// What every step of a run must hold to, and how far it was from it.
//
// Energy. A convex step never gives more than it has: with A (v - v*) = J^T gamma its contacts do
// the work gamma . v_c minus half of |J^T gamma|^2 in A^-1, friction takes, and springs of convex
// energy give at most what they held at the step's start less what they hold at its end. So
//     excess = kinetic + potential + elastic at the end - those at the start - work of belts and
//              motors - explicit gain of trees
// is not positive, where the elastic energy at the start is that of the distances the step was
// given, and at its end that of the distances it solved for, phi0 + h v_n.
//
// Trees of links. With the inertia M0 of the start, A = M0 + what motors, damping and friction
// have of the new velocity, a step is M0 (v - v0) = F - h nle(q0, v0): F all impulses at the solved
// v. So
//     v^T M0 v / 2 - v0^T M0 v0 / 2 = F . v - h nle . v - |v - v0|^2 in M0 / 2
// whatever the step. In F . v the work of motors is known, damping and friction take, and the
// potential l of a limit gives at most l(0) - l(v): its spring at the start and at the end. What
// is left is the explicit part, whose forces and inertia are those of the start:
//     explicit gain = v1^T M1 v1 / 2 - v^T M0 v / 2 - h nle . v + potential energy at the end -
//     at the start
// with v1 the velocity at the end, which in free flight is not the solved one; the work of motors
// is told with v1, too, and the difference is part of the gain. It is the scheme's own, of the
// order of the step, and long steps of fast links live on it; so does a controller that is asked
// too seldom live on its motors' work. Neither is an excess. Joints that follow others are left
// out: no scene of the library has any.
//
// A run that ends beyond the speed of a runaway is one that its motors, the explicit part or the
// contacts' potentials (a barrier's has no floor; overlap, see below) drove there, and reported
// only, if all steps before were balanced, the last one was solved, and they gave at least half of
// the kinetic energy. Else it is broken, as is a state that is not finite.
//
// Two measures of the excess:
//   created: the largest excess of one step;
//   gain:    the largest sum of excesses over any stretch of steps, so that no earlier loss hides
//            it. This one breaks a run.
// Tolerance: 1 % of the energy turned over so far (start's kinetic, elastic, fallen height, work,
// explicit gain) plus 1/2 M (g h)^2, which is what gravity does in one step and the finest that a
// step can resolve, plus the last bits of the elastic energy: a stiff barrier's can be 1e15 times
// all else. `by_cause` says what created energy: a step that did not converge; the rotation of free
// bodies, whose gyroscopic moment and turned inertia are explicit in the step; or a contact.
//
// Between two steps the geometry decides anew: bodies have turned by more than the step's linear
// distances know, contacts come and go. Overlap that appears there is energy that nobody paid for,
// a property of long steps (engine/README.md 9). It is no excess of a step, but it can throw
// bodies:
//   thrown:  how far kinetic + potential energy rises above start + elastic at the start + work +
//            explicit gain.
// Reported with its ten worst; it breaks nothing.
//
// Depth. A contact point under a surface is explained up to
//     2 (M g / k + u sqrt(M / k)) + h u + 0.1 mm
// with k the contact's effective stiffness (or that of a spring that holds as much, if lower), M
// the mass of the body and of all above it, and u the largest speed that any of its points has had;
// for a link both are those of its tree, and sqrt(2 W / k) is added, W the work of all motors.
// A body whose centre lies below a surface, with its contact point deeper still and more than
// explained without h u, may be there for some steps: a long step turns bodies by radians, which
// its linear distances do not know, and brings them back. One that has been there for the last
// kSunkSteps of the run fell through. A run goes on beyond its end until that is known (InDoubt);
// one that was refused a step has no such end.
//
// Steps that did not converge are harmless when they created no energy beyond the tolerance and
// left no depth unexplained. One that controlled error took at its smallest length, whatever its
// error, is not one of them.
//
// All of that is of steps that are one contact problem. Those of other methods, and those made of
// inner steps, are judged by the ledger (ledger_judge.h).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/dynamics/kinematics.h"
#include "engine/sim/simulation.h"
#include "tests/random/ledger_judge.h"
#include "tests/random/run_spec.h"

namespace slip {

enum class Cause { kUnconverged, kRotation, kContact };
inline constexpr int kCauses = 3;
std::string_view Name(Cause cause);

/// Steps that a body may stay below a surface.
inline constexpr int kSunkSteps = 10;

struct RunVerdict {
  RunSpec spec;
  std::string error;    ///< why the run could not start
  std::string failure;  ///< why it stopped before its end
  int64_t bodies = 0, steps = 0;
  double seconds = 0;       ///< of its thread's work
  bool stopped = false;     ///< at the limit of time
  bool not_finite = false;  ///< a state that is not, or a step that said so
  bool runaway = false;     ///< ended beyond the speed of a runaway
  bool driven = false;      ///< there by its motors or the explicit part alone
  bool refused = false;     ///< a step ended without a solution and left the state untouched
  bool kept_back = false;   ///< a step was refused since it would make energy

  LedgerVerdict ledger;  ///< of steps that are no single contact problem; of others the next

  Worst gain;                              ///< [J]; beyond the tolerance where above it
  Worst gain_ratio;                        ///< over its tolerance of then: above 1 is broken
  Worst created;                           ///< of one step, over the tolerance
  Worst thrown;                            ///< [J]
  Worst thrown_ratio;                      ///< over the tolerance
  double energy = 0;                       ///< turned over, at the end [J]
  Worst kinetic;                           ///< [J]
  double work = 0, explicit_gain = 0;      ///< of the run [J]
  std::array<double, kCauses> by_cause{};  ///< created, beyond the tolerance of each step [J]

  Worst depth;        ///< [m]
  Worst depth_ratio;  ///< over what is explained: above 1 is broken
  Worst through;      ///< centre below a surface for long, unexplained [m]

  int64_t unconverged = 0, harmful = 0;  ///< steps
  int64_t labelled = 0;                  ///< steps that say that their law has no solution found
  int64_t at_floor = 0;                  ///< steps with an inner one of the smallest length
  Worst residual;                        ///< of those
  Worst contacts, step_seconds;          ///< of one step; [s]

  Cause MainCause() const;
};

/// Watches a run from its start state on; call Step after each step that advanced, and Fail after
/// one that did not.
class Judge {
 public:
  Judge(const Simulation& sim, RunVerdict* verdict);
  void Step(const Simulation& sim, StepStatus status);
  void Fail(const Simulation& sim, StepStatus status);
  /// Whether some body is below a surface, and not yet for long.
  bool InDoubt() const;

 private:
  /// Each returns whether the step is within its tolerances.
  bool TakeEnergy(const Simulation& sim, bool converged);
  bool TakeDepth(const Simulation& sim);
  double RotationGain(const Simulation& sim) const;
  double ExplicitGain(const Simulation& sim);
  double LoadMass(const Model& model, int body, const Vec3& normal) const;
  void TakeSpeeds(const Simulation& sim);
  bool WasDriven(const Simulation& sim) const;
  double TurnedWork() const;

  RunVerdict* verdict_;
  std::optional<LedgerJudge> ledger_;  // of steps that are no single contact problem
  State before_;
  double mass_ = 0, gravity_ = 0;
  double start_energy_ = 0, start_potential_ = 0, lowest_potential_ = 0;
  double energy_ = 0;  // kinetic + potential of the step before
  double work_ = 0, turned_work_ = 0;
  double released_ = 0;  // by the contacts' potentials within steps
  double sum_ = 0;       // of excesses since it was last zero
  double turned_ = 0;
  std::vector<double> speed_;  // largest so far, per tree
  std::vector<int> sunk_;      // steps that a body has been below a surface
  std::vector<double> sinks_;  // how far in this step [m]
  Kinematics kinematics_;      // scratch, as are the next
  TreeDynamics links_;
  std::vector<JointFrame> joints_;
  VectorX nle_, applied_;
  bool in_doubt_ = false;  // the last step did not converge, and did no harm yet
};

}  // namespace slip
