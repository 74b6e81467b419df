// Contacts with anchors: single steps against numbers from an independent implementation
// (exponential integration, spec tables), closed forms, and what these methods refuse.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/contact/bristle.h"
#include "engine/integrators/integrator_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"

namespace slip {
namespace {

using test::Finish;

constexpr MethodId kExponential = MethodNamed("exponential"),
                   kExplicitEuler = MethodNamed("explicit-euler");

// A body with these contact points over the floor z = 0.
std::shared_ptr<const Model> OnFloor(std::vector<Vec3> points, Vec3 inertia) {
  Body body;
  body.name = "body";
  body.mass = 1;
  body.inertia_B = inertia;
  body.points_B = std::move(points);
  body.SetJoint(JointKind::kFree);
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  return Finish(model);
}
std::shared_ptr<const Model> PointMass() { return OnFloor({Vec3::Zero()}, Vec3::Ones()); }

// 1 kg, 0.2 x 0.1 x 0.1 m, on two points of its lower edges.
std::shared_ptr<const Model> TwoPointBox() {
  return OnFloor({Vec3(-0.1, 0, -0.05), Vec3(0.1, 0, -0.05)}, Vec3(0.02, 0.05, 0.05) / 12);
}

Config MakeConfig(MethodId method, double h, double mu, int slip = 0) {
  Config config;
  config.step.method = static_cast<int>(method);
  config.step.time_step = h;
  config.step.part<ExponentialParams>().slip_prediction = slip;
  Material rubber;
  rubber.stiffness = 1e5;
  rubber.damping = 300;
  rubber.friction = mu;
  config.materials = {rubber};
  return config;
}

Simulation Start(std::shared_ptr<const Model> model, const Config& config, const Vec3& p,
                 const Vec3& v, std::vector<Vec3> anchors = {}, const Vec3& turn = Vec3::Zero(),
                 const Vec3& w = Vec3::Zero()) {
  Simulation sim(model, config);
  State state = sim.state();
  state.X_WB[0].p = p;
  state.X_WB[0].q = CalcRotation(turn);
  state.v << w, v;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    state.memory.push_back(
        {model->bodies[0].first_key + static_cast<ContactKey>(i), anchors[i], false});
  }
  sim.SetState(state);
  return sim;
}

Vec3 Position(const Simulation& sim) { return sim.state().X_WB[0].p; }
Vec3 Velocity(const Simulation& sim) { return sim.state().v.tail<3>(); }

void ExpectNear(const Vec3& found, const Vec3& wanted, double relative) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[i], wanted[i], relative * std::max(std::abs(wanted[i]), 1e-4))
        << "axis " << i;
  }
}

struct OneStep {
  const char* id;
  Vec3 p, v;
  double h, mu;
  Vec3 p_end, v_end;
  bool slips;
  Vec3 anchor, force;
};

TEST(Exponential, OneStepOfAPointMass) {
  const Vec3 none = Vec3::Zero();
  const OneStep steps[] = {
      {"X1",
       {0, 0, -1e-4},
       {0, 0, -0.3},
       1e-3,
       1,
       {0, 0, -3.548045790488e-04},
       {0, 0, -2.098761785080e-01},
       false,
       none,
       {0, 0, 98.4433114573}},
      {"X2",
       {0, 0, -1e-4},
       {0, 0, -0.3},
       1e-2,
       1,
       {0, 0, -1.819725149640e-04},
       {0, 0, 7.538363443356e-02},
       false,
       none,
       none},
      {"X3",
       {0, 0, -9.81e-5},
       {1, 0, 0},
       1e-2,
       0.5,
       {9.754750000000e-03, 0, -9.81e-05},
       {0.95095, 0, 0},
       true,
       {9.705700000000e-03, 0, 0},
       {-4.905, 0, 9.81}},
      {"X4",
       {0, 0, -9.81e-5},
       {1, 0.5, 0},
       5e-3,
       0.5,
       {4.945160432852e-03, 2.472580216426e-03, -9.81e-05},
       {9.780641731407e-01, 4.890320865704e-01, 0},
       true,
       {4.901288779133e-03, 2.450644389567e-03, 0},
       {-4.3871653719, -2.1935826859, 9.81}},
      {"X5",
       {2e-5, 0, -9.81e-5},
       {0, 0.01, 0},
       1e-3,
       1,
       {1.910030825349e-05, 8.496334992158e-06, -9.81e-05},
       {-1.699266998432e-03, 7.001253629095e-03, 0},
       false,
       none,
       {-1.4002507258, -2.9500095879, 9.81}},
      {"X7",
       {0, 0, -2e-4},
       {0.3, 0, -0.1},
       2e-3,
       0.5,
       {5.523443623437e-04, 0, -3.243087246873e-04},
       {2.539244805406e-01, 0, -2.746896108120e-02},
       true,
       {3.489865583782e-04, 0, 0},
       {-20.3357803965, 0, 40.6715607931}},
  };
  for (const OneStep& x : steps) {
    SCOPED_TRACE(x.id);
    Simulation sim = Start(PointMass(), MakeConfig(kExponential, x.h, x.mu), x.p, x.v, {none});
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ExpectNear(Position(sim), x.p_end, 1e-9);
    ExpectNear(Velocity(sim), x.v_end, 1e-9);
    ASSERT_EQ(sim.state().memory.size(), 1u);
    const ContactMemory& memory = sim.state().memory[0];
    EXPECT_EQ(memory.slips, x.slips);
    ExpectNear(memory.anchor_W, x.anchor, 1e-9);
    const BristleParams params{1e5, 300, x.mu};
    const Vec3 f = CalcTrialForce(params, Position(sim) - memory.anchor_W, Velocity(sim));
    // a point that slips has its anchor where the spring alone gives the force
    const Vec3 spring = 1e5 * (memory.anchor_W - Position(sim));
    ExpectNear(
        x.slips ? Vec3(spring.x(), spring.y(), f.z()) : ProjectOnCone(x.mu, Vec3::UnitZ(), f).f_W,
        x.force, 1e-8);
  }
  // X6: it leaves, and the mean force would pull
  Simulation sim =
      Start(PointMass(), MakeConfig(kExponential, 2e-3, 1), {0, 0, -1e-3}, {0, 0, 0.8}, {none});
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  ExpectNear(Position(sim), {0, 0, 5.8038e-04}, 1e-9);
  ExpectNear(Velocity(sim), {0, 0, 0.78038}, 1e-9);
  EXPECT_TRUE(sim.state().memory.empty());
}

void DropAPoint(bool published) {
  Config config = MakeConfig(kExponential, 1e-3, 1);
  if (published) test::TakePublishedForms(&config);
  Simulation sim = Start(PointMass(), config, {0, 0, 0.005}, Vec3::Zero());
  const auto until = [&sim](int64_t step) {
    while (sim.step() < step) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  };
  until(31);
  EXPECT_NEAR(Position(sim).z(), 2.862950000000e-04, 1e-15);
  EXPECT_TRUE(sim.state().memory.empty());
  until(32);
  EXPECT_NEAR(Position(sim).z(), -2.272e-05, 1e-15);
  EXPECT_NEAR(sim.state().memory.at(0).anchor_W.z(), -2.272e-05, 1e-15);
  until(33);
  EXPECT_NEAR(Position(sim).z(), -2.938499360905e-04, 1e-14);
  EXPECT_NEAR(Velocity(sim).z(), -2.281182585519e-01, 1e-11);
  until(40);
  EXPECT_NEAR(Position(sim).z(), -3.953137277912e-04, 1e-13);
  EXPECT_NEAR(Velocity(sim).z(), 8.964759120203e-02, 1e-11);
  until(50);
  EXPECT_NEAR(Position(sim).z(), published ? 7.1002e-5 : 7.0675e-5, 6e-10);
  until(100);
  EXPECT_NEAR(Position(sim).z(), published ? -1.143194566412e-04 : -1.146460871e-4, 1e-13);
  EXPECT_NEAR(sim.state().memory.at(0).anchor_W.z(),
              published ? -1.629254704088e-05 : -1.661917751e-5, 1e-13);
}

TEST(Exponential, ADropHasTheAnchorWhereItWasFound) {
  DropAPoint(true);
  DropAPoint(false);
}

TEST(Exponential, ASlidingPointLosesSpeedExactly) {
  for (const auto& [slip, wanted, tolerance] :
       {std::tuple(0, 0.5095, 1e-12), std::tuple(1, 0.5095, 1e-12), std::tuple(2, 0.98623, 5e-6)}) {
    // it has slipped before: the anchor gives the friction there is
    Simulation sim = Start(PointMass(), MakeConfig(kExponential, 1e-2, 0.5, slip), {0, 0, -9.81e-5},
                           {1, 0, 0}, {Vec3(-4.905e-5, 0, 0)});
    for (int i = 0; i < 10; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    EXPECT_NEAR(Velocity(sim).x(), wanted, tolerance) << "prediction " << slip;
  }
}

TEST(Exponential, RestsWhereTheSpringCarriesIt) {
  for (int slip = 0; slip < 3; ++slip) {
    Simulation sim = Start(PointMass(), MakeConfig(kExponential, 1e-2, 0.5, slip), {0, 0, -9.81e-5},
                           Vec3::Zero(), {Vec3::Zero()});
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      ASSERT_NEAR(Position(sim).z(), -9.81e-5, 1e-12);
    }
    ASSERT_EQ(sim.contacts().size(), 1u);
    EXPECT_NEAR(sim.contacts()[0].fn, 9.81, 1e-9);
    EXPECT_EQ(sim.contacts()[0].mode, ContactMode::kStick);
  }
}

// State at 0.2 s of a box on two points: (x, z, rotation about y).
Vec3 BoxAt(MethodId method, double h, bool impact, bool published = false) {
  Config config = MakeConfig(method, h, 0.4);
  if (published) test::TakePublishedForms(&config);
  Simulation sim =
      impact ? Start(TwoPointBox(), config, {0, 0, 0.052}, {0.5, 0, 0}, {}, {0, 0.05, 0}, {0, 2, 0})
             : Start(TwoPointBox(), config, {0, 0, 0.05 - 9.81 / 2e5}, {0.5, 0, 0},
                     {Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0)});
  const auto steps = std::llround(0.2 / h);
  for (int64_t i = 0; i < steps; ++i) {
    if (sim.Step() != StepStatus::kConverged) return Vec3::Constant(NAN);
  }
  const Vec3 p = Position(sim);
  return {p.x(), p.z(), CalcRotationVector(sim.state().X_WB[0].q).y()};
}

TEST(Exponential, ABoxThatSlidesAndOneThatHits) {
  const Vec3 sliding = BoxAt(kExplicitEuler, 1.0 / 64e3, false);
  ExpectNear(sliding, {0.03183072302, 0.04995095, 0}, 1e-6);
  const Vec3 hitting = BoxAt(kExplicitEuler, 1.0 / 64e3, true);
  ExpectNear(hitting, {0.03324003799, 0.04847678717, 0.01467122787}, 1e-6);
  struct Row {
    double h, sliding, hitting;
  };
  const auto check = [&](const std::vector<Row>& table, bool published) {
    for (const Row& row : table) {
      SCOPED_TRACE(testing::Message() << (published ? "published, h " : "h ") << row.h);
      const Vec3 slid = BoxAt(kExponential, row.h, false, published) - sliding;
      EXPECT_LT(std::max(std::abs(slid.x()), std::abs(slid.y())), 3 * row.sliding);
      EXPECT_LT((BoxAt(kExponential, row.h, true, published) - hitting).cwiseAbs().maxCoeff(),
                3 * row.hitting);
    }
  };
  check({{0.125e-3, 3.7e-9, 1.8e-4},
         {0.5e-3, 3.5e-7, 1.8e-4},
         {1e-3, 3.5e-7, 1.3e-3},
         {2e-3, 3.0e-7, 1.8e-2},
         {5e-3, 1.2e-5, 8.4e-3},
         {10e-3, 3.0e-4, 8.4e-3}},
        true);
  // the two rows that consistent slip and yielding anchors move (energy notes, section 5)
  check({{0.125e-3, 3.7e-9, 1.8e-4},
         {0.5e-3, 3.5e-7, 1.8e-4},
         {1e-3, 3.5e-7, 1.3e-3},
         {2e-3, 4.0e-6, 3.6e-3},
         {5e-3, 1.2e-5, 8.4e-3},
         {10e-3, 1.1e-4, 8.4e-3}},
        false);
}

TEST(Exponential, FewerProductsAreLessAccurate) {
  // the fall of X2, in the mean of the stretch: relative errors by the order of the approximant
  const auto end = [](int products) {
    Config config = MakeConfig(kExponential, 1e-2, 1);
    config.step.part<ExponentialParams>().matrix_multiplications = products;
    Simulation sim = Start(PointMass(), config, {0, 0, -1e-4}, {0, 0, -0.3}, {Vec3::Zero()});
    EXPECT_EQ(sim.Step(), StepStatus::kConverged);
    return Position(sim).z();
  };
  const double exact = end(-1);
  EXPECT_NEAR(end(5), exact, 1e-9);
  EXPECT_NEAR(end(6), exact, 1e-9);
  EXPECT_NEAR(end(4), exact, 1e-9);
  EXPECT_NEAR(end(3), exact, 1e-7);
  for (const int products : {0, 1, 2}) EXPECT_GT(std::abs(end(products) - exact), 1e-7);
}

TEST(ExplicitEuler, IsStableBelowItsLimitAlone) {
  // a point mass: lambda_max(J M⁻¹ Jᵀ) = 1/m, so the limit is 2 m / B
  const auto speed = [](double h) {
    Simulation sim = Start(PointMass(), MakeConfig(kExplicitEuler, h, 0.5), {0, 0, -9.9e-5},
                           Vec3::Zero(), {Vec3::Zero()});
    for (int i = 0; i < 200; ++i) {
      if (!Advanced(sim.Step())) return INFINITY;
    }
    return static_cast<float>(Velocity(sim).norm());
  };
  EXPECT_LT(speed(2.0 / 300 * 0.3), 1e-6f);
  EXPECT_GT(speed(2.0 / 300 * 1.2), 1e-3f);
}

TEST(Exponential, ABeltCarriesItsAnchors) {
  Model model = *PointMass();
  model.surfaces[0].drive = 0;
  Config config = MakeConfig(kExponential, 1e-3, 0.5);
  config.surfaces.emplace_back().belt_speed = 0.1;
  Simulation sim = Start(Finish(model), config, {0, 0, -9.81e-5}, Vec3::Zero(), {Vec3::Zero()});
  while (sim.time() < 1) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_NEAR(Velocity(sim).x(), 0.1, 1e-9);
  EXPECT_NEAR(sim.contacts().at(0).ft, 0, 1e-6);
  // what the belt gave is what the body has, and what slipping took
  const double given = test::Value(sim, Signal::kDriveWork);
  const double taken = test::Value(sim, Signal::kFrictionDissipation) +
                       test::Value(sim, Signal::kDampingDissipation);
  EXPECT_NEAR(given, 0.5 * 0.01 + taken, 0.1 * given);
}

TEST(Exponential, ABallRolls) {
  Model model = *OnFloor({Vec3::Zero()}, Vec3::Constant(0.4 * 0.01));
  model.bodies[0].point_radius = 0.1;
  model.bodies[0].shape.kind = ShapeKind::kSphere;
  model.bodies[0].shape.radius = 0.1;
  for (const MethodId method : {kExponential, kExplicitEuler}) {
    Simulation sim = Start(Finish(model), MakeConfig(method, 1e-3, 0.5), {0, 0, 0.1 - 9.81e-5},
                           {0.5, 0, 0}, {Vec3::Zero()});
    while (sim.time() < 1) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    // sliding friction turns it until it rolls at 5/7 of its speed
    EXPECT_NEAR(Velocity(sim).x(), 0.5 * 5 / 7, 2e-3);
    EXPECT_NEAR(sim.state().v[1] * 0.1, Velocity(sim).x(), 1e-3);
  }
}

TEST(Exponential, GoesOnFromAnotherMethodWithItsForces) {
  // a box on a moving belt, dragged and still slipping when the method changes
  Config config = test::BeltConfig(MethodNamed("lagged"), 1e-3);
  config.materials[0].stiffness = 1e5;
  config.surfaces[0].belt_speed = 0.5;
  for (const double until : {0.02, 0.5}) {
    Simulation sim(test::BoxOnBelt(JointKind::kXZ, -9.81e-5), config);
    while (sim.time() < until) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    const double fn = sim.contacts().at(0).fn, ft = sim.contacts().at(0).ft;
    const double speed = sim.state().v[0];
    for (const MethodId method : {kExponential, kExplicitEuler}) {
      Config other = config;
      other.step.method = static_cast<int>(method);
      sim.SetConfig(other);
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      EXPECT_NEAR(sim.contacts().at(0).fn, fn, 1e-3 * fn);
      EXPECT_NEAR(sim.contacts().at(0).ft, ft, 1e-3 * fn);
      EXPECT_NEAR(sim.state().v[0], speed, 2.1 * 0.5 * 9.81e-3);
    }
  }
}

TEST(Exponential, SaysWhatItDoesNotHave) {
  for (const auto& [name, words] : {std::pair("clutter", "bodies can touch bodies")}) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    Config config = scene.value()->config;
    config.step.method = static_cast<int>(kExponential);
    Simulation sim(scene.value()->ModelFor(config), config);
    const uint64_t before = Hash(sim.state());
    EXPECT_EQ(sim.Step(), StepStatus::kUnable);
    EXPECT_NE(sim.failure().find(words), std::string::npos) << sim.failure();
    EXPECT_NE(sim.failure().find("choose another method"), std::string::npos);
    EXPECT_EQ(Hash(sim.state()), before);
  }
}

// Steps until one is refused, and returns why.
std::string WhyItEnds(Model model) {
  Simulation sim(Finish(std::move(model)), MakeConfig(kExponential, 1e-3, 0.5));
  for (int i = 0; i < 1000; ++i) {
    const StepStatus status = sim.Step();
    if (status == StepStatus::kConverged) continue;
    EXPECT_EQ(status, StepStatus::kUnable);
    return sim.failure();
  }
  return {};
}

TEST(Exponential, StopsAtAJointsLimitAndOnAShapeWithoutPoints) {
  Model hanging;
  Body slide;
  slide.name = "slide";
  slide.SetJoint(JointKind::kPrismatic);
  slide.joint.axis = Vec3::UnitZ();
  slide.collides = false;
  slide.joint.lower = -0.2;
  hanging.bodies = {slide};
  EXPECT_NE(WhyItEnds(hanging).find("body 'slide': its joint has come to a limit"),
            std::string::npos);
  hanging.bodies[0].joint.lower = -1e3;
  EXPECT_EQ(WhyItEnds(hanging), "");

  Model falling = *PointMass();
  falling.bodies[0].points_B.clear();
  falling.bodies[0].shape.kind = ShapeKind::kSphere;
  falling.bodies[0].shape.radius = 0.1;
  falling.bodies[0].X_WB.p.z() = 0.2;
  EXPECT_NE(WhyItEnds(falling).find("its shape comes to a surface"), std::string::npos);
}

TEST(Exponential, StagesOfTheMethodBeforeAreForgotten) {
  Config config = test::BeltConfig(MethodNamed("sap"), 1e-3);
  Simulation sim(test::BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_GT(test::Value(sim, Signal::kAssemblyTimeUs), 0);
  config.step.method = static_cast<int>(kExponential);
  sim.SetConfig(config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_EQ(test::Value(sim, Signal::kAssemblyTimeUs), 0);
}

}  // namespace
}  // namespace slip
