// Files in millimetres that are read as metres: told before a run, and where it fails for it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/run/study/plan_notes.h"
#include "engine/run/study/run_plan.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

std::string Corners(double edge, const char* before) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text +=
        fmt::format("{}{} {} {}\n", before, i & 1 ? edge : 0, i & 2 ? edge : 0, i & 4 ? edge : 0);
  return text;
}

class LargeShapes : public testing::Test {
 protected:
  Result<RunPlan> PlanOf(const std::string& body) {
    const std::string text =
        "title = 't'\ncontact_margin = 0.005\ntime_step = '2 ms'\n[material.m]\nstiffness = 1e5\n"
        "[surface.floor]\n[body.part]\nposition = [0, 0, 0.05]\n" +
        body + "[[channel]]\nmodel = 'sap'\n";
    WriteText(folder_.path("scene.toml"), text);
    const auto scene = FindScene(folder_.path("scene.toml"));
    if (!scene) return scene.errors();
    return MakeRunPlan(*scene, "", {}, {});
  }

  TempFolder folder_;
};

TEST_F(LargeShapes, AreHintedAt) {
  WriteText(folder_.path("mm.xyz"), Corners(100, ""));
  WriteText(folder_.path("mm.obj"), Corners(100, "v ") +
                                        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n"
                                        "f 2 4 8 6\n");
  for (const std::string body :
       {"shape = 'cloud'\nfile = 'mm.xyz'\nradius = 0\ninertia = 'hull'\nmass = 1\n",
        "shape = 'mesh'\nfile = 'mm.obj'\nmass = 1\n"}) {
    Result<RunPlan> plan = PlanOf(body);
    ASSERT_TRUE(plan.ok()) << plan.error().Text();
    const auto notes = PlanNotes(*plan);
    ASSERT_EQ(notes.size(), 1u) << body;
    EXPECT_EQ(notes[0].text,
              "'part', from a file, is 100 m large: if the file has millimetres, set "
              "scale = 0.001");
    plan.value().steps = 5;
    std::vector<Track> tracks;
    const RunResult result = slip::Run(*plan, &tracks, {});
    ASSERT_EQ(result.channels[0].status, ChannelResult::Status::kFailed) << body;
    EXPECT_NE(result.channels[0].failure.find("set scale = 0.001"), std::string::npos)
        << result.channels[0].failure;
    const Result<RunPlan> scaled = PlanOf(body + "scale = 0.001\n");
    ASSERT_TRUE(scaled.ok()) << scaled.error().Text();
    EXPECT_TRUE(PlanNotes(*scaled).empty());
  }
  // surroundings are large
  const Result<RunPlan> fixed =
      PlanOf("shape = 'mesh'\nfile = 'mm.obj'\nmotion = 'fixed'\nscale = 0.9\n");
  ASSERT_TRUE(fixed.ok()) << fixed.error().Text();
  EXPECT_TRUE(PlanNotes(*fixed).empty());
  // a box has the size that the scene gives it
  const Result<RunPlan> box = PlanOf("shape = 'box'\nsize = [40, 40, 40]\nmass = 1\n");
  ASSERT_TRUE(box.ok()) << box.error().Text();
  EXPECT_TRUE(PlanNotes(*box).empty());
}

}  // namespace
}  // namespace slip
