// Numbers that a scene names for its instrument.
#include "engine/scene/scene_number.h"

#include <gtest/gtest.h>

#include "engine/scene/scene.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

const Model& PuckModel() {
  static const auto scene = FindScene("spinning-puck").value();
  return *scene->model;
}

TEST(SceneNumber, IsASignalOrAnExpressionWithALabel) {
  const auto signal = ReadSceneNumber(" slip_speed ", PuckModel());
  ASSERT_TRUE(signal.ok()) << signal.error().Text();
  EXPECT_EQ(signal->signal, Signal::kSlipSpeed);
  EXPECT_EQ(signal->unit, "m/s");
  const auto gone = ReadSceneNumber("gone = last(position_x:plain) - 1 mm", PuckModel());
  ASSERT_TRUE(gone.ok()) << gone.error().Text();
  EXPECT_FALSE(gone->signal);
  EXPECT_EQ(gone->label, "gone");
  EXPECT_EQ(gone->unit, "m");
  EXPECT_TRUE(gone->value.Reads(*SignalNamed(PuckModel(), "position_x:plain")));
  EXPECT_FALSE(gone->value.Reads(*SignalNamed(PuckModel(), "position_x:puck")));
  const auto ratio =
      ReadSceneNumber("gap / step [m/s] = last(gliding_offset) / time_step", PuckModel());
  ASSERT_TRUE(ratio.ok()) << ratio.error().Text();
  EXPECT_EQ(ratio->label, "gap / step");
  EXPECT_EQ(ratio->unit, "m/s") << "an expression knows the unit of sums alone";
  const auto lifted = ReadSceneNumber("lifted [mm] = max(position_z:puck)", PuckModel());
  ASSERT_TRUE(lifted.ok()) << lifted.error().Text();
  EXPECT_EQ(lifted->unit, "m");
  EXPECT_EQ(lifted->shown_unit, "mm");
  EXPECT_EQ(lifted->shown_scale, 1e-3);
  EXPECT_EQ(ReadSceneNumber("lifted [m] = max(position_z:puck)", PuckModel())->shown_unit, "m");
  EXPECT_TRUE(gone->shown_unit.empty());
  EXPECT_TRUE(ratio->shown_unit.empty());
  EXPECT_EQ(gone->value.noise(), Info(Signal::kPositionX).noise);
  EXPECT_EQ(ReadSceneNumber("first = onset(normal_force)", PuckModel())->value.noise(), 0);
  EXPECT_EQ(ReadSceneNumber("first = onset(normal_force)", PuckModel())->unit, "s");
  EXPECT_EQ(ReadSceneNumber("last fall = time_of_max(fallen)", PuckModel())->unit, "s");
}

TEST(SceneNumber, MistakesSayWhatIsWrong) {
  const struct {
    const char *text, *words;
  } kCases[] = {
      {"slip_sped", "did you mean 'slip_speed'"},
      {"= last(position_x)", "a label of 1 to 24 bytes stands before '='"},
      {"a name that is far too long = last(position_x)", "a label of 1 to 24 bytes"},
      {"gone [furlong] = last(position_x)", "unknown unit 'furlong'"},
      {"gone [N] = last(position_x)", "m"},
      {"gone = last(position_x@sap)", "it has no '@'"},
      {"gone = position_x", "needs a reduction"},
      {"gone = last(position_x) > 1", "expected a number, not a condition"},
      {"gone = last(position_x:other)", "its bodies are puck, plain"},
  };
  for (const auto& bad : kCases) {
    const auto number = ReadSceneNumber(bad.text, PuckModel());
    ASSERT_FALSE(number.ok()) << bad.text;
    EXPECT_NE(number.error().Text().find(bad.words), std::string::npos) << number.error().Text();
  }
}

}  // namespace
}  // namespace slip
