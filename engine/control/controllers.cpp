#include "engine/control/controllers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/control/fallen.h"
#include "engine/control/recipes.h"
#include "engine/core/numbers.h"
#include "engine/method/param_reasons.h"

namespace slip {
namespace {

// What every robot's part of the memory begins with.
enum : int {
  kController,
  kBegun,       // [s]
  kPeriod,      // that holds since; negative = the controller has given up
  kPeriodBase,  // this time [s]
  kTicks,       // since then
  kHome,        // frame H: x, y, heading
  kHeader = kHome + 3
};

class ControlledRobot {
 public:
  ControlledRobot(const Model& model, const Robot& robot) : any_(CountRobot(model, robot)) {
    for (std::size_t k = 0; k < maps_.size(); ++k) {
      Result<RobotMap> map = MapRobot(model, robot, static_cast<RobotKind>(k));
      if (map.ok()) maps_[k] = std::move(map).value();
    }
  }

  const RobotMap& any() const { return any_; }
  const RobotMap& MapOf(const Recipe& recipe) const { return *At(maps_, recipe.kind); }
  /// Null when none fits.
  const Recipe* FindRecipe(ControllerId id) const {
    for (const Recipe& recipe : Recipes()) {
      if (recipe.id == id && At(maps_, recipe.kind)) return &recipe;
    }
    return nullptr;
  }
  /// Header, held forces, loads of contact points, memory of the recipe.
  Eigen::Index Size(ControllerId id) const {
    const Recipe* recipe = FindRecipe(id);
    return kHeader + any_.joints + any_.loads + (recipe != nullptr ? recipe->memory : 0);
  }

  RobotScratch scratch;

 private:
  RobotMap any_;
  std::array<std::optional<RobotMap>, 3> maps_;
};

// The home frame: under the base, along its heading.
void SetHome(const Model& model, const RobotMap& map, const State& state, double* part) {
  const auto base = static_cast<std::size_t>(map.base);
  const Pose& X_BL = model.bodies[base].X_BL;
  const Vec3 p = state.X_WB[base] * X_BL.p;
  const Mat3 R = (state.X_WB[base].q * X_BL.q).toRotationMatrix();
  part[kHome] = p.x();
  part[kHome + 1] = p.y();
  part[kHome + 2] = std::atan2(R(1, 0), R(0, 0));
}

// No joint gets more than the recipe's limit and its own, and nothing that is not finite.
void Limit(const Model& model, const RobotMap& map, double clip, VectorX* tau) {
  const Tree& tree = At(model.trees, map.tree);
  for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b) {
    const Body& body = model.body(b);
    const double most = std::min(clip, body.joint.effort);
    for (int i = 0; i < body.nv; ++i) {
      double& force = (*tau)[body.v_start - tree.v_start + i];
      force = std::isfinite(force) ? std::clamp(force, -most, most) : 0;
    }
  }
}

std::string_view NameOf(ControllerId id) { return At(RobotTable().front().info.choices, id); }

bool ReadsMember(const Recipe& recipe, const ParamInfo& info) {
  for (const Param<RobotDrive>& row : RobotTable()) {
    const auto* member = std::get_if<double RobotDrive::*>(&row.member);
    if (row.info.name != info.name || member == nullptr) continue;
    return *member == &RobotDrive::control_period ||
           std::find(recipe.reads.begin(), recipe.reads.end(), *member) != recipe.reads.end();
  }
  return true;
}

bool ReadByController(const Model& model, const Robot& robot, ControllerId id,
                      const ParamInfo& info) {
  return info.name == RobotTable().front().info.name ||
         std::any_of(Recipes().begin(), Recipes().end(), [&](const Recipe& recipe) {
           return recipe.id == id && ReadsMember(recipe, info) &&
                  MapRobot(model, robot, recipe.kind).ok();
         });
}

// Names the controllers that fit the robot, or all where none that does reads it.
std::string WhyUnreadBy(const Model& model, const Robot& robot, ControllerId id,
                        const ParamInfo& info) {
  std::string fitting, all;
  for (const Recipe& recipe : Recipes()) {
    if (!ReadsMember(recipe, info)) continue;
    const std::string name(NameOf(recipe.id));
    all += (all.empty() ? "" : ", ") + name;
    if (MapRobot(model, robot, recipe.kind).ok()) fitting += (fitting.empty() ? "" : ", ") + name;
  }
  const std::string now = id == ControllerId::kNone
                              ? "Not used: no controller moves the robot now"
                              : "Not used by the controller '" + std::string(NameOf(id)) + "'";
  return fitting.empty() ? now + "; it is for " + all + ", which do not fit this robot."
                         : now + "; used by " + fitting + ".";
}

}  // namespace

Status CheckController(const Model& model, const Robot& robot, ControllerId id) {
  if (id == ControllerId::kNone) return Ok{};
  std::optional<Error> error;
  for (const Recipe& recipe : Recipes()) {
    if (recipe.id != id) continue;
    const Result<RobotMap> map = MapRobot(model, robot, recipe.kind);
    if (map.ok()) return Ok{};
    if (!error) error = map.error();
  }
  error->hint = "the controller '" + std::string(NameOf(id)) + "' needs it";
  return *error;
}

Status CheckControllers(const Model& model, const Config& config) {
  for (std::size_t r = 0; r < model.robots.size(); ++r) {
    if (Status fits = CheckController(model, model.robots[r], config.robots[r].id()); !fits.ok())
      return fits;
  }
  return Ok{};
}

std::string WhyUnread(const Model& model, const Config& config, const ParamEntry& entry) {
  if (Uses(model, config, entry)) return {};
  if (std::string reason = WhyUnused(model, config, *entry.info); !reason.empty()) return reason;
  for (std::size_t r = 0; r < config.robots.size(); ++r) {
    if (config.robots[r].name == entry.owner &&
        entry.info->group == RobotTable().front().info.group)
      return WhyUnreadBy(model, model.robots[r], config.robots[r].id(), *entry.info);
  }
  if (entry.info->name == JointTable().front().info.name)
    return "Not used: the motor of this joint has no stiffness, so it holds no target.";
  return {};
}

bool Uses(const Model& model, const Config& config, const ParamEntry& entry) {
  if (!Uses(model, config, *entry.info)) return false;
  if (entry.info->name == JointTable().front().info.name) {
    return std::none_of(config.joints.begin(), config.joints.end(), [&](const JointDrive& joint) {
      return joint.name == entry.owner && joint.stiffness == 0;
    });
  }
  if (entry.info->group != RobotTable().front().info.group) return true;
  for (std::size_t r = 0; r < config.robots.size(); ++r) {
    const RobotDrive& drive = config.robots[r];
    if (drive.name == entry.owner)
      return ReadByController(model, model.robots[r], drive.id(), *entry.info);
  }
  return true;
}

struct Controllers::Impl {
  std::vector<ControlledRobot> robots;

  // Calls fn(robot index, its part, its size) for the parts of a memory; false when it is no memory
  // of these robots.
  template <class Fn>
  bool ForEachPart(const VectorX& control, const Fn& fn) const {
    Eigen::Index at = 0;
    for (std::size_t r = 0; r < robots.size(); ++r) {
      if (at + kHeader > control.size()) return false;
      const double id = control[at + kController];
      if (!(id >= 0 && id <= static_cast<double>(ControllerId::kPress))) return false;
      const Eigen::Index size = robots[r].Size(static_cast<ControllerId>(static_cast<int>(id)));
      if (at + size > control.size()) return false;
      fn(r, at, size);
      at += size;
    }
    return at == control.size();
  }

  static ControllerId IdOf(const Config& config, std::size_t robot) {
    return robot < config.robots.size() ? config.robots[robot].id() : ControllerId::kNone;
  }

  // `after` := the memory for these controllers: a robot whose controller is another one than
  // before starts anew.
  void LayOut(const Config& config, const VectorX& before, double time, VectorX* after) const {
    bool same = true;
    const bool known = ForEachPart(before, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
      same = same && before[at] == static_cast<double>(IdOf(config, r));
    });
    if (known && same) {
      *after = before;
      return;
    }
    Eigen::Index size = 0;
    for (std::size_t r = 0; r < robots.size(); ++r) size += robots[r].Size(IdOf(config, r));
    after->setZero(size);
    Eigen::Index to = 0;
    for (std::size_t r = 0; r < robots.size(); ++r) {
      const auto id = static_cast<double>(IdOf(config, r));
      (*after)[to + kController] = id;
      (*after)[to + kBegun] = (*after)[to + kPeriodBase] = time;
      ForEachPart(before, [&](std::size_t other, Eigen::Index at, Eigen::Index count) {
        if (!known || other != r) return;
        if (before[at] == id) {
          after->segment(to, count) = before.segment(at, count);
        } else {
          // feet stay where they are
          const Eigen::Index loads = robots[r].any().loads;
          const Eigen::Index skip = kHeader + robots[r].any().joints;
          after->segment(to + skip, loads) = before.segment(at + skip, loads);
        }
      });
      to += robots[r].Size(IdOf(config, r));
    }
  }

  void Tick(const Model& model, const Config& config, const State& state,
            std::span<TreeDynamics> trees, const Recipe& recipe, std::size_t r, double* part) {
    const RobotDrive& drive = config.robots[r];
    const double h = config.step.time_step, time = state.Time(h);
    const double period = drive.control_period > 0 ? drive.control_period : recipe.period;
    ControlledRobot& robot = robots[r];
    const bool first = part[kPeriod] == 0;
    if (std::abs(part[kPeriod]) != period) {
      part[kPeriod] = period;
      part[kPeriodBase] = time;
      part[kTicks] = 0;
    }
    if (time < part[kPeriodBase] + part[kTicks] * period - kOnTime) return;
    part[kTicks] = std::floor((time - part[kPeriodBase] + kOnTime) / period) + 1;

    const RobotMap& map = robot.MapOf(recipe);
    double* held = part + kHeader;
    double* loads = held + robot.any().joints;
    if (first) SetHome(model, map, state, part);
    Pose X_WH;
    X_WH.p = Vec3(part[kHome], part[kHome + 1], map.sole);
    X_WH.q = CalcRotation(Vec3(0, 0, part[kHome + 2]));
    const slip::Tick tick = {.model = model,
                             .robot = model.robots[r],
                             .state = state,
                             .map = map,
                             .drive = drive,
                             .gravity_W = CalcGravity(config.step),
                             .time = time - part[kBegun],
                             .length = std::max(period, h),
                             .first = first,
                             .X_WH = X_WH,
                             .loads = loads,
                             .memory = loads + robot.any().loads,
                             .dynamics = &At(trees, At(model.trees, map.tree).articulated),
                             .scratch = &robot.scratch};
    if (part[kPeriod] > 0 && IsOutOfControl(tick)) part[kPeriod] = -period;
    if (part[kPeriod] < 0) {
      std::fill(held, held + map.joints, 0.0);
      return;
    }
    recipe.tick(tick);
    Limit(model, map, recipe.clip, &robot.scratch.tau);
    for (int j = 0; j < map.joints; ++j) held[j] = robot.scratch.tau[map.base_nv + j];
  }
};

Controllers::Controllers(const Model& model) : impl_(std::make_unique<Impl>()) {
  for (const Robot& robot : model.robots) impl_->robots.emplace_back(model, robot);
}
Controllers::~Controllers() = default;
Controllers::Controllers(Controllers&&) noexcept = default;
Controllers& Controllers::operator=(Controllers&&) noexcept = default;

void Controllers::Update(const Model& model, const Config& config, const State& state,
                         std::span<TreeDynamics> trees, VectorX* control, VectorX* actuation) {
  impl_->LayOut(config, state.control, state.Time(config.step.time_step), control);
  impl_->ForEachPart(*control, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
    const ControlledRobot& robot = impl_->robots[r];
    const Recipe* recipe = robot.FindRecipe(Impl::IdOf(config, r));
    if (recipe == nullptr) return;
    double* part = control->data() + at;
    impl_->Tick(model, config, state, trees, *recipe, r, part);
  });
  GetHeldForces(model, *control, actuation);
}

void Controllers::GetHeldForces(const Model& model, const VectorX& control,
                                VectorX* actuation) const {
  actuation->setZero(model.nv);
  impl_->ForEachPart(control, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
    const RobotMap& map = impl_->robots[r].any();
    if (map.tree < 0) return;
    const int start = At(model.trees, map.tree).v_start + map.base_nv;
    for (int j = 0; j < map.joints; ++j) (*actuation)[start + j] = control[at + kHeader + j];
  });
}

void Controllers::GetGivenUp(const VectorX& control, std::vector<char>* given_up) const {
  given_up->assign(impl_->robots.size(), 0);
  impl_->ForEachPart(control, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
    (*given_up)[r] = control[at + kPeriod] < 0 ? 1 : 0;
  });
}

bool Controllers::AnyGivenUp(const VectorX& control) const {
  bool any = false;
  impl_->ForEachPart(control, [&](std::size_t, Eigen::Index at, Eigen::Index) {
    any = any || control[at + kPeriod] < 0;
  });
  return any;
}

void Controllers::Brake(const Model& model, const VectorX& control, Config* config) const {
  impl_->ForEachPart(control, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
    if (control[at + kPeriod] < 0) ApplyBrakes(model, model.robots[r], config->joints);
  });
}

void Controllers::NoteLoads(const Model& model, std::span<const KeyedLoad> contacts,
                            VectorX* control) const {
  impl_->ForEachPart(*control, [&](std::size_t r, Eigen::Index at, Eigen::Index) {
    const Robot& robot = model.robots[r];
    double* load = control->data() + at + kHeader + impl_->robots[r].any().joints;
    std::fill(load, load + impl_->robots[r].any().loads, 0.0);
    for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
      const Body& body = model.body(b);
      if (body.points_B.empty()) continue;
      // ascending by key
      auto contact =
          std::lower_bound(contacts.begin(), contacts.end(), body.first_key,
                           [](const KeyedLoad& of, ContactKey key) { return of.key < key; });
      for (; contact != contacts.end(); ++contact) {
        const int point = model.FindPoint(body, contact->key);
        if (point < 0) break;
        load[point] += contact->fn;
      }
      load += body.points_B.size();
    }
  });
}

}  // namespace slip
