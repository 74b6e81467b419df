// Joints of a body: how they move, and what resists.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

enum class JointType { kFree, kBall, kSlide, kHinge };

class JointReader {
 public:
  JointReader(const MjcfItem& item, MjcfModel* model)
      : item_(item), model_(*model), settings_(model->SettingsOf(item.node())) {}

  void Read(const Pose& X_BF, RobotJoint* joint) {
    MjcfJoint own;
    own.node = &item_.node();
    own.name = joint->name;
    own.joint = static_cast<int>(model_.robot.joints.size());
    own.q_start = model_.nq;
    own.v_start = model_.nv;
    JointType type = JointType::kHinge;
    if (item_.node().name == "freejoint") {
      type = JointType::kFree;
    } else if (const auto choice = item_.Choice("type", {"free", "ball", "slide", "hinge"})) {
      type = static_cast<JointType>(*choice);
    }
    constexpr RobotJointKind kKinds[] = {RobotJointKind::kFloating, RobotJointKind::kBall,
                                         RobotJointKind::kPrismatic, RobotJointKind::kRevolute};
    joint->kind = kKinds[static_cast<int>(type)];
    model_.nq += type == JointType::kFree ? 7 : type == JointType::kBall ? 4 : 1;
    model_.nv += type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1;
    if (item_.node().name != "freejoint") {
      const bool single = type == JointType::kSlide || type == JointType::kHinge;
      ReadFrame(type, X_BF, joint);
      ReadResistance(single, joint);
      if (single)
        ReadSingle(type, joint, &own);
      else
        RefuseRange(type);
    }
    if (type == JointType::kFree) joint->X_CJ = Pose{};
    model_.joint_index.emplace(own.name, static_cast<int>(model_.joints.size()));
    model_.joints.push_back(std::move(own));
  }

 private:
  // The anchor and the axis, in the body's frame.
  void ReadFrame(JointType type, const Pose& X_BF, RobotJoint* joint) {
    Vec3 pos = Vec3::Zero(), axis = Vec3::UnitZ();
    item_.Numbers("pos", 3, std::span(pos.data(), 3), kPosition);
    item_.Numbers("axis", 3, std::span(axis.data(), 3));
    if (type == JointType::kFree) return;
    if (axis.norm() < 1e-10) {
      item_.Fail("its axis is zero", "give it a direction");
      axis = Vec3::UnitZ();
    }
    joint->axis = (X_BF.q * axis).normalized();
    joint->X_CJ.p = X_BF * pos;
  }

  void ReadResistance(bool single, RobotJoint* joint) {
    double armature = 0, damping = 0, friction = 0;
    item_.NumberFrom(0, "armature", &armature);
    item_.NumberFrom(0, "damping", &damping);
    item_.NumberFrom(0, "frictionloss", &friction);
    if (!settings_.dampers) damping = 0;
    if (!settings_.dry_friction) friction = 0;
    if (joint->kind != RobotJointKind::kFloating) joint->armature = armature;
    if (joint->kind == RobotJointKind::kFloating && armature > 0)
      model_.report->Say(item_.node(), "armature of free joints is not used");
    if (!single && (damping > 0 || friction > 0)) {
      model_.report->Say(item_.node(),
                         "damping and frictionloss of ball and free joints are not used");
      return;
    }
    joint->damping = damping;
    joint->friction = friction;
    if (friction > 0)
      for (const char* name : {"solreffriction", "solimpfriction"})
        if (item_.Has(name))
          model_.report->Say(item_.node(), "dry friction of joints is as stiff as a step resolves");
  }

  bool IsLimited(std::string_view word, std::string_view range) const {
    const std::optional<bool> limited = item_.Maybe(word);
    if (limited) return *limited;
    if (!settings_.autolimits && item_.Has(range))
      model_.report->Say(
          item_.node(),
          fmt::format("a {} without {} does not limit: autolimits is off", range, word));
    return settings_.autolimits && item_.Has(range);
  }

  void RefuseRange(JointType type) {
    std::array<double, 2> range{};
    if (item_.Has("range") && settings_.limits && IsLimited("limited", "range") &&
        type == JointType::kBall && item_.Numbers("range", 2, range) == 2)
      item_.Fail("limits of ball joints are not read", "use hinges, or delete its range");
    double stiffness = 0;
    if (item_.Number("stiffness", &stiffness) && stiffness > 0 && settings_.springs)
      item_.Fail("springs of ball and free joints are not read", "set stiffness to 0");
    if (item_.Has("springdamper"))
      item_.Fail("springs of ball and free joints are not read", "delete springdamper");
  }

  void ReadSingle(JointType type, RobotJoint* joint, MjcfJoint* own) {
    const double unit = type == JointType::kHinge && settings_.degrees ? std::numbers::pi / 180 : 1;
    std::array<double, 2> range{};
    const bool ranged = item_.Numbers("range", 2, range) == 2;
    own->lower = unit * range[0];
    own->upper = unit * range[1];
    if (IsLimited("limited", "range") && settings_.limits) {
      if (ranged && range[0] < range[1]) {
        joint->lower = own->lower;
        joint->upper = own->upper;
      } else if (ranged || !item_.Has("range")) {
        item_.Fail(fmt::format("its range is {:g} to {:g}", range[0], range[1]),
                   "the first must be the smaller one");
      }
    }
    double margin = 0;
    if (item_.Number("margin", &margin) && margin != 0)
      model_.report->Say(item_.node(), "margin of joints is not used");
    item_.Numbers("solreflimit", 1, own->solref_limit);
    item_.Numbers("solimplimit", 1, own->solimp_limit);
    double ref = 0, target = 0;
    item_.Number("ref", &ref);
    item_.Number("springref", &target);
    own->ref = unit * ref;
    own->spring_target = unit * target;
    std::array<double, 3> stiffness{};
    if (item_.Has("stiffness") && item_.Numbers("stiffness", 1, stiffness) > 1)
      item_.Fail("springs with polynomials are not read", "give stiffness one number");
    if (stiffness[0] < 0) item_.Fail("stiffness is below zero", "expected 0 or more");
    own->spring = settings_.springs ? stiffness[0] : 0;
    std::array<double, 2> swing{};
    if (item_.Numbers("springdamper", 2, swing) == 2 && swing[0] > 0 && swing[1] > 0) {
      own->time_constant = swing[0];
      own->damping_ratio = swing[1];
    }
    std::array<double, 2> forces{};
    if (IsLimited("actuatorfrclimited", "actuatorfrcrange") &&
        item_.Numbers("actuatorfrcrange", 2, forces) == 2)
      own->force_limit = std::max(std::abs(forces[0]), std::abs(forces[1]));
    bool weightless = false;
    if (item_.Flag("actuatorgravcomp", &weightless) && weightless)
      item_.Fail("actuatorgravcomp is not read", "delete it");
    // zero is where the file says ref
    if (own->ref == 0) return;
    if (type == JointType::kHinge)
      back_.q = Quat(Eigen::AngleAxisd(-own->ref, joint->axis));
    else
      back_.p = -own->ref * joint->axis;
  }

 public:
  Pose back_;  ///< of the joint from its reference to zero

 private:
  const MjcfItem& item_;
  MjcfModel& model_;
  const MjcfSettings& settings_;
};

}  // namespace

void ReadMjcfJoint(const MjcfNode& node, const std::string& childclass, const Pose& X_BF,
                   RobotJoint* joint, MjcfModel* model) {
  CheckMjcfAttributes(node, model->report);
  const MjcfItem item = node.name == "freejoint"
                            ? MjcfItem(node, NameMjcf(node), model->report)
                            : model->defaults.Make(node, NameMjcf(node), childclass, model->report);
  JointReader reader(item, model);
  reader.Read(X_BF, joint);
  // the joint's frame on the parent: X_PB is there already
  joint->X_PJ = ComposeUnit(ComposeUnit(joint->X_PJ, joint->X_CJ), reader.back_);
}

}  // namespace slip
