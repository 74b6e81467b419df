// A robot as its URDF file describes it: links, the joints between them, what they weigh and what
// they look like. Plain data; nothing here simulates.
//
// Frames: L of a link, P of a joint's parent link, J of the joint at zero. The child link's frame
// is J, turned or moved by the joint: X_PC(q) = X_PJ · motion(axis, q).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/geometry/shape.h"

namespace slip {

inline constexpr double kNoLimit = kInfinity;

struct RobotShape {
  Shape shape;  ///< cylinders lie along x, as everywhere in the engine; X_LS makes up for it
  Pose X_LS;
  std::string name;                            ///< may be empty
  std::optional<std::array<double, 4>> color;  ///< red, green, blue, opacity, 0 to 1
  /// Of a collision shape: visuals of its own link, as the file has it, are drawn in its place.
  bool has_visual = false;
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

enum class RobotJointKind { kFixed, kRevolute, kContinuous, kPrismatic, kFloating, kPlanar };

/// q = multiplier · q_joint + offset
struct RobotMimic {
  int joint = -1;
  double multiplier = 1;
  double offset = 0;
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
};

/// A named frame of a link: where a fixed link was before it was merged.
struct RobotFrame {
  std::string name;
  int link = 0;
  Pose X_LF;
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
  std::vector<std::string> notes;  ///< what was taken for granted, ignored or merged

  /// Index of a link, joint or frame; -1 = there is none of that name.
  int FindLink(std::string_view link_name) const;
  int FindJoint(std::string_view joint_name) const;
  int FindFrame(std::string_view frame_name) const;
  double CalcMass() const;
};

/// All errors of the file at once, with line, link or joint, and what to do. Meshes are files as
/// "package://NAME/PATH", "file:///PATH", or a path from the file's own folder.
Result<RobotDescription> ReadUrdf(const std::string& path);
/// The same from text; `name` stands for the file in messages, meshes are looked for from `folder`.
Result<RobotDescription> ReadUrdfText(std::string_view text, const std::string& name,
                                      const std::string& folder);

/// Fixed links become part of their parents: masses, shapes, and their names as frames.
RobotDescription MergeFixedLinks(const RobotDescription& robot);

/// Adds to `link` what a child weighs that is fixed to it.
void AddMass(const RobotLink& child, const Pose& X_LC, RobotLink* link);

/// The program's own robots, assets/robots/*.urdf, as paths, sorted.
std::vector<std::string> ListRobots();

}  // namespace slip
