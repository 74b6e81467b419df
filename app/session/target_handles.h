// What the handles of a robot's targets stand for. A robot such as a gripper hangs on slides,
// prismatic joints one after the other from the world on, each with a motor that has a target; the
// last of the links that they carry is called the palm here.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

/// A prismatic joint that a motor holds at its target: what was set, plus the scene's path.
struct TargetSlide {
  int body = 0;                 ///< that it carries
  std::string name;             ///< of the joint within its robot
  std::string path;             ///< of the target among the parameters
  Vec3 axis_W;                  ///< unit, the way it goes when the target grows
  double target = 0;            ///< as set [m]
  double from_path = 0;         ///< what the scene's path adds at the end of the step to come [m]
  double lower = 0, upper = 0;  ///< range of what can be set [m]

  double asked() const { return target + from_path; }
  /// What can be set next to a value: in whole parts of `grid` [1/m], within the range.
  double OnGrid(double value, double grid) const {
    return std::clamp(std::round(value * grid) / grid, lower, upper);
  }
};

/// Two links of one parent that slide apart: the second follows the first.
struct FingerPair {
  TargetSlide slide;  ///< of the first finger, which goes along axis_W; the other goes against it
  Vec3 p_WF, p_WG;    ///< their joints' frames, at the targets [m]
};

/// One robot's targets.
struct TargetHandles {
  int robot = 0;                    ///< index into Model::robots
  std::vector<TargetSlide> slides;  ///< from the world on, up to three, axes independent
  Vec3 p_WT;                        ///< origin of the palm's frame at the targets [m]
  Vec3 p_WP;                        ///< where it is [m]
  std::optional<FingerPair> fingers;
};

/// What is set for a target, by its path among the parameters.
using TargetReader = std::function<double(const std::string& path)>;

/// The robots of a channel that hang on slides whose motors hold them: by their stiffness, or by
/// their impedance where the method knows no motors. Robots with a controller are its own.
std::vector<TargetHandles> FindTargetHandles(const Model& model, const ChannelFrame& frame,
                                             const TargetReader& read);

/// The target of a joint with one coordinate as a parameter, its range cut to the joint's limits
/// or, without them, to half a turn or a metre either way.
ParamInfo TargetInfo(const Joint& joint);

/// Changes of the slides' targets that bring the palm nearest to a displacement d_W [m].
VectorX CalcSlideChanges(const std::vector<TargetSlide>& slides, const Vec3& d_W);

/// The slide that goes nearest along a unit vector, at less than 45 degrees; -1 = none does.
int FindSlideAlong(const std::vector<TargetSlide>& slides, const Vec3& axis_W);

/// "FL_HFE" of "solo/FL_HFE".
std::string_view NameInRobot(std::string_view name);

}  // namespace slip::app
