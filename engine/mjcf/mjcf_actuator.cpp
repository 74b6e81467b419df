// <actuator>: motors of joints. MuJoCo's force gain·ctrl + b₀ + b₁ length + b₂ rate with length =
// gear·q is a motor of stiffness −b₁ gear², damping −b₂ gear² and target (gain·ctrl + b₀)/(−b₁
// gear).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/param_text.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

constexpr std::size_t kMostNames = 200;  // among which a misspelt one is looked for

struct Drive {
  double gain = 1;
  std::array<double, 3> bias{};
  bool affine = false, fixed_gain = true;
  double damping_ratio = 0;  ///< of a position motor; 0 = none
  double inherit = 0;
};

class ActuatorReader {
 public:
  ActuatorReader(MjcfModel* model, const MjcfWeights& weights) : model_(*model), weights_(weights) {
    effort_.assign(model->joints.size(), 0);
    pull_.assign(model->joints.size(), {});
    limited_.assign(model->joints.size(), true);
    driven_.assign(model->joints.size(), false);
  }

  void Read(const MjcfNode& root) {
    int count = 0;
    for (const MjcfNode& section : root.children)
      if (section.name == "actuator") count += static_cast<int>(section.children.size());
    ReadControls(root, count);
    int index = 0;
    for (const MjcfNode& section : root.children) {
      if (section.name != "actuator") continue;
      for (const MjcfNode& child : section.children) {
        AddActuator(child, index);
        ++index;
      }
    }
    Finish();
  }

 private:
  // ctrl of every start.
  void ReadControls(const MjcfNode& root, int count) {
    for (const MjcfNode& section : root.children) {
      if (section.name != "keyframe") continue;
      for (const MjcfNode& key : section.children) {
        const MjcfItem item(key, NameMjcf(key), model_.report);
        // too many for their joints are refused where those are read
        if (controls_.size() >= model_.robot.starts.size() ||
            controls_.size() * static_cast<std::size_t>(count) > kMostKeyNumbers)
          break;
        std::vector<double> ctrl(static_cast<std::size_t>(count), 0);
        if (count > 0 && item.Has("ctrl")) item.Numbers("ctrl", ctrl.size(), ctrl, {.most = 1e9});
        controls_.push_back(std::move(ctrl));
      }
    }
    if (controls_.empty()) controls_.emplace_back(static_cast<std::size_t>(count), 0.0);
  }

  // What a class says first, the element last, each in the words of its own kind.
  Drive ReadDrive(const MjcfItem& item) {
    Drive drive;
    const auto& levels = item.levels();
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      ReadLevel(item, **level, &drive);
    return drive;
  }

  void ReadLevel(const MjcfItem& item, const MjcfNode& at, Drive* drive) {
    const auto number = [&](const char* name, double* out) {
      return item.NumbersOf(at, name, 1, std::span(out, 1)) == 1;
    };
    double x = 0;
    if (at.name == "motor") {
      *drive = Drive{};
    } else if (at.name == "position") {
      if (!drive->affine) drive->gain = 1;
      drive->affine = drive->fixed_gain = true;
      if (number("kp", &x)) drive->gain = x;
      drive->bias = {0, -drive->gain, drive->bias[2]};
      if (number("kv", &x)) drive->bias[2] = -x;
      number("dampratio", &drive->damping_ratio);
      number("inheritrange", &drive->inherit);
      if (number("timeconst", &x) && x > 0)
        item.FailAt(at, "motors with a memory are not read", "set timeconst to 0");
    } else if (at.name == "velocity") {
      drive->affine = drive->fixed_gain = true;
      if (number("kv", &x)) drive->gain = x;
      drive->bias = {0, 0, -drive->gain};
    } else if (at.name == "general") {
      ReadGeneral(item, at, drive);
    }
  }

  void ReadGeneral(const MjcfItem& item, const MjcfNode& at, Drive* drive) {
    if (const std::string* kind = at.Find("dyntype"); kind != nullptr && *kind != "none")
      item.FailAt(at, fmt::format("dyntype {} is not read", QuoteXml(*kind)),
                  "only motors without a memory are: dyntype=\"none\"");
    if (const std::string* kind = at.Find("gaintype")) drive->fixed_gain = *kind == "fixed";
    if (const std::string* kind = at.Find("biastype")) {
      drive->affine = *kind == "affine";
      other_bias_ = *kind != "affine" && *kind != "none";
    }
    std::array<double, 10> prm{};
    if (item.NumbersOf(at, "gainprm", 1, prm) > 0) drive->gain = prm[0];
    prm.fill(0);
    if (item.NumbersOf(at, "biasprm", 1, prm) > 0) drive->bias = {prm[0], prm[1], prm[2]};
  }

  MjcfJoint* FindTarget(const MjcfItem& item) {
    for (const char* other : {"tendon", "site", "body", "slidersite", "cranksite"}) {
      if (!item.Has(other)) continue;
      item.Fail(fmt::format("it acts on a {}", other == std::string_view("slidersite") ||
                                                       other == std::string_view("cranksite")
                                                   ? "slider crank"
                                                   : other),
                "only motors of joints are read");
      return nullptr;
    }
    const std::string name = item.Has("joint") ? item.Text("joint") : item.Text("jointinparent");
    MjcfJoint* joint = model_.FindJoint(name);
    if (joint == nullptr) {
      std::vector<std::string_view> known;
      for (const MjcfJoint& other : model_.joints)
        if (known.size() < kMostNames) known.push_back(other.name);
      item.Fail(fmt::format("there is no joint {}", QuoteXml(name)), DidYouMean(name, known));
      return nullptr;
    }
    const RobotJoint& at = model_.robot.joints[static_cast<std::size_t>(joint->joint)];
    if (at.kind != RobotJointKind::kRevolute && at.kind != RobotJointKind::kPrismatic) {
      item.Fail(fmt::format("joint {} is neither hinge nor slide", QuoteXml(name)),
                "only joints of one coordinate have motors");
      return nullptr;
    }
    if (at.mimic) {
      item.Fail(fmt::format("joint {} follows another", QuoteXml(name)),
                "let its motor act on the leader");
      return nullptr;
    }
    return joint;
  }

  void AddActuator(const MjcfNode& node, int index) {
    if (node.name != "general" && node.name != "motor" && node.name != "position" &&
        node.name != "velocity") {
      // the rest is refused by name
      for (const std::string_view refused :
           {"plugin", "muscle", "adhesion", "cylinder", "damper", "intvelocity"})
        if (node.name == refused) return;
      return model_.report->Fail(node, fmt::format("<{}> in <actuator> is not read", node.name),
                                 "expected motor, position, velocity or general");
    }
    CheckMjcfAttributes(node, model_.report);
    const MjcfItem item = model_.defaults.Make(node, NameMjcf(node), {}, model_.report);
    other_bias_ = false;
    Drive drive = ReadDrive(item);
    MjcfJoint* joint = FindTarget(item);
    if (joint == nullptr || !model_.settings.actuators) return;
    std::array<double, 6> gears{1, 0, 0, 0, 0, 0};
    item.Numbers("gear", 1, gears);
    const double gear = gears[0];
    if (gear == 0) return item.Fail("its gear is zero", "give it a ratio");
    const std::size_t own = static_cast<std::size_t>(joint - model_.joints.data());
    if (!drive.fixed_gain || other_bias_) {
      model_.report->Say(node,
                         "actuators whose gain or bias is not of the simple kinds are motors "
                         "without a target");
      drive = Drive{};
    }
    if (!drive.affine) drive.bias = {};
    const double stiffness = -drive.bias[1] * gear * gear;
    double damping = -drive.bias[2] * gear * gear;
    if (drive.damping_ratio > 0 && stiffness > 0)
      damping = drive.damping_ratio * 2 *
                std::sqrt(stiffness * weights_.inertia[static_cast<std::size_t>(joint->joint)]);
    if (stiffness < 0 || damping < 0)
      return item.Fail("it pushes away from its target", "kp and kv are 0 or more");
    SetEffort(item, drive, gear, own);
    AddPull(item, drive, gear, stiffness, damping, index, own);
  }

  // The force beyond which it does not go.
  void SetEffort(const MjcfItem& item, const Drive& drive, double gear, std::size_t own) {
    std::array<double, 2> range{};
    const std::optional<bool> limited = item.Maybe("forcelimited");
    const bool has = item.Numbers("forcerange", 2, range) == 2;
    driven_[own] = true;
    if (has && limited.value_or(model_.SettingsOf(item.node()).autolimits) && range[0] < range[1]) {
      if (range[0] != -range[1])
        model_.report->Say(item.node(), "forces of motors are limited alike both ways");
      effort_[own] += std::abs(gear) * std::max(std::abs(range[0]), std::abs(range[1]));
      return;
    }
    std::array<double, 2> ctrl{};
    if (!drive.affine && ControlRange(item, drive, own, &ctrl)) {
      effort_[own] += std::abs(gear * drive.gain) * std::max(std::abs(ctrl[0]), std::abs(ctrl[1]));
      return;
    }
    limited_[own] = false;
  }

  bool ControlRange(const MjcfItem& item, const Drive& drive, std::size_t own,
                    std::array<double, 2>* range) const {
    const MjcfJoint& joint = model_.joints[own];
    if (drive.inherit > 0 && joint.lower < joint.upper) {
      const double middle = 0.5 * (joint.lower + joint.upper);
      const double half = 0.5 * drive.inherit * (joint.upper - joint.lower);
      *range = {middle - half, middle + half};
      return true;
    }
    return item.Numbers("ctrlrange", 2, *range) == 2 && model_.settings.clamp &&
           item.Maybe("ctrllimited").value_or(model_.SettingsOf(item.node()).autolimits) &&
           (*range)[0] < (*range)[1];
  }

  void AddPull(const MjcfItem& item, const Drive& drive, double gear, double stiffness,
               double damping, int index, std::size_t own) {
    const MjcfJoint& joint = model_.joints[own];
    RobotJoint& at = model_.robot.joints[static_cast<std::size_t>(joint.joint)];
    at.stiffness += stiffness;
    at.gain += damping;
    pull_[own].resize(at.starts.size(), 0);
    std::array<double, 2> range{};
    const bool clamped = ControlRange(item, drive, own, &range);
    bool moves = false;
    for (std::size_t k = 0; k < at.starts.size() && k < controls_.size(); ++k) {
      double ctrl = controls_[k][static_cast<std::size_t>(index)];
      if (clamped) ctrl = std::clamp(ctrl, range[0], range[1]);
      const double force = gear * (drive.gain * ctrl + drive.bias[0]);
      if (stiffness > 0)
        pull_[own][k] += force;
      else
        moves = moves || force != 0;
    }
    if (moves)
      model_.report->Say(item.node(),
                         "what motors without stiffness are told at the start is not "
                         "used: they only resist");
    if (!drive.affine)
      model_.report->Say(item.node(),
                         "motors of torque give none by themselves; a controller or "
                         "gains of the scene move them");
  }

  // Springs and motors of a joint are one motor.
  void Finish() {
    for (std::size_t own = 0; own < model_.joints.size(); ++own) {
      const MjcfJoint& joint = model_.joints[own];
      RobotJoint& at = model_.robot.joints[static_cast<std::size_t>(joint.joint)];
      const double gear = at.stiffness;
      double spring = joint.spring;
      if (joint.time_constant > 0) {
        const double weight = weights_.joint[static_cast<std::size_t>(joint.joint)];
        const double inertia = weight > 0 ? 1 / weight : 0;
        const double swing = joint.time_constant * joint.damping_ratio;
        spring = model_.settings.springs ? inertia / (swing * swing) : 0;
        if (model_.settings.dampers) at.damping = 2 * inertia / joint.time_constant;
      }
      at.driven = driven_[own];
      if (driven_[own] && limited_[own]) at.effort = effort_[own];
      at.effort = std::min(at.effort, joint.force_limit);
      if (spring > 0 && (gear > 0 || std::isfinite(at.effort)))
        model_.report->Say(*joint.node,
                           "the spring and the motor of a joint are one motor, with one limit");
      at.stiffness += spring;
      for (std::size_t k = 0; k < at.starts.size(); ++k) {
        const double pull = k < pull_[own].size() ? pull_[own][k] : 0;
        at.starts[k].target = at.stiffness > 0
                                  ? (pull + spring * joint.spring_target) / at.stiffness
                                  : at.starts[k].q[0];
      }
    }
  }

  MjcfModel& model_;
  const MjcfWeights& weights_;
  std::vector<std::vector<double>> controls_;  // by start
  std::vector<std::vector<double>> pull_;      // by joint and start: stiffness times target
  std::vector<double> effort_;
  std::vector<bool> limited_, driven_;
  bool other_bias_ = false;
};

}  // namespace

void ReadMjcfActuators(const MjcfNode& root, MjcfModel* model) {
  const MjcfWeights weights = CalcMjcfWeights(*model);
  ActuatorReader(model, weights).Read(root);
}

}  // namespace slip
