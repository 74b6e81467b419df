// Meshes of MuJoCo's format that are not convex: hulls as there, or parts where a scene asks for
// them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/scene/robot_scene.h"
#include "tests/support/concave.h"
#include "tests/support/mjcf_models.h"
#include "tests/support/mjcf_scenes.h"

namespace slip::test {
namespace {

std::string Numbers(const Soup& soup) {
  std::string vertices, faces;
  for (const Vec3& p : soup.vertices) vertices += fmt::format("{} {} {} ", p.x(), p.y(), p.z());
  for (const auto& t : soup.triangles) faces += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  return fmt::format("vertex='{}' face='{}'", vertices, faces);
}

/// Two trays, which a pair brings together with a ball above the first, and a cube.
std::string Trays(const std::string& more = {}) {
  const Soup cube = GridSoup({{{0, 0.1}, {0, 0.1}, {0, 0.1}}}, [](int, int, int) { return true; });
  return MjcfWorld(
      "<geom name='floor' type='plane' size='2 2 1'/>"
      "<body name='a' pos='0 0 0.001'><freejoint/><geom name='ga' type='mesh' mesh='tray' "
      "density='500' rgba='1 0 0 1'/></body>"
      "<body name='b' pos='1 0 0.001'><freejoint/><geom type='mesh' mesh='tray' "
      "density='500'/></body>"
      "<body name='ball' pos='0 0 0.15'><freejoint/><geom name='gb' size='0.03' mass='0.2'/></body>"
      "<body name='cube' pos='0 1 0.001'><freejoint/><geom type='mesh' mesh='cube'/></body>",
      "<asset><mesh name='tray' " + Numbers(TraySoup()) + "/><mesh name='cube' " + Numbers(cube) +
          "/></asset>",
      more);
}

std::string SceneWith(const std::string& keys) {
  return "title = \"T\"\ntime_step = \"2 ms\"\n[material.m]\nstiffness = 1e5\ndissipation = 10\n"
         "relaxation_time = \"1 ms\"\n[surface.floor]\n[robot.r]\nfile = \"m.xml\"\n" +
         keys;
}

std::size_t ShapesOf(const Model& model, const std::string& link) {
  return static_cast<std::size_t>(std::count_if(
      model.bodies.begin(), model.bodies.end(),
      [&](const Body& body) { return body.shape_of_link >= 0 && body.name == link; }));
}

using MjcfMeshes = MjcfSceneTest;

TEST_F(MjcfMeshes, TouchWithTheirHullsWhichIsSaidOnce) {
  const auto robot = ReadMjcfString(Trays());
  ASSERT_TRUE(robot.ok()) << MjcfErrors(Trays());
  for (const char* link : {"a", "b", "cube"})
    EXPECT_EQ(robot->links[static_cast<std::size_t>(robot->FindLink(link))].collisions.size(), 1u);
  const auto said = [&](const std::string& word) {
    return std::count_if(robot->notes.begin(), robot->notes.end(), [&](const std::string& note) {
      return note.find(word) != std::string::npos;
    });
  };
  EXPECT_EQ(said("touch with their hulls, as in MuJoCo"), 1);
  // of meshes that are convex there is nothing to say
  const auto convex = ReadMjcfString(kMjcfModels[10].text);
  ASSERT_TRUE(convex.ok());
  for (const std::string& note : convex->notes)
    EXPECT_EQ(note.find("hulls"), std::string::npos) << note;
}

TEST_F(MjcfMeshes, AreDrawnAsTheyAre) {
  const auto robot = ReadMjcfString(Trays());
  ASSERT_TRUE(robot.ok());
  const RobotLink& tray = robot->links[static_cast<std::size_t>(robot->FindLink("a"))];
  ASSERT_EQ(tray.visuals.size(), 1u);
  EXPECT_EQ(tray.visuals[0].shape.kind, ShapeKind::kTriangleMesh);
  EXPECT_TRUE(tray.visuals[0].color.has_value());
  EXPECT_TRUE(tray.collisions[0].has_visual);
  // a mesh that is convex is its hull
  const RobotLink& cube = robot->links[static_cast<std::size_t>(robot->FindLink("cube"))];
  EXPECT_TRUE(cube.visuals.empty());
  EXPECT_FALSE(cube.collisions[0].has_visual);
}

TEST_F(MjcfMeshes, HavePartsWhereASceneAsksForThem) {
  for (const bool parts : {false, true}) {
    SCOPED_TRACE(parts);
    const auto scene =
        Read(Trays(), SceneWith(fmt::format("collision = \"{}\"\n", parts ? "parts" : "hull")));
    ASSERT_NE(scene, nullptr);
    EXPECT_EQ(ShapesOf(*scene->model, "r/a"), parts ? 5u : 1u);
    EXPECT_EQ(ShapesOf(*scene->model, "r/cube"), 1u);
    const Simulation sim = RunSteps(*scene, scene->config, 750);
    const double height = sim.state().X_WB[FindBody(*scene->model, "r/ball")].p.z();
    EXPECT_NEAR(height, 0.03 + (parts ? 0.01 : 0.06), 5e-4);
    // what it weighs is the mesh's, whatever it touches with
    EXPECT_NEAR(scene->model->bodies[FindBody(*scene->model, "r/a")].mass, 500 * kTrayVolume,
                1e-9 * kTrayVolume);
  }
}

TEST_F(MjcfMeshes, EveryPartHasTheFiltersAndPairsOfItsShape) {
  const std::string contact =
      "<contact><exclude body1='b' body2='cube'/><pair geom1='ga' geom2='gb' "
      "friction='0.2 0.2'/></contact>";
  WriteText(folder_.path("m.xml"), Trays(contact));
  const auto robot = ReadMjcf(folder_.path("m.xml"), MeshCollision::kParts);
  ASSERT_TRUE(robot.ok()) << robot.error().Text();
  const auto scene = ReadRobotScene(*robot, folder_.path("m.xml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const Model& model = *(*scene)->model;
  int pairs = 0, apart = 0, materials = 0;
  const auto robot_name = model.robots.front().name;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    for (int a = 0; a < b; ++a) {
      const Body &A = model.body(a), &B = model.body(b);
      if (!A.collides || !B.collides) continue;
      const auto are = [&](const char* one, const char* other) {
        const std::string x = robot_name + "/" + one, y = robot_name + "/" + other;
        return (A.name == x && B.name == y) || (A.name == y && B.name == x);
      };
      if (are("a", "ball")) {
        ++pairs;
        materials += model.meetings.FindMaterial(a, b) >= 0 ? 1 : 0;
      }
      if (are("b", "cube")) apart += model.Linked(a, b) ? 1 : 0;
    }
  }
  EXPECT_EQ(pairs, 5);
  EXPECT_EQ(materials, 5);
  EXPECT_EQ(apart, 5);
  const auto& shapes = robot->links[static_cast<std::size_t>(robot->FindLink("a"))].collisions;
  for (const RobotShape& shape : shapes) EXPECT_EQ(shape.material, shapes.front().material);
}

}  // namespace
}  // namespace slip::test
