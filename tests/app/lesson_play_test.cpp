// Lessons played in a session from their first card to the last, as a reader does: answer, change
// what the card asks for, reset. What a card then says has all its numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "app/host/window.h"
#include "tests/support/offscreen.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

using Change = std::map<std::string, double>;  ///< values by the paths of parameters

struct Play {
  const char* scene;
  std::vector<Change> cards;
  double patience = 20;  ///< per card [s of the session's clock]
  /// Of its last card: a model to add before.
  const char* adds = nullptr;
};

const Play kPlays[] = {
    {"conveyor",
     {{},
      {{"time_step", 1e-3}},
      {{"time_step", 1e-3}, {"material.steel.relaxation_time", 5e-3}},
      {},
      {{"material.steel.friction", 0.2}}}},
    {"conveyor-constant", {{{"time_step", 5e-3}}, {}, {{"material.box.relaxation_time", 0}}}},
    {"sliding-box", {{}, {}, {{"time_step", 1e-3}}, {}}, 20, "coulomb"},
    {"sliding-box-consistent", {{}, {}, {{"time_step", 1e-3}}}},
    {"falling-sphere", {{}, {}, {{"material.steel.relaxation_time", 1e-4}}}},
    {"sliding-rod",
     {{}, {}, {{"time_step", 4e-4}}, {{"material.steel.friction", 1.2}}, {}},
     20,
     "coulomb"},
    {"slope-creep", {{}, {{"stiction_tolerance", 1e-6}}, {{"time_step", 1e-3}}, {{"tilt", 0.49}}}},
    {"bouncing-ball",
     {{}, {{"material.rubber.dissipation", 4}}, {{"material.rubber.dissipation", 0}}}},
    {"bouncing-mass",
     {{{"time_step", 1e-3}},
      {{"time_step", 3e-3}},
      {{"time_step", 10e-3}},
      {{"time_step", 10e-3},
       {"material.rubber.stiffness", 1e8},
       {"material.rubber.damping", 3000}}}},
    {"spring-wall", {{}, {{"time_step", 40e-3}}, {{"material.rubber.damping", 100}}}},
    {"sliding-mass", {{}, {{"time_step", 50e-3}}, {{"material.rubber.friction", 0.1}}}},
    {"spinning-puck", {{}, {{"material.rubber.torsional_friction", 0}}, {{"time_step", 5e-3}}}},
    {"spinning-sphere", {{}, {{"time_step", 5e-3}}, {}}},
    {"capsule-pinch", {{}, {{"stiction_tolerance", 1e-4}}, {{"friction", 0.15}}}},
    {"box-push", {{}, {}, {{"time_step", 50e-3}}}},
    {"four-point-peg", {{}, {}, {{"friction", 0.08}}}},
    {"quadruped-stand",
     {{{"time_step", 5e-3}}, {{"time_step", 2e-4}}, {{"stiction_tolerance", 1e-6}}}},
    {"quadruped-squat",
     {{{"robot.solo.squat_rate", 4}},
      {{"time_step", 10e-3}},
      {{"robot.solo.control_period", 4e-3}}}},
    {"quadruped-jump", {{{"dissipation", 0}}, {}, {{"relaxation_time", 1e-4}}}},
    {"quadruped-trot", {{{"friction", 0.2}}, {}, {{"robot.solo.control_period", 4e-3}}}},
    {"biped-shift", {{{"robot.biped.sway_rate", 4}}, {}, {{"robot.biped.sway_amplitude", 0.05}}}},
    {"biped-walk", {{{"friction", 0.4}}, {}, {{"robot.biped.step_length", 0.05}}}},
    {"arm-press", {{{"stiffness", 1e4}}, {}, {{"robot.arm.press_force", 30}}}},
    {"bunny-grasp-no-torsion", {{}, {}, {{"material.rubber.torsional_friction", 20e-3}}}},
    {"bunny-grasp", {{}, {}, {{"material.rubber.torsional_friction", 2e-3}}}},
    {"card-house", {{}, {}, {{"stiction_tolerance", 1e-3}}}},
    {"dominoes", {{}, {}, {{"time_step", 0.5e-3}}}},
    {"flat-stack", {{{"stiffness", 1e9}}, {}, {{"time_step", 1e-3}}}},
    {"object-bin", {{}, {}, {{"friction", 0.05}}}},
    {"clutter", {{}, {}, {{"stiction_tolerance", 1e-3}}}},
    {"clutter-seed-002", {{}, {}, {{"time_step", 5e-3}}}},
    {"creep-pinch", {{}, {}, {{"mujoco_impratio", 10}}, {{"friction_regularization", 1e-4}}}},
    {"launched-cube", {{}, {}, {}, {{"mujoco_time_constant", 20e-3}}, {{"time_step", 1e-3}}}},
    {"cube-toss", {{}, {{"relaxation_time", 1e-3}}, {{"friction", 0.4}}}},
    {"ball-pit", {{}, {}, {{"pile.balls.bodies", 1000}}}},
};

// `scene` in place of the play's own
void PlayThrough(const Play& play, const std::string& scene) {
  OPEN_OR_SKIP(ui, scene.c_str());
  Settle(ui.get());
  Session& session = ui->session();
  LessonProgress& lesson = session.lessons().progress();
  ASSERT_EQ(static_cast<int>(play.cards.size()), lesson.count());
  const Config begins = session.frame(0).config;
  for (int card = 0; card < lesson.count(); ++card) {
    const std::string where = std::string(play.scene) + ", card " + std::to_string(card + 1) + ": ";
    ASSERT_EQ(lesson.active(), card);
    const Change& change = play.cards[static_cast<std::size_t>(card)];
    if (lesson.Asks(card)) lesson.Answer(LessonProgress::kShowMe);
    ui->Skip(1.0 / 60);
    // a card that needs an engine which this build lacks is there to be read
    const auto needed = FindMethod(session.scene()->lesson.cards[std::size_t(card)].needs);
    const bool reads = needed && !Info(*needed).WhyMissing().empty();
    const bool adds = play.adds != nullptr && card == lesson.count() - 1;
    if ((!change.empty() && !reads) || adds)
      EXPECT_FALSE(lesson.done(card)) << where << "green before it was done";
    if (adds) session.looks().Add(*FindMethod(play.adds));
    for (const auto& [path, value] : change) session.params().Set(-1, path, value);
    ui->Skip(1.0 / 60);
    session.playback().Reset();
    session.playback().SetPlaying(true);
    for (double t = 0; t < play.patience && !lesson.done(card); t += 1.0 / 60) ui->Skip(1.0 / 60);
    ASSERT_TRUE(lesson.done(card)) << where << lesson.say();
    Pass(ui.get(), 1);
    EXPECT_FALSE(lesson.waits(card)) << where;
    EXPECT_EQ(lesson.seen(card).find("–"), std::string::npos) << where << lesson.seen(card);
    EXPECT_EQ(lesson.text(card).find("–"), std::string::npos) << where << lesson.text(card);
    EXPECT_EQ(lesson.hint(card).find("–"), std::string::npos) << where << lesson.hint(card);
    EXPECT_EQ(lesson.formula(card).find(" – "), std::string::npos) << where << lesson.formula(card);
    lesson.Next();
    for (const auto& [path, value] : change)
      session.params().Set(-1, path, slip::GetParam(begins, path).value_or(value));
    ui->Skip(1.0 / 60);
    session.playback().Reset();
    ui->Skip(1.0 / 60);
  }
  EXPECT_TRUE(lesson.finished());
}

class LessonPlay : public testing::TestWithParam<Play> {};

TEST_P(LessonPlay, EveryCardTurnsGreenAndSaysItsNumbers) {
  PlayThrough(GetParam(), GetParam().scene);
}

// the same cards, of a smaller one
TEST(LessonPlays, OfAPyramidOfTwelveRows) {
  const TempFolder folder;
  std::string text = ReadText(SceneFolder() + "/large/pyramid.toml");
  const std::string rows = "rows = 100";
  ASSERT_NE(text.find(rows), std::string::npos);
  text.replace(text.find(rows), rows.size(), "rows = 12");
  WriteText(folder.path("pyramid.toml"), text);
  PlayThrough({"pyramid", {{}, {}, {{"max_iterations", 2}}}}, folder.path("pyramid.toml"));
}

TEST(LessonPlays, AreOfEveryScene) {
  for (const std::string& name : ListScenes()) {
    EXPECT_TRUE(std::any_of(std::begin(kPlays), std::end(kPlays), [&](const Play& play) {
      return name == play.scene;
    })) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, LessonPlay, testing::ValuesIn(kPlays), [](const auto& instance) {
  std::string name = instance.param.scene;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace slip::app
