// What hands do between two frames is handed on so that none of it is lost, and a value that is
// typed right behind a click gets into its box.
#include "app/host/input_queue.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <string>

#include "app/kit/kit.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

using Kind = InputEvent::Kind;

InputEvent Move(float x, float y) { return {.x = x, .y = y}; }
InputEvent Press(bool down) { return {.kind = Kind::kButton, .down = down}; }
InputEvent Key(int key, bool down, int mods = 0) {
  return {.kind = Kind::kKey, .code = key, .down = down, .mods = mods};
}
InputEvent Letter(char c) { return {.kind = Kind::kText, .code = c}; }

/// A hand types a letter: the key, its character, and the key is let go.
template <class Sink>
void TypeLetter(char c, Sink&& sink) {
  const int key = c >= 'a' && c <= 'z' ? c - 'a' + GLFW_KEY_A : c;
  sink(Key(key, true));
  sink(Letter(c));
  sink(Key(key, false));
}

/// Frames as text: m moves, d and u of the button, characters, <key> down and >key up.
std::string Frames(InputQueue* queue, int most = 30) {
  std::string text;
  for (int i = 0; i < most && !queue->empty(); ++i) {
    if (i > 0) text += '|';
    for (const InputEvent& event : queue->Take(false)) {
      if (event.kind == Kind::kMove) text += 'm';
      if (event.kind == Kind::kButton) text += event.down ? 'd' : 'u';
      if (event.kind == Kind::kText) text += static_cast<char>(event.code);
      if (event.kind == Kind::kWheel) text += 'w';
      const bool acts = event.kind == Kind::kKey && event.code > GLFW_KEY_WORLD_2;
      if (acts) text += event.down ? '<' : '>';
    }
  }
  return text;
}

TEST(InputQueue, AClickIsSeenWhereItWasThoughAllOfItFallsIntoOneFrame) {
  InputQueue queue;
  for (const InputEvent& event :
       {Move(1, 1), Move(10, 10), Press(true), Press(false), Move(90, 90)})
    queue.Push(event);
  EXPECT_EQ(Frames(&queue), "m|d|u|m");
  queue.Push(Move(10, 10));
  queue.Push(Press(true));
  const auto first = queue.Take(false);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].x, 10);
}

TEST(InputQueue, WhatIsTypedWaitsUntilTheClickHasDoneItsWork) {
  InputQueue queue;
  queue.Push(Press(true));
  queue.Push(Press(false));
  for (const char c : std::string("25")) TypeLetter(c, [&](const InputEvent& e) { queue.Push(e); });
  // a frame more until it is known who has the keyboard
  EXPECT_EQ(Frames(&queue), "d|u||25");
  // and as long as a box is on its way, but not for ever
  TypeLetter('7', [&](const InputEvent& e) { queue.Push(e); });
  int waited = 0;
  while (!queue.empty() && waited < 100) {
    queue.Take(true);
    ++waited;
  }
  EXPECT_GT(waited, 4);
  EXPECT_LT(waited, 20);
}

TEST(InputQueue, KeysThatActComeOneAtATimeBehindWhatWasTyped) {
  InputQueue queue;
  queue.Push(Key(GLFW_KEY_LEFT_CONTROL, true, GLFW_MOD_CONTROL));
  queue.Push(Key(GLFW_KEY_A, true, GLFW_MOD_CONTROL));
  queue.Push(Key(GLFW_KEY_A, false, GLFW_MOD_CONTROL));
  queue.Push(Key(GLFW_KEY_LEFT_CONTROL, false));
  TypeLetter('5', [&](const InputEvent& e) { queue.Push(e); });
  queue.Push(Key(GLFW_KEY_BACKSPACE, true));
  queue.Push(Key(GLFW_KEY_BACKSPACE, false));
  TypeLetter('6', [&](const InputEvent& e) { queue.Push(e); });
  queue.Push(Key(GLFW_KEY_ENTER, true));
  queue.Push(Key(GLFW_KEY_ENTER, false));
  // Ctrl+A; the hand lets go and types 5, takes it back; 6 and Enter; nothing twice in a frame
  EXPECT_EQ(Frames(&queue), "<|>5<|>6<||>");
}

TEST(InputQueue, LettersOfAFastHandNeedNoFramesOfTheirOwn) {
  InputQueue queue;
  for (const char c : std::string("conveyor"))
    TypeLetter(c, [&](const InputEvent& e) { queue.Push(e); });
  EXPECT_EQ(Frames(&queue), "conveyor");
}

// Through the window ----------------------------------------------------------------------------

class FastHand : public ::testing::Test {
 protected:
  void SetUp() override {
    ui_ = Open("conveyor", 1600, 900);
    if (ui_ == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
    ui_->ui().state.shell.left_tab = TabId::kParameters;
    ui_->session().playback().SetPlaying(false);
    Slow(4);
  }
  /// As many frames of a slow machine.
  void Slow(int frames) {
    for (int i = 0; i < frames; ++i) ui_->Frame(1.0 / 12);
  }
  /// All of it before the next frame.
  void ClickAndType(const std::string& widget, const std::string& text) {
    const WidgetRecord* box = FindWidget(widget);
    ASSERT_NE(box, nullptr) << widget;
    ui_->Send(Move((box->min.x + box->max.x) / 2, (box->min.y + box->max.y) / 2));
    ui_->Send(Press(true));
    ui_->Send(Press(false));
    Type(text);
  }
  void Type(const std::string& text) {
    for (const char c : text) TypeLetter(c, [&](const InputEvent& e) { ui_->Send(e); });
  }
  void Tap(int key, int mods = 0) {
    if (mods != 0) ui_->Send(Key(GLFW_KEY_LEFT_CONTROL, true, mods));
    ui_->Send(Key(key, true, mods));
    ui_->Send(Key(key, false, mods));
    if (mods != 0) ui_->Send(Key(GLFW_KEY_LEFT_CONTROL, false));
  }
  Session& session() { return ui_->session(); }
  double TimeStep() { return session().params().Value(-1, "time_step"); }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(FastHand, AValueTypedRightBehindTheClickIsTaken) {
  const double speed = session().playback().speed();
  ClickAndType("param/time_step/value", "0.1");
  Tap(GLFW_KEY_ENTER);
  Slow(20);
  EXPECT_DOUBLE_EQ(TimeStep(), 1e-4) << "0.1 ms";
  EXPECT_EQ(CurrentKit().edit.id, 0u) << "the box is closed";
  // nor was any of it a shortcut
  EXPECT_EQ(session().playback().speed(), speed);
  EXPECT_TRUE(session().looks().Shown(0));
  EXPECT_EQ(session().snapshot().time, 0);
}

TEST_F(FastHand, SelectingAllBeforeTypingReplacesWhatStoodThere) {
  ClickAndType("param/time_step/value", "3");
  Slow(8);
  Tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  Type("2.5");
  Tap(GLFW_KEY_BACKSPACE);
  Type("4");
  Tap(GLFW_KEY_ENTER);
  Slow(12);
  EXPECT_DOUBLE_EQ(TimeStep(), 2.4e-3);
}

TEST_F(FastHand, ANoteHasAllOfItsLetters) {
  Tap(GLFW_KEY_B, GLFW_MOD_CONTROL);
  Type("sticks");
  Tap(GLFW_KEY_ENTER);
  Slow(20);
  ASSERT_EQ(session().notebook().marks().size(), 1u);
  EXPECT_EQ(session().notebook().Label(session().notebook().marks().back()), "sticks");
}

}  // namespace
}  // namespace slip::app
