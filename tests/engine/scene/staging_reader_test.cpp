// What the first seconds of a scene show: speed, loop, instrument, and its place in the course.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/scene/scene.h"

namespace slip {
namespace {

/// A small complete scene; `lines` begin at line 2, those of the lesson at line 9.
std::string Staged(const std::string& lines, const std::string& lesson = {}) {
  return "title = \"t\"\n" + lines +
         "\n[material.steel]\n[surface.ground]\n[body.box]\nshape = \"sphere\"\nradius = 0.1\n"
         "mass = 2\n" +
         lesson;
}

TEST(Staging, IsReadAsWritten) {
  const auto plain = ReadSceneText(Staged(""), "t.toml");
  ASSERT_TRUE(plain.ok()) << plain.error().Text();
  EXPECT_EQ((*plain)->speed, 1);
  EXPECT_FALSE((*plain)->loop);
  EXPECT_EQ((*plain)->instrument, Instrument::kGap);
  EXPECT_EQ((*plain)->lesson.number, 0);
  const auto staged = ReadSceneText(Staged("speed = 0.02\nloop = true\ninstrument = \"creep\"",
                                           "[lesson]\ntitle = \"l\"\nnumber = 7\n"),
                                    "t.toml");
  ASSERT_TRUE(staged.ok()) << staged.error().Text();
  EXPECT_EQ((*staged)->speed, 0.02);
  EXPECT_TRUE((*staged)->loop);
  EXPECT_EQ((*staged)->instrument, Instrument::kCreep);
  EXPECT_EQ((*staged)->lesson.number, 7);
}

TEST(Staging, EverySpeedOfTheWindowIsTaken) {
  for (const double speed : kPlaybackSpeeds) {
    const auto scene = ReadSceneText(Staged("speed = " + std::to_string(speed)), "t.toml");
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    EXPECT_EQ((*scene)->speed, speed);
  }
}

TEST(Staging, TheFormerNameOfSpeedIsStillRead) {
  // experiments hold the text of their scene; 0.4 was no speed of the window
  const auto scene = ReadSceneText(Staged("pace = 0.4"), "t.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_EQ((*scene)->speed, 0.5);
}

TEST(Staging, MistakesAreToldWhereTheyStand) {
  struct Bad {
    std::string text, place, words;
  };
  const Bad kCases[] = {
      {Staged("speed = 0.03"), "2:9", "offers: 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, "},
      {Staged("speed = 0.03"), "2:9", "(found 0.03)"},
      {Staged("speed = 0.03"), "2:9", "the nearest is 0.02"},
      {Staged("speed = 0"), "2:9", "speed must be >= 0.001 (found 0)"},
      {Staged("speed = -1"), "2:9", "speed must be >= 0.001 (found -1)"},
      {Staged("speed = 32"), "2:9", "speed must be <= 16 (found 32)"},
      {Staged("speed = nan"), "2:9", "finite"},
      {Staged("speed = true"), "2:9", "must be a number"},
      {Staged("loop = 1"), "2:8", "true or false"},
      {Staged("instrument = \"creeep\""), "2:14", "did you mean 'creep'?"},
      {Staged("", "[lesson]\ntitle = \"l\"\nnumber = 1.5"), "11:10", "must be a whole number"},
      {Staged("", "[lesson]\ntitle = \"l\"\nnumber = 0"), "11:10", "number must be >= 1"},
      {Staged("", "[lesson]\ntitle = \"l\"\nnumber = \"one\""), "11:10", "number"},
  };
  for (const Bad& bad : kCases) {
    const auto scene = ReadSceneText(bad.text, "t.toml");
    ASSERT_FALSE(scene.ok()) << bad.text;
    const std::string text = scene.error().Text();
    EXPECT_EQ(scene.errors().size(), 1u) << text;
    EXPECT_NE(text.find("t.toml:" + bad.place), std::string::npos) << bad.place << " in " << text;
    EXPECT_NE(text.find(bad.words), std::string::npos) << bad.words << " in " << text;
  }
}

TEST(Staging, TheWindowOpensWithValuesOfItsOwn) {
  const std::string text =
      Staged("",
             "[opens_with]\ntime_step = \"2 ms\"\n[[channel]]\nmodel = \"sap\"\n"
             "[[channel]]\nmodel = \"lagged\"\ntime_step = \"1 ms\"\n");
  const auto scene = ReadSceneText(text, "t.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  ASSERT_EQ((*scene)->opens_with.size(), 1u);
  EXPECT_EQ((*scene)->opens_with[0].first, "time_step");
  const double own = (*scene)->config.step.time_step;
  ASSERT_NE(own, 2e-3);
  EXPECT_EQ((*scene)->channels[0].config.step.time_step, own) << "runs take the scene's";
  Scene staged = **scene;
  // somebody asked for another value
  staged.channels[1].own = staged.channels[1].config;
  staged.channels[1].config.step.time_step = 5e-4;
  staged.Stage();
  EXPECT_EQ(staged.channels[0].config.step.time_step, 2e-3);
  EXPECT_EQ(staged.channels[0].Own().step.time_step, 2e-3);
  EXPECT_EQ(staged.channels[1].config.step.time_step, 5e-4);
  EXPECT_EQ(staged.channels[1].Own().step.time_step, 2e-3);
  const auto bad = ReadSceneText(Staged("", "[opens_with]\ntime_stp = 1\n"), "t.toml");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().Text().find("time_step"), std::string::npos) << bad.error().Text();
  EXPECT_FALSE(ReadSceneText(Staged("opens_with = 3"), "t.toml").ok());
  const auto model = ReadSceneText(Staged("", "[opens_with]\nmodel = \"sap\"\n"), "t.toml");
  ASSERT_FALSE(model.ok()) << "it would be ignored";
  EXPECT_NE(model.error().Text().find("[[channel]]"), std::string::npos);
}

TEST(Staging, ALoopTakesSecondsNotAnInstantNorAMinute) {
  int loops = 0;
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    if (!(*scene)->loop) continue;
    ++loops;
    const double seconds = (*scene)->duration / (*scene)->speed;
    EXPECT_GE(seconds, 3 - 1e-9) << name << ": over before anybody looks";
    EXPECT_LE(seconds, 15 + 1e-9) << name;
  }
  EXPECT_GE(loops, 5);
}

TEST(Staging, TheCourseHasOneOrder) {
  const std::vector<std::string> course = ListScenesToTeach();
  std::vector<std::string> sorted = course;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, ListScenes());
  int number = 0;
  for (const std::string& name : course) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    EXPECT_EQ((*scene)->lesson.number, ++number) << name;
  }
  EXPECT_EQ(course[0], "conveyor");
  EXPECT_EQ(course[1], "conveyor-constant");
}

}  // namespace
}  // namespace slip
