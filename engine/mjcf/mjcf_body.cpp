// <worldbody>: bodies with their joints, masses and shapes, parents before children.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "engine/core/numbers.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

/// So much of the largest moment may two others miss of it: files give four digits.
constexpr double kMomentDigits = 1e-3;
constexpr std::size_t kMostBodies = 20000;

class BodyReader {
 public:
  explicit BodyReader(MjcfModel* model) : model_(*model), report_(*model->report) {}

  void Read(const MjcfNode& root) {
    RobotLink world;
    world.name = "world";
    model_.robot.links.push_back(world);
    model_.massless.push_back(false);
    model_.bodies.push_back({.name = "world", .node = &root});
    model_.body_index.emplace("world", 0);
    bool any = false;
    for (const MjcfNode& section : root.children) {
      if (section.name != "worldbody") continue;
      any = any || !section.children.empty();
      CheckMjcfAttributes(section, &report_);
      Contents(section, "main", Pose{}, 0, Pose{}, nullptr);
      FillBodies(section, "main", Pose{}, 0, Pose{});
      FillFrames(section, "main", Pose{}, 0, Pose{});
    }
    if (!any && model_.whole)
      report_.Fail(root, "<worldbody> is empty, or there is none",
                   "write <worldbody><body>...</body></worldbody>");
  }

 private:
  std::string UniqueName(const MjcfNode& node, const std::string& given,
                         const std::string& otherwise, std::set<std::string>* names) {
    if (!given.empty()) {
      const bool control =
          std::any_of(given.begin(), given.end(), [](char c) { return c >= 0 && c < ' '; });
      if (control || given.size() > 200)
        report_.Fail(node,
                     fmt::format("<{}> {} has {}", node.name, QuoteXml(given),
                                 control ? "a line break in its name" : "too long a name"),
                     "at most 200 letters in one line");
      if (!names->insert(given).second)
        report_.Fail(node, fmt::format("a second {} {}", node.name, QuoteXml(given)),
                     "names differ");
      return given;
    }
    std::string name = otherwise;
    for (int i = 2; !names->insert(name).second; ++i) name = fmt::format("{}_{}", otherwise, i);
    return name;
  }

  static std::string Own(const MjcfNode& node, std::string_view attribute) {
    const std::string* text = node.Find(attribute);
    return text == nullptr ? std::string() : *text;
  }

  void FillBodies(const MjcfNode& node, const std::string& childclass, const Pose& X_BF, int body,
                  const std::optional<Pose>& X_WB) {
    for (const MjcfNode& child : node.children)
      if (child.name == "body") AddBody(child, childclass, X_BF, body, X_WB);
  }

  std::string ClassOf(const MjcfNode& node, const std::string& around) {
    const std::string* own = node.Find("childclass");
    if (own == nullptr) return around;
    return model_.defaults.Check(node, *own, &report_) ? *own : around;
  }

  void CollectJoints(const MjcfNode& node, const std::string& childclass, const Pose& X_BF,
                     std::vector<std::pair<const MjcfNode*, std::pair<std::string, Pose>>>* out) {
    for (const MjcfNode& child : node.children) {
      if (child.name == "joint" || child.name == "freejoint")
        out->push_back({&child, {childclass, X_BF}});
      if (child.name != "frame") continue;
      const MjcfItem item(child, NameMjcf(child), &quiet_);
      CollectJoints(child, ClassOf(child, childclass),
                    ComposeUnit(X_BF, ReadMjcfPose(item, model_.SettingsOf(item.node()))), out);
    }
  }

  void AddBody(const MjcfNode& node, const std::string& around, const Pose& X_PF, int parent,
               const std::optional<Pose>& X_WP) {
    CheckMjcfAttributes(node, &report_);
    if (model_.bodies.size() >= kMostBodies) {
      if (!full_)
        report_.Fail(node, fmt::format("more than {} bodies", kMostBodies), "is it a robot?");
      full_ = true;
      return;
    }
    const int index = static_cast<int>(model_.bodies.size());
    MjcfBody own;
    own.name = UniqueName(node, Own(node, "name"), fmt::format("body_{}", index), &names_);
    own.node = &node;
    own.parent = parent;
    const std::string owner = fmt::format("body {}", QuoteXml(own.name));
    const MjcfItem item(node, owner, &report_);
    double weightless = 0;
    if (item.Number("gravcomp", &weightless) && weightless != 0)
      item.Fail("gravcomp is not read", "set it to 0");
    bool mocap = false;
    item.Flag("mocap", &mocap);
    if (mocap) report_.Say(node, "mocap bodies stay where they are");
    const Pose X_PB = ComposeUnit(X_PF, ReadMjcfPose(item, model_.SettingsOf(item.node())));
    const std::string childclass = ClassOf(node, around);
    std::vector<std::pair<const MjcfNode*, std::pair<std::string, Pose>>> joints;
    CollectJoints(node, childclass, Pose{}, &joints);
    const bool free = std::any_of(joints.begin(), joints.end(), [&](const auto& joint) {
      if (joint.first->name == "freejoint") return true;
      return model_.defaults.Make(*joint.first, {}, joint.second.first, &quiet_).Text("type") ==
             "free";
    });
    if (free && (joints.size() > 1 || parent != 0))
      item.Fail("a free joint stands alone, in a body of the world",
                parent != 0 ? "move the body into <worldbody>" : "delete its other joints");
    int link = model_.bodies[ToIndex(parent)].link;
    Pose X_PJ = X_PB;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const bool last = j + 1 == joints.size();
      RobotJoint joint;
      joint.name = UniqueName(*joints[j].first, Own(*joints[j].first, "name"), own.name + "_joint",
                              &joint_names_);
      joint.line = joints[j].first->line;
      joint.X_PJ = X_PJ;
      ReadMjcfJoint(*joints[j].first, joints[j].second.first, joints[j].second.second, &joint,
                    &model_);
      link = AddLink(joint, link, node,
                     last ? own.name : fmt::format("{}.{}", own.name, joint.name), !last);
      X_PJ = Pose{};
    }
    if (joints.empty()) {
      RobotJoint joint;
      joint.name = UniqueName(node, {}, own.name + "_fixed", &joint_names_);
      joint.line = node.line;
      joint.X_PJ = X_PB;
      link = AddLink(joint, link, node, own.name, false);
    }
    own.link = link;
    own.weld = joints.empty() ? model_.bodies[ToIndex(parent)].weld : index;
    model_.body_index.emplace(own.name, index);
    model_.bodies.push_back(own);
    std::optional<Pose> X_WB;
    if (joints.empty() && X_WP) X_WB = ComposeUnit(*X_WP, X_PB);
    Weigh(node, childclass, index, X_WB);
    FillBodies(node, childclass, Pose{}, index, X_WB);
    FillFrames(node, childclass, Pose{}, index, X_WB);
  }

  // Bodies in frames of a body.
  void FillFrames(const MjcfNode& node, const std::string& childclass, const Pose& X_BF, int body,
                  const std::optional<Pose>& X_WB) {
    for (const MjcfNode& child : node.children) {
      if (child.name != "frame") continue;
      const MjcfItem item(child, NameMjcf(child), &quiet_);
      const Pose X = ComposeUnit(X_BF, ReadMjcfPose(item, model_.SettingsOf(item.node())));
      const std::string own = ClassOf(child, childclass);
      FillBodies(child, own, X, body, X_WB);
      FillFrames(child, own, X, body, X_WB);
    }
  }

  int AddLink(RobotJoint joint, int parent, const MjcfNode& node, const std::string& name,
              bool massless) {
    RobotLink link;
    link.name = name;
    link.line = node.line;
    link.parent_joint = static_cast<int>(model_.robot.joints.size());
    joint.parent = parent;
    joint.child = static_cast<int>(model_.robot.links.size());
    model_.robot.joints.push_back(std::move(joint));
    model_.robot.links.push_back(std::move(link));
    model_.massless.push_back(massless);
    return model_.robot.links.back().parent_joint + 1;
  }

  // The shapes of a body, and its mass: from <inertial>, or from them.
  void Weigh(const MjcfNode& node, const std::string& childclass, int body,
             const std::optional<Pose>& X_WB) {
    const MjcfSettings& s = model_.SettingsOf(node);
    const MjcfNode* inertial = nullptr;
    for (const MjcfNode& child : node.children) {
      if (child.name != "inertial") continue;
      if (inertial != nullptr) report_.Fail(child, "a second <inertial>", "keep one");
      inertial = &child;
    }
    const std::size_t errors = report_.errors();
    RobotLink from_shapes;
    const bool shapes = s.from_shapes ? *s.from_shapes : inertial == nullptr;
    Contents(node, childclass, Pose{}, body, X_WB, shapes ? &from_shapes : nullptr);
    RobotLink& link = model_.robot.links[ToIndex(model_.bodies[ToIndex(body)].link)];
    if (shapes) {
      link.mass = from_shapes.mass;
      link.p_LC = from_shapes.p_LC;
      link.I_LC = from_shapes.I_LC;
    } else if (inertial != nullptr) {
      ReadInertial(*inertial, model_.bodies[ToIndex(body)].name, &link);
    }
    if (report_.errors() > errors) model_.unweighed.insert(model_.bodies[ToIndex(body)].link);
    if (link.mass > 0 || s.least_mass > 0) Bound(s, &link);
  }

  // What stands in a body, or in a <frame> of it at X_BF, but for bodies and joints. X_WB: of what
  // does not move.
  void Contents(const MjcfNode& node, const std::string& childclass, const Pose& X_BF, int body,
                const std::optional<Pose>& X_WB, RobotLink* weighs) {
    for (const MjcfNode& child : node.children) {
      if (child.name == "geom") {
        ReadMjcfGeom(child, childclass, X_BF, body, X_WB, weighs, &model_);
      } else if (child.name == "frame") {
        CheckMjcfAttributes(child, &report_);
        const MjcfItem item(child, NameMjcf(child), &report_);
        Contents(child, ClassOf(child, childclass),
                 ComposeUnit(X_BF, ReadMjcfPose(item, model_.SettingsOf(item.node()))), body, X_WB,
                 weighs);
      } else if (child.name == "site" || child.name == "camera" || child.name == "light") {
        report_.Say(child, fmt::format("<{}> is not read", child.name));
      } else if (!IsPart(child.name)) {
        report_.Fail(child, fmt::format("<{}> in a body is not read", child.name),
                     "expected body, joint, geom, inertial or frame");
      } else if (body == 0 && (child.name == "inertial" || child.name.ends_with("joint"))) {
        report_.Fail(child, fmt::format("<{}> in the world", child.name), "put it into a <body>");
      }
    }
  }

  // Read elsewhere, or refused by name.
  static bool IsPart(std::string_view name) {
    for (const std::string_view known :
         {"body", "inertial", "joint", "freejoint", "plugin", "composite", "flexcomp"})
      if (name == known) return true;
    return false;
  }

  void ReadInertial(const MjcfNode& node, const std::string& body, RobotLink* link) {
    CheckMjcfAttributes(node, &report_);
    const MjcfItem item(node, fmt::format("body {}", QuoteXml(body)), &report_);
    const Pose X_LI = ReadMjcfPose(item, model_.SettingsOf(item.node()));
    if (!item.Has("mass")) return item.Fail("no mass of <inertial>", "write mass=\"NUMBER\" [kg]");
    double mass = 0;
    if (!item.NumberFrom(0, "mass", &mass, {.most = 1e6, .unit = "kg"})) return;
    Mat3 I = Mat3::Zero();
    std::array<double, 6> n{};
    if (item.Has("fullinertia")) {
      if (item.Numbers("fullinertia", 6, n) == 0) return;
      I << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
    } else if (item.Numbers("diaginertia", 3, std::span(n.data(), 3)) == 3) {
      I = Vec3(n[0], n[1], n[2]).asDiagonal();
    }
    const Mat3 R = X_LI.q.toRotationMatrix();
    if (!R.isIdentity(0)) I = R * I * R.transpose();
    link->mass = mass;
    link->p_LC = X_LI.p;
    link->I_LC = 0.5 * (I + I.transpose());
  }

  static void Bound(const MjcfSettings& s, RobotLink* link) {
    link->mass = std::max(link->mass, s.least_mass);
    if (s.least_moment <= 0 && !s.balance) return;
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(link->I_LC);
    Vec3 moments = eigen.eigenvalues().cwiseMax(s.least_moment);
    const bool balanced = moments[0] + moments[1] >= moments[2];
    if (s.balance && !balanced)
      moments.setConstant(moments.mean());
    else if (moments == eigen.eigenvalues())
      return;
    link->I_LC = eigen.eigenvectors() * moments.asDiagonal() * eigen.eigenvectors().transpose();
  }

  static MjcfReport Quiet(const MjcfReport& report) {
    MjcfReport quiet;
    quiet.files = report.files;
    return quiet;
  }

  MjcfModel& model_;
  MjcfReport& report_;
  MjcfReport quiet_ = Quiet(report_);  // for what is read a second time
  std::set<std::string> names_ = {"world"}, joint_names_;
  bool full_ = false;
};

/// Mass and inertia of what moves as one.
void JudgeLink(const RobotLink& sum, const MjcfNode& at, const std::string& name,
               MjcfReport* report) {
  const std::string owner = fmt::format("body {}: ", QuoteXml(name));
  if (!(sum.mass > 1e-10)) {
    report->Fail(at, owner + "it moves but has no mass",
                 "give it an <inertial>, or shapes with mass");
    return;
  }
  const Vec3 m =
      Eigen::SelfAdjointEigenSolver<Mat3>(sum.I_LC, Eigen::EigenvaluesOnly).eigenvalues();
  const std::string values = fmt::format("moments {:.4g}, {:.4g}, {:.4g} kg m^2", m[0], m[1], m[2]);
  if (!(m[0] > 1e-12 * m[2]) || !(m[0] > 0))
    report->Fail(at, owner + "the inertia is not positive definite: " + values,
                 "every principal moment must be above zero");
  else if (m[0] + m[1] < (1 - kMomentDigits) * m[2])
    report->Fail(at, owner + "no body has this inertia: " + values,
                 "the sum of two moments is never below the third; balanceinertia evens them out");
}

}  // namespace

void ReadMjcfBodies(const MjcfNode& root, MjcfModel* model) { BodyReader(model).Read(root); }

void SettleMjcfMasses(MjcfModel* model) {
  RobotDescription& robot = model->robot;
  if (model->settings.total_mass > 0 && robot.CalcMass() > 0) {
    const double scale = model->settings.total_mass / robot.CalcMass();
    for (RobotLink& link : robot.links) {
      link.mass *= scale;
      link.I_LC *= scale;
    }
  }
  // what is fixed is part of its parent; children come after their parents
  std::vector<RobotLink> sums = robot.links;
  std::vector<const MjcfBody*> body_of(robot.links.size(), nullptr);
  for (const MjcfBody& body : model->bodies) body_of[static_cast<std::size_t>(body.link)] = &body;
  for (std::size_t i = robot.links.size(); i-- > 1;) {
    const RobotJoint& joint = robot.joints[i - 1];
    const bool weighed = !model->unweighed.contains(static_cast<int>(i));
    if (joint.kind == RobotJointKind::kFixed) {
      if (!weighed) model->unweighed.insert(joint.parent);
      if (sums[i].mass > 0)
        AddMass(sums[i], joint.X_PJ, &sums[static_cast<std::size_t>(joint.parent)]);
    } else if (!model->massless[i] && weighed) {
      JudgeLink(sums[i], *body_of[i]->node, robot.links[i].name, model->report);
    }
  }
}

const MjcfBody* MjcfModel::FindBody(std::string_view name) const {
  const auto found = body_index.find(name);
  return found == body_index.end() ? nullptr : &bodies[static_cast<std::size_t>(found->second)];
}

MjcfJoint* MjcfModel::FindJoint(std::string_view name) {
  const auto found = joint_index.find(name);
  return found == joint_index.end() ? nullptr : &joints[static_cast<std::size_t>(found->second)];
}

}  // namespace slip
