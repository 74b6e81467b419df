#include "engine/export/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/method/methods.h"

namespace slip {
namespace {

constexpr std::size_t kMostNames = 5;  // in a line

// in the order of LossId
constexpr std::array<std::string_view, 29> kNames = {
    "surface",    "belt",      "motion",         "contact-law",    "stiffness", "damping",
    "creep",      "combining", "contact-points", "point-cloud",    "mesh",      "capsule",
    "limits",     "follower",  "joint-friction", "armature",       "motor",     "target-path",
    "controller", "push",      "weightless",     "self-collision", "start",     "start-offset",
    "world",      "inertia",   "filter",         "name",           "frame"};
static_assert(kNames.size() == static_cast<std::size_t>(LossId::kFrame) + 1);

}  // namespace

std::string_view Name(LossId id) { return kNames[static_cast<std::size_t>(id)]; }

std::string ExportLoss::Line() const {
  if (names.empty()) return text;
  const std::size_t shown = names.size() > kMostNames + 1 ? kMostNames : names.size();
  std::string line = text + ": ";
  for (std::size_t i = 0; i < shown; ++i) line += (i > 0 ? ", " : "") + names[i];
  if (shown < names.size()) line += fmt::format(" and {} more", names.size() - shown);
  return line;
}

void Losses::Add(LossId id, std::string_view text, const std::string& name) {
  auto at = std::find_if(list_.begin(), list_.end(), [&](const ExportLoss& loss) {
    return loss.id == id && loss.text == text;
  });
  if (at == list_.end()) at = list_.insert(at, ExportLoss{id, std::string(text), {}});
  std::vector<std::string>& names = at->names;
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

std::vector<ExportLoss> Losses::Take() {
  std::stable_sort(list_.begin(), list_.end(),
                   [](const ExportLoss& a, const ExportLoss& b) { return a.id < b.id; });
  return std::move(list_);
}

void AddOwnLosses(const ExportInput& input, Losses* losses) {
  const Model& model = input.model;
  const Config& config = input.config;
  for (std::size_t r = 0; r < model.robots.size(); ++r) {
    const Robot& robot = model.robots[r];
    if (config.robots[r].id() != ControllerId::kNone)
      losses->Add(LossId::kController, "no controller moves a robot there", robot.name);
    if (robot.weightless)
      losses->Add(LossId::kWeightless, "the weight of a robot's links is not carried there",
                  robot.name);
  }
  for (const Body& body : model.bodies)
    if (!body.target_path.knots.empty())
      losses->Add(LossId::kTargetPath, "the target of a motor does not change with time there",
                  body.joint.name);
  for (const Push& push : model.pushes)
    losses->Add(LossId::kPush, "no force pushes a body there", push.name);
  if (!Info(config.method()).glides) return;
  for (const Body& body : model.bodies)
    if (body.start_offset == StartOffset::kGlide || body.start_offset == StartOffset::kGlideOrRest)
      losses->Add(LossId::kStartOffset,
                  fmt::format("it starts at the height at which {} glides, and contacts there do "
                              "not glide",
                              Info(config.method()).label),
                  body.name);
}

std::string HeadComment(const ExportInput& input, const std::vector<ExportLoss>& losses) {
  std::string text =
      fmt::format(" Slipscope: {}, method {}. ", input.name, Info(input.config.method()).id);
  text += losses.empty() ? "Nothing was left out.\n" : "Left out, or said in another way:\n";
  for (const ExportLoss& loss : losses) text += "  " + loss.Line() + "\n";
  // two hyphens end a comment, and a name may have any
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.replace(at, 2, "- ");
  return text;
}

}  // namespace slip
