#include "engine/run/record/scene_json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

#include "engine/control/controllers.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometry/mesh.h"
#include "engine/sim/snapshot.h"

namespace slip {
namespace {

// in the order of JointKind
constexpr std::string_view kMotionNames[] = {"free",     "planar",    "xz",   "z",      "fixed",
                                             "revolute", "prismatic", "ball", "upright"};
static_assert(std::size(kMotionNames) == static_cast<std::size_t>(JointKind::kUpright) + 1);
// in the order of ShapeKind, as in scene files: a mesh that moves is convex
constexpr std::string_view kShapeNames[] = {"sphere", "box",  "capsule", "cylinder",
                                            "mesh",   "mesh", "cloud"};
static_assert(std::size(kShapeNames) == kShapeKinds, "a shape without a name");
constexpr std::string_view kOffsetNames[] = {"none", "rest", "glide", "glide-or-rest"};

/// The sizes of a shape; of a mesh or a cloud, how many points it has.
void WriteSize(const Shape& shape, JsonWriter* json) {
  const auto count = [&](const auto& points) {
    json->Integer("vertices", static_cast<int64_t>(points.size()));
  };
  switch (shape.kind) {
    case ShapeKind::kBox:
      json->Numbers("size", shape.size.data(), 3);
      break;
    case ShapeKind::kSphere:
      json->Number("radius", shape.radius);
      break;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      json->Number("radius", shape.radius).Number("length", shape.length);
      break;
    case ShapeKind::kConvex:
      count(shape.convex->vertices);
      break;
    case ShapeKind::kTriangleMesh:
      count(shape.triangles->vertices);
      break;
    case ShapeKind::kPointCloud:
      json->Number("radius", shape.cloud->radius);
      count(shape.cloud->points);
      break;
  }
}

void WriteQuat(std::string_view key, const Quat& of, JsonWriter* json) {
  const double q[] = {of.w(), of.x(), of.y(), of.z()};
  json->Numbers(key, q, 4);
}

/// A body as it starts: its centre of mass, and its own frame as its file names that. The moments
/// of inertia are those about the principal axes, which are told where they are others.
void WriteBody(const Body& body, const BodyFrame& start, const Model& model, const Config& config,
               JsonWriter* json) {
  json->BeginObject().Text("name", body.name);
  json->Text("shape", kShapeNames[static_cast<int>(body.shape.kind)]);
  WriteSize(body.shape, json);
  json->Number("mass", body.mass).Numbers("inertia", body.inertia_B.data(), 3);
  json->Text("motion", kMotionNames[static_cast<int>(body.joint.kind)]);
  if (body.joint.parent >= 0) {
    json->Text("joint", body.joint.name);
    json->Text("parent", model.body(body.joint.parent).name);
  }
  json->Text("material", At(config.materials, body.material).name);
  const Pose shown = body.ShownPose(start.X_WB);
  json->Numbers("position", shown.p.data(), 3);
  WriteQuat("quaternion", shown.q, json);
  const Quat principal = body.X_BL.q.conjugate();
  if (principal.vec() != Vec3::Zero()) WriteQuat("principal_axes", principal, json);
  json->Numbers("velocity", start.V_WB.data() + 3, 3);
  json->Numbers("angular_velocity", start.V_WB.data(), 3);
  json->Key("contact_points").BeginList();
  for (const Vec3& point_B : body.points_B) {
    const Vec3 point = body.ShownPoint(point_B);
    json->BeginList();
    for (int i = 0; i < 3; ++i) json->Number(point[i]);
    json->EndList();
  }
  json->EndList().Number("point_radius", body.point_radius);
  json->Text("start_offset", kOffsetNames[static_cast<int>(body.start_offset)]).EndObject();
}

void WriteSurface(const Surface& surface, const Config& config, JsonWriter* json) {
  json->BeginObject().Text("name", surface.name);
  json->Numbers("normal", surface.normal.data(), 3).Numbers("point", surface.point.data(), 3);
  json->Numbers("belt_axis", surface.belt_axis.data(), 3);
  json->Numbers("display_size", surface.display_size.data(), 2);
  json->Key("material");
  if (surface.material < 0) {
    json->Null();
  } else {
    json->Text(At(config.materials, surface.material).name);
  }
  json->Flag("moves", surface.drive >= 0).EndObject();
}

std::string_view ScaleName(Scale scale) {
  constexpr std::string_view kNames[] = {"linear", "log", "choice", "integer"};
  return kNames[static_cast<int>(scale)];
}

}  // namespace

void WriteParams(const Config& config, const Model* model, JsonWriter* json) {
  json->BeginObject();
  for (const ParamEntry& entry : ListParams(config)) {
    const ParamInfo& info = *entry.info;
    const double value = *GetParam(config, entry.path);
    json->Key(entry.path).BeginObject().Key("value");
    if (info.scale == Scale::kChoice) {
      json->Text(FormatValue(info, value));
    } else {
      json->Number(value);
    }
    json->Text("unit", info.unit);
    if (model != nullptr) {
      json->Text("label", info.label).Text("scale", ScaleName(info.scale));
      if (info.scale == Scale::kChoice) {
        json->Texts("choices", {info.choices.begin(), info.choices.end()});
      } else {
        json->Number("min", info.min)
            .Number("max", info.max)
            .Flag("zero", info.zero || info.min <= 0);
      }
      json->Flag("used", Uses(*model, config, entry))
          .Text("doc", info.doc)
          .Text("source", info.source);
    }
    json->EndObject();
  }
  json->EndObject();
}

void WriteScene(const Scene& scene, JsonWriter* json) {
  const Model& model = *scene.model;
  json->BeginObject().Text("id", scene.id).Text("title", scene.title).Text("story", scene.story);
  json->Text("source", scene.source).Texts("tags", scene.tags);
  json->Number("duration", scene.duration).Flag("planar", model.planar);
  json->Number("contact_margin", model.contact_margin).Number("fan_out", scene.fan_out);
  json->Texts("plots", scene.plots).Texts("chosen", scene.chosen);
  json->Key("bodies").BeginList(false);
  State start;
  SetStart(model, &start);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.shape_of_link >= 0) continue;
    // of links what their joints make of them
    BodyFrame frame{body.X_WB, body.V_WB};
    if (body.joint.parent >= 0)
      frame = {start.X_WB[b], CalcVelocity(model, start, static_cast<int>(b))};
    WriteBody(body, frame, model, scene.config, json);
  }
  json->EndList().Key("surfaces").BeginList(false);
  for (const Surface& surface : model.surfaces) WriteSurface(surface, scene.config, json);
  json->EndList().Key("parameters");
  WriteParams(scene.config, &model, json);
  json->Key("channels").BeginList(false);
  for (const ChannelSpec& channel : scene.channels) {
    // Only what the channel changes.
    json->BeginObject().Text("model", Info(channel.config.method()).id);
    for (const ParamEntry& entry : ListParams(channel.config)) {
      const double value = *GetParam(channel.config, entry.path);
      if (entry.path == kMethodParam || value == GetParam(scene.config, entry.path)) continue;
      json->Text(entry.path, FormatValue(*entry.info, value));
    }
    json->EndObject();
  }
  json->EndList().EndObject();
}

void WriteSeed(const Scene& scene, JsonWriter* json, bool note) {
  std::vector<const Pile*> random;
  for (const Pile& pile : scene.piles) {
    if (pile.jitter > 0 || pile.turned) random.push_back(&pile);
  }
  json->Key("seed");
  if (random.empty()) {
    json->Null();
  } else if (random.size() == 1) {
    json->Integer(random[0]->seed);
  } else {
    json->BeginObject();
    for (const Pile* pile : random) json->Integer(pile->name, pile->seed);
    json->EndObject();
  }
  if (!note) return;
  json->Text("seed_note", random.empty() ? "no random numbers in this run"
                                         : "of the places of the bodies in a pile");
}

}  // namespace slip
