// check: validate files without a run; of a scene its first steps, too.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/reading_notice.h"
#include "app/host/print.h"
#include "engine/convex/problem_file.h"
#include "engine/fclib/fclib_problem.h"
#include "engine/geometry/mesh_source.h"
#include "engine/geometry/point_cloud.h"
#include "engine/geometry/shape_formats.h"
#include "engine/mjcf/mjcf.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/plan_notes.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "engine/study/study.h"
#include "engine/tell/robot_surprises.h"
#include "engine/urdf/robot_description.h"

namespace slip::app {
namespace {

Exit Say(const std::string& text) { return Print(text) ? kExitDone : kExitFailed; }

/// A line where a shape is so large that it is likely in millimetres.
std::string ScaleNote(const Shape& shape) {
  const double extent = FindLikelyMillimetres(shape);
  if (!(extent > 0)) return {};
  return fmt::format(
      "  {:.6g} m large: if these are millimetres, scenes read it with scale = 0.001\n", extent);
}

/// A mesh is checked for the most it could be: a solid, else fixed surroundings.
Exit CheckMesh(const std::string& path) {
  const auto source = ReadWithNotice(path, [&] { return ReadMeshSource(path, 1); });
  if (!source) {
    PrintErrors(source.errors());
    return kExitInput;
  }
  const auto surface =
      ReadWithNotice(path, [&] { return MakeTriangleMesh(*source, path, MeshUse::kSurface); });
  if (!surface) {
    PrintErrors(surface.errors());
    return kExitInput;
  }
  const TriangleMesh& mesh = surface->mesh;
  std::string text = fmt::format("{}: {} vertices, {} triangles, ", path, mesh.vertices.size(),
                                 mesh.triangles.size());
  const auto solid =
      ReadWithNotice(path, [&] { return MakeMovingMesh(*source, path, MeshCollision::kParts); });
  if (solid && mesh.open_edges == 0) {
    text +=
        fmt::format("closed, volume {:.6g} m^3; a body, or fixed surroundings\n", CalcVolume(mesh));
  } else {
    text += fmt::format("{} open edge{}; fixed surroundings only\n", mesh.open_edges,
                        mesh.open_edges == 1 ? "" : "s");
  }
  for (const std::string& note : solid ? solid->notes : surface->notes) {
    text += "  " + note + "\n";
  }
  Shape shape;
  shape.kind = solid ? ShapeKind::kConvex : ShapeKind::kTriangleMesh;
  if (solid) {
    // of all its parts together
    auto corners = std::make_shared<ConvexMesh>();
    corners->vertices = mesh.vertices;
    shape.convex = std::move(corners);
  }
  if (!solid) shape.triangles = std::make_shared<TriangleMesh>(mesh);
  text += ScaleNote(shape);
  if (FindMeshFormat(path)->suffix == ".ply")
    text += "  with shape = \"cloud\" its vertices are points\n";
  if (!solid) text += "  as a body: " + solid.error().message + " (" + solid.error().hint + ")\n";
  return Say(text);
}

Exit CheckProblem(const std::string& path) {
  const Result<ProblemFile> problem = ReadProblem(path);
  if (!problem) {
    PrintErrors(problem.errors());
    return kExitInput;
  }
  return Say(fmt::format("{}: contact problem, {} trees, {} contacts\n", path,
                         problem->problem.task.trees.size(),
                         problem->problem.task.contacts.size()));
}

Exit CheckFclib(const std::string& path) {
  const Result<FclibProblem> problem = ReadFclib(path);
  if (!problem) {
    PrintErrors(problem.errors());
    return kExitInput;
  }
  return Say(fmt::format("{}: contact problem of FCLIB, {} bodies, {} contacts\n", path,
                         problem->bodies, problem->task.contacts.size()));
}

/// A point cloud, its spheres as large as a scene makes them without a radius.
Exit CheckCloud(const std::string& path) {
  const Result<Imported<PointCloud>> cloud =
      ReadWithNotice(path, [&] { return ReadPointCloud(path, PointCloud().radius); });
  if (!cloud) {
    PrintErrors(cloud.errors());
    return kExitInput;
  }
  const std::vector<Vec3>& points = cloud->mesh.points;
  Vec3 low = points.front(), high = low;
  for (const Vec3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const Vec3 extent = high - low;
  std::string text = fmt::format("{}: point cloud, {} points, extent {:.6g} x {:.6g} x {:.6g} m\n",
                                 path, points.size(), extent.x(), extent.y(), extent.z());
  for (const std::string& note : cloud->notes) text += "  " + note + "\n";
  Shape shape;
  shape.kind = ShapeKind::kPointCloud;
  shape.cloud = std::make_shared<PointCloud>(cloud->mesh);
  text += ScaleNote(shape);
  return Say(text);
}

Exit CheckExperiment(const std::string& path) {
  const Result<RecordingFile> file = ReadRecording(path);
  if (!file) {
    PrintErrors(file.errors());
    return kExitInput;
  }
  const Recording& recording = *file->recording;
  if (const auto plan = MakeRunPlan(recording, recording.present, {}, {}); !plan) {
    PrintErrors(plan.errors());
    return kExitInput;
  }
  int64_t steps = 0;
  std::size_t channels = 0;
  for (const RecordedBranch& branch : recording.branches) {
    channels = std::max(channels, branch.lines.size());
    for (const RecordedLine& line : branch.lines) steps += line.line.end_step - line.line.fork_step;
  }
  for (const std::string& remark : file->remarks) PrintError(path + ": " + remark);
  const int branches = CountBranches(recording);
  const Exit said =
      Say(fmt::format("{}: experiment with scene \"{}\", {} branch{}, {} channel{}, {} steps\n",
                      path, recording.branches.front().scene->title, branches,
                      branches == 1 ? "" : "es", channels, channels == 1 ? "" : "s", steps));
  return said == kExitDone && !file->remarks.empty() ? kExitInput : said;
}

/// What the scene's robots are computed with, where that surprises.
std::string SurpriseLines(const Scene& scene) {
  std::string text;
  for (const Surprise& surprise : FindSurprises(scene))
    text += fmt::format("  {}: {}\n", WordOf(surprise.kind), SurpriseLine(surprise));
  return text;
}

Exit CheckRobot(const std::string& path) {
  const Result<RobotDescription> robot = ReadWithNotice(path, [&] { return ReadRobotFile(path); });
  if (!robot) {
    PrintErrors(robot.errors());
    return kExitInput;
  }
  // what "run" would make of it
  const auto scene = ReadWithNotice(path, [&] { return ReadRobotScene(*robot, path); });
  const Result<RunPlan> plan =
      scene ? MakeRunPlan(*scene, {}, {}, {}) : Result<RunPlan>(scene.errors());
  if (!plan) {
    for (Error error : plan.errors()) {
      if (error.file.empty()) error.file = path;
      PrintError(error);
    }
    return kExitInput;
  }
  if (!CheckPlan(*plan, {})) return kExitInput;
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  const std::size_t moving = MergeFixedLinks(*robot).joints.size();
  std::string text = fmt::format("{}: robot \"{}\", {}, {} ({} of them move), {:.6g} kg\n", path,
                                 robot->name, count(robot->links.size(), "link"),
                                 count(robot->joints.size(), "joint"), moving, robot->CalcMass());
  text += SurpriseLines(**scene);
  for (const std::string& remark : (*scene)->made) text += "  " + remark + "\n";
  for (const Surprise& note : FoldRemarks(robot->notes)) text += "  " + SurpriseLine(note) + "\n";
  return Say(text);
}

/// A scene, and the first step of each of its channels: what cannot move is reported here.
Exit CheckScene(const std::string& path) {
  const auto scene = ReadWithNotice(path, [&] { return FindScene(path); });
  if (!scene) {
    PrintErrors(scene.errors());
    return kExitInput;
  }
  const Result<RunPlan> plan = MakeRunPlan(*scene, {}, {}, {});
  if (!plan) {
    PrintErrors(plan.errors());
    return kExitInput;
  }
  if (!CheckPlan(*plan, {})) return kExitInput;
  std::vector<ToldNote> of_steps;
  if (const Status steps = CheckFirstSteps(*plan, &of_steps); !steps) {
    PrintErrors(steps.errors());
    return kExitInput;
  }
  // shapes of links and convex parts of bodies are none of their own
  const std::vector<Body>& bodies = (*scene)->model->bodies;
  const auto count = std::count_if(bodies.begin(), bodies.end(),
                                   [](const Body& body) { return body.shape_of_link < 0; });
  std::string text = fmt::format("{}: scene \"{}\", {} bodies, {} channels\n", path,
                                 (*scene)->title, count, (*scene)->channels.size());
  text += SurpriseLines(**scene);
  for (const Surprise& note : FoldRemarks((*scene)->notes))
    text += "  " + SurpriseLine(note) + "\n";
  for (const PlanNote& note : PlanNotes(*plan)) text += "  " + note.text + "\n";
  for (const ToldNote& note : of_steps)
    text += "  " + note.text + (note.advice.empty() ? "" : " (" + note.advice + ")") + "\n";
  return Say(text);
}

/// A study with all its values, and with those of --quick.
Exit CheckStudy(const std::string& path) {
  std::string text;
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  for (const bool quick : {false, true}) {
    const Result<Study> study = FindStudy(path, quick);
    if (!study) {
      PrintErrors(study.errors());
      return kExitInput;
    }
    text = quick ? fmt::format("{}, {} with --quick\n", text, study->cells())
                 : fmt::format("{}: study \"{}\", {}, {}, {}", path, study->title,
                               count(study->figures.size(), "figure"),
                               count(study->conditions.size(), "statement"),
                               count(study->cells(), "cell"));
  }
  return Say(text);
}

/// Says what the file is, or what is wrong with it.
Exit CheckFile(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (IsPointFile(path)) return CheckCloud(path);
  if (FindMeshFormat(path) != nullptr) return CheckMesh(path);
  if (IsFclibName(path)) return CheckFclib(path);
  if (extension == ".json") return IsExperiment(path) ? CheckExperiment(path) : CheckProblem(path);
  if (IsOfRobots(path)) return CheckRobot(path);
  if (extension == ".toml" && IsStudyFile(path)) return CheckStudy(path);
  return CheckScene(path);
}

}  // namespace

int CheckCommand(const CheckOptions& options) {
  int exit = kExitDone;
  for (const std::string& file : options.files) {
    const Exit found = CheckFile(file);
    if (found == kExitFailed) return found;
    if (found != kExitDone) exit = found;
  }
  return exit;
}

}  // namespace slip::app
