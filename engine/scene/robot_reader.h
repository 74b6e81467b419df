// [robot.NAME] of a scene file.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

// clang-format off
/// [robot.NAME]
///   file = "quadruped.urdf"  beside the scene file or in assets/robots
///   base = "free" | "fixed"  default "free", "fixed" where the file's root is the world itself
///   position, quaternion     of the base link's frame [m]; [w, x, y, z]
///   velocity, angular_velocity   of it, world axes [m/s], [rad/s]
///   joints = { FL_HFE = -0.8 }   start positions [rad] or [m]; the rest 0, or what limits allow
///   joint_velocities = { ... }   [rad/s] or [m/s]; the rest 0
///   joint_stiffness, joint_damping, impedance   of all motors, see JointTable(); or of some,
///                            { JOINT = 2000 }, the others 0
///   target_paths = { JOINT = [[0, 0], [2, 0.1]] }   times [s] and what the motor's target goes by
///                            [rad] or [m], straight in between
///   material = "rubber"      may be left out when the scene has only one
///   contact_points = { FL_FOOT = [[0, 0, 0]] }   points instead of a link's shapes, in the frame
///                            of a link, or of one that was merged [m]
///   controller = { kind = "squat", period = "40 ms" }   kind: see RobotTable(), whose parameters
///                            are its keys; default "none"
///   merge_fixed = false      keeps links on fixed joints as bodies of their own; default true
///   weightless = true        motors carry the weight of its links by themselves; default false
///   self_collision = true    links that no joint joins collide; default false
// clang-format on
void ReadRobot(const TomlNode& node, Model* model, Config* config, Reporter* reporter);

}  // namespace slip
