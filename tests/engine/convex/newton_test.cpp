// The parts of Newton's method on an island: its stopping test and the line of a step.
#include <gtest/gtest.h>

#include "engine/convex/newton_line.h"
#include "engine/convex/stopping_test.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr double kSearchTolerance = 1e-6;

IslandPoint PointAt(double cost, double residual) {
  return {{.residual = residual, .impulse = 1, .momentum = 0.5}, cost};
}

// Every verdict is the first one that its own reason gives.
class StoppingTestTest : public testing::Test {
 protected:
  Verdict Look(double cost, double residual, LineSearchResult step = {1, 1}) {
    return test_.Look(PointAt(cost, residual), step, [this] { return round_off_; });
  }
  void Begin(NewtonOptions options) { test_ = StoppingTest(kSearchTolerance, options); }

  double round_off_ = 0;
  StoppingTest test_{kSearchTolerance, NewtonOptions{}};
};

TEST_F(StoppingTestTest, TellsOfConvergenceByItsKind) {
  EXPECT_EQ(Look(5, 1), Verdict::kGoOn);
  EXPECT_EQ(Look(4, 0.9e-6), Verdict::kResidual);

  // a level cost: of the dual Hessian only once the residual has stopped falling, too
  Begin({.dual = true});
  EXPECT_EQ(Look(5, 9e-3), Verdict::kGoOn);
  EXPECT_EQ(Look(5, 3e-3), Verdict::kGoOn);
  EXPECT_EQ(Look(5, 2.9e-3), Verdict::kLevelCost);
  Begin({.dual = false});
  EXPECT_EQ(Look(5, 9e-3), Verdict::kGoOn);
  EXPECT_EQ(Look(5, 3e-3), Verdict::kLevelCost);
  // a large residual says that a level cost means nothing, and so does a short step
  Begin({.dual = false});
  EXPECT_EQ(Look(5, 0.5), Verdict::kGoOn);
  EXPECT_EQ(Look(5, 0.5), Verdict::kGoOn);
  EXPECT_EQ(Look(5, 1e-3, {0.4, 3}), Verdict::kGoOn);
  // a step that promised nothing
  EXPECT_EQ(Look(4, 0.9e-3, {1, 0}), Verdict::kLevelCost);

  Begin({});
  round_off_ = 2e-3;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Look(50 - i, 1e-3), Verdict::kGoOn) << i;
  EXPECT_EQ(Look(30, 1e-3), Verdict::kRoundOff);
}

TEST_F(StoppingTestTest, LeavesForOneReason) {
  Begin({.leave_when_slow = true});
  EXPECT_EQ(Look(9, 1), Verdict::kGoOn);
  EXPECT_EQ(Look(8, 1, {0.4, 2}), Verdict::kGoOn);
  EXPECT_EQ(Look(7, 1, {1, 1}), Verdict::kGoOn);
  EXPECT_EQ(Look(6, 1, {0.4, 2}), Verdict::kSlow);

  Begin({.leave_when_stuck = true});
  EXPECT_EQ(Look(9, 1), Verdict::kGoOn);
  EXPECT_EQ(Look(8, 1, {1e-6, 2}), Verdict::kGoOn);
  EXPECT_EQ(Look(7, 1, {1e-6, 2}), Verdict::kGoOn);
  EXPECT_EQ(Look(6, 1, {1e-6, 2}), Verdict::kStuck);

  // from a place that the exact direction does not leave
  for (const bool dual : {false, true}) {
    Begin({.dual = dual});
    EXPECT_EQ(Look(9, 0.5, {0, 0}), Verdict::kGoOn);
    EXPECT_EQ(Look(9, 0.5, {0, 5}), dual ? Verdict::kGoOn : Verdict::kStuck);
  }

  Begin({.hopeless_after = 1});
  EXPECT_EQ(Look(9, 1), Verdict::kGoOn);
  EXPECT_EQ(Look(8, 0.98), Verdict::kGoOn);
  EXPECT_EQ(Look(7, 1), Verdict::kHopeless);

  Begin({.iterations = 1});
  EXPECT_EQ(Look(9, 1), Verdict::kGoOn);
  EXPECT_EQ(Look(8, 0.9), Verdict::kLimit);
}

class NewtonLineTest : public testing::Test {
 protected:
  // A pile at the velocities that a step starts from, and the direction of the scaled gradient.
  void SetUp() override {
    problem_ = MakePile({});
    system_.Load(problem_.task, kPasses);
    island_ = &system_.whole();
    system_.v() = system_.numbers().v0();
    system_.CalcContactVelocities(*island_);
    IslandRecord record;
    RunNewton(&system_, *island_, problem_.settings, {.dual = false, .iterations = 0}, &record,
              &here_);
    const VectorX& D = system_.numbers().D();
    system_.dv() = -system_.grad().cwiseProduct(D).cwiseProduct(D);
    system_.CalcContactSteps(*island_);
  }
  NewtonLine Line() {
    return NewtonLine(&system_, *island_, here_, system_.grad().dot(system_.dv()), false);
  }
  std::vector<double> Contacts() {
    std::vector<double> numbers;
    const ContactWork* work = system_.work(*island_);
    for (int i = 0; i < island_->contacts(); ++i) {
      const ContactWork& w = work[i];
      for (const Vec3* x : {&w.v_c, &w.dv_c, &w.value.gamma})
        numbers.insert(numbers.end(), x->data(), x->data() + 3);
      numbers.insert(numbers.end(), w.value.hessian.data(), w.value.hessian.data() + 9);
      numbers.push_back(w.value.cost);
    }
    return numbers;
  }

  static constexpr ContactPasses kPasses = MakePasses<Sap, KelvinVoigt, false>();
  ContactProblem problem_;
  IslandSystem system_;
  const Island* island_ = nullptr;
  IslandPoint here_;
};

TEST_F(NewtonLineTest, ALookLeavesEverythingAsItIs) {
  const std::vector<double> before = Contacts();
  const VectorX v = system_.v();
  const NewtonLine line = Line();
  EXPECT_LT(line.start().slope, 0);
  // l'(0) by differences, and l(0) again
  const double h = 1e-6;
  const LinePoint start = line.Look(0);
  EXPECT_NEAR(start.cost, here_.cost, 1e-12 * std::abs(here_.cost));
  EXPECT_NEAR(start.slope, line.start().slope, 1e-9 * std::abs(start.slope));
  EXPECT_NEAR((line.Look(h).cost - line.Look(-h).cost) / (2 * h), start.slope,
              1e-5 * std::abs(start.slope));
  const LinePoint first = line.Look(0.3);
  (void)line.Look(1);
  const LinePoint again = line.Look(0.3);
  EXPECT_EQ(first.cost, again.cost);
  EXPECT_EQ(first.slope, again.slope);
  EXPECT_EQ(Contacts(), before);
  EXPECT_EQ(system_.v(), v);
}

TEST_F(NewtonLineTest, TheFullStepIsTheLookAtOne) {
  NewtonLine line = Line();
  const LinePoint looked = line.Look(1);
  ASSERT_TRUE(line.MayTakeFull());
  const LinePoint taken = line.TakeFull();
  EXPECT_FALSE(line.MayTakeFull());
  EXPECT_NEAR(taken.cost, looked.cost, 1e-12 * std::abs(looked.cost));
  EXPECT_NEAR(taken.slope, looked.slope, 1e-9 * std::abs(looked.slope));
  EXPECT_NEAR(taken.curvature, looked.curvature, 1e-9 * looked.curvature);
  // back from there to half of it: looks and contacts go along
  const LinePoint half = line.Look(0.5), fresh = [&] {
    SetUp();
    return Line().Look(0.5);
  }();
  EXPECT_NEAR(half.cost, fresh.cost, 1e-12 * std::abs(fresh.cost));
}

TEST_F(NewtonLineTest, TakesContactsAlong) {
  for (const bool full_before : {false, true}) {
    for (const double alpha : {0.25, 1.0}) {
      SetUp();
      NewtonLine line = Line();
      if (full_before) line.TakeFull();
      EXPECT_EQ(line.Take(alpha), full_before && alpha == 1);
      std::vector<Vec3> moved;
      for (int i = 0; i < island_->contacts(); ++i) moved.push_back(system_.work(*island_)[i].v_c);
      system_.CalcContactVelocities(*island_);
      for (int i = 0; i < island_->contacts(); ++i) {
        EXPECT_LT((moved[static_cast<std::size_t>(i)] - system_.work(*island_)[i].v_c).norm(),
                  1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace slip::test
