// <compiler>, <option> and what a file has that cannot be taken over at all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

void ReadMjcfCompiler(const MjcfNode& node, MjcfSettings* settings, MjcfModel* model) {
  MjcfSettings& s = *settings;
  const MjcfItem item(node, "compiler", model->report);
  if (const auto angle = item.Choice("angle", {"radian", "degree"})) s.degrees = *angle == 1;
  item.Flag("autolimits", &s.autolimits);
  item.Flag("balanceinertia", &s.balance);
  item.Flag("strippath", &s.strip_path);
  if (const auto coordinate = item.Choice("coordinate", {"local", "global"}))
    if (*coordinate == 1)
      item.Fail("coordinate=\"global\" is not read", "save the model with local coordinates");
  if (item.Has("eulerseq")) {
    const std::string sequence = item.Text("eulerseq");
    const bool good = sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == sequence.npos;
    if (good)
      s.eulerseq = sequence;
    else
      item.Fail(fmt::format("eulerseq is {}", QuoteXml(sequence)),
                "expected three of x, y, z, X, Y, Z");
  }
  if (item.Has("assetdir")) s.mesh_folder = item.Text("assetdir");
  if (item.Has("meshdir")) s.mesh_folder = item.Text("meshdir");
  item.NumberFrom(0, "boundmass", &s.least_mass);
  item.NumberFrom(0, "boundinertia", &s.least_moment);
  item.Number("settotalmass", &s.total_mass);
  if (item.Has("inertiafromgeom")) s.from_shapes = item.Maybe("inertiafromgeom");
  std::array<double, 2> groups{};
  if (item.Numbers("inertiagrouprange", 2, groups) == 2) {
    s.first_group = static_cast<int>(groups[0]);
    s.last_group = static_cast<int>(groups[1]);
  }
  bool flag = false;
  if (item.Flag("fitaabb", &flag) && flag)
    item.Fail("fitaabb is not read", "give shapes sizes in place of meshes to fit");
  if (item.Flag("convexhull", &flag) && !flag)
    model->report->Say(node, "convexhull=\"false\" is not used: meshes collide as their hulls");
}

/// An option that slows bodies down in a medium, which there is not.
void RefuseMedium(const MjcfItem& item) {
  for (const char* name : {"density", "viscosity"}) {
    double value = 0;
    if (item.Number(name, &value) && value > 0)
      item.Fail(fmt::format("{} is {:g}: there is no medium", name, value), "set it to 0");
  }
  std::array<double, 3> wind{};
  if (item.Numbers("wind", 3, wind) == 3 && wind != std::array<double, 3>{})
    item.Fail("there is no wind", "set it to 0 0 0");
}

void ReadMjcfFlags(const MjcfNode& node, MjcfSettings* s, MjcfReport* report) {
  const MjcfItem item(node, "flag", report);
  const auto is = [&](const char* name, bool* out) {
    if (const auto choice = item.Choice(name, {"disable", "enable"})) *out = *choice == 1;
  };
  bool constraint = true, passive = true, override_contacts = false;
  is("constraint", &constraint);
  if (!constraint)
    item.Fail("constraint=\"disable\" is not read", "disable contact, limit and equality by name");
  is("override", &override_contacts);
  if (override_contacts)
    item.Fail("override=\"enable\" is not read", "give the shapes the contact parameters");
  is("passive", &passive);
  if (!passive) s->springs = s->dampers = false;
  is("spring", &s->springs);
  is("damper", &s->dampers);
  is("contact", &s->contacts);
  is("equality", &s->equality);
  is("frictionloss", &s->dry_friction);
  is("limit", &s->limits);
  is("gravity", &s->weight);
  is("clampctrl", &s->clamp);
  is("actuation", &s->actuators);
  is("filterparent", &s->filter_parents);
  is("refsafe", &s->contact.refsafe);
}

void ReadMjcfOption(const MjcfNode& node, MjcfModel* model) {
  MjcfSettings& s = model->settings;
  MjcfReport& report = *model->report;
  const MjcfItem item(node, "option", &report);
  double step = 0;
  if (item.Number("timestep", &step) && step < 1e-7)
    item.Fail(fmt::format("timestep is {:g} s", step), "expected 1e-7 to 0.1 s");
  else if (item.Number("timestep", &step, {.most = 0.1, .unit = "s"}))
    s.contact.time_step = step;
  item.NumberFrom(1e-12, "impratio", &s.contact.impratio);
  std::array<double, 3> gravity{};
  if (item.Numbers("gravity", 3, gravity, {.most = 1e3, .unit = "m/s^2"}) == 3)
    s.gravity = Vec3(gravity[0], gravity[1], gravity[2]);
  if (const auto cone = item.Choice("cone", {"pyramidal", "elliptic"}))
    s.contact.elliptic = *cone == 1;
  if (const auto integrator =
          item.Choice("integrator", {"Euler", "RK4", "implicit", "implicitfast"}))
    if (*integrator > 0)
      report.Say(node, fmt::format("integrator {} is not used: each method here steps in its own "
                                   "way",
                                   item.Text("integrator")));
  for (const char* name : {"solver", "iterations", "tolerance", "noslip_iterations", "jacobian"}) {
    if (node.Find(name) == nullptr) continue;
    report.Say(node, "solver, iterations, tolerances and noslip are those of the methods here");
    break;
  }
  RefuseMedium(item);
  for (const MjcfNode& child : node.children) {
    if (child.name != "flag") continue;
    CheckMjcfAttributes(child, &report);
    ReadMjcfFlags(child, &s, &report);
  }
}

constexpr double kMostGravity = 20;  // [m/s²]

/// Gravity here points down, or leans along x. `at` is what says it.
void SetMjcfGravity(const MjcfNode& at, MjcfModel* model) {
  const MjcfSettings& s = model->settings;
  RobotWorld& world = *model->robot.world;
  world.time_step = s.contact.time_step;
  const Vec3 g = s.weight ? s.gravity : Vec3::Zero();
  world.gravity = g.norm();
  if (world.gravity == 0) return;
  world.tilt = std::atan2(g.x(), -g.z());
  if (world.gravity > kMostGravity)
    model->report->Fail(at, fmt::format("gravity is {:g} m/s^2", world.gravity),
                        fmt::format("expected at most {:g} m/s^2", kMostGravity));
  if (std::abs(g.y()) > 1e-12 * world.gravity || std::abs(world.tilt) > std::numbers::pi / 3)
    model->report->Fail(at,
                        fmt::format("gravity is {:g} {:g} {:g}; here it points down and may lean "
                                    "along x, by 60 degrees at most",
                                    g.x(), g.y(), g.z()),
                        "turn the model about z, or stand it up");
}

struct Refused {
  std::string_view name, hint;
};
constexpr std::string_view kOtherActuator = "write a motor, position, velocity or general";
/// Elements that stop a file, wherever they stand.
constexpr Refused kRefused[] = {
    {"composite", "write its bodies out"},
    {"flexcomp", "there are no soft bodies"},
    {"flex", "there are no soft bodies"},
    {"deformable", "there are no soft bodies"},
    {"skin", "delete it: nothing here draws it"},
    {"extension", "there are no plugins"},
    {"plugin", "there are no plugins"},
    {"hfield", "use a mesh or boxes"},
    {"adhesion", kOtherActuator},
    {"muscle", kOtherActuator},
    {"cylinder", kOtherActuator},
    {"damper", kOtherActuator},
    {"intvelocity", kOtherActuator},
    {"connect", "closed loops cannot be read"},
    {"weld", "closed loops cannot be read"},
    {"spatial", "there are no tendons"},
};

void RefuseBelow(const MjcfNode& node, bool defaults, MjcfReport* report) {
  for (const MjcfNode& child : node.children) {
    const auto refused = std::find_if(std::begin(kRefused), std::end(kRefused),
                                      [&](const Refused& of) { return of.name == child.name; });
    // what nobody uses does not matter
    const bool shows = node.name == "sensor" || node.name == "custom" || node.name == "visual";
    if (refused != std::end(kRefused) && !defaults && !shows) {
      const std::string* name = child.Find("name");
      report->Fail(child,
                   fmt::format("<{}>{} is not read", child.name,
                               name == nullptr ? "" : " " + QuoteXml(*name)),
                   std::string(refused->hint));
      continue;
    }
    RefuseBelow(child, defaults || child.name == "default", report);
  }
}

}  // namespace

void RefuseMjcf(const MjcfNode& root, MjcfReport* report) {
  RefuseBelow(root, false, report);
  constexpr std::string_view kSections[] = {
      "compiler",  "option",   "size",    "visual",    "statistic", "asset",
      "worldbody", "default",  "contact", "equality",  "tendon",    "actuator",
      "sensor",    "keyframe", "custom",  "extension", "deformable"};
  for (const MjcfNode& section : root.children) {
    if (std::find(std::begin(kSections), std::end(kSections), section.name) == std::end(kSections))
      report->Fail(section, fmt::format("there is no section <{}>", QuoteXml(section.name)),
                   "expected worldbody, asset, default, actuator, ...");
    if (section.name == "sensor" || section.name == "custom")
      for (const MjcfNode& child : section.children)
        report->Say(child, fmt::format("<{}> is not read", section.name));
    if (section.name != "tendon") continue;
    for (const MjcfNode& tendon : section.children) {
      if (tendon.name != "fixed") continue;
      const bool acts = tendon.Find("stiffness") != nullptr || tendon.Find("damping") != nullptr ||
                        tendon.Find("range") != nullptr || tendon.Find("frictionloss") != nullptr;
      if (acts)
        report->Fail(tendon, NameMjcf(tendon) + ": there are no tendons",
                     "couple joints by <equality><joint>");
      else
        report->Say(tendon, "<fixed> tendons are not read");
    }
  }
}

MjcfSettings ReadAttachedSettings(const MjcfNode& root, MjcfModel* model) {
  const MjcfSettings plain;
  MjcfSettings s = model->settings;
  s.degrees = plain.degrees;
  s.autolimits = plain.autolimits;
  s.balance = plain.balance;
  s.strip_path = plain.strip_path;
  s.eulerseq = plain.eulerseq;
  s.mesh_folder = plain.mesh_folder;
  s.least_mass = plain.least_mass;
  s.least_moment = plain.least_moment;
  s.from_shapes = plain.from_shapes;
  s.first_group = plain.first_group;
  s.last_group = plain.last_group;
  const double total = s.total_mass;
  for (const MjcfNode& section : root.children) {
    if (section.name != "compiler") continue;
    CheckMjcfAttributes(section, model->report);
    ReadMjcfCompiler(section, &s, model);
  }
  s.total_mass = total;
  return s;
}

void ReadMjcfSettings(const MjcfNode& root, MjcfModel* model) {
  const MjcfNode* gravity = &root;
  for (const MjcfNode& section : root.children) {
    if (section.name != "compiler" && section.name != "option") continue;
    CheckMjcfAttributes(section, model->report);
    section.name == "compiler" ? ReadMjcfCompiler(section, &model->settings, model)
                               : ReadMjcfOption(section, model);
    if (section.name == "option" && section.Find("gravity") != nullptr) gravity = &section;
  }
  SetMjcfGravity(*gravity, model);
}

}  // namespace slip
