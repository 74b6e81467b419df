// <keyframe> and <equality>: how a model begins, and what follows what.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/mjcf/mjcf.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

/// As the bodies stand in the file, at rest.
void AddReference(MjcfModel* model) {
  for (const MjcfJoint& own : model->joints) {
    RobotJoint& joint = model->robot.joints[static_cast<std::size_t>(own.joint)];
    RobotStart start;
    const Pose& X = joint.X_PJ;
    if (joint.kind == RobotJointKind::kFloating)
      start.q = {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
    else if (joint.kind == RobotJointKind::kBall)
      start.q = {1, 0, 0, 0};
    else
      start.q[0] = own.ref;
    joint.starts.push_back(start);
  }
}

void CheckTurn(const MjcfItem& item, const MjcfJoint& own, double* q) {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(norm > 1e-10))
    return item.Fail(fmt::format("the quaternion of joint {} is zero", QuoteXml(own.name)),
                     "write 1 0 0 0 for none");
  for (int i = 0; i < 4; ++i) q[i] /= norm;
}

void ReadMjcfKey(const MjcfNode& node, MjcfModel* model) {
  CheckMjcfAttributes(node, model->report);
  const MjcfItem item(node, NameMjcf(node), model->report);
  if ((model->robot.starts.size() + 1) * model->joints.size() > kMostKeyNumbers)
    return item.Fail("too many keyframes for so many joints",
                     fmt::format("at most {} numbers in all of them", kMostKeyNumbers));
  const auto read = [&](const char* name, int count, std::vector<double>* out) {
    out->assign(static_cast<std::size_t>(count), 0);
    return item.Has(name) && count > 0 &&
           item.Numbers(name, out->size(), *out, {.most = 1e6}) == out->size();
  };
  std::vector<double> qpos, qvel;
  const bool has_q = read("qpos", model->nq, &qpos), has_v = read("qvel", model->nv, &qvel);
  if (item.Has("qpos") && !has_q) return;
  AddReference(model);
  for (const MjcfJoint& own : model->joints) {
    RobotJoint& joint = model->robot.joints[static_cast<std::size_t>(own.joint)];
    RobotStart& start = joint.starts.back();
    const int nq = joint.kind == RobotJointKind::kFloating ? 7
                   : joint.kind == RobotJointKind::kBall   ? 4
                                                           : 1;
    const int nv = nq == 1 ? 1 : nq - 1;
    if (has_q) std::copy_n(qpos.begin() + own.q_start, nq, start.q.begin());
    if (has_v) std::copy_n(qvel.begin() + own.v_start, nv, start.v.begin());
    if (nq == 7) CheckTurn(item, own, start.q.data() + 3);
    if (nq == 4) CheckTurn(item, own, start.q.data());
  }
  const std::string* name = node.Find("name");
  model->robot.starts.push_back(name != nullptr && !name->empty()
                                    ? *name
                                    : fmt::format("key_{}", model->robot.starts.size()));
}

/// The largest that the curved part of a coupler puts its joint beside the straight one.
double CurveError(const std::array<double, 5>& c, double low, double high) {
  double worst = 0;
  for (int i = 0; i <= 100; ++i) {
    const double x = low + (high - low) * i / 100;
    worst = std::max(worst, std::abs(x * x * (c[2] + x * (c[3] + x * c[4]))));
  }
  return worst;
}

bool IsSingle(const RobotJoint& joint) {
  return joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
}

void ReadCoupler(const MjcfNode& node, MjcfModel* model) {
  CheckMjcfAttributes(node, model->report);
  const MjcfItem item = model->defaults.Make(node, NameMjcf(node), {}, model->report);
  bool active = model->settings.equality;
  if (active) item.Flag("active", &active);
  if (!active) {
    model->report->Say(node, "equality constraints that are not active are not read");
    return;
  }
  const auto find = [&](const char* attribute) -> MjcfJoint* {
    MjcfJoint* joint = model->FindJoint(item.Text(attribute));
    if (joint == nullptr)
      item.Fail(fmt::format("there is no joint {}", QuoteXml(item.Text(attribute))),
                fmt::format("{} names a joint", attribute));
    else if (!IsSingle(model->robot.joints[static_cast<std::size_t>(joint->joint)]))
      item.Fail(fmt::format("joint {} is neither hinge nor slide", QuoteXml(joint->name)),
                "couple joints of one coordinate");
    else
      return joint;
    return nullptr;
  };
  MjcfJoint* follower = find("joint1");
  if (follower == nullptr) return;
  RobotJoint& joint = model->robot.joints[static_cast<std::size_t>(follower->joint)];
  std::array<double, 5> c{0, 1, 0, 0, 0};
  item.Numbers("polycoef", 1, c);
  if (joint.mimic) return item.Fail("its joint1 follows another already", "a joint has one leader");
  if (!item.Has("joint2")) {
    // it stands still
    joint.lower = joint.upper = follower->ref + c[0];
    for (RobotStart& start : joint.starts) start.q[0] = joint.lower;
    return;
  }
  const MjcfJoint* leader = find("joint2");
  if (leader == nullptr) return;
  if (leader == follower) return item.Fail("a joint follows itself", "name two joints");
  const RobotJoint& leading = model->robot.joints[static_cast<std::size_t>(leader->joint)];
  if (c[2] != 0 || c[3] != 0 || c[4] != 0) {
    const double low = leader->lower < leader->upper ? leader->lower - leader->ref : -1;
    const double high = leader->lower < leader->upper ? leader->upper - leader->ref : 1;
    model->report->Say(
        node, fmt::format("{}: joint {} follows {} by the straight part of its polynomial, which "
                          "is off by up to {:.3g} {}",
                          item.owner(), QuoteXml(joint.name), QuoteXml(leading.name),
                          CurveError(c, low, high),
                          joint.kind == RobotJointKind::kPrismatic ? "m" : "rad"));
  }
  model->report->Say(node, "joints that follow others do so as stiffly as a step resolves");
  joint.mimic = RobotMimic{.joint = leader->joint,
                           .multiplier = c[1],
                           .offset = follower->ref + c[0] - c[1] * leader->ref};
}

/// A chain of followers must end at a joint that leads.
void CheckLeaders(const MjcfNode& at, MjcfModel* model) {
  const auto& joints = model->robot.joints;
  for (const MjcfJoint& own : model->joints) {
    int j = own.joint;
    for (std::size_t n = 0; j >= 0 && n <= joints.size(); ++n) {
      const auto& mimic = joints[static_cast<std::size_t>(j)].mimic;
      j = mimic ? mimic->joint : -1;
    }
    if (j >= 0)
      return model->report->Fail(
          at, fmt::format("joint {} follows itself, through others", QuoteXml(own.name)),
          "let one joint lead");
  }
}

}  // namespace

void ReadMjcfKeys(const MjcfNode& root, MjcfModel* model) {
  for (const MjcfNode& section : root.children) {
    if (section.name != "keyframe") continue;
    for (const MjcfNode& key : section.children) {
      if (key.name == "key")
        ReadMjcfKey(key, model);
      else
        model->report->Fail(key, fmt::format("<{}> in <keyframe> is not read", key.name),
                            "expected key");
    }
  }
  if (!model->robot.starts.empty()) return;
  AddReference(model);
  model->robot.starts.emplace_back(kReferenceStart);
}

void ReadMjcfEquality(const MjcfNode& root, MjcfModel* model) {
  const MjcfNode* last = nullptr;
  for (const MjcfNode& section : root.children) {
    if (section.name != "equality") continue;
    for (const MjcfNode& child : section.children) {
      if (child.name == "joint")
        ReadCoupler(child, model);
      else if (child.name != "connect" && child.name != "weld" && child.name != "flex")
        model->report->Fail(child, fmt::format("<{}> in <equality> is not read", child.name),
                            "couple joints by <joint>");
    }
    last = &section;
  }
  if (last != nullptr) CheckLeaders(*last, model);
}

}  // namespace slip
