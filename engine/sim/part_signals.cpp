#include "engine/sim/part_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/step_view.h"

namespace slip {
namespace {

// Of a pile nobody asks for each. A single one answers to its name, but is in no list: the table
// has its motion.
constexpr std::ptrdiff_t kMostBodies = 12;

// A joint, foot or body.
struct Part {
  SignalPart kind;
  int body;
  std::string_view robot;  // of a foot; the name of a joint begins with it
  std::string_view name;
  const Robot::Foot* foot = nullptr;

  std::string FullName() const {  // "solo/FL_KFE"
    return robot.empty() ? std::string(name) : fmt::format("{}/{}", robot, name);
  }
};

std::optional<SignalPart> KindOf(const Body& body) {
  if (body.joint.kind == JointKind::kRevolute) return SignalPart::kTurningJoint;
  if (body.joint.kind == JointKind::kPrismatic) return SignalPart::kSlidingJoint;
  return std::nullopt;
}

bool IsFree(const Body& body) {
  return body.robot < 0 && body.shape_of_link < 0 && body.Moves() && !KindOf(body);
}

std::ptrdiff_t CountFree(const Model& model) {
  return std::count_if(model.bodies.begin(), model.bodies.end(), IsFree);
}

// Whether the free bodies of a model have signals each.
bool NamesBodies(const Model& model) {
  std::ptrdiff_t count = 0;
  for (const Body& body : model.bodies) {
    if (IsFree(body) && ++count > kMostBodies) return false;
  }
  return count >= 1;
}

// In the order of Place.
std::vector<Part> PartsOf(const Model& model) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (const auto kind = KindOf(body))
      parts.push_back({*kind, static_cast<int>(b), {}, body.joint.name});
  }
  for (const Robot& robot : model.robots) {
    for (const Robot::Foot& foot : robot.feet)
      parts.push_back({SignalPart::kFoot, foot.body, robot.name, foot.name, &foot});
  }
  for (std::size_t b = 0; NamesBodies(model) && b < model.bodies.size(); ++b) {
    if (IsFree(model.bodies[b]))
      parts.push_back({SignalPart::kBody, static_cast<int>(b), {}, model.bodies[b].name});
  }
  return parts;
}

// The parts whose signals lists have: those before a lone free body.
std::size_t CountListed(const Model& model, const std::vector<Part>& parts) {
  return parts.size() - (CountFree(model) == 1 ? 1 : 0);
}

Signal SignalOf(SignalPart kind, std::size_t part, std::size_t quantity) {
  return static_cast<Signal>(static_cast<int>(PartSignals(kind)[quantity].id) + kSignalCount +
                             static_cast<int>(part * kPartSignals + quantity));
}

// The part of a signal; null for one of the table, or where the model has fewer.
const Part* FindPart(const std::vector<Part>& parts, Signal signal) {
  const auto at =
      static_cast<std::size_t>(std::max(0, Place(signal) - kSignalCount)) / kPartSignals;
  return Place(signal) >= kSignalCount && at < parts.size() ? &parts[at] : nullptr;
}

struct PartWords {
  std::string_view one, all, owner;
};
PartWords WordsOf(SignalPart kind) {
  if (kind == SignalPart::kFoot) return {"foot", "feet", " of robots"};
  if (kind == SignalPart::kBody)
    return {"body", "bodies", " with signals each (1 to 12 free ones)"};
  return {"joint", "joints", " of robots"};
}

// Why "torque:solo/FL_KNEE" is none: the quantity, or the joint.
Error Unknown(const std::vector<Part>& parts, std::string_view name) {
  const std::string shown(name.substr(0, 100));
  const std::size_t colon = name.find(':');
  const std::string_view quantity = name.substr(0, colon);
  std::vector<std::string_view> quantities;
  std::optional<SignalPart> meant;
  for (const SignalPart kind : {SignalPart::kTurningJoint, SignalPart::kFoot, SignalPart::kBody}) {
    for (const SignalInfo& info : PartSignals(kind)) {
      quantities.push_back(info.name);
      if (info.name == quantity) meant = kind;
    }
  }
  if (!meant) {
    std::vector<std::string_view> known = quantities;
    for (const SignalInfo& info : SignalTable()) known.push_back(info.name);
    return {.message = "no signal '" + shown + "'", .hint = DidYouMean(quantity, known)};
  }
  const auto [one, all, owner] = WordsOf(*meant);
  std::vector<std::string> known;
  for (const Part& part : parts) {
    if (WordsOf(part.kind).one == one) known.push_back(part.FullName());
  }
  if (known.empty()) {
    return {.message = fmt::format("no signal '{}': the scene has no {}{}", shown, all, owner),
            .hint = "slipscope list signals SCENE names the others"};
  }
  if (colon == std::string_view::npos) {
    return {.message = fmt::format("the signal '{}' needs a {}", shown, one),
            .hint = fmt::format("for example {}:{}", quantity, known.front())};
  }
  return {.message = fmt::format("no signal '{}': the scene has no such {}", shown, one),
          .hint = fmt::format("its {} are {}", all, fmt::join(known, ", "))};
}

}  // namespace

std::vector<Signal> ListSignals(const Model& model) {
  std::vector<Signal> signals;
  for (const SignalInfo& info : SignalTable()) signals.push_back(info.id);
  const std::vector<Part> parts = PartsOf(model);
  for (std::size_t i = 0; i < CountListed(model, parts); ++i) {
    for (std::size_t quantity = 0; quantity < kPartSignals; ++quantity)
      signals.push_back(SignalOf(parts[i].kind, i, quantity));
  }
  return signals;
}

std::vector<Signal> SignalsOfBody(const Model& model, int body) {
  std::vector<Signal> signals;
  const std::vector<Part> parts = PartsOf(model);
  for (std::size_t i = 0; i < CountListed(model, parts); ++i) {
    for (std::size_t quantity = 0; parts[i].body == body && quantity < kPartSignals; ++quantity)
      signals.push_back(SignalOf(parts[i].kind, i, quantity));
  }
  return signals;
}

std::string_view ShortName(const Robot& robot, const Robot::Foot& foot) {
  const std::string_view name = foot.name;
  for (std::size_t at = name.find('_', 1); at != name.npos; at = name.find('_', at + 1)) {
    const auto same = [&](const Robot::Foot& other) {
      return other.name.size() > name.size() - at && other.name.ends_with(name.substr(at));
    };
    if (robot.feet.size() > 1 && std::all_of(robot.feet.begin(), robot.feet.end(), same))
      return name.substr(0, at);
  }
  return name;
}

double LimitOf(const Model& model, Signal signal) {
  const std::vector<Part> parts = PartsOf(model);
  const Part* part = FindPart(parts, signal);
  const bool of_motor = part != nullptr && Info(signal).name == "torque";
  return of_motor ? model.body(part->body).joint.effort : kInfinity;
}

std::string NameOf(const Model& model, Signal signal) {
  const std::string name(Info(signal).name);
  if (IsOfEnum(signal)) return name;
  const std::vector<Part> parts = PartsOf(model);
  const Part* part = FindPart(parts, signal);
  return part != nullptr ? name + ":" + part->FullName() : name;
}

std::string LabelOf(const Model& model, Signal signal) {
  const std::string label(Info(signal).label);
  if (IsOfEnum(signal)) return label;
  const std::vector<Part> parts = PartsOf(model);
  const Part* part = FindPart(parts, signal);
  if (part == nullptr) return label;
  if (part->kind == SignalPart::kBody) return label + ", " + std::string(part->name);
  if (model.robots.size() != 1) return label + ", " + part->FullName();
  const std::string_view name = part->foot != nullptr ? ShortName(model.robots[0], *part->foot)
                                                      : part->name.substr(part->name.find('/') + 1);
  return label + ", " + std::string(name);
}

Result<Signal> SignalNamed(const Model& model, std::string_view name) {
  if (const SignalInfo* info = FindSignal(name)) return info->id;
  const std::vector<Part> parts = PartsOf(model);
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return Unknown(parts, name);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].FullName() != name.substr(colon + 1)) continue;
    const auto rows = PartSignals(parts[i].kind);
    for (std::size_t quantity = 0; quantity < rows.size(); ++quantity) {
      if (rows[quantity].name == name.substr(0, colon)) return SignalOf(parts[i].kind, i, quantity);
    }
  }
  return Unknown(parts, name);
}

bool HasParts(const Model& model) {
  return model.articulated > 0 || !model.robots.empty() || NamesBodies(model);
}

void ReadPartSignals(const Model& model, StepView step, std::span<const JointFrame> joints,
                     std::span<const ContactFrame> contacts, bool measured,
                     std::vector<double>* values) {
  values->clear();
  const auto read = [&](SignalPart kind) {
    values->resize(values->size() + kPartSignals);
    ReadPart(kind, step, values->data() + values->size() - kPartSignals);
  };
  for (JointFrame joint : joints) {
    if (!measured) joint.force = kNaN;  // no motor has pushed yet
    step.joint = &joint;
    read(*KindOf(model.body(joint.body)));
  }
  step.joint = nullptr;
  for (const Robot& robot : model.robots) {
    for (const Robot::Foot& foot : robot.feet) {
      const Pose& X_WB = step.state.pose(foot.body);
      FootLoad load = CalcFootLoad(model, foot, X_WB, contacts);
      if (!measured) load.normal = load.friction = kNaN;
      step.foot = &load;
      read(SignalPart::kFoot);
    }
  }
  step.foot = nullptr;
  if (!NamesBodies(model)) return;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!IsFree(model.bodies[b])) continue;
    const BodyFrame body{step.state.X_WB[b], CalcSpatialVelocity(model.bodies[b], step.state.v)};
    step.body = &body;
    read(SignalPart::kBody);
  }
}

}  // namespace slip
