// Every lesson card turns green by what its text asks for, and not before where it asks for much.
#include <gtest/gtest.h>

#include "engine/scene/scene.h"
#include "tests/support/methods.h"
#include "tests/support/program.h"

namespace slip {
namespace {

struct Deed {
  const char* scene;
  std::size_t card;
  std::vector<std::string> arguments;  ///< what the reader does, as options
  double duration = 0;                 ///< [s]; 0 = the scene's
};

/// Conditions that hold where all numbers of what the card has shown are measured.
std::vector<std::string> NumbersOf(const LessonCard& card) {
  std::vector<std::string> conditions;
  const std::string& text = card.seen;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    std::string number = text.substr(at + 1, text.find('}', at) - at - 1);
    number = number.substr(0, number.find(" ["));
    const std::size_t value = number.find("value");
    if (value != number.npos) number.replace(value, 5, card.parameter);
    conditions.push_back("abs(" + number + ") < 1e300");
  }
  return conditions;
}

/// A card for which the reader adds a model: a run without it cannot say anything of it.
bool AddsAModel(const LessonCard& card) {
  return card.done_when.find("@coulomb") != card.done_when.npos;
}

TEST(Lessons, CardsTurnGreenByTheirDeeds) {
  const Deed kDeeds[] = {
      {"conveyor", 0, {}},
      {"conveyor", 1, {"-p", "time_step=1ms", "-t", "1.1"}},
      {"conveyor", 2, {"-p", "time_step=1ms", "-p", "relaxation_time=5ms", "-t", "1.1"}},
      {"conveyor", 3, {}},
      {"conveyor", 4, {"-p", "friction=0.2", "-t", "1.1"}},
      {"conveyor-constant", 0, {"-p", "time_step=5ms"}},
      {"conveyor-constant", 1, {}},
      {"conveyor-constant", 2, {"-p", "relaxation_time=0"}},
      {"sliding-box", 0, {}},
      {"sliding-box", 1, {}},
      {"sliding-box", 2, {"-p", "time_step=1ms"}},
      {"sliding-box", 3, {"-m", "lagged,coulomb"}},
      {"sliding-box-consistent", 0, {}},
      {"sliding-box-consistent", 1, {}},
      {"sliding-box-consistent", 2, {"-p", "time_step=1ms"}},
      {"falling-sphere", 0, {}},
      {"falling-sphere", 1, {}},
      {"falling-sphere", 2, {"-p", "relaxation_time=0.1ms"}},
      {"sliding-rod", 0, {}},
      {"sliding-rod", 1, {}},
      {"sliding-rod", 2, {"-p", "time_step=0.4ms"}},
      {"sliding-rod", 3, {"-p", "friction=1.2"}},
      {"sliding-rod", 4, {"-m", "sap,lagged,similar,coulomb"}},
      {"slope-creep", 0, {}},
      {"slope-creep", 1, {"-p", "stiction_tolerance=1e-6"}},
      {"slope-creep", 2, {"-p", "time_step=1ms"}},
      {"slope-creep", 3, {"-p", "tilt=28deg"}},
      {"bouncing-ball", 0, {}},
      {"bouncing-ball", 1, {"-p", "dissipation=4"}},
      {"bouncing-ball", 2, {"-p", "dissipation=0"}},
      {"bouncing-mass", 0, {}},
      {"bouncing-mass", 1, {"-p", "time_step=4ms", "-t", "0.8"}},
      {"bouncing-mass", 2, {"-m", "exponential", "-p", "time_step=10ms"}},
      {"bouncing-mass",
       3,
       {"-m", "exponential", "-p", "time_step=10ms", "-p", "stiffness=1e8", "-p", "damping=3000"}},
      {"spring-wall", 0, {}, 3},
      {"spring-wall", 1, {"-m", "exponential", "-p", "time_step=40ms"}, 3},
      {"spring-wall", 2, {"-p", "damping=100"}, 3},
      {"sliding-mass", 0, {}},
      {"sliding-mass", 1, {"-m", "exponential,similar", "-p", "time_step=50ms"}},
      {"sliding-mass", 2, {"-p", "friction=0.1", "-t", "3"}},
      {"spinning-puck", 0, {}},
      {"spinning-puck", 1, {"-p", "torsional_friction=0"}},
      {"spinning-puck", 2, {"-p", "time_step=5ms"}},
      {"clutter", 0, {}, 4},
      {"clutter", 1, {"-p", "time_step=4ms", "-p", "solver=plain"}, 4},
      {"clutter", 2, {"-p", "stiction_tolerance=1e-3"}, 4},
      {"clutter-seed-002", 0, {}, 4},
      {"clutter-seed-002", 1, {}, 4},
      {"clutter-seed-002", 2, {"-p", "time_step=5ms"}, 4},
      {"flat-stack", 0, {"-p", "stiffness=1e9"}, 2},
      {"flat-stack", 1, {}, 2},
      {"flat-stack", 2, {"-p", "time_step=1ms"}, 2},
      {"dominoes", 0, {}, 1.5},
      {"dominoes", 1, {}, 1.5},
      {"dominoes", 2, {"-p", "time_step=0.5ms"}, 1.5},
      {"card-house", 0, {}, 2},
      {"card-house", 1, {}, 2},
      {"card-house", 2, {"-p", "stiction_tolerance=1e-3"}, 2},
      {"ball-pit", 0, {}, 1.5},
      {"ball-pit", 1, {}, 1.5},
      {"ball-pit", 2, {"-p", "bodies=1000"}, 1.5},
      {"object-bin", 0, {}, 2},
      {"object-bin", 1, {}, 2},
      {"object-bin", 2, {"-p", "friction=0.05"}, 2},
      {"quadruped-stand", 0, {"-p", "tilt=0.1", "-p", "time_step=5ms"}},
      {"quadruped-stand", 1, {"-p", "tilt=0.1", "-p", "time_step=0.2ms"}},
      {"quadruped-stand", 2, {"-p", "tilt=0.1", "-p", "stiction_tolerance=1e-6"}},
      {"quadruped-squat", 0, {"-p", "robot.solo.squat_rate=4"}},
      {"quadruped-squat", 1, {"-p", "time_step=10ms"}},
      {"quadruped-squat", 2, {"-p", "robot.solo.control_period=5ms"}},
      {"quadruped-jump", 0, {"-p", "dissipation=0"}},
      {"quadruped-jump", 1, {}},
      {"quadruped-jump", 2, {"-p", "relaxation_time=0.1ms"}},
      {"quadruped-trot", 0, {"-p", "friction=0.2"}},
      {"quadruped-trot", 1, {}},
      {"quadruped-trot", 2, {"-p", "robot.solo.control_period=4ms"}},
      {"biped-shift", 0, {"-p", "robot.biped.sway_rate=4"}},
      {"biped-shift", 1, {}},
      {"biped-shift", 2, {"-p", "robot.biped.sway_amplitude=0.05"}},
      {"biped-walk", 0, {"-p", "friction=0.4"}},
      {"biped-walk", 1, {}},
      {"biped-walk", 2, {"-p", "robot.biped.step_length=0.05"}},
      {"spinning-sphere", 0, {}},
      {"spinning-sphere", 1, {"-p", "time_step=5ms"}},
      {"spinning-sphere", 2, {}},
      {"bunny-grasp", 0, {}},
      {"bunny-grasp", 1, {}},
      {"bunny-grasp", 2, {"-p", "material.rubber.torsional_friction=2mm"}},
      {"bunny-grasp-no-torsion", 0, {}},
      {"bunny-grasp-no-torsion", 1, {}},
      {"bunny-grasp-no-torsion", 2, {"-p", "material.rubber.torsional_friction=20mm"}},
      {"capsule-pinch", 0, {}},
      {"capsule-pinch", 1, {"-p", "stiction_tolerance=1e-4"}},
      {"capsule-pinch", 2, {"-p", "friction=0.15"}},
      {"box-push", 0, {}},
      {"box-push", 1, {}},
      {"box-push", 2, {"-p", "time_step=50ms"}},
      {"four-point-peg", 0, {}},
      {"four-point-peg", 1, {}},
      {"four-point-peg", 2, {"-p", "friction=0.08"}},
      {"creep-pinch", 0, {}, 1.5},
      {"creep-pinch", 1, {}, 1.5},
      {"creep-pinch", 2, {"-p", "mujoco_impratio=10"}, 1.5},
      {"creep-pinch", 3, {"-p", "friction_regularization=1e-4"}, 1.5},
      {"launched-cube", 0, {}},
      {"launched-cube", 1, {}},
      {"launched-cube", 2, {}},
      {"launched-cube", 3, {"-p", "mujoco_time_constant=20ms"}},
      {"launched-cube", 4, {"-p", "time_step=1ms"}},
      {"cube-toss", 0, {}},
      {"cube-toss", 1, {"-p", "relaxation_time=1ms"}},
      {"cube-toss", 2, {"-p", "friction=0.4"}},
      {"arm-press", 0, {"-p", "stiffness=1e4"}},
      {"arm-press", 1, {}},
      {"arm-press", 2, {"-p", "robot.arm.press_force=30"}},
  };
  std::size_t cards = 0;
  std::string open;  // what a run without any deed says of the scene's cards
  for (const Deed& deed : kDeeds) {
    const auto scene = FindScene(deed.scene);
    ASSERT_TRUE(scene.ok());
    ASSERT_LT(deed.card, (*scene)->lesson.cards.size());
    const LessonCard& card = (*scene)->lesson.cards[deed.card];
    if (LacksAnEngine(**scene)) {  // whose numbers conditions name
      cards += deed.card == 0 ? (*scene)->lesson.cards.size() : 0;
      continue;
    }
    std::vector<std::string> arguments = {"run", deed.scene};
    if (deed.duration > 0) {
      arguments.insert(arguments.end(), {"-t", std::to_string(deed.duration)});
    }
    if (deed.card == 0) {
      cards += (*scene)->lesson.cards.size();
      std::vector<std::string> all = arguments;
      for (const LessonCard& each : (*scene)->lesson.cards) {
        if (AddsAModel(each)) continue;
        all.insert(all.end(), {"--expect", each.done_when});
        for (const std::string& number : NumbersOf(each))
          all.insert(all.end(), {"--expect", number});
      }
      const ProgramResult result = RunProgram(all);
      EXPECT_EQ(result.exit, 4) << deed.scene;
      open = result.err;
    }
    const bool stays_open =
        AddsAModel(card) || open.find("--expect is false: " + card.done_when + " (") != open.npos;
    EXPECT_EQ(stays_open, !deed.arguments.empty()) << deed.scene << ": " << card.title << open;
    if (deed.arguments.empty()) {
      for (const std::string& number : NumbersOf(card))
        EXPECT_EQ(open.find("--expect is false: " + number), open.npos) << deed.scene << number;
      continue;
    }
    arguments.insert(arguments.end(), {"--expect", card.done_when});
    for (const std::string& number : NumbersOf(card))
      arguments.insert(arguments.end(), {"--expect", number});
    arguments.insert(arguments.end(), deed.arguments.begin(), deed.arguments.end());
    const ProgramResult done = RunProgram(arguments);
    EXPECT_EQ(done.exit, 0) << deed.scene << ": " << card.title << done.err;
  }
  EXPECT_EQ(cards, std::size(kDeeds));
}

/// Advice holds where the card cannot turn green, and where it can the advice is silent.
TEST(Lessons, AdviceHoldsWhereTheCardIsStuck) {
  struct Stuck {
    const char* scene;
    std::size_t card, advice;
    std::vector<std::string> stuck, free;  ///< what the reader does, as options
  };
  const Stuck kStuck[] = {
      {"conveyor", 1, 0, {"-p", "time_step=0.32ms"}, {"-p", "time_step=1ms"}},
      {"conveyor", 1, 1, {"-p", "time_step=3ms"}, {"-p", "time_step=1ms"}},
      {"conveyor",
       2,
       0,
       {"-p", "relaxation_time=5ms"},
       {"-p", "time_step=1ms", "-p", "relaxation_time=5ms"}},
      {"conveyor",
       2,
       1,
       {"-p", "time_step=0.1ms", "-p", "relaxation_time=5ms"},
       {"-p", "time_step=1ms", "-p", "relaxation_time=5ms"}},
  };
  for (const Stuck& deed : kStuck) {
    const auto scene = FindScene(deed.scene);
    ASSERT_TRUE(scene.ok());
    const LessonCard& card = (*scene)->lesson.cards[deed.card];
    const std::string& when = card.advice[deed.advice].when;
    const auto exit = [&](const std::string& condition, const std::vector<std::string>& deeds) {
      std::vector<std::string> arguments = {"run", deed.scene, "-t", "1.1", "--expect", condition};
      arguments.insert(arguments.end(), deeds.begin(), deeds.end());
      return RunProgram(arguments).exit;
    };
    EXPECT_EQ(exit(when, deed.stuck), 0) << when;
    EXPECT_EQ(exit(card.done_when, deed.stuck), 4) << card.title;
    EXPECT_EQ(exit(when, deed.free), 4) << when;
    EXPECT_EQ(exit(card.done_when, deed.free), 0) << card.title;
  }
}

/// The right answers are those of the runs.
TEST(Lessons, AnswersAreWhatTheRunsShow) {
  const struct {
    const char* scene;
    std::vector<std::string> conditions;
    double duration = 0;
  } kFacts[] = {
      {"bouncing-ball", {"max(velocity_z@2) < 0.5"}},
      {"card-house", {"last(friction_used) < 0.5"}, 2},
      {"clutter-seed-002",
       {"last(mean_penetration@todorov) > 1e-7 and last(mean_penetration@todorov) < 1e-4"},
       4},
      {"clutter",
       {"max(condition_number@lagged) > max(condition_number@similar)",
        "max(condition_number@lagged) > max(condition_number@sap)"},
       4},
      {"flat-stack", {"abs(last(support_force@sap) - 1836) < 5"}, 2},
      {"object-bin", {"last(contacts@sap) > 150 and last(contacts@sap) < 300"}, 3},
      {"sliding-box", {"abs(max(normal_force@todorov) - 50) < 5"}},
      {"sliding-box-consistent", {"abs(last(position_x) - 0.1) < 0.01"}},
      {"quadruped-jump", {"abs(max(normal_force@lagged) - 400) < 5"}},
      {"biped-shift", {"max(condition_number@lagged) > 1.5 * max(condition_number@sap)"}},
  };
  for (const auto& fact : kFacts) {
    std::vector<std::string> arguments = {"run", fact.scene};
    for (const std::string& condition : fact.conditions)
      arguments.insert(arguments.end(), {"--expect", condition});
    if (fact.duration > 0) arguments.insert(arguments.end(), {"-t", std::to_string(fact.duration)});
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit, 0) << fact.scene << result.err;
  }
}

/// What the cards say about the rod: 250 N for SAP and Similar, below 35 N for Lagged.
TEST(Lessons, LaggedMissesTheJam) {
  const ProgramResult result =
      RunProgram({"run", "sliding-rod", "--expect", "max(normal_force@lagged) < 35", "--expect",
                  "abs(max(normal_force@similar) - 252) < 2", "--expect",
                  "abs(max(normal_force@sap) - 252) < 2"});
  EXPECT_EQ(result.exit, 0) << result.err;
}

}  // namespace
}  // namespace slip
