// Exported URDF read back: the same robot.
#include <gtest/gtest.h>

#include "engine/core/rotation.h"
#include "engine/export/frames.h"
#include "engine/export/rpy.h"
#include "engine/scene/robot_builder.h"
#include "engine/urdf/robot_description.h"
#include "tests/engine/dynamics/random_tree.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

constexpr double kSame = 1e-15;  // relative

template <class A, class B>
void ExpectSame(const A& a, const B& b, double size, const std::string& what) {
  EXPECT_LE((a - b).norm(), kSame * size) << what;
}
void ExpectSame(double a, double b, const std::string& what) {
  if (a == b) return;  // infinite ones
  EXPECT_LE(std::abs(a - b), kSame * std::max(std::abs(a), std::abs(b))) << what;
}
void ExpectSame(const Pose& a, const Pose& b, const std::string& what) {
  ExpectSame(a.p, b.p, std::max(1.0, b.p.norm()), what + ": place");
  const double sign = a.q.dot(b.q) < 0 ? -1 : 1;
  EXPECT_LE((a.q.coeffs() - sign * b.q.coeffs()).norm(), kSame) << what << ": turn";
}
void ExpectSame(const Shape& a, const Shape& b, const std::string& what) {
  ASSERT_EQ(a.kind, b.kind) << what;
  ExpectSame(a.radius, b.radius, what);
  ExpectSame(a.length, b.length, what);
  ExpectSame(a.size, b.size, b.size.norm(), what);
}
void ExpectSame(const Body& a, const Body& b) {
  const std::string& what = b.name;
  EXPECT_EQ(a.name, b.name);
  ExpectSame(a.mass, b.mass, what + " mass");
  ExpectSame(a.inertia_B, b.inertia_B, b.inertia_B.norm(), what + " inertia");
  ExpectSame(a.X_BL, b.X_BL, what + " X_BL");
  ExpectSame(a.X_WB, b.X_WB, what + " X_WB");
  ExpectSame(a.shape, b.shape, what + " shape");
  EXPECT_EQ(a.shape_of_link, b.shape_of_link) << what;
  EXPECT_EQ(a.visible, b.visible) << what;
  EXPECT_EQ(a.collides, b.collides) << what;
  EXPECT_EQ(a.colour, b.colour) << what;
  ASSERT_EQ(a.points_B.size(), b.points_B.size()) << what;
  for (std::size_t i = 0; i < a.points_B.size(); ++i)
    ExpectSame(a.points_B[i], b.points_B[i], 1, what + " point");
  const Joint &x = a.joint, &y = b.joint;
  EXPECT_EQ(x.name, y.name);
  EXPECT_EQ(x.kind, y.kind) << what;
  EXPECT_EQ(x.parent, y.parent) << what;
  EXPECT_EQ(x.leader, y.leader) << what;
  ExpectSame(x.X_PF, y.X_PF, what + " X_PF");
  ExpectSame(x.X_BM, y.X_BM, what + " X_BM");
  ExpectSame(x.axis, y.axis, 1, what + " axis");
  ExpectSame(x.lower, y.lower, what + " lower");
  ExpectSame(x.upper, y.upper, what + " upper");
  ExpectSame(x.effort, y.effort, what + " effort");
  ExpectSame(x.damping, y.damping, what + " damping");
  ExpectSame(x.friction, y.friction, what + " friction");
  ExpectSame(x.ratio, y.ratio, what + " ratio");
  ExpectSame(x.offset, y.offset, what + " offset");
}

/// What the scene gives to a robot's file: the rest is the file's.
RobotPlacement PlacementOf(const test::ExportedScene& scene, const RobotDescription& description) {
  const Model& model = *scene.model;
  const Robot& robot = model.robots.front();
  const Body& base = model.bodies[static_cast<std::size_t>(robot.first_body)];
  RobotPlacement place;
  place.name = robot.name;
  place.fixed_base = base.joint.kind == JointKind::kFixed;
  place.self_collision = robot.self_collision;
  place.material = base.material;
  place.X_WL = ComposeKept(base.X_WB, base.X_BL);
  place.positions.assign(description.joints.size(), 0);
  place.rates = place.positions;
  for (const Body& body : model.bodies) {
    if (body.shape_of_link >= 0 || body.nv != 1) continue;
    const int joint = description.FindJoint(LocalName(body.joint.name));
    if (joint >= 0) place.positions[static_cast<std::size_t>(joint)] = body.q0[0];
  }
  for (const Robot::Foot& foot : robot.feet) {
    const Body& body = model.bodies[static_cast<std::size_t>(foot.body)];
    const Pose X_FB = InverseKept(foot.X_BF);
    for (int i = 0; i < foot.points; ++i)
      place.contact_points[foot.name].push_back(
          X_FB * body.points_B[static_cast<std::size_t>(foot.first_point + i)]);
  }
  return place;
}

Model ReadBack(const test::ExportedScene& scene, const Export& exported) {
  const TempFolder folder;
  for (const ExportFile& mesh : exported.meshes) WriteText(folder.path(mesh.name), mesh.text);
  WriteText(folder.path("robot.urdf"), exported.text);
  const Result<RobotDescription> read = ReadUrdf(folder.path("robot.urdf"));
  if (!read) throw std::runtime_error(read.error().Text() + "\n" + exported.text);
  const RobotDescription robot = MergeFixedLinks(*read);
  Model model;
  Config config;
  model.surfaces = scene.model->surfaces;
  AppendRobot(robot, PlacementOf(scene, robot), &model, &config);
  model.Finish();
  return model;
}

TEST(UrdfExport, RobotsReadBackAreTheSame) {
  std::vector<std::string> names = ListRobots();
  for (const char* scene : {"quadruped-stand", "quadruped-squat", "quadruped-jump",
                            "quadruped-trot", "biped-shift", "biped-walk"})
    names.emplace_back(scene);
  ASSERT_EQ(names.size(), 11u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    ASSERT_EQ(scene.model->robots.size(), 1u);
    const Model model = ReadBack(scene, WriteUrdf(scene.Input()));
    ASSERT_EQ(model.bodies.size(), scene.model->bodies.size());
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      ExpectSame(model.bodies[b], scene.model->bodies[b]);
    ASSERT_EQ(model.visuals.size(), scene.model->visuals.size());
    for (std::size_t v = 0; v < model.visuals.size(); ++v)
      ExpectSame(model.visuals[v], scene.model->visuals[v]);
    const Robot &a = model.robots.front(), &b = scene.model->robots.front();
    ASSERT_EQ(a.frames.size(), b.frames.size());
    for (const Robot::Frame& frame : b.frames) {
      const Robot::Frame* found = a.FindFrame(frame.name);
      ASSERT_NE(found, nullptr) << frame.name;
      EXPECT_EQ(found->body, frame.body);
      ExpectSame(found->X_BF, frame.X_BF, frame.name);
    }
  }
}

/// The same body where it starts, whatever its axes are called: where it is, and its inertia.
void ExpectSameAtStart(const Model& a, int b_a, const Model& b, int b_b) {
  const auto at = [](const Model& model, int body) {
    State state;
    SetStart(model, &state);
    return state.X_WB[static_cast<std::size_t>(body)];
  };
  const auto inertia = [](const Body& body, const Quat& turn) -> Mat3 {
    const Mat3 R = turn.toRotationMatrix();
    return R * body.inertia_B.asDiagonal() * R.transpose();
  };
  const Body &x = a.bodies[static_cast<std::size_t>(b_a)],
             &y = b.bodies[static_cast<std::size_t>(b_b)];
  const Pose X = at(a, b_a), Y = at(b, b_b);
  EXPECT_EQ(x.mass, y.mass) << y.name;
  EXPECT_LT((X.p - Y.p).norm(), 1e-14) << y.name;
  const Mat3 I = inertia(x, X.q), J = inertia(y, Y.q);
  EXPECT_LT((I - J).norm(), 1e-14 * J.norm()) << y.name;
}

// Everything else hangs on the world; what moves there is what moves here.
TEST(UrdfExport, ScenesWithoutARobotOfTheirOwnAreTheSame) {
  int bodies = 0, same = 0;
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    const Export exported = WriteUrdf(scene.Input());
    const TempFolder folder;
    for (const ExportFile& mesh : exported.meshes) WriteText(folder.path(mesh.name), mesh.text);
    WriteText(folder.path("scene.urdf"), exported.text);
    const Result<RobotDescription> read = ReadUrdf(folder.path("scene.urdf"));
    ASSERT_TRUE(read) << read.error().Text();
    for (const Body& body : scene.model->bodies) {
      if (body.shape_of_link >= 0) continue;
      const int whole = read->FindLink(body.name), local = read->FindLink(LocalName(body.name));
      ASSERT_TRUE(whole >= 0 || local >= 0) << body.name;
      const RobotLink& link = read->links[static_cast<std::size_t>(whole >= 0 ? whole : local)];
      EXPECT_EQ(link.mass, body.mass) << body.name;
      ++bodies;
    }
    if (!read->on_world) continue;
    const RobotDescription robot = MergeFixedLinks(*read);
    RobotPlacement place;
    place.name = "all";
    place.fixed_base = true;
    place.positions.assign(robot.joints.size(), 0);
    place.rates = place.positions;
    for (const Body& body : scene.model->bodies) {
      if (body.shape_of_link >= 0 || body.nv != 1 || body.nq != 1) continue;
      const int joint = robot.FindJoint(LocalName(body.joint.name));
      ASSERT_GE(joint, 0) << body.joint.name;
      place.positions[static_cast<std::size_t>(joint)] = body.q0[0];
    }
    Model model;
    Config config;
    config.materials.emplace_back();
    AppendRobot(robot, place, &model, &config);
    model.Finish();
    for (std::size_t b = 0; b < scene.model->bodies.size(); ++b) {
      const Body& body = scene.model->bodies[b];
      if (!body.Moves() || body.shape_of_link >= 0 || body.start_offset != StartOffset::kNone)
        continue;
      const auto found =
          std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& other) {
            return other.shape_of_link < 0 && (other.name == "all/" + body.name ||
                                               other.name == "all/" + LocalName(body.name));
          });
      if (found == model.bodies.end()) {
        // merged into what carries it
        EXPECT_EQ(body.nv, 0) << body.name;
        continue;
      }
      ExpectSameAtStart(model, static_cast<int>(found - model.bodies.begin()), *scene.model,
                        static_cast<int>(b));
      ++same;
    }
  }
  EXPECT_GT(bodies, 200);
  EXPECT_GT(same, 150);
}

TEST(UrdfExport, AnglesGiveTheTurnBack) {
  test::RandomTree random(7);
  std::vector<Quat> turns = {Quat::Identity()};
  for (int i = 0; i < 1000; ++i) turns.push_back(random.Rotation());
  // about the quarter turn of pitch
  for (const double off : {0.0, 1e-17, 1e-12, 1e-8, 1e-4})
    for (const double pitch : {1.5707963267948966 - off, -1.5707963267948966 + off})
      for (int i = 0; i < 50; ++i)
        turns.push_back(CalcRotationOfRpy({random.Number(-3, 3), pitch, random.Number(-3, 3)}));
  for (const Quat& turn : turns) {
    const Quat back = CalcRotationOfRpy(CalcRpy(turn));
    EXPECT_NEAR(std::abs(back.dot(turn)), 1, 1e-15);
    EXPECT_LT((back.toRotationMatrix() - turn.toRotationMatrix()).norm(), 4e-15);
  }
}

}  // namespace
}  // namespace slip
