// The distance from Coulomb in the window: colours under the contacts with their card, the offset
// beside the distance, and the columns of the table while it is shown.
#include <gtest/gtest.h>

#include "render/quantities/distance_discs.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

std::string TextOfCard(const std::string& id) {
  const WidgetRecord* widget = FindWidget(id);
  EXPECT_NE(widget, nullptr) << id;
  return widget != nullptr ? widget->text : std::string();
}

TEST(DistanceCard, IsThereWhileContactsAreColoured) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.6);
  EXPECT_EQ(FindWidget("overlay/distance"), nullptr);
  EXPECT_EQ(FindWidget("contacts/distance/0"), nullptr);
  EXPECT_NE(FindWidget("contacts/gap/0"), nullptr);
  ui->ui().state.view.coulomb_distance = true;
  PassAndDraw(ui.get(), 0);
  ASSERT_NE(FindWidget("overlay/distance"), nullptr);
  // SAP and Similar glide: their distance is that of their whole force, and says no more
  EXPECT_EQ(TextOfCard("overlay/distance/0"), "10.8 N 2.62 mm");
  EXPECT_EQ(TextOfCard("overlay/distance/1").substr(0, 3), "78.");
  EXPECT_EQ(TextOfCard("overlay/distance/2"), "10.8 N 2.63 mm");
  EXPECT_EQ(TextOfCard("contacts/offset/0"), "2.616");
  EXPECT_EQ(FindWidget("contacts/gap/0"), nullptr);
  EXPECT_TRUE(ClippedWidgets().empty());
}

TEST(DistanceCard, StepsOfTheColours) {
  using render::DistanceStep;
  EXPECT_EQ(DistanceStep(0), 0);
  EXPECT_EQ(DistanceStep(7e-8), 0);
  EXPECT_EQ(DistanceStep(1e-3), 1);
  EXPECT_EQ(DistanceStep(0.5), 2);
  EXPECT_EQ(DistanceStep(9.9), 3);
  EXPECT_EQ(DistanceStep(1e9), 4);
  EXPECT_NE(render::DistanceColour(0, render::Theme::kDark),
            render::DistanceColour(4, render::Theme::kDark));
}

}  // namespace
}  // namespace slip::app
