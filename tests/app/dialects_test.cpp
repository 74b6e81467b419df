// The drawer of other engines' terms: the numbers of the engine room, of the contact that is
// picked.
#include <gtest/gtest.h>

#include "engine/dialect/contact_of_run.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

std::string TextOf(const std::string& widget) {
  const WidgetRecord* record = FindWidget(widget);
  return record != nullptr ? record->text : "";
}

/// First row of a dialect for the strongest contact of the lead.
std::string FirstRow(const Session& session, std::string_view dialect, DialectKeep keep) {
  const Snapshot& snapshot = session.written().snapshot();
  const ChannelFrame& frame = session.written().frame(session.looks().lead());
  const auto contact = DescribeContact(*snapshot.model, frame.config, frame.contacts,
                                       frame.contacts.front(), CalcStartMasses(*snapshot.model));
  const DialectRow row = FindDialect(dialect)->to(contact->numbers, keep).front();
  return row.name + " " + row.ValueText();
}

TEST(Dialects, TheDrawerSaysWhatTheEngineSays) {
  OPEN_OR_SKIP(ui, "slope-creep");
  Pass(ui.get(), 0.5);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("contacts/row/0", 1));
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("contacts/row/0/in-terms"));
  Settle(ui.get());
  EXPECT_EQ(TextOf("dialects/title"), "slope:box");
  const std::string rest = FirstRow(ui->session(), "mujoco", DialectKeep::kRest);
  EXPECT_EQ(rest.rfind("solref -", 0), 0u) << rest;
  EXPECT_EQ(TextOf("dialects/mujoco/0"), rest);
  EXPECT_EQ(FindWidget("inspect/tabs/Contacts"), nullptr) << "it stands in their place";
  ASSERT_TRUE(ui->Click("dialects/keep/Impact"));
  Settle(ui.get());
  EXPECT_EQ(TextOf("dialects/mujoco/0"), FirstRow(ui->session(), "mujoco", DialectKeep::kImpact));
  ASSERT_TRUE(ui->Click("dialects/close"));
  Settle(ui.get());
  EXPECT_EQ(FindWidget("dialects/title"), nullptr);
  EXPECT_NE(FindWidget("inspect/tabs/Contacts"), nullptr);
}

TEST(Dialects, CopyGivesTheFileOfTheEngine) {
  OPEN_OR_SKIP(ui, "slope-creep");
  Pass(ui.get(), 0.5);
  Settle(ui.get());
  ui->ui().state.dialects.open = true;
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("dialects/mujoco/copy"));
  const std::string text = ImGui::GetClipboardText();
  EXPECT_NE(text.find("<geom solref=\"-"), text.npos) << text;
  EXPECT_NE(text.find("impratio=\""), text.npos) << text;
  EXPECT_NE(text.find("slope:box of SAP at a load of 9.66 N"), text.npos) << text;
  EXPECT_NE(text.find("<!-- glide: "), text.npos) << "what is lost is said, too: " << text;
  ASSERT_TRUE(ui->Click("dialects/copy-all"));
  const std::string all = ImGui::GetClipboardText();
  for (const Dialect& dialect : Dialects())
    EXPECT_NE(all.find(dialect.label), all.npos) << dialect.id;
}

TEST(Dialects, WithoutLoadAndInSmallWindowsItSaysSo) {
  UI_OR_SKIP(ui, Open("falling-sphere"));
  ui->ui().state.dialects.open = true;
  Settle(ui.get());
  EXPECT_EQ(TextOf("dialects/mujoco/0"), "");
  EXPECT_NE(FindWidget("dialects/close"), nullptr);
  ui->ui().state.dialects.open = false;
  Settle(ui.get());
  ui->Resize(1000, 700);
  Settle(ui.get());
  ui->ui().state.dialects.open = true;
  Settle(ui.get());
  EXPECT_NE(FindWidget("dialects/close"), nullptr) << "in the left panel";
}

}  // namespace
}  // namespace slip::app
