// The knobs of one channel, as a plain value. Each knob is described once, in a table;
// paths such as "time_step" or "material.steel.stiffness" address them from everywhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/contact/material.h"
#include "engine/core/params.h"
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/method/methods.h"
#include "engine/method/step_params.h"

namespace slip {

struct Model;

/// Gravity with the scene's tilt: leaning towards +x [m/s^2].
Vec3 CalcGravity(const CommonParams& params);

/// Prescribed motion of a surface along its belt axis:
/// u(t) = belt_speed + belt_acceleration t + a w sin(w t),  w = 2 pi belt_frequency.
struct SurfaceDrive {
  std::string name = {};
  double belt_speed = 0;         ///< [m/s]
  double belt_acceleration = 0;  ///< [m/s^2]
  double belt_amplitude = 0;     ///< a [m]
  double belt_frequency = 0;     ///< [Hz]

  /// Surface velocity at time t [m/s].
  double Velocity(double t) const;
  /// Its integral from t = 0: belt_speed t + belt_acceleration t^2 / 2 + a (1 - cos w t) [m].
  double Displacement(double t) const;
  bool operator==(const SurfaceDrive&) const = default;
};

/// How many bodies of a pile exist.
struct PileDrive {
  std::string name = {};
  int bodies = 40;       ///< of a lattice
  int rows = 100;        ///< of a pyramid: of the lowest one's bodies, too
  bool pyramid = false;  ///< the scene says rows

  int count() const { return pyramid ? rows * (rows + 1) / 2 : bodies; }
  bool operator==(const PileDrive&) const = default;
};

/// What can be changed of a single body that the scene file names; with a change the run starts
/// anew.
struct BodyDrive {
  std::string name = {};
  double mass = 1;       ///< [kg]; moments of inertia go along
  int own_material = 0;  ///< 1: it has a copy of its material for itself, named OwnMaterial()
  int material = 0;      ///< of the file: index into Config::materials

  /// Name of that copy. No material of a file has a colon in its name.
  std::string OwnMaterial() const { return name + ":own"; }
  bool operator==(const BodyDrive&) const = default;
};

/// The motor of a joint with one coordinate: force stiffness (target - q) - damping q̇, implicit in
/// the step.
struct JointDrive {
  std::string name = {};  ///< "solo/FL_HFE"
  bool slides = false;    ///< a prismatic joint
  double target = 0;      ///< [rad] or [m]
  double stiffness = 0;   ///< [N m/rad] or [N/m]
  double damping = 0;     ///< [N m s/rad] or [N s/m]
  double impedance = 0;   ///< stiffness of the quasi-dynamic actuator [N m/rad] or [N/m]

  bool operator==(const JointDrive&) const = default;
};

/// What moves a robot: the recipes of engine/control, in the order of the parameter's choices.
enum class ControllerId : int {
  kNone,
  kStand,
  kSquat,
  kJump,
  kJumpHigh,
  kTrotInPlace,
  kTrot,
  kShift,
  kWalk,
  kPress
};

/// The controller of a robot and what can be changed about it while it runs.
struct RobotDrive {
  std::string name = {};
  int controller = 0;              ///< ControllerId
  double control_period = 0;       ///< [s]; 0 = the recipe's own
  double stand_height = 0.222946;  ///< base above the feet of a robot with point feet [m]
  double squat_amplitude = 0.03;   ///< [m]
  double squat_rate = 2;           ///< [rad/s]
  double trot_speed = 0.24;        ///< forwards [m/s]
  double trot_lift = 0.04;         ///< [m]
  double trot_period = 0.4;        ///< of a stride [s]
  double sway_amplitude = 0.03;    ///< [m]
  double sway_rate = 2;            ///< [rad/s]
  double step_length = 0.1;        ///< [m]
  double step_lift = 0.05;         ///< [m]
  double press_force = 10;         ///< [N]
  double approach_speed = 0.05;    ///< [m/s]

  ControllerId id() const { return static_cast<ControllerId>(controller); }
  bool operator==(const RobotDrive&) const = default;
};

/// How much of a scene's push acts.
struct PushDrive {
  std::string name = {};
  double scale = 1;  ///< times the path of the scene [-]

  bool operator==(const PushDrive&) const = default;
};

/// The mouse spring: pulls a body's point towards an anchor, or turns the body towards an
/// orientation. The pull is capped.
struct Grab {
  int body = -1;                 ///< -1 = no grab
  Vec3 p_BP = Vec3::Zero();      ///< grabbed point, body frame [m]
  Vec3 p_WA = Vec3::Zero();      ///< anchor, world [m]
  double stiffness = 0;          ///< [N/m]; of a twist [N m/rad]
  double damping = 0;            ///< [N s/m]; of a twist [N m s/rad]
  double force_limit = 0;        ///< [N]; of a twist [N m]
  bool twist = false;            ///< turn towards q_WA; the points do not count
  Quat q_WA = Quat::Identity();  ///< orientation of the body that a twist asks for

  bool operator==(const Grab&) const = default;
};

/// All knobs of one channel.
struct Config {
  StepParams step;
  std::vector<Material> materials;     ///< named in the scene, then those of single bodies
  std::vector<SurfaceDrive> surfaces;  ///< one per moving surface of the scene
  std::vector<PileDrive> piles;        ///< one per pile of the scene
  std::vector<BodyDrive> bodies;       ///< one per [body.NAME] that moves
  std::vector<JointDrive> joints;      ///< one per joint that can have a motor
  std::vector<RobotDrive> robots;      ///< one per robot of the scene
  std::vector<PushDrive> pushes;       ///< one per push of the scene
  Grab grab;

  MethodId method() const { return static_cast<MethodId>(step.method); }
  bool operator==(const Config&) const = default;
};

/// The tables (param_tables.cpp). A formulation's own parameters stand in its folder. Those of the
/// common ones come in groups, since others stand between them in the panel.
std::span<const Param<CommonParams>> CommonParamTable();
std::span<const Param<CommonParams>> IterationParamTable();
std::span<const Param<CommonParams>> BalanceParamTable();
std::span<const Param<CommonParams>> DetectionParamTable();
std::span<const Param<Material>> MaterialTable();
std::span<const Param<SurfaceDrive>> SurfaceTable();
/// Of all piles, and of one.
std::span<const Param<PileDrive>> PileTable();
std::span<const Param<PileDrive>> PileTable(const PileDrive& pile);
std::span<const Param<BodyDrive>> BodyTable();
/// Of joints that turn, and of those that slide: the same names in other units.
std::span<const Param<JointDrive>> JointTable(bool slides = false);
std::span<const Param<RobotDrive>> RobotTable();
std::span<const Param<PushDrive>> PushTable();
/// The tables of StepParams as one: those of the common parameters and of every formulation
/// (sim/method_list.h).
std::span<const Param<StepParams>> StepParamTable();

/// Both ask for the same bodies of a scene, of the same masses, with the same materials of their
/// own.
bool SameBodies(const Config& a, const Config& b);
/// Gives *to the bodies that `from` asks for; copies of materials that *to lacks come along.
void TakeBodies(const Config& from, Config* to);
/// The path, or where it is of a body's own material, that of the material which this began as.
std::string PathInScene(const Config& config, std::string_view path);

/// Place of a parameter's group in the panel.
std::size_t GroupRank(std::string_view group);

/// One addressable knob of a Config.
struct ParamEntry {
  std::string path;  ///< "material.steel.stiffness"
  const ParamInfo* info;
  std::string owner;  ///< "steel", "belt", or empty
};

/// Every knob of this Config in the order of the panel.
std::vector<ParamEntry> ListParams(const Config& config);

/// Value at a path. A bare name of a material or surface parameter reads the first owner's.
std::optional<double> GetParam(const Config& config, std::string_view path);

/// Is the value one that this parameter can take? The message names parameter, limit and finding.
Status CheckValue(const ParamInfo& info, double value);

/// Why the parameter matters in no state of this scene, as a sentence; empty when it may matter.
std::string_view WhyIdle(const Model& model, const ParamInfo& info);

/// Does the method of this Config read the parameter, with the normal law in force.
bool Reads(const Config& config, const ParamInfo& info);

/// Does the parameter matter in this scene under this Config: does its method read it, with the
/// normal law in force.
bool Uses(const Model& model, const Config& config, const ParamInfo& info);

/// Sets a value; a bare name sets it on every material or surface. Refuses unknown paths (with a
/// "did you mean"), non-finite numbers and values outside the range, leaving *config untouched.
Status SetParam(Config* config, std::string_view path, double value);

/// Description of the parameter at a path; null when there is none.
const ParamInfo* FindParam(const Config& config, std::string_view path);

/// Text to value for this parameter: "5 ms", "1e7", "10 MN/m", or the name of a choice.
Result<double> ParseValue(const ParamInfo& info, std::string_view text);
/// Value to text with unit at full precision, e.g. "0.005 s", "hertz".
std::string FormatValue(const ParamInfo& info, double value);

/// "path=value[unit]" applied to *config.
Status ApplyAssignment(Config* config, std::string_view assignment);

}  // namespace slip
