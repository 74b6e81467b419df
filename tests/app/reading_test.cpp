// A window lives on while it reads a file that takes long: it says so, it can be told to stop, and
// what it shows stays until the new file is there.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <chrono>
#include <random>
#include <thread>

#include "app/frame/input.h"
#include "engine/geometry/mesh.h"
#include "tests/support/offscreen.h"
#include "tests/support/slow_search.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

/// A mesh whose hull takes long: all of its points are corners.
std::string SlowMesh(int count) {
  std::mt19937 random(5);
  std::normal_distribution<double> any;
  std::string text;
  for (int i = 0; i < count; ++i) {
    const Vec3 p = 0.1 * Vec3(any(random), any(random), any(random)).normalized();
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " +
            std::to_string(p.z()) + "\n";
  }
  for (int i = 1; i + 2 <= count; i += 3)
    text +=
        "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
  return text;
}

class ReadingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ui_ = Open("conveyor");
    if (ui_ == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
    Pass(ui_.get(), 0.1);
    // as a window that does not wait at all
    session().files().SetPatience(0);
  }
  void WriteSlow(int count) const {
    WriteText(folder_.path("slow.obj"), SlowMesh(count));
    WriteText(Slow(),
              "title = \"Slow\"\n[material.m]\n[surface.ground]\n[body.a]\nshape = \"mesh\"\n"
              "file = \"slow.obj\"\nmass = 1\nposition = [0, 0, 0.3]\n");
  }
  std::string Slow() const { return folder_.path("slow.toml"); }
  Session& session() { return ui_->session(); }
  /// Frames, until nothing is being opened any more.
  void WaitForIt() {
    for (int i = 0; i < 20000 && session().files().opening(); ++i) {
      ui_->Frame(1.0 / 60);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    Settle(ui_.get());
  }
  std::string Card() {
    const Message* card = session().Card();
    return card != nullptr ? card->what : std::string();
  }

  std::unique_ptr<OffscreenUi> ui_;
  TempFolder folder_;
};

TEST_F(ReadingTest, TheRunGoesOnUntilTheFileIsThere) {
  WriteSlow(20000);
  session().params().Set(-1, "friction", 0.3);
  Settle(ui_.get());
  const double time = session().snapshot().time;
  ASSERT_TRUE(session().Load(Slow()));
  ASSERT_TRUE(session().files().opening());
  PassAndDraw(ui_.get(), 0.2);
  if (session().files().opening()) {
    EXPECT_EQ(session().scene()->id, "conveyor");
    EXPECT_GT(session().snapshot().time, time + 0.1);
    EXPECT_EQ(Card().rfind("Reading slow.toml, ", 0), 0u) << Card();
    // what would be lost is not begun
    session().params().Set(-1, "friction", 0.7);
    EXPECT_EQ(session().params().Value(-1, "friction"), 0.3);
  }
  WaitForIt();
  EXPECT_EQ(session().scene()->title, "Slow");
  EXPECT_NE(Card().rfind("Reading", 0), 0u) << Card();
  EXPECT_TRUE(session().TakenOver());
}

TEST_F(ReadingTest, EscapeAndTheButtonLeaveWhatThereWas) {
  WriteSlow(300000);
  for (const bool by_key : {true, false}) {
    ASSERT_TRUE(session().Load(Slow()));
    for (int i = 0; i < 4; ++i) ui_->Frame(1.0 / 60);
    ASSERT_TRUE(session().files().opening());
    const Message* card = session().Card();
    ASSERT_NE(card, nullptr);
    ASSERT_EQ(card->actions.size(), 1u);
    EXPECT_EQ(card->actions[0].label, "Cancel");
    const double time = session().snapshot().time;
    if (by_key) {
      DispatchKey(&ui_->ui(), GLFW_KEY_ESCAPE, 0, false, false);
    } else {
      card->actions[0].run(&session());
    }
    Settle(ui_.get());
    EXPECT_FALSE(session().files().opening());
    EXPECT_EQ(Card(), "slow.toml was not opened.");
    PassAndDraw(ui_.get(), 0.3);
    EXPECT_EQ(session().scene()->id, "conveyor");
    EXPECT_GT(session().snapshot().time, time);
    session().params().Set(-1, "friction", by_key ? 0.4 : 0.6);
    EXPECT_EQ(session().params().Value(-1, "friction"), by_key ? 0.4 : 0.6);
  }
  // its thread ends soon
  const auto begin = std::chrono::steady_clock::now();
  ui_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(ReadingTest, WhatIsWrongIsSaidWhenItIsRead) {
  WriteSlow(20000);
  WriteText(Slow(),
            "title = \"Slow\"\n[material.m]\n[body.a]\nshape = \"mesh\"\n"
            "file = \"slow.obj\"\nmass = -1\n");
  ASSERT_TRUE(session().Load(Slow()));
  WaitForIt();
  EXPECT_EQ(session().scene()->id, "conveyor");
  const Message* card = session().Card();
  ASSERT_NE(card, nullptr);
  EXPECT_EQ(card->level, Message::Level::kError);
  EXPECT_NE(card->where.find("slow.toml, line 6"), std::string::npos) << card->where;
  EXPECT_NE(card->advice.find("the present scene keeps running"), std::string::npos);
}

TEST_F(ReadingTest, TheNewestWishCounts) {
  WriteSlow(300000);
  ASSERT_TRUE(session().Load(Slow()));
  ui_->Frame(1.0 / 60);
  ASSERT_TRUE(session().Load("sliding-box"));
  WaitForIt();
  EXPECT_EQ(session().scene()->id, "sliding-box");
  PassAndDraw(ui_.get(), 0.2);
  EXPECT_EQ(session().scene()->id, "sliding-box");
}

TEST_F(ReadingTest, AReloadKeepsWhatWasChangedMeanwhileToo) {
  WriteSlow(3000);
  session().files().SetPatience(1e9);
  ASSERT_TRUE(session().Load(Slow()));
  Settle(ui_.get());
  session().params().Set(-1, "friction", 0.37);
  Settle(ui_.get());
  WriteSlow(20000);
  session().files().SetPatience(0);
  ASSERT_TRUE(session().files().Reload());
  ASSERT_TRUE(session().files().opening());
  WaitForIt();
  PassAndDraw(ui_.get(), 0.1);
  EXPECT_EQ(session().params().Value(-1, "friction"), 0.37);
  // more than the file had before
  EXPECT_GT(session().scene()->model->bodies[0].shape.convex->vertices.size(), 3000u);
}

// what takes long is to find what touches at the start
TEST_F(ReadingTest, FirstContactsAreWaitedForLikewise) {
  const std::string slow = WriteSlowSearch(folder_, 20000);
  ASSERT_TRUE(session().Load(slow));
  const double time = session().snapshot().time;
  const auto loaded = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - loaded < std::chrono::milliseconds(1500)) {
    ui_->Frame(1.0 / 60);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(session().files().opening());
  EXPECT_EQ(session().scene()->id, "conveyor");
  EXPECT_GT(session().snapshot().time, time);
  const Message* card = session().Card();
  ASSERT_NE(card, nullptr);
  ASSERT_EQ(card->actions.size(), 1u);
  card->actions[0].run(&session());
  Settle(ui_.get());
  EXPECT_EQ(Card(), "slow-search.toml was not opened.");
  // a scene that was read before, likewise
  const auto scene = FindScene(WriteSlowSearch(folder_, 20000));
  ASSERT_TRUE(scene.ok());
  bool begun = false;
  session().files().Open(*scene, nullptr, [&] { begun = true; });
  for (int i = 0; i < 4; ++i) ui_->Frame(1.0 / 60);
  EXPECT_TRUE(session().files().opening());
  EXPECT_FALSE(begun);
  const auto begin = std::chrono::steady_clock::now();
  ui_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1)) << "its thread ends";
}

TEST_F(ReadingTest, WhatBeginsWithASceneComesWhenItIsThere) {
  const auto scene = FindScene(WriteSlowSearch(folder_, 100));
  ASSERT_TRUE(scene.ok());
  bool begun = false;
  session().files().Open(*scene, nullptr, [&] { begun = true; });
  session().files().ShowMeanwhile(*FindScene("sliding-box"));
  ui_->Frame(1.0 / 60);
  if (session().files().opening()) EXPECT_EQ(session().scene()->id, "sliding-box");
  WaitForIt();
  EXPECT_TRUE(begun);
  EXPECT_EQ(session().scene()->title, "Slow search");
  EXPECT_TRUE(session().TakenOver());
}

TEST_F(ReadingTest, AnExperimentIsReadLikewise) {
  WriteSlow(20000);
  session().files().SetPatience(1e9);
  ASSERT_TRUE(session().Load(Slow()));
  PassAndDraw(ui_.get(), 0.1);
  const std::string file = folder_.path("e.json");
  session().experiments().Save(file);
  Settle(ui_.get());
  ASSERT_TRUE(session().Load("conveyor"));
  Settle(ui_.get());
  session().files().SetPatience(0);
  ASSERT_TRUE(session().Load(file));
  EXPECT_TRUE(session().files().opening());
  EXPECT_FALSE(session().files().ReplayProgress().has_value()) << "it is read first";
  WaitForIt();
  EXPECT_EQ(session().scene()->title, "Slow");
}

}  // namespace
}  // namespace slip::app
