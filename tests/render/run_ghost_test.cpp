// The ghost of another run in the picture: translucent, neutral, and only where it was asked for.
#include "render/quantities/run_ghost.h"

#include <gtest/gtest.h>

#include "render/quantities/outlines.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

class RunGhostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    snapshot_.ghost.branch = 0;
    snapshot_.ghost.place = GhostRun::Place::kApart;
    snapshot_.ghost.model = snapshot_.model;
    snapshot_.ghost.channels.assign(3, {});
    BodyFrame body;
    body.X_WB.p = Vec3(0.5, 0, 0.1);
    snapshot_.ghost.channels[0].push_back(body);
    request_.run_ghost = true;
    request_.visible = {true, false, false, false};
  }
  DrawList Build() {
    const DrawContext context{snapshot_, request_, camera_, {640, 400}, ColoursOf(request_.theme)};
    DrawList list;
    BuildScene(context, &list);
    taken_ = ghost_.Take(snapshot_, request_);
    ghost_.AppendBodies(context, &list);
    ghost_.AppendShadows(context, &list);
    ghost_.AppendOutlines(context, &list);
    return list;
  }

  Snapshot snapshot_ = MakeConveyorSnapshot();
  ViewRequest request_;
  Camera camera_{ConveyorCamera()};
  RunGhost ghost_;
  bool taken_ = false;
};

TEST_F(RunGhostTest, StandsBesideTheLeadInNoModelsColour) {
  const DrawList list = Build();
  ASSERT_TRUE(taken_);
  ASSERT_EQ(list.ghosts.size(), 1u);
  const auto& boxes = list.ghosts.Of(Mesh::kBevelled);
  const auto& other = list.ghosts.Of(Mesh::kBlock);
  const auto& near = list.ghosts.Of(Mesh::kBox);
  const SolidInstance& box = !boxes.empty()   ? boxes.front()
                             : !other.empty() ? other.front()
                                              : near.front();
  EXPECT_NEAR(box.rows[0][3] + camera_.spec().target.x(), 0.5, 1e-6);
  EXPECT_LT(box.colour[3], ColoursOf(request_.theme).ghost_alpha);
  for (MethodId model = MethodId{}; static_cast<int>(model) < kMethodCount;
       model = static_cast<MethodId>(static_cast<int>(model) + 1))
    EXPECT_FALSE(RunGhostStyle(request_.theme).colour == StyleOf(model).colour(request_.theme));
  ASSERT_EQ(list.lines.size(), 1u);
  EXPECT_EQ(list.lines.front().width, 1);
  EXPECT_EQ(list.lines.front().colour, RunGhostStyle(request_.theme).colour);
  EXPECT_EQ(list.shadows.size(), 1u);
}

TEST_F(RunGhostTest, IsDrawnOnlyWhereItIsAskedForAndThere) {
  request_.run_ghost = false;
  EXPECT_EQ(Build().ghosts.size(), 0u);
  EXPECT_FALSE(taken_);
  request_.run_ghost = true;
  request_.lead = 1;  // that run has no such channel
  EXPECT_EQ(Build().ghosts.size(), 0u + 1u) << "the first channel is a ghost now; no other";
  EXPECT_FALSE(taken_);
  request_.lead = 0;
  snapshot_.ghost.channels.clear();
  Build();
  EXPECT_FALSE(taken_);
}

}  // namespace
}  // namespace slip::render
