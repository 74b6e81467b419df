#include "app/panels/common/joint_motors.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/panels/common/joint_groups.h"
#include "engine/control/holding_gains.h"
#include "engine/dynamics/kinematics.h"

namespace slip::app {

double FromPath(const Body& body, const ChannelFrame& frame) {
  return body.target_path.At(frame.time);
}

std::vector<std::string> SetByHand(const Session& session, int channel) {
  const auto changed = [&](const std::string& path) {
    return session.params().Value(channel, path) != session.params().Default(channel, path);
  };
  std::vector<std::string> paths;
  for (const JointFrame& joint : session.frame(channel).joints) {
    const std::string stem = "joint." + BodyOfJoint(*session.model(), joint).joint.name + ".";
    const bool motor = session.params().Default(channel, stem + "joint_stiffness") > 0;
    for (const char* name : {"joint_target", "joint_stiffness", "joint_damping"}) {
      if (changed(stem + name) && (name == std::string_view("joint_target") || !motor))
        paths.push_back(stem + name);
    }
  }
  // who took the joints over gives them back
  for (const RobotDrive& robot : session.frame(channel).config.robots) {
    const std::string path = "robot." + robot.name + ".controller";
    if (!paths.empty() && robot.id() == ControllerId::kNone && changed(path)) paths.push_back(path);
  }
  return paths;
}

void TakeOverJoints(Session* s, int channel, bool alone) {
  const Session& session = *s;
  const Model& model = *session.model();
  const ChannelFrame& frame = session.frame(channel);
  const int whose = alone && session.channel_count() > 1 ? channel : -1;
  const double gravity = std::max(session.snapshot().gravity_W.norm(), 1.0);
  State start;
  SetStart(model, &start);
  const std::vector<HoldingGains> gains =
      CalcHoldingGains(model, start, gravity, frame.config.step.time_step);
  for (std::size_t r = 0; r < model.robots.size(); ++r) {
    const auto is_own = [&](const JointFrame& joint) {
      return BodyOfJoint(model, joint).robot == static_cast<int>(r);
    };
    const bool controlled = frame.config.robots[r].id() != ControllerId::kNone;
    const bool held = std::any_of(
        frame.joints.begin(), frame.joints.end(),
        [&](const JointFrame& joint) { return is_own(joint) && !std::isnan(joint.target); });
    if (held && !controlled) continue;
    if (controlled)
      s->params().Set(whose, "robot." + model.robots[r].name + ".controller",
                      static_cast<double>(ControllerId::kNone));
    for (const JointFrame& joint : frame.joints) {
      const Body& body = BodyOfJoint(model, joint);
      if (!is_own(joint) || body.drive < 0) continue;
      const HoldingGains& own = At(gains, body.drive);
      const std::string stem = "joint." + body.joint.name + ".";
      s->params().Set(whose, stem + "joint_target", joint.position - FromPath(body, frame));
      s->params().Set(whose, stem + "joint_stiffness", own.stiffness);
      s->params().Set(whose, stem + "joint_damping", own.damping);
    }
  }
}

void ReleaseJoints(Session* s, int channel, bool alone, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (alone && s->channel_count() > 1) {
      s->params().Set(channel, path, s->params().Default(channel, path));
    } else {
      s->params().Reset(path);
    }
  }
}

void SetJointTargets(int channel, const std::vector<std::pair<std::string, double>>& targets,
                     bool alone, Requests* requests) {
  requests->Ask([channel, targets, alone](Session* s) {
    s->params().AsOneEdit([&] {
      for (const auto& [path, target] : targets) {
        if (alone && s->channel_count() > 1) {
          s->params().Set(channel, path, target);
          continue;
        }
        if (!s->params().Shared(path)) s->params().Share(path, channel);
        s->params().Set(-1, path, target);
      }
    });
  });
}

}  // namespace slip::app
