// How heavy bodies and coordinates are, against closed forms.
#include "engine/dynamics/inverse_masses.h"

#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"

namespace slip {
namespace {

constexpr double kMass = 2, kArm = 0.5, kMoment = 0.1, kMotor = 0.05;

// A mass on an arm that turns about y, and on its end the same on a slide along z.
Model TwoLinks() {
  Model model;
  for (int i = 0; i < 2; ++i) {
    Body& body = model.bodies.emplace_back();
    body.mass = kMass;
    body.inertia_B = Vec3::Constant(kMoment);
    body.joint.axis = i == 0 ? Vec3::UnitY() : Vec3::UnitZ();
    body.joint.armature = i == 0 ? kMotor : 0;
    body.SetJoint(i == 0 ? JointKind::kRevolute : JointKind::kPrismatic);
    body.joint.parent = i - 1;
    if (i == 0) body.joint.X_BM.p = Vec3(-kArm, 0, 0);
  }
  model.Finish();
  return model;
}

TEST(InverseMasses, OfLinksAreThoseOfTheirMassMatrix) {
  const Model model = TwoLinks();
  State state;
  SetStart(model, &state);
  const InverseMasses masses = CalcInverseMasses(model, state);
  // both masses turn with the arm; the slide is square to it, and its mass rides against the turn
  const double turn = 2 * kMass * kArm * kArm + 2 * kMoment + kMotor, slide = kMass;
  const double across = -kMass * kArm, det = turn * slide - across * across;
  ASSERT_EQ(masses.inertia.size(), 2u);
  EXPECT_NEAR(masses.inertia[0], turn, 1e-14);
  EXPECT_NEAR(masses.inertia[1], slide, 1e-14);
  EXPECT_NEAR(masses.coordinate[0], slide / det, 1e-13);
  EXPECT_NEAR(masses.coordinate[1], turn / det, 1e-13);
  EXPECT_NEAR(masses.body[0], kArm * kArm * slide / det / 3, 1e-13);
}

TEST(InverseMasses, AreZeroWhereATreeIsTooLargeOrHasNone) {
  Model model = TwoLinks();
  State state;
  SetStart(model, &state);
  EXPECT_EQ(CalcInverseMasses(model, state, 1).coordinate, (std::vector<double>{0, 0}));
  for (Body& body : model.bodies) body.mass = 0, body.inertia_B.setZero();
  model.bodies[0].joint.armature = 0;
  model.Finish();
  const InverseMasses masses = CalcInverseMasses(model, state);
  EXPECT_EQ(masses.coordinate, (std::vector<double>{0, 0}));
  EXPECT_EQ(masses.body, (std::vector<double>{0, 0}));
}

TEST(InverseMasses, OfABodyOfItsOwnAreItsMassAndMoments) {
  Model model;
  Body& body = model.bodies.emplace_back();
  body.mass = kMass;
  body.inertia_B = Vec3(1, 2, 4);
  body.SetJoint(JointKind::kFree);
  model.Finish();
  State state;
  SetStart(model, &state);
  const InverseMasses masses = CalcInverseMasses(model, state);
  EXPECT_EQ(masses.inertia, (std::vector<double>{1, 2, 4, kMass, kMass, kMass}));
  EXPECT_EQ(masses.coordinate, (std::vector<double>{1, 0.5, 0.25, 0.5, 0.5, 0.5}));
  EXPECT_EQ(masses.body, (std::vector<double>{0.5}));
}

}  // namespace
}  // namespace slip
