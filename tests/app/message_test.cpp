// Messages: one entry per subject, one card at a time, and where the card stands.
#include "app/frame/input.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "app/session/messages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

Message Warning(const char* what, const char* subject, bool ongoing = false) {
  Message message;
  message.level = Message::Level::kWarning;
  message.what = what;
  message.subject = subject;
  message.ongoing = ongoing;
  return message;
}

/// That the old run is kept is none.
std::ptrdiff_t Warnings(const Session& session) {
  return std::count_if(session.messages().begin(), session.messages().end(),
                       [](const Message& m) { return m.level != Message::Level::kInfo; });
}

TEST(MessageLog, ASubjectIsOneEntryThatSaysTheNewest) {
  MessageLog log;
  log.Post(Warning("too large", "refused"), 0);
  log.Post(Warning("still too large", "refused"), 1);
  log.Post(Warning("other", "other"), 2);
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries()[0].what, "still too large");
  EXPECT_EQ(log.entries()[0].repeats, 2);
  ASSERT_NE(log.Card(2), nullptr);
  EXPECT_EQ(log.Card(2)->what, "other");
  EXPECT_EQ(log.Waiting(2), 1);
}

TEST(MessageLog, CardsGoEntriesStay) {
  MessageLog log;
  log.Post(Warning("w", "w"), 0);
  EXPECT_NE(log.Card(10), nullptr);
  EXPECT_EQ(log.Card(16), nullptr);
  EXPECT_EQ(log.entries().size(), 1u);
  log.Post(Warning("w", "w"), 17);  // a new try is a new card
  EXPECT_NE(log.Card(17), nullptr);
  log.Close(0);
  EXPECT_EQ(log.Card(17), nullptr);
  EXPECT_EQ(log.entries().size(), 1u);
}

TEST(MessageLog, WhatGoesOnComesUpOnceUntilItHasBeenQuiet) {
  MessageLog log;
  for (int i = 0; i < 100; ++i) {
    log.Post(Warning("w", "w", true), i);
    EXPECT_EQ(log.Card(i) != nullptr, i <= 15) << i;
  }
  log.Post(Warning("w", "w", true), 120);
  EXPECT_NE(log.Card(120), nullptr);
}

TEST(MessageLog, ACardWaitsForTheAnswerOfALesson) {
  MessageLog log;
  Message note = Warning("note", "note");
  note.after_question = true;
  log.Post(note, 0);
  log.SetQuestion(true, 20);
  note.subject = "another";
  log.Post(note, 21);
  EXPECT_EQ(log.Card(21), nullptr);
  EXPECT_EQ(log.Waiting(21), 0);
  log.Post(Warning("stopped", "failure"), 22);
  ASSERT_NE(log.Card(22), nullptr);
  EXPECT_EQ(log.Card(22)->what, "stopped") << "what is no note does not wait";
  log.Close(2);
  log.SetQuestion(false, 60);
  ASSERT_NE(log.Card(60), nullptr);
  EXPECT_EQ(log.Card(60)->subject, "another") << "the one that was seen before does not come again";
  EXPECT_EQ(log.Waiting(60), 0);
  EXPECT_EQ(log.Card(76), nullptr);
}

TEST(MessageLog, TheMouseHoldsTheCard) {
  MessageLog log;
  log.Post(Warning("w", "w"), 0);
  log.Hold(14.5);
  EXPECT_NE(log.Card(17), nullptr);
  EXPECT_EQ(log.Card(18), nullptr);
}

bool OverlapsRect(const WidgetRecord& a, const Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// Every step of every model that needs more than one iteration does not converge.
void LimitTo1(OffscreenUi* ui) {
  ui->Frame(0.02);
  ui->session().params().Set(-1, "max_iterations", 1);
  ui->session().params().Set(-1, "lost_steps", 1);
  ui->Frame(0.02);
  for (int i = 0; i < 60; ++i) ui->Skip(0.05);
  ui->Frame(0);
  ui->Frame(0);
}

class MessageCardTest : public testing::TestWithParam<std::array<int, 3>> {};

TEST_P(MessageCardTest, OneInsideThePictureClearOfWhatLiesOverIt) {
  const auto [width, height, scale] = GetParam();
  auto ui = Open("conveyor", width, height, scale);
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  LimitTo1(ui.get());
  int cards = 0;
  const WidgetRecord* card = nullptr;
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id != "message") continue;
    ++cards;
    card = &widget;
  }
  ASSERT_NE(ui->session().Card(), nullptr);
  const Rect& view = ui->ui().regions.view;
  const std::string what = ui->session().Card()->what;
  if (cards == 0) {  // no room: the status bar says it
    EXPECT_LT(view.height(), 120.0f * static_cast<float>(scale));
    EXPECT_NE(FindWidget("status/" + what.substr(0, what.find(' '))), nullptr);
    return;
  }
  EXPECT_EQ(cards, 1);
  EXPECT_GE(card->min.x, view.min.x);
  EXPECT_GE(card->min.y, view.min.y);
  EXPECT_LE(card->max.x, view.max.x);
  EXPECT_LE(card->max.y, view.max.y);
  if (view.width() < 700.0f * static_cast<float>(scale)) return;
  ASSERT_GE(ui->ui().marks.overlays.size(), 3u);
  for (const Rect& rect : ui->ui().marks.overlays) EXPECT_FALSE(OverlapsRect(*card, rect));
  // nor does it hide the boxes
  Pane pane;
  pane.min = view.min;
  pane.max = view.max;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  const auto at = pane.camera.Project(ui->session().frame(0).bodies[0].X_WB.p, pane.viewport());
  ASSERT_TRUE(at.has_value());
  const ImVec2 p(view.min.x + static_cast<float>(at->x()),
                 view.min.y + static_cast<float>(at->y()));
  EXPECT_FALSE(OverlapsRect(*card, Rect{p, p}));
}

INSTANTIATE_TEST_SUITE_P(Sizes, MessageCardTest,
                         testing::Values(std::array<int, 3>{1600, 900, 1},
                                         std::array<int, 3>{1280, 720, 1},
                                         std::array<int, 3>{3200, 1800, 2},
                                         std::array<int, 3>{1600, 900, 2},
                                         std::array<int, 3>{640, 480, 1}));

TEST(MessageCard, OfAResetHidesNoBodyAsLongAsItStands) {
  for (const char* scene : {"conveyor", "sliding-box", "bouncing-ball", "quadruped-trot",
                            "falling-sphere", "arm-press"}) {
    UI_OR_SKIP(ui, OpenStaged(scene));
    PassAndDraw(ui.get(), 1.5);
    ui->session().playback().Reset();
    int drawn = 0, hides = 0;
    for (int i = 0; i < 8 * 30 && (i < 10 || ui->session().Card() != nullptr); ++i) {
      ui->Frame(1.0 / 30);
      const WidgetRecord* card = FindWidget("message");
      if (card == nullptr) continue;
      ++drawn;
      Pane pane;
      const Rect& view = ui->ui().regions.view;
      pane.min = view.min;
      pane.max = view.max;
      FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
      pane.request = LeadRequest(ui->session(), ui->ui().state.view, Theme::kDark, {});
      pane.request.compare = render::CompareMode::kGhosts;
      bool hidden = false;
      for (int c = 0; c < ui->session().channel_count(); ++c) {
        for (std::size_t b = 0; b < ui->session().model()->bodies.size(); ++b) {
          const auto body = BodyOnScreen(ui->session().snapshot(), pane, c, static_cast<int>(b));
          hidden = hidden || (body && OverlapsRect(*card, *body));
        }
      }
      hides += hidden ? 1 : 0;
    }
    EXPECT_GT(drawn, 0) << scene;
    EXPECT_LE(hides, 30) << scene << ", of " << drawn << " frames, the last "
                         << (ui->session().Card() != nullptr ? ui->session().Card()->Text() : "");
  }
}

TEST(MessageCard, AShortOneIsALine) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  ui->session().playback().Reset();
  Settle(ui.get());
  ASSERT_NE(ui->session().Card(), nullptr);
  EXPECT_TRUE(ui->session().Card()->where.empty());
  const WidgetRecord* card = FindWidget("message");
  ASSERT_NE(card, nullptr);
  EXPECT_LE(card->max.y - card->min.y, 44);
  const WidgetRecord* link = FindWidget("message/0");
  const WidgetRecord* close = FindWidget("message/close");
  ASSERT_TRUE(link != nullptr && close != nullptr);
  EXPECT_LT(link->max.x, close->min.x);
}

TEST(MessageTest, NotConvergedCountsInPlaceAndAResetClearsIt) {
  auto ui = Open("conveyor", 1600, 900, 1);
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  LimitTo1(ui.get());
  Session& session = ui->session();
  const auto entries = session.messages().size();
  ASSERT_GE(entries, 1u);
  const auto of_steps = std::count_if(
      session.messages().begin(), session.messages().end(),
      [](const Message& message) { return message.subject.starts_with("not converged"); });
  EXPECT_LE(of_steps, session.channel_count());
  // the count is that of the samples
  const std::string what = session.messages().back().what;
  int channel = 0;
  while (channel < session.channel_count() &&
         what.rfind(ui->ui().session.looks().Name(channel) + " did", 0) != 0)
    ++channel;
  ASSERT_LT(channel, session.channel_count()) << what;
  const SeriesView converged = session.series().View(channel, Signal::kConverged);
  int steps = 0;
  double last = 0;
  for (std::size_t i = 0; i < converged.size(); ++i) {
    if (converged.ValueAt(i) != 0) continue;
    ++steps;
    last = converged.TimeAt(i);
  }
  ASSERT_GT(steps, 10);
  EXPECT_EQ(what, fmt::format("{} did not converge in {} steps, last at {:.4g} s.",
                              ui->ui().session.looks().Name(channel), steps, last));
  ui->Skip(0.5);
  EXPECT_EQ(session.messages().size(), entries);
  EXPECT_NE(session.messages().back().what, what);
  // the card goes by itself while it goes on; the status bar opens the list
  for (int i = 0; i < 340; ++i) ui->Skip(0.05);
  ui->Frame(0);
  EXPECT_EQ(session.Card(), nullptr);
  EXPECT_EQ(FindWidget("message"), nullptr);
  ASSERT_TRUE(ui->Click("status/messages"));
  ui->Frame(0);
  ui->Frame(0);
  const WidgetRecord* list = FindWidget("messages/list");
  ASSERT_NE(list, nullptr);
  EXPECT_GE(list->min.x, 0);
  EXPECT_LE(list->max.x, 1600);
  EXPECT_LE(list->max.y, ui->ui().regions.status.min.y);
  ui->ui().requests.Do(Action::kEscape);
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(FindWidget("messages/list"), nullptr);
  session.playback().SetPlaying(false);
  session.params().Set(-1, "max_iterations", 100);
  ui->Frame(0);
  session.playback().Reset();
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(Warnings(session), 0);
}

TEST(MessageTest, RefusedEntriesAreOneEntry) {
  auto ui = Open("conveyor", 1600, 900, 1);
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->Frame(0.02);
  for (const char* path : {"time_step", "max_iterations", "solver_tolerance"}) {
    ui->session().params().Set(-1, path, -1e9);
    ui->Frame(0.02);
    ui->Frame(0);
  }
  ASSERT_EQ(ui->session().messages().size(), 1u);
  EXPECT_EQ(ui->session().messages()[0].repeats, 3);
  EXPECT_NE(ui->session().messages()[0].Text().find("solver_tolerance"), std::string::npos)
      << ui->session().messages()[0].Text();
  ui->session().playback().Reset();
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(Warnings(ui->session()), 0);
}

/// Whether any menu or pop-up of ImGui is open.
bool AnyOpen() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }

TEST(EscapeTest, ClosesEveryMenuBeforeItDeselects) {
  auto ui = Open("conveyor", 1600, 900, 1);
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->Frame(0.02);
  ui->session().playback().SetPlaying(false);
  ui->Frame(0.02);
  UiState& state = ui->ui().state;
  struct Opener {
    const char* widget;
    int button;
  };
  for (const Opener& opener :
       {Opener{"menu/File", 0}, Opener{"menu/View", 0}, Opener{"chip/0", 1}, Opener{"chip/add", 0},
        Opener{"time/speed", 0}, Opener{"overlay/fan", 0}, Opener{"overlay/arrows", 0},
        Opener{"plots/0/signal", 0}, Opener{"plot/0/well", 1}, Opener{"view/0", 1}}) {
    for (const bool in_plots : {false, true}) {
      ui->Frame(0);
      ASSERT_TRUE(ui->Click(opener.widget, opener.button)) << opener.widget;
      ui->Frame(0);
      ASSERT_TRUE(AnyOpen()) << opener.widget;
      state.picked.selection.body = 0;
      state.plots.focus.on = in_plots;
      ASSERT_TRUE(DispatchKey(&ui->ui(), GLFW_KEY_ESCAPE, 0, false, false));
      ui->Frame(0);
      ui->Frame(0);
      EXPECT_FALSE(AnyOpen()) << opener.widget;
      EXPECT_EQ(state.picked.selection.body, 0) << opener.widget;
      EXPECT_EQ(state.plots.focus.on, in_plots) << opener.widget;
      state.plots.focus.on = false;
    }
  }
  ui->ui().requests.Do(Action::kEscape);
  ui->Frame(0);
  EXPECT_EQ(state.picked.selection.body, -1);
}

}  // namespace
}  // namespace slip::app
