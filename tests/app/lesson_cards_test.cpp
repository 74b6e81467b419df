// Lesson cards in the window: predictions wait for an answer, notes and advice have their room.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "engine/tell/format.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

/// On to a card of the lesson, as by a reader who has done those before it.
void GoTo(OffscreenUi* ui, int card) {
  LessonProgress& lesson = ui->session().lessons().progress();
  while (lesson.active() < card) {
    lesson.Answer(LessonProgress::kShowMe);
    for (int i = 0; i < 600 && !lesson.done(lesson.active()); ++i) ui->Skip(1.0 / 60);
    ASSERT_TRUE(lesson.done(lesson.active())) << lesson.active();
    lesson.Next();
  }
}

TEST(LessonCards, APredictionWaitsForItsAnswer) {
  OPEN_OR_SKIP(ui, "conveyor");
  Pass(ui.get(), 3);
  Settle(ui.get());
  const LessonProgress& lesson = ui->session().lessons().progress();
  const LessonCard& card = ui->session().scene()->lesson.cards[0];
  EXPECT_FALSE(lesson.done(0)) << "the run alone predicts nothing";
  EXPECT_EQ(FindWidget("lesson/next"), nullptr);
  const auto right = static_cast<int>(
      std::find(card.answers.begin(), card.answers.end(), card.answer) - card.answers.begin());
  ASSERT_TRUE(ui->Click("lesson/answer/" + std::to_string(right)));
  Pass(ui.get(), 0.2);
  Settle(ui.get());
  EXPECT_TRUE(lesson.done(0));
  ASSERT_NE(FindWidget("lesson/verdict"), nullptr);
  EXPECT_EQ(FindWidget("lesson/verdict")->text, "Your answer: Lagged. That is right.");
  EXPECT_EQ(FindWidget("lesson/answer/0"), nullptr);
  ASSERT_TRUE(ui->Click("lesson/next"));
  Settle(ui.get());
  EXPECT_EQ(lesson.active(), 1);
}

TEST(LessonCards, AWrongAnswerIsToldAndGoesOn) {
  OPEN_OR_SKIP(ui, "conveyor", 1280, 720);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("lesson/answer/0"));
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/verdict"), nullptr);
  EXPECT_EQ(FindWidget("lesson/verdict")->text, "Your answer: SAP. Now watch the run.");
  EXPECT_FALSE(ui->session().lessons().progress().done(0)) << "an answer is no measurement";
  Pass(ui.get(), 2);
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/verdict"), nullptr);
  EXPECT_TRUE(FindWidget("lesson/verdict")->text.starts_with("Not right this time."));
  ASSERT_NE(FindWidget("lesson/verdict/1"), nullptr);
  EXPECT_EQ(FindWidget("lesson/verdict/0")->text, "SAP: your answer");
  EXPECT_EQ(FindWidget("lesson/verdict/1")->text, "Lagged: this is right");
  // and no tick for it later
  ASSERT_TRUE(ui->Click("lesson/next"));
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/done/0"), nullptr);
  EXPECT_EQ(FindWidget("lesson/done/0")->text, "wrong");
}

TEST(LessonCards, AGreenCardSaysWhatTheRunShowsNow) {
  OPEN_OR_SKIP(ui, "biped-walk");
  LessonProgress& lesson = ui->session().lessons().progress();
  Settle(ui.get());  // channels come first
  ui->session().params().Set(-1, "friction", 0.4);
  lesson.Answer(0);
  for (int i = 0; i < 900 && !lesson.done(0); ++i) ui->Skip(1.0 / 60);
  ASSERT_TRUE(lesson.done(0));
  const auto says = [&] {
    const double x = ui->session().series().View(0, Signal::kPositionX).At(1e9);
    return "It does, " + FormatQuantity(x, "m");
  };
  const std::string first = lesson.seen(0);
  EXPECT_EQ(first.find("It does, 0."), 0u) << first;
  // the walk goes on, and so does the sentence
  Pass(ui.get(), 1);
  ui->session().playback().SetPlaying(false);
  Pass(ui.get(), 0.3);
  EXPECT_NE(lesson.seen(0), first);
  EXPECT_NE(lesson.seen(0).find(says()), std::string::npos) << lesson.seen(0) << says();
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/seen"), nullptr);
  EXPECT_EQ(FindWidget("lesson/seen")->text, lesson.seen(0));
  // once it is left it stands, whatever is done to the robot then
  const std::string left = lesson.seen(0);
  lesson.Next();
  ui->session().params().Set(-1, "tilt", 0.5);
  ui->session().playback().SetPlaying(true);
  Pass(ui.get(), 1);
  EXPECT_EQ(lesson.seen(0), left);
  Settle(ui.get());
  const WidgetRecord* done = FindWidget("lesson/done/0");
  ASSERT_NE(done, nullptr);
  ui->MoveMouse({done->min.x + 60, done->min.y + 8});
  for (int i = 0; i < 8; ++i) ui->Frame(0.1);
  ASSERT_NE(FindWidget("tooltip"), nullptr);
  EXPECT_EQ(FindWidget("tooltip")->text, "Seen then: " + left);
}

TEST(LessonCards, NoOldNumberStandsBesideAnotherRun) {
  OPEN_OR_SKIP(ui, "conveyor");
  GoTo(ui.get(), 1);
  Session& session = ui->session();
  LessonProgress& lesson = session.lessons().progress();
  session.params().Set(-1, "time_step", 1e-3);
  for (int i = 0; i < 900 && !lesson.done(1); ++i) ui->Skip(1.0 / 60);
  ASSERT_TRUE(lesson.done(1));
  EXPECT_FALSE(lesson.waits(1));
  EXPECT_NE(lesson.seen(1).find("at 1.00 ms"), std::string::npos) << lesson.seen(1);
  // nothing is measured yet with another step
  session.params().Set(-1, "time_step", 0.6e-3);
  Pass(ui.get(), 0.2);
  EXPECT_TRUE(lesson.done(1)) << "what was seen stays seen";
  EXPECT_TRUE(lesson.waits(1));
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/seen"), nullptr);
  const std::string waits = FindWidget("lesson/seen")->text;
  EXPECT_EQ(waits.find_first_of("0123456789"), std::string::npos) << waits;
  for (int i = 0; i < 300 && lesson.waits(1); ++i) ui->Skip(1.0 / 60);
  EXPECT_FALSE(lesson.waits(1));
  EXPECT_NE(lesson.seen(1).find("at 0.60 ms"), std::string::npos) << lesson.seen(1);
  // a run that begins anew has to show it again
  session.playback().Reset();
  Pass(ui.get(), 0.2);
  EXPECT_TRUE(lesson.waits(1));
  for (int i = 0; i < 300 && lesson.waits(1); ++i) ui->Skip(1.0 / 60);
  EXPECT_FALSE(lesson.waits(1));
  // where the condition does not hold there is nothing to say
  session.params().Set(-1, "friction", 0.0);
  Pass(ui.get(), 3);
  EXPECT_TRUE(lesson.waits(1)) << "without friction there is no gap";
}

TEST(LessonCards, TextsSayTheValuesThatActNow) {
  OPEN_OR_SKIP(ui, "conveyor");
  GoTo(ui.get(), 1);
  const LessonProgress& lesson = ui->session().lessons().progress();
  Pass(ui.get(), 0.2);
  EXPECT_NE(lesson.text(1).find("the time step, 10.0 ms now"), std::string::npos) << lesson.text(1);
  ui->session().params().Set(-1, "time_step", 2e-3);
  Pass(ui.get(), 0.2);
  EXPECT_NE(lesson.text(1).find("the time step, 2.00 ms now"), std::string::npos) << lesson.text(1);
  EXPECT_NE(lesson.say().find("Not far enough: 2.00 ms"), std::string::npos) << lesson.say();
}

TEST(LessonCards, APlotThatGivesTheAnswerAwayWaitsForIt) {
  OPEN_OR_SKIP(ui, "biped-shift");
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(FindWidget("plot/2/held"), nullptr) << "the first card asks for something else";
  ui->session().params().Set(-1, "robot.biped.sway_rate", 4);
  LessonProgress& lesson = ui->session().lessons().progress();
  lesson.Answer(0);
  for (int i = 0; i < 300 && !lesson.done(0); ++i) ui->Skip(1.0 / 60);
  ASSERT_TRUE(lesson.done(0));
  lesson.Next();
  PassAndDraw(ui.get(), 0.3);
  ASSERT_NE(FindWidget("plot/2/held"), nullptr);
  EXPECT_EQ(FindWidget("plot/1/held"), nullptr);
  EXPECT_EQ(FindWidget("plot/0/held"), nullptr) << "no card asks for this one";
  EXPECT_EQ(FindWidget("plot/2/readout/0"), nullptr);
  // nor while other tabs are read; a click leads to the card
  ui->ui().state.shell.left_tab = TabId::kParameters;
  Settle(ui.get());
  ASSERT_NE(FindWidget("plot/2/held"), nullptr);
  EXPECT_EQ(FindWidget("plot/2/readout/0"), nullptr);
  ASSERT_TRUE(ui->Click("plot/2/held"));
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kLesson);
  ASSERT_TRUE(ui->Click("lesson/show"));
  Settle(ui.get());
  EXPECT_EQ(FindWidget("plot/2/held"), nullptr);
}

TEST(LessonCards, ANewSceneOpensOnItsLesson) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("left/tabs/Joints"));
  Settle(ui.get());
  ASSERT_TRUE(ui->session().Load("biped-shift"));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kLesson);
  EXPECT_NE(FindWidget("lesson/step/0"), nullptr);
}

TEST(LessonCards, ShowMeIsAnAnswerToo) {
  OPEN_OR_SKIP(ui, "conveyor");
  Pass(ui.get(), 2);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("lesson/show"));
  Pass(ui.get(), 0.2);
  Settle(ui.get());
  EXPECT_TRUE(ui->session().lessons().progress().done(0));
  EXPECT_EQ(FindWidget("lesson/verdict"), nullptr);
}

TEST(LessonCards, EveryPredictionHasAnswersThatFit) {
  for (const std::string& name : ListScenes()) {
    OPEN_OR_SKIP(ui, name.c_str(), 1280, 720);
    ui->session().playback().SetPlaying(false);
    Settle(ui.get());
    const LessonCard& card = ui->session().scene()->lesson.cards[0];
    ASSERT_EQ(card.kind, "predict") << name;
    EXPECT_GE(card.answers.size(), 2u) << name;
    EXPECT_TRUE(ui->session().lessons().progress().Asks(0)) << name;
    for (std::size_t i = 0; i < card.answers.size(); ++i) {
      const WidgetRecord* button = FindWidget("lesson/answer/" + std::to_string(i));
      ASSERT_NE(button, nullptr) << name;
      EXPECT_FALSE(button->clipped) << name << ": " << card.answers[i];
      EXPECT_LE(button->max.x, ui->ui().regions.left.max.x) << name;
      EXPECT_LE(button->max.y, ui->ui().regions.left.max.y) << name;
    }
  }
}

TEST(LessonCards, TooFarIsToldWithTheWayBack) {
  OPEN_OR_SKIP(ui, "conveyor");
  GoTo(ui.get(), 1);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("lesson/advice"), nullptr);
  Session& session = ui->session();
  session.params().Set(-1, "time_step", 0.32e-3);
  Pass(ui.get(), 0.2);  // known at once, before a swing is over
  Settle(ui.get());
  const WidgetRecord* advice = FindWidget("lesson/advice");
  ASSERT_NE(advice, nullptr);
  EXPECT_NE(advice->text.find("Too far: 0.32 ms"), std::string::npos) << advice->text;
  EXPECT_NE(advice->text.find("Drag back to about 1 ms"), std::string::npos) << advice->text;
  const WidgetRecord* hint = FindWidget("lesson/hint");
  ASSERT_NE(hint, nullptr);
  EXPECT_GT(advice->max.y - advice->min.y, 30);
  EXPECT_LE(advice->max.y, hint->min.y);
  // it says the truth: two swings do not turn the card green
  Pass(ui.get(), 1.5);
  EXPECT_FALSE(session.lessons().progress().done(1));
  session.params().Set(-1, "time_step", 1e-3);
  Pass(ui.get(), 0.2);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("lesson/advice"), nullptr);
  Pass(ui.get(), 1.5);
  EXPECT_TRUE(session.lessons().progress().done(1));
}

TEST(LessonCards, AdviceAndButtonsAreScrolledIntoSight) {
  OPEN_OR_SKIP(ui, "conveyor", 1152, 648);
  GoTo(ui.get(), 1);
  ui->session().params().Set(-1, "time_step", 0.32e-3);
  Pass(ui.get(), 0.5);
  Settle(ui.get());
  for (const char* id : {"lesson/advice", "lesson/hint"}) {
    const WidgetRecord* widget = FindWidget(id);
    ASSERT_NE(widget, nullptr) << id;
    EXPECT_LT(widget->max.y, ui->ui().regions.left.max.y - 40) << id;
  }
}

TEST(LessonCards, WhatIsOverIsResetByAdvice) {
  OPEN_OR_SKIP(ui, "sliding-box");
  GoTo(ui.get(), 2);
  Session& session = ui->session();
  session.params().Set(-1, "time_step", 1e-3);
  Pass(ui.get(), 0.3);
  EXPECT_EQ(session.lessons().progress().advice(), 0);
  EXPECT_FALSE(session.lessons().progress().done(2));
  session.playback().Reset();
  Pass(ui.get(), 0.3);
  EXPECT_EQ(session.lessons().progress().advice(), -1);
  EXPECT_TRUE(session.lessons().progress().done(2));
}

TEST(LessonCards, ANoteInACardHasItsRoom) {
  OPEN_OR_SKIP(ui, "slope-creep");
  GoTo(ui.get(), 1);
  ui->session().params().Set(-1, "stiction_tolerance", 0.05);
  Pass(ui.get(), 0.5);
  Settle(ui.get());
  const WidgetRecord* note = FindWidget("note/creep");
  const WidgetRecord* slider = FindWidget("param/stiction_tolerance/slider");
  const WidgetRecord* hint = FindWidget("lesson/hint");
  ASSERT_TRUE(note != nullptr && slider != nullptr && hint != nullptr);
  EXPECT_GE(note->min.y, slider->max.y);
  EXPECT_GT(note->max.y - note->min.y, 40);
  EXPECT_LE(note->max.y, hint->min.y) << "the note is cut off";
  EXPECT_LE(note->max.x, ui->ui().regions.left.max.x);
}

/// Notes on steps that the session has, as the list behind the bell says them.
int NotesOnSteps(const Session& session) {
  return static_cast<int>(
      std::count_if(session.messages().begin(), session.messages().end(),
                    [](const Message& message) { return message.subject.starts_with("note "); }));
}

class NotesInLessons : public testing::TestWithParam<const char*> {};

// A card in the middle of the picture would take the eyes from the question, and may answer it.
TEST_P(NotesInLessons, WaitForTheAnswer) {
  UI_OR_SKIP(ui, OpenStaged(GetParam()));
  Settle(ui.get());
  ASSERT_NE(FindWidget("lesson/show"), nullptr) << "it begins with a question";
  for (int i = 0; i < 400 && NotesOnSteps(ui->session()) == 0; ++i) ui->Skip(1.0 / 60);
  ASSERT_GT(NotesOnSteps(ui->session()), 0);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("message"), nullptr);
  EXPECT_NE(FindWidget("status/messages"), nullptr) << "whoever looks for them finds them";
  // longer than a card stays
  ui->session().playback().SetPlaying(false);
  for (int i = 0; i < 40; ++i) ui->Skip(0.5);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("message"), nullptr);
  ASSERT_TRUE(ui->Click("lesson/show"));
  Settle(ui.get());
  EXPECT_EQ(FindWidget("lesson/show"), nullptr);
  ASSERT_NE(ui->session().Card(), nullptr);
  EXPECT_TRUE(ui->session().Card()->subject.starts_with("note "));
  EXPECT_NE(FindWidget("message"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Scenes, NotesInLessons, testing::Values("sliding-mass", "clutter"));

TEST(LessonCards, NotesComeAtOnceWhereNoQuestionIsShown) {
  UI_OR_SKIP(ui, OpenStaged("sliding-mass"));
  ui->ui().state.shell.left_tab = TabId::kParameters;
  Settle(ui.get());
  PassAndDraw(ui.get(), 0.5);
  ASSERT_GT(NotesOnSteps(ui->session()), 0);
  EXPECT_NE(FindWidget("message"), nullptr);
  // back at the question it goes
  ui->ui().state.shell.left_tab = TabId::kLesson;
  Settle(ui.get());
  EXPECT_EQ(FindWidget("message"), nullptr);
}

}  // namespace
}  // namespace slip::app
