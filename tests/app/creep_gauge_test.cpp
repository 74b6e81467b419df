// The creep of a box that should hold, measured beside predicted, over the picture.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

struct Reading {
  double measured = 0, predicted = 0;  ///< [um/s]
  double crept = 0;                    ///< [um]
};

Reading ReadRow(const std::string& id) {
  Reading reading;
  const WidgetRecord* row = FindWidget(id);
  EXPECT_NE(row, nullptr) << id;
  if (row == nullptr) return reading;
  std::istringstream words(row->text);
  EXPECT_TRUE(words >> reading.measured >> reading.predicted >> reading.crept) << row->text;
  return reading;
}

TEST(CreepGauge, MeasuresWhatTheFormulaPredicts) {
  OPEN_OR_SKIP(ui, "slope-creep");
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(FindWidget("overlay/gap"), nullptr);
  ASSERT_NE(FindWidget("overlay/creep"), nullptr);
  // v_s r/sqrt(1 - r^2) with r = tan 10 deg / 0.5, and sigma w h m g sin 10 deg for SAP
  const Reading sap = ReadRow("overlay/creep/0");
  EXPECT_NEAR(sap.measured, 8.03, 0.02);
  EXPECT_NEAR(sap.predicted, 8.03, 0.02);
  for (const char* row : {"overlay/creep/1", "overlay/creep/2"}) {
    const Reading reading = ReadRow(row);
    EXPECT_NEAR(reading.measured, 37.69, 0.05) << row;
    EXPECT_NEAR(reading.predicted, 37.69, 0.05) << row;
    EXPECT_NEAR(reading.crept, 37.69 * 0.5, 1) << row;
  }
}

TEST(CreepGauge, ABoxThatSlidesDoesNotCreep) {
  OPEN_OR_SKIP(ui, "slope-creep");
  Pass(ui.get(), 0.1);
  ui->session().params().Set(-1, "tilt", 0.5);
  PassAndDraw(ui.get(), 0.5);
  const WidgetRecord* row = FindWidget("overlay/creep/1");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(row->text.starts_with("slides – ")) << row->text;
}

TEST(CreepGauge, OtherScenesKeepTheGap) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(FindWidget("overlay/creep"), nullptr);
  EXPECT_NE(FindWidget("overlay/gap"), nullptr);
}

}  // namespace
}  // namespace slip::app
