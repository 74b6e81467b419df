// Reading and writing knobs by path: "time_step", "material.steel.stiffness",
// "surface.belt.belt_speed", or a bare "stiffness" for every material at once.
#include "engine/method/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/core/numbers.h"
#include "engine/core/param_text.h"

namespace slip {
namespace {

constexpr std::string_view kMaterialPrefix = "material.";
constexpr std::string_view kSurfacePrefix = "surface.";
constexpr std::string_view kPilePrefix = "pile.";
constexpr std::string_view kBodyPrefix = "body.";
constexpr std::string_view kJointPrefix = "joint.";
constexpr std::string_view kRobotPrefix = "robot.";
constexpr std::string_view kPushPrefix = "push.";
constexpr std::array<std::string_view, 8> kGroups = {"Time",   "Contact", "Friction", "Drive",
                                                     "Bodies", "Robot",   "Joints",   "Solver"};

template <class T>
const Param<T>* FindRow(std::span<const Param<T>> table, std::string_view name) {
  for (const Param<T>& row : table) {
    if (row.info.name == name) return &row;
  }
  return nullptr;
}

/// "owner.name" below a prefix; the owner itself may contain dots, the name does not.
bool Split(std::string_view path, std::string_view prefix, std::string_view* owner,
           std::string_view* name) {
  if (path.substr(0, prefix.size()) != prefix) return false;
  path.remove_prefix(prefix.size());
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return false;
  *owner = path.substr(0, dot);
  *name = path.substr(dot + 1);
  return true;
}

/// Calls visit(row, object) for everything that `path` names, in order; true if there was any.
/// A const and a mutable Config share this one reading of paths.
template <class ConfigT, class Visitor>
bool Visit(ConfigT& config, std::string_view path, const Visitor& visit) {
  if (const auto* row = FindRow(StepParamTable(), path)) {
    visit(*row, config.step);
    return true;
  }
  std::string_view owner;
  std::string_view name = path;
  const bool bare =
      !Split(path, kMaterialPrefix, &owner, &name) && !Split(path, kSurfacePrefix, &owner, &name) &&
      !Split(path, kPilePrefix, &owner, &name) && !Split(path, kBodyPrefix, &owner, &name) &&
      !Split(path, kJointPrefix, &owner, &name) && !Split(path, kRobotPrefix, &owner, &name) &&
      !Split(path, kPushPrefix, &owner, &name);
  bool any = false;
  const auto among = [&](auto table, std::string_view prefix, auto& objects) {
    const auto* row = FindRow(table, name);
    if (row == nullptr || (!bare && path.substr(0, prefix.size()) != prefix)) return;
    for (auto& object : objects) {
      if (!bare && object.name != owner) continue;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(object)>, PileDrive>) {
        if (FindRow(PileTable(object), name) == nullptr) continue;  // of piles of the other kind
      }
      visit(*row, object);
      any = true;
    }
  };
  among(MaterialTable(), kMaterialPrefix, config.materials);
  among(SurfaceTable(), kSurfacePrefix, config.surfaces);
  among(PileTable(), kPilePrefix, config.piles);
  among(BodyTable(), kBodyPrefix, config.bodies);
  among(RobotTable(), kRobotPrefix, config.robots);
  among(PushTable(), kPushPrefix, config.pushes);
  if (FindRow(JointTable(), name) == nullptr) return any;
  if (!bare && path.substr(0, kJointPrefix.size()) != kJointPrefix) return any;
  for (auto& joint : config.joints) {
    if (!bare && joint.name != owner) continue;
    visit(*FindRow(JointTable(joint.slides), name), joint);
    any = true;
  }
  return any;
}

template <class T>
void Append(std::span<const Param<T>> table, const std::string& prefix, const std::string& owner,
            std::vector<ParamEntry>* entries) {
  for (const Param<T>& row : table) {
    entries->push_back({prefix + std::string(row.info.name), &row.info, owner});
  }
}

/// Materials of single bodies stand behind those of the scene, in the order of the bodies.
void SetOwnMaterials(Config* config) {
  std::vector<Material> before = std::move(config->materials);
  const auto find = [&](const std::string& name) {
    return std::find_if(before.begin(), before.end(),
                        [&](const Material& material) { return material.name == name; });
  };
  config->materials.clear();
  for (const Material& material : before) {
    if (material.name.find(':') == std::string::npos) config->materials.push_back(material);
  }
  for (const BodyDrive& body : config->bodies) {
    if (body.own_material == 0) continue;
    const auto kept = find(body.OwnMaterial());
    Material own = kept != before.end() ? *kept : At(config->materials, body.material);
    own.name = body.OwnMaterial();
    config->materials.push_back(std::move(own));
  }
}

double Omega(const SurfaceDrive& drive) { return 2 * std::numbers::pi * drive.belt_frequency; }

std::string WithUnit(double value, std::string_view unit) {
  return FormatNumber(value) + (unit.empty() ? "" : " " + std::string(unit));
}

Error UnknownPath(const Config& config, std::string_view path) {
  const std::vector<ParamEntry> entries = ListParams(config);
  std::vector<std::string_view> known;
  for (const ParamEntry& entry : entries) known.push_back(entry.path);
  for (const ParamEntry& entry : entries) {
    if (!entry.owner.empty()) known.push_back(entry.info->name);
  }
  std::string hint = DidYouMean(path, known);
  return Error{.message = "no parameter '" + std::string(path.substr(0, 60)) + "'",
               .hint = std::move(hint)};
}

}  // namespace

std::size_t GroupRank(std::string_view group) {
  return static_cast<std::size_t>(std::find(kGroups.begin(), kGroups.end(), group) -
                                  kGroups.begin());
}

double SurfaceDrive::Velocity(double t) const {
  // u(t) = u₀ + b t + a ω sin ωt
  const double w = Omega(*this);
  return belt_speed + belt_acceleration * t + belt_amplitude * w * std::sin(w * t);
}

double SurfaceDrive::Displacement(double t) const {
  return belt_speed * t + 0.5 * belt_acceleration * t * t +
         belt_amplitude * (1 - std::cos(Omega(*this) * t));
}

std::vector<ParamEntry> ListParams(const Config& config) {
  std::vector<ParamEntry> entries;
  for (const Material& material : config.materials) {
    Append(MaterialTable(), std::string(kMaterialPrefix) + material.name + ".", material.name,
           &entries);
  }
  Append(StepParamTable(), "", "", &entries);
  for (const SurfaceDrive& surface : config.surfaces) {
    Append(SurfaceTable(), std::string(kSurfacePrefix) + surface.name + ".", surface.name,
           &entries);
  }
  for (const PileDrive& pile : config.piles) {
    Append(PileTable(pile), std::string(kPilePrefix) + pile.name + ".", pile.name, &entries);
  }
  for (const BodyDrive& body : config.bodies) {
    Append(BodyTable(), std::string(kBodyPrefix) + body.name + ".", body.name, &entries);
  }
  for (const RobotDrive& robot : config.robots) {
    Append(RobotTable(), std::string(kRobotPrefix) + robot.name + ".", robot.name, &entries);
  }
  for (const PushDrive& push : config.pushes) {
    Append(PushTable(), std::string(kPushPrefix) + push.name + ".", push.name, &entries);
  }
  for (const JointDrive& joint : config.joints) {
    Append(JointTable(joint.slides), std::string(kJointPrefix) + joint.name + ".", joint.name,
           &entries);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const ParamEntry& a, const ParamEntry& b) {
    return GroupRank(a.info->group) < GroupRank(b.info->group);
  });
  return entries;
}

bool SameBodies(const Config& a, const Config& b) {
  return a.piles == b.piles && a.bodies == b.bodies;
}

void TakeBodies(const Config& from, Config* to) {
  to->piles = from.piles;
  to->bodies = from.bodies;
  SetOwnMaterials(to);
}

std::string PathInScene(const Config& config, std::string_view path) {
  std::string_view owner, name;
  if (Split(path, kMaterialPrefix, &owner, &name)) {
    for (const BodyDrive& body : config.bodies) {
      if (owner != body.OwnMaterial()) continue;
      const Material& first = At(config.materials, body.material);
      return std::string(kMaterialPrefix) + first.name + "." + std::string(name);
    }
  }
  return std::string(path);
}

std::optional<double> GetParam(const Config& config, std::string_view path) {
  std::optional<double> value;
  Visit(config, path, [&](const auto& row, const auto& object) {
    if (!value) value = row.Get(object);
  });
  return value;
}

const ParamInfo* FindParam(const Config& config, std::string_view path) {
  const ParamInfo* info = nullptr;
  Visit(config, path, [&](const auto& row, const auto&) { info = &row.info; });
  return info;
}

Status CheckValue(const ParamInfo& info, double value) {
  const std::string name(info.name);
  if (!std::isfinite(value)) {
    return Error{.message = name + " must be finite (found " + FormatNumber(value) + ")"};
  }
  const std::string found = " (found " + FormatNumber(value) + ")";
  const bool whole = info.scale == Scale::kInteger || info.scale == Scale::kChoice;
  if (whole && value != std::floor(value)) {
    return Error{.message = name + " must be a whole number" + found};
  }
  if (info.zero && value == 0) return Ok{};
  if (value < info.min) {
    const std::string zero = info.zero ? "0 or " : "";
    return Error{.message =
                     name + " must be " + zero + ">= " + WithUnit(info.min, info.unit) + found};
  }
  if (value > info.max) {
    return Error{.message = name + " must be <= " + WithUnit(info.max, info.unit) + found};
  }
  return Ok{};
}

Vec3 CalcGravity(const CommonParams& params) {
  // sine and cosine are expensive beside a small step
  const bool level = params.tilt == 0;
  const double sin = level ? 0 : std::sin(params.tilt), cos = level ? 1 : std::cos(params.tilt);
  return params.gravity * Vec3(sin, 0, -cos);
}

Status SetParam(Config* config, std::string_view path, double value) {
  const ParamInfo* info = FindParam(*config, path);
  if (info == nullptr) return UnknownPath(*config, path);
  if (Status status = CheckValue(*info, value); !status) return status;
  Visit(*config, path, [&](const auto& row, auto& object) { row.Set(&object, value); });
  if (info->name == "own_material") SetOwnMaterials(config);
  return Ok{};
}

Result<double> ParseValue(const ParamInfo& info, std::string_view text) {
  if (info.scale == Scale::kChoice) {
    for (std::size_t i = 0; i < info.choices.size(); ++i) {
      if (info.choices[i] == text) return static_cast<double>(i);
    }
    return Error{
        .message = "no " + std::string(info.name) + " '" + std::string(text.substr(0, 60)) + "'",
        .hint = DidYouMean(text, info.choices)};
  }
  Result<double> value = ParseQuantity(text, info.unit);
  if (!value) return Error{.message = std::string(info.name) + ": " + value.error().message};
  return value;
}

std::string FormatValue(const ParamInfo& info, double value) {
  if (info.scale == Scale::kChoice) {
    const bool valid = value >= 0 && value < static_cast<double>(info.choices.size());
    return valid ? std::string(At(info.choices, value)) : "?";
  }
  return WithUnit(value, info.unit);
}

Status ApplyAssignment(Config* config, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Error{
        .message = "expected PATH=VALUE, found '" + std::string(assignment.substr(0, 60)) + "'",
        .hint = "for example time_step=2ms"};
  }
  const std::string_view path = assignment.substr(0, equals);
  const ParamInfo* info = FindParam(*config, path);
  if (info == nullptr) return UnknownPath(*config, path);
  Result<double> value = ParseValue(*info, assignment.substr(equals + 1));
  if (!value) return value.error();
  return SetParam(config, path, *value);
}

}  // namespace slip
