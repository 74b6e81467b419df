// Exported MJCF in MuJoCo: the same masses, inertias and motion as here.
#include <gtest/gtest.h>

#include "engine/export/contact_terms.h"
#include "engine/export/frames.h"
#include "engine/method/joint_motor.h"
#include "tests/engine/dynamics/random_tree.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/engine/export/exported_twin.h"

namespace slip {
namespace {

using test::ExportedTwin;

void ExpectSameMasses(const Model& model, const State& state, ExportedTwin* twin) {
  double worst = 0;
  for (const Tree& tree : model.trees) {
    const MatrixX ours = test::MassMatrixOf(model, tree, state);
    worst = std::max(worst, (twin->MassMatrix(tree, state) - ours).norm() / ours.norm());
  }
  EXPECT_LT(worst, 1e-12);
  double mass = 0, theirs = 0;
  Vec3 center = Vec3::Zero();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.shape_of_link >= 0) continue;
    mass += body.mass;
    center += body.mass * state.X_WB[b].p;
    theirs += twin->m->body_mass[twin->BodyId(body)];
    if (body.mass > 0)
      EXPECT_LT((twin->CenterOf(body) - state.X_WB[b].p).norm(), 1e-12) << body.name;
  }
  EXPECT_NEAR(theirs, mass, 1e-12 * mass);
  EXPECT_NEAR(mj_getTotalmass(twin->m), mass, 1e-12 * mass);
  EXPECT_LT((Vec3(twin->d->subtree_com) - center / mass).norm(), 1e-12);
}

TEST(MjcfExport, EverySceneHasTheSameMassesInMuJoCo) {
  int scenes = 0;
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    const Model& model = *scene.model;
    ExportedTwin twin(model, scene.start, WriteMjcf(scene.Input()));
    twin.m->opt.disableflags |= mjDSBL_CONTACT;
    ExpectSameMasses(model, scene.start, &twin);
    for (unsigned seed = 1; seed < 4; ++seed) {
      const State elsewhere = test::Displaced(model, scene.start, 0.7, seed);
      twin.SetPositions(elsewhere);
      ExpectSameMasses(model, elsewhere, &twin);
    }
    EXPECT_NEAR(twin.m->opt.timestep, scene.config.step.time_step, 0);
    EXPECT_EQ(Vec3(twin.m->opt.gravity), CalcGravity(scene.config.step));
    ++scenes;
  }
  EXPECT_GE(scenes, 30);
}

// More coordinates than MuJoCo reads in one attribute.
TEST(MjcfExport, APileOfTwoHundredStandsWhereItStarts) {
  const auto scene = FindScene("ball-pit");
  ASSERT_TRUE(scene);
  test::ExportedScene pit(*scene, true);
  ASSERT_GT(pit.model->nv, 1000);
  const Export exported = WriteMjcf(pit.Input());
  EXPECT_FALSE(test::Kinds(exported).contains("start"));
  ExportedTwin twin(*pit.model, pit.start, exported);
  for (std::size_t b = 0; b < pit.model->bodies.size(); ++b)
    EXPECT_LT((twin.CenterOf(pit.model->bodies[b]) - pit.start.X_WB[b].p).norm(), 1e-12);
  // what is then lost is said
  auto moving = std::make_shared<Model>(*pit.model);
  moving->bodies.back().V_WB[3] = 1;
  pit.model = moving;
  EXPECT_TRUE(test::Kinds(WriteMjcf(pit.Input())).contains("start"));
}

TEST(MjcfExport, EveryKindOfJointBeginsWhereAndAsFastAsHere) {
  std::array<int, 9> kinds{};
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree random(4000 + seed);
    Model model = random.Make(1 + static_cast<int>(seed % 8), 0.6);
    // the frame of a file, and a body that does not tip
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (b % 2 == 1) model.bodies[b].X_BL = {random.Vector(0.2), random.Rotation()};
    if (model.bodies.size() == 1) {
      model.bodies[0].joint = {};
      model.bodies[0].SetJoint(JointKind::kUpright);
    }
    model.Finish();
    for (const Body& body : model.bodies) ++kinds[static_cast<std::size_t>(body.joint.kind)];
    State start;
    SetStart(model, &start);
    Config config;
    config.materials.emplace_back();
    ExportedTwin twin(model, start, WriteMjcf({model, config, start, "tree", "tree"}));
    ExpectSameMasses(model, start, &twin);
    const Eigen::Map<VectorX> qvel(twin.d->qvel, twin.m->nv);
    for (const Tree& tree : model.trees) {
      const VectorX expected =
          twin.Translation(tree, start) * start.v.segment(tree.v_start, tree.nv);
      const std::vector<int> dofs = twin.DofsOf(tree);
      for (int i = 0; i < tree.nv; ++i)
        EXPECT_NEAR(qvel[dofs[static_cast<std::size_t>(i)]], expected[i], 1e-11);
    }
  }
  for (const int count : kinds) EXPECT_GT(count, 2);
}

TEST(MjcfExport, InverseMassesAreMuJoCosOwn) {
  for (const char* name : {"clutter", "conveyor", "quadruped-stand", "arm-press", "box-push"}) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    const Model& model = *scene.model;
    ExportedTwin twin(model, scene.start, WriteMjcf(scene.Input()));
    const InverseMasses masses = CalcInverseMasses(model, MakeRestState(model, scene.start));
    int compared = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      if (body.shape_of_link >= 0) continue;
      const int id = twin.BodyId(body);
      const double theirs = twin.m->body_invweight0[2 * id];
      EXPECT_NEAR(masses.body[b], theirs, 1e-9 * theirs) << body.name;
      if (body.nv == 1)
        EXPECT_NEAR(masses.coordinate[static_cast<std::size_t>(body.v_start)],
                    twin.m->dof_invweight0[twin.m->body_dofadr[id]], 1e-9)
            << body.name;
      ++compared;
    }
    EXPECT_GT(compared, 0);
  }
}

// Without contacts, limits and motors both fall alike.
TEST(MjcfExport, ASecondOfFreeFlightIsTheSame) {
  double swung = 0;  // by joints of robots
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    test::ExportedScene scene = test::ExportedFile(name);
    auto model = std::make_shared<Model>(*scene.model);
    model->surfaces.clear();
    for (Body& body : model->bodies) {
      body.collides = false;
      body.points_B.clear();
      body.joint.leader = -1;
      body.joint.lower = -std::numeric_limits<double>::infinity();
      body.joint.upper = std::numeric_limits<double>::infinity();
      body.target_path = {};
      if (body.shape.kind == ShapeKind::kPointCloud) body.shape = Shape{};
    }
    model->pushes.clear();
    model->Finish();
    scene.config.pushes.clear();
    scene.config.surfaces.clear();
    for (Robot& robot : model->robots) robot.weightless = false;
    for (RobotDrive& drive : scene.config.robots) drive.controller = 0;
    for (JointDrive& drive : scene.config.joints) drive.stiffness = drive.damping = 0;
    scene.config.step.method = static_cast<int>(*FindMethod("rk4"));
    scene.config.step.time_step = 5e-4;
    scene.config.step.error_control = 0;
    scene.model = model;
    Simulation ours(model, scene.config);
    scene.start = ours.state();
    ExportedTwin twin(*model, scene.start, WriteMjcf(scene.Input()));
    twin.m->opt.integrator = mjINT_RK4;
    twin.m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_ACTUATION;
    for (int step = 0; step < 2000; ++step) {
      mj_step(twin.m, twin.d);
      ASSERT_EQ(ours.Step(), StepStatus::kConverged) << ours.failure();
    }
    mj_forward(twin.m, twin.d);
    for (std::size_t b = 0; b < model->bodies.size(); ++b) {
      const Body& body = model->bodies[b];
      if (body.shape_of_link >= 0 || !(body.mass > 0)) continue;
      EXPECT_LT((twin.CenterOf(body) - ours.state().X_WB[b].p).norm(), 1e-9) << body.name;
    }
    if (model->nq > 0)
      swung = std::max(swung, (ours.state().q - scene.start.q).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(swung, 1);
}

// k (target - q) - d v, as far as the motor's limit.
TEST(MjcfExport, MotorsPullAsHere) {
  test::ExportedScene scene = test::ExportedFile("arm-press");
  const Model& model = *scene.model;
  for (std::size_t i = 0; i < scene.config.joints.size(); ++i) {
    JointDrive& drive = scene.config.joints[i];
    drive.target = 0.3 + 0.1 * static_cast<double>(i);
    if (i > 0) drive.stiffness = i == 1 ? 1e5 : 40, drive.damping = 3;
  }
  ExportedTwin twin(model, scene.start, WriteMjcf(scene.Input()));
  EXPECT_EQ(twin.m->opt.integrator, mjINT_IMPLICIT);
  int pulls = 0, limited = 0, free = 0;
  for (int i = 0; i < twin.m->nv; ++i) twin.d->qvel[i] = 0.1 * (i + 1);
  mj_forward(twin.m, twin.d);
  for (const Body& body : model.bodies) {
    if (body.shape_of_link >= 0 || body.drive < 0) continue;
    State state = scene.start;
    const int dof = twin.m->body_dofadr[twin.BodyId(body)];
    state.v[body.v_start] = twin.d->qvel[dof];
    const double force = CalcMotorForce(body, scene.config, state, 0);
    EXPECT_NEAR(twin.d->qfrc_actuator[dof], force, 1e-12 * (1 + std::abs(force))) << body.name;
    free += force == 0;
    limited += std::abs(force) == body.joint.effort;
    pulls += force != 0;
  }
  EXPECT_EQ(pulls, 6);
  EXPECT_EQ(limited, 1);
  EXPECT_EQ(free, 1);
}

constexpr const char* kSlope = R"(
title = "Slope"
time_step = "1 ms"
tilt = 0.1
friction_regularization = 1e-2
[material.soft]
stiffness = 2e4
relaxation_time = "2 ms"
friction = 0.5
[surface.floor]
[body.box]
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 2
position = [0, 0, 0.05]
[[channel]]
model = "sap"
)";

// What a contact at rest is here, it is there: its depth m g / 4 k, and its creep sigma w h f_t.
TEST(MjcfExport, AContactIsAsDeepAndCreepsAsHere) {
  const test::ExportedScene scene = test::ExportedText(kSlope);
  Simulation ours(scene.model, scene.config);
  for (int step = 0; step < 1000; ++step) ASSERT_EQ(ours.Step(), StepStatus::kConverged);
  ASSERT_EQ(ours.contacts().size(), 4u);
  const ContactFrame& contact = ours.contacts().front();
  ExportInput input = scene.Input();
  input.load = ExportLoad{contact.surface, contact.body_a, contact.body, contact.fn, contact.w};
  const Export exported = WriteMjcf(input);
  EXPECT_FALSE(test::Kinds(exported).contains("stiffness"));
  ExportedTwin twin(*scene.model, scene.start, exported);
  for (int step = 0; step < 2000; ++step) mj_step(twin.m, twin.d);
  ASSERT_EQ(twin.d->ncon, 4);
  double depth = 0;
  for (int i = 0; i < 4; ++i) depth -= twin.d->contact[i].dist / 4;
  const double g = scene.config.step.gravity, m = 2, k = 2e4;
  EXPECT_NEAR(depth, m * g * std::cos(0.1) / (4 * k), 1e-3 * depth);
  const double creep = ours.contacts().front().vt;
  EXPECT_GT(creep, 1e-6);
  const double theirs = std::hypot(twin.d->qvel[0], twin.d->qvel[1]);
  EXPECT_NEAR(theirs, creep, 1e-2 * creep);
}

TEST(MjcfExport, AStifferContactThanMuJoCosStepIsHeldBackAndSaid) {
  test::ExportedScene scene = test::ExportedText(kSlope);
  scene.config.materials.front().stiffness = 1e8;
  const Export exported = WriteMjcf(scene.Input());
  EXPECT_TRUE(test::Kinds(exported).contains("stiffness"));
  ExportedTwin twin(*scene.model, scene.start, exported);
  const int box = mj_name2id(twin.m, mjOBJ_GEOM, "box");
  EXPECT_EQ(twin.m->geom_solref[2 * box], 2e-3);
  EXPECT_EQ(twin.m->geom_solref[2 * box + 1], 1);
  EXPECT_EQ(twin.m->geom_solimp[mjNIMP * box], 0.99);
}

// Many contacts on each body: no plate sinks into another, and nothing blows up.
TEST(MjcfExport, AStackOfPlatesStandsInMuJoCo) {
  const test::ExportedScene scene = test::ExportedFile("flat-stack");
  ExportedTwin twin(*scene.model, scene.start, WriteMjcf(scene.Input()));
  Simulation ours(scene.model, scene.config);
  constexpr int kSteps = 300;
  for (int step = 0; step < kSteps; ++step) {
    mj_step(twin.m, twin.d);
    ASSERT_EQ(ours.Step(), StepStatus::kConverged);
  }
  EXPECT_EQ(twin.d->warning[mjWARN_BADQACC].number, 0);
  EXPECT_NEAR(twin.d->time, kSteps * scene.config.step.time_step, 1e-6);
  for (std::size_t b = 0; b < scene.model->bodies.size(); ++b)
    EXPECT_NEAR(twin.CenterOf(scene.model->bodies[b]).z(), ours.state().X_WB[b].p.z(), 1e-3);
}

constexpr const char* kRod = R"(
title = "Rod"
[material.a]
stiffness = 1e4
[surface.floor]
[body.rod]
shape = "box"
size = [0.1, 0.1, 1]
mass = 1
inertia = [0.1, 0.1, 0.01]
position = [0, 0, 3]
[body.sheet]
shape = "mesh"
file = "SHEET"
motion = "fixed"
position = [3, 0, 0]
[[channel]]
model = "sap"
)";

// What its compiler would refuse.
TEST(MjcfExport, MuJoCoTakesBodiesAndMeshesThatItWouldRefuse) {
  const TempFolder folder;
  WriteText(folder.path("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  std::string text = kRod;
  text.replace(text.find("SHEET"), 5, folder.path("sheet.obj"));
  test::ExportedScene scene = test::ExportedText(text);
  auto model = std::make_shared<Model>(*scene.model);
  for (Body& body : model->bodies)
    if (body.name == "rod") body.inertia_B = {0.1, 0.2, 0.05};
  model->Finish();
  scene.model = model;
  const Export exported = WriteMjcf(scene.Input());
  EXPECT_TRUE(test::Kinds(exported).contains("inertia"));
  EXPECT_TRUE(test::Kinds(exported).contains("mesh"));
  EXPECT_TRUE(exported.meshes.empty());
  ExportedTwin twin(*model, scene.start, exported);
  const int rod = mj_name2id(twin.m, mjOBJ_BODY, "rod");
  EXPECT_EQ(Vec3(twin.m->body_inertia + 3 * rod), Vec3(0.1, 0.1 + 0.05, 0.05));
}

}  // namespace
}  // namespace slip
