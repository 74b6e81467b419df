// Every scene loads; every bad input is told where and why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "engine/geometry/mesh.h"
#include "engine/run/study/sweep_plan.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/scene.h"
#include "engine/sim/expression.h"
#include "engine/sim/snapshot.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"

namespace slip {
namespace {

/// A small complete scene with extra lines appended.
std::string Minimal(const std::string& extra = {}, const std::string& body = {}) {
  return "title = \"t\"\n" + extra + "\n[material.steel]\nstiffness = 1e7\n[surface.ground]\n" +
         "[body.box]\nshape = \"box\"\nsize = [0.1, 0.2, 0.3]\nmass = 2\n" + body + "\n";
}

TEST(Scenes, EveryFileLoads) {
  const std::vector<std::string> names = ListScenes();
  ASSERT_GE(names.size(), 8u);
  for (const std::string& name : names) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    const Scene& s = **scene;
    EXPECT_EQ(s.id, name);
    EXPECT_FALSE(s.title.empty() || s.story.empty() || s.source.empty() || s.tags.empty()) << name;
    EXPECT_GE(s.channels.size(), 1u);
    EXPECT_LE(s.channels.size(), std::size_t{Snapshot::kMaxChannels});
    EXPECT_FALSE(s.chosen.empty()) << name;
    EXPECT_GE(s.lesson.cards.size(), 3u) << name;
    EXPECT_LE(s.lesson.cards.size(), 5u) << name;
    for (const LessonCard& card : s.lesson.cards) {
      EXPECT_FALSE(card.done_when.empty()) << name << ": " << card.title;
      EXPECT_FALSE(card.seen.empty()) << name << ": " << card.title;
      EXPECT_FALSE(card.hint.empty()) << name << ": " << card.title;
    }
  }
}

TEST(Scenes, MeshesAndCloudsComeFromTheirFolders) {
  const auto with = [](const std::string& shape) {
    return ReadSceneText("title = \"t\"\n[material.steel]\n[body.a]\nmass = 1\n" + shape, "t.toml");
  };
  const auto cloud = with("shape = \"cloud\"\nfile = \"bunny.xyz\"\nradius = 0.002\n");
  ASSERT_TRUE(cloud.ok()) << cloud.error().Text();
  EXPECT_EQ((*cloud)->model->bodies[0].shape.cloud->points.size(), 992u);
  const auto mesh = with("shape = \"mesh\"\nfile = \"bunny.obj\"\ncollision = \"hull\"\n");
  ASSERT_TRUE(mesh.ok()) << mesh.error().Text();
  EXPECT_GT((*mesh)->model->bodies[0].shape.convex->vertices.size(), 100u);
  EXPECT_FALSE(with("shape = \"cloud\"\nfile = \"bunny.pcd\"\n").ok());
}

TEST(Scenes, CloudsAreSampledFromMeshes) {
  const auto with = [](const std::string& keys) {
    return ReadSceneText("title = \"t\"\n[material.steel]\n[body.a]\nshape = \"cloud\"\n" + keys,
                         "t.toml");
  };
  const auto points_of = [](const auto& scene) {
    return (*scene)->model->bodies[0].shape.cloud->points;
  };
  const std::string bunny = "mesh = \"bunny.obj\"\nsamples = 992\nmass = 0.4\n";
  const auto scene = with(bunny);
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_EQ(points_of(scene).size(), 992u);
  EXPECT_EQ(points_of(with(bunny)), points_of(scene));
  EXPECT_EQ(Hash(*(*with(bunny))->model), Hash(*(*scene)->model));
  // sizes scale, moments with their square
  const auto twice = with(bunny + "scale = 2\nradius = 2e-3\n");
  ASSERT_TRUE(twice.ok()) << twice.error().Text();
  EXPECT_LT((points_of(twice)[7] - 2 * points_of(scene)[7]).norm(), 1e-9);
  EXPECT_EQ(points_of(with("mesh = \"bunny.obj\"\nsamples = 1\nmass = 1\n")).size(), 1u);

  const auto refused = [&](const std::string& keys, const std::string& part, int line) {
    const auto result = with(keys);
    ASSERT_FALSE(result.ok()) << keys;
    std::string text;
    for (const Error& error : result.errors()) text += error.Text() + "\n";
    EXPECT_NE(text.find(part), std::string::npos) << keys << text;
    EXPECT_EQ(result.error().line, line) << text;
    EXPECT_EQ(result.errors().size(), 1u) << text;
  };
  const std::string mesh = "mass = 1\nmesh = \"bunny.obj\"\n";
  refused(mesh + "samples = 0\n", "samples must be >= 1 (found 0)", 7);
  refused(mesh + "samples = -5\n", "samples must be >= 1", 7);
  refused(mesh + "samples = 1000001\n", "samples must be <= 1e6 (found 1000001)", 7);
  refused(mesh + "samples = 2.5\n", "samples must be a whole number (found 2.5)", 7);
  refused(mesh + "samples = \"many\"\n", "samples", 7);
  refused(mesh, "needs 'samples': how many points to take on the mesh", 3);
  refused(mesh + "samples = 9\nfile = \"bunny.xyz\"\n", "[body.a] has both file and mesh", 6);
  refused("mass = 1\nfile = \"bunny.xyz\"\nsamples = 9\n", "samples are taken of a mesh", 7);
  refused("mass = 1\n", "needs 'file': the name of a file of points, or mesh and samples", 3);
  refused("mass = 1\nmesh = \"no_such.obj\"\nsamples = 9\n", "no such file", 6);
  refused("mass = 1\nmesh = \"\"\nsamples = 9\n", "mesh must be the name of a mesh file", 6);
  refused("mass = 1\nfile = \"\"\n", "file must be the name of a file of points (found \"\")", 6);
  const auto mesh_body = ReadSceneText(
      "title = \"t\"\n[material.steel]\n[body.a]\nshape = \"mesh\"\nfile = \"\"\nmass = 1\n",
      "t.toml");
  ASSERT_FALSE(mesh_body.ok());
  EXPECT_EQ(mesh_body.error().line, 5);
}

TEST(Scenes, CloudsHaveTheMassOfTheirHulls) {
  const auto with = [](const std::string& keys) {
    return ReadSceneText("title = \"t\"\n[material.steel]\n[body.a]\n" + keys, "t.toml");
  };
  // the corners of a box, and a point inside
  const std::string path = testing::TempDir() + "hull.xyz";
  std::ofstream(path) << "0 0 0\n1 0 0\n0 2 0\n0 0 3\n1 2 0\n1 0 3\n0 2 3\n1 2 3\n0.5 1 1\n";
  const std::string cloud = "shape = \"cloud\"\nradius = 0\nfile = \"" + path + "\"\n";
  const auto scene = with(cloud + "inertia = \"hull\"\ndensity = 500\nposition = [0, 0, 5]\n");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const Body& body = (*scene)->model->bodies[0];
  EXPECT_NEAR(body.mass, 3000, 1e-9);
  const Vec3 moments(3000 / 12.0 * (4 + 9), 3000 / 12.0 * (1 + 9), 3000 / 12.0 * (1 + 4));
  EXPECT_LT((body.inertia_B - moments).norm(), 1e-9);
  EXPECT_LT((body.shape.cloud->points[0] - Vec3(-0.5, -1, -1.5)).norm(), 1e-12);
  const auto by_mass = with(cloud + "inertia = \"hull\"\nmass = 6\n");
  ASSERT_TRUE(by_mass.ok());
  EXPECT_LT(((*by_mass)->model->bodies[0].inertia_B - moments / 500).norm(), 1e-12);
  EXPECT_TRUE(with(cloud + "inertia = \"hull\"\nmotion = \"fixed\"\n").ok());

  const auto refused = [&](const std::string& keys, const std::string& part) {
    const auto result = with(keys);
    ASSERT_FALSE(result.ok()) << keys;
    EXPECT_NE(result.error().Text().find(part), std::string::npos) << result.error().Text();
    EXPECT_EQ(result.errors().size(), 1u) << result.error().Text();
  };
  refused(cloud + "mass = 1\n", "give center_of_mass and inertia, or inertia = \"hull\"");
  refused(cloud + "mass = 1\ninertia = \"hull\"\ncenter_of_mass = [0, 0, 0]\n", "has its own");
  refused("shape = \"box\"\nsize = [1, 1, 1]\nmass = 1\ninertia = \"hull\"\n",
          "inertia = \"hull\" needs shape = \"cloud\"");
  refused(cloud + "density = 1\ninertia = [1, 1, 1]\ncenter_of_mass = [0, 0, 0]\n",
          "points of radius 0 have no volume");
  std::ofstream(path) << "0 0 0\n1 0 0\n0 2 0\n1 2 0\n";
  refused(cloud + "mass = 1\ninertia = \"hull\"\n", "a body of points needs a hull with volume");
  std::filesystem::remove(path);
}

TEST(Scenes, ConveyorIsTheOneOfThePaper) {
  const auto result = FindScene("conveyor");
  ASSERT_TRUE(result.ok());
  const Scene& s = **result;
  EXPECT_TRUE(s.model->planar);
  EXPECT_EQ(s.model->nv, 2);
  EXPECT_EQ(s.model->bodies[0].points_B.size(), 1u);
  EXPECT_EQ(s.channels.size(), 3u);
  EXPECT_EQ(s.channels[1].config.method(), method_id::kLagged);
  EXPECT_EQ(s.config.step.time_step, 0.01);
  EXPECT_EQ(s.config.materials[0].relaxation_time, 1e-4);
  EXPECT_EQ(s.model->surfaces[0].material, -1);
  EXPECT_EQ(s.model->surfaces[0].drive, 0);
  EXPECT_EQ(s.config.surfaces[0].belt_amplitude, 0.2);
}

TEST(Scenes, RodTipTouchesTheGround) {
  const auto result = FindScene("sliding-rod");
  ASSERT_TRUE(result.ok());
  const Body& rod = (*result)->model->bodies[0];
  const Vec3 tip = rod.X_WB * rod.points_B[0];
  EXPECT_NEAR(tip.x(), 0.25 * std::cos(3.14159265358979323846 / 6), 1e-15);
  EXPECT_NEAR(tip.z(), 0, 1e-15);
  EXPECT_NEAR(rod.inertia_B.y(), 0.3 * 0.25 / 12, 1e-16);
  EXPECT_EQ(rod.point_radius, 0);
}

TEST(Scenes, SphereWeighsWhatSteelWeighs) {
  const auto result = FindScene("falling-sphere");
  ASSERT_TRUE(result.ok());
  const Body& sphere = (*result)->model->bodies[0];
  EXPECT_NEAR(sphere.mass, 4.084070449667, 1e-11);
  EXPECT_NEAR(sphere.inertia_B.y(), 0.4 * sphere.mass * 0.0025, 1e-15);
  EXPECT_EQ(sphere.point_radius, 0.05);
  EXPECT_EQ(sphere.nv, 3);
}

TEST(Reader, FillsTheModel) {
  const auto result = ReadSceneText(
      Minimal("",
              "contact_points = \"grid\"\nvelocity = [1, 2, 3]\n[body.ball]\nshape = \"sphere\"\n"
              "radius = \"5 cm\"\ndensity = 1000\nmotion = \"planar\"\n[body.bar]\n"
              "shape = \"capsule\"\nradius = 0.1\nlength = 1\nmass = 3\nmotion = \"z\""),
      "t.toml");
  ASSERT_TRUE(result.ok()) << result.error().Text();
  const Model& model = *(*result)->model;
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[0].points_B.size(), 26u);
  EXPECT_EQ(model.bodies[0].name, "box");
  EXPECT_EQ(model.bodies[2].points_B.size(), 2u);
  EXPECT_EQ(model.bodies[2].point_radius, 0.1);
  EXPECT_EQ(model.bodies[1].v_start, 6);
  EXPECT_EQ(model.bodies[2].v_start, 9);
  EXPECT_EQ(model.bodies[1].dof[0], 1);
  EXPECT_EQ(model.bodies[2].dof[0], 5);
  EXPECT_EQ(model.nv, 10);
  EXPECT_FALSE(model.planar);
  EXPECT_EQ(model.bodies[2].first_key, 27);
  EXPECT_DOUBLE_EQ(model.bodies[0].inertia_B.x(), 2.0 / 12 * (0.04 + 0.09));
  EXPECT_EQ(model.surfaces[0].drive, -1);
}

TEST(Reader, CapsuleInertiaHasTheRightLimits) {
  Shape shape{.kind = ShapeKind::kCapsule, .radius = 0.1, .length = 1e-12};
  EXPECT_NEAR(SolidInertia(shape, 2).y(), 0.4 * 2 * 0.01, 1e-9);
  shape.radius = 1e-6;
  shape.length = 2;
  EXPECT_NEAR(SolidInertia(shape, 3).y(), 3 * 4 / 12.0, 1e-5);
}

std::string Repeat(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

struct Bad {
  std::string text;
  const char* position;  ///< "line:column", empty where there is none
  const char* message;
};

TEST(Reader, BadFilesAreToldWhereAndWhy) {
  const Bad kCases[] = {
      {"", "", "empty"},
      {" \n\t\n", "", "empty"},
      {"title = \"t\"", "", "at least one [material"},
      {"title = \"t\"\n[material.a]\n", "", "at least one [body"},
      {"title = ", "1:", ""},
      {"title = \"a\"\ntitle = \"b\"", "2:", ""},
      {"\x7F"
       "ELF\x01\x02\x03",
       "1:", ""},
      {std::string("a\0b", 3), "", "not a text file"},
      {"title = \"\xFF\xFE\"", "1:", ""},
      {std::string(10 << 20, 'x'), "", "too large"},
      {std::string(500000, '['), "1:", ""},
      {"title = \"t\"\na" + Repeat(".a", 400000) + " = 1", "2:", "a key of more than 16 parts"},
      {"title = \"\"\"a\"\"\"\"\"\nb = [\"\\\"\", 'c', {a" + Repeat(".a", 30) + " = 1}]",
       "2:", "a key of more than 16 parts"},
      {"a = " + std::string(100000, '['), "1:", ""},
      {Minimal("frictoin = 1"), "2:1", "unknown key 'frictoin'"},
      {"title = \"t\"\n[material.steel]\nfriction = 0\ntorsional_friction = 0.01\n"
       "[surface.ground]\n[body.box]\nshape = \"sphere\"\nradius = 0.1\nmass = 2\n",
       "4:", "friction must be > 0 where torsional_friction is (found 0 and 0.01 m)"},
      {Minimal("planar = true", "motion = \"upright\""), "", "leaves the plane"},
      {Minimal("time_step = \"10 kg\""), "2:13", "expected a number in s"},
      {Minimal("time_step = 0"), "2:13", "time_step must be >= 1e-7 s (found 0)"},
      {Minimal("time_step = nan"), "2:13", "finite"},
      {Minimal("time_step = inf"), "2:13", "finite"},
      {Minimal("gravity = 1e400"), "2:", ""},
      {Minimal("time_step = true"), "2:13", "must be a number in s"},
      {Minimal("time_step = 2020-01-01"), "2:13", "a date"},
      {Minimal("duration = -1"), "2:12", "duration must be > 0 s (found -1)"},
      {Minimal("tags = 3"), "2:8", "list of texts"},
      {Minimal("tags = [1]"), "2:9", "list of texts"},
      {Minimal("plots = [\"normal_forc\"]"), "2:10", "no signal"},
      {Minimal("chosen = [\"frictoin\"]"), "2:11", "no parameter"},
      {Minimal("normal_law = \"herz\""), "2:14", "no normal_law 'herz'"},
      {Minimal("method = 3"), "2:10", "method must be a text"},
      {"title = \"t\"\nmaterial = 3", "2:12", "must be a table"},
      {Minimal("planar = \"yes\""), "2:10", "true or false"},
      {Minimal("", "velocity = [1, 2]"), "10:12", "list of 3 numbers"},
      {Minimal("", "velocity = [1, 2, nan]"), "10:19", "finite"},
      {Minimal("", "position = [0, 0, 1e9]"), "10:19", "within"},
      {Minimal("", "motion = \"planer\""), "10:10", "motion"},
      {Minimal("", "motion = \"z\"\nvelocity = [1, 0, 0]"), "11:12", "direction"},
      {Minimal("", "density = 3"), "6:1", "either 'mass'"},
      {Minimal("", "material = \"stel\""), "10:12", "no [material.stel]"},
      {Minimal("", "contact_points = \"ends\""), "10:18", "does not fit"},
      {Minimal("", "contact_points = []"), "10:18", "1 to 1000"},
      {Minimal("", "quaternion = [0, 0, 0, 0]"), "10:14", "quaternion"},
      {Minimal("", "quaternion = [1, 0, 0]"), "10:14", "quaternion"},
      {Minimal("", "pitch = 1\nquaternion = [1, 0, 0, 0]"), "11:14", "either pitch"},
      {Minimal("", "inertia = [1, 1, 9]"), "10:11", "inertia"},
      {Minimal("", "inertia = \"rod\""), "10:11", "capsule"},
      {Minimal("", "[body.\"a b\"]\nshape = \"sphere\""), "10:", "the name of a body"},
      {Minimal("", "[[channel]]\nmodel = \"sapp\""), "11:9", "sapp"},
      {Minimal("", "[[channel]]\ntime_step = 1e-3"), "10:", "needs 'model'"},
      {Minimal("", "[[channel]]\nmodel = \"sap\"\nfrictoin = 1"), "12:", "no parameter 'frictoin'"},
      {Minimal("", "[[channel]]\nmodel = \"sap\"\nmaterial.steel.friction = -1"),
       "12:", "friction must be >= 0"},
      {Minimal("", "[camera]\ndistance = 0"), "11:12", "distance must be > 0"},
      {Minimal("", "[camera]\ndistence = 1"), "11:1", "unknown key"},
      {Minimal("", "[lesson]\n"), "10:1", "needs 'title'"},
      {Minimal("",
               "[lesson]\ntitle = \"l\"\n[[lesson.card]]\nkind = \"look\"\ntitle = \"c\"\ntext = "
               "\"x\""),
       "13:8", "kind"},
      {Minimal("",
               "[lesson]\ntitle = \"l\"\n[[lesson.card]]\nkind = \"try\"\ntitle = \"c\"\ntext = "
               "\"x\"\ndone_when = \"max(x) < 1\""),
       "16:13", "no signal 'x'"},
      {"title = \"t\"\n[material.a]\n[body.b]\nshape = \"sphere\"\nradius = 0.1\nmass = -1\n",
       "6:8", "mass must be > 0 kg (found -1)"},
      {"title = \"t\"\n[material.a]\n[body.b]\nshape = \"sphere\"\nradius = 0\nmass = 1\n", "5:10",
       "radius must be > 0"},
      {"title = \"t\"\n[material.a]\n[body.b]\nshape = \"spheer\"\nmass = 1\n", "4:9", "shape"},
      {"title = \"t\"\n[material.a]\n[body.b]\nmass = 1\n", "3:1", "needs 'shape'"},
      {"title = \"t\"\n[material.a]\n[surface.s]\nnormal = [0, 0, 0]\n[body.b]\nshape = "
       "\"sphere\"\nradius = 1\nmass = 1\n",
       "4:10", "must not be zero"},
      {"title = \"t\"\n[material.a]\n[surface.s]\nbelt_axis = [0, 0, 1]\n[body.b]\nshape = "
       "\"sphere\"\nradius = 1\nmass = 1\n",
       "3:1", "parallel"},
      {"title = \"t\"\n[material.a]\nfriction = -0.2\n[body.b]\nshape = \"sphere\"\nradius = "
       "1\nmass = 1\n",
       "3:12", "friction must be >= 0 (found -0.2)"},
  };
  for (const Bad& c : kCases) {
    const auto result = ReadSceneText(c.text, "t.toml");
    ASSERT_FALSE(result.ok()) << c.text.substr(0, 300);
    const std::string text = result.error().Text();
    EXPECT_EQ(text.rfind("t.toml:", 0), 0u) << text;
    if (*c.position != '\0') {
      EXPECT_EQ(text.rfind(std::string("t.toml:") + c.position, 0), 0u)
          << c.text.substr(0, 300) << "\n"
          << text;
    }
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
    EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char b) { return b >= 0 && b < 0x20; }))
        << text;
  }
}

std::string Piles(int count, int bodies) {
  std::string text = "title = \"t\"\n[material.a]\n";
  for (int i = 0; i < count; ++i) {
    const std::string name = "p" + std::to_string(i);
    text += "[pile." + name + "]\nbodies = " + std::to_string(bodies) + "\n[[pile." + name +
            ".body]]\nname = \"b\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\n";
  }
  return text;
}

// The limit is looked at before the bodies are made, whoever asks for them.
TEST(Reader, PilesBeyondTheLimitAreNeverBuilt) {
  const std::string text = Piles(100, 4000);
  const test::AllocGuard guard;
  const auto refused = ReadSceneText(text, "t.toml");
  EXPECT_LT(guard.bytes(), std::size_t{20} << 20);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().Text().find("400000 bodies"), std::string::npos)
      << refused.error().Text();
  EXPECT_NE(refused.error().Text().find("at most 20000"), std::string::npos);

  const auto scene = ReadSceneText(Piles(6, 10), "t.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_FALSE(MakeRunPlan(*scene, "", {"bodies=4000"}, {}).ok());
  EXPECT_TRUE(MakeRunPlan(*scene, "", {"bodies=3000"}, {}).ok());
  RunPlan plan = MakeRunPlan(*scene, "", {}, {}).value();
  EXPECT_FALSE(MakeSweepPlan(plan, {"bodies=10,4000"}).ok());
  EXPECT_TRUE(MakeSweepPlan(plan, {"bodies=10,3000"}).ok());
}

TEST(Reader, ContactPointsOfPilesAreLimitedToo) {
  std::string points = "[0, 0, 0]";
  for (int i = 1; i < 1000; ++i) points += ", [0, 0, 0]";
  const auto refused =
      ReadSceneText(Piles(1, 4000) + "contact_points = [" + points + "]\n", "t.toml");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().Text().find("4000000 contact points"), std::string::npos)
      << refused.error().Text();
}

TEST(Reader, CollectsAllErrorsInOrder) {
  const auto result = ReadSceneText(
      "title = \"t\"\ntime_step = 0\nfoo = 1\n[material.a]\nfrictoin = 1\n[body.b]\nshape = "
      "\"sphere\"\nradius = -1\n",
      "t.toml");
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.errors().size(), 5u);
  EXPECT_EQ(result.errors()[0].line, 2);
  EXPECT_EQ(result.errors()[1].line, 3);
  EXPECT_EQ(result.errors()[2].hint, "did you mean 'friction'? All keys: `slipscope list keys`");
  EXPECT_EQ(result.errors()[4].line, 8);
}

TEST(Reader, MissingFilesAndFolders) {
  EXPECT_NE(ReadScene("no/such/file.toml").error().Text().find("no such file"), std::string::npos);
  EXPECT_NE(ReadScene("/").error().Text().find("folder"), std::string::npos);
  EXPECT_EQ(FindScene("conveior").error().hint, "did you mean 'conveyor'?");
  EXPECT_FALSE(FindScene("").ok());
  EXPECT_FALSE(FindScene("no/such/conveyor.toml").ok());
}

TEST(Reader, SurvivesMutilatedScenes) {
  // Every prefix of a real scene, and the scene with one byte changed, is read without a crash.
  std::ifstream file(SceneFolder() + "/conveyor.toml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GT(text.size(), 1000u);
  for (std::size_t i = 0; i < text.size(); i += 37) {
    (void)ReadSceneText(text.substr(0, i), "t.toml");
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 0x15);
    (void)ReadSceneText(changed, "t.toml");
  }
}

}  // namespace
}  // namespace slip
