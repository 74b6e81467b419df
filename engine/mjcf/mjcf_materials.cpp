// Contact parameters as materials. A material has one stiffness, MuJoCo's springs stiffen with
// depth: a shape gets the stiffness that holds its load as deep as MuJoCo would.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "engine/core/numbers.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

constexpr double kNear = 0.01;   // shapes that stand on the ground, above the lowest [m]
constexpr double kEarth = 9.81;  // [m/s²]
constexpr double kRigid = 1e12;  // [N/m]
constexpr double kMostFriction = 3, kMostTorsion = 0.1;  // as knobs have them
constexpr std::size_t kLongestName = 28;

double RoundDigits(double x) { return std::stod(fmt::format("{:.4g}", x)); }

/// Four digits, as a knob can have it: what is below its range is nothing.
double Knob(double x, double least, double most) {
  return x < least ? 0 : std::min(RoundDigits(x), most);
}

/// How many contact points a shape has where it lies.
int PointsOf(const MjcfGeom& geom, const Shape& shape) {
  if (geom.round || shape.kind == ShapeKind::kSphere) return 1;
  return shape.kind == ShapeKind::kCapsule ? 2 : 4;
}

class MaterialMaker {
 public:
  explicit MaterialMaker(MjcfModel* model)
      : model_(*model), weights_(CalcMjcfWeights(*model)), poses_(PlaceMjcfLinks(*model, true)) {
    for (const char c : model->robot.name.substr(0, kLongestName)) {
      const auto code = static_cast<unsigned char>(c);
      prefix_ += code < 0x80 && (std::isalnum(code) != 0 || c == '-') ? c : '_';
    }
  }

  void Make() {
    FindLoads();
    for (const MjcfGeom& geom : model_.geoms)
      if (geom.plane && ground_ == nullptr) ground_ = &geom;
    bool shared = true;
    double least = 0, most = 0;
    for (MjcfGeom& geom : model_.geoms) {
      if (geom.plane) {
        if (geom.contact != ground_->contact)
          model_.report->Say(*geom.node,
                             "contacts with all planes have the parameters of the first");
        continue;
      }
      const MjcfContact contact =
          ground_ != nullptr ? CombineMjcf(geom.contact, ground_->contact) : geom.contact;
      shared = shared && geom.contact.friction[0] == model_.geoms.front().contact.friction[0];
      const double load = SetMaterial(contact, &geom);
      if (load <= 0) continue;
      least = least == 0 ? load : std::min(least, load);
      most = std::max(most, load);
    }
    if (most > 0)
      model_.report->Say(fmt::format(
          "contact parameters are translated at the load at rest, {} N a point; they act as a "
          "spring and a damper of that depth, and neither inerter nor creep of the file is kept",
          RoundDigits(least) == RoundDigits(most) ? fmt::format("{:.3g}", least)
                                                  : fmt::format("{:.3g} to {:.3g}", least, most)));
    if (!shared)
      model_.report->Say(
          "friction of two shapes that differ is their harmonic mean, the larger one "
          "in MuJoCo; with planes it is the larger one here, too");
    for (const MjcfPair& pair : model_.pairs) AddPair(pair);
    RobotWorld& world = *model_.robot.world;
    if (world.materials.empty()) world.materials.push_back({.name = prefix_});
  }

  void SetLimits() {
    int limits = 0;
    for (const MjcfJoint& own : model_.joints) {
      RobotJoint& joint = model_.robot.joints[static_cast<std::size_t>(own.joint)];
      if (joint.lower == -kNoLimit && joint.upper == kNoLimit) continue;
      const double weight = weights_.joint[static_cast<std::size_t>(own.joint)];
      // a joint that was stopped by a constraint stands
      if (!(weight > 0) || joint.lower == joint.upper) continue;
      const MjcfSpring spring =
          CalcMjcfLimit(own.solref_limit, own.solimp_limit, weight, model_.settings.contact);
      joint.limit_stiffness = spring.stiffness;
      joint.limit_relaxation = spring.relaxation;
      ++limits;
    }
    if (limits > 0)
      model_.report->Say(
          fmt::format("limits of joints are springs as stiff as solreflimit has "
                      "them at full impedance ({} joint{})",
                      limits, limits == 1 ? "" : "s"));
  }

 private:
  std::span<RobotShape> PartsOf(const MjcfGeom& geom) {
    auto& shapes = model_.robot.links[ToIndex(LinkOf(geom))].collisions;
    return std::span(shapes).subspan(geom.shape, geom.parts);
  }
  int LinkOf(const MjcfGeom& geom) const { return model_.bodies[ToIndex(geom.body)].link; }

  // The tree that a link is of, by its root; 0 = it stands.
  int RootOf(int link) const {
    int root = 0;
    for (int i = link; i > 0; i = model_.robot.joints[ToIndex(i) - 1].parent)
      if (model_.robot.joints[ToIndex(i) - 1].kind != RobotJointKind::kFixed) root = i;
    return root;
  }

  // A tree's weight, shared by the points of those of its shapes that are lowest.
  void FindLoads() {
    const double gravity = model_.robot.world->gravity > 0 ? model_.robot.world->gravity : kEarth;
    std::map<int, double> masses;
    for (std::size_t i = 1; i < model_.robot.links.size(); ++i)
      masses[RootOf(static_cast<int>(i))] += model_.robot.links[i].mass;
    std::map<int, double> lowest;
    std::vector<double> heights;
    for (const MjcfGeom& geom : model_.geoms) {
      heights.push_back(0);
      if (geom.plane) continue;
      double& height = heights.back() = kNoLimit;
      for (const RobotShape& part : PartsOf(geom)) {
        Vec3 low, high;
        CalcBounds(part.shape, ComposeUnit(poses_[ToIndex(LinkOf(geom))], part.X_LS), &low, &high);
        height = std::min(height, low.z());
      }
      const auto [at, fresh] = lowest.emplace(RootOf(LinkOf(geom)), height);
      if (!fresh) at->second = std::min(at->second, height);
    }
    std::map<int, int> points;
    for (std::size_t g = 0; g < model_.geoms.size(); ++g) {
      const MjcfGeom& geom = model_.geoms[g];
      if (geom.plane) continue;
      const int root = RootOf(LinkOf(geom));
      if (heights[g] <= lowest[root] + kNear)
        points[root] += PointsOf(geom, PartsOf(geom).front().shape);
    }
    for (const auto& [root, count] : points) loads_[root] = masses[root] * gravity / count;
  }

  // Returns the load; 0 of what stands.
  double SetMaterial(const MjcfContact& contact, MjcfGeom* geom) {
    const double weight = WeightOf(*geom), load = weight > 0 ? LoadOf(*geom) : 0;
    const Material material = MaterialOf(contact, weight, load, *geom->node);
    const std::string name = NameOf(material);
    for (RobotShape& part : PartsOf(*geom)) part.material = name;
    return load;
  }

  // A pair has the inverse masses of both, and carries what the lighter of them that move does.
  void AddPair(const MjcfPair& pair) {
    double weight = 0, load = 0;
    for (const int g : pair.geoms) {
      const MjcfGeom& geom = model_.geoms[ToIndex(g)];
      const double own = geom.plane ? 0 : WeightOf(geom);
      if (!(own > 0)) continue;
      weight += own;
      const double carried = LoadOf(geom);
      load = load > 0 ? std::min(load, carried) : carried;
    }
    const std::pair<int, int> ids =
        std::minmax(IdOfMjcfGeom(model_, pair.geoms[0]), IdOfMjcfGeom(model_, pair.geoms[1]));
    model_.robot.pairs.push_back(
        {ids.first, ids.second, NameOf(MaterialOf(pair.contact, weight, load, *pair.node))});
    model_.report->Say(*pair.node,
                       "pairs have contact parameters of their own, translated at the load of the "
                       "lighter of the two");
  }

  double WeightOf(const MjcfGeom& geom) const { return weights_.link[ToIndex(LinkOf(geom))]; }
  double LoadOf(const MjcfGeom& geom) { return loads_[RootOf(LinkOf(geom))]; }

  // The friction of a contact, and its spring and damper under a load.
  Material MaterialOf(const MjcfContact& contact, double weight, double load, const MjcfNode& at) {
    Material material;
    material.friction = contact.condim == 1 ? 0 : contact.friction[0];
    if (contact.condim > 3 && material.friction > 0)
      material.torsional_friction = contact.friction[1];
    if (material.friction > kMostFriction || material.torsional_friction > kMostTorsion)
      model_.report->Say(at,
                         "friction above 3 is read as 3, torsional friction above 0.1 m "
                         "as 0.1 m");
    material.friction = std::min(material.friction, kMostFriction);
    material.torsional_friction = std::min(material.torsional_friction, kMostTorsion);
    if (!(load > 0)) {
      // whoever touches it has the softness
      material.stiffness = kRigid;
      material.relaxation_time = material.dissipation = 0;
      material.damping = 1e6;
      return material;
    }
    const MjcfSpring spring = CalcMjcfSpring(contact, weight, load, model_.settings.contact);
    material.stiffness = std::clamp(RoundDigits(spring.stiffness), 1e2, kRigid);
    material.relaxation_time = Knob(spring.relaxation, 1e-7, 1);
    // the damper of the same contact at that load
    const double damping = material.stiffness * material.relaxation_time;
    material.dissipation = Knob(damping / RoundDigits(load), 1e-3, 1e3);
    material.damping = Knob(damping, 0.1, 1e6);
    if (spring.stiffness > kRigid || spring.stiffness < 1e2)
      model_.report->Say(at,
                         "contacts stiffer than 1e12 N/m or softer than 100 N/m have "
                         "that stiffness");
    return material;
  }

  std::string NameOf(Material material) {
    std::vector<Material>& materials = model_.robot.world->materials;
    for (const Material& known : materials) {
      material.name = known.name;
      if (known == material) return known.name;
    }
    material.name =
        materials.empty() ? prefix_ : fmt::format("{}-{}", prefix_, materials.size() + 1);
    materials.push_back(material);
    return material.name;
  }

  MjcfModel& model_;
  MjcfWeights weights_;
  std::vector<Pose> poses_;
  std::string prefix_;
  const MjcfGeom* ground_ = nullptr;
  std::map<int, double> loads_;  // by root [N]
};

/// Planes get names, which materials and masks are found by.
void NamePlanes(MjcfModel* model) {
  std::vector<std::string> names;
  for (MjcfGeom& geom : model->geoms) {
    if (!geom.plane) continue;
    std::string name;
    for (const char c : geom.name.substr(0, kLongestName)) {
      const auto code = static_cast<unsigned char>(c);
      name += code < 0x80 && (std::isalnum(code) != 0 || c == '-') ? c : '_';
    }
    if (name.empty()) name = "floor";
    const std::string first = name;
    for (int i = 2; std::find(names.begin(), names.end(), name) != names.end(); ++i)
      name = fmt::format("{}-{}", first, i);
    names.push_back(name);
    model->robot.world->planes[geom.shape].name = name;
  }
}

}  // namespace

void TranslateMjcfContacts(MjcfModel* model) {
  NamePlanes(model);
  MaterialMaker maker(model);
  maker.Make();
  maker.SetLimits();
}

}  // namespace slip
