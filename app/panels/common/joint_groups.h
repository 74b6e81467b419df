// Joints that belong together in the panel: those of one leg, or of one robot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/target_handles.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

struct JointGroup {
  int robot = -1;                    ///< index into Model::robots
  std::string title;                 ///< the prefix of its joints' names, or the robot's name
  std::string_view words = "";       ///< what the prefix means, where it is a usual one
  std::size_t first = 0, count = 0;  ///< in ChannelFrame::joints
  bool prefixed = false;             ///< the title is a prefix
  std::size_t left_out = 0;          ///< characters that names are shown without, at the front
};

/// Joints that follow each other with one prefix up to '_', where their robot has several such
/// legs; else the robot is the group.
std::vector<JointGroup> GroupJoints(const Model& model, const std::vector<JointFrame>& joints);

const Body& BodyOfJoint(const Model& model, const JointFrame& joint);
/// "HFE" in the group FL.
std::string_view NameInGroup(const Model& model, const JointGroup& group, const JointFrame& joint);

/// Of a leg of a free robot what it rests on: "on the floor" with its foot, or with any link where
/// the robot has no feet, "lies on the floor" with another link, "in the air"; else empty.
std::string_view Stance(const Model& model, const ChannelFrame& frame, const JointGroup& group);

}  // namespace slip::app
