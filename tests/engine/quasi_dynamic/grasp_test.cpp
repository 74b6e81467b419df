// A gripper lifts a cloud of 992 points: the table of the specification, and a reference that
// shares no code with the engine but points, poses and the problem's data.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/geometry/mesh.h"
#include "engine/quasi_dynamic/quasi_dynamic.h"
#include "engine/quasi_dynamic/quasi_dynamic_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/applied_forces.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/grasp_reference.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

struct Grasp {
  std::shared_ptr<const Scene> scene;
  Config config;
  int bunny = 0, palm = 0;
};

Grasp LoadGrasp(const char* name, double h, double tolerance = 1e-11) {
  Grasp grasp{*FindScene(name), {}};
  grasp.config = grasp.scene->config;
  grasp.config.step.method = static_cast<int>(MethodNamed("quasi-dynamic"));
  grasp.config.step.time_step = h;
  grasp.config.step.part<QuasiDynamicParams>().qp_tolerance = tolerance;
  const auto& bodies = grasp.scene->model->bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].name == "bunny") grasp.bunny = static_cast<int>(b);
    if (bodies[b].name == "hand/palm") grasp.palm = static_cast<int>(b);
  }
  return grasp;
}

double Pitch(const State& state, int body) {
  return CalcRotationVector(state.X_WB[static_cast<std::size_t>(body)].q).x();
}
const Vec3& Place(const State& state, int body) {
  return state.X_WB[static_cast<std::size_t>(body)].p;
}

struct Loads {
  double left = 0, right = 0, floor = 0;
};
Loads CalcLoads(const Simulation& sim) {
  Loads loads;
  const auto& bodies = sim.model().bodies;
  for (const ContactFrame& c : sim.contacts()) {
    if (c.surface >= 0) {
      loads.floor += c.fn;
    } else if (bodies[static_cast<std::size_t>(c.body_a)].name.find("left") != std::string::npos) {
      loads.left += c.fn;
    } else {
      loads.right += c.fn;
    }
  }
  return loads;
}

TEST(Grasp, TheTableOfTheSpecification) {
  struct Row {
    double t, z, pitch, floor, hand;
  };
  const Row with[] = {{0.5, 0, 0, 3.924, 0.06},
                      {1.0, 0.01196405, 0.00296020, 0, 0.07203804},
                      {2.5, 0.08696401, 0.00296024, 0, 0.14703800},
                      {3.5, 0.09798897, 0.00196123, 0, 0.15803800}};
  const Row without[] = {{1.0, 0.00657921, 0.25982714, 0.451047, 0.07284529},
                         {1.5, 0.01934453, 0.91235505, 0, 0.09726412},
                         {2.5, 0.06648516, 1.31121530, 0, 0.14704247},
                         {3.5, 0.07743368, 1.35931112, 0, 0.15803815}};
  const auto check = [](const char* name, const auto& rows) {
    const Grasp grasp = LoadGrasp(name, 0.01);
    Simulation sim(grasp.scene->model, grasp.config);
    const double z0 = Place(sim.state(), grasp.bunny).z();
    for (const Row& row : rows) {
      ASSERT_TRUE(RunTo(&sim, row.t)) << sim.failure();
      SCOPED_TRACE(testing::Message() << name << " at " << row.t);
      // all printed digits
      EXPECT_NEAR(Place(sim.state(), grasp.bunny).z() - z0, row.z, 6e-9);
      EXPECT_NEAR(Pitch(sim.state(), grasp.bunny), row.pitch, 6e-9);
      EXPECT_NEAR(Place(sim.state(), grasp.palm).z(), row.hand, 6e-9);
      const Loads loads = CalcLoads(sim);
      EXPECT_NEAR(loads.left, 20, 1e-6);
      EXPECT_NEAR(loads.right, 20, 1e-6);
      EXPECT_NEAR(loads.floor, row.floor, 1e-6);
    }
  };
  check("bunny-grasp", with);
  check("bunny-grasp-no-torsion", without);
}

TEST(Grasp, TorsionHoldsAtEveryStepAndItsAbsencePivots) {
  struct Row {
    double h, with, without;
  };
  for (const Row& row :
       {Row{0.02, 0.001961, 1.372860}, Row{0.0125, 0, 0}, Row{0.01, 0.001961, 1.359311},
        Row{0.008, 0, 0}, Row{0.005, 0.001961, 1.299161}, Row{0.0025, 0.001962, 1.195654}}) {
    SCOPED_TRACE(testing::Message() << "h " << row.h);
    double pitch[2];
    for (const bool torsion : {false, true}) {
      const Grasp grasp =
          LoadGrasp(torsion ? "bunny-grasp" : "bunny-grasp-no-torsion", row.h, 1e-8);
      Simulation sim(grasp.scene->model, grasp.config);
      const double z0 = Place(sim.state(), grasp.bunny).z();
      double worst = 0;
      while (sim.time() < 3.5 - 0.5 * row.h) {
        ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
        worst = std::max(worst, std::abs(Pitch(sim.state(), grasp.bunny)));
        const Loads loads = CalcLoads(sim);
        if (sim.time() > 0.55) EXPECT_NEAR(loads.left, 20, 1e-3);
        if (sim.time() > 0.55) EXPECT_NEAR(loads.right, 20, 1e-3);
      }
      pitch[torsion] = Pitch(sim.state(), grasp.bunny);
      if (torsion) {
        EXPECT_LT(worst, 0.01);
        EXPECT_GT(Place(sim.state(), grasp.bunny).z() - z0, 0.095);
      }
    }
    EXPECT_GT(pitch[0], 1.0);
    if (row.with > 0) {
      EXPECT_NEAR(pitch[1], row.with, 1e-6);
      EXPECT_NEAR(pitch[0], row.without, 1e-4);
    }
  }
}

// Every solve of a run at the reference tolerance.
TEST(Grasp, EverySolveMeetsItsConditions) {
  for (const char* name : {"bunny-grasp", "bunny-grasp-no-torsion"}) {
    const Grasp grasp = LoadGrasp(name, 0.01);
    Simulation sim(grasp.scene->model, grasp.config);
    QuasiDynamic formulation;
    StepOutput output;
    Kinematics kinematics;
    double worst_law = 0;
    for (int k = 0; k < 350; ++k) {
      kinematics.Update(sim.model(), sim.state());
      Config in_force = grasp.config;
      FollowPaths(sim.model(), (k + 1) * 0.01, &in_force);
      VectorX actuation = VectorX::Zero(sim.model().nv);
      CompensateWeight(sim.model(), in_force, sim.state(), &kinematics, &actuation);
      const StepInput input{.model = sim.model(),
                            .config = in_force,
                            .start = sim.state(),
                            .V_WB = kinematics.V_WB,
                            .trees = kinematics.trees,
                            .actuation = &actuation};
      ASSERT_EQ(formulation.Step(input, &output), StepStatus::kConverged);
      const ConvexQp& qp = formulation.qp();
      const QpResult& result = formulation.result();
      EXPECT_EQ(qp.g.size(), 13);
      if (std::string(name) == "bunny-grasp") EXPECT_EQ(qp.b.size(), 80);
      EXPECT_LE((qp.H * result.x - qp.g - qp.A.transpose() * result.lambda).cwiseAbs().maxCoeff(),
                1e-8 * qp.g.cwiseAbs().maxCoeff());
      const VectorX slack = qp.A * result.x - qp.b;
      EXPECT_GE(slack.minCoeff(), -1e-10);
      EXPECT_LE(slack.cwiseProduct(result.lambda).cwiseAbs().maxCoeff(), 1e-10);
      // a loaded contact's gap is the largest of its predictions
      const double largest = result.lambda.maxCoeff();
      for (const ContactOutcome& c : formulation.Contacts(0)) {
        if (c.f_C.z() * 0.01 < 1e-6 * largest) continue;
        worst_law = std::max(worst_law, std::abs(c.phi - c.prediction.gliding_offset));
      }
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    }
    EXPECT_LT(worst_law, 1e-8) << name;
  }
}

TEST(Grasp, HeldOutGraspsAgreeWithAReference) {
  struct Case {
    double h, mu, mu_w, k, turn, squeeze, lift;
  };
  for (const Case& c : {Case{0.007, 0.65, 0.013, 1500, 40, 0.017, 0.06},
                        Case{0.011, 0.9, 0.0, 2600, 70, 0.021, 0.09},
                        Case{0.016, 0.5, 0.031, 900, 25, 0.0165, 0.05}}) {
    SCOPED_TRACE(testing::Message() << "h " << c.h);
    Grasp grasp = LoadGrasp("bunny-grasp", c.h);
    Model model = *grasp.scene->model;
    GraspReference reference({.h = c.h,
                              .mu = c.mu,
                              .mu_w = c.mu_w,
                              .stiffness = c.k,
                              .turning = c.turn,
                              .squeezing = 2 * c.k});
    for (JointDrive& joint : grasp.config.joints) {
      const bool turns = joint.name.find("/r") != std::string::npos;
      joint.impedance = joint.name == "hand/w" ? 2 * c.k : turns ? c.turn : c.k;
    }
    for (Material& material : grasp.config.materials) {
      material.friction = c.mu;
      if (material.name == "rubber") material.torsional_friction = c.mu_w;
    }
    for (Body& body : model.bodies) {
      if (body.joint.name == "hand/w") body.target_path.knots = {{0, 0}, {0.5, -c.squeeze}};
      if (body.joint.name == "hand/z") body.target_path.knots = {{0.6, 0}, {1.6, c.lift}};
      if (body.shape.kind == ShapeKind::kPointCloud)
        reference.SetPoints(body.shape.cloud->points, body.mass, body.inertia_B, body.X_WB.p);
    }
    Simulation sim(std::make_shared<const Model>(model), grasp.config);
    double worst = 0;
    for (int k = 0; (k + 1) * c.h < 2; ++k) {
      const double t = (k + 1) * c.h;
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      ASSERT_TRUE(reference.Step(0.05 - c.squeeze * std::min(1.0, t / 0.5),
                                 0.06 + c.lift * std::clamp(t - 0.6, 0.0, 1.0)));
      const Pose& X = sim.state().X_WB[static_cast<std::size_t>(grasp.bunny)];
      worst = std::max({worst, (X.p - reference.p()).cwiseAbs().maxCoeff(),
                        (X.q.toRotationMatrix() - reference.R()).cwiseAbs().maxCoeff()});
    }
    EXPECT_GT(reference.p().z(), 0.06) << "it was lifted";
    // a gap of the grasp is some 1e-3 m
    EXPECT_LT(worst, 1e-8);
  }
}

// Each pad presses with 20 N, which the spring of the joint that closes them carries.
TEST(Grasp, TheJointsCarryWhatThePadsPress) {
  const Grasp grasp = LoadGrasp("bunny-grasp", 0.01, 1e-8);
  Simulation sim(grasp.scene->model, grasp.config);
  ASSERT_TRUE(RunTo(&sim, 2));
  const Loads loads = CalcLoads(sim);
  std::vector<JointFrame> joints;
  sim.GetJoints(&joints);
  double closing = 0, lifting = 0;
  for (const JointFrame& joint : joints) {
    const Body& body = sim.model().bodies[static_cast<std::size_t>(joint.body)];
    if (body.joint.name.ends_with("/w")) closing = joint.force;
    if (body.joint.name.ends_with("/z")) lifting = joint.force;
    EXPECT_TRUE(std::isinf(joint.limit)) << "impedance has none";
  }
  EXPECT_NEAR(closing, -(loads.left + loads.right), 1e-6);
  // the bunny's weight, and its drag m v/h while it rises at 50 mm/s
  EXPECT_NEAR(lifting, 0.4 * (9.81 + 0.05 / 0.01), 1e-4);
}

// What the program does not determine is the same from step to step.
TEST(Grasp, LoadsOfABarAtRestDoNotJitter) {
  const Grasp grasp = LoadGrasp("four-point-peg", 0.01, 1e-8);
  Simulation sim(grasp.scene->model, grasp.config);
  ASSERT_TRUE(RunTo(&sim, 8));
  std::vector<double> loads;
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    std::size_t i = 0;
    for (const ContactFrame& c : sim.contacts()) {
      if (c.fn < 1e-3) continue;
      if (k == 0) loads.push_back(c.fn);
      ASSERT_LT(i, loads.size());
      EXPECT_NEAR(c.fn, loads[i++], 1e-5);
    }
    EXPECT_EQ(i, 4u);
  }
}

TEST(Grasp, AStepThatIsNoSolutionIsRefused) {
  Grasp grasp = LoadGrasp("bunny-grasp", 0.01, 1e-8);
  grasp.config.step.max_iterations = 1;
  Simulation sim(grasp.scene->model, grasp.config);
  EXPECT_EQ(sim.Step(), StepStatus::kLost);
  EXPECT_NE(sim.failure().find("after 1 iteration"), std::string::npos) << sim.failure();
  EXPECT_EQ(sim.step(), 0);
  grasp.config.step.lost_steps = 1;
  Simulation accepts(grasp.scene->model, grasp.config);
  EXPECT_EQ(accepts.Step(), StepStatus::kIterationLimit);
}

TEST(Grasp, PadsInsideTheCloudAreNoStart) {
  const Grasp grasp = LoadGrasp("bunny-grasp", 0.01, 1e-8);
  Simulation sim(grasp.scene->model, grasp.config);
  State state = sim.state();
  for (const Body& body : grasp.scene->model->bodies) {
    if (body.joint.name.ends_with("/w") || body.joint.leader >= 0) state.q[body.q_start] = 0.01;
  }
  Kinematics kinematics;
  kinematics.Update(sim.model(), state);
  UpdatePoses(sim.model(), &state);
  sim.SetState(state);
  EXPECT_EQ(sim.Step(), StepStatus::kInfeasible);
  EXPECT_NE(sim.failure().find("no motion of this step holds all gaps"), std::string::npos)
      << sim.failure();
}

// With one point kept apart per obstacle, a corner sinks in that no contact knows of.
TEST(Grasp, PenetrationCountsThePointsThatWereLeftOut) {
  Grasp grasp = LoadGrasp("box-push", 0.01, 1e-8);
  double deepest[2];
  for (const int closest : {1, 8}) {
    grasp.config.step.part<QuasiDynamicParams>().closest_points = closest;
    Simulation sim(grasp.scene->model, grasp.config);
    double worst = 0, of_contacts = 0;
    for (int k = 0; k < 300; ++k) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      worst = std::max(worst, Value(sim, Signal::kPenetration));
      for (const ContactFrame& c : sim.contacts())
        of_contacts = std::max(of_contacts, -c.signed_distance);
    }
    EXPECT_LT(of_contacts, 1e-9);
    deepest[closest == 8] = worst;
  }
  EXPECT_GT(deepest[0], 1e-3);
  EXPECT_LT(deepest[1], 1e-9);
}

TEST(Grasp, AllocatesNothingAfterWarmUp) {
  const Grasp grasp = LoadGrasp("bunny-grasp", 0.01, 1e-8);
  Simulation sim(grasp.scene->model, grasp.config);
  for (int k = 0; k < 150; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  const AllocGuard guard;
  for (int k = 0; k < 150; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_EQ(guard.count(), 0u);
}

TEST(Grasp, WhatItCannotDoIsSaid) {
  const auto failure = [](const char* name) {
    const auto scene = *FindScene(name);
    Config config = scene->config;
    config.step.method = static_cast<int>(MethodNamed("quasi-dynamic"));
    Simulation sim(scene->model, config);
    EXPECT_EQ(sim.Step(), StepStatus::kUnable) << name;
    return sim.failure();
  };
  EXPECT_NE(failure("quadruped-stand").find("a joint that has none"), std::string::npos);
  EXPECT_NE(failure("clutter").find("at most 120 coordinates"), std::string::npos);
  EXPECT_NE(failure("arm-press").find("impedance, which is 0"), std::string::npos);
}

}  // namespace
}  // namespace slip::test
