// Rows of parameters whose channels differ, numbers as they are typed, and notes that leave the
// rows in their places.
#include <gtest/gtest.h>

#include <cmath>

#include "app/host/window.h"
#include "app/kit/param_scale.h"
#include "app/kit/widget_registry.h"
#include "tests/support/offscreen.h"
#include "tests/support/ui_gallery.h"
#include "tests/support/ui_harness.h"

namespace slip::app {
namespace {

const std::string kDissipation = "material.rubber.dissipation";

std::unique_ptr<OffscreenUi> OpenRows(const char* scene, int width = 1600, int height = 2000) {
  auto ui = Open(scene, width, height);
  if (ui == nullptr) return nullptr;
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->session().playback().SetPlaying(false);
  return ui;
}

/// Its box creeps, so that a stiction tolerance has a note.
std::unique_ptr<OffscreenUi> OpenCreeping() {
  auto ui = OpenRows("slope-creep");
  if (ui == nullptr) return nullptr;
  ui->Skip(0);
  ui->session().playback().SetPlaying(true);
  for (int i = 0; i < 12; ++i) ui->Skip(1.0 / 60);
  Settle(ui.get());
  return ui;
}

std::string TextOf(const std::string& id) {
  const WidgetRecord* widget = FindWidget(id);
  return widget == nullptr ? "no widget" : widget->text;
}

std::string Row(const std::string& path, int channel, const char* part) {
  return "param/" + path + "@" + std::to_string(channel) + "/" + part;
}

void DragSlider(OffscreenUi* ui, const std::string& id, float to) {
  const WidgetRecord* slider = FindWidget(id);
  ASSERT_NE(slider, nullptr) << id;
  const float y = (slider->min.y + slider->max.y) / 2;
  ui->Drag({slider->min.x + 2, y}, {slider->min.x + to * (slider->max.x - slider->min.x), y});
  Settle(ui);
}

TEST(ParamRows, ChannelsThatDifferHaveTheirOwnRows) {
  UI_OR_SKIP(ui, OpenRows("bouncing-ball"));
  Settle(ui.get());
  Session& session = ui->session();
  EXPECT_EQ(FindWidget("param/" + kDissipation + "/slider"), nullptr);
  // two channels of one model are told apart, as in the chips and the plots
  EXPECT_EQ(TextOf(Row(kDissipation, 0, "channel")), "Lagged");
  EXPECT_EQ(TextOf(Row(kDissipation, 1, "channel")), "Lagged 2");
  EXPECT_EQ(ui->ui().session.looks().Name(1), "Lagged 2");
  for (const int channel : {0, 1}) {
    const WidgetRecord* name = FindWidget(Row(kDissipation, channel, "channel"));
    ASSERT_NE(name, nullptr);
    EXPECT_FALSE(name->clipped);
  }
  // what is equal stays one row
  EXPECT_NE(FindWidget("param/material.rubber.friction/slider"), nullptr);

  DragSlider(ui.get(), Row(kDissipation, 0, "slider"), 0.8f);
  EXPECT_GT(session.params().Value(0, kDissipation), 1);
  EXPECT_EQ(session.params().Value(1, kDissipation), 2);
}

TEST(ParamRows, RowsThatMeetStayApartUntilTheLock) {
  UI_OR_SKIP(ui, OpenRows("bouncing-ball"));
  Settle(ui.get());
  Session& session = ui->session();
  session.params().Set(0, kDissipation, 2);
  Settle(ui.get());
  EXPECT_NE(FindWidget(Row(kDissipation, 0, "slider")), nullptr);
  session.params().Set(0, kDissipation, 0.5);
  Settle(ui.get());
  // the lock of a row gives its value to all
  ASSERT_TRUE(ui->Click(Row(kDissipation, 1, "lock")));
  Settle(ui.get());
  EXPECT_EQ(session.params().Value(0, kDissipation), 2);
  EXPECT_EQ(session.params().Value(1, kDissipation), 2);
  ASSERT_NE(FindWidget("param/" + kDissipation + "/slider"), nullptr);
  // and the way back is that of the scene, a value for each
  ASSERT_TRUE(ui->Click("param/" + kDissipation + "/reset"));
  Settle(ui.get());
  EXPECT_EQ(session.params().Value(0, kDissipation), 0.1);
  EXPECT_EQ(session.params().Value(1, kDissipation), 2);
  EXPECT_NE(FindWidget(Row(kDissipation, 1, "slider")), nullptr);
}

TEST(ParamRows, ACardShowsEveryChannelThatDiffers) {
  UI_OR_SKIP(ui, OpenRows("bouncing-ball", 1280, 720));
  ui->ui().state.shell.left_tab = TabId::kLesson;
  ui->session().playback().SetPlaying(true);
  ui->Frame(0);
  ui->session().lessons().progress().Answer(0);
  for (int i = 0; i < 120; ++i) ui->Skip(1.0 / 60);
  ASSERT_TRUE(ui->session().lessons().progress().done(0));
  ui->session().lessons().progress().Next();
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const WidgetRecord* first = FindWidget(Row(kDissipation, 0, "slider"));
  const WidgetRecord* second = FindWidget(Row(kDissipation, 1, "slider"));
  const WidgetRecord* hint = FindWidget("lesson/hint");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  ASSERT_NE(hint, nullptr);
  EXPECT_LT(first->max.y, second->min.y);
  EXPECT_LT(second->max.y, hint->min.y);
}

TEST(ParamRows, NotesMoveNoRowUnderAHand) {
  UI_OR_SKIP(ui, OpenCreeping());
  const WidgetRecord* slider = FindWidget("param/stiction_tolerance/slider");
  ASSERT_NE(slider, nullptr);
  ASSERT_EQ(FindWidget("note/creep"), nullptr);
  const auto below = [] {
    const WidgetRecord* row = FindWidget("param/friction_regularization/slider");
    return row == nullptr ? -1.0f : row->min.y;
  };
  const float before = below();
  const float y = (slider->min.y + slider->max.y) / 2, left = slider->min.x, right = slider->max.x;
  ui->MoveMouse({left + 0.5f * (right - left), y});
  ui->Frame(0);
  ui->SetButton(0, true);
  ui->Frame(0);
  ui->MoveMouse({right - 1, y});
  for (int i = 0; i < 20; ++i) ui->Frame(1.0 / 60);
  ASSERT_GT(ui->session().params().Value(1, "stiction_tolerance"), 0.01);
  EXPECT_EQ(below(), before);
  ui->SetButton(0, false);
  Settle(ui.get());
  // the hand is still there, and goes to the next row
  EXPECT_EQ(FindWidget("note/creep"), nullptr);
  EXPECT_EQ(below(), before);
  const WidgetRecord* sign = FindWidget("note/sign/stiction_tolerance");
  ASSERT_NE(sign, nullptr) << "that there is a note is seen at once";
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id.starts_with("param/stiction_tolerance/") && widget.max.y < y)
      EXPECT_FALSE(Overlap(*sign, widget)) << widget.id;
  }
  ui->MoveMouse({900, 400});
  Settle(ui.get());
  EXPECT_NE(FindWidget("note/creep"), nullptr);
  EXPECT_EQ(FindWidget("note/sign/stiction_tolerance"), nullptr);
  EXPECT_GT(below(), before + 20);
  // nor does a row come up when a note goes
  const float after = below();
  ui->MoveMouse({left, after + 12});
  Settle(ui.get());
  ui->session().params().Reset("stiction_tolerance");
  for (int i = 0; i < 40; ++i) ui->Frame(1.0 / 60);
  EXPECT_EQ(below(), after);
  ui->MoveMouse({900, 400});
  for (int i = 0; i < 3; ++i) ui->Frame(1.0 / 60);
  EXPECT_EQ(below(), before);
}

TEST(ParamRows, TheSignOfANoteUnfoldsIt) {
  UI_OR_SKIP(ui, OpenCreeping());
  const WidgetRecord* slider = FindWidget("param/stiction_tolerance/slider");
  ASSERT_NE(slider, nullptr);
  ui->MoveMouse({slider->min.x, slider->min.y});
  Settle(ui.get());
  ui->session().params().Set(-1, "stiction_tolerance", 0.05);
  for (int i = 0; i < 20; ++i) ui->Frame(1.0 / 60);
  ASSERT_EQ(FindWidget("note/creep"), nullptr);
  ASSERT_TRUE(ui->Click("note/sign/stiction_tolerance"));
  Settle(ui.get());
  EXPECT_NE(FindWidget("note/creep"), nullptr);
}

// Typing ------------------------------------------------------------------------------------------

ParamInfo Stiffness() {
  ParamInfo info;
  info.name = "stiffness";
  info.label = "Stiffness";
  info.unit = "N/m";
  info.min = 1e2;
  info.max = 1e12;
  info.scale = Scale::kLog;
  return info;
}

TEST(Typing, SaysWhatIsMeant) {
  const ParamInfo info = Stiffness();
  const double shown = 1e7;  // 10.0 MN/m
  const auto meant = [&](const char* text) { return ReadTyped(info, shown, text); };
  EXPECT_EQ(meant("1e5").text, "= 100 GN/m");
  EXPECT_EQ(meant("1e5").note, "a number alone is in MN/m");
  EXPECT_EQ(meant("1e5 N/m").text, "= 100 kN/m");
  EXPECT_EQ(meant("1e5 N/m").note, "");
  EXPECT_EQ(meant(" 2.5 kN/m ").text, "= 2.50 kN/m");
  EXPECT_DOUBLE_EQ(*ParseTyped(info, shown, "1e5"), 1e11);
  EXPECT_DOUBLE_EQ(*ParseTyped(info, shown, "1e5 N/m"), 1e5);
  // what cannot be is told before Enter
  for (const char* text : {"", "1e", "ten", "1e5 s", "1e7", "1e-9", "1 N/m"}) {
    EXPECT_FALSE(meant(text).valid) << text;
    EXPECT_FALSE(meant(text).text.empty()) << text;
    EXPECT_FALSE(ParseTyped(info, shown, text).ok()) << text;
  }
  EXPECT_EQ(meant("1e7").text, "10.0 TN/m, but at most 1.00 TN/m");
  EXPECT_EQ(meant("1 N/m").text, "1.00 N/m, but at least 100 N/m");
}

TEST(Typing, TheBoxShowsItLive) {
  test::UiHarness ui({1600, 900, 1.0f, Theme::kDark, false});
  test::UiGallery gallery;
  const std::function<void()> draw = [&] { gallery.Draw(); };
  ui.Frames(2, draw);
  const char* meaning = "param/stiffness/value/meaning";
  EXPECT_EQ(FindWidget(meaning), nullptr);
  ASSERT_TRUE(ui.Click("param/stiffness/value", draw));
  ui.Frames(3, draw);
  EXPECT_EQ(TextOf(meaning), "= 10.0 MN/m");
  ui.TypeText("1e5");
  ui.Frames(2, draw);
  EXPECT_EQ(TextOf(meaning), "= 100 GN/m");
  const WidgetRecord* box = FindWidget("param/stiffness/value");
  const WidgetRecord* bubble = FindWidget(meaning);
  ASSERT_TRUE(box != nullptr && bubble != nullptr);
  EXPECT_GE(bubble->min.y, box->max.y);  // it covers nothing that is being typed
  ui.TypeText(" N/m");
  ui.Frames(2, draw);
  EXPECT_EQ(TextOf(meaning), "= 100 kN/m");
  ui.Enter(true);
  ui.Frames(2, draw);
  ui.Enter(false);
  ui.Frames(2, draw);
  EXPECT_EQ(FindWidget(meaning), nullptr);
}

TEST(Typing, WhatIsOutOfRangeStaysInTheBox) {
  UI_OR_SKIP(ui, OpenRows("conveyor"));
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("param/time_step/value"));
  Settle(ui.get());
  ui->Type("5 s");
  Settle(ui.get());
  EXPECT_EQ(TextOf("param/time_step/value/meaning").find("5.00 s, but at most"), 0u)
      << TextOf("param/time_step/value/meaning");
  // leaving the box leaves the value and needs no message
  ui->Click(ImVec2(800, 300));
  Settle(ui.get());
  EXPECT_EQ(ui->session().params().Value(0, "time_step"), 0.01);
  EXPECT_TRUE(ui->session().messages().empty());
}

}  // namespace
}  // namespace slip::app
