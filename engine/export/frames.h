// A model as trees of links: who hangs on whom, and where the frames of the files stand. L is the
// frame that a body's file names (Body::X_BL), of a body without one B itself.
#pragma once

#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

class LinkFrames {
 public:
  /// `at_joints`: L is moved to where the link's joint is, as formats want it that have no other
  /// place for joints.
  LinkFrames(const Model& model, const State& start, bool at_joints = false);

  /// Links whose joint hangs on this one, -1 = on the world.
  const std::vector<int>& ChildrenOf(int link) const { return children_[ToIndex(link + 1)]; }
  /// Shapes that are parts of the link, and what of it is only seen: indices into Model::bodies and
  /// Model::visuals.
  const std::vector<int>& PartsOf(int link) const { return parts_[ToIndex(link)]; }
  const std::vector<int>& VisualsOf(int link) const { return visuals_[ToIndex(link)]; }

  const Pose& X_LB(int link) const { return X_LB_[ToIndex(link)]; }
  /// Joint frames on the links.
  Pose X_LF(int link) const;  ///< on the parent's
  Pose X_LM(int link) const;
  /// On the parent's L, where the coordinates are zero; of a body that keeps its pose at its start.
  Pose RestPose(int link) const;
  Pose StartInWorld(int link) const;
  bool KeepsPose(int link) const;

 private:
  const Body& body(int b) const { return model_.bodies[ToIndex(b)]; }

  const Model& model_;
  const State& start_;
  std::vector<std::vector<int>> children_, parts_, visuals_;
  std::vector<Pose> X_LB_;
};

/// The state in which all coordinates are zero; bodies that keep their pose stay at their start.
State MakeRestState(const Model& model, const State& start);

/// A name without the robot's: "solo/base" is "base".
std::string LocalName(const std::string& name);

}  // namespace slip
