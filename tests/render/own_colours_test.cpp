// Colours that robots' files give: transparent ones, and dark ones before a dark ground.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "render/quantities/quantity.h"
#include "render/scene/own_colours.h"
#include "tests/support/folders.h"
#include "tests/support/temp_folder.h"

namespace slip::render {
namespace {

class OwnColoursTest : public testing::Test {
 protected:
  /// A robot of two boxes, whose visuals have these colours.
  void Load(const std::string& large, const std::string& small, const std::string& more = {}) {
    const auto box = [](const std::string& size, const std::string& rgba) {
      return fmt::format(
          "<geom type='box' size='{0} {0} {0}' rgba='{1}' contype='0' conaffinity='0' mass='0'/>",
          size, rgba);
    };
    WriteText(folder_.path("m.xml"),
              "<mujoco><asset><mesh name='letter' vertex='5 0 0 5.01 0 0 5 .01 0 5 0 .01' "
              "face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><geom type='plane' size='1 1 "
              "1'/><body pos='0 0 1'><freejoint/>"
              "<geom size='0.1' group='3'/>" +
                  box("0.2", large) + box("0.02", small) + more + "</body></worldbody></mujoco>");
    LoadFile(folder_.path("m.xml"));
  }
  void LoadFile(const std::string& name) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    scope_.Apply(LoadScene{*scene});
    scope_.Fill(&snapshot_);
    camera_.Set((*scene)->camera);
  }
  DrawList Build() const {
    const DrawContext context{snapshot_, request_, camera_, {800, 600}, ColoursOf(request_.theme)};
    DrawList list;
    BuildScene(context, &list);
    return list;
  }
  const Model& model() const { return *snapshot_.model; }
  OwnColours Before(Theme theme) const { return {LookAtRobots(model()), theme}; }

  TempFolder folder_;
  Scope scope_;
  Snapshot snapshot_;
  Camera camera_;
  ViewRequest request_;
};

TEST_F(OwnColoursTest, WhatIsTransparentIsDrawnThroughAndOfNoOpacityNotAtAll) {
  Load("1 0 0 1", "0 1 0 1");
  const std::size_t solid = Build().solids.size();
  EXPECT_EQ(Build().ghosts.size(), 0u);
  ASSERT_GE(solid, 2u);
  Load("1 0 0 0.25", "0 1 0 1");
  DrawList list = Build();
  EXPECT_EQ(list.solids.size(), solid - 1);
  ASSERT_EQ(list.ghosts.size(), 1u);
  for (const auto& group : list.ghosts.shared)
    for (const SolidInstance& instance : group) EXPECT_EQ(instance.colour[3], 0.25f);
  Load("1 0 0 0", "0 1 0 1");
  list = Build();
  EXPECT_EQ(list.solids.size(), solid - 1);
  EXPECT_EQ(list.ghosts.size(), 0u);
}

TEST_F(OwnColoursTest, ADarkRobotIsLiftedBeforeADarkGroundAlone) {
  Load("0.1 0.1 0.1 1", "1 1 1 1");
  const OwnColours dark = Before(Theme::kDark), light = Before(Theme::kLight);
  EXPECT_TRUE(dark.Lifts(0));
  EXPECT_FALSE(light.Lifts(0));
  std::vector<double> levels;
  for (const Body& body : model().visuals) {
    ASSERT_TRUE(body.colour.has_value());
    const auto before = *body.colour;
    const auto lifted = dark.Of(body), same = light.Of(body);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(same[i], static_cast<float>(before[i]));
      EXPECT_GE(lifted[i], std::max(0.25f, static_cast<float>(before[i])) - 1e-6f);
    }
    levels.push_back(lifted[0]);
  }
  ASSERT_EQ(levels.size(), 2u);
  // in order, and what is light as it was
  EXPECT_LT(levels[0], 0.35);
  EXPECT_EQ(levels[1], 1);
}

TEST_F(OwnColoursTest, BlackShowsItsReliefBeforeALightGround) {
  Load("0 0 0 1", "0.02 0.02 0.02 1");
  const OwnColours light = Before(Theme::kLight);
  ASSERT_TRUE(light.Lifts(0));
  std::vector<float> levels;
  for (const Body& body : model().visuals) levels.push_back(light.Of(body)[0]);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_NEAR(levels[0], 0.07, 1e-6);
  EXPECT_GT(levels[1], levels[0]);
  EXPECT_LT(levels[1], 0.15);
}

// Its name in white is small, though far from the frame of its link.
TEST_F(OwnColoursTest, LettersDoNotMakeARobotLight) {
  Load("0.1 0.1 0.1 1", "0.1 0.1 0.1 1",
       "<geom type='mesh' mesh='letter' rgba='1 1 1 1' contype='0' conaffinity='0' mass='0'/>");
  EXPECT_EQ(model().visuals.size(), 3u);
  EXPECT_TRUE(Before(Theme::kDark).Lifts(0));
}

TEST_F(OwnColoursTest, AreWorkedOutOnceAModel) {
  Load("0.1 0.1 0.1 1", "1 1 1 1");
  KnownLooks looks;
  const auto first = looks.Of(snapshot_.model);
  EXPECT_LT(first[0].luminance, 0.15);
  EXPECT_EQ(looks.Of(snapshot_.model).data(), first.data());
  Load("1 1 1 1", "1 1 1 1");
  EXPECT_GT(looks.Of(snapshot_.model)[0].luminance, 0.9);
}

TEST_F(OwnColoursTest, DarkPartsOfALightRobotStayDark) {
  Load("0.9 0.9 0.9 1", "0.1 0.1 0.1 1");
  EXPECT_FALSE(Before(Theme::kDark).Lifts(0));
  for (const char* robot : {"quadruped", "biped", "arm", "gripper"}) {
    LoadFile(SourceFolder() + "/assets/robots/" + robot + ".urdf");
    EXPECT_FALSE(Before(Theme::kDark).Lifts(0)) << robot;
  }
}

}  // namespace
}  // namespace slip::render
