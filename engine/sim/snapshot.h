// One frame for the eyes: plain data that any thread may copy and the renderer draws.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/contact/coulomb_distance.h"
#include "engine/core/numbers.h"
#include "engine/core/types.h"
#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/method/force_prediction.h"
#include "engine/method/solve_record.h"
#include "engine/method/solve_trace.h"
#include "engine/method/step_io.h"
#include "engine/sim/signals.h"

namespace slip {

struct BranchInfo;
struct ContactHistory;
struct Scene;

struct BodyFrame {
  Pose X_WB;
  Vec6 V_WB = Vec6::Zero();  ///< (angular, linear), world axes, at the centre of mass
};

/// A joint with one coordinate, at the end of a step.
struct JointFrame {
  int body = 0;         ///< that it carries
  double position = 0;  ///< [rad] or [m]
  double rate = 0;      ///< [rad/s] or [m/s]
  double force = 0;     ///< of its motor [N m] or [N]
  double limit = 0;     ///< of that [N m] or [N]
  double target = 0;    ///< of its motor [rad] or [m]; NaN without one
};

/// Where a foot of a robot was in the last second, oldest first [m]: the mean of its contact
/// points.
struct FootTrail {
  int robot = 0, foot = 0;  ///< indices into Model::robots and its feet
  std::vector<Vec3> p_W;
};

struct ChannelFrame;

enum class ContactMode : int { kOpen, kStick, kSlip };
/// What bounds friction force and torque: |(f_t/mu, T/mu_w)| <= f_n, or, of quasi-dynamic steps,
/// |f_1|/mu + |f_2|/mu + |T|/mu_w <= f_n along the step's own tangents.
enum class FrictionBound : int { kCone, kOctahedron };
std::string_view Name(ContactMode mode);

/// One contact at the end of a step. Forces act on the body (B) and are gamma / h.
struct ContactFrame {
  ContactKey key = 0;                ///< stable identity of the contact
  int surface = -1;                  ///< A; -1 = A is a body
  int body_a = -1;                   ///< A; -1 = A is a surface
  int body = 0;                      ///< B
  Vec3 p_W = Vec3::Zero();           ///< contact point, as the method found it [m]
  Vec3 p_BP = Vec3::Constant(kNaN);  ///< it in B's frame then
  Vec3 n_W = Vec3::UnitZ();          ///< from A into B
  Vec3 ft_W = Vec3::Zero();          ///< friction force vector [N]
  Vec3 vt_W = Vec3::Zero();          ///< slip velocity, B relative to A [m/s]
  double signed_distance = 0;        ///< phi0 + h vn [m]
  double vn = 0, vt = 0;             ///< normal velocity (> 0 separates), slip speed [m/s]
  double fn = 0, ft = 0;             ///< [N]
  double spin = 0;                   ///< of B relative to A about n, where torsion counts [rad/s]
  double torque = 0;                 ///< of torsional friction on B about n [N m]
  double friction = 0;               ///< mu [-]
  double torsional_friction = 0;     ///< mu_w [m]
  Vec2 ft_C = Vec2::Zero();  ///< friction along the method's own tangents [N]; in the past of
                             ///< quasi-dynamic steps alone
  /// Of the constraints +t1, +t2, -t1, -t2, +n, -n [N s]; of quasi-dynamic steps alone, else 0.
  std::array<double, 6> multipliers{};
  double w = 0;  ///< Delassus estimate: RMS of the contact's inverse mass [1/kg]
  ContactMode mode = ContactMode::kOpen;
  // Of the members above, by JudgeFriction (measure.h) alone.
  FrictionBound bound = FrictionBound::kCone;
  /// Share of what friction can give under this normal force: 1 = all; NaN without friction or
  /// load.
  double friction_used = kNaN;
  std::string_view word = "open";  ///< "open", "stick", "slip"; "limit": it sticks, with all it has
  double gliding_offset = 0, gliding_predicted = 0;  ///< [m]
  CoulombDistance coulomb;        ///< from Coulomb's law of friction with the scene's normal law
  double creep_predicted = 0;     ///< slip speed predicted in stiction under the present load [m/s]
  double stiction_tolerance = 0;  ///< effective [m/s]
  double stiffness = 0;           ///< effective normal stiffness [N/m]
  double dissipation = 0;         ///< effective Hunt & Crossley d [s/m]; NaN if the law has none
  double damping = 0;             ///< effective linear damping [N s/m]; NaN if the law has none
  bool near_rigid = false;        ///< SAP's near-rigid clamp is active
  bool friction_off = false;      ///< loaded, but friction is bounded by an impulse that was zero
};

/// Friction beyond what Coulomb allows [N]; NaN where the distance is not measured.
double ConeExcess(const ContactFrame& contact);
/// Power that Coulomb's friction would take and this one does not [W]; likewise.
double DissipationDeficit(const ContactFrame& contact);

/// The contact point where B has taken it by the end of the step: many methods find it at the start
/// [m].
Vec3 PointAtEnd(const ChannelFrame& frame, const ContactFrame& contact);

/// Name of the surface or body that the contact's body touches.
std::string_view NameOfA(const Model& model, const ContactFrame& contact);

/// kRefused: its next step could be made, but is no solution (kLostResidual) or makes energy from
/// nothing (EnergyGain). kFailed: it cannot.
enum class ChannelState : int { kRunning, kFailed, kRefused };

/// One channel at one step.
struct ChannelFrame {
  double time = 0;
  int64_t step = 0;
  bool measured = false;  ///< a step led here: contacts and signals are that step's
  bool begun = true;  ///< false: the moment that is looked at is before its start, which it shows
  Config config;      ///< knobs in force
  ChannelState state = ChannelState::kRunning;
  std::string failure;                ///< sentence: which body, why, what to do
  std::string failure_cause;          ///< its part that says which body and why
  std::string failure_advice;         ///< its part that says what to do
  std::string_view accepted_by = {};  ///< of a refused step: what goes on when it is "accept"
  /// Longest stable step where the failed one was beyond it [s]; else NaN.
  double exceeded_step = kNaN;
  std::vector<BodyFrame> bodies;   ///< as in Model::bodies
  std::vector<JointFrame> joints;  ///< in the order of their bodies
  std::vector<ContactFrame> contacts;
  std::vector<CandidatePoint> candidates;  ///< points of clouds that the step chose
  std::vector<FootTrail> trails;           ///< while they are asked for
  std::vector<char>
      given_up;  ///< per robot: its controller did, as after a fall; its motors only brake
  SignalValues signals{};
  SolveRecord solve;
  Vec3 grab_force_W = Vec3::Zero();  ///< of the mouse spring [N]; of a twist its torque [N m]
};

/// Part of the way that led to the present branch.
struct BranchSpan {
  int branch = 0;
  double until = 0;  ///< where the next one left it [s]; of the last one infinite
};

/// Where the bodies of another run of the session were at the time that is shown.
struct GhostRun {
  /// kShared: both runs have the same steps there. kOver: it ended before.
  enum class Place : int { kNone, kShared, kApart, kOver };

  int branch = -1;  ///< its number; -1 = none is asked for
  Place place = Place::kNone;
  double shared_until = 0;             ///< from there on the runs differ [s]
  double end = 0;                      ///< of the run [s]
  std::shared_ptr<const Model> model;  ///< its own: it may have other bodies
  /// By the present channels, as in Model::bodies; empty where the run has nothing of its own.
  std::vector<std::vector<BodyFrame>> channels;
};

/// Everything the window needs to draw one frame. Plots use telemetry, not this.
struct Snapshot {
  static constexpr int kMaxChannels = 5;  ///< of a scene, a window, a picture

  std::shared_ptr<const Model> model;  ///< null before the first scene
  std::shared_ptr<const Scene> scene;  ///< that the present branch runs
  int branch = 0, branches = 0;        ///< number of the present branch, and how many there are
  std::vector<BranchSpan> branch_path;
  /// All branches by their numbers; another object when something about them has changed.
  std::shared_ptr<const std::vector<BranchInfo>> tree;
  uint64_t scene_generation = 0;  ///< counts scene loads
  uint64_t session = 0;           ///< counts resets; telemetry carries the same number
  std::vector<ChannelFrame> channels;
  double time = 0;  ///< last common time [s]
  bool playing = false;
  bool live = true;             ///< false while looking at the past
  double speed = 1;             ///< requested; infinity = as fast as possible
  double real_time_factor = 0;  ///< achieved, over the last half second
  double step_us = 0;           ///< engine time per step of one channel, moving average
  double history_start = 0, history_end = 0;  ///< times that can be seeked to
  std::size_t history_bytes = 0, history_budget = 0;
  int slowest_channel = 0;
  std::shared_ptr<const SolveTrace> trace;  ///< of the step last asked for; null = none
  /// Of the steps last asked for, by channels that foretell forces; null = none were asked for.
  std::shared_ptr<const std::vector<ForcePrediction>> foretold;
  std::shared_ptr<const ContactHistory> contact_history;  ///< last asked for; null = none
  GhostRun ghost;                                         ///< last asked for
  Vec3 gravity_W = Vec3(0, 0, -9.81);
};

}  // namespace slip
