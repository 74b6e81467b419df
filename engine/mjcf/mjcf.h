// Robots and scenes as MuJoCo describes them (MJCF): read into the same description as URDF. What
// has no counterpart here is refused by name, all of it at once; what is taken over roughly is said
// in the description's notes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// The start of a file without keyframes: as its bodies stand in it.
inline constexpr const char* kReferenceStart = "reference";

/// Its root link is the world. Includes and meshes are looked for in the file's folder and below.
/// `collision`: with what meshes touch that are not convex; MuJoCo takes their hulls.
Result<RobotDescription> ReadMjcf(const std::string& path,
                                  MeshCollision collision = MeshCollision::kHull);
/// The same from text; `name` stands for the file in messages, other files are looked for from
/// `folder`.
Result<RobotDescription> ReadMjcfText(std::string_view text, const std::string& name,
                                      const std::string& folder,
                                      MeshCollision collision = MeshCollision::kHull);

/// A robot's file of either kind: *.xml with the root <mujoco> is MJCF, all else URDF. Without
/// `collision` meshes touch as in files of that kind.
Result<RobotDescription> ReadRobotFile(const std::string& path,
                                       std::optional<MeshCollision> collision = {});

}  // namespace slip
