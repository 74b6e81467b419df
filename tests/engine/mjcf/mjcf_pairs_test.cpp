// Pairs of MuJoCo's format: they touch whatever filters say, with parameters of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/export/export.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/support/mjcf_models.h"
#include "tests/support/mjcf_scenes.h"
#include "tests/support/mjcf_twin.h"
#include "tests/support/mjcf_variants.h"

namespace slip::test {
namespace {

class MjcfPairs : public MjcfSceneTest {
 protected:
  /// Where a body is after a time.
  static Vec3 PlaceOf(const Scene& scene, const std::string& body, double time) {
    return RunStiff(scene, time).state().X_WB[FindBody(*scene.model, body)].p;
  }
};

// A ball on a floor, and on a box that stands: masks and excludes would let it fall through.
TEST_F(MjcfPairs, LieAsDeepAsInMuJoCo) {
  const struct {
    const char *option, *contact;
  } cases[] = {
      {"cone='elliptic'", ""},
      {"cone='elliptic'", "solref='0.05 1.3' solimp='0.8 0.97 0.01 0.4 3'"},
      {"cone='elliptic'", "solref='-3000 -80' solimp='0.7 0.7 0.001'"},
      {"cone='pyramidal'", "friction='0.5 0.5'"},
      {"cone='pyramidal'", "condim='1' solref='0.03 1'"},
  };
  for (const bool plane : {true, false}) {
    for (const auto& c : cases) {
      const std::string text = fmt::format(
          "<mujoco model='rest'><option {}/><worldbody><geom name='floor' {} solref='0.5 1' "
          "contype='0' conaffinity='0'/><body name='b' pos='0 0 0.1'><freejoint name='f'/><geom "
          "name='g' size='0.1' contype='0' conaffinity='0'/></body></worldbody><contact><exclude "
          "body1='world' body2='b'/><pair geom1='g' geom2='floor' {}/></contact></mujoco>",
          c.option, plane ? "type='plane' size='1 1 1'" : "type='box' size='1 1 1' pos='0 0 -1'",
          c.contact);
      SCOPED_TRACE(text);
      MjcfTwin twin(text, "rest/");
      for (int i = 0; i < 3000; ++i) mj_step(twin.m, twin.d);
      const double theirs = 0.1 - twin.d->qpos[2];
      EXPECT_LT(theirs, 0.02);
      const auto scene = Read(text);
      ASSERT_NE(scene, nullptr);
      EXPECT_NEAR(0.1 - PlaceOf(*scene, "rest/b", 6).z(), theirs, 2e-3 * theirs);
    }
  }
}

// Two boxes on one slope: the one that the pair names has its friction, the other the shapes'.
TEST_F(MjcfPairs, SlideByTheirOwnFriction) {
  const double angle = 0.35, mu = 0.1, g = 9.81, time = 0.5;
  const auto scene = Read(fmt::format(
      "<mujoco model='m'><option gravity='{0:.17g} 0 {1:.17g}' timestep='0.001'/><worldbody>"
      "<geom name='slope' type='plane' size='1 1 1'/>"
      "<body name='a' pos='0 0 0.05'><freejoint/><geom name='ga' type='box' size='.1 .1 .05'/>"
      "</body><body name='b' pos='0 1 0.05'><freejoint/><geom type='box' size='.1 .1 .05'/></body>"
      "</worldbody><contact><pair geom1='slope' geom2='ga' friction='{2} {2}'/></contact></mujoco>",
      g * std::sin(angle), -g * std::cos(angle), mu));
  ASSERT_NE(scene, nullptr);
  const double way = 0.5 * g * (std::sin(angle) - mu * std::cos(angle)) * time * time;
  EXPECT_NEAR(PlaceOf(*scene, "m/a", time).x(), way, 0.01 * way);
  EXPECT_LT(PlaceOf(*scene, "m/b", time).x(), 0.01 * way);
}

TEST_F(MjcfPairs, AreOffWhereContactsAre) {
  const auto scene = Read(MjcfWorld(
      "<geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0 0 1'><freejoint/>"
      "<geom name='g' size='0.1'/></body>",
      "<option><flag contact='disable'/></option>",
      "<contact><pair geom1='g' geom2='floor'/></contact>"));
  ASSERT_NE(scene, nullptr);
  EXPECT_TRUE(scene->model->meetings.empty());
}

// In a scene of somebody's own the scene has the word: its material of that name, or none.
TEST_F(MjcfPairs, TakeTheMaterialsOfTheScene) {
  const std::string text = MjcfWorld(
      "<geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0 0 0.1'><freejoint/>"
      "<geom name='g' size='0.1'/></body>",
      {}, "<contact><pair geom1='g' geom2='floor' friction='0.3 0.3'/></contact>");
  const auto alone = Read(text);
  ASSERT_NE(alone, nullptr);
  ASSERT_EQ(alone->model->meetings.materials.size(), 1u);
  const auto& own = alone->model->meetings.materials[0];
  const std::string name = alone->config.materials[static_cast<std::size_t>(own.material)].name;
  EXPECT_EQ(alone->config.materials[static_cast<std::size_t>(own.material)].friction, 0.3);
  const std::string robot = "[surface.floor]\n[robot.r]\nfile = \"m.xml\"\nmaterial = \"mine\"\n";
  const auto other = Read(text, "title = \"T\"\n[material.mine]\n" + robot);
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(other->model->meetings.materials.empty());
  const auto given = Read(
      text, "title = \"T\"\n[material.mine]\n[material." + name + "]\nfriction = 0.7\n" + robot);
  ASSERT_NE(given, nullptr);
  ASSERT_EQ(given->model->meetings.materials.size(), 1u);
  const int index = given->model->meetings.materials[0].material;
  EXPECT_EQ(given->config.materials[static_cast<std::size_t>(index)].friction, 0.7);
}

TEST_F(MjcfPairs, ComeBackFromAnExport) {
  int pairs = 0;
  for (const MjcfCase& model : MakeMjcfVariants()) {
    if (!model.name.starts_with("pairs")) continue;
    SCOPED_TRACE(model.text);
    const auto scene = Read(model.text);
    ASSERT_NE(scene, nullptr);
    const ExportedScene own(scene);
    WriteText(folder_.path("x.xml"), WriteMjcf(own.Input()).text);
    const auto read = FindScene(folder_.path("x.xml"));
    ASSERT_TRUE(read.ok()) << read.error().Text();
    const Meetings &was = scene->model->meetings, &is = (*read)->model->meetings;
    for (const Meetings::PairMaterial& pair : was.materials) {
      const int material = is.FindMaterial(pair.pair.first, pair.pair.second);
      ASSERT_GE(material, 0);
      const Material &a = scene->config.materials[static_cast<std::size_t>(pair.material)],
                     &b = (*read)->config.materials[static_cast<std::size_t>(material)];
      EXPECT_NEAR(b.friction, a.friction, 1e-12);
      EXPECT_NEAR(b.torsional_friction, a.torsional_friction, 1e-12);
      ++pairs;
    }
    std::set<std::string> kinds = Kinds(WriteSdf(own.Input()));
    EXPECT_TRUE(kinds.contains("combining"));
  }
  EXPECT_EQ(pairs, 30);
}

TEST_F(MjcfPairs, AreAnotherModelThanWithoutThem) {
  const auto read = [&](const std::string& more) {
    const auto scene = Read(MjcfWorld(
        "<geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0 0 0.1'><freejoint/>"
        "<geom name='g' size='0.1'/></body>",
        {}, more));
    return scene == nullptr ? 0 : Hash(*scene->model);
  };
  EXPECT_NE(read(""), read("<contact><pair geom1='g' geom2='floor'/></contact>"));
}

}  // namespace
}  // namespace slip::test
