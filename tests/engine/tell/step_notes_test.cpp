// What is said of steps whose numbers nobody expects.
#include "engine/tell/step_notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/run/study/plan_notes.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "tests/support/models.h"

namespace slip {
namespace {

// One box or two of 0.2 m; what is set in front comes first.
std::string Boxes(const std::string& keys, const std::string& bodies) {
  return "title = \"Boxes\"\nduration = 1\n" + keys +
         "\n[material.body]\nstiffness = 1e7\ndissipation = 10\nfriction = 0.5\n"
         "[surface.floor]\n" +
         bodies;
}

std::string Box(const char* name, double mass, const char* position, const char* velocity) {
  return "[body." + std::string(name) +
         "]\nshape = \"box\"\nsize = [0.2, 0.2, 0.2]\nmass = " + std::to_string(mass) +
         "\nposition = " + position + "\nvelocity = " + velocity + "\n";
}

/// The notes of a run of this scene by one model.
std::vector<StepNote> NotesOf(const std::string& text, const std::string& model,
                              const std::vector<std::string>& params = {}) {
  const auto scene = ReadSceneText(text, "boxes.toml");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  if (!scene.ok()) return {};
  const auto plan = MakeRunPlan(*scene, model, params, {});
  EXPECT_TRUE(plan.ok());
  if (!plan.ok()) return {};
  std::vector<Track> tracks;
  const RunResult result = slip::Run(*plan, &tracks, {});
  EXPECT_TRUE(result.Complete());
  return result.channels[0].notes.List();
}

bool Has(const std::vector<StepNote>& notes, std::string_view id) {
  return Find(notes, id) != nullptr;
}

TEST(StepNotes, AStartWithoutItsGapNamesStartOffset) {
  const std::string launched =
      Boxes("time_step = \"5 ms\"", Box("box", 1, "[0, 0, 0.1]", "[6, 0, 0]"));
  for (const char* model : {"sap", "similar", "todorov", "anitescu"}) {
    const auto notes = NotesOf(launched, model);
    const StepNote* note = Find(notes, "start");
    ASSERT_NE(note, nullptr) << model;
    EXPECT_EQ(note->steps, 1);
    EXPECT_NE(note->advice.find("start_offset"), std::string::npos) << note->advice;
  }
  EXPECT_FALSE(Has(NotesOf(launched, "lagged"), "start")) << "it does not glide";
  const std::string glides = launched + "start_offset = \"glide-or-rest\"\n";
  for (const char* model : {"sap", "similar"})
    EXPECT_FALSE(Has(NotesOf(glides, model), "start")) << model;
  const std::string falls =
      Boxes("time_step = \"5 ms\"", Box("box", 1, "[0, 0, 0.2]", "[0, 0, 0]"));
  EXPECT_FALSE(Has(NotesOf(falls, "sap"), "start"));
}

// By its stiffness a heavy box rests 9 cm deep; Anitescu's contacts are rigid, and open at once.
TEST(StepNotes, AStartDeeperThanTheModelRestsIsNamed) {
  const auto scene = FindScene("slope-creep");
  ASSERT_TRUE(scene.ok());
  const auto notes_of = [&](const char* model) {
    const auto plan = MakeRunPlan(*scene, model, {"mass=9e4", "time_step=3ms"}, {});
    EXPECT_TRUE(plan.ok());
    RunPlan made = *plan;
    made.steps = 5;
    std::vector<Track> tracks;
    return slip::Run(made, &tracks, {}).channels[0].notes.List();
  };
  const auto notes = notes_of("anitescu");
  const StepNote* note = Find(notes, "start");
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->what.find("starts overlapping"), std::string::npos) << note->what;
  EXPECT_NE(note->advice.find("start_offset"), std::string::npos) << note->advice;
  const auto of_lagged = notes_of("lagged");
  EXPECT_EQ(Find(of_lagged, "start"), nullptr) << "it rests there";
}

TEST(StepNotes, TheNearRigidLimitThatGivesWayIsNamed) {
  const std::string heavy =
      Boxes("time_step = \"2 ms\"", Box("light", 1, "[0, 0, 0.1]", "[0, 0, 0]") +
                                        Box("heavy", 1000, "[0, 0, 0.3]", "[0, 0, 0]"));
  const auto notes = NotesOf(heavy, "sap");
  const StepNote* note = Find(notes, "near_rigid");
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->advice.find("near-rigid threshold"), std::string::npos) << note->advice;
  EXPECT_FALSE(Has(NotesOf(heavy, "sap", {"near_rigid=0"}), "near_rigid"));
  EXPECT_FALSE(Has(NotesOf(heavy, "lagged"), "near_rigid"));
  const std::string alone =
      Boxes("time_step = \"2 ms\"", Box("light", 1, "[0, 0, 0.1]", "[0, 0, 0]"));
  EXPECT_FALSE(Has(NotesOf(alone, "sap"), "near_rigid")) << "not where nobody sees it";
}

TEST(StepNotes, AnImpactOfFewStepsIsDecidedByTheStep) {
  const std::string falls =
      "title = \"Ball\"\nduration = 0.4\ntime_step = \"2 ms\"\n"
      "[material.rubber]\nstiffness = 1e5\ndissipation = 0.05\nfriction = 0.5\n[surface.floor]\n"
      "[body.ball]\nshape = \"sphere\"\nradius = 0.05\nmass = 0.5\nposition = [0, 0, 0.25]\n";
  const auto notes = NotesOf(falls, "lagged");
  const StepNote* note = Find(notes, "impact");
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->what.find("the step decides the rebound"), std::string::npos) << note->what;
  EXPECT_NE(note->advice.find("take steps below"), std::string::npos) << note->advice;
  EXPECT_FALSE(Has(NotesOf(falls, "lagged", {"time_step=0.1ms"}), "impact"));
  // a law that leaves nothing has no rebound that a step could spoil
  EXPECT_FALSE(Has(NotesOf(falls, "lagged", {"dissipation=20"}), "impact"));
}

TEST(StepNotes, OverlapThatALongStepLeftIsNamedAndIsNoElasticEnergy) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, "lagged", {"time_step=23ms", "stiffness=2e10"}, {});
  ASSERT_TRUE(plan.ok());
  RunPlan made = *plan;
  made.duration = 1;
  std::vector<Track> tracks;
  double left = 0, elastic = 0;
  RunCallbacks callbacks;
  callbacks.step = [&](int, const Simulation& sim) {
    left = std::max(left, test::Value(sim, Signal::kOverlapEnergy));
    elastic = std::max(elastic, test::Value(sim, Signal::kElasticEnergy));
  };
  const RunResult result = slip::Run(made, &tracks, callbacks);
  const auto notes = result.channels[0].notes.List();
  const StepNote* note = Find(notes, "overlap");
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->what.find("overlap"), std::string::npos);
  EXPECT_NE(note->advice.find("shorter steps"), std::string::npos);
  EXPECT_GT(left, 100);
  // all that fell from half a metre is less
  EXPECT_LT(elastic, 200) << left;
}

// The balance of the whole run tells what each step made too little of to be refused.
TEST(StepNotes, EnergyThatTheTimeSteppingMadeIsNamed) {
  const auto scene = FindScene("bouncing-mass");
  ASSERT_TRUE(scene.ok());
  const auto said = [&](const char* method, double friction, double numerical, double turn) {
    StepNotes notes(*(*scene)->model);
    SignalValues values{};
    const auto at = [&](Signal id) -> double& { return values[static_cast<std::size_t>(id)]; };
    at(Signal::kKineticEnergy) = 2;
    at(Signal::kDriveWork) = -1;
    at(Signal::kFrictionDissipation) = friction;
    at(Signal::kNumericalDissipation) = numerical;
    at(Signal::kTurnPerStep) = turn;
    Config config = (*scene)->config;
    config.step.method = static_cast<int>(*FindMethod(method));
    notes.Add({values, config.step, 10, 0.1});
    const auto list = notes.List();
    const StepNote* note = Find(list, "gain");
    return note != nullptr ? note->what : std::string();
  };
  EXPECT_EQ(said("exponential", 0.1, -0.3, 0),
            "has 0.20 J more than it began with and was given since: the time stepping made them");
  EXPECT_EQ(said("sap", 0.1, -0.3, 0), said("exponential", 0.1, -0.3, 0));
  EXPECT_EQ(said("exponential", 0.3, -0.3, 0), "") << "friction took what came";
  EXPECT_EQ(said("exponential", 0, -0.02, 0), "") << "less than a hundredth";
  EXPECT_EQ(said("exponential", 0.1, -0.3, 0.02), "") << "the note of what turns tells it";
  EXPECT_EQ(said("quasi-dynamic", 0.1, -0.3, 0), "") << "it has no such balance";
}

// What every scene shows in its own channels has a balance that only falls.
TEST(StepNotes, NoSceneOfTheLibraryGainsEnergy) {
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    const auto plan = MakeRunPlan(*scene, "", {}, {});
    ASSERT_TRUE(plan.ok());
    RunPlan made = *plan;
    made.duration = 0.2;
    std::vector<Track> tracks;
    const RunResult result = slip::Run(made, &tracks, {});
    for (std::size_t c = 0; c < result.channels.size(); ++c) {
      const auto notes = result.channels[c].notes.List();
      const StepNote* note = Find(notes, "gain");
      EXPECT_EQ(note, nullptr) << name << ' ' << plan->labels[c] << ' ' << note->what;
    }
  }
}

TEST(StepNotes, AStackAtRestLeavesNoOverlap) {
  const std::string stack =
      Boxes("time_step = \"2 ms\"",
            Box("low", 1, "[0, 0, 0.1]", "[0, 0, 0]") + Box("high", 1, "[0, 0, 0.3]", "[0, 0, 0]"));
  for (const char* model : {"sap", "lagged", "similar"}) {
    const auto scene = ReadSceneText(stack, "boxes.toml");
    ASSERT_TRUE(scene.ok());
    Config config = (*scene)->channels[0].config;
    config.step.method = static_cast<int>(*FindMethod(model));
    Simulation sim((*scene)->ModelFor(config), config);
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(Advanced(sim.Step()));
      ASSERT_EQ(test::Value(sim, Signal::kOverlapEnergy), 0) << model << " step " << i;
      ASSERT_GE(test::Value(sim, Signal::kElasticEnergy), 0);
    }
    EXPECT_GT(test::Value(sim, Signal::kElasticEnergy), 0);
  }
}

TEST(StepNotes, GoingOnFromThePastForgets) {
  StepNotes notes(*(*FindScene("sliding-box"))->model);
  SignalValues values{};
  values[static_cast<std::size_t>(Signal::kOverlapEnergy)] = 1;
  const Config config = (*FindScene("sliding-box"))->channels[0].config;
  EXPECT_TRUE(notes.Add({values, config.step, 10, 0.1}));
  EXPECT_FALSE(notes.Add({values, config.step, 11, 0.11})) << "no more to say";
  ASSERT_EQ(notes.List().size(), 1u);
  EXPECT_EQ(notes.List()[0].steps, 2);
  notes.Forget(0.05);
  EXPECT_TRUE(notes.List().empty());
}

// A sentence names the method that made the step, also where the channel had another before.
TEST(NotesOfARun, NameTheMethodOfTheStep) {
  const auto made = MakeRunPlan(*FindScene("conveyor"), "lagged", {}, {"0.1:method=sap"});
  ASSERT_TRUE(made.ok()) << made.error().Text();
  RunPlan plan = *made;
  plan.duration = 0.3;
  plan.watches_params = true;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(plan, &tracks, {});
  int of_sap = 0;
  for (const ToldNote& note : slip::NotesOf(plan, 0, result.channels[0])) {
    EXPECT_FALSE(note.text.starts_with("lagged softens")) << note.text;
    of_sap += note.text.starts_with("sap softens");
  }
  EXPECT_EQ(of_sap, 1);
}

/// A run of 1 kg under gravity that made so much energy in a step, beside so much of its own.
std::vector<StepNote> NotesOfMade(double kinetic, double made, const char* method = "exponential") {
  const auto scene = FindScene("bouncing-mass");
  EXPECT_TRUE(scene.ok());
  StepNotes notes(*(*scene)->model);
  SignalValues values{};
  values[static_cast<std::size_t>(Signal::kKineticEnergy)] = kinetic;
  Config config = (*scene)->config;
  config.step.gravity = 0;
  config.step.method = static_cast<int>(*FindMethod(method));
  notes.Add({values, config.step, 10, 0.1, {.made = made}});
  return notes.List();
}

TEST(StepNotes, EveryStepThatMakesEnergyIsTold) {
  for (const char* method : {"exponential", "explicit-euler", "sap", "lagged"}) {
    const auto notes = NotesOfMade(2, 1e-5, method);
    const StepNote* note = Find(notes, "made");
    ASSERT_NE(note, nullptr) << method;
    EXPECT_EQ(note->what,
              "made 10.0 µJ beyond its balance in 1 step, 5e-06 times the energy that there was");
    EXPECT_TRUE(note->is_little);
    EXPECT_FALSE(Has(NotesOfMade(2, 1e-6, method), "made")) << "less than a millionth";
  }
  const auto much = NotesOfMade(2, 0.1);
  EXPECT_FALSE(Find(much, "made")->is_little);
  const auto kilojoules = NotesOfMade(2e5, 1.04e4);
  EXPECT_NE(Find(kilojoules, "made")->what.find("10.4 kJ"), std::string::npos);
}

// What a run tells of a step that makes energy, it tells with how much; and the sum is the
// ledger's.
TEST(StepNotes, WhatStepsMakeIsToldOfShippedScenes) {
  const struct {
    const char *scene, *method;
    std::vector<std::string> params;
    double duration;
  } runs[] = {{"bouncing-mass", "explicit-euler", {"time_step=5ms"}, 0.5},
              {"sliding-rod", "implicit-euler", {"time_step=33ms"}, 0.4},
              {"quadruped-trot", "exponential", {}, 0.2},
              {"conveyor", "implicit-euler", {}, 2}};
  for (const auto& run : runs) {
    SCOPED_TRACE(std::string(run.scene) + ' ' + run.method);
    const auto plan = MakeRunPlan(*FindScene(run.scene), run.method, run.params, {});
    ASSERT_TRUE(plan.ok());
    RunPlan made = *plan;
    made.duration = run.duration;
    std::vector<Track> tracks;
    RunCallbacks callbacks;
    double before = 0, handled = 0, sum = 0;
    int64_t steps = 0;
    callbacks.step = [&](int, const Simulation& sim) {
      const EnergyLedger& e = sim.state().energy;
      const double lost = e.friction + e.damping + e.numerical;
      const double fall = sim.config().step.gravity * sim.config().step.time_step;
      handled =
          std::max(handled, test::Value(sim, Signal::kKineticEnergy) +
                                test::Value(sim, Signal::kElasticEnergy) + std::abs(e.drive_work) +
                                0.5 * sim.model().bodies[0].mass * fall * fall);
      // clearly above what is told
      if (before - lost > 1.5e-6 * handled) sum += before - lost, ++steps;
      before = lost;
    };
    const RunResult result = slip::Run(made, &tracks, callbacks);
    const auto notes = result.channels[0].notes.List();
    double told = 0;
    int64_t told_steps = 0;
    for (const char* id : {"made", "gained"}) {
      if (const StepNote* note = Find(notes, id)) told += note->sum, told_steps += note->steps;
    }
    EXPECT_GE(told_steps, steps);
    EXPECT_GE(told, 0.999 * sum);
    if (std::string(run.scene) == "bouncing-mass") {
      EXPECT_GT(sum, 1);
    }
  }
}

// Where nothing else is there, last bits are not told.
TEST(StepNotes, LastBitsAreNoEnergy) {
  const auto scene = FindScene("bouncing-mass");
  ASSERT_TRUE(scene.ok());
  for (const char* id : {"lent", "made"}) {
    StepNotes notes(*(*scene)->model);
    SignalValues values{};
    const auto at = [&](Signal signal) -> double& {
      return values[static_cast<std::size_t>(signal)];
    };
    at(Signal::kPotentialEnergy) = 0.5;
    at(Signal::kNumericalDissipation) = -8e-16;
    Config config = (*scene)->config;
    config.step.gravity = 0;
    notes.Add({values, config.step, 10, 0.1, {.gained = 8e-16, .made = 8e-16}});
    EXPECT_FALSE(Has(notes.List(), id)) << id;
    at(Signal::kNumericalDissipation) = -1e-9;
    notes.Add({values, config.step, 11, 0.11, {.made = 1e-9}});
    EXPECT_TRUE(Has(notes.List(), "made"));
  }
}

TEST(StepNotes, TheWorstOfManyStepsIsTheOneThatItsWordsAreOf) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  StepNotes notes(*(*scene)->model);
  SignalValues values{};
  const Config config = (*scene)->channels[0].config;
  int64_t step = 0;
  for (const double overlap : {1e-3, 1e-3, 1e-3, 1e-3, 2e-3, 5e-3, 3e-3}) {
    values[static_cast<std::size_t>(Signal::kNearRigidOverlap)] = overlap;
    ++step;
    notes.Add({values, config.step, step, 0.01 * static_cast<double>(step)});
  }
  const auto list = notes.List();
  const StepNote* note = Find(list, "near_rigid");
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->most, "the deepest");
  EXPECT_EQ(note->worst, 5e-3);
  EXPECT_EQ(note->worst_time, 0.06);
}

}  // namespace
}  // namespace slip
