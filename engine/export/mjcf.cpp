// MJCF: the frame of the file.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/rotation.h"
#include "engine/export/mjcf_parts.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh.h"

namespace slip {
namespace {

bool HasMotors(const ExportInput& input) {
  return std::any_of(input.config.joints.begin(), input.config.joints.end(),
                     [](const JointDrive& drive) { return drive.damping > 0; });
}

void WriteOptions(const MjcfWork& work) {
  XmlText& xml = *work.xml;
  const StepParams& step = work.input.config.step;
  xml.Open("compiler");
  xml.Set("angle", "radian");
  xml.Set("inertiafromgeom", "false");
  xml.Close();
  xml.Open("option");
  xml.Set("timestep", step.time_step);
  xml.Set("gravity", CalcGravity(step));
  xml.Set("cone", "elliptic");
  if (work.input.contacts) xml.Set("impratio", CalcImpedanceRatio(work));
  // it takes the damping of motors at the step's end, as they are here
  if (HasMotors(work.input)) xml.Set("integrator", "implicit");
  xml.Close();
}

void WriteAssets(const MjcfWork& work) {
  if (work.meshes->files().empty()) return;
  XmlText& xml = *work.xml;
  xml.Open("asset");
  for (const ExportFile& file : work.meshes->files()) {
    xml.Open("mesh");
    xml.Set("name", file.name);
    xml.Set("file", file.name);
    xml.Close();
  }
  xml.Close();
}

void WriteStart(const MjcfWork& work, const MjcfParts& parts) {
  constexpr std::size_t kMostCoordinates = 1000;  // that MuJoCo 2 reads
  XmlText* const xml = work.xml;
  if (parts.qpos.empty()) return;
  if (parts.qpos.size() > kMostCoordinates) {
    // bodies of their own stand where they start without it
    const auto moves = [](double x) { return x != 0; };
    const State& start = work.input.start;
    if (std::any_of(parts.qvel.begin(), parts.qvel.end(), moves) ||
        std::any_of(start.q.begin(), start.q.end(), moves))
      work.losses->Add(LossId::kStart,
                       fmt::format("MuJoCo reads a start of {} coordinates at most: joints begin "
                                   "at zero, and all at rest",
                                   kMostCoordinates));
    return;
  }
  xml->Open("keyframe");
  xml->Open("key");
  xml->Set("name", "start");
  xml->Set("qpos", NumberText(parts.qpos));
  xml->Set("qvel", NumberText(parts.qvel));
  if (!parts.control.empty()) xml->Set("ctrl", NumberText(parts.control));
  xml->Close();
  xml->Close();
}

/// MuJoCo reads no mesh that has no inside.
void TakeOutFlat(const Body& body, std::vector<ExportGeom>* geoms, Losses* losses) {
  const auto flat = [](const ExportGeom& geom) {
    return geom.shape.kind == ShapeKind::kTriangleMesh &&
           !CalcConvexHull(geom.shape.triangles->vertices).ok();
  };
  const auto end = std::remove_if(geoms->begin(), geoms->end(), flat);
  if (end == geoms->end()) return;
  losses->Add(LossId::kMesh, "a flat mesh is left out", body.name);
  geoms->erase(end, geoms->end());
}

/// Room for more contacts than MuJoCo 2 expects by itself; its memory grows with the square.
void WriteSize(const std::vector<std::vector<ExportGeom>>& geoms, XmlText* xml) {
  constexpr std::ptrdiff_t kFew = 25;
  std::ptrdiff_t count = 0;
  for (const auto& of_link : geoms)
    count += std::count_if(of_link.begin(), of_link.end(),
                           [](const ExportGeom& geom) { return geom.role != GeomRole::kVisual; });
  if (count <= kFew) return;
  xml->Open("size");
  xml->Set("nconmax", "500");
  xml->Set("njmax", "2000");
  xml->Close();
}

void WriteParts(const std::vector<std::vector<ExportGeom>>& geoms, const MjcfWork& work) {
  XmlText& xml = *work.xml;
  MjcfParts parts;
  WriteOptions(work);
  WriteSize(geoms, &xml);
  WriteAssets(work);
  xml.Open("worldbody");
  WriteMjcfSurfaces(work, &parts);
  WriteMjcfBodies(geoms, work, &parts);
  xml.Close();
  WriteMjcfContacts(work, parts);
  WriteMjcfMotors(work, &parts);
  WriteStart(work, parts);
}

}  // namespace

Export WriteMjcf(const ExportInput& input) {
  Losses losses;
  AddOwnLosses(input, &losses);
  const LinkFrames frames(input.model, input.start);
  const InverseMasses masses =
      CalcInverseMasses(input.model, MakeRestState(input.model, input.start));
  ExportMeshes meshes(input.stem);
  std::vector<std::vector<ExportGeom>> geoms(input.model.bodies.size());
  for (std::size_t b = 0; b < geoms.size(); ++b) {
    const Body& body = input.model.bodies[b];
    if (body.shape_of_link >= 0) continue;
    geoms[b] = GeomsOf(input.model, frames, static_cast<int>(b), &losses);
    TakeOutFlat(body, &geoms[b], &losses);
    for (const ExportGeom& geom : geoms[b]) {
      const bool surface = geom.shape.kind == ShapeKind::kTriangleMesh;
      if (surface || geom.shape.kind == ShapeKind::kConvex) (void)meshes.FileOf(geom.shape);
      if (surface && geom.role != GeomRole::kVisual)
        losses.Add(LossId::kMesh, "MuJoCo takes the convex hull of a mesh", body.name);
    }
  }
  const TouchTable touch(input.model, geoms);
  XmlText xml("mujoco");
  xml.Set("model", input.name);
  WriteParts(geoms, {input, frames, masses, touch, &xml, &meshes, &losses});
  Export out;
  out.losses = losses.Take();
  out.meshes = meshes.Take();
  xml.Head(HeadComment(input, out.losses));
  out.text = xml.Take();
  return out;
}

}  // namespace slip
