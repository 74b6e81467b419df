// Manifolds of more corners than are kept: the points of the step before stay, as long as they are
// nearly as good as any.
#include <span>

#include "engine/collide/box_manifold.h"
#include "engine/collide/manifold.h"
#include "engine/collide/narrow_phase.h"
#include "tests/support/convex_reference.h"
#include "tests/support/held_points.h"

namespace slip::test {
namespace {

using Features = std::vector<uint32_t>;

PairContacts HeldContacts(const Placed& a, const Placed& b, const Features& held = {}) {
  PairContacts contacts;
  slip::Collide(a.shape, a.pose, b.shape, b.pose, 1e-3, &contacts, NarrowPhaseId::kOwn,
                HeldPoints(held).get());
  return contacts;
}

struct HeldRest {
  std::string name;
  Placed below, above;  // face to face
};

Quat Yaw(double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())); }

Shape Prism(int sides, double radius) {
  std::vector<Vec3> corners;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    for (const double z : {-0.05, 0.05}) {
      corners.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  }
  return Convex(CalcConvexHull(corners).value());
}

// Overlaps of 5 to 14 corners.
std::vector<HeldRest> Rests() {
  std::vector<HeldRest> rests;
  const auto add = [&](const std::string& name, const Shape& below, const Shape& above,
                       const Vec3& shift, double yaw) {
    rests.push_back({name, {below, {}}, {above, {shift + Vec3(0, 0, 0.1), Yaw(yaw)}}});
  };
  const Shape cube = Box(Vec3::Constant(0.1));
  add("cube turned by 45 degrees", cube, cube, Vec3::Zero(), kPi / 4);
  add("cube turned by 20 degrees", cube, cube, Vec3::Zero(), kPi / 9);
  Random random(1);
  for (int i = 0; i < 6; ++i) {
    const double yaw = random.Uniform(0.15, 1.4), length = random.Uniform(0.12, 0.18);
    const Vec3 shift(random.Uniform(-0.01, 0.01), random.Uniform(-0.01, 0.01), 0);
    add("cube turned by " + std::to_string(yaw), cube, cube, shift, yaw);
    add("brick turned by " + std::to_string(yaw), cube, Box({length, 0.08, 0.1}), shift, yaw);
  }
  const Shape hexagon = Prism(6, 0.08), octagon = Prism(8, 0.07);
  add("hexagon turned by 30 degrees", hexagon, hexagon, Vec3::Zero(), kPi / 6);
  add("hexagon on an octagon", octagon, hexagon, Vec3(1e-3, 2e-3, 0), kPi / 9);
  add("octagon on a hexagon", hexagon, octagon, Vec3(1e-3, 2e-3, 0), kPi / 9);
  add("hexagon on a cube", cube, hexagon, Vec3(1e-3, 2e-3, 0), kPi / 9);
  return rests;
}

// Sunk in, and tilted by up to 1e-4 rad about any level axis.
Placed Trembling(Random* random, const Placed& body, double sink) {
  const double direction = random->Uniform(-kPi, kPi), tilt = random->Uniform(0, 1e-4);
  const Vec3 axis(std::cos(direction), std::sin(direction), 0);
  return {body.shape,
          {body.pose.p - sink * Vec3::UnitZ(),
           (Quat(Eigen::AngleAxisd(tilt, axis)) * body.pose.q).normalized()}};
}

constexpr double kSinks[] = {-1e-5, 0, 1e-5, 1e-4};

// The name of a point as seen with A and B exchanged (box_manifold.h, manifold.h).
uint32_t SwappedOfBoxes(uint32_t feature) {
  const uint32_t kind = feature >> 8, a = feature >> 4 & 0xF, b = feature & 0xF;
  return kind == 3 ? EdgesFeature(b, a) : (3 - kind) << 8 | (feature & 0xFF);
}
uint32_t SwappedOfHulls(uint32_t feature) {
  const uint32_t kind = feature >> 30, a = feature >> 15 & 0x7FFF, b = feature & 0x7FFF;
  return (kind < 2 ? 1 - kind : kind) << 30 | b << 15 | a;
}

// Of different kinds the names are those of the pair table, in either order.
Features Swapped(const Features& features, const HeldRest& rest) {
  const ShapeKind kind = rest.below.shape.kind;
  if (kind != rest.above.shape.kind) return features;
  Features swapped;
  for (const uint32_t feature : features) {
    swapped.push_back(kind == ShapeKind::kBox ? SwappedOfBoxes(feature) : SwappedOfHulls(feature));
  }
  std::sort(swapped.begin(), swapped.end());
  return swapped;
}

TEST(HeldManifold, TremblingTradesNoPoint) {
  Random random(2);
  for (const HeldRest& rest : Rests()) {
    int trades = 0;
    for (const double sink : kSinks) {
      SCOPED_TRACE(testing::Message() << rest.name << ", sunk by " << sink);
      Placed above = rest.above;
      above.pose.p.z() -= sink;
      const Features still = FeaturesOf(HeldContacts(rest.below, above));
      ASSERT_EQ(still.size(), 4u);
      Features held = still;
      for (int i = 0; i < 200; ++i) {
        const Placed moved = Trembling(&random, rest.above, sink);
        held = FeaturesOf(HeldContacts(rest.below, moved, held));
        ASSERT_EQ(held, still) << i;
        trades += FeaturesOf(HeldContacts(rest.below, moved)) != still;
      }
    }
    // nothing to hold on to would be no test
    EXPECT_GT(trades, 20) << rest.name;
  }
}

// Each order is started with what the other one would have chosen.
TEST(HeldManifold, BothOrdersHoldTheSamePoints) {
  Random random(3);
  const auto expect_same = [](const PairContacts& one, PairContacts other, const HeldRest& rest) {
    ASSERT_EQ(FeaturesOf(one), Swapped(FeaturesOf(other), rest));
    for (const PairContact& contact : one) {
      const auto same =
          std::min_element(other.begin(), other.end(), [&](const auto& x, const auto& y) {
            return (x.p_W - contact.p_W).norm() < (y.p_W - contact.p_W).norm();
          });
      EXPECT_LT((same->p_W - contact.p_W).norm(), 1e-9);
      EXPECT_LT((same->n_W + contact.n_W).norm(), 1e-9);
      EXPECT_NEAR(same->phi, contact.phi, 1e-9);
    }
  };
  for (const HeldRest& rest : Rests()) {
    for (const bool chosen_by_above : {false, true}) {
      SCOPED_TRACE(testing::Message() << rest.name << chosen_by_above);
      const PairContacts start = chosen_by_above ? HeldContacts(rest.above, rest.below)
                                                 : HeldContacts(rest.below, rest.above);
      Features up = FeaturesOf(start), down = Swapped(up, rest);
      if (chosen_by_above) std::swap(up, down);
      for (int i = 0; i < 100; ++i) {
        const Placed moved = Trembling(&random, rest.above, kSinks[i % 4]);
        const PairContacts upwards = HeldContacts(rest.below, moved, up);
        const PairContacts downwards = HeldContacts(moved, rest.below, down);
        EXPECT_EQ(FeaturesOf(upwards), up);
        ASSERT_NO_FATAL_FAILURE(expect_same(upwards, downwards, rest));
        up = FeaturesOf(upwards);
        down = FeaturesOf(downwards);
      }
    }
  }
}

// Corners made by hand, in cyclic order; features count from 1.
struct Corner {
  double x, y, gap;
};

double Extent(std::span<const Corner> corners) {
  double extent = 0;
  for (const Corner& c : corners) {
    extent = std::max(extent, std::abs(c.x - corners[0].x) + std::abs(c.y - corners[0].y));
  }
  return extent;
}

Features KeptOfBox(std::span<const Corner> corners, const Features& held) {
  BoxManifold manifold;
  for (const Corner& c : corners) {
    BoxPoint& point = manifold.points[manifold.count++];
    point.p_A = Vec3(c.x, c.y, 0);
    point.uv = Vec2(c.x, c.y);
    point.gap = c.gap;
    point.feature = static_cast<uint32_t>(manifold.count);
  }
  ReduceManifold(1, HeldPoints(held).get(), &manifold);
  Features kept;
  for (int i = 0; i < manifold.count; ++i) kept.push_back(manifold.points[i].feature);
  return kept;
}

Features KeptOfHull(std::span<const Corner> corners, const Features& held) {
  PairContacts contacts;
  for (const Corner& c : corners) {
    const auto feature = static_cast<uint32_t>(contacts.size() + 1);
    contacts.push_back({Vec3(c.x, c.y, 0), Vec3::UnitZ(), c.gap, feature});
  }
  ReduceManifold(0, kMaxManifold, Extent(corners), HeldPoints(held).get(), &contacts);
  return FeaturesOf(contacts);
}

void ExpectKept(std::span<const Corner> corners, const Features& held, const Features& kept) {
  EXPECT_EQ(KeptOfBox(corners, held), kept) << "of boxes";
  EXPECT_EQ(KeptOfHull(corners, held), kept) << "of hulls";
}

class HeldCorners : public testing::Test {
 protected:
  HeldCorners() {
    for (int i = 0; i < 8; ++i) {
      octagon_.push_back({0.05 * std::cos(kPi * i / 4), 0.05 * std::sin(kPi * i / 4), 0});
    }
    extent_ = Extent(octagon_);
    slack_ = kHeldDepth * extent_;
  }
  void SetGaps(double odd, double even) {
    for (std::size_t i = 0; i < 8; ++i) octagon_[i].gap = i % 2 == 0 ? odd : even;
  }

  std::vector<Corner> octagon_;
  double extent_, slack_;
  const Features odd_ = {1, 3, 5, 7}, even_ = {2, 4, 6, 8};
};

TEST_F(HeldCorners, StayAmongEqualOnes) {
  for (const double gap : {-1e-3, -1e-6, 0.0, 1e-6, 1e-3}) {
    SetGaps(gap, gap);
    ExpectKept(octagon_, {}, odd_);
    ExpectKept(octagon_, even_, even_);
    ExpectKept(octagon_, odd_, odd_);
  }
}

TEST_F(HeldCorners, MayMissTheDeepestByTheSlack) {
  for (const double gap : {-1e-3, 1e-3}) {
    SetGaps(gap, gap);
    octagon_[4].gap -= 0.9 * slack_;
    ExpectKept(octagon_, even_, even_);
    octagon_[4].gap -= 0.2 * slack_;
    ExpectKept(octagon_, even_, odd_);
  }
}

TEST_F(HeldCorners, MaySpanNineTenths) {
  // a corner of the square is held by a stand-in on its side
  std::vector<Corner> square = {
      {-0.05, -0.05, 0}, {0.05, -0.05, 0}, {0.05, 0, 0}, {0.05, 0.05, 0}, {-0.05, 0.05, 0}};
  const Features with_stand_in = {1, 2, 3, 5};
  const auto set_area = [&](double share) { square[2].y = 0.05 * (4 * share - 3); };
  set_area(0.91);
  ExpectKept(square, with_stand_in, with_stand_in);
  set_area(0.89);
  ExpectKept(square, with_stand_in, {1, 2, 4, 5});
}

TEST_F(HeldCorners, GoTogether) {
  std::vector<Corner> left(octagon_.begin(), octagon_.end() - 1);
  ExpectKept(left, even_, odd_);
  ExpectKept(octagon_, {2, 4, 6}, odd_);
  ExpectKept(octagon_, {2, 4, 6, 9}, odd_);
  ExpectKept(octagon_, {1, 2, 3, 5, 7}, odd_);
}

TEST_F(HeldCorners, MustTouchWhereOthersDo) {
  const double touch = kTouchingDepth * extent_;
  SetGaps(1e-3, 1e-3);
  octagon_[1].gap += touch + 0.9 * slack_;
  ExpectKept(octagon_, even_, even_);
  octagon_[1].gap += 0.2 * slack_;
  ExpectKept(octagon_, even_, odd_);
}

TEST_F(HeldCorners, MustNotLeaveOutWhatHasSunkIn) {
  SetGaps(2 * slack_, 2 * slack_);
  octagon_[1].gap = -3 * slack_;
  octagon_[2].gap = -0.9 * slack_;
  ExpectKept(octagon_, even_, even_);
  octagon_[2].gap = -1.1 * slack_;
  for (const Features& kept : {KeptOfBox(octagon_, even_), KeptOfHull(octagon_, even_)}) {
    EXPECT_EQ(std::count(kept.begin(), kept.end(), 2u), 1);
    EXPECT_EQ(std::count(kept.begin(), kept.end(), 3u), 1);
  }
}

}  // namespace
}  // namespace slip::test
