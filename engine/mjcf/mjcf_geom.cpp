// Shapes: what they look like, touch with and weigh.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mass_properties.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

enum class GeomType { kPlane, kSphere, kCapsule, kEllipsoid, kCylinder, kBox, kMesh };

/// MuJoCo's capsules and cylinders stand along z, ours lie along x: R e_x = e_z.
Quat StandUp() { return Quat(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vec3::UnitY())); }

/// Vertices of an icosahedron whose triangles are cut into four, twice: 162 on the unit ball.
std::vector<Vec3> BallPoints() {
  const double g = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g})
      points.insert(points.end(), {Vec3(0, a, b), Vec3(a, b, 0), Vec3(b, 0, a)});
  double edge = 2;
  for (int cut = 0; cut < 2; ++cut) {
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if ((points[i] - points[j]).norm() < 1.25 * edge)
          points.push_back(0.5 * (points[i] + points[j]));
      }
    }
    // all on one ball again, before their neighbours are looked for
    for (Vec3& p : points) p = std::hypot(1.0, g) * p.normalized();
    edge *= 0.55;
  }
  for (Vec3& p : points) p.normalize();
  return points;
}

class GeomReader {
 public:
  GeomReader(const MjcfItem& item, const Pose& X_BF, int body, const std::optional<Pose>& X_WB,
             MjcfModel* model)
      : item_(item), model_(*model), body_(body), X_BF_(X_BF), X_WB_(X_WB) {}

  void Read(RobotLink* weighs) {
    if (!ReadType()) return;
    ReadContact();
    std::array<double, 2> margins{};
    item_.Number("margin", margins.data());
    item_.Number("gap", margins.data() + 1);
    if (margins[0] != 0 || margins[1] != 0)
      model_.report->Say(item_.node(), "margin and gap of shapes are not used");
    for (const char* name : {"fluidshape", "shellinertia"}) {
      if (item_.Has(name) && item_.Text(name) != "none" && item_.Text(name) != "false")
        item_.Fail(fmt::format("{} is not read", name), "delete it");
    }
    item_.Whole("group", &group_);
    ReadColor();
    Pose X_FG = ReadMjcfPose(item_, model_.SettingsOf(item_.node()));
    if (type_ == GeomType::kPlane) return AddPlane(ComposeUnit(X_BF_, X_FG));
    Vec3 ends[2];
    std::array<double, 6> fromto{};
    const bool between = item_.Numbers("fromto", 6, fromto, kPosition) == 6;
    if (between) {
      ends[0] = Vec3(fromto[0], fromto[1], fromto[2]);
      ends[1] = Vec3(fromto[3], fromto[4], fromto[5]);
      if (type_ == GeomType::kSphere || type_ == GeomType::kMesh)
        return item_.Fail("fromto is of capsules, cylinders, boxes and ellipsoids",
                          "give pos and size");
      if ((ends[0] - ends[1]).norm() < kSize.least)
        return item_.Fail("fromto has one point twice", "its ends must be apart");
      X_FG.p = 0.5 * (ends[0] + ends[1]);
      X_FG.q = TurnToAxis(ends[0] - ends[1]);
    }
    const double half = between ? 0.5 * (ends[0] - ends[1]).norm() : 0;
    shape_.X_LS = ComposeUnit(X_BF_, X_FG);
    if (type_ == GeomType::kMesh ? !SetMesh(weighs) : !SetShape(half)) return;
    Weigh(weighs);
    Show();
  }

 private:
  bool ReadType() {
    if (item_.Has("mesh") && !item_.Has("type")) {
      type_ = GeomType::kMesh;
      return true;
    }
    const auto type = item_.Choice("type", {"plane", "sphere", "capsule", "ellipsoid", "cylinder",
                                            "box", "mesh", "hfield", "sdf"});
    if (type && *type > 6) {
      item_.Fail(fmt::format("shapes of type {} are not read", item_.Text("type")),
                 "use a mesh or boxes");
      return false;
    }
    type_ = type ? static_cast<GeomType>(*type) : GeomType::kSphere;
    if (item_.Has("type") && !type) return false;
    if (item_.Has("mesh") && type_ != GeomType::kMesh) {
      item_.Fail("a shape fitted to a mesh is not read", "give it a size, or type=\"mesh\"");
      return false;
    }
    return true;
  }

  void ReadContact() {
    int contype = 1, conaffinity = 1;
    item_.Whole("contype", &contype);
    item_.Whole("conaffinity", &conaffinity);
    if (!model_.settings.contacts) contype = conaffinity = 0;
    shape_.contype = static_cast<uint32_t>(contype);
    shape_.conaffinity = static_cast<uint32_t>(conaffinity);
    ReadMjcfCondim(item_, &contact_.condim);
    item_.Whole("priority", &contact_.priority);
    item_.NumberFrom(0, "solmix", &contact_.solmix);
    item_.Numbers("solref", 1, contact_.solref);
    item_.Numbers("solimp", 1, contact_.solimp);
    item_.Numbers("friction", 1, contact_.friction);
    for (const double mu : contact_.friction)
      if (mu < 0) return item_.Fail(fmt::format("friction is {:g}", mu), "expected 0 or more");
  }

  void ReadColor() {
    std::array<double, 4> rgba{};
    if (item_.Numbers("rgba", 3, rgba) >= 3) {
      if (item_.Numbers("rgba", 3, rgba) == 3) rgba[3] = 1;
      for (double& c : rgba) c = std::clamp(c, 0.0, 1.0);
      shape_.color = rgba;
    } else if (const auto known = model_.colors.find(item_.Text("material"));
               known != model_.colors.end()) {
      shape_.color = known->second;
    }
  }

  void AddPlane(const Pose& X_BG) {
    if (!X_WB_)
      return item_.Fail("a plane on a body that moves", "planes belong to the world; use a box");
    if (!Collides()) {
      model_.report->Say(item_.node(), "planes that nothing touches are not read");
      return;
    }
    const Pose X_WG = ComposeUnit(*X_WB_, X_BG);
    RobotWorld& world = *model_.robot.world;
    RobotPlane plane;
    plane.point = X_WG.p;
    plane.normal = X_WG.q * Vec3::UnitZ();
    // what rounding has left of a turn
    for (double& n : plane.normal)
      if (std::abs(n) < 1e-15) n = 0;
    std::array<double, 3> size{};
    item_.Numbers("size", 1, size, kPosition);
    plane.size = Vec2(2 * std::max(0.0, size[0]), 2 * std::max(0.0, size[1]));
    plane.contype = shape_.contype;
    plane.conaffinity = shape_.conaffinity;
    AddGeom(true, world.planes.size());
    world.planes.push_back(plane);
  }

  bool ReadSizes(std::size_t count, double* out) {
    std::array<double, 3> size{};
    const std::size_t found = item_.Numbers("size", count, size);
    if (found < count) {
      if (!item_.Has("size")) item_.Fail("no size", fmt::format("give {} half sizes [m]", count));
      return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!(size[i] >= 0.5 * kSize.least && size[i] <= kSize.most)) {
        item_.Fail(fmt::format("size is {:g} m", size[i]),
                   fmt::format("expected {:g} to {:g} m", kSize.least, kSize.most));
        return false;
      }
      out[i] = size[i];
    }
    return true;
  }

  // All but meshes; `half` of the distance between the points of fromto, 0 = it has none.
  bool SetShape(double half) {
    Shape& shape = shape_.shape;
    std::array<double, 3> s{};
    switch (type_) {
      case GeomType::kSphere:
        if (!ReadSizes(1, s.data())) return false;
        shape.kind = ShapeKind::kSphere;
        shape.radius = s[0];
        round_ = true;
        break;
      case GeomType::kCapsule:
      case GeomType::kCylinder:
        if (!ReadSizes(half > 0 ? 1 : 2, s.data())) return false;
        shape.kind = type_ == GeomType::kCapsule ? ShapeKind::kCapsule : ShapeKind::kCylinder;
        shape.radius = s[0];
        shape.length = 2 * (half > 0 ? half : s[1]);
        shape_.X_LS.q = (shape_.X_LS.q * StandUp()).normalized();
        break;
      case GeomType::kBox:
        if (!ReadSizes(half > 0 ? 1 : 3, s.data())) return false;
        shape.kind = ShapeKind::kBox;
        shape.size =
            half > 0 ? Vec3(2 * s[0], 2 * Second(s), 2 * half) : Vec3(2 * s[0], 2 * s[1], 2 * s[2]);
        break;
      default: {
        if (!ReadSizes(half > 0 ? 1 : 3, s.data())) return false;
        const Vec3 axes = half > 0 ? Vec3(s[0], Second(s), half) : Vec3(s[0], s[1], s[2]);
        shape.kind = ShapeKind::kConvex;
        std::vector<Vec3> points = BallPoints();
        for (Vec3& p : points) p = p.cwiseProduct(axes);
        Result<ConvexMesh> hull = CalcConvexHull(points);
        if (!hull) {
          item_.Fail(hull.error().message, "are its sizes too different?");
          return false;
        }
        shape.convex = std::make_shared<ConvexMesh>(std::move(hull).value());
        round_ = true;
        model_.report->Say(item_.node(), "ellipsoids touch as hulls of 162 points");
        properties_.volume = 4.0 / 3 * std::numbers::pi * axes.prod();
        const Vec3 squares = axes.cwiseProduct(axes);
        properties_.inertia =
            (0.2 * properties_.volume * (squares.sum() * Vec3::Ones() - squares)).asDiagonal();
        return true;
      }
    }
    properties_ = CalcMassProperties(shape, 1);
    return true;
  }

  // The second size of a box between two points: the first where it has none.
  double Second(const std::array<double, 3>& s) const {
    std::array<double, 3> size{};
    return item_.Numbers("size", 1, size) > 1 && size[1] > 0.5 * kSize.least ? size[1] : s[0];
  }

  bool Collides() const {
    return shape_.contype != 0 || shape_.conaffinity != 0 ||
           model_.paired.contains(item_.Text("name"));
  }

  bool HasMass(const RobotLink* weighs) const {
    double mass = -1;
    item_.Number("mass", &mass);
    const MjcfSettings& s = model_.SettingsOf(item_.node());
    return weighs != nullptr && mass != 0 && group_ >= s.first_group && group_ <= s.last_group;
  }

  bool SetMesh(const RobotLink* weighs) {
    const std::string name = item_.Text("mesh");
    const bool needed = Collides() || HasMass(weighs);
    const MjcfMesh* mesh = UseMjcfMesh(item_, name, needed, &model_);
    if (mesh == nullptr) {
      // where its file was told before, it is not told again
      if (needed) model_.unweighed.insert(model_.bodies[static_cast<std::size_t>(body_)].link);
      return false;
    }
    shape_.format = mesh->format;
    shape_.shape.kind = ShapeKind::kTriangleMesh;
    shape_.shape.triangles = mesh->surface;
    if (!needed) return true;
    if (Collides()) SetParts(*mesh);
    properties_ = mesh->solid;
    if (!mesh->closed && HasMass(weighs))
      model_.report->Say(item_.node(), "meshes that are open have the mass of their hulls");
    return true;
  }

  void SetParts(const MjcfMesh& mesh) {
    if (!mesh.convex && model_.collision == MeshCollision::kHull)
      model_.report->Say(item_.node(),
                         "meshes that are not convex touch with their hulls, as in MuJoCo (in a "
                         "scene collision = \"parts\" makes them convex parts)");
    convex_ = mesh.convex;
    for (ConvexMesh part : mesh.parts) {
      const Pose X_SG = MoveToPrincipalFrame(&part);
      RobotShape& shape = parts_.emplace_back(shape_);
      shape.X_LS = ComposeUnit(shape_.X_LS, Inverse(X_SG));
      shape.shape = {};
      shape.shape.kind = ShapeKind::kConvex;
      shape.shape.convex = std::make_shared<ConvexMesh>(std::move(part));
      shape.more_of_mesh = parts_.size() > 1;
    }
  }

  void Weigh(RobotLink* weighs) {
    if (!HasMass(weighs)) return;
    double mass = 0, density = 1000;
    item_.NumberFrom(0, "density", &density, {.most = 1e9});
    if (!item_.NumberFrom(0, "mass", &mass, {.most = 1e6, .unit = "kg"}))
      mass = density * properties_.volume;
    if (!(mass > 0) || !(properties_.volume > 0)) return;
    RobotLink piece;
    piece.mass = mass;
    piece.p_LC = properties_.p_com;
    piece.I_LC = mass / properties_.volume * properties_.inertia;
    AddMass(piece, shape_.X_LS, weighs);
    model_.report->Say(item_.node(), "masses without <inertial> are those of the shapes");
  }

  void Show() {
    RobotLink& link =
        model_.robot
            .links[static_cast<std::size_t>(model_.bodies[static_cast<std::size_t>(body_)].link)];
    const bool seen = group_ <= 2 && (!shape_.color || (*shape_.color)[3] > 0);
    shape_.name = item_.Text("name");
    if (!Collides()) {
      if (seen) link.visuals.push_back(shape_);
      return;
    }
    // hulls and parts are no sight
    if (seen && !convex_) link.visuals.push_back(shape_);
    if (parts_.empty()) parts_.push_back(shape_);
    const int id = static_cast<int>(model_.geoms.size());
    AddGeom(false, link.collisions.size());
    for (RobotShape& part : parts_) {
      part.name = item_.Text("name");
      part.has_visual = !seen || !convex_;
      part.id = id;
      link.collisions.push_back(std::move(part));
    }
  }

  void AddGeom(bool plane, std::size_t index) {
    model_.geoms.push_back({.name = item_.Text("name"),
                            .node = &item_.node(),
                            .body = body_,
                            .shape = index,
                            .parts = std::max<std::size_t>(parts_.size(), 1),
                            .plane = plane,
                            .round = round_,
                            .contact = contact_});
  }

  const MjcfItem& item_;
  MjcfModel& model_;
  int body_;
  Pose X_BF_;
  std::optional<Pose> X_WB_;
  GeomType type_ = GeomType::kSphere;
  int group_ = 0;
  bool round_ = false;
  RobotShape shape_;               // of a mesh its surface
  std::vector<RobotShape> parts_;  // what a mesh touches with
  bool convex_ = true;             // it touches with what it is
  MjcfContact contact_;
  MassProperties properties_;  // of density 1
};

}  // namespace

void ReadMjcfCondim(const MjcfItem& item, int* condim) {
  item.Whole("condim", condim);
  if (*condim != 1 && *condim != 3 && *condim != 4 && *condim != 6)
    item.Fail(fmt::format("condim is {}", *condim), "expected 1, 3, 4 or 6");
  if (*condim == 6)
    item.report().Say(item.node(), "condim 6 is read as 4: there is no rolling friction");
}

void ReadMjcfGeom(const MjcfNode& node, const std::string& childclass, const Pose& X_BF, int body,
                  const std::optional<Pose>& X_WB, RobotLink* weighs, MjcfModel* model) {
  CheckMjcfAttributes(node, model->report);
  const std::string& name = model->bodies[static_cast<std::size_t>(body)].name;
  const MjcfItem item = model->defaults.Make(node, NameMjcf(node, name), childclass, model->report);
  GeomReader(item, X_BF, body, X_WB, model).Read(weighs);
}

}  // namespace slip
