#include "app/panels/common/joint_groups.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/sim/foot_load.h"

namespace slip::app {
namespace {

std::string_view Prefix(std::string_view name) {
  const std::size_t bar = name.find('_');
  return bar == std::string_view::npos ? std::string_view() : name.substr(0, bar);
}

std::string LowerCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Which limb a joint of that name is of, where it is called as people call them.
std::string_view LimbOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kParts[] = {
      {"hip", "leg"},   {"knee", "leg"},   {"ankle", "leg"},  {"shoulder", "arm"}, {"elbow", "arm"},
      {"wrist", "arm"}, {"thumb", "hand"}, {"index", "hand"}, {"finger", "hand"}};
  const std::string lower = LowerCase(name);
  for (const auto& [part, limb] : kParts) {
    if (lower.find(part) != std::string::npos) return limb;
  }
  return "";
}

/// What a leg's prefix means, where it is one that people use.
std::string_view WordsOf(std::string_view prefix, std::string_view name) {
  if (LowerCase(prefix) == "left" || LowerCase(prefix) == "right") return LimbOf(name);

  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"FL", "front left"}, {"LF", "front left"}, {"FR", "front right"}, {"RF", "front right"},
      {"HL", "hind left"},  {"LH", "hind left"},  {"HR", "hind right"},  {"RH", "hind right"},
      {"RL", "rear left"},  {"RR", "rear right"}, {"L", "left"},         {"R", "right"}};
  for (const auto& [known, words] : kWords) {
    if (LowerCase(known) == LowerCase(prefix)) return words;
  }
  return "";
}

/// Length of a prefix that all of several joints have, with its bar; 0 without one.
std::size_t CommonPrefix(const Model& model, const std::vector<JointFrame>& joints,
                         const JointGroup& group) {
  const auto name = [&](std::size_t j) {
    return NameInRobot(BodyOfJoint(model, joints[j]).joint.name);
  };
  const std::string_view prefix = Prefix(name(group.first));
  if (group.count < 2 || prefix.empty()) return 0;
  for (std::size_t j = group.first; j < group.first + group.count; ++j) {
    if (Prefix(name(j)) != prefix || name(j).size() == prefix.size() + 1) return 0;
  }
  return prefix.size() + 1;
}

}  // namespace

const Body& BodyOfJoint(const Model& model, const JointFrame& joint) {
  return model.body(joint.body);
}

std::string_view NameInGroup(const Model& model, const JointGroup& group, const JointFrame& joint) {
  std::string_view name = NameInRobot(BodyOfJoint(model, joint).joint.name);
  name.remove_prefix(group.left_out);
  // that it is one is said by the tab
  constexpr std::string_view kJoint = "_joint";
  if (name.size() > kJoint.size() && name.ends_with(kJoint)) name.remove_suffix(kJoint.size());
  return name;
}

std::vector<JointGroup> GroupJoints(const Model& model, const std::vector<JointFrame>& joints) {
  std::vector<JointGroup> groups;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Body& body = BodyOfJoint(model, joints[j]);
    const std::string_view prefix = Prefix(NameInRobot(body.joint.name));
    const bool same = !groups.empty() && groups.back().robot == body.robot &&
                      groups.back().title == prefix && !prefix.empty();
    if (same) {
      ++groups.back().count;
    } else {
      groups.push_back({body.robot, std::string(prefix), WordsOf(prefix, body.joint.name), j, 1,
                        !prefix.empty(), prefix.empty() ? 0 : prefix.size() + 1});
    }
  }
  // one joint alone is no leg, and one prefix for all tells nothing
  std::vector<JointGroup> merged;
  for (const JointGroup& group : groups) {
    const auto legs = std::count_if(groups.begin(), groups.end(), [&](const JointGroup& g) {
      return g.robot == group.robot && g.prefixed && g.count > 1;
    });
    if (group.prefixed && group.count > 1 && legs > 1) {
      merged.push_back(group);
    } else if (!merged.empty() && merged.back().robot == group.robot && !merged.back().prefixed) {
      merged.back().count += group.count;
    } else {
      const std::string name = group.robot >= 0 ? At(model.robots, group.robot).name : "Joints";
      merged.push_back({group.robot, name, "", group.first, group.count, false, 0});
    }
  }
  for (JointGroup& group : merged) {
    if (!group.prefixed) group.left_out = CommonPrefix(model, joints, group);
  }
  return merged;
}

std::string_view Stance(const Model& model, const ChannelFrame& frame, const JointGroup& group) {
  if (!group.prefixed || group.robot < 0 || !frame.measured) return "";
  const Robot& robot = At(model.robots, group.robot);
  if (!model.body(robot.first_body).Moves()) return "";
  const auto in_group = [&](int link) {
    for (std::size_t j = group.first; j < group.first + group.count; ++j) {
      if (frame.joints[j].body == link) return true;
    }
    return false;
  };
  for (const Robot::Foot& foot : robot.feet) {
    if (!in_group(foot.body)) continue;
    switch (FindLegRest(model, robot, foot, frame.contacts)) {
      case LegRest::kAir:
        return "in the air";
      case LegRest::kFoot:
        return "on the floor";
      case LegRest::kOther:
        return "lies on the floor";
    }
  }
  for (const ContactFrame& contact : frame.contacts) {
    if (contact.surface < 0 || !(contact.fn > 0)) continue;
    if (in_group(model.body(contact.body).Owner(contact.body))) return "on the floor";
  }
  return "in the air";
}

}  // namespace slip::app
