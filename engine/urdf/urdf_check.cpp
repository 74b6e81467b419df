#include "engine/urdf/urdf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "engine/core/param_text.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kLongestName = 200;
/// Beyond these no limit of a joint means anything; files write 1e16 or 3.4e38 for "none".
constexpr double kAsGoodAsNone = 1e9;

constexpr std::array<std::string_view, 6> kJointTypes = {"fixed",     "revolute", "continuous",
                                                         "prismatic", "floating", "planar"};

/// Materials by name, so that a link may use what another has defined.
using Colors = std::map<std::string, std::string>;

/// The rgba of a material as text; empty when it gives none.
std::string CheckColor(const UrdfPlace& place, XMLElement* material) {
  XMLElement* color = OnlyChild(place, material, "color");
  if (color == nullptr) return {};
  std::array<double, 4> rgba{};
  if (!ReadNumbers(place, color, "rgba", {}, true, rgba)) return {};
  for (double& c : rgba) {
    if (c < 0 || c > 1) {
      place.Fail(*color, fmt::format("a colour has {:g}; expected 0 to 1", c),
                 "divide by 255 where the file counts to 255");
      return {};
    }
  }
  return color->Attribute("rgba");
}

/// Every visual gets its own colour, so that no name is left to look up.
void CheckMaterial(const UrdfPlace& place, XMLElement* visual, const Colors& colors) {
  XMLElement* material = OnlyChild(place, visual, "material");
  if (material == nullptr) return;
  std::string rgba = CheckColor(place, material);
  const char* given = material->Attribute("name");
  const std::string name = given == nullptr ? "" : given;
  if (rgba.empty() && material->FirstChildElement("color") == nullptr) {
    if (const auto known = colors.find(name); known != colors.end()) rgba = known->second;
    if (rgba.empty())
      place.report->Note(fmt::format("{}: material {} has no colour", place.owner, QuoteXml(name)));
  }
  visual->DeleteChild(material);
  if (rgba.empty()) return;
  material = visual->InsertNewChildElement("material");
  material->SetAttribute("name", ("color " + rgba).c_str());
  material->InsertNewChildElement("color")->SetAttribute("rgba", rgba.c_str());
  // a colour from elsewhere is not in the one form yet; where it is wrong, that was said there
  UrdfReport said(place.report->file());
  if (CheckColor({place.owner, &said}, material).empty()) visual->DeleteChild(material);
}

constexpr std::array<std::string_view, 22> kElements = {
    "robot",     "link",     "joint", "inertial", "origin",   "mass", "inertia",  "visual",
    "collision", "geometry", "box",   "sphere",   "cylinder", "mesh", "material", "color",
    "parent",    "child",    "axis",  "limit",    "dynamics", "mimic"};
constexpr std::array<std::string_view, 28> kAttributes = {
    "name",   "xyz",      "rpy",     "value",    "ixx",        "ixy",    "ixz",
    "iyy",    "iyz",      "izz",     "size",     "radius",     "length", "filename",
    "scale",  "rgba",     "link",    "joint",    "type",       "lower",  "upper",
    "effort", "velocity", "damping", "friction", "multiplier", "offset", "version"};

/// Leaves only what URDF knows, wherever it stands: the parser behind is choosier about the names
/// of the rest. What a misspelt attribute says should not be lost in silence.
void TakeOutUnknown(XMLElement* element, UrdfReport* report) {
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a != nullptr;) {
    const tinyxml2::XMLAttribute* next = a->Next();
    const std::string name = a->Name();
    if (std::find(kAttributes.begin(), kAttributes.end(), name) == kAttributes.end()) {
      if (!name.starts_with("xmlns"))
        report->Note(fmt::format("{} of <{}> in line {} is not read", QuoteXml(name),
                                 element->Name(), element->GetLineNum()));
      element->DeleteAttribute(name.c_str());
    }
    a = next;
  }
  for (tinyxml2::XMLNode* child = element->FirstChild(); child != nullptr;) {
    tinyxml2::XMLNode* next = child->NextSibling();
    XMLElement* inner = child->ToElement();
    if (inner != nullptr &&
        std::find(kElements.begin(), kElements.end(), inner->Name()) != kElements.end())
      TakeOutUnknown(inner, report);
    else
      element->DeleteChild(child);
    child = next;
  }
}

void NoteOthers(XMLElement* robot, const std::map<std::string_view, int>& times,
                UrdfReport* report) {
  for (const auto& [name, count] : times)
    report->Note(fmt::format("<{}> is not read ({} of them)", name, count));
  const char* version = robot->Attribute("version");
  if (version != nullptr && std::string_view(version) != "1.0" && std::string_view(version) != "1")
    report->Note(fmt::format("written for version {} of URDF; read as version 1.0", version));
  robot->DeleteAttribute("version");
}

void CheckLimits(const UrdfPlace& place, XMLElement* joint, JointFacts* facts) {
  XMLElement* limit = OnlyChild(place, joint, "limit");
  const bool limited = facts->type == "revolute" || facts->type == "prismatic";
  if (limit == nullptr) {
    if (limited)
      place.Fail(*joint, fmt::format("a {} joint needs a <limit>", facts->type),
                 std::string("write <limit lower=\"-1\" upper=\"1\" effort=\"10\" "
                             "velocity=\"10\"/>") +
                     (facts->type == "revolute" ? ", or make it continuous" : ""));
    return;
  }
  constexpr NumberRange kAny{.most = 1e300};
  double lower = 0, upper = 0, effort = 0, velocity = 0;
  const bool has_lower = ReadNumber(place, limit, "lower", kAny, false, &lower);
  const bool has_upper = ReadNumber(place, limit, "upper", kAny, false, &upper);
  for (const auto& [name, value] : {std::pair{"effort", &effort}, {"velocity", &velocity}}) {
    if (ReadNumber(place, limit, name, kAny, true, value) && *value < 0)
      place.Fail(*limit, fmt::format("{} is {:g}", name, *value), "expected 0 or more");
  }
  if (!limited) return;
  if (lower > upper)
    place.Fail(*limit, fmt::format("lower {:g} is above upper {:g}", lower, upper),
               "exchange them");
  facts->unlimited = limit->Attribute("lower") == nullptr && limit->Attribute("upper") == nullptr;
  if (facts->unlimited)
    place.report->Note(place.owner + ": neither lower nor upper is given: no limits");
  else if (!has_lower || !has_upper)
    place.report->Note(
        fmt::format("{}: {} is not given: 0", place.owner, has_lower ? "upper" : "lower"));
  for (const double x : {lower, upper})
    if (std::abs(x) >= kAsGoodAsNone)
      place.report->Note(fmt::format("{}: a limit of {:g} is taken for none", place.owner, x));
}

void CheckMimic(const UrdfPlace& place, XMLElement* joint, JointFacts* facts) {
  XMLElement* mimic = OnlyChild(place, joint, "mimic");
  if (mimic == nullptr) return;
  double multiplier = 1, offset = 0;
  constexpr NumberRange kFactor{.most = 1e6};
  ReadNumber(place, mimic, "multiplier", kFactor, false, &multiplier);
  ReadNumber(place, mimic, "offset", kFactor, false, &offset);
  const char* other = mimic->Attribute("joint");
  if (other == nullptr || *other == '\0')
    return place.Fail(*mimic, "no joint of <mimic>", "write joint=\"NAME\"");
  facts->mimic = other;
  if (facts->type == "fixed" || facts->type == "floating" || facts->type == "planar")
    place.Fail(*mimic, fmt::format("a {} joint cannot follow another", facts->type),
               "delete <mimic>");
}

void CheckDynamics(const UrdfPlace& place, XMLElement* joint) {
  XMLElement* dynamics = OnlyChild(place, joint, "dynamics");
  if (dynamics == nullptr) return;
  double damping = 0, friction = 0;
  const bool any =
      dynamics->Attribute("damping") != nullptr || dynamics->Attribute("friction") != nullptr;
  for (const auto& [name, value] : {std::pair{"damping", &damping}, {"friction", &friction}}) {
    if (ReadNumber(place, dynamics, name, {}, false, value) && *value < 0)
      place.Fail(*dynamics, fmt::format("{} is {:g}", name, *value), "expected 0 or more");
  }
  // the parser behind refuses an empty one
  if (!any) joint->DeleteChild(dynamics);
}

void CheckAxis(const UrdfPlace& place, XMLElement* joint, const std::string& type) {
  XMLElement* axis = OnlyChild(place, joint, "axis");
  if (type == "fixed" || type == "floating") {
    if (axis != nullptr) joint->DeleteChild(axis);
    return;
  }
  if (axis == nullptr) {
    place.report->Note(place.owner + ": no axis is given: x");
    return;
  }
  Vec3 direction = Vec3::UnitX();
  if (ReadNumbers(place, axis, "xyz", {.most = 1e6}, true, std::span(direction.data(), 3)) &&
      direction.norm() < 1e-6)
    place.Fail(*axis, "the axis has no length", "write xyz=\"0 0 1\" for z");
}

}  // namespace

bool CheckName(XMLElement* element, UrdfReport* report, std::string* name) {
  const char* found = element->Attribute("name");
  *name = found == nullptr ? "" : found;
  if (name->empty()) {
    report->Fail(*element, fmt::format("<{}> without a name", element->Name()),
                 "write name=\"...\"");
    return false;
  }
  const bool control =
      std::any_of(name->begin(), name->end(), [](char c) { return c >= 0 && c < ' '; });
  if (control || name->size() > kLongestName) {
    report->Fail(*element,
                 fmt::format("<{}> {} has {}", element->Name(), QuoteXml(*name),
                             control ? "a line break in its name" : "too long a name"),
                 fmt::format("at most {} letters in one line", kLongestName));
    return false;
  }
  return true;
}

void TakeOutOthers(XMLElement* parent, std::initializer_list<std::string_view> known,
                   std::vector<std::string>* ignored) {
  for (tinyxml2::XMLNode* child = parent->FirstChild(); child != nullptr;) {
    tinyxml2::XMLNode* next = child->NextSibling();
    const XMLElement* element = child->ToElement();
    if (element == nullptr ||
        std::find(known.begin(), known.end(), element->Name()) == known.end()) {
      if (element != nullptr && ignored != nullptr) ignored->emplace_back(element->Name());
      parent->DeleteChild(child);
    }
    child = next;
  }
}

void CheckOrigin(const UrdfPlace& place, XMLElement* parent) {
  XMLElement* origin = OnlyChild(place, parent, "origin");
  if (origin == nullptr) return;
  std::array<double, 3> unused{};
  ReadNumbers(place, origin, "xyz", kPosition, false, unused);
  ReadNumbers(place, origin, "rpy", kAngle, false, unused);
}

void CheckUrdfJoint(XMLElement* element, UrdfFacts* facts, UrdfReport* report) {
  JointFacts joint;
  joint.line = element->GetLineNum();
  if (!CheckName(element, report, &joint.name)) return;
  const UrdfPlace place{fmt::format("joint {}", QuoteXml(joint.name)), report};
  const char* type = element->Attribute("type");
  joint.type = type == nullptr ? "" : type;
  if (std::find(kJointTypes.begin(), kJointTypes.end(), joint.type) == kJointTypes.end())
    place.Fail(
        *element,
        type == nullptr ? "no type" : fmt::format("there is no type {}", QuoteXml(joint.type)),
        DidYouMean(joint.type, kJointTypes));
  for (const auto& [name, link] : {std::pair{"parent", &joint.parent}, {"child", &joint.child}}) {
    XMLElement* end = OnlyChild(place, element, name);
    const char* found = end == nullptr ? nullptr : end->Attribute("link");
    if (found != nullptr) *link = found;
    if (link->empty())
      place.Fail(*element, fmt::format("no {} link", name),
                 fmt::format("write <{} link=\"NAME\"/>", name));
  }
  CheckOrigin(place, element);
  CheckAxis(place, element, joint.type);
  CheckLimits(place, element, &joint);
  CheckDynamics(place, element);
  CheckMimic(place, element, &joint);
  facts->joints.push_back(std::move(joint));
}

void CheckUrdf(tinyxml2::XMLDocument* document, UrdfFacts* facts, UrdfReport* report) {
  XMLElement* robot = document->RootElement();
  if (robot == nullptr || std::string_view(robot->Name()) != "robot")
    return report->Fail(
        robot == nullptr ? 0 : robot->GetLineNum(),
        robot == nullptr ? "no <robot>" : fmt::format("no <robot>, but <{}>", robot->Name()),
        "a URDF file begins with <robot name=\"...\">");
  if (const XMLElement* more = robot->NextSiblingElement(); more != nullptr)
    report->Fail(*more, "a second element beside <robot>", "a URDF file holds one robot");
  std::string name;
  CheckName(robot, report, &name);
  std::vector<std::string> ignored;
  TakeOutOthers(robot, {"link", "joint", "material"}, &ignored);
  for (const std::string& other : ignored) {
    if (other.starts_with("xacro:")) {
      report->Fail(*robot, "this is a xacro file", "make a URDF file of it: xacro IN > OUT.urdf");
      return;
    }
  }
  Colors colors;
  const UrdfPlace place{"materials", report};
  for (XMLElement* m = robot->FirstChildElement("material"); m != nullptr;) {
    XMLElement* next = m->NextSiblingElement("material");
    const std::string rgba = CheckColor(place, m);
    if (const char* id = m->Attribute("name"); id != nullptr && !rgba.empty())
      colors.emplace(id, rgba);
    robot->DeleteChild(m);
    m = next;
  }
  // a material that a link defines is known to all
  for (XMLElement* link = robot->FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link"))
    for (XMLElement* v = link->FirstChildElement("visual"); v != nullptr;
         v = v->NextSiblingElement("visual"))
      if (const XMLElement* m = v->FirstChildElement("material"); m != nullptr)
        if (const XMLElement* c = m->FirstChildElement("color"); c != nullptr)
          if (m->Attribute("name") != nullptr && c->Attribute("rgba") != nullptr)
            colors.emplace(m->Attribute("name"), c->Attribute("rgba"));
  for (XMLElement* link = robot->FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    TakeOutOthers(link, {"inertial", "visual", "collision"}, &ignored);
    for (XMLElement* v = link->FirstChildElement("visual"); v != nullptr;
         v = v->NextSiblingElement("visual")) {
      const char* id = link->Attribute("name");
      CheckMaterial({fmt::format("link {}", QuoteXml(id == nullptr ? "" : id)), report}, v, colors);
    }
    CheckUrdfLink(link, facts, report);
  }
  for (XMLElement* joint = robot->FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    TakeOutOthers(joint, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
                  &ignored);
    CheckUrdfJoint(joint, facts, report);
  }
  TakeOutUnknown(robot, report);
  std::map<std::string_view, int> times;
  for (const std::string& other : ignored) ++times[other];
  NoteOthers(robot, times, report);
  if (facts->links.empty() && robot->FirstChildElement("link") == nullptr)
    return report->Fail(*robot, "the robot has no links", "write <link name=\"base\"/>");
  if (facts->links.size() > kMostRobotLinks)
    return report->Fail(
        *robot,
        fmt::format("{} links; at most {} are allowed", facts->links.size(), kMostRobotLinks),
        "cut the robot into several");
  CheckUrdfTree(*facts, report);
}

}  // namespace slip
