// Numbers beside arrows: whose they are can be seen, and they do not jump.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/kit/label_placer.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "render/quantities/force_arrows.h"
#include "tests/support/offscreen.h"
#include "tests/support/ui_harness.h"

namespace slip::app {
namespace {

/// The only pane, as it was drawn.
Pane PaneOf(OffscreenUi* ui) {
  Pane pane;
  pane.min = ui->ui().regions.view.min;
  pane.max = ui->ui().regions.view.max;
  pane.request = LeadRequest(ui->session(), ui->ui().state.view, Theme::kDark, Picked());
  pane.request.compare = render::CompareMode::kGhosts;
  FitGap(ui->session(), ui->ui().state.view, ui->ui().rig, &pane);
  return pane;
}

std::vector<WidgetRecord> Labels() {
  std::vector<WidgetRecord> labels;
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id.starts_with("overlay/label/")) labels.push_back(widget);
  }
  return labels;
}

/// "overlay/label/1/f_n" is of channel 1.
int ChannelOf(const WidgetRecord& label) { return label.id[14] - '0'; }

WidgetRecord Widget(const Rect& rect) { return {"", rect.min, rect.max, false, ""}; }

/// Looks at every label of so many frames while the run plays.
void ExpectClearOfOthers(const char* scene, int width, int height, int frames) {
  OPEN_OR_SKIP(ui, scene, width, height);
  ui->session().playback().SetPlaying(true);
  std::size_t seen = 0;
  for (int frame = 0; frame < frames; ++frame) {
    ui->Skip(0.05);
    ui->Frame(1.0 / 60);
    const Pane pane = PaneOf(ui.get());
    const Snapshot& snapshot = ui->session().snapshot();
    for (const WidgetRecord& label : Labels()) {
      ++seen;
      for (int c = 0; c < ui->session().channel_count(); ++c) {
        if (c == ChannelOf(label)) continue;
        for (int b = 0; b < snapshot.model->drawn(); ++b) {
          const auto body = BodyOnScreen(snapshot, pane, c, b);
          if (!body || !snapshot.model->Drawn(b).Moves()) continue;
          EXPECT_FALSE(Overlap(label, Widget(*body)))
              << scene << " " << label.id << " " << label.text << " on a body of " << c << " at "
              << snapshot.time << " s";
        }
      }
    }
  }
  EXPECT_GT(seen, 2u * static_cast<std::size_t>(frames)) << "fewer, but not none";
}

TEST(LabelPlacer, KeepsClearOfOthersAndSparesTheOwn) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  const ImVec2 tip{300, 300}, size{80, 20};
  const auto covers = [&](ImVec2 at, ImVec2 min, ImVec2 max) {
    return at.x < max.x && at.x + size.x > min.x && at.y - 10 < max.y && at.y + 10 > min.y;
  };
  ui.Frame([&] {
    LabelPlacer free({0, 0}, {1280, 720});
    const auto wanted = free.Place({tip, {260, 286}, size, 0, {}, false});
    ASSERT_TRUE(wanted.has_value());
    EXPECT_EQ(wanted->x, 260);
    EXPECT_EQ(wanted->y, 286) << "not on the tip";
    const ImVec2 min{240, 200}, max{360, 320};
    for (const int owner : {0, 1}) {
      LabelPlacer placer({0, 0}, {1280, 720});
      placer.Keep(min, max, owner);
      const auto at = placer.Place({tip, {260, 286}, size, 1, {}, false});
      ASSERT_TRUE(at.has_value());
      EXPECT_FALSE(covers(*at, min, max)) << owner;
    }
    // where nothing else is near, its own body alone is covered
    for (const int owner : {0, 1}) {
      LabelPlacer placer({0, 0}, {1280, 720});
      placer.Keep({0, 0}, {1280, 720}, owner);
      EXPECT_EQ(placer.Place({tip, {260, 286}, size, 1, {}, false}).has_value(), owner == 1);
    }
  });
}

TEST(LabelPlacer, AFreePlaceIsLeftOnlyForAMuchBetterOne) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  const ImVec2 tip{300, 300}, size{80, 20}, wanted{260, 286};
  ui.Frame([&] {
    const auto place = [&](ImVec2 before, bool rests, bool taken) {
      LabelPlacer placer({0, 0}, {1280, 720});
      if (taken) placer.Keep(before, {before.x + 1, before.y + 1});
      return placer.Place({tip, wanted, size, 0, before, rests}).value();
    };
    const ImVec2 near{320, 320}, far{420, 380};
    EXPECT_EQ(place(near, false, false).x, near.x);
    EXPECT_NE(place(near, false, true).x, near.x) << "it is taken";
    EXPECT_NE(place(far, false, false).x, far.x);
    EXPECT_EQ(place(far, true, false).x, far.x) << "it came there a moment ago";
  });
}

TEST(ForceLabel, NoneStandsOnABodyOfAnotherModel) {
  for (const char* scene : {"falling-sphere", "conveyor", "conveyor-constant", "slope-creep",
                            "sliding-box", "sliding-mass", "card-house"}) {
    ExpectClearOfOthers(scene, 1280, 720, 20);
  }
  ExpectClearOfOthers("conveyor", 1600, 900, 20);
}

TEST(ForceLabel, NormalForcesAndTheLeadFindAPlaceFirst) {
  for (const char* scene : {"conveyor", "slope-creep", "sliding-mass"}) {
    OPEN_OR_SKIP(ui, scene, 1280, 720);
    PassAndDraw(ui.get(), 0.2);
    // in the order in which they were placed
    std::string order;
    for (const WidgetRecord& label : Labels()) {
      if (!label.id.ends_with("belt u =")) order += label.id.substr(14) + " ";
    }
    EXPECT_EQ(order, "0/f_n 1/f_n 2/f_n 0/f_t 1/f_t 2/f_t ") << scene;
  }
}

TEST(ForceLabel, SeldomJumpsWhileBodiesMove) {
  OPEN_OR_SKIP(ui, "conveyor", 1280, 720);
  ui->session().playback().SetPlaying(true);
  // farther than an arrow moves in a frame
  int jumps = 0;
  std::vector<WidgetRecord> last;
  for (int frame = 0; frame < 240; ++frame) {
    ui->Frame(1.0 / 60);
    const std::vector<WidgetRecord> labels = Labels();
    for (const WidgetRecord& label : labels) {
      const auto before = std::find_if(last.begin(), last.end(), [&](const WidgetRecord& other) {
        return other.id == label.id && label.id.ends_with("/f_n");
      });
      if (before == last.end()) continue;
      jumps += std::hypot(label.min.x - before->min.x, label.min.y - before->min.y) > 25 ? 1 : 0;
    }
    last = labels;
  }
  EXPECT_FALSE(last.empty());
  EXPECT_LE(jumps, 8) << "without a memory of their places it is 12";
}

TEST(ArrowScale, TheSampleIsAsLongAsSuchAForce) {
  UI_OR_SKIP(ui, OpenPlan("sliding-box", "lagged"));
  PassAndDraw(ui.get(), 1);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const WidgetRecord* sample = FindWidget("overlay/arrows/sample");
  ASSERT_NE(sample, nullptr);
  const double newtons = std::stod(sample->text);
  const Pane pane = PaneOf(ui.get());
  const ContactFrame& contact = ui->session().frame(0).contacts[0];
  const auto foot = pane.camera.Project(contact.p_W, pane.viewport());
  ASSERT_TRUE(foot.has_value());
  const double length =
      render::ArrowLength(contact.fn, foot->z(), render::ArrowScale::kAuto, newtons);
  const auto tip = pane.camera.Project(contact.p_W + length * Vec3::UnitZ(), pane.viewport());
  ASSERT_TRUE(tip.has_value());
  const double drawn = (tip->head<2>() - foot->head<2>()).norm();
  const double sampled = static_cast<double>(sample->max.x - sample->min.x) * contact.fn / newtons;
  // the camera looks down on it a little
  EXPECT_NEAR(drawn / sampled, 1, 0.15) << drawn << " " << sampled;
}

}  // namespace
}  // namespace slip::app
