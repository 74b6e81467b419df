// What a mesh touches with that is not convex and moves: a ball lies in a tray, and not on its lid.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh_source.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "engine/urdf/robot_description.h"
#include "tests/support/concave.h"
#include "tests/support/mesh_files.h"
#include "tests/support/models.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

constexpr double kBall = 0.03;  // radius [m]

/// A mesh 1 mm above the ground, and a ball over it.
std::string SceneOf(const std::string& file, const std::string& keys, double height,
                    const std::string& motion = "free") {
  return fmt::format(R"(
title = "A ball and a mesh"
time_step = "2 ms"
[material.wood]
stiffness = 1e5
dissipation = 10
relaxation_time = "1 ms"
friction = 0.5
[surface.ground]
[body.mesh]
shape = "mesh"
file = "{}"
density = 500
position = [0, 0, {}]
motion = "{}"
{}
[body.ball]
shape = "sphere"
radius = {}
mass = 0.2
position = [0, 0, 0.15]
)",
                     file, height, motion, keys, kBall);
}

Result<std::shared_ptr<const Scene>> ReadIn(const TempFolder& folder, const std::string& text) {
  return ReadSceneText(text, folder.path("scene.toml"));
}

const Body& Named(const Model& model, std::string_view name) {
  return *std::find_if(model.bodies.begin(), model.bodies.end(),
                       [&](const Body& body) { return body.name == name; });
}

/// The height of a point of the mesh's file, and of the ball, at the end of a run.
struct AtRest {
  double point = 0, ball = 0;
};
AtRest RunScene(const Scene& scene, const Vec3& p_file, double seconds = 1.5) {
  Simulation simulation(scene.model, scene.channels.at(0).config);
  while (simulation.time() < seconds) {
    if (!Advanced(simulation.Step())) {
      ADD_FAILURE() << simulation.failure();
      return {};
    }
  }
  const Model& model = *scene.model;
  const Body& mesh = Named(model, "mesh");
  const auto& X = simulation.state().X_WB;
  AtRest rest;
  rest.point =
      (X[static_cast<std::size_t>(&mesh - model.bodies.data())] * (mesh.X_BL * p_file)).z();
  rest.ball = X[static_cast<std::size_t>(&Named(model, "ball") - model.bodies.data())].p.z();
  return rest;
}

/// Of the centre of mass of a mesh that stands on z = 0.
double CenterHeight(const Soup& soup) { return CalcMassProperties(Clean(soup), 1).p_com.z(); }

TEST(MeshCollision, ABallLiesInATray) {
  const TempFolder folder;
  WriteText(folder.path("tray.stl"), StlBytes(TraySoup()));
  WriteText(folder.path("tray.obj"), ObjText(TraySoup()));
  for (const char* file : {"tray.stl", "tray.obj"}) {
    const auto scene = ReadIn(folder, SceneOf(file, "", CenterHeight(TraySoup()) + 1e-3));
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    EXPECT_TRUE(HasNote((*scene)->notes, "concave and moves: 5 convex parts (largest error"))
        << (*scene)->notes.size();
    const AtRest rest = RunScene(**scene, {0, 0, 0.01});
    // as deep as the contacts are, and the tray with what is on it
    EXPECT_NEAR(rest.point, 0.01, 1e-4) << file;
    EXPECT_NEAR(rest.ball - rest.point, kBall, 1e-4) << file;
  }
}

TEST(MeshCollision, OfAHullItLiesOnTheLid) {
  const TempFolder folder;
  WriteText(folder.path("tray.stl"), StlBytes(TraySoup()));
  const auto scene = ReadIn(folder, SceneOf("tray.stl", "collision = \"hull\"", 0.032));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_TRUE(HasNote((*scene)->notes, "not convex: its convex hull is used"));
  EXPECT_EQ((*scene)->model->bodies.size(), 2u);
  const AtRest rest = RunScene(**scene, {0, 0, 0.06});
  EXPECT_NEAR(rest.ball - rest.point, kBall, 1e-4);
}

TEST(MeshCollision, ABallFallsThroughARing) {
  const TempFolder folder;
  const Soup ring = RingSoup(48, 0.1, 0.06, 0.03);
  WriteText(folder.path("ring.stl"), StlBytes(ring));
  for (const bool hull : {false, true}) {
    const auto scene =
        ReadIn(folder, SceneOf("ring.stl", hull ? "collision = \"hull\"" : "", 0.016));
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    const AtRest rest = RunScene(**scene, {0, 0, 0});
    EXPECT_NEAR(rest.point, 0, 1e-4);
    EXPECT_NEAR(rest.ball, hull ? 0.03 + kBall : kBall, 2e-4) << hull;
  }
}

TEST(MeshCollision, ItWeighsWhatTheMeshDoes) {
  const TempFolder folder;
  Soup ell = EllSoup();
  WriteText(folder.path("ell.stl"), StlBytes(ell));
  const auto scene = ReadIn(folder, SceneOf("ell.stl", "", 0.3));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const Model& model = *(*scene)->model;
  ASSERT_EQ(model.bodies.size(), 4u);
  const Body& body = Named(model, "mesh");
  // two bars
  const Vec3 bars[] = {{0.05, 0.05, 0.2}, {0.15, 0.05, 0.05}};
  const Vec3 centers[] = {{0.025, 0.025, 0.1}, {0.125, 0.025, 0.025}};
  double mass = 0;
  Vec3 com = Vec3::Zero();
  for (int i = 0; i < 2; ++i)
    mass += 500 * bars[i].prod(), com += 500 * bars[i].prod() * centers[i];
  com /= mass;
  Mat3 inertia = Mat3::Zero();
  for (int i = 0; i < 2; ++i) {
    const double m = 500 * bars[i].prod();
    const Vec3 s = bars[i].cwiseAbs2(), d = centers[i] - com;
    inertia += m / 12 * Mat3(Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal());
    inertia += m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  EXPECT_NEAR(body.mass, mass, 1e-7 * mass);
  EXPECT_LT((body.X_BL * com).norm(), 1e-8);
  const Mat3 R = body.X_BL.q.toRotationMatrix();
  EXPECT_TRUE(Mat3(body.inertia_B.asDiagonal()).isApprox(R * inertia * R.transpose(), 1e-6));
  // the parts hang where the mesh is
  Eigen::AlignedBox3d box;
  for (const Body& part : model.bodies) {
    if (part.shape_of_link < 0) continue;
    EXPECT_EQ(part.mass, 0);
    EXPECT_EQ(part.name, "mesh");
    EXPECT_TRUE(part.collides);
    for (const Vec3& p : part.shape.convex->vertices)
      box.extend(Vec3(body.X_BL.q.conjugate() * (part.joint.X_PF * p - body.X_BL.p)));
  }
  EXPECT_TRUE(box.min().isZero(1e-7)) << box.min().transpose();
  EXPECT_TRUE(box.max().isApprox(Vec3(0.2, 0.05, 0.2), 1e-6));
}

TEST(MeshCollision, OnlyWhatIsFreeHasParts) {
  const TempFolder folder;
  WriteText(folder.path("tray.stl"), StlBytes(TraySoup()));
  const auto upright = ReadIn(folder, SceneOf("tray.stl", "", 0.032, "upright"));
  ASSERT_TRUE(upright.ok()) << upright.error().Text();
  EXPECT_EQ((*upright)->model->bodies.size(), 2u);
  EXPECT_TRUE(HasNote((*upright)->notes, "its convex hull is used"));
  const auto refused =
      ReadIn(folder, SceneOf("tray.stl", "collision = \"parts\"", 0.032, "upright"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().Text().find("only a body with motion = \"free\" can have parts"),
            std::string::npos)
      << refused.error().Text();
  const auto unknown = ReadIn(folder, SceneOf("tray.stl", "collision = \"pieces\"", 0.032));
  ASSERT_FALSE(unknown.ok());
}

TEST(MeshCollision, PartsTakeTheMaterialOfTheirBody) {
  const TempFolder folder;
  WriteText(folder.path("tray.stl"), StlBytes(TraySoup()));
  const auto scene = ReadIn(folder, SceneOf("tray.stl", "", 0.032));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  Config config = (*scene)->config;
  ASSERT_TRUE(SetParam(&config, "body.mesh.own_material", 1).ok());
  const auto model = (*scene)->ModelFor(config);
  for (const Body& body : model->bodies)
    EXPECT_EQ(body.material, body.name == "mesh" ? 1 : 0) << body.name;
}

TEST(MeshCollision, APileHasPartsToo) {
  const TempFolder folder;
  WriteText(folder.path("ell.stl"), StlBytes(EllSoup()));
  const auto scene = ReadIn(folder, R"(
title = "A pile"
time_step = "2 ms"
[material.wood]
stiffness = 1e5
dissipation = 10
relaxation_time = "1 ms"
friction = 0.5
[surface.ground]
[pile.ells]
bodies = 3
first = [0, 0, 0.3]
spacing = [0.3, 0.3, 0.3]
[[pile.ells.body]]
shape = "mesh"
file = "ell.stl"
density = 500
)");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const Model& model = *(*scene)->model;
  ASSERT_EQ(model.bodies.size(), 9u);
  EXPECT_EQ(model.nv, 18);
  for (std::size_t b = 0; b < 9; ++b)
    EXPECT_EQ(model.bodies[b].shape_of_link, b % 3 == 0 ? -1 : static_cast<int>(b - b % 3));
  Simulation simulation((*scene)->model, (*scene)->channels.at(0).config);
  while (simulation.time() < 1) ASSERT_TRUE(Advanced(simulation.Step())) << simulation.failure();
  for (const Pose& X : simulation.state().X_WB) EXPECT_GT(X.p.z(), 0);
}

std::string TrayRobot(const std::string& file, const std::string& more = {}) {
  return RobotText(
      LinkText("a", kBody + fmt::format("<collision><geometry><mesh filename=\"{}\" {}/></geometry>"
                                        "</collision>",
                                        file, more)) +
      JointText("j", "continuous", "base", "a"));
}

TEST(MeshCollision, LinksOfRobotsHaveParts) {
  const TempFolder folder;
  Soup tray = TraySoup();
  WriteText(folder.path("tray.obj"), ObjText(tray));
  for (Vec3& p : tray.vertices) p *= 1000;
  WriteText(folder.path("tray.stl"), StlBytes(tray));
  for (const auto& [file, scale] :
       {std::pair("tray.obj", ""), std::pair("tray.stl", "scale=\"0.001 0.001 0.001\""),
        std::pair("tray.stl", "scale=\"-0.001 0.001 0.001\"")}) {
    const auto robot = ReadUrdfText(TrayRobot(file, scale), "r.urdf", folder.path());
    ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
    EXPECT_TRUE(HasNote(robot->notes, "concave and moves: 5 convex parts")) << file << scale;
    const auto& shapes = robot->links[1].collisions;
    ASSERT_EQ(shapes.size(), 5u) << file << scale;
    double volume = 0;
    Eigen::AlignedBox3d box;
    for (const RobotShape& shape : shapes) {
      volume += CalcMassProperties(*shape.shape.convex, 1).volume;
      for (const Vec3& p : shape.shape.convex->vertices) box.extend(Vec3(shape.X_LS * p));
    }
    EXPECT_NEAR(volume, kTrayVolume, 1e-6 * kTrayVolume);
    EXPECT_TRUE(box.min().isApprox(Vec3(-0.2, -0.15, 0), 1e-6)) << box.min().transpose();
    const auto hull =
        ReadUrdfText(TrayRobot(file, scale), "r.urdf", folder.path(), MeshCollision::kHull);
    ASSERT_TRUE(hull.ok()) << ErrorsOf(hull);
    EXPECT_EQ(hull->links[1].collisions.size(), 1u);
  }
  WriteText(folder.path("r.urdf"), TrayRobot("tray.obj"));
  for (const bool parts : {true, false}) {
    const auto scene = ReadIn(folder, fmt::format(R"(
title = "A robot"
[material.wood]
[robot.r]
file = "r.urdf"
base = "fixed"
collision = "{}"
)",
                                                  parts ? "parts" : "hull"));
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    const auto& bodies = (*scene)->model->bodies;
    EXPECT_EQ(std::count_if(bodies.begin(), bodies.end(),
                            [](const Body& body) { return body.shape_of_link >= 0; }),
              parts ? 5 : 1);
  }
}

/// $XDG_CACHE_HOME as long as it lives.
class CacheFolder {
 public:
  CacheFolder() : before_(std::getenv("XDG_CACHE_HOME")) {
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~CacheFolder() { setenv("XDG_CACHE_HOME", before_.c_str(), 1); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  std::vector<std::string> Entries() const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
      if (entry.is_regular_file()) paths.push_back(entry.path().string());
    return paths;
  }

 private:
  TempFolder folder_;
  std::string before_;
};

TEST(MeshCollision, PartsAreFoundOnce) {
  const TempFolder folder;
  WriteText(folder.path("tray.obj"), ObjText(TraySoup()));
  WriteText(folder.path("ell.obj"), ObjText(EllSoup()));
  const CacheFolder cache;
  const auto read = [&](const char* file) {
    auto mesh =
        MakeMovingMesh(ReadMeshSource(folder.path(file), 1).value(), file, MeshCollision::kParts);
    EXPECT_TRUE(mesh.ok());
    return std::move(mesh.value().mesh.parts);
  };
  const auto first = read("tray.obj");
  ASSERT_EQ(cache.Entries().size(), 1u);
  const auto again = read("tray.obj");
  ASSERT_EQ(first.size(), 5u);
  ASSERT_EQ(again.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(first[i].vertices, again[i].vertices);
    EXPECT_EQ(first[i].face_corners, again[i].face_corners);
  }
  // it is the cache that answers: with what somebody else's mesh has
  const std::string trays = cache.Entries().front();
  const std::string whole = slip::ReadText(trays);
  EXPECT_EQ(read("ell.obj").size(), 2u);
  for (const std::string& path : cache.Entries())
    if (path != trays) WriteText(path, whole);
  EXPECT_EQ(read("ell.obj").size(), 5u);
  // what is damaged is made anew
  for (const std::string& path : cache.Entries())
    WriteText(path, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(read("ell.obj").size(), 2u);
}

}  // namespace
}  // namespace slip::test
