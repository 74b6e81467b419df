// What the parts of the MJCF reader share: the settings of a file, and what was read of it so far.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/pose.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh.h"
#include "engine/mjcf/mjcf_contact_law.h"
#include "engine/mjcf/mjcf_item.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Numbers of all keyframes together.
inline constexpr std::size_t kMostKeyNumbers = 1000000;

/// <compiler> and <option>.
struct MjcfSettings {
  bool degrees = true, autolimits = true, balance = false, strip_path = false;
  std::string eulerseq = "xyz";
  std::string mesh_folder;
  double least_mass = 0, least_moment = 0;
  double total_mass = -1;               ///< negative = as it comes
  std::optional<bool> from_shapes;      ///< inertia: from shapes always, never, where none is given
  int first_group = 0, last_group = 5;  ///< whose shapes have mass
  Vec3 gravity = Vec3(0, 0, -9.81);
  MjcfContactSettings contact;
  bool contacts = true, equality = true, dry_friction = true, limits = true, springs = true,
       dampers = true, weight = true, actuators = true, clamp = true, filter_parents = true;
};

/// A <mesh>: its surface as the file has it, read when somebody uses it.
struct MjcfMesh {
  const MjcfNode* node = nullptr;
  bool tried = false;
  const ShapeFormat* format = nullptr;  ///< of its file; null = it stands in the model's
  std::shared_ptr<const TriangleMesh> surface = {};
  /// Where somebody needs it, what it touches with: its hull, or parts.
  std::vector<ConvexMesh> parts = {};
  bool convex = true, closed = true;  ///< convex: it is that itself
  MassProperties solid = {};          ///< at density 1; of open ones those of the hull
};

struct MjcfBody {
  std::string name;
  const MjcfNode* node = nullptr;
  int parent = -1;
  int weld = 0;  ///< the body that it moves as one with, first of them; 0 = the world
  int link = 0;
};

/// A joint with coordinates.
struct MjcfJoint {
  std::string name;
  const MjcfNode* node = nullptr;
  int joint = 0;  ///< of the description
  int q_start = 0, v_start = 0;
  double ref = 0;
  double spring = 0, spring_target = 0;
  double force_limit = kNoLimit;  ///< of all that acts on it
  std::array<double, 2> solref_limit{0.02, 1};
  std::array<double, 5> solimp_limit{0.9, 0.95, 1e-3, 0.5, 2};
  double time_constant = 0, damping_ratio = 0;  ///< of springdamper; 0 = none
  double lower = 0, upper = 0;                  ///< its range, also where it does not limit
};

/// A shape that can collide.
struct MjcfGeom {
  std::string name;
  const MjcfNode* node = nullptr;
  int body = 0;
  std::size_t shape = 0;  ///< of RobotLink::collisions; of a plane of RobotWorld::planes
  std::size_t parts = 1;  ///< so many from there on
  bool plane = false, round = false;
  MjcfContact contact;
};

/// Two shapes that meet in any case, with contact parameters of their own.
struct MjcfPair {
  const MjcfNode* node = nullptr;
  int geoms[2] = {-1, -1};  ///< of MjcfModel::geoms
  MjcfContact contact = {};
};

struct MjcfModel {
  explicit MjcfModel(MjcfReport* where) : report(where) {}

  MjcfReport* report;
  std::string folder;
  MeshCollision collision = MeshCollision::kHull;
  MjcfSettings settings;
  std::vector<MjcfSettings> attached;  ///< of other models, as their <compiler> has them
  MjcfDefaults defaults;
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, std::array<double, 4>> colors;
  RobotDescription robot;
  std::vector<MjcfBody> bodies;  ///< the world first
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::set<std::string, std::less<>> paired;  ///< geoms that touch as one of a pair at least
  std::vector<MjcfPair> pairs;
  std::map<std::string, int, std::less<>> body_index, joint_index;
  std::vector<bool> massless;  ///< by link: it only carries the next joint of its body
  int nq = 0, nv = 0;
  bool whole = true;        ///< nothing that is included is missing
  std::set<int> unweighed;  ///< links with an error in what gives them their mass

  /// What holds where an element stands.
  const MjcfSettings& SettingsOf(const MjcfNode& node) const {
    return node.model == 0 ? settings : attached[static_cast<std::size_t>(node.model - 1)];
  }
  const MjcfBody* FindBody(std::string_view name) const;
  MjcfJoint* FindJoint(std::string_view name);
};

/// Says what the file has that is refused as a whole, wherever it stands.
void RefuseMjcf(const MjcfNode& root, MjcfReport* report);
void ReadMjcfSettings(const MjcfNode& root, MjcfModel* model);
/// The settings of another model within this one: its own <compiler>, all else as here.
MjcfSettings ReadAttachedSettings(const MjcfNode& root, MjcfModel* model);
/// Puts the bodies of other models where <attach> names them, with all that refers to them.
void AttachMjcfModels(MjcfNode* root, MjcfModel* model);
/// Writes the copies out that <replicate> asks for, with all that refers to them.
void ExpandMjcfReplicas(MjcfNode* root, const MjcfSettings& settings, MjcfReport* report);
/// The sections whose elements name bodies, joints and shapes; which attributes do, and of what.
bool RefersMjcf(std::string_view section);
std::string_view KindOfMjcfReference(std::string_view attribute);
/// Names of a tree's elements: body, joint, geom, site.
using MjcfNames = std::map<std::string_view, std::set<std::string>>;
void CollectMjcfNames(const MjcfNode& node, MjcfNames* names);
void ReadMjcfAssets(const MjcfNode& root, MjcfModel* model);
/// pos and what turns: quat, axisangle, xyaxes, zaxis or euler.
Pose ReadMjcfPose(const MjcfItem& item, const MjcfSettings& settings);
/// Three angles in the order and the unit of the file.
Quat TurnByEuler(const Vec3& angles, const MjcfSettings& settings);
/// The shortest turn from z to a direction.
Quat TurnToAxis(const Vec3& axis);
/// The shape of a mesh of the file; null after an error, or where it is for the eyes only and
/// cannot be read.
MjcfMesh* UseMjcfMesh(const MjcfItem& item, const std::string& name, bool needed, MjcfModel* model);

/// <worldbody>: links, joints and shapes.
void ReadMjcfBodies(const MjcfNode& root, MjcfModel* model);
void ReadMjcfGeom(const MjcfNode& node, const std::string& childclass, const Pose& X_BF, int body,
                  const std::optional<Pose>& X_WB, RobotLink* weighs, MjcfModel* model);
void ReadMjcfJoint(const MjcfNode& node, const std::string& childclass, const Pose& X_BF,
                   RobotJoint* joint, MjcfModel* model);
/// Bounds and sums of masses, and whether all that moves is a body.
void SettleMjcfMasses(MjcfModel* model);

void ReadMjcfKeys(const MjcfNode& root, MjcfModel* model);
void ReadMjcfActuators(const MjcfNode& root, MjcfModel* model);
void ReadMjcfEquality(const MjcfNode& root, MjcfModel* model);
/// Finds the names in pairs, before the shapes are read.
void FindMjcfPaired(const MjcfNode& root, MjcfModel* model);
/// Who collides with whom.
void ReadMjcfPairs(const MjcfNode& root, MjcfModel* model);
/// The id of a shape or a plane in the description's lists of pairs.
int IdOfMjcfGeom(const MjcfModel& model, int geom);
/// The dimensions of a contact: 1, 3, 4 or 6.
void ReadMjcfCondim(const MjcfItem& item, int* condim);
/// Materials of the shapes, stiffness of limits and springs of a time constant.
void TranslateMjcfContacts(MjcfModel* model);

/// Inverse masses as MuJoCo's contacts and limits see them, in the reference pose.
struct MjcfWeights {
  std::vector<double> link;     ///< mean over directions at the centre of mass [1/kg]
  std::vector<double> joint;    ///< of joints of one coordinate [1/(kg m²)] or [1/kg]
  std::vector<double> inertia;  ///< diagonal of the mass matrix, likewise
};
MjcfWeights CalcMjcfWeights(const MjcfModel& model);
/// Poses of all links in the world, in the reference pose or in the first start.
std::vector<Pose> PlaceMjcfLinks(const MjcfModel& model, bool at_start);

}  // namespace slip
