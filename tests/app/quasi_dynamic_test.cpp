// The quasi-dynamic method in the window: its style, its solver tab, its friction budget, the note
// on its limits, and the marks of chosen points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/kit/theme.h"
#include "app/kit/widget_registry.h"
#include "app/kit/widgets.h"
#include "app/panels/common/friction.h"
#include "app/state/channel_style.h"
#include "engine/sim/measure.h"
#include "engine/sim/method_list.h"
#include "engine/tell/param_notes.h"
#include "render/scene/style.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

constexpr MethodId kQuasiDynamic = MethodNamed("quasi-dynamic");

std::string ShownText(const std::string& id) {
  const WidgetRecord* widget = FindWidget(id);
  return widget != nullptr ? widget->text : std::string("(none)");
}

TEST(QuasiDynamicStyle, IsThatOfTheTokens) {
  const render::ModelStyle& style = render::StyleOf(kQuasiDynamic);
  EXPECT_EQ(style.colour(render::Theme::kDark).Packed(), render::Colour::Hex(0x63BDF0).Packed());
  EXPECT_EQ(style.colour(render::Theme::kLight).Packed(), render::Colour::Hex(0x2482B8).Packed());
  EXPECT_EQ(style.mark, render::Mark::kPentagon);
  EXPECT_EQ(style.dash.count, 4);
  EXPECT_EQ(Info(kQuasiDynamic).label, "Quasi-dynamic");
  // no other method looks like it, or like another one
  for (std::size_t a = 0; a < Methods().size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto& one = render::StyleOf(static_cast<MethodId>(a));
      const auto& other = render::StyleOf(static_cast<MethodId>(b));
      for (const render::Theme theme : {render::Theme::kDark, render::Theme::kLight}) {
        EXPECT_NE(one.colour(theme).Packed(), other.colour(theme).Packed()) << a << " " << b;
      }
    }
  }
}

TEST(FrictionBudget, SharesAddUp) {
  const BudgetShares shares = CalcShares(
      {.style = {}, .fn = 20, .f1 = 2, .f2 = -4, .torque = -0.1, .mu = 0.8, .mu_w = 0.02});
  EXPECT_NEAR(shares.force, 6 / (0.8 * 20), 1e-15);
  EXPECT_NEAR(shares.torque, 0.1 / (0.02 * 20), 1e-15);
  EXPECT_EQ(shares.total(), shares.force + shares.torque);
  // nothing to share: no load, no friction, no torsion
  EXPECT_EQ(CalcShares({.style = {}, .fn = 0, .f1 = 2, .mu = 0.8}).total(), 0);
  EXPECT_EQ(CalcShares({.style = {}, .fn = 5, .f1 = 2, .torque = 1}).total(), 0);
}

TEST(QuasiDynamicTab, ShowsTheProgramOfTheStep) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  ui->ui().state.shell.inspect_tab = TabId::kSolver;
  PassAndDraw(ui.get(), 1);
  const SolveRecord& solve = ui->session().frame(0).solve;
  EXPECT_EQ(solve.system_size, 13);
  EXPECT_EQ(ShownText("solver/size"), "13 × " + std::to_string(solve.program.rows));
  EXPECT_EQ(ShownText("solver/iterations"), std::to_string(solve.iterations));
  EXPECT_NE(FindWidget("solver/checked"), nullptr);
  EXPECT_EQ(FindWidget("solver/search"), nullptr) << "no line is searched";
  // another lead, another solver
  ui->session().looks().SetLead(2);
  PassAndDraw(ui.get(), 0.2);
  EXPECT_EQ(FindWidget("solver/checked"), nullptr);
  EXPECT_NE(FindWidget("solver/search"), nullptr);
}

TEST(QuasiDynamicTab, ShowsTheBudgetOfTheContact) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  ui->ui().state.shell.inspect_tab = TabId::kContacts;
  PassAndDraw(ui.get(), 1.5);
  EXPECT_NE(FindWidget("contacts/budget"), nullptr);
  EXPECT_EQ(FindWidget("contacts/cone"), nullptr);
  EXPECT_NE(FindWidget("friction/0"), nullptr);
  EXPECT_NE(ShownText("budget/N").find("20"), std::string::npos);
  EXPECT_NE(ShownText("budget/T").find(" of 400 mN"), std::string::npos) << ShownText("budget/T");
  // the six multipliers, which add up to the normal force
  double sum = 0;
  for (int i = 1; i <= 6; ++i) {
    const WidgetRecord* lambda = FindWidget("budget/lambda/" + std::to_string(i));
    ASSERT_NE(lambda, nullptr) << i;
    sum += std::stod(lambda->text);
  }
  EXPECT_NEAR(sum, 20, 0.04);
  for (const char* id : {"budget/F1", "budget/F2", "budget/T", "budget/N"})
    EXPECT_FALSE(FindWidget(id)->clipped) << id;
  ui->session().looks().SetLead(2);
  PassAndDraw(ui.get(), 0.2);
  EXPECT_EQ(FindWidget("contacts/budget"), nullptr);
  EXPECT_NE(FindWidget("contacts/cone"), nullptr);
}

TEST(QuasiDynamicTab, MultipliersAreThoseOfTheContact) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  PassAndDraw(ui.get(), 1.5);
  const ChannelFrame& frame = ui->session().frame(0);
  const double h = frame.config.step.time_step;
  ASSERT_FALSE(frame.contacts.empty());
  for (const ContactFrame& c : frame.contacts) {
    const FrictionLoad load = LoadOf(c, {}, h);
    const auto& p = load.pushes;
    EXPECT_NEAR(p[0] + p[1] + p[2] + p[3] + p[4] + p[5], c.fn, 1e-9);
    EXPECT_NEAR(c.friction * (p[0] - p[2]), c.ft_C.x(), 1e-9);
    EXPECT_NEAR(c.friction * (p[1] - p[3]), c.ft_C.y(), 1e-9);
    EXPECT_NEAR(c.torsional_friction * (p[4] - p[5]), c.torque, 1e-9);
  }
  // of other methods there are none
  for (const ContactFrame& c : ui->session().frame(2).contacts)
    EXPECT_EQ(c.multipliers, (std::array<double, 6>{}));
}

TEST(QuasiDynamicTab, TheSignalOfFrictionIsWhatTheTableSays) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  PassAndDraw(ui.get(), 1.5);
  const ChannelFrame& frame = ui->session().frame(0);
  ASSERT_EQ(Info(frame.config.method()).family, Family::kProgram);
  ASSERT_FALSE(frame.contacts.empty());
  const auto strongest =
      std::max_element(frame.contacts.begin(), frame.contacts.end(),
                       [](const ContactFrame& a, const ContactFrame& b) { return a.fn < b.fn; });
  const double signal = frame.signals[static_cast<std::size_t>(Signal::kFrictionUsed)];
  EXPECT_EQ(signal, strongest->friction_used);
  EXPECT_GT(signal, 0);
  const double octahedron =
      (std::abs(strongest->ft_C.x()) + std::abs(strongest->ft_C.y())) /
          (strongest->friction * strongest->fn) +
      std::abs(strongest->torque) / (strongest->torsional_friction * strongest->fn);
  EXPECT_NEAR(signal, octahedron, 1e-12);
  // and so it is after a look at the past
  ui->session().playback().Seek(1);
  PassAndDraw(ui.get(), 0.1);
  for (const ContactFrame& contact : ui->session().frame(0).contacts)
    EXPECT_EQ(contact.bound, FrictionBound::kOctahedron);
}

TEST(ContactMode, SticksAtTheLimitOrBelow) {
  ContactFrame c;
  c.fn = 10;
  c.friction = 0.5;
  c.ft = 5;
  c.ft_C = Vec2(3, 4);
  c.mode = ContactMode::kStick;
  JudgeFriction(FrictionBound::kCone, &c);
  EXPECT_EQ(c.word, "limit");
  EXPECT_EQ(c.friction_used, 1);
  JudgeFriction(FrictionBound::kOctahedron, &c);
  EXPECT_NEAR(c.friction_used, 1.4, 1e-12) << "the octahedron is inside the cone";
  c.ft = 4.9;
  JudgeFriction(FrictionBound::kCone, &c);
  EXPECT_EQ(c.word, "stick");
  c.mode = ContactMode::kSlip;
  JudgeFriction(FrictionBound::kOctahedron, &c);
  EXPECT_EQ(c.word, "slip");
  c.mode = ContactMode::kOpen;
  c.fn = 0;
  JudgeFriction(FrictionBound::kOctahedron, &c);
  EXPECT_EQ(c.word, "open");
  EXPECT_TRUE(std::isnan(c.friction_used));
}

TEST(ContactTable, BothPadsCanBeToldApartAndHaveTorques) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  ui->ui().state.shell.inspect_tab = TabId::kContacts;
  PassAndDraw(ui.get(), 1.5);
  ASSERT_TRUE(ui->Click("contacts/sort/fn"));
  Settle(ui.get());
  std::set<std::string> pairs;
  for (int row = 0; FindWidget("contacts/pair/" + std::to_string(row)) != nullptr; ++row)
    pairs.insert(ShownText("contacts/pair/" + std::to_string(row)));
  EXPECT_GE(pairs.size(), 2u);
  EXPECT_NE(ShownText("contacts/torque/0"), "(none)");
  EXPECT_NE(ShownText("contacts/torque/0"), "–");
  OPEN_OR_SKIP(other, "box-push", 1600, 900);
  other->ui().state.shell.inspect_tab = TabId::kContacts;
  PassAndDraw(other.get(), 0.5);
  EXPECT_EQ(FindWidget("contacts/torque/0"), nullptr);
  EXPECT_NE(FindWidget("contacts/pair/0"), nullptr);
}

// A list that is shut bounded the next window that began: the right panel was cut at 400 px.
TEST(QuasiDynamicTab, IsAsHighBesideParameters) {
  for (const TabId tab : {TabId::kLesson, TabId::kParameters}) {
    OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
    ui->ui().state.shell.inspect_tab = TabId::kContacts;
    ui->ui().state.shell.left_tab = tab;
    PassAndDraw(ui.get(), 1.5);
    const WidgetRecord* last = FindWidget("budget/N");
    ASSERT_NE(last, nullptr);
    EXPECT_LT(last->max.y, ui->ui().regions.right.max.y);
    // its pixels are there: some are not of the panel's colour
    const render::Image image = ui->Read();
    int drawn = 0;
    for (int y = static_cast<int>(last->min.y); y < static_cast<int>(last->max.y); ++y) {
      for (int x = static_cast<int>(last->min.x); x < static_cast<int>(last->max.x); ++x) {
        const std::uint8_t* at = image.At(x, y);
        drawn += at[0] > 0x80 ? 1 : 0;
      }
    }
    EXPECT_GT(drawn, 20) << static_cast<int>(tab);
  }
}

TEST(QuasiDynamicTab, SaysWhatStartingFromRestCosts) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  PassAndDraw(ui.get(), 1.5);
  const Session& session = ui->ui().session;
  const RestDrag drag = CalcRestDrag(*session.model(), session.written().frame(0));
  // 50 mm/s at steps of 10 ms: 5 m/s^2 beside gravity
  EXPECT_NEAR(drag.share, 0.05 / 0.01 / 9.81, 0.02);
  EXPECT_NE(drag.formula.find("2.00 N"), std::string::npos) << drag.formula;
  const RestDrag other = CalcRestDrag(*session.model(), session.written().frame(2));
  EXPECT_TRUE(other.formula.empty());
  EXPECT_EQ(other.share, 0);
}

// The scene's camera looks at the middle of a row of three; side by side there is no row.
TEST(QuasiDynamicView, TheLeadStaysInThePictureWhenViewsAreSplit) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  PassAndDraw(ui.get(), 0.5);
  const Vec3 before = ui->ui().rig.camera.spec().target;
  for (const Compare compare : {Compare::kSplit2, Compare::kDifference, Compare::kSingle}) {
    ui->ui().state.view.compare = compare;
    PassAndDraw(ui.get(), 0.1);
    EXPECT_NEAR(before.y() - ui->ui().rig.camera.spec().target.y(), 0.3, 1e-12);
  }
  EXPECT_TRUE(HomeView(ui->ui().session, ui->ui().rig)
                  .target.isApprox(ui->ui().rig.camera.spec().target, 1e-12));
  ui->ui().state.view.compare = Compare::kGhosts;
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(ui->ui().rig.camera.spec().target.isApprox(before, 1e-12));
}

TEST(QuasiDynamicView, ChosenPointsCanBeSwitched) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1600, 900);
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(ui->ui().actions().WhyDisabled(Action::kCandidates), nullptr);
  EXPECT_TRUE(ui->ui().state.view.candidates);
  EXPECT_FALSE(ui->session().frame(0).candidates.empty());
  EXPECT_TRUE(ui->session().frame(2).candidates.empty());
  OPEN_OR_SKIP(other, "conveyor", 1600, 900);
  EXPECT_NE(other->ui().actions().WhyDisabled(Action::kCandidates), nullptr);
}

}  // namespace
}  // namespace slip::app
