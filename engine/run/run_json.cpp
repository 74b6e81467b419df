// JSON of a run: the resolved scene, parameters, metrics.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

#include "engine/control/controllers.h"
#include "engine/core/param_text.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometry/mesh.h"
#include "engine/run/recorder.h"
#include "engine/sim/part_signals.h"
#include "engine/tell/step_report.h"

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
    json->Text("parent", model.bodies[static_cast<std::size_t>(body.joint.parent)].name);
  }
  json->Text("material", config.materials[static_cast<std::size_t>(body.material)].name);
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
    json->Text(config.materials[static_cast<std::size_t>(surface.material)].name);
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
    if (body.part_of >= 0) continue;
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

void WriteOutcome(const ChannelResult& channel, JsonWriter* json) {
  json->Text("status", Name(channel.status)).Key("failure");
  if (channel.failure.empty()) {
    json->Null();
  } else {
    json->Text(channel.failure);
  }
}

void WriteNotes(const ChannelResult& channel, std::string_view label, JsonWriter* json) {
  json->Key("notes").BeginList(false);
  for (const ToldNote& note : channel.Told(label)) {
    json->BeginObject().Text("kind", note.id).Text("text", note.text);
    json->Text("advice", note.advice).EndObject();
  }
  json->EndList();
}

void WriteReport(const Simulation& simulation, JsonWriter* json) {
  ChannelFrame frame;
  simulation.Fill(&frame);
  const StepReport report = ReportOf(simulation.model(), frame);
  json->Key("last_step").BeginObject();
  for (const Figure& figure : report.figures) json->Number(figure.id, figure.value);
  json->EndObject();
}

/// Counts of what guards energy.
void WriteGuard(const std::vector<StepNote>& notes, JsonWriter* json) {
  if (const StepNote* note = Find(notes, "halved"))
    json->Integer("halved_steps", note->steps)
        .Integer("pieces_of_halved_steps", static_cast<int64_t>(note->sum));
  if (const StepNote* note = Find(notes, "beyond")) json->Integer("unstable_steps", note->steps);
  if (const StepNote* note = Find(notes, "gained"))
    json->Integer("gaining_steps", note->steps).Number("largest_gain", note->worst);
}

std::string FormatMetrics(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                          const RunResult& result) {
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.metrics/1").Text("scene", plan.scene->id);
  json.Key("models").BeginObject();
  for (std::size_t c = 0; c < metrics.size(); ++c) {
    const ChannelMetrics& m = metrics[c];
    json.Key(plan.labels[c]).BeginObject();
    WriteOutcome(result.channels[c], &json);
    // its key names what it began with
    if (m.methods.size() > 1) {
      json.Key("methods").BeginList(false);
      for (const ChannelMetrics::MethodSpan& span : m.methods)
        json.BeginObject()
            .Number("from", span.from)
            .Text("method", Info(span.method).id)
            .EndObject();
      json.EndList();
    }
    json.Integer("steps", m.steps);
    json.Integer("not_converged_steps", result.channels[c].not_converged);
    WriteGuard(result.channels[c].notes.List(), &json);
    json.Key("signals").BeginObject();
    std::vector<std::string> missing;
    const Model& model = *plan.scene->model;
    for (const Signal signal : ListSignals(model)) {
      const SignalInfo& info = Info(signal);
      if (info.is_wall) continue;  // wall times stand aside, below
      const std::string name = NameOf(model, signal);
      json.Key(name);
      if (!m.stats.Get(Reduction::kLast, signal)) {
        json.Null();
        missing.push_back(name);
        continue;
      }
      const auto get = [&](Reduction r) { return *m.stats.Get(r, signal); };
      json.BeginObject().Number("max", get(Reduction::kMax)).Number("min", get(Reduction::kMin));
      json.Number("mean", get(Reduction::kMean)).Number("rms", get(Reduction::kRms));
      json.Number("last", get(Reduction::kLast)).Text("unit", info.unit).EndObject();
    }
    json.EndObject().Key("null_reasons").BeginObject();
    for (const std::string& name : missing) {
      json.Text(name, m.steps == 0 ? "no step was made"
                                   : "no finite value in any step: the model does not define it, "
                                     "or nothing was in contact");
    }
    json.EndObject().Key("wall_us").BeginObject();
    json.Number("median", m.WallQuantile(0.5)).Number("p99", m.WallQuantile(0.99));
    // where it goes, on average
    for (const SignalInfo& info : SignalTable()) {
      if (!info.is_wall || info.id == Signal::kStepTimeUs) continue;
      if (const auto mean = m.stats.Get(Reduction::kMean, info.id))
        json.Number(info.name.substr(0, info.name.find('_')), *mean);
    }
    json.EndObject();
    json.EndObject();
  }
  json.EndObject().EndObject();
  return json.Take();
}

}  // namespace slip
