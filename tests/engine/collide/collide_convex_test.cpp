// Signed distances of convex pairs. Apart, a distance is proved from both sides: the gap along the
// normal bounds it from below, points inside both bodies from above. Overlapping, the gap along
// the normal bounds the depth from above and searches from many directions from below.
#include "tests/support/alloc_guard.h"
#include "tests/support/convex_reference.h"

namespace slip::test {
namespace {

class ConvexPairs : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  Placed a_, b_;
  Random random_{static_cast<unsigned>(10 * GetParam().first + GetParam().second)};

  void Next(int round, double gap) {
    NextShape(&random_, GetParam().first, round, &a_.shape);
    NextShape(&random_, GetParam().second, round, &b_.shape);
    PlaceAtGap(&random_, gap, &a_, &b_);
  }
};

TEST_P(ConvexPairs, ApartTheDistanceIsProved) {
  for (int round = 0; round < 200; ++round) {
    Next(round, std::pow(10, random_.Uniform(-9, 0)));
    const PairContacts contacts = Collide(a_, b_, 10);
    ASSERT_FALSE(contacts.empty());
    const PairContact& c = Deepest(contacts);
    ASSERT_NEAR(c.n_W.norm(), 1, 1e-12);
    EXPECT_NEAR(CalcGap(a_, b_, c.n_W), c.phi, kDistanceTolerance) << round;
    // the witness points belong to the bodies
    EXPECT_LT(DistanceOf(a_, c.p_W - 0.5 * c.phi * c.n_W), kDistanceTolerance) << round;
    EXPECT_LT(DistanceOf(b_, c.p_W + 0.5 * c.phi * c.n_W), kDistanceTolerance) << round;
  }
}

TEST_P(ConvexPairs, OverlappingNoDirectionIsShorterLong) {
  for (int round = 0; round < 10; ++round) {
    Next(round, 0);
    const double smaller =
        std::min(MaxAlong({a_.shape, {}}, Vec3::UnitX()), MaxAlong({b_.shape, {}}, Vec3::UnitX()));
    const Vec3 n = (b_.pose.p - a_.pose.p).normalized();
    b_.pose.p -= random_.Uniform(1e-9, 0.8) * smaller * n;
    const PairContacts contacts = Collide(a_, b_, 10);
    ASSERT_FALSE(contacts.empty());
    const PairContact& c = Deepest(contacts);
    EXPECT_NEAR(CalcGap(a_, b_, c.n_W), c.phi, kDistanceTolerance) << round;
    EXPECT_LT(ClimbGap(a_, b_, c.n_W, 1e-3), c.phi + kDistanceTolerance) << round;
    for (int k = 0; k < 3; ++k)
      EXPECT_LT(ClimbGap(a_, b_, random_.Direction(), 0.3), c.phi + kDistanceTolerance) << round;
  }
}

TEST_P(ConvexPairs, ExchangingTheBodiesTurnsTheNormals) {
  for (int round = 0; round < 300; ++round) {
    Next(round, random_.Uniform(-0.01, 0.01));
    const PairContacts ab = Collide(a_, b_, 0.02), ba = Collide(b_, a_, 0.02);
    ASSERT_EQ(ab.size(), ba.size()) << round;
    for (const PairContact& c : ab) {
      const auto same = [&](const PairContact& d) {
        return (c.p_W - d.p_W).norm() < 1e-5 && (c.n_W + d.n_W).norm() < 1e-4 &&
               std::abs(c.phi - d.phi) < 1e-8;
      };
      EXPECT_TRUE(std::any_of(ba.begin(), ba.end(), same)) << round;
    }
  }
}

TEST_P(ConvexPairs, EveryPointLiesOnBothBodies) {
  for (int round = 0; round < 300; ++round) {
    Next(round, random_.Uniform(-0.003, 0.003));
    const PairContacts contacts = Collide(a_, b_, 0.01);
    EXPECT_LE(contacts.size(), 4u);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const PairContact& c = contacts[i];
      EXPECT_LE(c.phi, 0.01);
      // away from the deepest point a slanted cylinder's or capsule's line is a chord
      const double on_a = DistanceOf(a_, c.p_W - 0.5 * c.phi * c.n_W);
      const double on_b = DistanceOf(b_, c.p_W + 0.5 * c.phi * c.n_W);
      const bool deepest = c.phi == Deepest(contacts).phi;
      EXPECT_LT(std::max(on_a, on_b), 2e-5) << round;
      EXPECT_GT(std::min(on_a, on_b), deepest ? -1e-6 : -0.01) << round << " " << i;
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(c.feature, contacts[j].feature);
    }
  }
}

TEST_P(ConvexPairs, AllocatesNothing) {
  PairContacts contacts;
  contacts.reserve(256);
  for (int round = 0; round < 50; ++round) {
    Next(round, random_.Uniform(-0.01, 0.01));
    contacts.clear();
    const AllocGuard guard;
    CollideConvex(a_.shape, a_.pose, b_.shape, b_.pose, 0.02, &contacts);
    EXPECT_EQ(guard.count(), 0u);
  }
}

std::vector<std::pair<int, int>> AllPairs() {
  auto pairs = ConvexKindPairs();
  pairs.emplace_back(1, 1);
  return pairs;
}
INSTANTIATE_TEST_SUITE_P(Kinds, ConvexPairs, testing::ValuesIn(AllPairs()), KindPairName);

TEST(CollideConvex, ASphereIsAPointFartherAway) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    Placed body{RandomShape(&random, 1 + round % 5), {}},
        ball{Sphere(random.Uniform(0.01, 0.2)), {}};
    PlaceAtGap(&random, random.Uniform(-0.1, 0.1), &body, &ball);
    const double expected = DistanceOf(body, ball.pose.p) - ball.shape.radius;
    const PairContacts contacts = Collide(body, ball, 10);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].phi, expected, kDistanceTolerance) << round;
  }
}

// Where the simplex of the nearest points is a sliver.
TEST(CollideConvex, RimsThatAllButTouchHaveTheRightDistanceLong) {
  Random random(34);
  for (int round = 0; round < 20000; ++round) {
    Placed a{RandomShape(&random, 3), {}}, b{RandomShape(&random, 4), {}};
    PlaceAtGap(&random, 0.01, &a, &b);
    const PairContact nearest = Deepest(Collide(a, b, 100));
    const double gap =
        round % 3 == 0 ? 0 : (round % 3 - 1.5) * std::pow(10, random.Uniform(-10, -8));
    b.pose.p -= (nearest.phi - gap) * nearest.n_W;
    const PairContacts contacts = Collide(a, b, 0.01);
    ASSERT_FALSE(contacts.empty());
    const PairContact& c = Deepest(contacts);
    EXPECT_NEAR(c.phi, gap, kDistanceTolerance) << round;
    EXPECT_NEAR(CalcGap(a, b, c.n_W), c.phi, kDistanceTolerance) << round;
  }
}

// Exact depth of two polyhedra: the normals of all faces and the products of all edges.
double CalcDepth(const Placed& a, const Placed& b) {
  double best = -1e300;
  const auto edges = [](const Placed& body) {
    std::vector<Vec3> directions;
    const ConvexMesh& mesh = *body.shape.convex;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      for (int k = mesh.vertex_neighbors.first[v]; k < mesh.vertex_neighbors.first[v + 1]; ++k)
        directions.push_back(body.pose.q *
                             (mesh.vertices[mesh.vertex_neighbors.items[k]] - mesh.vertices[v]));
    return directions;
  };
  for (const auto& f : a.shape.convex->faces)
    best = std::max(best, CalcGap(a, b, a.pose.q * f.normal));
  for (const auto& f : b.shape.convex->faces)
    best = std::max(best, CalcGap(a, b, -(b.pose.q * f.normal)));
  for (const Vec3& p : edges(a))
    for (const Vec3& q : edges(b))
      if (const Vec3 n = p.cross(q); n.norm() > 1e-6 * p.norm() * q.norm())
        best = std::max(best, CalcGap(a, b, n.normalized()));
  return best;
}

TEST(CollideConvex, DeepPolyhedraAgreeWithAllSeparatingAxesLong) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const auto shape = [&] {
      return round % 2 == 0
                 ? Convex(MakeConvexBox({random.Uniform(0.1, 1), random.Uniform(0.1, 1), 0.3}))
                 : Convex(RandomHull(&random, 8, 0.5));
    };
    Placed a{shape(), {random.InBox(0.1), random.Rotation()}};
    Placed b{shape(), {random.InBox(0.1), random.Rotation()}};
    if (round % 5 == 0) b.pose = a.pose;
    const double expected = CalcDepth(a, b);
    if (expected > 0) continue;
    const PairContacts contacts = Collide(a, b, 0);
    ASSERT_FALSE(contacts.empty());
    EXPECT_NEAR(Deepest(contacts).phi, expected, kDistanceTolerance) << round;
  }
}

TEST(CollideConvex, ABoxIsThePolyhedronOfItsCorners) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const Vec3 size(random.Uniform(0.01, 1), random.Uniform(0.01, 1), random.Uniform(0.01, 1));
    Placed other{RandomShape(&random, round % 6), {}}, box{Box(size), {}};
    PlaceAtGap(&random, random.Uniform(-0.02, 0.02), &other, &box);
    const Placed mesh{Convex(MakeConvexBox(size)), box.pose};
    const PairContacts from_box = Collide(other, box, 0.05), from_mesh = Collide(other, mesh, 0.05);
    ASSERT_EQ(from_box.size(), from_mesh.size()) << round;
    if (from_box.empty()) continue;
    // rims are reached in the limit only
    const bool round_rim = other.shape.kind == ShapeKind::kCylinder;
    EXPECT_NEAR(Deepest(from_box).phi, Deepest(from_mesh).phi,
                round_rim ? kDistanceTolerance : 1e-9)
        << round;
  }
}

TEST(CollideConvex, CoincidentBodiesSurvive) {
  Random random(4);
  for (int kind = 0; kind < 6; ++kind)
    for (int other = 0; other < 6; ++other) {
      const Pose pose{random.InBox(1), random.Rotation()};
      const Placed a{RandomShape(&random, kind), pose}, b{RandomShape(&random, other), pose};
      for (const PairContact& c : Collide(a, b, 0.01)) {
        EXPECT_TRUE(c.p_W.allFinite() && c.n_W.allFinite());
        EXPECT_LT(c.phi, 0);
      }
    }
}

}  // namespace
}  // namespace slip::test
