// One joint: what it links, which way it moves, how far and how strongly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/param_text.h"
#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

/// Beyond these no limit of a joint means anything; files write 1e16 or 3.4e38 for "none".
constexpr double kAsGoodAsNone = 1e9;

constexpr std::array<std::string_view, 7> kJointTypes = {
    "fixed", "revolute", "continuous", "prismatic", "floating", "planar", "spherical"};

void CheckLimits(const UrdfPlace& place, const XMLElement& joint, JointFacts* facts) {
  const XMLElement* limit = OnlyChild(place, joint, "limit");
  const bool limited = facts->type == "revolute" || facts->type == "prismatic";
  if (limit == nullptr) {
    if (limited)
      place.Fail(joint, fmt::format("a {} joint needs a <limit>", facts->type),
                 std::string("write <limit lower=\"-1\" upper=\"1\" effort=\"10\" "
                             "velocity=\"10\"/>") +
                     (facts->type == "revolute" ? ", or make it continuous" : ""));
    return;
  }
  constexpr NumberRange kAny{.most = 1e300};
  double &lower = facts->lower, &upper = facts->upper;
  const bool has_lower = ReadNumber(place, *limit, "lower", kAny, false, &lower);
  const bool has_upper = ReadNumber(place, *limit, "upper", kAny, false, &upper);
  for (const auto& [name, value] :
       {std::pair{"effort", &facts->effort}, {"velocity", &facts->velocity}}) {
    if (limit->Attribute(name) == nullptr && !limited) {
      if (facts->type != "fixed")
        place.report->Note(fmt::format("{}: no {} is given: no limit", place.owner, name));
      continue;
    }
    const bool read = ReadNumber(place, *limit, name, kAny, true, value);
    if (read && *value < 0)
      place.Fail(*limit, fmt::format("{} is {:g}", name, *value), "expected 0 or more");
    if (read && *value == 0 && facts->type != "fixed") facts->zeros.emplace_back(name);
  }
  if (!limited) return;
  facts->unlimited = limit->Attribute("lower") == nullptr && limit->Attribute("upper") == nullptr;
  if (facts->unlimited) {
    place.report->Note(place.owner + ": neither lower nor upper is given: no limits");
  } else if (lower > upper && has_lower && has_upper) {
    facts->unlimited = true;
    place.report->NoteOf(place.owner,
                         "its lower limit is above the upper one: no limits, as Bullet reads it "
                         "(exchange them where limits were meant)");
    return;
  } else if (lower > upper &&
             (limit->Attribute("lower") == nullptr || limit->Attribute("upper") == nullptr)) {
    place.Fail(*limit, fmt::format("lower {:g} is above upper {:g}", lower, upper), "write both");
  }
  if (!facts->unlimited && !(has_lower && has_upper))
    place.report->Note(
        fmt::format("{}: {} is not given: 0", place.owner, has_lower ? "upper" : "lower"));
  for (const double x : {lower, upper})
    if (std::abs(x) >= kAsGoodAsNone)
      place.report->Note(fmt::format("{}: a limit of {:g} is taken for none", place.owner, x));
}

void CheckMimic(const UrdfPlace& place, const XMLElement& joint, JointFacts* facts) {
  const XMLElement* mimic = OnlyChild(place, joint, "mimic");
  if (mimic == nullptr) return;
  if (facts->type == "fixed") {
    place.report->Note(place.owner + ": it is fixed, so its <mimic> is not read");
    return;
  }
  constexpr NumberRange kFactor{.most = 1e6};
  ReadNumber(place, *mimic, "multiplier", kFactor, false, &facts->multiplier);
  ReadNumber(place, *mimic, "offset", kFactor, false, &facts->offset);
  const char* other = mimic->Attribute("joint");
  if (other == nullptr || *other == '\0')
    return place.Fail(*mimic, "no joint of <mimic>", "write joint=\"NAME\"");
  facts->mimic = other;
  if (facts->type == "floating" || facts->type == "planar" || facts->type == "spherical")
    place.Fail(*mimic, fmt::format("a {} joint cannot follow another", facts->type),
               "delete <mimic>");
}

void CheckDynamics(const UrdfPlace& place, const XMLElement& joint, JointFacts* facts) {
  const XMLElement* dynamics = OnlyChild(place, joint, "dynamics");
  if (dynamics == nullptr) return;
  for (const auto& [name, value] :
       {std::pair{"damping", &facts->damping}, {"friction", &facts->friction}}) {
    if (ReadNumber(place, *dynamics, name, {}, false, value) && *value < 0)
      place.Fail(*dynamics, fmt::format("{} is {:g}", name, *value), "expected 0 or more");
  }
}

void CheckAxis(const UrdfPlace& place, const XMLElement& joint, JointFacts* facts) {
  const XMLElement* axis = OnlyChild(place, joint, "axis");
  if (facts->type == "fixed" || facts->type == "floating" || facts->type == "spherical") return;
  if (axis == nullptr) {
    place.report->Note(place.owner + ": no axis is given: x");
    return;
  }
  if (ReadNumbers(place, *axis, "xyz", {.most = 1e6}, true, std::span(facts->axis.data(), 3)) &&
      facts->axis.norm() < 1e-6)
    place.Fail(*axis, "the axis has no length", "write xyz=\"0 0 1\" for z");
}

}  // namespace

void CheckUrdfJoint(const XMLElement& element, UrdfFacts* facts, UrdfReport* report) {
  JointFacts joint;
  joint.line = element.GetLineNum();
  if (!CheckName(element, report, &joint.name)) return;
  const UrdfPlace place{fmt::format("joint {}", QuoteXml(joint.name)), report};
  const char* type = element.Attribute("type");
  joint.type = type == nullptr ? "" : type;
  if (std::find(kJointTypes.begin(), kJointTypes.end(), joint.type) == kJointTypes.end())
    place.Fail(
        element,
        type == nullptr ? "no type" : fmt::format("there is no type {}", QuoteXml(joint.type)),
        DidYouMean(joint.type, kJointTypes));
  for (const auto& [name, link] : {std::pair{"parent", &joint.parent}, {"child", &joint.child}}) {
    const XMLElement* end = OnlyChild(place, element, name);
    const char* found = end == nullptr ? nullptr : end->Attribute("link");
    if (found != nullptr) *link = found;
    if (link->empty())
      place.Fail(element, fmt::format("no {} link", name),
                 fmt::format("write <{} link=\"NAME\"/>", name));
  }
  joint.X_PJ = CheckOrigin(place, element);
  CheckAxis(place, element, &joint);
  CheckLimits(place, element, &joint);
  CheckDynamics(place, element, &joint);
  CheckMimic(place, element, &joint);
  facts->joints.push_back(std::move(joint));
}

void NoteZeroLimits(const std::vector<JointFacts>& joints, UrdfReport* report) {
  constexpr int kNamed = 3;
  for (const std::string_view limit : {"effort", "velocity"}) {
    std::string names;
    int count = 0;
    for (const JointFacts& joint : joints) {
      if (std::find(joint.zeros.begin(), joint.zeros.end(), limit) == joint.zeros.end()) continue;
      if (++count <= kNamed) names += (count > 1 ? ", " : "") + QuoteXml(joint.name);
    }
    if (count == 0) continue;
    if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
    report->Note(fmt::format("joint{} {}: {} 0 is taken for \"not set\", so there is no limit",
                             count == 1 ? "" : "s", names, limit));
  }
}

}  // namespace slip
