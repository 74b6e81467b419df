// A robot as its file describes it, URDF or MJCF: links, the joints between them, what they weigh
// and what they look like. Plain data; nothing here simulates.
//
// Frames: L of a link, P of a joint's parent link, C of its child, J of the joint at zero:
// X_PC(q) = X_PJ · motion(axis, q) · X_CJ⁻¹. In URDF X_CJ is the identity.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/contact/material.h"
#include "engine/core/numbers.h"
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/geometry/mesh_source.h"
#include "engine/geometry/shape.h"
#include "engine/geometry/shape_formats.h"

namespace slip {

inline constexpr double kNoLimit = kInfinity;

struct RobotShape {
  Shape shape;  ///< cylinders lie along x, as everywhere in the engine; X_LS makes up for it
  Pose X_LS;
  std::string name;                            ///< may be empty
  std::optional<std::array<double, 4>> color;  ///< red, green, blue, opacity, 0 to 1
  const ShapeFormat* format = nullptr;         ///< of its mesh's file; null = from none
  bool more_of_mesh = false;                   ///< of the same mesh as the shape before it
  /// Of a collision shape: visuals of its own link, as the file has it, are drawn in its place.
  bool has_visual = false;
  // of MJCF
  uint32_t contype = 1, conaffinity = 1;  ///< see Meetings
  std::string material;  ///< a material of RobotWorld; empty = what the robot is made of
  int id = -1;           ///< in RobotDescription::apart and together; parts of a mesh share it
};

struct RobotLink {
  std::string name;
  int line = 0;              ///< in the file
  double mass = 0;           ///< [kg]; 0 = a frame without a body
  Vec3 p_LC = Vec3::Zero();  ///< centre of mass [m]
  Mat3 I_LC = Mat3::Zero();  ///< about the centre of mass, axes of the link [kg m²]
  int parent_joint = -1;     ///< the joint that carries it; -1 = the root
  std::vector<RobotShape> visuals, collisions;
};

enum class RobotJointKind { kFixed, kRevolute, kContinuous, kPrismatic, kFloating, kPlanar, kBall };

/// q = multiplier · q_joint + offset
struct RobotMimic {
  int joint = -1;
  double multiplier = 1;
  double offset = 0;
};

/// How a joint begins, and where its motor holds it.
struct RobotStart {
  /// Angle or distance; quaternion (w, x, y, z); position and quaternion, of C in P.
  std::array<double, 7> q{};
  /// Rate; angular velocity in C's axes; velocity of C's origin in P's axes and the angular one.
  std::array<double, 6> v{};
  double target = 0;  ///< [rad] or [m]
};

/// Limits are infinite where there are none. Angles and lengths, N m and N, by the joint's kind.
struct RobotJoint {
  std::string name;
  int line = 0;
  RobotJointKind kind = RobotJointKind::kFixed;
  int parent = -1, child = -1;  ///< links
  Pose X_PJ;
  Vec3 axis = Vec3::UnitX();  ///< unit, in J; of planar joints the normal of the plane
  double lower = -kNoLimit, upper = kNoLimit;
  double effort = kNoLimit, velocity = kNoLimit;
  double damping = 0, friction = 0;
  std::optional<RobotMimic> mimic = {};
  // of MJCF
  Pose X_CJ = {};
  double armature = 0;                  ///< [kg m²] or [kg]
  double limit_stiffness = kNoLimit;    ///< [N m/rad] or [N/m]
  double limit_relaxation = 0;          ///< [s]
  double stiffness = 0, gain = 0;       ///< of the motor, and its damping [N m s/rad] or [N s/m]
  bool driven = false;                  ///< it has an actuator
  std::vector<RobotStart> starts = {};  ///< one for each of RobotDescription::starts
};

/// A named frame of a link: where a fixed link was before it was merged.
struct RobotFrame {
  std::string name;
  int link = 0;
  Pose X_LF;
};

/// A half-space of the world that a file describes.
struct RobotPlane {
  std::string name;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
  Vec2 size = Vec2::Zero();  ///< drawn, full lengths [m]; 0 = as the scene likes
  uint32_t contype = 1, conaffinity = 1;
};

/// Two shapes, by their ids, whose contacts have a material of their own. A plane's id is
/// -1 - its index in RobotWorld::planes.
struct RobotPair {
  int a = 0, b = 0;      ///< the smaller one first
  std::string material;  ///< of RobotWorld::materials
};

/// What a file says of the scene around a robot. A scene of somebody's own has its own word there.
struct RobotWorld {
  double time_step = 2e-3;  ///< [s]
  double gravity = 9.81;    ///< [m/s²]
  double tilt = 0;          ///< towards +x [rad]
  std::vector<Material> materials;
  std::vector<RobotPlane> planes;
};

/// Parents stand before their children, depth first: the root is link 0 and joint i carries link
/// i + 1. Links with one parent keep the order of their joints in the file.
struct RobotDescription {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<RobotFrame> frames;
  /// The root is no body but the world: it has no mass, and that name. What is fixed to it stays.
  bool on_world = false;
  // of MJCF: what floats on the world is free, and what stands on it touches all that moves
  std::optional<RobotWorld> world;
  std::vector<std::string> starts;                   ///< names of keyframes, one at least
  std::vector<std::pair<int, int>> apart, together;  ///< ids of shapes, smaller first
  std::vector<RobotPair> pairs;                      ///< some of those that are together
  std::vector<std::string> notes;  ///< what was taken for granted, ignored or merged

  /// Index of a link, joint or frame; -1 = there is none of that name.
  int FindLink(std::string_view link_name) const;
  int FindJoint(std::string_view joint_name) const;
  int FindFrame(std::string_view frame_name) const;
  double CalcMass() const;
};

/// All errors of the file at once, with line, link or joint, and what to do. Meshes are files as
/// "package://NAME/PATH", "file:///PATH", or a path from the file's own folder.
/// `collision`: with what meshes touch that are not convex.
Result<RobotDescription> ReadUrdf(const std::string& path,
                                  MeshCollision collision = MeshCollision::kParts);
/// The same from text; `name` stands for the file in messages, meshes are looked for from `folder`.
Result<RobotDescription> ReadUrdfText(std::string_view text, const std::string& name,
                                      const std::string& folder,
                                      MeshCollision collision = MeshCollision::kParts);

/// Fixed links become part of their parents: masses, shapes, and their names as frames.
RobotDescription MergeFixedLinks(const RobotDescription& robot);

/// Adds to `link` what a child weighs that is fixed to it.
void AddMass(const RobotLink& child, const Pose& X_LC, RobotLink* link);

/// The program's own robots, assets/robots/*.urdf, as paths, sorted.
std::vector<std::string> ListRobots();

}  // namespace slip
