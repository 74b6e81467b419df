// libccd as the narrow phase: depths against our own and against the gap along its normals, which
// shares no code with either; and that what libccd cannot answer is answered all the same.
#include "engine/collide/collide_ccd.h"

#include "engine/collide/narrow_phase.h"
#include "tests/support/convex_reference.h"

namespace slip::test {
namespace {

PairContacts CollideByCcd(const Placed& a, const Placed& b, double margin) {
  PairContacts contacts;
  CollideConvexByCcd(a.shape, a.pose, b.shape, b.pose, margin, &contacts);
  return contacts;
}

CcdAnswer AnswerOf(const Placed& a, const Placed& b) {
  const Vec3 origin = 0.5 * (a.pose.p + b.pose.p);
  CcdAnswer answer;
  (void)CalcSeparationByCcd(MakeConvexCore(a.shape, a.pose, origin),
                            MakeConvexCore(b.shape, b.pose, origin), 10, &answer);
  return answer;
}

double SmallerHalf(const Placed& a, const Placed& b) {
  return std::min(MaxAlong({a.shape, {}}, Vec3::UnitX()), MaxAlong({b.shape, {}}, Vec3::UnitX()));
}

// Two shapes of the kinds side by side at any attitude, then one into the other by `depth`.
void PlaceAtDepth(Random* random, double depth, Placed* a, Placed* b) {
  PlaceAtGap(random, 0.01, a, b);
  const PairContact nearest = Deepest(Collide(*a, *b, 100));
  b->pose.p -= (nearest.phi + depth) * nearest.n_W;
}

void ExpectEqual(const PairContacts& x, const PairContacts& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].p_W, y[i].p_W);
    EXPECT_EQ(x[i].n_W, y[i].n_W);
    EXPECT_EQ(x[i].phi, y[i].phi);
    EXPECT_EQ(x[i].feature, y[i].feature);
  }
}

class CcdPairs : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  Placed a_, b_;
  Random random_{static_cast<unsigned>(10 * GetParam().first + GetParam().second)};

  void NextShapes(int round) {
    NextShape(&random_, GetParam().first, round, &a_.shape);
    NextShape(&random_, GetParam().second, round, &b_.shape);
  }

  void Compare(double share_of_libccd, const std::function<double(double)>& depth_of) {
    constexpr int kRounds = 400;
    int compared = 0, by_ccd = 0, off = 0;
    for (int round = 0; round < kRounds; ++round) {
      NextShapes(round);
      PlaceAtGap(&random_, 0.01, &a_, &b_);
      PlaceAtDepth(&random_, depth_of(SmallerHalf(a_, b_)), &a_, &b_);
      const PairContacts own = Collide(a_, b_, 1e-3), ccd = CollideByCcd(a_, b_, 1e-3);
      ASSERT_EQ(own.empty(), ccd.empty());
      if (own.empty()) continue;  // a thin body left on the other side
      ++compared;
      const PairContact &o = Deepest(own), &c = Deepest(ccd);
      ASSERT_NEAR(c.n_W.norm(), 1, 1e-12);
      EXPECT_NEAR(c.phi, o.phi, kDistanceTolerance) << round;
      EXPECT_NEAR(CalcGap(a_, b_, c.n_W), c.phi, kDistanceTolerance) << round;
      by_ccd += AnswerOf(a_, b_) == CcdAnswer::kLibccd;
      off += (c.n_W - o.n_W).norm() > 1e-3;
    }
    EXPECT_GT(compared, 0.9 * kRounds);
    EXPECT_GT(by_ccd, share_of_libccd * compared);
    EXPECT_LT(off, 0.02 * compared);  // where two ways out are as short
  }
};

TEST_P(CcdPairs, DeepOverlapsAgreeWithOurOwn) {
  Compare(0.95, [this](double half) { return random_.Uniform(1e-3, 0.9) * half; });
}

TEST_P(CcdPairs, ShallowOverlapsAgreeWithOurOwn) {
  Compare(0.9, [this](double half) { return std::pow(10, random_.Uniform(-5, -2)) * half; });
}

// Down to where libccd no longer tells touching from apart; normals of touching corners are free.
TEST_P(CcdPairs, TouchingShapesHaveTheRightDistance) {
  for (int round = 0; round < 600; ++round) {
    NextShapes(round);
    PlaceAtDepth(&random_, round % 3 == 0 ? 0 : std::pow(10, random_.Uniform(-10, -6)), &a_, &b_);
    const PairContacts own = Collide(a_, b_, 1e-3), ccd = CollideByCcd(a_, b_, 1e-3);
    ASSERT_FALSE(ccd.empty());
    if (Deepest(ccd).phi == Deepest(own).phi) continue;  // our own
    EXPECT_NEAR(Deepest(ccd).phi, Deepest(own).phi, kDistanceTolerance) << round;
    EXPECT_NEAR(CalcGap(a_, b_, Deepest(ccd).n_W), Deepest(ccd).phi, kDistanceTolerance) << round;
  }
}

TEST_P(CcdPairs, ShapesApartAreOurOwn) {
  for (int round = 0; round < 200; ++round) {
    NextShapes(round);
    PlaceAtGap(&random_, std::pow(10, random_.Uniform(-6, -1)), &a_, &b_);
    EXPECT_EQ(AnswerOf(a_, b_), CcdAnswer::kApart);
    ExpectEqual(CollideByCcd(a_, b_, 1), Collide(a_, b_, 1));
  }
}

TEST_P(CcdPairs, EveryPointLiesOnBothBodies) {
  for (int round = 0; round < 300; ++round) {
    NextShapes(round);
    PlaceAtDepth(&random_, random_.Uniform(1e-6, 3e-3), &a_, &b_);
    const PairContacts contacts = CollideByCcd(a_, b_, 0.01);
    EXPECT_LE(contacts.size(), 4u);
    for (const PairContact& c : contacts) {
      const double on_a = DistanceOf(a_, c.p_W - 0.5 * c.phi * c.n_W);
      const double on_b = DistanceOf(b_, c.p_W + 0.5 * c.phi * c.n_W);
      EXPECT_LT(std::max(on_a, on_b), 2e-5) << round;
      const bool deepest = c.phi == Deepest(contacts).phi;
      EXPECT_GT(std::min(on_a, on_b), deepest ? -2e-5 : -0.01) << round;
    }
  }
}

TEST_P(CcdPairs, TheSameInputGivesTheSameBitsInEitherOrder) {
  for (int round = 0; round < 100; ++round) {
    NextShapes(round);
    PlaceAtDepth(&random_, random_.Uniform(0, 0.01), &a_, &b_);
    const PairContacts once = CollideByCcd(a_, b_, 0.01);
    ExpectEqual(CollideByCcd(a_, b_, 0.01), once);
    if (GetParam().first == GetParam().second) continue;  // no order of their own
    const PairContacts swapped = CollideByCcd(b_, a_, 0.01);
    ASSERT_EQ(swapped.size(), once.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
      EXPECT_EQ(swapped[i].phi, once[i].phi);
      EXPECT_EQ(swapped[i].n_W, -once[i].n_W);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CcdPairs, testing::ValuesIn(ConvexKindPairs()), KindPairName);

TEST(CollideCcd, PlatesAndNeedlesAgreeWithOurOwn) {
  Random random(5);
  int by_ccd = 0;
  for (int round = 0; round < 600; ++round) {
    const double thin = std::pow(10, random.Uniform(-4, -2)), wide = random.Uniform(0.1, 1);
    const Shape plate = Convex(MakeConvexBox({wide, wide, thin}));
    const Shape needle = Convex(MakeConvexBox({wide, thin, thin}));
    Placed a{round % 2 == 0 ? plate : needle, {}}, b{RandomShape(&random, round % 6), {}};
    if (round % 5 == 0) b.shape = round % 2 == 0 ? needle : plate;
    PlaceAtDepth(&random, random.Uniform(1e-7, 0.5) * thin, &a, &b);
    const PairContacts own = Collide(a, b, 0), ccd = CollideByCcd(a, b, 0);
    if (own.empty()) continue;  // as deep as the plate is thin they leave on the other side
    ASSERT_FALSE(ccd.empty()) << round;
    EXPECT_NEAR(Deepest(ccd).phi, Deepest(own).phi, kDistanceTolerance) << round;
    by_ccd += AnswerOf(a, b) == CcdAnswer::kLibccd;
  }
  EXPECT_GT(by_ccd, 400);
}

TEST(CollideCcd, CoincidentBodiesSurvive) {
  Random random(4);
  for (int kind = 0; kind < 6; ++kind)
    for (int other = 3; other < 6; ++other)
      for (const bool turned : {false, true}) {
        const Pose pose{random.InBox(1), random.Rotation()};
        const Placed a{RandomShape(&random, kind), pose};
        Placed b{RandomShape(&random, other), pose};
        if (turned) b.pose.q = random.Rotation();
        const PairContacts contacts = CollideByCcd(a, b, 0.01);
        ASSERT_FALSE(contacts.empty());
        for (const PairContact& c : contacts) {
          EXPECT_TRUE(c.p_W.allFinite() && c.n_W.allFinite());
          EXPECT_LT(c.phi, 0);
        }
      }
}

TEST(CollideCcd, ThePairTableSendsItWhatHasNoClosedForm) {
  Random random(6);
  int differ = 0;
  for (int kind = 0; kind < 6; ++kind)
    for (int other = kind; other < 6; ++other)
      for (int round = 0; round < 20; ++round) {
        Placed a{RandomShape(&random, kind), {}}, b{RandomShape(&random, other), {}};
        PlaceAtDepth(&random, random.Uniform(1e-4, 1e-2), &a, &b);
        PairContacts own, ccd, swapped;
        slip::Collide(a.shape, a.pose, b.shape, b.pose, 0.001, &own);
        slip::Collide(a.shape, a.pose, b.shape, b.pose, 0.001, &ccd, NarrowPhaseId::kLibccd);
        slip::Collide(b.shape, b.pose, a.shape, a.pose, 0.001, &swapped, NarrowPhaseId::kLibccd);
        ASSERT_EQ(swapped.size(), ccd.size());
        if (other < 3) {
          ExpectEqual(ccd, own);
          continue;
        }
        ASSERT_FALSE(ccd.empty());
        EXPECT_NEAR(Deepest(ccd).phi, Deepest(own).phi, kDistanceTolerance);
        EXPECT_NEAR(Deepest(ccd).phi, Deepest(swapped).phi, kDistanceTolerance);
        differ += Deepest(ccd).phi != Deepest(own).phi;
      }
  EXPECT_GT(differ, 100);  // two algorithms do not round alike
}

}  // namespace
}  // namespace slip::test
