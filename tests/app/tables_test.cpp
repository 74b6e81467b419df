// Tables as text: full figures, units in the headings, and what the inspector shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "app/kit/data_table.h"
#include "app/panels/tables.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

TEST(DataTables, TextsThatNeedItStandInQuotes) {
  const DataTable table{"t",
                        {"name", "x_m"},
                        {{std::string("a,\"b\""), 0.123456789012},
                         {std::string("c|d"), std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_EQ(Csv(table), "name,x_m\n\"a,\"\"b\"\"\",0.123456789\nc|d,\n");
  EXPECT_EQ(Markdown(table), "| name | x_m |\n|---|---:|\n| a,\"b\" | 0.123457 |\n| c\\|d | – |\n");
}

TEST(DataTables, EveryTabHasOne) {
  OPEN_OR_SKIP(ui, "conveyor");
  for (int i = 0; i < 30; ++i) ui->Skip(1.0 / 60);
  Ui& window = ui->ui();
  window.state.shell.inspect_tab = InspectTab::kContacts;
  const DataTable contacts =
      ShownTable(window.session, window.state.shell.inspect_tab, &window.sources.differences);
  ASSERT_EQ(contacts.rows.size(), 3u) << "one contact in each of three models";
  const auto fn = std::find(contacts.columns.begin(), contacts.columns.end(), "fn_N");
  ASSERT_NE(fn, contacts.columns.end());
  const auto column = static_cast<std::size_t>(fn - contacts.columns.begin());
  EXPECT_EQ(std::get<double>(contacts.rows[0][column]), window.session.frame(0).contacts[0].fn);
  for (const auto tab : {InspectTab::kSolver, InspectTab::kBody, InspectTab::kCompare}) {
    window.state.shell.inspect_tab = tab;
    const DataTable table =
        ShownTable(window.session, window.state.shell.inspect_tab, &window.sources.differences);
    EXPECT_FALSE(table.rows.empty());
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
}

TEST(DataTables, FeetOfARobotHaveTheirForces) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  for (int i = 0; i < 30; ++i) ui->Skip(1.0 / 60);
  ui->ui().state.shell.inspect_tab = InspectTab::kFeet;
  const DataTable table =
      ShownTable(ui->ui().session, ui->ui().state.shell.inspect_tab, &ui->ui().sources.differences);
  EXPECT_EQ(table.name, "feet");
  EXPECT_EQ(table.rows.size(), 4u * static_cast<std::size_t>(ui->session().channel_count()));
  EXPECT_GT(std::get<double>(table.rows[0][2]), 1);
}

}  // namespace
}  // namespace slip::app
