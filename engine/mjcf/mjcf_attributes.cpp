// Which attributes the elements have that are read. One that stands in no list is misspelt, or of
// a version of the format that nobody here knows: both would change the robot in silence.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "engine/core/param_text.h"
#include "engine/mjcf/mjcf_item.h"

namespace slip {
namespace {

struct Attributes {
  std::string_view element;
  std::string_view names;
};

constexpr std::string_view kTurns = " quat axisangle xyaxes zaxis euler ";
constexpr std::string_view kOfActuators =
    " name class group ctrllimited forcelimited actlimited ctrlrange forcerange actrange "
    "lengthrange gear cranklength joint jointinparent tendon slidersite cranksite site refsite "
    "body user nsample interp delay ";

constexpr Attributes kElements[] = {
    {"mujoco", "model"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
     "fitaabb eulerseq meshdir texturedir assetdir discardvisual convexhull usethread fusestatic "
     "inertiafromgeom inertiagrouprange exactmeshinertia alignfree saveinertial"},
    {"option",
     "timestep apirate impratio tolerance ls_tolerance noslip_tolerance mpr_tolerance "
     "ccd_tolerance sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref "
     "o_solimp o_friction integrator collision cone jacobian solver iterations ls_iterations "
     "noslip_iterations mpr_iterations ccd_iterations sdf_iterations sdf_initpoints "
     "actuatorgroupdisable"},
    {"flag",
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl "
     "warmstart filterparent actuation refsafe sensor midphase nativeccd eulerdamp autoreset "
     "island override energy fwdinv invdiscrete sensornoise multiccd sleep"},
    {"worldbody", "name pos quat axisangle xyaxes zaxis euler childclass"},
    {"body", "name class childclass pos mocap gravcomp user sleep"},
    {"frame", "name childclass pos"},
    {"replicate", "count offset euler sep childclass"},
    {"attach", "model body prefix"},
    {"model", "name file content_type"},
    {"inertial", "pos mass diaginertia fullinertia"},
    {"freejoint", "name group align"},
    {"joint",
     "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
     "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange margin ref "
     "springref armature damping frictionloss actuatorgravcomp user"},
    {"geom",
     "name class type contype conaffinity condim group priority size material friction mass "
     "density shellinertia solmix solref solimp margin gap fromto pos hfield mesh fitscale rgba "
     "fluidshape fluidcoef user"},
    {"mesh",
     "name class file content_type scale vertex normal texcoord face refpos refquat "
     "smoothnormal maxhullvert inertia builtin params material octree_maxdepth"},
    {"material",
     "name class texture texrepeat texuniform emission specular shininess reflectance metallic "
     "roughness rgba"},
    {"exclude", "name body1 body2"},
    {"pair", "name class geom1 geom2 condim friction solref solreffriction solimp gap margin"},
    {"key", "name time qpos qvel act mpos mquat ctrl"},
    {"general", "dyntype gaintype biastype dynprm gainprm biasprm actdim actearly"},
    {"motor", ""},
    {"position", "kp kv dampratio timeconst inheritrange"},
    {"velocity", "kv"},
};

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return words;
    const std::string_view word = text.substr(0, text.find(' '));
    words.push_back(word);
    text.remove_prefix(word.size());
  }
}

bool HasTurns(std::string_view element) {
  return element == "body" || element == "frame" || element == "inertial" || element == "geom";
}

bool IsActuatorElement(std::string_view element) {
  return element == "general" || element == "motor" || element == "position" ||
         element == "velocity";
}

// Of <equality><joint>, which has the name of a joint.
constexpr std::string_view kCouplers = "joint1 joint2 polycoef active solref solimp";

// Elements that only show or measure, and those that are refused as a whole.
constexpr std::string_view kUnread =
    "site camera light texture skin hfield pair equality tendon sensor numeric text tuple plugin "
    "adhesion muscle cylinder damper intvelocity general visual statistic size custom "
    "global quality headlight map scale rgba spatial fixed connect weld flex layer lengthrange";

}  // namespace

bool CheckMjcfAttributes(const MjcfNode& node, MjcfReport* report) {
  const auto row = std::find_if(std::begin(kElements), std::end(kElements),
                                [&](const Attributes& of) { return of.element == node.name; });
  if (row == std::end(kElements)) {
    const auto unread = WordsOf(kUnread);
    return std::find(unread.begin(), unread.end(), node.name) != unread.end();
  }
  std::vector<std::string_view> known = WordsOf(row->names);
  const auto add = [&](std::string_view more) {
    for (const std::string_view word : WordsOf(more)) known.push_back(word);
  };
  if (HasTurns(node.name)) add(kTurns);
  if (IsActuatorElement(node.name)) add(kOfActuators);
  if (node.name == "joint") add(kCouplers);
  for (const auto& [name, value] : node.attributes) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    report->Fail(node, fmt::format("<{}> has no attribute {}", node.name, QuoteXml(name)),
                 DidYouMean(name, known));
  }
  return true;
}

}  // namespace slip
