// Tables as text: full figures, units in the headings, and what the inspector shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "app/kit/data_table.h"
#include "app/panels/inspect/body.h"
#include "app/panels/inspect/tables.h"
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
  window.state.shell.inspect_tab = TabId::kContacts;
  const DataTable contacts =
      ShownTable(window.session, window.state.shell.inspect_tab, &window.sources.differences);
  ASSERT_EQ(contacts.rows.size(), 3u) << "one contact in each of three models";
  const auto fn = std::find(contacts.columns.begin(), contacts.columns.end(), "fn_N");
  ASSERT_NE(fn, contacts.columns.end());
  const auto column = static_cast<std::size_t>(fn - contacts.columns.begin());
  EXPECT_EQ(std::get<double>(contacts.rows[0][column]), window.session.frame(0).contacts[0].fn);
  for (const auto tab : {TabId::kSolver, TabId::kBody, TabId::kCompare}) {
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
  ui->ui().state.shell.inspect_tab = TabId::kFeet;
  const DataTable table =
      ShownTable(ui->ui().session, ui->ui().state.shell.inspect_tab, &ui->ui().sources.differences);
  EXPECT_EQ(table.name, "feet");
  EXPECT_EQ(table.rows.size(), 4u * static_cast<std::size_t>(ui->session().channel_count()));
  EXPECT_GT(std::get<double>(table.rows[0][2]), 1);
}

// As bodies.csv: the frame that the file names, not the principal axes.
TEST(DataTables, OrientationsAreThoseOfTheFiles) {
  OPEN_OR_SKIP(ui, "biped-walk");
  for (int i = 0; i < 30; ++i) ui->Skip(1.0 / 60);
  const Session& session = ui->session();
  ui->ui().state.shell.inspect_tab = TabId::kBody;
  const DataTable table =
      ShownTable(session, ui->ui().state.shell.inspect_tab, &ui->ui().sources.differences);
  const auto qw = std::find(table.columns.begin(), table.columns.end(), "qw");
  ASSERT_NE(qw, table.columns.end());
  const auto column = static_cast<std::size_t>(qw - table.columns.begin());
  const Model& model = *session.model();
  ASSERT_FALSE(table.rows.empty());
  std::size_t row = 0, turned = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].shape_of_link >= 0) continue;
    const Quat& inside = session.written().frame(0).bodies[b].X_WB.q;
    const Quat own = inside * model.bodies[b].X_BL.q;
    EXPECT_NEAR(std::get<double>(table.rows[row][column]), own.w(), 1e-12) << model.bodies[b].name;
    turned += std::abs(own.w() - inside.w()) > 1e-3;
    ++row;
  }
  EXPECT_GT(turned, 0u) << "some link has other principal axes";
}

TEST(DataTables, ALinkHasTheShapesThatHangOnIt) {
  OPEN_OR_SKIP(ui, "arm-press");
  for (int i = 0; i < 30; ++i) ui->Skip(1.0 / 60);
  ASSERT_NE(ui->session().model(), nullptr);
  const Model& model = *ui->session().model();
  const auto words = [&](const std::string& name) -> std::string {
    const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) {
      return b.name == name && b.shape_of_link < 0;
    });
    return body == model.bodies.end()
               ? "no body"
               : ShapeWords(model, static_cast<int>(body - model.bodies.begin()));
  };
  EXPECT_EQ(words("arm/base"), "cylinder x2");
  EXPECT_EQ(words("arm/link2"), "cylinder");
}

}  // namespace
}  // namespace slip::app
