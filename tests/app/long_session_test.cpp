// A lecture of ten minutes: hundreds of changes, dozens of drags, ways taken anew. What was done is
// kept within the budget, and is made again bit for bit by another start of the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

constexpr int kChanges = 500, kDrags = 50, kBranches = 20;
constexpr double kSecondsPerChange = 1.2;

/// Pulls the lead body upwards and to the side, and lets go.
void Drag(OffscreenUi* ui, int nth) {
  Session& session = ui->session();
  Grab grab;
  grab.body = session.model()->lead_body;
  grab.stiffness = 200;
  grab.damping = 10;
  grab.force_limit = 30;
  const Vec3 from = session.frame(0).bodies[static_cast<std::size_t>(grab.body)].X_WB.p;
  for (int i = 0; i < 10; ++i) {
    grab.p_WA = from + 0.01 * i * Vec3(nth % 2 == 0 ? 1 : -1, 0, 0.5);
    session.Send(SetGrab{grab});
    ui->Skip(0.03);
  }
  session.Send(SetGrab{Grab{}});
  ui->Skip(0.03);
}

/// Goes on from some seconds ago.
void TakeAnotherWay(OffscreenUi* ui) {
  Session& session = ui->session();
  session.playback().SetPlaying(false);
  ui->Skip(0);
  session.playback().Seek(session.snapshot().time - 4);
  ui->Skip(0);
  session.params().Set(-1, "friction",
                       0.1 + 0.01 * static_cast<double>(session.branches().Living().size()));
  session.playback().SetPlaying(true);
  ui->Skip(0.1);
}

TEST(LongSession, TenMinutesAreKeptAndMadeAgain) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  ui->Skip(0.5);
  const struct {
    const char* path;
    double low, high;
  } knobs[] = {{"friction", 0.2, 0.9},
               {"dissipation", 0, 50},
               {"stiffness", 1e5, 1e8},
               {"stiction_tolerance", 1e-5, 1e-2},
               {"surface.belt.belt_frequency", 0.3, 2}};
  uint32_t random = 1;
  const auto uniform = [&random] {
    random = random * 1664525u + 1013904223u;
    return static_cast<double>(random >> 8) / (1 << 24);
  };
  for (int i = 0; i < kChanges; ++i) {
    const auto& knob = knobs[static_cast<std::size_t>(i) % std::size(knobs)];
    const int channel = i % 3 == 0 ? i / 3 % session.channel_count() : -1;
    session.params().Set(channel, knob.path, knob.low + uniform() * (knob.high - knob.low));
    if (i % (kChanges / kDrags) == 0) Drag(ui.get(), i);
    if (i % (kChanges / kBranches) == kChanges / kBranches - 1) TakeAnotherWay(ui.get());
    for (double t = 0; t < kSecondsPerChange; t += 0.1) ui->Skip(0.1);
  }
  ASSERT_FALSE(session.AllStopped());
  const Snapshot& snapshot = session.snapshot();
  EXPECT_GT(snapshot.time, 500);
  EXPECT_LE(snapshot.history_bytes, snapshot.history_budget);
  EXPECT_EQ(session.branches().Living().size(), 1u + kBranches);

  // any moment can be looked at; how fast is for the records, not for the test
  session.playback().SetPlaying(false);
  ui->Skip(0);
  std::vector<double> milliseconds;
  for (int i = 0; i < 100; ++i) {
    const double wanted = uniform() * snapshot.history_end;
    const auto start = std::chrono::steady_clock::now();
    session.playback().Seek(wanted);
    ui->Skip(0);
    milliseconds.push_back(
        1e-6 * static_cast<double>(
                   std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count()));
    EXPECT_NEAR(session.snapshot().time, wanted, 0.011);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("scrub: median %.2f ms, 99th of a hundred %.2f ms; history %.0f MB\n",
              milliseconds[50], milliseconds[98],
              1e-6 * static_cast<double>(snapshot.history_bytes));

  const TempFolder folder;
  const std::string file = folder.path("lecture.json");
  session.experiments().Save(file);
  ui->Skip(0);
  const ProgramResult verified = RunProgram({"replay", file, "--verify"});
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_NE(verified.out.find("21 branches"), std::string::npos) << verified.out;
  EXPECT_NE(verified.out.find("the same bits"), std::string::npos) << verified.out;
}

}  // namespace
}  // namespace slip::app
