// What robots' files say of joints beside URDF: <transmission>, <gazebo> and <ros2_control>. Read
// is what limits a joint, makes it follow another or makes it heavier; and files that are none of
// URDF, but belong to robots all the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/geometry/mesh_text.h"
#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

constexpr double kMostRotor = 1e6;  // [kg m²], [kg]

std::string Trim(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  const std::size_t first = all.find_first_not_of(" \t\r\n");
  if (first == all.npos) return {};
  return std::string(all.substr(first, all.find_last_not_of(" \t\r\n") - first + 1));
}

std::string TextOf(const XMLElement& parent, const char* child) {
  const XMLElement* element = parent.FirstChildElement(child);
  return element == nullptr ? std::string() : Trim(element->GetText());
}

/// A number that is the text of a child, or its "value".
std::optional<double> NumberOf(const XMLElement& parent, const char* child) {
  const XMLElement* element = parent.FirstChildElement(child);
  if (element == nullptr) return std::nullopt;
  const char* value = element->Attribute("value");
  const auto number = ParseXmlNumber(value != nullptr ? value : Trim(element->GetText()));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string NameOf(const XMLElement& element) { return Trim(element.Attribute("name")); }

bool IsSingle(const JointFacts& joint) {
  return joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
}

/// Whether an element or one below it is a macro's.
bool HasXacro(const XMLElement& element) {
  if (std::string_view(element.Name()).starts_with("xacro:")) return true;
  for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    if (HasXacro(*child)) return true;
  return false;
}

bool HasExpression(const XMLElement& element) {
  for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view value = a->Value();
    if (value.find("${") != value.npos || value.find("$(") != value.npos) return true;
  }
  for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    if (HasExpression(*child)) return true;
  return false;
}

}  // namespace

bool IsOtherRobotFile(const XMLElement& robot, UrdfReport* report) {
  const std::string& file = report->file();
  // what a macro has made keeps its namespace, and no more
  const bool declares = robot.Attribute("xmlns:xacro") != nullptr;
  if (LowerExtension(file) == ".xacro" || HasXacro(robot) || (declares && HasExpression(robot))) {
    report->Fail(robot, "this is a xacro file, of which a URDF file is made first",
                 fmt::format("xacro {} > robot.urdf, or in ROS 2: ros2 run xacro xacro {} > "
                             "robot.urdf",
                             file, file));
    return true;
  }
  const bool links = robot.FirstChildElement("link") != nullptr;
  const bool groups = [&] {
    for (const char* name : {"group", "group_state", "disable_collisions", "end_effector",
                             "virtual_joint", "passive_joint", "disable_default_collisions"})
      if (robot.FirstChildElement(name) != nullptr) return true;
    return false;
  }();
  if (links || (!groups && LowerExtension(file) != ".srdf")) return false;
  report->Fail(robot, "this is an SRDF file: it groups the joints of a robot and has none itself",
               "open the robot's URDF file, which it belongs to");
  return true;
}

void UrdfControl::ReadTransmission(const XMLElement& element) {
  const XMLElement* joint = element.FirstChildElement("joint");
  // of a differential nobody says which motor turns what
  if (joint == nullptr || joint->NextSiblingElement("joint") != nullptr) return;
  const XMLElement* actuator = element.FirstChildElement("actuator");
  std::optional<double> inertia, reduction;
  for (const XMLElement* place : {&element, joint, actuator}) {
    if (place == nullptr) continue;
    for (const char* name : {"motorInertia", "rotorInertia", "drake:rotor_inertia"})
      if (const auto number = NumberOf(*place, name); number && !inertia) inertia = number;
    for (const char* name : {"mechanicalReduction", "drake:gear_ratio"})
      if (const auto number = NumberOf(*place, name); number && !reduction) reduction = number;
  }
  if (!inertia) return;
  Wish& wish = joints_[NameOf(*joint)];
  wish.rotor_inertia = inertia;
  wish.reduction = reduction;
}

void UrdfControl::ReadGazebo(const XMLElement& element) {
  for (const XMLElement* plugin = element.FirstChildElement("plugin"); plugin != nullptr;
       plugin = plugin->NextSiblingElement("plugin")) {
    const std::string leader = TextOf(*plugin, "joint"), follower = TextOf(*plugin, "mimicJoint");
    if (leader.empty() || follower.empty()) continue;
    Wish& wish = joints_[follower];
    wish.leader = leader;
    wish.multiplier = NumberOf(*plugin, "multiplier").value_or(1);
    wish.offset = NumberOf(*plugin, "offset").value_or(0);
    wish.from_gazebo = true;
  }
}

void UrdfControl::ReadControl(const XMLElement& element) {
  const auto param = [](const XMLElement& parent, std::string_view name) -> std::string {
    for (const XMLElement* p = parent.FirstChildElement("param"); p != nullptr;
         p = p->NextSiblingElement("param"))
      if (NameOf(*p) == name) return Trim(p->GetText());
    return {};
  };
  for (const XMLElement* joint = element.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    Wish& wish = joints_[NameOf(*joint)];
    if (const std::string leader = param(*joint, "mimic"); !leader.empty() && wish.leader.empty()) {
      wish.leader = leader;
      wish.multiplier = ParseXmlNumber(param(*joint, "multiplier")).value_or(1);
      wish.offset = ParseXmlNumber(param(*joint, "offset")).value_or(0);
    }
    for (const XMLElement* command = joint->FirstChildElement("command_interface");
         command != nullptr; command = command->NextSiblingElement("command_interface")) {
      const auto least = ParseXmlNumber(param(*command, "min")),
                 most = ParseXmlNumber(param(*command, "max"));
      if (!least || !most || !std::isfinite(*least) || !std::isfinite(*most) || *least > *most)
        continue;
      const std::string kind = NameOf(*command);
      const double size = std::max(std::abs(*least), std::abs(*most));
      if (kind == "effort") wish.effort = size;
      if (kind == "velocity") wish.velocity = size;
      if (kind != "position") continue;
      wish.lower = least;
      wish.upper = most;
    }
  }
}

void UrdfControl::Read(XMLElement* robot) {
  for (const char* name : {"transmission", "gazebo", "ros2_control"}) {
    for (XMLElement* element = robot->FirstChildElement(name); element != nullptr;) {
      XMLElement* next = element->NextSiblingElement(name);
      ++count_[name];
      if (name == std::string_view("transmission")) ReadTransmission(*element);
      if (name == std::string_view("gazebo")) ReadGazebo(*element);
      if (name == std::string_view("ros2_control")) ReadControl(*element);
      robot->DeleteChild(element);
      element = next;
    }
  }
}

void UrdfControl::Apply(UrdfFacts* facts, UrdfReport* report) const {
  std::map<std::string_view, bool> read;
  const auto find = [&](const std::string& name) {
    const auto at = std::find_if(facts->joints.begin(), facts->joints.end(),
                                 [&](const JointFacts& joint) { return joint.name == name; });
    return at == facts->joints.end() || !IsSingle(*at) ? nullptr : &*at;
  };
  for (const auto& entry : joints_) {
    // lambdas of C++20 take no structured bindings in every compiler
    const auto& name = entry.first;
    const auto& wish = entry.second;
    JointFacts* joint = find(name);
    if (joint == nullptr) continue;
    const auto note = [&](std::string_view of, const std::string& text) {
      read[of] = true;
      report->NoteOf(fmt::format("joint {}", QuoteXml(name)), text);
    };
    const auto set = [&](const char* limit, const std::optional<double>& wished, double* own) {
      if (!wished || *wished <= 0 || (*own > 0 && *own <= *wished)) return;
      *own = *wished;
      std::erase(joint->zeros, limit);
      note("ros2_control", fmt::format("its {} limit is that of <ros2_control>", limit));
    };
    set("effort", wish.effort, &joint->effort);
    set("velocity", wish.velocity, &joint->velocity);
    if (wish.lower && joint->unlimited) {
      joint->lower = *wish.lower;
      joint->upper = *wish.upper;
      joint->unlimited = false;
      note("ros2_control", "its limits are those of <ros2_control>");
    }
    if (wish.rotor_inertia) {
      const double ratio = wish.reduction.value_or(1);
      const double armature = ratio * ratio * *wish.rotor_inertia;
      if (armature > 0 && armature <= kMostRotor) {
        joint->armature = armature;
        note("transmission", "its rotor, behind the gear of <transmission>, is its armature");
      }
    }
    const JointFacts* leader = find(wish.leader);
    const bool finite = std::abs(wish.multiplier) <= 1e6 && std::abs(wish.offset) <= 1e6;
    if (leader == nullptr || leader == joint || !joint->mimic.empty() || !leader->mimic.empty() ||
        !finite)
      continue;
    joint->mimic = wish.leader;
    joint->multiplier = wish.multiplier;
    joint->offset = wish.offset;
    const std::string_view of = wish.from_gazebo ? "gazebo" : "ros2_control";
    note(of, fmt::format("it follows joint {}, as <{}> says", QuoteXml(wish.leader), of));
  }
  for (const auto& [name, count] : count_)
    report->Note(fmt::format("<{}> is not read{} ({} of them)", name,
                             read[name] ? ", but for what is said here of joints" : "", count));
}

}  // namespace slip
