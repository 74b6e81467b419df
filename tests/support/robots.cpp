#include "tests/support/robots.h"

#include <cmath>
#include <numbers>

#include "engine/sim/method_list.h"

namespace slip::test {
namespace {

// A link as the tables give it: inertia about its centre of mass, in the axes of its own frame.
struct LinkTable {
  std::string name;
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

Mat3 Inertia(double xx, double yy, double zz, double xy = 0, double xz = 0, double yz = 0) {
  Mat3 I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return I;
}

class RobotMaker {
 public:
  explicit RobotMaker(std::string name, JointKind base = JointKind::kFree)
      : name_(std::move(name)), base_(base) {
    Surface floor;
    floor.name = "floor";
    model_.surfaces = {floor};
    Robot robot;
    robot.name = name_;
    model_.robots = {robot};
  }

  // Returns the body; `at` is the joint's place in the parent's link frame.
  int Add(const LinkTable& link, int parent = -1, const std::string& joint = "",
          const Vec3& axis = Vec3::UnitX(), const Vec3& at = Vec3::Zero(), double q = 0) {
    Body body;
    body.name = name_ + "/" + link.name;
    body.shape.radius = 0.02;
    body.collides = false;
    body.robot = 0;
    body.mass = link.mass;
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(link.inertia);
    body.inertia_B = axes.eigenvalues();
    Mat3 R_LB = axes.eigenvectors();
    if (R_LB.determinant() < 0) R_LB.col(0) *= -1;
    const Quat R_BL = Quat(R_LB).conjugate();
    body.X_BL = {-(R_BL * link.com), R_BL};
    if (parent >= 0) {
      body.joint.parent = parent;
      body.joint.name = name_ + "/" + joint;
      body.joint.axis = axis;
      const Pose& X_PL = model_.bodies[static_cast<std::size_t>(parent)].X_BL;
      body.joint.X_PF = {X_PL * at, X_PL.q};
      body.joint.X_BM = body.X_BL;
      body.q0[0] = q;
    }
    body.SetJoint(parent >= 0 ? JointKind::kRevolute : base_);
    model_.bodies.push_back(body);
    return static_cast<int>(model_.bodies.size()) - 1;
  }

  // A contact point given in the link's frame.
  void AddPoint(int body, const Vec3& p_L) {
    Body& b = model_.bodies[static_cast<std::size_t>(body)];
    b.points_B.push_back(b.X_BL * p_L);
  }
  void AddFrame(const std::string& name, int body, const Vec3& p_L) {
    const Pose& X_BL = model_.bodies[static_cast<std::size_t>(body)].X_BL;
    model_.robots[0].frames.push_back({name, body, {X_BL * p_L, X_BL.q}});
  }

  // Of all points that the body has.
  void AddFoot(const std::string& name, int body) {
    const Body& b = model_.bodies[static_cast<std::size_t>(body)];
    model_.robots[0].feet.push_back({name, body, b.X_BL, 0, static_cast<int>(b.points_B.size())});
  }

  Model Finish(const Pose& X_WL) {
    Body& base = model_.bodies[0];
    const Quat R_LB = base.X_BL.q.conjugate();
    const Quat R_WB = X_WL.q * R_LB;
    base.X_WB = {X_WL * Vec3(-(R_LB * base.X_BL.p)), R_WB};
    model_.robots[0].bodies = static_cast<int>(model_.bodies.size());
    model_.Finish();
    return model_;
  }

 private:
  std::string name_;
  JointKind base_;
  Model model_;
};

}  // namespace

RobotStart SoloStart(bool mirrored_knees) {
  RobotStart start;
  start.X_WL.p.z() = 0.32 * std::cos(0.8) - 1e-5;
  start.mirrored_knees = mirrored_knees;
  return start;
}

RobotStart BipedStart() {
  RobotStart start;
  start.X_WL.p.z() = 0.20004 + 0.07 + 0.61 * std::cos(0.4) - 1e-5;
  return start;
}

Model MakeSolo(const RobotStart& start) {
  constexpr double u = 1e-5;  // unit of the table's inertias [kg m^2]
  RobotMaker builder("solo");
  const int base =
      builder.Add({"base", 1.16115091, Vec3::Zero(), u * Inertia(578.574, 1938.108, 2476.124)});
  for (const char* leg : {"FL", "FR", "HL", "HR"}) {
    const std::string name = leg;
    const double fx = leg[0] == 'F' ? 1 : -1, sy = leg[1] == 'L' ? 1 : -1;
    // knees of all legs bend backwards, or inwards
    const double bend = start.mirrored_knees ? -fx : 1;
    const int shoulder =
        builder.Add({name + "_SHOULDER", 0.14853845, Vec3(-0.078707 * fx, 0.01 * sy, 0),
                     u * Inertia(3.024, 41.193, 41.107, 4.671 * fx * sy)},
                    base, name + "_HAA", Vec3::UnitX(), Vec3(0.1946 * fx, 0.0875 * sy, 0));
    const int upper = builder.Add(
        {name + "_UPPER_LEG", 0.14853845, Vec3(1.377e-5 * sy, 0.01935853 * sy, -0.078707),
         u * Inertia(41.107, 41.193, 3.024, 0, 0, 4.671 * sy)},
        shoulder, name + "_HFE", Vec3::UnitY(), Vec3(0, 0.014 * sy, 0), -0.8 * bend);
    // lower leg with the foot that is fixed to it
    const double m1 = 0.03070001, m2 = 0.00693606, m = m1 + m2;
    const Vec3 foot(0, 0.008 * sy, -0.16);
    const Vec3 c1(0, 0.00787644 * sy, -0.08928215), c2 = foot + Vec3(0, 0, 0.00035767);
    const Vec3 c = (m1 * c1 + m2 * c2) / m, d = c1 - c2;
    const Mat3 inertia = u * Inertia(12.024, 12.029, 0.216, 0, 0, 0.305 * sy) +
                         u * Inertia(0.057, 0.084, 0.053) +
                         m1 * m2 / m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    const int lower = builder.Add({name + "_LOWER_LEG", m, c, inertia}, upper, name + "_KFE",
                                  Vec3::UnitY(), Vec3(0, 0.03745 * sy, -0.16), 1.6 * bend);
    builder.AddPoint(lower, foot);
    builder.AddFrame(name + "_FOOT", lower, foot);
    builder.AddFoot(name + "_FOOT", lower);
  }
  return builder.Finish(start.X_WL);
}

Model MakeBiped(const RobotStart& start) {
  RobotMaker builder("romeo");
  const int base = builder.Add({"base", 21.17377, Vec3(0.005073287676, 0, 0.07296509658),
                                Inertia(1.284710866, 1.089180974, 0.3378118082, -0.0004285473,
                                        0.009920752622, -0.001702178)});
  for (const char* side : {"L", "R"}) {
    const std::string name = std::string(side) + "_";
    const double sy = side[0] == 'L' ? 1 : -1;
    const auto link = [&](const char* part, double mass, const Vec3& com, const Vec3& inertia) {
      return LinkTable{name + part, mass, Vec3(com.x(), com.y() * sy, com.z()),
                       Mat3(inertia.asDiagonal())};
    };
    int b = builder.Add(link("HIP_YAW", 0.49477, Vec3(-0.00871, -0.00022, 0.06319),
                             Vec3(0.00303668, 0.00347998, 0.000622773)),
                        base, name + "HipYaw", Vec3::UnitZ(), Vec3(0, 0.096 * sy, -0.20004));
    b = builder.Add(link("HIP_ROLL", 0.6607, Vec3(0.00293, -0.00027, 0.00011),
                         Vec3(0.00089862, 0.000509559, 0.000935392)),
                    b, name + "HipRoll", Vec3::UnitX());
    b = builder.Add(link("HIP_PITCH", 4.33935, Vec3(-0.00971, 0.00135, -0.15083),
                         Vec3(0.132895, 0.133977, 0.0121687)),
                    b, name + "HipPitch", Vec3::UnitY(), Vec3::Zero(), -0.4);
    b = builder.Add(link("KNEE", 2.61063, Vec3(-0.00532, -0.00075, -0.12258),
                         Vec3(0.054913, 0.0549663, 0.00398482)),
                    b, name + "KneePitch", Vec3::UnitY(), Vec3(0, 0, -0.32), 0.8);
    b = builder.Add(link("ANKLE", 0.5008, Vec3(0.00059, 0.00051, 0.00038),
                         Vec3(0.000429952, 0.000281451, 0.000527665)),
                    b, name + "AnklePitch", Vec3::UnitY(), Vec3(0, 0, -0.29), -0.4);
    b = builder.Add(link("FOOT", 1.07155, Vec3(0.07856, -0.00603, -0.04513),
                         Vec3(0.00350696, 0.0162129, 0.0147353)),
                    b, name + "AnkleRoll", Vec3::UnitX());
    for (const double x : {-0.05, 0.10}) {
      for (const double y : {-0.05, 0.05}) builder.AddPoint(b, Vec3(x, y, -0.07));
    }
    builder.AddFoot(name + "FOOT", b);
  }
  return builder.Finish(start.X_WL);
}

Model MakeArm() {
  RobotMaker builder("arm", JointKind::kFixed);
  const auto link = [](const std::string& name, double mass, const Vec3& com) {
    const double r = 0.05 * 0.05 * mass;
    return LinkTable{name, mass, com, Inertia(2 * r, 2.1 * r, r)};
  };
  int b = builder.Add(link("base", 5, Vec3::Zero()));
  // turns about z and y in turn; the tool points down
  const double at[] = {0.15, 0.15, 0.2, 0.2, 0.2, 0.2, 0.05};
  const double q[] = {0, 0.6, 0, 1.6, 0, std::numbers::pi - 2.2, 0};
  for (int j = 0; j < 7; ++j) {
    const double mass = 3 - 0.35 * j;
    b = builder.Add(link("link" + std::to_string(j + 1), mass, Vec3(0.01, 0, 0.08)), b,
                    "joint" + std::to_string(j + 1), j % 2 == 0 ? Vec3::UnitZ() : Vec3::UnitY(),
                    Vec3(0, 0, at[j]), q[j]);
  }
  builder.AddPoint(b, Vec3(0, 0, 0.1));
  return builder.Finish(Pose{});
}

Config RobotConfig(const std::string& method, const std::string& robot, ControllerId id, double h) {
  Config config;
  for (int i = 0; i < kMethodCount; ++i) {
    if (kMethods[static_cast<std::size_t>(i)].id == method) config.step.method = i;
  }
  config.step.time_step = h;
  Material rubber;
  rubber.name = "rubber";
  rubber.stiffness = 1e5;
  rubber.relaxation_time = 3e-3;  // B / K
  rubber.dissipation = 20;
  rubber.friction = 1;
  config.materials = {rubber};
  RobotDrive drive;
  drive.name = robot;
  drive.controller = static_cast<int>(id);
  config.robots = {drive};
  return config;
}

}  // namespace slip::test
