// A channel that stopped: what the card offers acts, Run answers, the badge says it.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

/// The conveyor as a command line may ask for it. With one iteration SAP's step at 0.25 s is
/// refused, Lagged's are not.
std::unique_ptr<OffscreenUi> OpenStopped(const char* models,
                                         const std::vector<std::string>& assignments = {
                                             "max_iterations=1", "stiffness=1e10"}) {
  return OpenPlan("conveyor", models, assignments);
}

std::vector<std::string> Actions(const OffscreenUi& ui) {
  std::vector<std::string> labels;
  const Message* card = const_cast<OffscreenUi&>(ui).session().Card();
  if (card == nullptr) return labels;
  for (const MessageAction& action : card->actions) labels.push_back(action.label);
  return labels;
}

/// Clicks the link of the card with this label.
bool Choose(OffscreenUi* ui, const std::string& label) {
  const std::vector<std::string> labels = Actions(*ui);
  const auto found = std::find(labels.begin(), labels.end(), label);
  return found != labels.end() && ui->Click("message/" + std::to_string(found - labels.begin()));
}

std::string Badge() {
  const WidgetRecord* badge = FindWidget("time/live");
  return badge != nullptr ? badge->text : "";
}

TEST(StoppedTest, TheCardOffersWhatActs) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  ASSERT_EQ(session.StoppedCount(), 1);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_NE(session.Card()->Text().find("refused"), std::string::npos) << session.Card()->Text();
  EXPECT_EQ(session.Card()->Text().find("other"), std::string::npos) << session.Card()->Text();
  EXPECT_EQ(Actions(*ui),
            (std::vector<std::string>{"Raise the limit to 400", "Accept such steps", "Reset"}));
  EXPECT_EQ(Badge(), "Stopped");
  const WidgetRecord *spine = FindWidget("time/spine"), *badge = FindWidget("time/live");
  EXPECT_LE(spine->max.x, badge->min.x);
  EXPECT_LE(badge->max.x, 1600);
}

TEST(StoppedTest, ARaisedLimitGoesOnFromTheLastGoodStep) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  const double stopped = session.snapshot().time;
  ASSERT_GT(stopped, 0.1);
  ASSERT_TRUE(Choose(ui.get(), "Raise the limit to 400"));
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(session.StoppedCount(), 0);
  EXPECT_GT(session.snapshot().time, stopped + 0.4);
  EXPECT_EQ(session.Card(), nullptr);
  EXPECT_EQ(Badge(), "Live");
  EXPECT_EQ(session.frame(0).config.step.max_iterations, 400);
}

TEST(StoppedTest, StepsCanBeAccepted) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  const double stopped = ui->session().snapshot().time;
  ASSERT_TRUE(Choose(ui.get(), "Accept such steps"));
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(ui->session().StoppedCount(), 0);
  EXPECT_GT(ui->session().snapshot().time, stopped + 0.2);
}

TEST(StoppedTest, RunSaysAgainWhyNot) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  for (const char* button : {"time/run", "time/step", "time/live"}) {
    ASSERT_TRUE(ui->Click("message/close")) << button;
    PassAndDraw(ui.get(), 1);
    ASSERT_EQ(session.Card(), nullptr) << button;
    ASSERT_TRUE(ui->Click(button));
    PassAndDraw(ui.get(), 0.1);
    ASSERT_NE(session.Card(), nullptr) << button;
    EXPECT_NE(session.Card()->what.find("stopped"), std::string::npos) << session.Card()->what;
    EXPECT_EQ(session.Card()->repeats, 1);
  }
  const auto failures =
      std::count_if(session.notebook().marks().begin(), session.notebook().marks().end(),
                    [](const TimeMark& m) { return m.kind == TimeMark::Kind::kFailure; });
  EXPECT_EQ(failures, 1);
}

TEST(StoppedTest, ArrowsAndPullsSayWhyNothingMoves) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  ASSERT_TRUE(ui->session().AllStopped());
  const auto tip = [&](const char* name) {
    const WidgetRecord* button = FindWidget(name);
    if (button == nullptr) return std::string("no button");
    ui->MoveMouse({(button->min.x + button->max.x) / 2, (button->min.y + button->max.y) / 2});
    for (int i = 0; i < 40; ++i) ui->Frame(0);
    const WidgetRecord* shown = FindWidget("tooltip");
    return shown == nullptr ? std::string("no tip") : shown->text;
  };
  EXPECT_NE(tip("time/step").find("stopped"), std::string::npos) << tip("time/step");
  EXPECT_EQ(tip("time/back").find("start."), std::string::npos) << tip("time/back");
  ui->ui().state.mouse.pull.active = true;
  ui->ui().state.mouse.pull.body = ui->session().model()->lead_body;
  ui->Frame(0);
  const WidgetRecord* pull = FindWidget("view/pull");
  ASSERT_NE(pull, nullptr);
  EXPECT_NE(pull->text.find("SAP has stopped"), std::string::npos) << pull->text;
  ui->session().playback().Seek(0);
  Settle(ui.get());
  EXPECT_NE(tip("time/back").find("This is the start."), std::string::npos) << tip("time/back");
  EXPECT_NE(tip("time/start").find("This is the start."), std::string::npos) << tip("time/start");
  EXPECT_EQ(tip("time/step").find("stopped"), std::string::npos) << tip("time/step");
}

TEST(StoppedTest, RunTriesAgainAfterAChange) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  const double stopped = session.snapshot().time;
  session.params().Set(-1, "stiffness", 1e6);
  session.params().Set(-1, "max_iterations", 100);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(session.Card(), nullptr);
  ASSERT_TRUE(ui->Click("time/run"));
  PassAndDraw(ui.get(), 0.5);
  EXPECT_GT(session.snapshot().time, stopped + 0.4);
}

TEST(StoppedTest, UndoIsOfferedOnlyWhereItUndoes) {
  UI_OR_SKIP(ui, OpenStopped("sap", {"stiffness=1e10"}));
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.1);
  session.params().Set(-1, "max_iterations", 1);
  PassAndDraw(ui.get(), 1);
  ASSERT_EQ(session.StoppedCount(), 1);
  const double stopped = session.snapshot().time;
  ASSERT_TRUE(Choose(ui.get(), "Undo the last change"));
  PassAndDraw(ui.get(), 0.5);
  EXPECT_GT(session.snapshot().time, stopped + 0.4);
  EXPECT_EQ(session.Card(), nullptr);
}

TEST(StoppedTest, TheOtherModelGoesOn) {
  UI_OR_SKIP(ui, OpenStopped("sap,lagged"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  ASSERT_EQ(session.StoppedCount(), 1);
  EXPECT_TRUE(session.playback().playing());
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_NE(session.Card()->Text().find("the other model goes on"), std::string::npos)
      << session.Card()->Text();
  EXPECT_EQ(Badge(), "Live");
  // another model in its place takes part again, with iterations enough
  session.params().SetMethod(0, method_id::kSimilar);
  session.params().Set(-1, "max_iterations", 100);
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(session.StoppedCount(), 0);
  EXPECT_EQ(session.Card(), nullptr);
  EXPECT_NEAR(session.frame(0).time, session.frame(1).time, 0.011);
}

TEST(StoppedTest, ARemovedModelTakesItsCardAlong) {
  UI_OR_SKIP(ui, OpenStopped("sap,lagged"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  ASSERT_EQ(session.StoppedCount(), 1);
  EXPECT_EQ(session.snapshot().slowest_channel, 1) << "one that stands sets no pace";
  session.looks().Remove(0);
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(session.channel_count(), 1);
  EXPECT_EQ(session.StoppedCount(), 0);
  EXPECT_EQ(session.Card(), nullptr);
  EXPECT_EQ(Badge(), "Live");
}

TEST(StoppedTest, BackFromThePastItStopsThereAgain) {
  UI_OR_SKIP(ui, OpenStopped("sap,lagged"));
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  session.playback().Seek(0.1);
  PassAndDraw(ui.get(), 0);
  EXPECT_EQ(session.StoppedCount(), 0);
  EXPECT_EQ(session.Card(), nullptr);
  session.playback().SetPlaying(true);
  PassAndDraw(ui.get(), 1);
  EXPECT_EQ(session.StoppedCount(), 1);
  ASSERT_NE(session.Card(), nullptr);
  ASSERT_TRUE(Choose(ui.get(), "Reset"));
  PassAndDraw(ui.get(), 0);
  EXPECT_EQ(session.StoppedCount(), 0);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, "The old run is kept as run b2.") << "nothing of the stop";
}

TEST(StoppedTest, TheListSaysOnceWhatTheCardSaid) {
  UI_OR_SKIP(ui, OpenStopped("sap"));
  PassAndDraw(ui.get(), 1);
  ASSERT_NE(FindWidget("message"), nullptr);
  ASSERT_TRUE(ui->Click("status/messages"));
  for (int i = 0; i < 2; ++i) ui->Frame(0);
  ASSERT_NE(FindWidget("messages/list"), nullptr);
  EXPECT_EQ(FindWidget("message"), nullptr);
  EXPECT_EQ(FindWidget("status/SAP"), nullptr);
  const Message& message = ui->session().messages().front();
  EXPECT_EQ(message.where.find("t = "), std::string::npos) << message.Text();
}

TEST(OwnValues, TheCommandLineIsNoDefault) {
  UI_OR_SKIP(ui, OpenStopped("sap,lagged", {"max_iterations=7", "time_step=2ms"}));
  PassAndDraw(ui.get(), 0.1);
  Session& session = ui->session();
  EXPECT_EQ(session.params().Value(0, "max_iterations"), 7);
  EXPECT_EQ(session.params().Default(0, "max_iterations"), 100);
  EXPECT_EQ(session.params().Default(1, "time_step"), 0.01);
  EXPECT_EQ(session.params().ChangedCount(), 2);
  std::string line;
  session.experiments().CopyCommandLine(Experiments::CommandKind::kRun,
                                        [&](std::string text) { line = text; });
  ui->Frame(0);
  EXPECT_NE(line.find("max_iterations=7"), std::string::npos) << line;
  EXPECT_NE(line.find("time_step=0.002"), std::string::npos) << line;
  ui->ui().state.shell.left_tab = TabId::kParameters;
  for (int i = 0; i < 2; ++i) ui->Frame(0);
  // the tool tip names the scene's value, and the table's
  const WidgetRecord* slider = FindWidget("param/time_step/slider");
  ASSERT_NE(slider, nullptr);
  ui->MoveMouse({(slider->min.x + slider->max.x) / 2, (slider->min.y + slider->max.y) / 2});
  for (int i = 0; i < 40; ++i) ui->Frame(0);
  ASSERT_NE(FindWidget("param/time_step/tip/scene"), nullptr);
  EXPECT_EQ(FindWidget("param/time_step/tip/scene")->text, "scene 10.0 ms");
  ASSERT_NE(FindWidget("param/time_step/tip/default"), nullptr);
  EXPECT_EQ(FindWidget("param/time_step/tip/default")->text, "default 1.00 ms");
  session.params().ResetAll();
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(session.frame(1).config.step.max_iterations, 100);
  EXPECT_EQ(session.params().ChangedCount(), 0);
}

TEST(OwnValues, AResetBuildsTheScenesNumberOfBodies) {
  const auto scene = FindScene("ball-pit");
  ASSERT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, "sap", {"bodies=57"}, {});
  ASSERT_TRUE(plan.ok());
  auto link = std::make_unique<SteppedLink>();
  Session session(std::move(link));
  session.files().Open(SceneOf(*plan));
  session.Update(0);
  ASSERT_EQ(session.model()->bodies.size(), 57u);
  session.looks().Add(method_id::kLagged);
  session.Update(1);
  ASSERT_EQ(session.channel_count(), 2);
  session.params().ResetAll();
  session.Update(2);
  EXPECT_EQ(session.model()->bodies.size(), (*scene)->model->bodies.size());
}

}  // namespace
}  // namespace slip::app
