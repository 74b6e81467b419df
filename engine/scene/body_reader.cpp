// [body.NAME] and [surface.NAME].
#include "engine/scene/body_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/geometry/point_cloud.h"
#include "engine/scene/body_keys.h"

namespace slip {
namespace {

constexpr double kNorm = 1e-9;  // below it a direction has no direction
using key_words::kMotions;
using key_words::kShapes;
// in their order
constexpr std::array kMotionKinds = {JointKind::kFree, JointKind::kPlanar,  JointKind::kXZ,
                                     JointKind::kZ,    JointKind::kUpright, JointKind::kFixed};
constexpr std::size_t kMaxPoints = 1000;

std::string_view MotionOf(JointKind kind) {
  const auto at = std::find(kMotionKinds.begin(), kMotionKinds.end(), kind);
  return At(kMotions, at - kMotionKinds.begin());
}

/// A unit vector; reports one that is too short.
void ReadDirection(TableReader* table, const SceneKey& key, Vec3* direction) {
  Vec3 value = *direction;
  if (!table->Vector(key, &value)) return;
  if (value.norm() < kNorm) {
    table->reporter().Add(*table->Find(key), std::string(key.name) + " must not be zero");
    return;
  }
  *direction = value.normalized();
}

void ReadShape(TableReader* table, BodyWithParts* body) {
  Shape* const shape = &body->body.shape;
  table->Require(BodyKey("shape"),
                 "\"box\", \"sphere\", \"capsule\", \"cylinder\", \"mesh\" or \"cloud\"");
  const std::optional<std::size_t> kind = table->Choice(BodyKey("shape"));
  if (!kind) return table->SkipRest();  // without a shape its keys are still no unknown ones
  if (kShapes[*kind] == "mesh" || kShapes[*kind] == "cloud") {
    return ReadMeshShape(table, kShapes[*kind] == "cloud", body);
  }
  shape->kind = static_cast<ShapeKind>(*kind);
  if (shape->kind == ShapeKind::kBox) {
    table->Require(BodyKey("size"), "[x, y, z], full edges in m");
    table->Vector(BodyKey("size"), &shape->size);
    if (shape->size.minCoeff() <= 0) {
      table->reporter().Add(*table->node().Find("size"), "size must be > 0 m in all directions");
      shape->size = Vec3::Ones();
    }
    return;
  }
  table->Require(BodyKey("radius"), "a number in m");
  table->Number(BodyKey("radius"), &shape->radius);
  if (shape->kind == ShapeKind::kCapsule) {
    table->Require(BodyKey("length"), "a number in m, between the centres of the caps");
    table->Number(BodyKey("length"), &shape->length);
  } else if (shape->kind == ShapeKind::kCylinder) {
    table->Require(BodyKey("length"), "a number in m, the height");
    table->Number(BodyKey("length"), &shape->length);
  }
}

/// inertia = "hull": the points have been turned to the principal axes of their hull.
void ReadHullMass(TableReader* table, bool dense, double density, Body* body) {
  if (body->shape.kind != ShapeKind::kPointCloud) {
    // a cloud that could not be read has its error already
    const TomlNode* shape = table->node().Find("shape");
    if (shape == nullptr || shape->text != "cloud")
      table->reporter().Add(*table->node().Find("inertia"),
                            "inertia = \"hull\" needs shape = \"cloud\"");
    return;
  }
  const Result<MassProperties> unit = CalcHullMassProperties(body->shape.cloud->points, 1);
  if (!unit) return;
  if (dense) body->mass = density * unit->volume;
  body->inertia_B = body->mass / unit->mass * unit->inertia.diagonal();
}

void ReadMass(TableReader* table, Body* body) {
  double density = 0;
  const bool mass = table->Number(BodyKey("mass"), &body->mass);
  const bool dense = table->Number(BodyKey("density"), &density);
  // a cloud at rest may have been turned to its hull's axes
  if (body->shape.kind == ShapeKind::kPointCloud) table->Find(BodyKey("inertia"));
  const bool has_mass = table->node().Find("mass") != nullptr;
  const bool has_density = table->node().Find("density") != nullptr;
  if (body->joint.kind == JointKind::kFixed && !has_mass && !has_density) return;
  if (has_mass == has_density) {
    table->reporter().Add(table->node(),
                          table->where() + " needs either 'mass' in kg or 'density' in kg/m^3");
  }
  const TomlNode* inertia = table->Find(BodyKey("inertia"));
  if (IsHullInertia(table->node())) return ReadHullMass(table, dense && !mass, density, body);
  if (dense && !mass) {
    body->mass = density * Volume(body->shape);
    if (body->shape.kind == ShapeKind::kPointCloud && !(body->shape.radius > 0)) {
      table->reporter().Add(*table->node().Find("density"),
                            table->where() + ": points of radius 0 have no volume",
                            "give mass, or inertia = \"hull\"");
      body->mass = 1;
    }
  }

  body->inertia_B = SolidInertia(body->shape, body->mass);
  if (inertia == nullptr) return;
  if (inertia->kind == TomlNode::Kind::kList) {
    Vec3 moments = body->inertia_B;
    if (!table->Vector(BodyKey("inertia"), &moments)) return;
    // Principal moments of a real body obey the triangle inequality.
    const double slack = 1e-9 * moments.cwiseAbs().sum();
    if (moments.minCoeff() <= 0 || 2 * moments.maxCoeff() > moments.sum() + slack) {
      table->reporter().Add(
          *inertia, "inertia must be three positive moments, none above the sum of the others");
      return;
    }
    body->inertia_B = moments;
  } else if (table->Choice(BodyKey("inertia")) == 1) {
    if (body->shape.kind != ShapeKind::kCapsule) {
      table->reporter().Add(*inertia, "inertia = \"rod\" needs shape = \"capsule\"");
      return;
    }
    // Slender rod of the full length: I = m L²/12 across, m r²/2 along.
    const double length = body->shape.length + 2 * body->shape.radius;
    const double r = body->shape.radius;
    const double across = body->mass * length * length / 12;
    body->inertia_B = {body->mass * r * r / 2, across, across};
  }
}

void AddGrid(const Vec3& half, int per_edge, std::vector<Vec3>* points) {
  // Every point of a per_edge³ lattice but the inner ones.
  const auto at = [&](int i) { return 2.0 * i / (per_edge - 1) - 1; };
  for (int x = 0; x < per_edge; ++x) {
    for (int y = 0; y < per_edge; ++y) {
      for (int z = 0; z < per_edge; ++z) {
        const bool surface =
            x % (per_edge - 1) == 0 || y % (per_edge - 1) == 0 || z % (per_edge - 1) == 0;
        if (surface) points->push_back(half.cwiseProduct(Vec3(at(x), at(y), at(z))));
      }
    }
  }
}

void ReadPointList(const TomlNode& list, Body* body, Reporter* reporter) {
  if (list.items.empty() || list.items.size() > kMaxPoints) {
    reporter->Add(list, "contact_points must hold 1 to 1000 points");
    return;
  }
  for (const TomlNode& item : list.items) {
    const SceneKey& key = BodyKey("contact_points");
    if (const auto point = VectorOf(item, key.name, key.unit, key.range.max, reporter)) {
      body->points_B.push_back(*point);
    }
  }
}

void ReadPoints(TableReader* table, Body* body) {
  const Shape& shape = body->shape;
  const TomlNode* node = table->Find(BodyKey("contact_points"));
  const bool listed = node != nullptr && node->kind == TomlNode::Kind::kList;
  if (shape.kind > ShapeKind::kCapsule && !(shape.kind == ShapeKind::kCylinder && listed)) {
    if (node != nullptr) {
      table->reporter().Add(
          *node, "contact_points are for spheres, boxes, capsules and, as a list, cylinders");
    }
    return;
  }
  constexpr std::size_t kDefaults[] = {3, 0, 2};  // of sphere, box, capsule in kPointSets
  if (listed) {
    ReadPointList(*node, body, &table->reporter());
  } else {
    std::size_t set = At(kDefaults, shape.kind);
    if (node != nullptr) {
      const std::optional<std::size_t> chosen = table->Choice(BodyKey("contact_points"));
      const bool box_set = chosen && *chosen < 2;
      const bool ends = chosen && *chosen == 2;
      const bool fits = !chosen || (box_set ? shape.kind == ShapeKind::kBox
                                            : !ends || shape.kind == ShapeKind::kCapsule);
      if (!fits)
        table->reporter().Add(*node,
                              "contact_points = " + node->Found() + " does not fit this shape");
      if (chosen && fits) set = *chosen;
    }
    if (set < 2) AddGrid(shape.size / 2, set == 0 ? 2 : 3, &body->points_B);
    if (set == 2) body->points_B = {Vec3(-shape.length / 2, 0, 0), Vec3(shape.length / 2, 0, 0)};
    if (set == 3) body->points_B = {Vec3::Zero()};
    if (set >= 2 && shape.kind != ShapeKind::kBox) body->point_radius = shape.radius;
  }
  table->Number(BodyKey("point_radius"), &body->point_radius);
  table->Flag(BodyKey("probes"), &body->probes);
}

void ReadPose(TableReader* table, Body* body) {
  table->Vector(BodyKey("position"), &body->X_WB.p);
  double pitch = 0;
  const bool pitched = table->Number(BodyKey("pitch"), &pitch);
  if (pitched) body->X_WB.q = Quat(Eigen::AngleAxisd(pitch, Vec3::UnitY()));
  const TomlNode* node = table->Find(BodyKey("quaternion"));
  if (node == nullptr) return;
  if (pitched) {
    table->reporter().Add(*node, "give either pitch or quaternion, not both");
    return;
  }
  ReadQuaternion(table, BodyKey("quaternion"), &body->X_WB.q);
}

void ReadVelocity(TableReader* table, Body* body) {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  table->Vector(BodyKey("velocity"), &linear);
  table->Vector(BodyKey("angular_velocity"), &angular);
  body->V_WB << angular, linear;
  // A start velocity in a direction that the motion forbids would silently vanish.
  for (int component = 0; component < 6; ++component) {
    const int* end = body->dof + body->nv;
    if (body->V_WB[component] == 0 || std::find(std::as_const(body->dof), end, component) != end)
      continue;
    const std::string_view key = component < 3 ? "angular_velocity" : "velocity";
    table->reporter().Add(*table->node().Find(key),
                          std::string(key) + " points in a direction that motion = \"" +
                              std::string(MotionOf(body->joint.kind)) + "\" does not have");
    return;
  }
}

BodyWithParts ReadKeys(TableReader* table, const Config& config, bool planar) {
  BodyWithParts made;
  Body& body = made.body;
  body.SetJoint(planar ? JointKind::kPlanar : JointKind::kFree);
  if (const auto motion = table->Choice(BodyKey("motion"))) {
    body.SetJoint(kMotionKinds[*motion]);
  }
  const JointKind kind = body.joint.kind;
  if (planar && (kind == JointKind::kFree || kind == JointKind::kUpright)) {
    table->reporter().Add(*table->node().Find("motion"),
                          "motion = \"" + std::string(MotionOf(kind)) +
                              "\" leaves the plane of a scene with planar = true");
  }

  ReadShape(table, &made);
  ReadMass(table, &body);
  if (config.materials.size() > 1)
    table->Require(BodyKey("material"), "the name of a [material.NAME]");
  body.material = ReadMaterial(table, BodyKey("material"), config, 0);
  ReadPoints(table, &body);
  ReadPose(table, &body);
  body.X_WB.q = body.X_WB.q * body.X_BL.q.conjugate();
  ReadVelocity(table, &body);
  if (const auto offset = table->Choice(BodyKey("start_offset"))) {
    body.start_offset = static_cast<StartOffset>(*offset);
  }
  table->Finish();
  return made;
}

}  // namespace

void AppendBody(BodyWithParts made, std::vector<Body>* bodies) {
  const auto owner = static_cast<int>(bodies->size());
  const int material = made.body.material;
  const std::string name = made.body.name;
  bodies->push_back(std::move(made.body));
  for (Body& part : made.parts) {
    part.name = name;
    part.material = material;
    part.shape_of_link = part.joint.parent = owner;
    bodies->push_back(std::move(part));
  }
}

int ReadMaterial(TableReader* table, const SceneKey& key, const Config& config, int otherwise) {
  std::string name;
  if (!table->Text(key, &name)) return otherwise;
  std::vector<std::string_view> known;
  for (const Material& material : config.materials) known.push_back(material.name);
  const auto at = std::find(known.begin(), known.end(), name);
  if (at != known.end()) return static_cast<int>(at - known.begin());
  table->reporter().Add(*table->Find(key), "no [material." + name + "] in this scene",
                        known.empty() ? "" : DidYouMean(name, known));
  return otherwise;
}

void ReadQuaternion(TableReader* table, const SceneKey& key, Quat* q) {
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return;
  double w[4] = {1, 0, 0, 0};
  bool good = node->kind == TomlNode::Kind::kList && node->items.size() == 4;
  for (std::size_t i = 0; good && i < 4; ++i) {
    const TomlNode& item = node->items[i];
    good = item.kind == TomlNode::Kind::kNumber && std::abs(item.number) <= key_limits::kHuge;
    w[i] = item.number;
  }
  const Quat read(w[0], w[1], w[2], w[3]);
  if (!good || read.norm() < kNorm) {
    table->reporter().Add(
        *node, "quaternion must be [w, x, y, z], not zero (found " + node->Found() + ")");
    return;
  }
  *q = read.normalized();
}

void SetDefaultPoints(Body* body) {
  const Shape& shape = body->shape;
  body->points_B.clear();
  body->point_radius = 0;
  if (shape.kind == ShapeKind::kBox) AddGrid(shape.size / 2, 2, &body->points_B);
  if (shape.kind == ShapeKind::kCapsule)
    body->points_B = {Vec3(-shape.length / 2, 0, 0), Vec3(shape.length / 2, 0, 0)};
  if (shape.kind == ShapeKind::kSphere) body->points_B = {Vec3::Zero()};
  if (shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kSphere)
    body->point_radius = shape.radius;
}

Surface ReadSurface(const TomlNode& node, Config* config, Reporter* reporter) {
  Surface surface;
  surface.name = node.key;
  TableReader table(node, kSurfaceSection, "[surface." + node.key + "]", reporter);
  ReadDirection(&table, SurfaceKey("normal"), &surface.normal);
  table.Vector(SurfaceKey("point"), &surface.point);
  // The default axis is x, or z where the plane faces along x.
  if (std::abs(surface.normal.x()) > 0.9) surface.belt_axis = Vec3::UnitZ();
  ReadDirection(&table, SurfaceKey("belt_axis"), &surface.belt_axis);
  const Vec3 tangent = surface.belt_axis - surface.normal * surface.normal.dot(surface.belt_axis);
  if (tangent.norm() < kNorm) {
    reporter->Add(node, table.where() + ": belt_axis must not be parallel to normal");
  } else {
    surface.belt_axis = tangent.normalized();
  }
  surface.material = ReadMaterial(&table, SurfaceKey("material"), *config, -1);

  constexpr const SceneKey& kDisplay = SurfaceKey("display_size");
  if (const TomlNode* size = table.Find(kDisplay)) {
    const bool pair = size->kind == TomlNode::Kind::kList && size->items.size() == 2;
    surface.display_given = pair;
    for (std::size_t i = 0; pair && i < 2; ++i) {
      const std::optional<double> value =
          QuantityOf(size->items[i], kDisplay.name, kDisplay.unit, reporter);
      if (value && (*value <= kDisplay.range.min || *value > kDisplay.range.max)) {
        reporter->Add(size->items[i], "display_size must be > 0 m and <= 1000 m");
      } else if (value) {
        surface.display_size[static_cast<int>(i)] = *value;
      }
    }
    if (!pair)
      reporter->Add(*size,
                    "display_size must be a list of 2 numbers (found " + size->Found() + ")");
  }

  SurfaceDrive drive{.name = node.key};
  if (table.Params(&drive) > 0) {
    surface.drive = static_cast<int>(config->surfaces.size());
    config->surfaces.push_back(drive);
  }
  table.Finish();
  return surface;
}

BodyWithParts ReadBody(const TomlNode& node, const Config& config, bool planar,
                       Reporter* reporter) {
  TableReader table(node, kBodySection, "[body." + node.key + "]", reporter);
  BodyWithParts made = ReadKeys(&table, config, planar);
  made.body.name = node.key;
  return made;
}

BodyWithParts ReadPattern(const TomlNode& node, const std::string& where, const Config& config,
                          bool planar, Reporter* reporter) {
  TableReader table(node, kPatternSection, where, reporter);
  std::string name;
  table.Text(PatternKey("name"), &name);
  BodyWithParts made = ReadKeys(&table, config, planar);
  const ShapeKind kind = made.body.shape.kind;
  made.body.name =
      !name.empty()
          ? name
          : std::string(kShapes[std::min(static_cast<std::size_t>(kind), kShapes.size() - 1)]);
  return made;
}

}  // namespace slip
