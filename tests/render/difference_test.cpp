// The picture of a difference: colours that read in grey, distances and force differences.
#include "render/scene/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/quantities/contact_glyphs.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

double Lightness(const Colour& c) {
  return 0.2126 * std::pow(c.r, 2.2) + 0.7152 * std::pow(c.g, 2.2) + 0.0722 * std::pow(c.b, 2.2);
}

TEST(Difference, ColoursGrowLighter) {
  double last = -1;
  for (double metres = 1e-6; metres < 0.11; metres *= 1.5) {
    const double lightness = Lightness(DifferenceColour(metres));
    EXPECT_GT(lightness, last) << metres;
    last = lightness;
  }
  EXPECT_EQ(DifferenceColour(0), DifferenceColour(1e-7));
  EXPECT_EQ(DifferenceColour(1), DifferenceColour(kMostDifference));
  EXPECT_EQ(DifferenceColour(std::nan("")), DifferenceColour(0));
}

TEST(Difference, IsTheLargestOverTheVisibleModels) {
  Snapshot snapshot = MakeConveyorSnapshot();
  ViewRequest request;
  request.compare = CompareMode::kDifference;
  request.lead = 1;  // gaps of 2.5, 0 and 1.1 mm
  EXPECT_NEAR(PositionDifference(snapshot, request, 0), 2.5e-3, 1e-12);
  request.visible[0] = false;
  EXPECT_NEAR(PositionDifference(snapshot, request, 0), 1.1e-3, 1e-12);
  EXPECT_FALSE(ComparedWithLead(snapshot, request, 0));
  EXPECT_FALSE(ComparedWithLead(snapshot, request, 1));
  EXPECT_TRUE(ComparedWithLead(snapshot, request, 2));
  snapshot.channels[2].bodies[0].X_WB.p.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(PositionDifference(snapshot, request, 0), 0);
  EXPECT_EQ(PositionDifference(snapshot, request, 7), 0);
  // only the lead's bodies are drawn
  EXPECT_TRUE(ChannelShown(snapshot, request, 1));
  EXPECT_FALSE(ChannelShown(snapshot, request, 2));
}

/// Labels of the normal force differences, by channel; NaN = none.
std::array<double, 3> NormalDifferences(const Snapshot& snapshot, const ViewRequest& request) {
  const Camera camera(ConveyorCamera());
  const DrawContext context{snapshot, request, camera, {1280, 720}, ColoursOf(request.theme)};
  DrawList list;
  std::array<double, 3> values;
  values.fill(std::nan(""));
  for (const LabelAnchor& label : AppendGlyphs(context, &list)) {
    if (label.kind != LabelKind::kNormalForce) continue;
    values[static_cast<std::size_t>(label.channel)] = label.value;
  }
  return values;
}

TEST(Difference, ArrowsAreForcesMinusTheLeads) {
  Snapshot snapshot = MakeConveyorSnapshot();
  ViewRequest request;
  request.compare = CompareMode::kDifference;
  request.lead = 1;  // normal forces 9.63, 9.81 and 9.73
  std::array<double, 3> values = NormalDifferences(snapshot, request);
  EXPECT_NEAR(values[0], 0.18, 1e-9);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_NEAR(values[2], 0.08, 1e-9);

  // a contact that only one of them has counts whole
  snapshot.channels[0].contacts.clear();
  snapshot.channels[2].contacts[0].key = 17;
  request.visible[2] = false;
  values = NormalDifferences(snapshot, request);
  EXPECT_NEAR(values[0], 9.81, 1e-9);
  EXPECT_TRUE(std::isnan(values[2]));
}

}  // namespace
}  // namespace slip::render
