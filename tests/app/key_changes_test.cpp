// What single keys change is said, and taken back by the message or by the keyboard's undo.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "app/frame/input.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

class KeyChangesTest : public ::testing::Test {
 protected:
  void Open(const std::string& scene) {
    ui_ = OpenStaged(scene);
    if (ui_ == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
    Pass(ui_.get(), 0.3);
    Frames(2);
  }
  void Frames(int count) {
    for (int i = 0; i < count; ++i) ui_->Frame(1.0 / 60);
  }
  void Press(int key, int mods = 0) {
    DispatchKey(&ui_->ui(), key, mods, false, false);
    Frames(2);
  }
  std::string Card() {
    const Message* card = session().Card();
    return card != nullptr ? card->what : std::string();
  }
  void UndoByCard() {
    const Message* card = session().Card();
    ASSERT_NE(card, nullptr);
    ASSERT_EQ(card->actions.size(), 1u);
    EXPECT_EQ(card->actions[0].label, "Undo");
    card->actions[0].run(&session());
    Frames(3);
  }
  Session& session() { return ui_->session(); }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(KeyChangesTest, ANumberTypedBesideItsBoxIsOneMessageAndOneUndo) {
  Open("conveyor-constant");
  ASSERT_DOUBLE_EQ(session().playback().speed(), 0.02);
  const LoopPhase loop = session().playback().loop_phase();
  Press(GLFW_KEY_0);
  Press(GLFW_KEY_PERIOD);
  Press(GLFW_KEY_1);
  EXPECT_EQ(session().playback().speed(), 1);
  EXPECT_FALSE(session().playback().playing());
  EXPECT_FALSE(session().looks().Shown(0));
  EXPECT_EQ(Card(),
            "Speed ×1/50 → ×1.0, paused, one step on, " + session().looks().Name(0) + " hidden.");
  UndoByCard();
  EXPECT_DOUBLE_EQ(session().playback().speed(), 0.02);
  EXPECT_TRUE(session().playback().playing());
  EXPECT_EQ(session().playback().loop_phase(), loop);
  EXPECT_TRUE(session().looks().Shown(0));
  EXPECT_EQ(Card(), "") << "it is answered";
}

TEST_F(KeyChangesTest, TheKeyboardsUndoTakesBackWhatCameLast) {
  Open("conveyor");
  session().params().Set(-1, "friction", 0.3);
  Frames(2);
  Press(GLFW_KEY_2);
  ASSERT_FALSE(session().looks().Shown(1));
  Press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  EXPECT_TRUE(session().looks().Shown(1));
  EXPECT_EQ(session().params().Value(-1, "friction"), 0.3);
  Press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  EXPECT_EQ(session().params().Value(-1, "friction"), 0.5);
  // a parameter that was changed behind it comes first
  Press(GLFW_KEY_2);
  session().params().Set(-1, "friction", 0.3);
  Frames(2);
  Press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  EXPECT_EQ(session().params().Value(-1, "friction"), 0.5);
  EXPECT_FALSE(session().looks().Shown(1));
}

TEST_F(KeyChangesTest, SwitchesAndModesAreSaidAndComeBack) {
  Open("conveyor");
  ViewState& view = ui_->ui().state.view;
  const bool forces = view.forces;
  const Compare compare = view.compare;
  Press(GLFW_KEY_F);
  EXPECT_NE(view.forces, forces);
  EXPECT_NE(Card().find(forces ? " off." : " on."), std::string::npos) << Card();
  Press(GLFW_KEY_V);
  EXPECT_NE(view.compare, compare);
  EXPECT_NE(Card().find(", compare Ghosts → Split 2."), std::string::npos) << Card();
  UndoByCard();
  EXPECT_EQ(view.forces, forces);
  EXPECT_EQ(view.compare, compare);
  // who presses twice has changed nothing
  Press(GLFW_KEY_F);
  Press(GLFW_KEY_F);
  EXPECT_EQ(Card(), "");
}

TEST_F(KeyChangesTest, AResetIsTakenBackToTheOldRun) {
  Open("conveyor");
  Pass(ui_.get(), 0.5);
  Frames(2);
  Press(GLFW_KEY_R);
  EXPECT_EQ(Card(), "The old run is kept as run b1.") << "which says it already";
  ASSERT_EQ(session().snapshot().branch, 1);
  Press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  EXPECT_EQ(session().snapshot().branch, 0);
  EXPECT_TRUE(session().playback().playing());
}

TEST_F(KeyChangesTest, AnotherSceneIsSaidAndTakenBackWithAllThatWasDone) {
  Open("conveyor");
  session().params().Set(-1, "friction", 0.3);
  session().notebook().NameNote(session().notebook().AddNote(), "look");
  Pass(ui_.get(), 0.3);
  Frames(2);
  const double end = session().snapshot().history_end;
  const std::string id = session().scene()->id;
  Press(GLFW_KEY_PAGE_DOWN, GLFW_MOD_CONTROL);
  Frames(3);
  ASSERT_NE(session().scene()->id, id);
  EXPECT_EQ(Card(), "Went to the scene " + session().scene()->title + ".");
  // and on: back is still the run that was left first
  Press(GLFW_KEY_PAGE_DOWN, GLFW_MOD_CONTROL);
  Frames(3);
  EXPECT_EQ(Card(), "Went to the scene " + session().scene()->title + ".");
  UndoByCard();
  for (int i = 0; i < 2000 && session().files().opening(); ++i) {
    ui_->Frame(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Frames(3);
  EXPECT_EQ(session().scene()->id, id);
  EXPECT_NEAR(session().snapshot().history_end, end, 0.05);
  EXPECT_EQ(session().params().Value(-1, "friction"), 0.3);
  ASSERT_EQ(session().notebook().AllNotes().size(), 1u);
  EXPECT_EQ(session().notebook().AllNotes()[0].label, "look");
}

TEST_F(KeyChangesTest, ANudgeOfTheHandIsSaidAndTakenBack) {
  Open("bunny-grasp");
  session().playback().SetPlaying(false);
  Frames(2);
  ASSERT_EQ(session().params().ChangedCount(), 0);
  Press(GLFW_KEY_RIGHT, GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  EXPECT_EQ(session().params().ChangedCount(), 1);
  EXPECT_EQ(Card(), "Hand on along x, 1 mm.");
  Press(GLFW_KEY_RIGHT, GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  Press(GLFW_KEY_UP, GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  EXPECT_EQ(Card(), "The hand was moved 3 times.");
  UndoByCard();
  EXPECT_EQ(session().params().ChangedCount(), 0);
  EXPECT_EQ(Card(), "");
}

TEST_F(KeyChangesTest, PacingWithTheArrowsAndPausingSayNothing) {
  Open("conveyor");
  Press(GLFW_KEY_SPACE);
  ASSERT_FALSE(session().playback().playing());
  for (int i = 0; i < 3; ++i) Press(GLFW_KEY_RIGHT);
  Press(GLFW_KEY_LEFT);
  EXPECT_EQ(Card(), "");
  // a letter may have been typed
  const double time = session().snapshot().time;
  Press(GLFW_KEY_PERIOD);
  EXPECT_EQ(Card(), "One step on.");
  UndoByCard();
  EXPECT_EQ(session().snapshot().time, time);
}

TEST_F(KeyChangesTest, TheListOfSpeedsKnowsTheWayBackToTheScenes) {
  Open("conveyor-constant");
  session().playback().SetSpeed(4);
  Frames(2);
  ASSERT_TRUE(ui_->Click("time/speed"));
  Frames(2);
  const WidgetRecord* item = FindWidget("speed/scene");
  ASSERT_NE(item, nullptr);
  ui_->Click(ImVec2((item->min.x + item->max.x) / 2, (item->min.y + item->max.y) / 2));
  Frames(3);
  EXPECT_DOUBLE_EQ(session().playback().speed(), 0.02);
}

}  // namespace
}  // namespace slip::app
