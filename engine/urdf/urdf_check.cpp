#include "engine/urdf/urdf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "engine/core/rotation.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kLongestName = 200;
constexpr std::array<std::string_view, 24> kElements = {
    "robot",     "link",     "joint", "inertial", "origin",   "mass",  "inertia",  "visual",
    "collision", "geometry", "box",   "sphere",   "cylinder", "mesh",  "material", "color",
    "parent",    "child",    "axis",  "limit",    "dynamics", "mimic", "capsule",  "drake:capsule"};
constexpr std::array<std::string_view, 28> kAttributes = {
    "name",   "xyz",      "rpy",     "value",    "ixx",        "ixy",    "ixz",
    "iyy",    "iyz",      "izz",     "size",     "radius",     "length", "filename",
    "scale",  "rgba",     "link",    "joint",    "type",       "lower",  "upper",
    "effort", "velocity", "damping", "friction", "multiplier", "offset", "version"};

/// Leaves only what URDF knows, wherever it stands. What a misspelt attribute says should not be
/// lost in silence.
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

/// The colours that the file defines: beside the links, which are taken out, and within them.
Colors TakeColors(XMLElement* robot, UrdfReport* report) {
  Colors colors;
  const auto add = [&colors](const UrdfPlace& place, const XMLElement& material) {
    const auto rgba = CheckColor(place, material);
    if (const char* name = material.Attribute("name"); name != nullptr && rgba)
      colors.emplace(name, *rgba);
  };
  for (XMLElement* m = robot->FirstChildElement("material"); m != nullptr;) {
    XMLElement* next = m->NextSiblingElement("material");
    add({"materials", report}, *m);
    robot->DeleteChild(m);
    m = next;
  }
  // what is wrong with these is said with their links
  UrdfReport unsaid(report->file());
  for (const XMLElement* link = robot->FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link"))
    for (const XMLElement* v = link->FirstChildElement("visual"); v != nullptr;
         v = v->NextSiblingElement("visual"))
      if (const XMLElement* m = v->FirstChildElement("material"); m != nullptr)
        add({"materials", &unsaid}, *m);
  return colors;
}

}  // namespace

std::optional<std::array<double, 4>> CheckColor(const UrdfPlace& place,
                                                const XMLElement& material) {
  const XMLElement* color = OnlyChild(place, material, "color");
  std::array<double, 4> rgba{};
  if (color == nullptr || !ReadNumbers(place, *color, "rgba", {}, true, rgba)) return std::nullopt;
  for (const double c : rgba) {
    if (c < 0 || c > 1) {
      place.Fail(*color, fmt::format("a colour has {:g}; expected 0 to 1", c),
                 "divide by 255 where the file counts to 255");
      return std::nullopt;
    }
  }
  return rgba;
}

bool CheckName(const XMLElement& element, UrdfReport* report, std::string* name) {
  const char* found = element.Attribute("name");
  *name = found == nullptr ? "" : found;
  if (name->empty()) {
    report->Fail(element, fmt::format("<{}> without a name", element.Name()), "write name=\"...\"");
    return false;
  }
  const bool control =
      std::any_of(name->begin(), name->end(), [](char c) { return c >= 0 && c < ' '; });
  if (control || name->size() > kLongestName) {
    report->Fail(element,
                 fmt::format("<{}> {} has {}", element.Name(), QuoteXml(*name),
                             control ? "a line break in its name" : "too long a name"),
                 fmt::format("at most {} letters in one line", kLongestName));
    return false;
  }
  return true;
}

namespace {

/// A robot without a name has that of its file.
void CheckRobotName(const XMLElement& robot, UrdfReport* report, std::string* name) {
  const char* found = robot.Attribute("name");
  if (found != nullptr && *found != '\0') {
    CheckName(robot, report, name);
    return;
  }
  *name = std::filesystem::path(report->file()).stem().string();
  const bool good =
      !name->empty() && name->size() <= kLongestName &&
      std::none_of(name->begin(), name->end(), [](char c) { return c >= 0 && c < ' '; });
  if (!good) *name = "robot";
  report->Note("<robot> has no name: it is called as its file is");
}

}  // namespace

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

Pose CheckOrigin(const UrdfPlace& place, const XMLElement& parent) {
  Pose pose;
  const XMLElement* origin = OnlyChild(place, parent, "origin");
  if (origin == nullptr) return pose;
  Vec3 rpy = Vec3::Zero();
  ReadNumbers(place, *origin, "xyz", kPosition, false, std::span(pose.p.data(), 3));
  if (ReadNumbers(place, *origin, "rpy", kAngle, false, std::span(rpy.data(), 3)))
    pose.q = CalcRotationOfRpy(rpy);
  return pose;
}

void CheckUrdf(tinyxml2::XMLDocument* document, UrdfFacts* facts, UrdfReport* report) {
  XMLElement* robot = document->RootElement();
  if (robot == nullptr || std::string_view(robot->Name()) != "robot")
    return report->Fail(
        robot == nullptr ? 0 : robot->GetLineNum(),
        robot == nullptr ? "no <robot>" : fmt::format("no <robot>, but <{}>", robot->Name()),
        robot != nullptr && std::string_view(robot->Name()) == "sdf"
            ? "SDF is not read: open the URDF file that it was made of, or export it to one"
            : "a URDF file begins with <robot name=\"...\">");
  if (const XMLElement* more = robot->NextSiblingElement(); more != nullptr)
    report->Fail(*more, "a second element beside <robot>", "a URDF file holds one robot");
  if (IsOtherRobotFile(*robot, report)) return;
  CheckRobotName(*robot, report, &facts->name);
  UrdfControl control;
  control.Read(robot);
  std::vector<std::string> ignored;
  TakeOutOthers(robot, {"link", "joint", "material"}, &ignored);
  const Colors colors = TakeColors(robot, report);
  facts->meshes.Prefetch(*robot);
  for (XMLElement* link = robot->FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    TakeOutOthers(link, {"inertial", "visual", "collision"}, &ignored);
    CheckUrdfLink(link, colors, facts, report);
  }
  for (XMLElement* joint = robot->FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    TakeOutOthers(joint, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
                  &ignored);
    CheckUrdfJoint(*joint, facts, report);
  }
  TakeOutUnknown(robot, report);
  std::map<std::string_view, int> times;
  for (const std::string& other : ignored) ++times[other];
  NoteOthers(robot, times, report);
  control.Apply(facts, report);
  if (facts->links.empty() && robot->FirstChildElement("link") == nullptr) {
    const bool soft = times.contains("deformable") || times.contains("reduced_deformable");
    return report->Fail(*robot,
                        soft ? "the robot has no links, only a soft body, and those are not "
                               "computed"
                             : "the robot has no links",
                        soft ? "only rigid bodies are" : "write <link name=\"base\"/>");
  }
  if (facts->links.size() > kMostRobotLinks)
    return report->Fail(
        *robot,
        fmt::format("{} links; at most {} are allowed", facts->links.size(), kMostRobotLinks),
        "cut the robot into several");
  CheckUrdfTree(facts, report);
}

}  // namespace slip
