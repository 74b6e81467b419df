// Reading a scene's file again keeps what the user made of the scene, as far as the file still has
// it.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/methods.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

const std::string kFriction = "material.steel.friction";

class ReloadTest : public ::testing::Test {
 protected:
  /// A file of its own with the text of a scene.
  void SetUp() override {
    text_ = (*FindScene("conveyor"))->text;
    Write(text_);
  }
  void Write(const std::string& text) const { WriteText(Path(), text); }
  std::string Path() const { return folder_.path("mine.toml"); }
  /// Its text with another piece in place of one.
  std::string With(const std::string& from, const std::string& to) const {
    std::string text = text_;
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    EXPECT_NE(text, text_) << from;
    return text;
  }
  static std::string Models(const Session& session) {
    std::string models;
    for (int i = 0; i < session.channel_count(); ++i)
      models += (i > 0 ? "," : "") + std::string(Info(session.looks().Of(i).model).id);
    return models;
  }
  static std::string Said(const Session& session) {
    for (const Message& message : session.messages()) {
      if (message.subject == "read again") return message.what + " " + message.where;
    }
    return {};
  }
  static void Reload(OffscreenUi* ui) {
    ASSERT_TRUE(ui->session().files().Reload());
    Settle(ui);
    PassAndDraw(ui, 0.1);
  }

  std::string text_;
  TempFolder folder_;
};

TEST_F(ReloadTest, ParametersAndModelsStay) {
  OPEN_OR_SKIP(ui, Path());
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.2);
  session.params().Set(-1, kFriction, 0.3);
  session.params().Set(1, "stiction_tolerance", 2e-3);
  session.params().SetMethod(0, method_id::kTodorov);
  PassAndDraw(ui.get(), 0.1);
  session.looks().Add(method_id::kLaggedRegularized);
  PassAndDraw(ui.get(), 0.2);
  session.looks().ToggleVisible(2);
  session.looks().SetLead(3);
  const std::string models = Models(session);
  ASSERT_EQ(session.channel_count(), 4);
  Reload(ui.get());
  EXPECT_EQ(Models(session), models);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(session.params().Value(i, kFriction), 0.3) << i;
  EXPECT_EQ(session.params().Value(1, "stiction_tolerance"), 2e-3);
  EXPECT_NE(session.params().Value(0, "stiction_tolerance"), 2e-3);
  EXPECT_FALSE(session.looks().Shown(2));
  EXPECT_EQ(session.looks().chosen_lead(), 3);
  EXPECT_LT(session.snapshot().time, 0.2) << "it has begun again";
  // the way back is still the file's
  session.params().Reset(kFriction);
  Settle(ui.get());
  EXPECT_EQ(session.params().Value(0, kFriction), 0.5);
  Reload(ui.get());
  EXPECT_EQ(Models(session), models) << "and once more";
}

TEST_F(ReloadTest, WhatTheFileSaysAnewIsTakenWhereNobodyChangedIt) {
  OPEN_OR_SKIP(ui, Path());
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.1);
  session.params().Set(-1, "friction_regularization", 5e-3);
  PassAndDraw(ui.get(), 0.1);
  Write(With("friction = 0.5 ", "friction = 0.4 "));
  Reload(ui.get());
  EXPECT_EQ(session.params().Value(0, kFriction), 0.4);
  EXPECT_EQ(session.params().Value(0, "friction_regularization"), 5e-3);
  EXPECT_EQ(Models(session), "sap,lagged,similar");
  Write(text_ + "\n[[channel]]\nmodel = \"todorov\"\n");
  Reload(ui.get());
  EXPECT_EQ(Models(session), "sap,lagged,similar,todorov");
  EXPECT_EQ(session.params().Value(3, kFriction), 0.5);
}

TEST_F(ReloadTest, WhatTheFileHasNoMoreIsDroppedWithAWord) {
  OPEN_OR_SKIP(ui, Path());
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.1);
  session.params().Set(-1, kFriction, 0.3);
  session.params().Set(-1, "time_step", 5e-3);
  PassAndDraw(ui.get(), 0.1);
  std::string text = With("material.steel", "material.ice");
  const std::string material = "material = \"steel\"",
                    similar = "[[channel]]\nmodel = \"similar\"\n";
  ASSERT_NE(text.find(material), text.npos);
  ASSERT_NE(text.find(similar), text.npos);
  text.replace(text.find(material), material.size(), "material = \"ice\"");
  text.erase(text.find(similar), similar.size());
  Write(text);
  Reload(ui.get());
  EXPECT_EQ(Models(session), "sap,lagged");
  EXPECT_EQ(session.params().Value(0, "time_step"), 5e-3);
  EXPECT_EQ(session.params().Value(0, "material.ice.friction"), 0.5);
  EXPECT_NE(Said(session).find("no friction coefficient of steel"), std::string::npos)
      << Said(session);
  EXPECT_NE(Said(session).find("no model Similar"), std::string::npos) << Said(session);
  EXPECT_NE(Said(session).find("Kept: time step."), std::string::npos) << Said(session);
}

TEST_F(ReloadTest, ModelsAndValuesOfTheCommandLineStay) {
  UI_OR_SKIP(ui, OpenPlan(Path(), "lagged,todorov", {"friction=0.2"}));
  PassAndDraw(ui.get(), 0.2);
  Reload(ui.get());
  EXPECT_EQ(Models(ui->session()), "lagged,todorov");
  EXPECT_EQ(ui->session().params().Value(1, kFriction), 0.2);
  EXPECT_EQ(ui->session().params().Default(1, kFriction), 0.5);
}

TEST_F(ReloadTest, AFileWithAnErrorLeavesTheRunAlone) {
  OPEN_OR_SKIP(ui, Path());
  PassAndDraw(ui.get(), 0.2);
  ui->session().params().Set(-1, kFriction, 0.3);
  PassAndDraw(ui.get(), 0.1);
  Write(With("friction = 0.5 ", "friction = -1 "));
  EXPECT_FALSE(ui->session().files().Reload());
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->session().params().Value(0, kFriction), 0.3);
  EXPECT_GT(ui->session().snapshot().time, 0.2);
}

}  // namespace
}  // namespace slip::app
