// Notes on the time line: their text, and the keyboard while it is typed.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include "app/frame/input.h"
#include "app/host/window.h"
#include "app/kit/widget_registry.h"

namespace slip::app {
namespace {

class NoteTest : public testing::Test {
 protected:
  void SetUp() override {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto ui = OffscreenUi::Create(setup, 1600, 900);
    if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    ui_ = std::move(ui).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    ui_->Skip(1.0);
    session().playback().SetPlaying(false);
    Frames();
  }
  void Frames() {
    for (int i = 0; i < 4; ++i) ui_->Frame(0);
  }
  bool Key(int key, int mods = 0) {
    return DispatchKey(&ui_->ui(), key, mods, false, ImGui::GetIO().WantTextInput);
  }
  /// As the window does: the key first, then its letter.
  void Type(const std::string& text) {
    for (const char c : text) {
      const int key = c == ' ' ? GLFW_KEY_SPACE : c - 'a' + GLFW_KEY_A;
      EXPECT_FALSE(Key(key)) << c << " is a shortcut";
      ui_->Type(std::string(1, c));
      ui_->Frame(0);
    }
  }
  void Enter() {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
    ui_->Frame(0);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
#else
    ImGui::GetIO().KeyMap[ImGuiKey_Enter] = 100;
    ImGui::GetIO().KeysDown[100] = true;
    ui_->Frame(0);
    ImGui::GetIO().KeysDown[100] = false;
#endif
    Frames();
  }
  const TimeMark& Note() { return session().notebook().marks().back(); }
  Session& session() { return ui_->session(); }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(NoteTest, LettersAreItsTextAndNoShortcuts) {
  const double end = session().snapshot().history_end;
  const bool cones = ui_->ui().state.view.friction_cone;
  ASSERT_TRUE(Key(GLFW_KEY_B, GLFW_MOD_CONTROL));
  // in the same frame, before any box can have the keyboard
  EXPECT_FALSE(Key(GLFW_KEY_R));
  ui_->Frame(0);
  EXPECT_FALSE(Key(GLFW_KEY_R));
  Frames();
  ASSERT_NE(FindWidget("note/text"), nullptr);
  Type("look here");
  Enter();
  EXPECT_EQ(FindWidget("note/text"), nullptr);
  ASSERT_EQ(session().notebook().marks().size(), 1u);
  EXPECT_EQ(session().notebook().Label(Note()), "look here");
  EXPECT_EQ(session().snapshot().history_end, end);
  EXPECT_EQ(ui_->ui().state.view.friction_cone, cones);
  // the keys are shortcuts again
  EXPECT_TRUE(Key(GLFW_KEY_K));
}

TEST_F(NoteTest, OneThatIsGivenUpLeavesNothing) {
  for (const char* text : {"", "look"}) {
    ASSERT_TRUE(Key(GLFW_KEY_B, GLFW_MOD_CONTROL));
    Frames();
    ASSERT_EQ(session().notebook().marks().size(), 1u);
    Type(text);
    ASSERT_TRUE(Key(GLFW_KEY_ESCAPE));
    Frames();
    EXPECT_EQ(FindWidget("note/text"), nullptr);
    EXPECT_TRUE(session().notebook().marks().empty());
  }
}

TEST_F(NoteTest, AClickOnItEditsIt) {
  Key(GLFW_KEY_B, GLFW_MOD_CONTROL);
  Frames();
  Enter();
  EXPECT_EQ(session().notebook().Label(Note()).rfind("note ", 0), 0u)
      << session().notebook().Label(Note());
  const double time = session().snapshot().time;
  const std::string id = "time/note/" + std::to_string(Note().note);
  ASSERT_TRUE(ui_->Click(id));
  Frames();
  ASSERT_NE(FindWidget("note/text"), nullptr);
  EXPECT_EQ(session().snapshot().time, time) << "a click on a note is no seek";
  Type("slip");
  ui_->Click(ImVec2(700, 300));  // a click elsewhere keeps the text too
  Frames();
  EXPECT_EQ(session().notebook().Label(Note()), "slip");
  ASSERT_TRUE(ui_->Click(id));
  Frames();
  Type("x");
  ASSERT_TRUE(Key(GLFW_KEY_ESCAPE));  // Esc does not
  Frames();
  EXPECT_EQ(FindWidget("note/text"), nullptr);
  EXPECT_EQ(session().notebook().Label(Note()), "slip");
  ASSERT_TRUE(ui_->Click(id));
  Frames();
  ASSERT_TRUE(ui_->Click("note/remove"));
  Frames();
  EXPECT_TRUE(session().notebook().marks().empty());
}

TEST_F(NoteTest, AResetTakesTheBoxAway) {
  Key(GLFW_KEY_B, GLFW_MOD_CONTROL);
  Frames();
  session().playback().Reset();
  Frames();
  EXPECT_EQ(FindWidget("note/text"), nullptr);
  EXPECT_EQ(ui_->ui().state.time_line.note_edit.note, 0u);
  EXPECT_TRUE(Key(GLFW_KEY_R));
}

}  // namespace
}  // namespace slip::app
