// Keys of robots and of their controllers.
#pragma once

#include <array>

#include "engine/scene/scene_keys.h"

namespace slip {

namespace key_words {

inline constexpr std::array<std::string_view, 2> kBases = {"free", "fixed"};
// in the order of MeshCollision
inline constexpr std::array<std::string_view, 2> kMeshCollisions = {"parts", "hull"};

}  // namespace key_words

inline constexpr SceneKey kRobotKeys[] = {
    {.name = "file",
     .kind = KeyKind::kText,
     .needed = true,
     .doc = "URDF or MJCF, beside the scene or in assets/robots."},
    {.name = "base",
     .kind = KeyKind::kChoice,
     .choices = key_words::kBases,
     .otherwise = "\"free\", or \"fixed\" where the file's root is the world itself",
     .doc = "Whether its base link moves."},
    {.name = "collision",
     .kind = KeyKind::kChoice,
     .choices = key_words::kMeshCollisions,
     .otherwise = "\"parts\"; MJCF: \"hull\"",
     .doc = "With what meshes touch that are not convex: convex parts, or the hull."},
    {.name = "position",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "Of the base link's frame."},
    {.name = "quaternion",
     .form = "[w, x, y, z]",
     .otherwise = "[1, 0, 0, 0]",
     .doc = "Of that frame."},
    {.name = "velocity",
     .kind = KeyKind::kVector,
     .unit = "m/s",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "Of that frame."},
    {.name = "angular_velocity",
     .kind = KeyKind::kVector,
     .unit = "rad/s",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "World axes."},
    {.name = "joints",
     .unit = "rad or m",
     .form = "{ JOINT = 0.5 }",
     .otherwise = "0, or what limits allow; those of the keyframe",
     .doc = "Start positions."},
    {.name = "joint_velocities",
     .unit = "rad/s or m/s",
     .form = "{ JOINT = 0.5 }",
     .otherwise = "at rest",
     .doc = "At the start."},
    {.name = "keyframe",
     .kind = KeyKind::kText,
     .otherwise = "the first that an MJCF file has",
     .doc = "How it begins and what its motors hold."},
    {.name = "target_paths",
     .unit = "rad or m",
     .form = "{ JOINT = [[time, value], ...] }",
     .doc = "What is added to targets of motors over time, straight in between."},
    {.name = "material",
     .kind = KeyKind::kText,
     .otherwise = "the scene's, where it has one alone",
     .doc = "A [material.NAME]."},
    {.name = "contact_points",
     .unit = "m",
     .form = "{ LINK = [[x, y, z], ...] }",
     .doc = "Points in place of a link's shapes, in its frame or that of a link that was merged."},
    {.name = "controller",
     .form = "{ kind = \"squat\", ... }",
     .doc = "What moves it: the section [robot.NAME] controller."},
    {.name = "merge_fixed",
     .kind = KeyKind::kFlag,
     .otherwise = "true",
     .doc = "Links on fixed joints are part of their parents."},
    {.name = "weightless",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "Motors carry the weight of its links by themselves."},
    {.name = "self_collision",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "Links that no joint joins collide."},
};

inline constexpr SceneKey kControllerKeys[] = {
    {.name = "kind",
     .form = "text",
     .needed = true,
     .doc = "Name of a controller: `slipscope list parameters`, robot.NAME.controller."},
    {.name = "period", .kind = KeyKind::kNumber, .unit = "s", .doc = "Short for control_period."},
};

inline constexpr SceneSection kRobotSection{
    .name = "[robot.NAME]", .keys = kRobotKeys, .params = ListSceneParams<JointDrive>};
inline constexpr SceneSection kControllerSection{.name = "[robot.NAME] controller",
                                                 .keys = kControllerKeys,
                                                 .params = ListSceneParams<RobotDrive>};

consteval const SceneKey& RobotKey(std::string_view name) { return RowOf(kRobotKeys, name); }
consteval const SceneKey& ControllerKey(std::string_view name) {
  return RowOf(kControllerKeys, name);
}

}  // namespace slip
