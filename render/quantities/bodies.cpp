// Bodies of one snapshot as mesh instances: chosen by what is seen, coloured by what they are.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/mass_centres.h"
#include "render/quantities/quantity.h"
#include "render/scene/cloud_points.h"
#include "render/scene/cover.h"
#include "render/scene/difference.h"
#include "render/scene/draw_list.h"
#include "render/scene/meshes.h"
#include "render/scene/own_colours.h"

namespace slip::render {
namespace {

// Bodies of one kind differ a little in lightness, so that a pile is not one grey mass.
constexpr int kTones = 8;
constexpr float kToneRange = 0.16f;
constexpr std::size_t kFewBodies = 3;  // need no telling apart
// More ghosts than this over each other are fog.
constexpr std::size_t kMostGhostsThrough = 60;
// Fewer than this hardly hide each other.
constexpr std::size_t kManyBodies = 100;
// By quality. Where processors draw, triangles cost more than their pixels: twice the error is
// accepted; graphics cards do not feel them.
constexpr std::array<double, 3> kDetail{0.5, 1, 3};
// Of few bodies no processor feels the triangles: none of them shows its corners.
constexpr double kDetailOfFew = 2, kDetailOfSome = 1;
constexpr std::size_t kSomeBodies = 1000;

double LeastDetail(const Model& model) {
  return model.bodies.size() < kManyBodies   ? kDetailOfFew
         : model.bodies.size() < kSomeBodies ? kDetailOfSome
                                             : 0;
}
// Of what other ghosts cover: it may stand among several of them.
constexpr float kRunGhostShare = 0.6f;
constexpr float kSelectedTint = 0.55f;
// Share of the model's colour at both ends of a cloud: its parts are told apart.
constexpr float kCloudTint[] = {0.15f, 0.65f};

const Colour& NeutralColour(const SceneColours& colours, ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return colours.sphere;
    case ShapeKind::kCapsule:
      return colours.capsule;
    case ShapeKind::kCylinder:
      return colours.cylinder;
    case ShapeKind::kConvex:
    case ShapeKind::kTriangleMesh:
      return colours.convex;
    case ShapeKind::kPointCloud:
      return colours.cloud;
    case ShapeKind::kBox:
      break;
  }
  return colours.box;
}

/// Tone of a body, the same in every run and channel.
int ToneOf(int body) {
  const uint32_t hash = (static_cast<uint32_t>(body) + 1) * 2654435769u;
  return static_cast<int>(hash >> 29);
}

/// Linear colours in all tones, worked out once a picture: powers are slow.
class Palette {
 public:
  explicit Palette(const Colour& colour, bool varied) {
    for (int tone = 0; tone < kTones; ++tone) {
      const float share = varied ? static_cast<float>(tone) / (kTones - 1) - 0.6f : 0.0f;
      const auto shade = [&](float c) {
        return std::clamp(c * (1 + kToneRange * share), 0.0f, 1.0f);
      };
      SetColour({shade(colour.r), shade(colour.g), shade(colour.b), colour.a},
                At(tones_, tone).data());
    }
  }
  const std::array<float, 4>& operator[](int tone) const { return At(tones_, tone); }

 private:
  std::array<std::array<float, 4>, kTones> tones_{};
};

/// Extents and edge radius, and the marking by which rolling is seen.
void SetShape(const Shape& shape, SolidInstance* solid) {
  const double r = shape.radius;
  Vec3 half = Vec3::Ones();
  double edge = 0;
  float marking = 0;
  switch (shape.kind) {
    case ShapeKind::kBox:
      half = 0.5 * shape.size;
      edge = EdgeRadius(shape);
      break;
    case ShapeKind::kSphere:
      half.setConstant(r);
      edge = r;
      marking = 1;
      break;
    case ShapeKind::kCapsule:
      half = Vec3(0.5 * shape.length + r, r, r);
      edge = r;
      marking = 2;
      break;
    case ShapeKind::kCylinder:
      half = Vec3(0.5 * shape.length, r, r);
      edge = EdgeRadius(shape);
      marking = 1;
      break;
    case ShapeKind::kPointCloud:
      edge = DisplayRadius(shape);
      break;
    case ShapeKind::kConvex:
    case ShapeKind::kTriangleMesh:
      break;
  }
  for (int i = 0; i < 3; ++i) solid->half[i] = static_cast<float>(half[i]);
  solid->radius = static_cast<float>(edge);
  solid->params[0] = marking;
}

/// Radius about its centre of the largest body that moves [m].
double LargestBound(const Model& model) {
  double largest = 0;
  for (const Body& body : model.bodies) {
    if (body.Moves()) largest = std::max(largest, body.bound);
  }
  return largest;
}

/// Bodies of one channel, the nearest first.
class BodyAdder {
 public:
  BodyAdder(const DrawContext& context, int channel, DrawList* list)
      : c_(context),
        list_(list),
        frustum_(context.camera, context.viewport),
        cover_(context.camera, context.viewport, LargestBound(*context.snapshot.model)),
        covers_(context.snapshot.model->bodies.size() >= kManyBodies && !context.request.wireframe),
        channel_(channel),
        is_lead_(channel == LeadOf(context)),
        ghost_(!is_lead_ || context.request.transparent),
        detail_(context.request.resolution * std::max(At(kDetail, context.request.quality),
                                                      LeastDetail(*context.snapshot.model))),
        colours_(list->looks.Of(context.snapshot.model), context.request.theme) {
    const bool varied = c_.snapshot.model->bodies.size() > kFewBodies;
    const bool tinted = !is_lead_ || c_.request.tint_lead;
    own_colours_ = !tinted;
    const Colour model = StyleIn(c_, channel).colour;
    const float alpha =
        c_.run_ghost ? kRunGhostShare * c_.colours.ghost_alpha : c_.colours.ghost_alpha;
    for (int kind = 0; kind <= static_cast<int>(ShapeKind::kPointCloud); ++kind) {
      Colour colour = tinted ? model : NeutralColour(c_.colours, static_cast<ShapeKind>(kind));
      if (ghost_) colour.a = alpha;
      palettes_.emplace_back(colour, varied && !ghost_);
    }
    Colour fixed = c_.colours.frame;
    if (ghost_) fixed.a = alpha;
    palettes_.emplace_back(fixed, false);
  }

  void Add(int index) {
    const Body& body = c_.snapshot.model->Drawn(index);
    if (c_.request.com_marks && is_lead_ && body.robot >= 0) MarkLink(index, body);
    if (!IsDrawn(c_.request, *c_.snapshot.model, index)) return;
    const bool fixed = !body.Moves();
    if (fixed && !is_lead_) return;  // the same for all channels
    const Shape& shape = body.shape;
    const bool own = shape.kind >= ShapeKind::kConvex;
    if (own && OwnMeshOf(shape) == nullptr) return;
    const Pose pose = DrawnPose(c_.snapshot, c_.request, channel_, index);
    const bool in_view = frustum_.Sees(pose.p, body.bound);
    const bool through = SeenThrough(index);
    const bool covers = covers_ && in_view && !through && !fixed;
    const bool seen = in_view && !(covers && cover_.Hides(pose.p, body.bound));
    // marks are seen through everything
    const bool marked = c_.request.com_marks && is_lead_ && in_view && body.robot < 0;
    if (marked && !seen) AppendCentreOfMass(c_, pose, list_);
    // what is out of the picture may still throw its shadow into it
    if (!seen && (through || c_.request.quality == Quality::kLow)) return;
    if (fixed && !ghost_ && AppendWall(c_, body, pose, list_)) return;

    SolidInstance solid{};
    const Mat3 R = pose.q.toRotationMatrix();
    const Vec3 p = pose.p - c_.camera.spec().target;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) solid.rows[i][j] = static_cast<float>(R(i, j));
      solid.rows[i][3] = static_cast<float>(p[i]);
    }
    SetShape(shape, &solid);
    const auto& colour = fixed ? palettes_.back()[0] : At(palettes_, shape.kind)[ToneOf(index)];
    std::copy(colour.begin(), colour.end(), solid.colour);
    if (body.colour && own_colours_) {
      const std::array<float, 3> own = colours_.Of(body);
      std::copy(own.begin(), own.end(), solid.colour);
      solid.colour[3] *= static_cast<float>(OpacityOf(body));
    }
    if (c_.request.compare == CompareMode::kDifference && !fixed) {
      const double difference = PositionDifference(c_.snapshot, c_.request, body.Owner(index));
      SetColour(DifferenceColour(difference).WithAlpha(solid.colour[3]), solid.colour);
    }
    if (body.Owner(index) == c_.request.selected_body && is_lead_) Tint(&solid);
    if (ghost_) solid.params[1] = 0.35f;
    if (shape.kind == ShapeKind::kPointCloud) {
      const bool shaded = c_.request.tint_lead && is_lead_ && !ghost_ &&
                          c_.request.compare != CompareMode::kDifference;
      for (int i = 0; i < 2; ++i) solid.params[2 + i] = shaded ? kCloudTint[i] : 1;
    }

    SolidSet& set = through ? list_->ghosts : seen ? list_->solids : list_->casters;
    if (own) {
      set.Of(shape).push_back(solid);
    } else {
      const Mesh mesh = MeshOf(shape, frustum_.Scale(frustum_.Depth(pose.p)));
      // a block has no edges to round
      if (mesh == Mesh::kBlock) solid.radius = 0;
      set.Of(mesh).push_back(solid);
    }
    if (covers && seen) cover_.Add(pose.p, InnerRadius(shape));
    if (marked && seen) AppendCentreOfMass(c_, pose, list_);
  }

  bool ghost() const { return ghost_; }
  /// A ghost, or a body whose own colour is not opaque.
  bool SeenThrough(int index) const {
    return ghost_ || (own_colours_ && OpacityOf(c_.snapshot.model->Drawn(index)) < 1);
  }

 private:
  /// The mass of a robot is in its links, which are not drawn themselves.
  void MarkLink(int index, const Body& body) {
    const bool link = static_cast<std::size_t>(index) < c_.snapshot.model->bodies.size() &&
                      body.shape_of_link < 0 && body.joint.kind != JointKind::kFixed;
    if (!link || body.mass <= 0 || c_.request.hidden.Has(index)) return;
    const Pose pose = DrawnPose(c_.snapshot, c_.request, channel_, index);
    if (frustum_.Sees(pose.p, 0)) AppendCentreOfMass(c_, pose, list_);
  }
  /// At so many pixels of the pane per metre.
  Mesh MeshOf(const Shape& shape, double pixels) const {
    if (shape.kind != ShapeKind::kSphere) return ChooseMesh(shape, detail_ * pixels);
    // lines of a net turn with the ball
    if (c_.request.wireframe) return ChooseBall(detail_ * pixels * shape.radius);
    // an outline costs little here: no quality shows its corners
    return ChooseMesh(shape, c_.request.resolution * pixels);
  }
  void Tint(SolidInstance* solid) const {
    float accent[4];
    SetColour(c_.colours.accent, accent);
    for (int i = 0; i < 3; ++i) solid->colour[i] += kSelectedTint * (accent[i] - solid->colour[i]);
  }

  const DrawContext& c_;
  DrawList* list_;
  Frustum frustum_;
  Cover cover_;
  bool covers_;
  int channel_;
  bool is_lead_, ghost_;
  bool own_colours_ = false;
  double detail_;
  OwnColours colours_;
  std::vector<Palette> palettes_;  ///< by kind; fixed bodies last
};

}  // namespace

bool IsDrawn(const ViewRequest& request, const Model& model, int index) {
  const Body& body = model.Drawn(index);
  if (!body.visible || !(OpacityOf(body) > 0) || request.hidden.Has(body.Owner(index)))
    return false;
  return request.visual_meshes || static_cast<std::size_t>(index) < model.bodies.size();
}

void AppendShape(const DrawContext& context, const Shape& shape, const Pose& X_WS, double bound,
                 const Colour& colour, SolidSet* set) {
  const Frustum frustum(context.camera, context.viewport);
  const bool own = shape.kind >= ShapeKind::kConvex;
  if (!frustum.Sees(X_WS.p, bound) || (own && OwnMeshOf(shape) == nullptr)) return;
  if (shape.kind == ShapeKind::kPointCloud) return;
  SolidInstance solid = MakeSolid(context.camera, X_WS, Vec3::Ones(), 0, colour);
  SetShape(shape, &solid);
  solid.params[0] = 0;  // what does not roll has no marking
  solid.params[1] = 0.35f;
  if (own) return set->Of(shape).push_back(solid);
  const double pixels = kDetailOfFew * frustum.Scale(frustum.Depth(X_WS.p));
  const Mesh mesh = shape.kind == ShapeKind::kSphere ? ChooseBall(pixels * shape.radius)
                                                     : ChooseMesh(shape, pixels);
  if (mesh == Mesh::kBlock) solid.radius = 0;
  set->Of(mesh).push_back(solid);
}

void AppendBodies(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const int count = snapshot.model->drawn();
  struct Entry {
    double depth;
    int adder, body;
  };
  std::vector<BodyAdder> adders;
  std::vector<Entry> order;
  std::size_t ghosts = 0;
  for (int c = 0; c < std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
       ++c) {
    if (!ChannelShown(snapshot, context.request, c)) continue;
    adders.emplace_back(context, c, list);
    if (adders.back().ghost()) ghosts += static_cast<std::size_t>(count);
    const int adder = static_cast<int>(adders.size()) - 1;
    const Vec3 forward = context.camera.forward_W();
    for (int b = 0; b < count; ++b) {
      order.push_back({forward.dot(DrawnPose(snapshot, context.request, c, b).p), adder, b});
    }
  }
  // what is hidden is not shaded if that which hides it came before
  std::stable_sort(order.begin(), order.end(),
                   [](const Entry& a, const Entry& b) { return a.depth < b.depth; });
  const bool in_front = ghosts > kMostGhostsThrough;
  list->ghosts_in_front = list->ghosts_in_front || in_front;
  const auto add = [&](const Entry& entry, bool ghost) {
    BodyAdder& adder = At(adders, entry.adder);
    if (adder.SeenThrough(entry.body) == ghost) adder.Add(entry.body);
  };
  for (const Entry& entry : order) add(entry, false);
  // ghosts, and whatever else others show through, come back to front
  if (in_front) {
    for (const Entry& entry : order) add(entry, true);
  } else {
    std::for_each(order.rbegin(), order.rend(), [&](const Entry& entry) { add(entry, true); });
  }
}

constinit const Quantity kVisualMeshes{
    .name = "Visual meshes",
    .doc = "What the files of robots have for the eyes.",
    .section = kBodiesSection,
    .on = &ViewStyle::visual_meshes,
    .of_robots = true,
    .named_when_off = true,
};

constinit const Quantity kTransparent{.name = "Transparent bodies",
                                      .doc = "Contacts can be seen through the bodies.",
                                      .key = 'T',
                                      .on = &ViewStyle::transparent};

constinit const Quantity kWireframe{
    .name = "Wireframe", .doc = "Bodies as edges only.", .key = 'W', .on = &ViewStyle::wireframe};

}  // namespace slip::render
