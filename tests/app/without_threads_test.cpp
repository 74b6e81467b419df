// The window's session under --threads 0: engine and jobs have their parts of the frames, all works
// as ever, and no thread is started.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <thread>

#include "app/session/session.h"
#include "engine/run/record/recording_file.h"
#include "render/video/live_video.h"
#include "tests/support/creep_study.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/support/without_threads.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// Frames by the real clock, each of which starts no thread.
struct Frames {
  explicit Frames(Session* of) : session(*of) {}

  void Next() {
    const auto begin = std::chrono::steady_clock::now();
    now += 0.01;
    session.Update(now);
    longest = std::max(
        longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    EXPECT_EQ(CountThreads(), threads);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  template <class Is>
  [[nodiscard]] bool Until(const Is& is) {
    for (int i = 0; i < 20000 && !is(); ++i) Next();
    return is();
  }

  Session& session;
  int threads = CountThreads();
  double now = 0, longest = 0;
};

struct ThreadlessSession {
  explicit ThreadlessSession(const std::string& scene) {
    session.files().SetPatience(0.1);
    EXPECT_TRUE(session.Load(scene));
    EXPECT_TRUE(frames.Until([&] { return session.scene() != nullptr && session.TakenOver(); }));
  }
  WithoutThreads none;
  Session session{MakeThreadLink()};
  Frames frames{&session};
};

TEST(WithoutThreads, OthersStartSome) {
  const int before = CountThreads();
  Session session(MakeThreadLink());
  EXPECT_GT(CountThreads(), before) << "what the other tests count would not be seen";
}

TEST(WithoutThreads, SteeringWorksAsEver) {
  ThreadlessSession of("conveyor");
  Session& session = of.session;
  Frames& frames = of.frames;
  const auto time = [&] { return session.snapshot().time; };
  session.playback().SetPlaying(true);
  ASSERT_TRUE(frames.Until([&] { return time() > 0.3; }));
  session.playback().SetPlaying(false);
  ASSERT_TRUE(frames.Until([&] { return !session.snapshot().playing; }));
  const int64_t stands = session.frame(0).step;
  for (int i = 0; i < 5; ++i) frames.Next();
  EXPECT_EQ(session.frame(0).step, stands);
  session.playback().Step(1);
  ASSERT_TRUE(frames.Until([&] { return session.frame(0).step == stands + 1; }));
  session.playback().Step(-2);
  ASSERT_TRUE(frames.Until([&] { return session.frame(0).step == stands - 1; }));
  session.playback().Seek(0.1);
  ASSERT_TRUE(frames.Until([&] { return std::abs(time() - 0.1) < 1e-9; }));
  // from the past on it is another branch
  session.params().Set(-1, "friction", 0.2);
  session.playback().SetPlaying(true);
  ASSERT_TRUE(frames.Until([&] { return session.branches().Living().size() == 2; }));
  ASSERT_TRUE(frames.Until([&] { return time() > 0.2; }));
  session.params().SetMethod(1, *FindMethod("anitescu"));
  ASSERT_TRUE(frames.Until(
      [&] { return Info(session.frame(1).config.method()).id == "anitescu" && time() > 0.4; }));
  session.branches().ReturnTo(0);
  ASSERT_TRUE(frames.Until([&] { return session.branches().present() == 0; }));
  session.playback().Reset();
  ASSERT_TRUE(frames.Until([&] { return session.frame(0).step == 0 || time() < 0.05; }));
  ASSERT_TRUE(session.Load("sliding-box"));
  ASSERT_TRUE(frames.Until([&] { return session.scene()->id == "sliding-box"; }));
  EXPECT_FALSE(session.AllStopped());
}

TEST(WithoutThreads, AReferenceGrowsBesideTheRunAndCanBeDropped) {
  ThreadlessSession of("quadruped-trot");
  Session& session = of.session;
  session.playback().SetPlaying(true);
  session.reference().Make();
  ASSERT_TRUE(of.frames.Until([&] { return session.reference().Progress().value_or(0) > 1e-3; }));
  const double time = session.snapshot().time;
  ASSERT_TRUE(of.frames.Until([&] { return session.snapshot().time > time + 0.1; }))
      << "the run goes on";
  EXPECT_TRUE(session.reference().Progress());
  session.reference().Drop();
  EXPECT_FALSE(session.reference().Exists());
  // one that is short comes to its end
  ASSERT_TRUE(session.Load("conveyor"));
  ASSERT_TRUE(of.frames.Until([&] { return session.TakenOver(); }));
  session.reference().Make();
  ASSERT_TRUE(of.frames.Until(
      [&] { return session.reference().Exists() && !session.reference().Progress(); }));
  EXPECT_GT(session.reference().series().channels(), 0);
}

TEST(WithoutThreads, AnExperimentIsSavedAndOpenedAgain) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  ThreadlessSession of("conveyor");
  Session& session = of.session;
  session.experiments().StartAutosave(folder.path("state"));
  session.playback().SetPlaying(true);
  ASSERT_TRUE(of.frames.Until([&] { return session.snapshot().time > 0.5; }));
  const auto autosaves = [&] {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder.path("state")))
      count += entry.path().extension() == ".json" ? 1 : 0;
    return count;
  };
  ASSERT_TRUE(of.frames.Until([&] { return autosaves() == 1; }));
  EXPECT_EQ(session.experiments().autosave_problem(), "");
  session.playback().SetPlaying(false);
  session.experiments().Save(file);
  ASSERT_TRUE(of.frames.Until([&] { return fs::exists(file); }));
  EXPECT_EQ(RunProgram({"replay", file, "--verify"}).exit, 0);
  const auto recorded = ReadRecording(file);
  ASSERT_TRUE(recorded.ok());
  const double end = recorded->recording->time;
  ASSERT_TRUE(session.files().OpenExperiment(file));
  ASSERT_TRUE(session.files().ReplayProgress());
  session.files().Cancel();
  EXPECT_FALSE(session.files().opening());
  ASSERT_TRUE(session.Load("sliding-box"));
  ASSERT_TRUE(session.files().OpenExperiment(file));
  ASSERT_TRUE(of.frames.Until([&] { return !session.files().opening(); }));
  ASSERT_TRUE(of.frames.Until([&] { return session.scene()->id == "conveyor"; }));
  ASSERT_TRUE(of.frames.Until([&] { return session.snapshot().time == end; }));
  EXPECT_TRUE(of.frames.Until([&] {
    return session.status().find("the same bits") != std::string::npos;
  })) << session.status();
}

/// Three cells: two short ones, and one of twenty million steps.
const std::string kStudy = test::CreepStudy{.source = "A. Author, On Slopes (memo), figure 7",
                                            .methods = "\"lagged\"",
                                            .steps = "2ms,1ms,1us",
                                            .quick_steps = "2ms,1ms",
                                            .with_tolerance = false,
                                            .duration = "20",
                                            .quick_duration = "0.5",
                                            .predicted = false,
                                            .rest = R"toml(
[[condition]]
id = "low"
mark = "chosen"
text = "It creeps"
value = "min(slope.creep)"
low = 0
)toml"}
                               .Text();

/// What its one table of rows says, without wall times.
std::string RowsOf(const StudyEntry& entry) {
  std::string rows;
  if (entry.cells == nullptr) return rows;
  for (std::size_t cell = 0; cell < entry.cells->plan->cells(); ++cell) {
    const auto kept = entry.cells->index->Read(cell);
    const std::string row = kept ? kept->row : "lost";
    rows += row.substr(0, row.rfind(',', row.rfind(',') - 1)) + "\n";
  }
  return rows;
}

std::string QuickRows(Frames* frames, const std::string& path) {
  Studies& studies = frames->session.files().studies();
  studies.Open(path);
  EXPECT_TRUE(frames->Until([&] { return studies.opened() == 1; }));
  studies.Run(0, true);
  EXPECT_TRUE(frames->Until([&] { return !studies.list()[0].Waits(); }));
  return RowsOf(studies.list()[0]);
}

TEST(WithoutThreads, AStudyRunsBetweenTheFrames) {
  const TempFolder folder;
  const std::string path = folder.path("creep.toml");
  WriteText(path, kStudy);
  ThreadlessSession of("conveyor");
  Session& session = of.session;
  Studies& studies = session.files().studies();
  const std::string rows = QuickRows(&of.frames, path);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2) << rows;
  // a cell of many minutes hands over after its steps
  studies.Run(0, false);
  ASSERT_TRUE(of.frames.Until(
      [&] { return studies.list()[0].shown != nullptr && studies.list()[0].shown->made == 2; }));
  session.playback().SetPlaying(true);
  const double time = session.snapshot().time;
  ASSERT_TRUE(of.frames.Until([&] { return session.snapshot().time > time + 0.2; }));
  EXPECT_TRUE(studies.list()[0].Waits());
  ASSERT_TRUE(of.frames.Until([&] { return studies.job()->progress() > 2e-4; }));
  studies.Stop(0);
  ASSERT_TRUE(of.frames.Until([&] { return !studies.list()[0].Waits(); }));
  EXPECT_EQ(studies.list()[0].state, StudyState::kStopped);
  // and a window that closes meanwhile does not wait for it
  studies.Run(0, false);
  of.frames.Next();
  EXPECT_TRUE(studies.list()[0].Waits());
  EXPECT_LT(of.frames.longest, 5) << "no frame made a whole cell of that length";
  SetStartsThreads(true);
  Session other(MakeThreadLink());
  studies.StopAll();
  other.Load("conveyor");
  Studies& threaded = other.files().studies();
  threaded.Open(path);
  const auto wait = [&](const auto& is) {
    return WaitFor([&] {
      other.Update(0);
      return is();
    });
  };
  ASSERT_TRUE(wait([&] { return threaded.opened() == 1; }));
  threaded.Run(0, true);
  ASSERT_TRUE(wait([&] { return !threaded.list()[0].Waits(); }));
  EXPECT_EQ(RowsOf(threaded.list()[0]), rows);
}

TEST(WithoutThreads, ALiveVideoIsWrittenBetweenTheFrames) {
  const WithoutThreads none;
  const int before = CountThreads();
  const TempFolder folder;
  auto video = render::LiveVideo::Start(folder.path("frames/"), {.frames_per_second = 10});
  ASSERT_TRUE(video.ok());
  render::Image image{8, 4, std::vector<uint8_t>(8 * 4 * 4, 100)};
  for (int i = 0; i < 20; ++i) {
    (*video)->Add(image, 0.1 * i);
    GiveSlices();
  }
  (*video)->Finish(2);
  for (int i = 0; i < 100 && !(*video)->done(); ++i) GiveSlices();
  EXPECT_TRUE((*video)->done());
  EXPECT_TRUE((*video)->status().ok());
  EXPECT_EQ((*video)->frames(), 20);
  EXPECT_EQ((*video)->skipped(), 0);
  EXPECT_TRUE(fs::exists(folder.path("frames/frame-000019.png")));
  EXPECT_EQ(CountThreads(), before);
}

}  // namespace
}  // namespace slip::app
