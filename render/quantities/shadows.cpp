// Hulls projected on planes. Every softness is a length in the plane, worked out from the height.
#include "render/quantities/shadows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "engine/geometry/mesh.h"
#include "render/quantities/quantity.h"
#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {

// From the upper left and a little from the front, 60 degrees up, in the drawn frame.
const Vec3 kToLight = Vec3(-0.30, -0.40, 0.866).normalized();
// A half shadow widens by this per metre of height, as of a lamp as large as a window.
constexpr double kPenumbra = 0.22;
constexpr double kLeastPenumbra = 0.05;  // of the body's size: nothing is cut with a knife
// Contact blob: share of darkness on the ground; how it fades and widens with height over size.
constexpr double kBlob = 0.80, kBlobFade = 3, kBlobSpread = 0.8, kBlobSkirt = 0.16;
constexpr double kFaint = 0.03;        // darkness that is not drawn
constexpr double kGhostShare = 0.75;   // ghosts darken less
constexpr float kGhostColour = 0.15f;  // share of the model's colour in a ghost's shadow
constexpr double kDiscCell = 1;  // of a disc's radius: of those in one cell the darkest is drawn
constexpr double kSoftestDisc = 1.5;
constexpr std::size_t kMostHulls = 240;  // more bodies than this, of all channels, are discs
constexpr int kRimPoints = 16;
constexpr std::size_t kMostShadowCorners = 1500;  // of a mesh or cloud: every so manieth
constexpr int kHullDirections = 28;               // corners of a large hull at most

/// Points whose hull is a body's as far as one direction sees it, and what they lack in radius.
struct Corners {
  std::vector<Vec3> points;
  double swell = 0;  ///< radius about the points, already in them across the direction [m]
};

void AddRing(const Vec3& centre, const Vec3& axis, double radius, std::vector<Vec3>* points) {
  const Vec3 u = axis.unitOrthogonal(), v = axis.cross(u);
  for (int i = 0; i < kRimPoints; ++i) {
    const double angle = 2 * M_PI * i / kRimPoints;
    points->push_back(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
  }
}

void AddPoints(const Pose& X_WB, std::span<const Vec3> points_B, std::vector<Vec3>* points) {
  const std::size_t step = points_B.size() / kMostShadowCorners + 1;
  for (std::size_t i = 0; i < points_B.size(); i += step) points->push_back(X_WB * points_B[i]);
}

/// `along` is the unit direction that the shape is looked at along.
void CollectCorners(const Shape& shape, const Pose& X_WB, const Vec3& along, Corners* out) {
  out->points.clear();
  out->swell = 0;
  const Vec3 axis = X_WB.q * Vec3::UnitX();
  switch (shape.kind) {
    case ShapeKind::kBox:
      for (int i = 0; i < 8; ++i) {
        const Vec3 sign((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                        (i & 4) != 0 ? 0.5 : -0.5);
        out->points.push_back(X_WB * Vec3(sign.cwiseProduct(shape.size)));
      }
      break;
    case ShapeKind::kSphere:
      out->swell = shape.radius;
      AddRing(X_WB.p, along, shape.radius, &out->points);
      break;
    case ShapeKind::kCapsule:
      out->swell = shape.radius;
      for (double end : {-0.5, 0.5})
        AddRing(X_WB.p + end * shape.length * axis, along, shape.radius, &out->points);
      break;
    case ShapeKind::kCylinder:
      for (double end : {-0.5, 0.5})
        AddRing(X_WB.p + end * shape.length * axis, axis, shape.radius, &out->points);
      break;
    case ShapeKind::kConvex:
      if (shape.convex) AddPoints(X_WB, shape.convex->vertices, &out->points);
      break;
    case ShapeKind::kTriangleMesh:
      if (shape.triangles) AddPoints(X_WB, shape.triangles->vertices, &out->points);
      break;
    case ShapeKind::kPointCloud:
      if (!shape.cloud) break;
      out->swell = shape.cloud->radius;
      AddPoints(X_WB, shape.cloud->points, &out->points);
      break;
  }
}

double Cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Makes `points` their convex hull, counter-clockwise (monotone chain); of very many, a polygon of
/// those that lie farthest in some directions.
void MakeHull(std::vector<Vec2>* points) {
  std::vector<Vec2>& p = *points;
  if (p.size() > 2 * kHullDirections) {
    std::vector<Vec2> farthest;
    for (int i = 0; i < kHullDirections; ++i) {
      const double angle = 2 * M_PI * i / kHullDirections;
      const Vec2 way(std::cos(angle), std::sin(angle));
      farthest.push_back(*std::max_element(p.begin(), p.end(), [&](const Vec2& a, const Vec2& b) {
        return way.dot(a) < way.dot(b);
      }));
    }
    p = std::move(farthest);
  }
  std::sort(p.begin(), p.end(), [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  std::vector<Vec2> hull;
  const auto chain = [&hull](const Vec2& q, std::size_t least) {
    while (hull.size() >= least + 2 &&
           Cross2(hull.back() - hull[hull.size() - 2], q - hull.back()) <= 1e-12) {
      hull.pop_back();
    }
    hull.push_back(q);
  };
  for (const Vec2& q : p) chain(q, 0);
  const std::size_t lower = hull.size() - (hull.empty() ? 0 : 1);
  for (auto q = p.rbegin(); q != p.rend(); ++q) chain(*q, lower);
  if (!hull.empty()) hull.pop_back();
  p = std::move(hull);
}

void Widen(ShadowLayer* layer, const Vec2& p) {
  layer->low = layer->low.cwiseMin(p);
  layer->high = layer->high.cwiseMax(p);
}

/// A polygon that fades over the width `soft` about its edge.
void AddPolygon(const std::vector<Vec2>& hull, double soft, double dark, ShadowLayer* layer) {
  const std::size_t n = hull.size();
  if (n < 3) return;
  Vec2 middle = Vec2::Zero();
  for (const Vec2& p : hull) middle += p / static_cast<double>(n);
  std::vector<Vec2> inner(n), outer(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 to = (hull[i] - hull[(i + n - 1) % n]).normalized();
    const Vec2 from = (hull[(i + 1) % n] - hull[i]).normalized();
    const Vec2 way = Vec2(to.y() + from.y(), -to.x() - from.x());
    // corners move farther than edges, but not without bound
    const double stretch = 2 / std::max(way.squaredNorm(), 1.6);
    outer[i] = hull[i] + 0.5 * soft * stretch * way;
    const double reach = (hull[i] - middle).norm();
    const double share = reach > 0 ? std::clamp(1 - 0.5 * soft / reach, 0.25, 1.0) : 1;
    inner[i] = middle + share * (hull[i] - middle);
    Widen(layer, outer[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    ShadowWedge wedge{};
    for (int k = 0; k < 2; ++k) {
      const auto at = static_cast<std::size_t>(k);
      wedge.inner[at] = static_cast<float>(inner[i][k]);
      wedge.inner[at + 2] = static_cast<float>(inner[j][k]);
      wedge.outer[at] = static_cast<float>(outer[i][k]);
      wedge.outer[at + 2] = static_cast<float>(outer[j][k]);
      wedge.middle[at] = static_cast<float>(middle[k]);
    }
    wedge.dark = static_cast<float>(dark);
    layer->wedges.push_back(wedge);
  }
}

/// A disc about `centre`, stretched by `stretch` along the unit direction `way`.
ShadowDisc MakeDisc(const Vec2& centre, double radius, const Vec2& way, double stretch, double soft,
                    double dark) {
  const double outer = radius + 0.5 * soft;
  const Vec2 u = outer * stretch * way, v = outer * Vec2(-way.y(), way.x());
  ShadowDisc disc{};
  for (int k = 0; k < 2; ++k) {
    disc.centre[k] = static_cast<float>(centre[k]);
    disc.u[k] = static_cast<float>(u[k]);
    disc.v[k] = static_cast<float>(v[k]);
  }
  disc.dark = static_cast<float>(dark);
  disc.inner = static_cast<float>(std::clamp((radius - 0.5 * soft) / outer, 0.0, 1.0));
  return disc;
}

/// Puts shadows on the planes of one picture.
class ShadowCaster {
 public:
  explicit ShadowCaster(const DrawContext& context)
      : light_(ToKeyLight(context.camera)), planes_(ShadowPlanes(context)) {}

  const std::vector<ShadowPlane>& planes() const { return planes_; }
  /// What comes next belongs to another group.
  void NextGroup() { cells_.clear(); }

  /// `cast`: along the light too, not only the blob below.
  void Add(const Shape& shape, const Pose& X_WB, double bound, bool cast, bool as_disc,
           ShadowGroup* group) {
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const ShadowPlane& plane = planes_[i];
      const Vec3 n = plane.axes.col(2);
      const double centre = n.dot(X_WB.p - plane.point);
      if (!(centre > 0)) continue;
      ShadowLayer* layer = &group->layers[i];
      if (as_disc) {
        AddAsDisc(plane, i, shape, X_WB, bound, cast, layer);
        continue;
      }
      CollectCorners(shape, X_WB, n, &corners_);
      if (corners_.points.empty()) continue;
      double low = 1e300;
      for (const Vec3& p : corners_.points) low = std::min(low, n.dot(p - plane.point));
      const double height = std::max(0.0, low - corners_.swell);
      const double size = std::max(std::min(bound, centre), 1e-4);
      const double blob = kBlob / (1 + kBlobFade * height / size);
      if (blob > kFaint) {
        AddPolygon(Project(plane, n), kBlobSkirt * size + kBlobSpread * height, blob, layer);
      }
      const double facing = n.dot(light_);
      if (!cast || facing < 0.1) continue;
      CollectCorners(shape, X_WB, light_, &corners_);
      const double soft = kLeastPenumbra * size + kPenumbra * height;
      AddPolygon(Project(plane, light_), soft, 1 / (1 + 0.5 * soft / std::max(bound, 1e-4)), layer);
    }
  }

 private:
  void AddAsDisc(const ShadowPlane& plane, std::size_t index, const Shape& shape, const Pose& X_WB,
                 double bound, bool cast, ShadowLayer* layer) {
    const Vec3 n = plane.axes.col(2);
    const double centre = n.dot(X_WB.p - plane.point);
    const double radius = shape.kind == ShapeKind::kSphere ? shape.radius : 0.7 * bound;
    const double height = std::max(0.0, centre - radius);
    const double blob = kBlob / (1 + kBlobFade * height / radius);
    const Vec2 x(1, 0);
    // where the light throws one, a second below it costs more than it shows
    if (!cast && height < radius) {
      const Vec2 foot = InPlane(plane, X_WB.p, n);
      const double soft = kBlobSkirt * radius + kBlobSpread * height;
      Put(foot, radius, 2 * index, MakeDisc(foot, 0.7 * radius, x, 1, soft, blob), layer);
    }
    const double facing = n.dot(light_);
    if (!cast || facing < 0.1) return;
    Vec2 way(light_.dot(plane.axes.col(0)), light_.dot(plane.axes.col(1)));
    way = way.norm() > 1e-9 ? Vec2(way.normalized()) : x;
    // together they are dark, however soft each would be alone
    const double soft =
        std::min(kLeastPenumbra * radius + kPenumbra * height, kSoftestDisc * radius);
    const Vec2 at = InPlane(plane, X_WB.p, light_);
    Put(at, radius, 2 * index + 1,
        MakeDisc(at, radius, way, 1 / facing, soft, 1 / (1 + 0.5 * soft / radius)), layer);
  }

  /// Of discs that nearly cover each other only the darkest: in a pile all but the lowest are lost
  /// in it, and would cost the most.
  void Put(const Vec2& centre, double radius, std::size_t kind, const ShadowDisc& disc,
           ShadowLayer* layer) {
    if (!(radius > 0) || !centre.allFinite() || centre.norm() > 1e4 * radius) return;
    if (cell_ <= 0) cell_ = kDiscCell * radius;
    const auto place = [this](double x) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(x / cell_)) +
                                        (1 << 24));
    };
    const std::uint64_t key =
        static_cast<std::uint64_t>(kind) << 56 | place(centre.x()) << 28 | place(centre.y());
    const auto [found, is_new] = cells_.try_emplace(key, layer->discs.size());
    if (is_new) {
      layer->discs.push_back(disc);
    } else if (layer->discs[found->second].dark < disc.dark) {
      layer->discs[found->second] = disc;
    }
    const Vec2 reach(std::abs(disc.u[0]) + std::abs(disc.v[0]),
                     std::abs(disc.u[1]) + std::abs(disc.v[1]));
    Widen(layer, centre - reach);
    Widen(layer, centre + reach);
  }

  static Vec2 InPlane(const ShadowPlane& plane, const Vec3& p_W, const Vec3& along) {
    const Vec3 r = p_W - plane.point, n = plane.axes.col(2);
    const Vec3 q = r - n.dot(r) / n.dot(along) * along;
    return {q.dot(plane.axes.col(0)), q.dot(plane.axes.col(1))};
  }

  const std::vector<Vec2>& Project(const ShadowPlane& plane, const Vec3& along) {
    hull_.clear();
    for (const Vec3& p : corners_.points) hull_.push_back(InPlane(plane, p, along));
    MakeHull(&hull_);
    return hull_;
  }

  Vec3 light_;
  std::vector<ShadowPlane> planes_;
  Corners corners_;
  std::vector<Vec2> hull_;
  std::unordered_map<std::uint64_t, std::size_t> cells_;  ///< to discs, of one group
  double cell_ = 0;                                       ///< [m]
};

/// Belts and slopes as slabs: they throw shadows on the floor.
void AddConveyors(const DrawContext& context, ShadowCaster* caster, ShadowGroup* group) {
  for (const Surface& surface : context.snapshot.model->surfaces) {
    if (surface.drive < 0 && !IsSlope(context, surface)) continue;
    const Mat3 axes = BeltAxes(surface);
    if (!axes.allFinite()) continue;
    const SurfaceExtent extent = BeltExtent(context, surface);
    const Vec2 middle = extent.Middle();
    const double s = ConveyorScale(surface), thick = 0.12 * s;
    Shape slab{.kind = ShapeKind::kBox};
    slab.size = Vec3(2 * extent.Half().x(), 2 * extent.Half().y() + 0.09 * s, thick);
    const Vec3 p(middle.x(), middle.y(), -(0.5 * thick + 0.002));
    const Pose pose{surface.point + axes * p, Quat(axes)};
    caster->Add(slab, pose, 0.5 * slab.size.y(), context.request.quality == Quality::kLow, false,
                group);
  }
}

Colour ShadowColour(const DrawContext& context, int channel, bool ghost) {
  // as dark as what the key light does not reach
  const bool dark = context.request.theme == Theme::kDark;
  Colour colour = dark ? Colour::Hex(0x0E1014, 0.66f) : Colour::Hex(0x39414C, 0.42f);
  if (!ghost) return colour;
  const Colour model = StyleIn(context, channel).colour;
  const auto mix = [](float a, float b) { return a + kGhostColour * (b - a); };
  return {mix(colour.r, model.r), mix(colour.g, model.g), mix(colour.b, model.b),
          static_cast<float>(kGhostShare) * colour.a};
}

}  // namespace

Vec3 ToKeyLight(const Camera& camera) { return camera.R_DW().transpose() * kToLight; }

void AppendShadows(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  if (!snapshot.model) return;
  const ViewRequest& request = context.request;
  const Model& model = *snapshot.model;
  ShadowCaster caster(context);
  if (caster.planes().empty()) return;
  const int lead = LeadOf(context);
  std::size_t shown = 0;
  for (int c = 0; c < static_cast<int>(snapshot.channels.size()); ++c)
    shown += ChannelShown(snapshot, request, c) ? static_cast<std::size_t>(model.drawn()) : 0;
  const bool discs = shown > kMostHulls;
  ForGhostsAndLead(snapshot, request, [&](int channel) {
    if (!ChannelShown(snapshot, request, channel)) return;
    const bool is_lead = channel == lead, ghost = !is_lead || request.transparent;
    ShadowGroup group{ShadowColour(context, channel, !is_lead), {}};
    for (const ShadowPlane& plane : caster.planes()) {
      ShadowLayer layer{};
      const Vec3 origin = plane.point - context.camera.spec().target;
      for (int i = 0; i < 3; ++i) {
        layer.origin[i] = static_cast<float>(origin[i]);
        layer.x[i] = static_cast<float>(plane.axes(i, 0));
        layer.y[i] = static_cast<float>(plane.axes(i, 1));
      }
      for (int i = 0; i < 2; ++i) layer.half[i] = static_cast<float>(plane.half[i]);
      group.layers.push_back(std::move(layer));
    }
    if (is_lead) AddConveyors(context, &caster, &group);
    caster.NextGroup();
    const bool cast = ghost || request.quality == Quality::kLow;
    for (int b = 0; b < model.drawn(); ++b) {
      const Body& body = model.Drawn(b);
      if (!IsDrawn(request, model, b)) continue;
      if (!body.Moves() && !is_lead) continue;  // the same for all channels
      const Pose pose = DrawnPose(snapshot, request, channel, b);
      if (!body.Moves() && IsGlassWall(context.camera, body, pose)) continue;
      caster.Add(body.shape, pose, body.bound, cast, discs && body.Moves(), &group);
    }
    list->shadows.push_back(std::move(group));
  });
}

constinit const Quantity kShadows{.draw = [](const DrawContext& context, DrawList* list,
                                             ViewPicture*) { AppendShadows(context, list); },
                                  .layer = Layer::kBodies};

}  // namespace slip::render
