// The curves of one contact: read from recorded steps, asked for on demand, chosen in the table.
#include <gtest/gtest.h>

#include <cmath>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/plots/contact_curves.h"
#include "engine/run/track/contact_history.h"
#include "tests/support/program.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

TEST(ContactCurves, AsksOnceAppendsAndForgetsAnotherPast) {
  ContactCurves curves;
  Snapshot snapshot;
  snapshot.history_end = 1;
  const ContactKey wanted[] = {7};
  const auto ask = curves.Update(snapshot, 0, wanted, 0);
  ASSERT_TRUE(ask.has_value());
  EXPECT_EQ(ask->key, 7);
  EXPECT_LT(ask->after, -1e300);
  EXPECT_FALSE(curves.Update(snapshot, 0, wanted, 5).has_value());  // it is under way
  auto answer = std::make_shared<ContactHistory>();
  answer->key = 7;
  answer->asked = ask->number;
  answer->channels = {{{0.5, 9, 4, 0.1, -1e-3}, {1.0}}};
  snapshot.contact_history = answer;
  EXPECT_FALSE(curves.Update(snapshot, 0, wanted, 6).has_value());
  const SeriesView force = curves.View(0, 7, Signal::kNormalForce);
  ASSERT_EQ(force.size(), 2u);
  EXPECT_EQ(force.ValueAt(0), 9);
  EXPECT_TRUE(std::isnan(force.ValueAt(1)));
  EXPECT_EQ(curves.View(0, 7, Signal::kSlipSpeed).ValueAt(0), 0.1f);
  EXPECT_TRUE(curves.View(0, 7, Signal::kKineticEnergy).empty());
  EXPECT_TRUE(curves.View(0, 8, Signal::kNormalForce).empty());
  // the run went on: only what is new
  snapshot.history_end = 2;
  const auto more = curves.Update(snapshot, 0, wanted, 7);
  ASSERT_TRUE(more.has_value());
  EXPECT_EQ(more->after, 1);
  // another past: all of it again, and the old answer is none
  const auto again = curves.Update(snapshot, 1, wanted, 8);
  ASSERT_TRUE(again.has_value());
  EXPECT_LT(again->after, -1e300);
  EXPECT_TRUE(curves.View(0, 7, Signal::kNormalForce).empty());
  EXPECT_FALSE(curves.Update(snapshot, 1, {}, 9).has_value());
}

TEST(ContactHistory, ALongPastIsSpreadEvenlyAndEndsNow) {
  Timeline history(std::size_t{64} << 20);
  StepRecord record;
  record.measured = true;
  record.contacts.resize(1);
  record.contacts[0].key = 3;
  constexpr int kSteps = 9000;
  for (int i = 0; i < kSteps; ++i) {
    record.state.step = i;
    record.contacts[0].fn = i;
    history.Append(record, 1e-3 * i, false);
  }
  constexpr double kEver = -std::numeric_limits<double>::infinity();
  const std::vector<ContactMoment> all = ReadContact(history, 3, kEver);
  ASSERT_EQ(all.size(), ContactHistory::kMostSteps);
  EXPECT_EQ(all.back().fn, kSteps - 1);
  EXPECT_LT(all.front().time, 4e-3);
  const std::vector<ContactMoment> late = ReadContact(history, 3, 8.9895);
  ASSERT_EQ(late.size(), 10u);
  EXPECT_EQ(late.front().fn, 8990);
  EXPECT_TRUE(std::isnan(ReadContact(history, 4, 8.9895).front().fn));
  EXPECT_TRUE(ReadContact(history, 3, 100).empty());
}

class ContactPlots : public testing::Test {
 protected:
  void SetUp() override {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto made = OffscreenUi::Create(setup, 1600, 900);
    if (!made.ok()) GTEST_SKIP() << made.error().Text();
    ui_ = std::move(made).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    ui_->ui().state.shell.inspect_tab = TabId::kContacts;
    for (int i = 0; i < 30; ++i) ui_->Skip(1.0 / 60);
    ui_->session().playback().SetPlaying(false);
    Draw(3);
  }
  void Draw(int frames) {
    for (int i = 0; i < frames; ++i) ui_->Frame(0);
  }
  UiState& state() { return ui_->ui().state; }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(ContactPlots, TheRowsMenuShowsTheContactsOwnCurves) {
  ASSERT_TRUE(ui_->Click("contacts/row/0", 1));
  Draw(2);
  ASSERT_TRUE(ui_->Click("contacts/row/0/plot-this"));
  Draw(12);
  const ContactKey key = state().plots.slots[0].contact;
  ASSERT_GE(key, 0);
  const SeriesStore& series = ui_->session().series();
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const PlotContent content = test::ContentOf(&ui_->ui(), slot);
    EXPECT_EQ(content.contact, key);
    EXPECT_NE(content.title.find("box – "), std::string::npos) << content.title;
    ASSERT_FALSE(content.series.empty()) << slot;
    // the box has one contact: its sums are the contact's own numbers
    const SeriesView own = content.series[0].data;
    const SeriesView sum = series.View(0, state().plots.slots[slot].signal);
    ASSERT_GT(own.size(), 10u) << slot;
    int compared = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (std::isnan(own.ValueAt(i))) continue;
      EXPECT_NEAR(own.ValueAt(i), sum.At(own.TimeAt(i) + 1e-9), 1e-5) << slot << " " << i;
      ++compared;
    }
    EXPECT_GT(compared, 10);
  }
}

TEST_F(ContactPlots, TheNumbersOfTheComparisonHaveTheirCurve) {
  state().shell.inspect_tab = TabId::kCompare;
  Draw(3);
  std::string id;
  for (const WidgetRecord& w : Widgets()) {
    if (w.id.starts_with("compare/unit/") && id.empty()) id = w.id;
  }
  ASSERT_FALSE(id.empty());
  const std::string plain = id.substr(std::string("compare/unit/").size());
  ASSERT_TRUE(ui_->Click(id, 1));
  Draw(2);
  const WidgetRecord* item = FindWidget("compare/" + plain + "/plot-this");
  ASSERT_NE(item, nullptr);
}

}  // namespace
}  // namespace slip::app
