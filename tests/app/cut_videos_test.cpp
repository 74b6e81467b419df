// A live video whose program was killed is offered at the next start.
#include "app/session/cut_videos.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "app/host/window.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// A process makes the note and is gone, with its part left.
void RecordAndDie(const std::string& state, const std::string& video) {
  const pid_t child = fork();
  if (child == 0) {
    const VideoNote note(state, video);
    _exit(0);  // without a destructor
  }
  int status = 0;
  waitpid(child, &status, 0);
  WriteText(video + ".part", "frames");
}

const Message* Offer(OffscreenUi& ui) {
  for (const Message& message : ui.session().messages())
    if (message.subject.starts_with("cut video ")) return &message;
  return nullptr;
}

TEST(CutVideos, ThoseOfProgramsThatAreGoneAreFound) {
  const TempFolder folder;
  const std::string state = folder.path("state"), video = folder.path("a.mp4");
  {
    const VideoNote running(state, folder.path("b.mp4"));
    WriteText(folder.path("b.mp4.part"), "frames");
    EXPECT_TRUE(FindCutVideos(state).empty()) << "it is being made";
  }
  EXPECT_TRUE(fs::is_empty(state)) << "a clean end leaves no note";
  RecordAndDie(state, video);
  const std::vector<CutVideo> found = FindCutVideos(state);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].video, video);
  EXPECT_EQ(found[0].part, video + ".part");
  fs::remove(found[0].part);
  EXPECT_TRUE(FindCutVideos(state).empty());
  EXPECT_TRUE(fs::is_empty(state)) << "nothing to offer any more";
}

TEST(CutVideos, OneIsKeptUnderAFreeNameOrDiscarded) {
  const TempFolder folder;
  const std::string state = folder.path("state"), video = folder.path("a.mp4");
  RecordAndDie(state, video);
  WriteText(video, "another one");
  OPEN_OR_SKIP(ui, "conveyor");
  ui->session().experiments().StartAutosave(state);
  const Message* offer = Offer(*ui);
  ASSERT_NE(offer, nullptr);
  ASSERT_EQ(offer->actions.size(), 2u);
  const auto keep = offer->actions[0].run;
  keep(&ui->session());
  EXPECT_EQ(ReadText(folder.path("a-001.mp4")), "frames");
  EXPECT_EQ(ReadText(video), "another one");
  EXPECT_EQ(Offer(*ui), nullptr);
  EXPECT_TRUE(FindCutVideos(state).empty());

  RecordAndDie(state, video);
  ui->session().experiments().StartAutosave(state);
  offer = Offer(*ui);
  ASSERT_NE(offer, nullptr);
  const auto discard = offer->actions[1].run;
  discard(&ui->session());
  EXPECT_FALSE(fs::exists(video + ".part"));
  EXPECT_EQ(Offer(*ui), nullptr);
}

}  // namespace
}  // namespace slip::app
