// The exponential integrator of a box on its corners against a plain implementation of the same
// formulas (exponential integration, section 2.3) with Eigen's own matrix exponential: dense, in
// full, nothing shared with the engine. Parameters are drawn at random.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>

#include "engine/integrators/integrator_params.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

Mat3 Skew(const Vec3& a) {
  Mat3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

// A rigid body over the floor z = 0.
struct PlainBox {
  double mass = 1, K = 1e5, B = 300, mu = 0.5, h = 1e-3;
  bool published = true;  // else consistent slip and yielding anchors (energy notes, section 2)
  Vec3 moments = Vec3::Ones();
  std::vector<Vec3> points;
  Vec3 p = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  struct Contact {
    bool active = false, slid = false;
    Vec3 anchor = Vec3::Zero();
  };
  std::vector<Contact> contacts;
  int passes = 0;  // beyond the first of each step

  Vec3 Project(const Vec3& f, bool* slips) const {
    *slips = false;
    if (!(f.z() > 0)) return Vec3::Zero();
    const Vec3 ft(f.x(), f.y(), 0);
    if (ft.norm() <= mu * f.z()) return f;
    *slips = true;
    return Vec3(0, 0, f.z()) + mu * f.z() / ft.norm() * ft;
  }

  void Step() {
    const Mat3 I = R * moments.asDiagonal() * R.transpose();
    Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
    M.topLeftCorner<3, 3>() = I;
    M.bottomRightCorner<3, 3>() = mass * Mat3::Identity();
    const Eigen::Matrix<double, 6, 6> inverse = M.inverse();
    Vec6 u;
    u << -w.cross(I * w), Vec3(0, 0, -9.81 * mass);
    const Vec6 free = inverse * u;
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (contacts[i].active) active.push_back(i);
    }
    const auto n = static_cast<Eigen::Index>(3 * active.size());
    Vec6 mean = free, drift = free;
    if (n > 0) {
      MatrixX J(n, 6);
      VectorX stretch(n), speed(n), pull(n);
      for (std::size_t c = 0; c < active.size(); ++c) {
        const auto at = static_cast<Eigen::Index>(3 * c);
        const Vec3 x = R * points[active[c]];
        J.block<3, 3>(at, 0) = -Skew(x);
        J.block<3, 3>(at, 3).setIdentity();
        stretch.segment<3>(at) = p + x - contacts[active[c]].anchor;
        speed.segment<3>(at) = v + w.cross(x);
        pull.segment<3>(at) = w.cross(w.cross(x));
      }
      pull += J * free;
      const MatrixX Y = J * inverse * J.transpose();
      std::vector<Vec3> t(active.size(), Vec3::Zero());
      std::vector<bool> cone(active.size(), false);
      for (std::size_t c = 0; c < active.size(); ++c) {
        const auto at = static_cast<Eigen::Index>(3 * c);
        bool slips = false;
        Vec3 f = Project(-K * stretch.segment<3>(at) - B * speed.segment<3>(at), &slips);
        if (contacts[active[c]].slid) f = -stretch.segment<3>(at), slips = true;
        f.z() = 0;
        if (!slips || f.norm() == 0) continue;
        t[c] = f.normalized();
        cone[c] = t[c].dot(speed.segment<3>(at)) < 0;
      }
      // Painlevé
      std::vector<std::size_t> sliding;
      for (std::size_t c = 0; c < active.size(); ++c) {
        if (cone[c]) sliding.push_back(c);
      }
      if (!sliding.empty()) {
        const auto count = static_cast<Eigen::Index>(sliding.size());
        MatrixX normal(count, count);
        for (Eigen::Index i = 0; i < count; ++i) {
          for (Eigen::Index j = 0; j < count; ++j) {
            const std::size_t a = sliding[static_cast<std::size_t>(i)],
                              b = sliding[static_cast<std::size_t>(j)];
            normal(i, j) = Vec3::UnitZ().dot(
                Y.block<3, 3>(static_cast<Eigen::Index>(3 * a), static_cast<Eigen::Index>(3 * b)) *
                (Vec3::UnitZ() + mu * t[b]));
          }
        }
        const Eigen::VectorXcd values = normal.eigenvalues();
        const double zero = 1e-9 * values.cwiseAbs().maxCoeff();
        if ((values.real().array() < -zero).any()) cone.assign(cone.size(), false);
      }
      VectorX l1(n), l2(n);
      const auto solve = [&](const MatrixX& C) {
        MatrixX A = MatrixX::Zero(2 * n + 3, 2 * n + 3);
        A.block(0, n, n, n).setIdentity();
        A.block(n, 0, n, n) = -K * Y * C;
        A.block(n, n, n, n) = -B * Y * C;
        A.block(n, 2 * n, n, 1) = pull;
        A.block(0, 2 * n + 1, n, 1) = stretch;
        A.block(n, 2 * n + 1, n, 1) = speed;
        A(2 * n, 2 * n + 1) = A(2 * n + 1, 2 * n + 2) = 1;
        const MatrixX E = (h * A).exp();
        MatrixX D(n, 2 * n);
        D << -K * C, -B * C;
        l1 = D * E.col(2 * n + 1).head(2 * n) / h;
        l2 = 2 / (h * h) * D * E.col(2 * n + 2).head(2 * n);
      };
      const auto cut = [&](VectorX* forces) {
        for (Eigen::Index at = 0; at < n; at += 3) {
          bool ignored = false;
          forces->segment<3>(at) = Project(forces->segment<3>(at), &ignored);
        }
      };
      const auto cone_of = [](const Vec3& along, double friction) {
        return Mat3((Vec3::UnitZ() + friction * along) * Vec3::UnitZ().transpose());
      };
      for (std::size_t pass = 0; published && pass <= active.size(); ++pass) {
        MatrixX C = MatrixX::Identity(n, n);
        for (std::size_t c = 0; c < active.size(); ++c) {
          const auto at = static_cast<Eigen::Index>(3 * c);
          if (cone[c]) C.block<3, 3>(at, at) = cone_of(t[c], mu);
        }
        solve(C);
        VectorX applied = l1;
        cut(&applied);
        const VectorX end = speed + h * (pull + Y * applied);
        bool left = false;
        for (std::size_t c = 0; c < active.size(); ++c) {
          if (!cone[c] || t[c].dot(end.segment<3>(static_cast<Eigen::Index>(3 * c))) < 0) continue;
          cone[c] = false;
          left = true;
        }
        if (!left) break;
      }
      if (published) {
        cut(&l1);
        cut(&l2);
      } else {
        enum { kStick, kSlide, kOpen };
        std::vector<int> now(active.size()), first(active.size()), opened(active.size()),
            slid(active.size()), stuck(active.size());
        for (std::size_t c = 0; c < active.size(); ++c) {
          const auto at = static_cast<Eigen::Index>(3 * c);
          const Vec3 f = -K * stretch.segment<3>(at) - B * speed.segment<3>(at);
          const Vec3 ft(f.x(), f.y(), 0);
          const bool slides =
              ft.norm() > mu * std::max(f.z(), 0.0) && ft.dot(speed.segment<3>(at)) < 0;
          if (slides) t[c] = ft.normalized();
          now[c] = first[c] = slides ? kSlide : kStick;
        }
        for (std::size_t pass = 0; pass <= 4 * active.size() + 4; ++pass) {
          MatrixX C = MatrixX::Identity(n, n);
          for (std::size_t c = 0; c < active.size(); ++c) {
            const auto at = static_cast<Eigen::Index>(3 * c);
            if (now[c] == kSlide) C.block<3, 3>(at, at) = cone_of(t[c], mu);
            if (now[c] == kOpen) C.block<3, 3>(at, at).setZero();
          }
          solve(C);
          passes += pass > 0;
          VectorX applied = l1;
          cut(&applied);
          const VectorX end = speed + h * (pull + Y * applied);
          const VectorX place = stretch + h * speed + 0.5 * h * h * (pull + Y * l2);
          bool changed = false;
          for (std::size_t c = 0; c < active.size(); ++c) {
            const auto at = static_cast<Eigen::Index>(3 * c);
            const Vec3 f = l1.segment<3>(at), ve = end.segment<3>(at);
            const int before = now[c];
            if (now[c] == kOpen) {
              if (place[at + 2] < std::min(0.0, stretch[at + 2]) && ve.z() < 0 && opened[c] < 2)
                now[c] = first[c];
            } else if (f.z() < 0 && opened[c] < 2) {
              now[c] = kOpen;
              ++opened[c];
            } else if (now[c] == kSlide) {
              if (t[c].dot(ve) >= 0 && stuck[c]++ < 1) now[c] = first[c] = kStick;
            } else if (f.head<2>().norm() > mu * f.z() && slid[c] < 2) {
              ++slid[c];
              now[c] = kSlide;
              t[c] = Vec3(f.x(), f.y(), 0).normalized();
            }
            changed = changed || now[c] != before;
          }
          if (!changed) break;
        }
        for (std::size_t c = 0; c < active.size(); ++c) {
          const auto at = static_cast<Eigen::Index>(3 * c);
          if (now[c] == kSlide && l1[at + 2] >= 0) continue;
          bool slips = false;
          const Vec3 given = Project(l1.segment<3>(at), &slips);
          if (given == Vec3(l1.segment<3>(at))) continue;
          l1.segment<3>(at) = given;
          l2.segment<3>(at) = Project(l2.segment<3>(at), &slips);
        }
      }
      mean += inverse * J.transpose() * l1;
      drift += inverse * J.transpose() * l2;
    }
    const Vec3 turn = h * w + 0.5 * h * h * drift.head<3>();
    p += h * v + 0.5 * h * h * drift.tail<3>();
    if (turn.norm() > 0) R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).matrix() * R;
    w += h * mean.head<3>();
    v += h * mean.tail<3>();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 x = R * points[i], at = p + x;
      Contact& contact = contacts[i];
      if (at.z() > 0) {
        contact = {};
        continue;
      }
      if (!contact.active) contact = {true, false, at};
      const Vec3 f = Project(K * (contact.anchor - at) - B * (v + w.cross(x)), &contact.slid);
      if (!published) {
        Vec3 spring = contact.anchor - at;
        const double size = spring.head<2>().norm();
        if (!(f.z() > 0)) spring.head<2>().setZero();
        if (contact.slid && size > 0) spring.head<2>() *= std::min(1.0, mu * f.z() / (K * size));
        spring.z() = std::max(spring.z(), 0.0);
        contact.anchor = at + spring;
        continue;
      }
      if (!contact.slid) continue;
      contact.anchor.head<2>() = at.head<2>() + f.head<2>() / K;
    }
  }
};

// The engine's box of the same values.
Simulation MakeSimulation(const PlainBox& plain) {
  Body body;
  body.name = "box";
  body.mass = plain.mass;
  body.inertia_B = plain.moments;
  body.points_B = plain.points;
  body.SetJoint(JointKind::kFree);
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  Config config;
  config.step.method = static_cast<int>(MethodNamed("exponential"));
  config.step.time_step = plain.h;
  Material material;
  material.stiffness = plain.K;
  material.damping = plain.B;
  material.friction = plain.mu;
  config.materials = {material};
  test::TakePublishedForms(&config);
  config.step.part<ExponentialParams>().slip_set = config.step.part<AnchorParams>().anchors =
      plain.published ? 1 : 0;
  return Simulation(test::Finish(model), config);
}

void TumbleAtRandom(bool published) {
  std::mt19937 random(20);
  const auto number = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  int slid = 0, touched = 0, passes = 0;
  for (int run = 0; run < 40; ++run) {
    SCOPED_TRACE(run);
    PlainBox plain;
    plain.published = published;
    plain.mass = number(0.3, 3);
    plain.K = std::pow(10, number(3.2, 6.5));
    plain.B = std::sqrt(plain.K * plain.mass) * number(0.2, 1.5);
    plain.mu = number(0.1, 1.1);
    plain.h = std::pow(10, number(-3.7, -2));
    const Vec3 half(number(0.03, 0.2), number(0.03, 0.2), number(0.03, 0.2));
    const Vec3 square = half.cwiseAbs2();
    plain.moments = plain.mass / 3 * (Vec3::Constant(square.sum()) - square);
    for (int corner = 0; corner < 8; ++corner) {
      plain.points.push_back(
          half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1)));
    }
    plain.contacts.resize(8);
    plain.p = Vec3(0, 0, half.norm() + 0.002);
    plain.v = Vec3(number(-1, 1), number(-1, 1), number(-1, 0));
    plain.w = Vec3(number(-3, 3), number(-3, 3), number(-3, 3));
    const Vec3 turn(number(-0.3, 0.3), number(-0.3, 0.3), number(-1, 1));
    plain.R = CalcRotation(turn).toRotationMatrix();

    Simulation sim = MakeSimulation(plain);
    State state = sim.state();
    state.X_WB[0] = {plain.p, CalcRotation(turn)};
    state.v << plain.w, plain.v;
    sim.SetState(state);

    const int steps = static_cast<int>(std::min(250.0, 0.25 / plain.h));
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      plain.Step();
      for (const PlainBox::Contact& contact : plain.contacts) {
        touched += contact.active;
        slid += contact.slid;
      }
    }
    passes += plain.passes;
    // 1e-6 mm; longer runs of more touches would differ by what round-off grows to
    EXPECT_LT((sim.state().X_WB[0].p - plain.p).norm(), 1e-9);
    EXPECT_LT((sim.state().X_WB[0].q.toRotationMatrix() - plain.R).norm(), 1e-8);
  }
  EXPECT_GT(slid, 500);
  EXPECT_GT(touched, 2000);
  if (!published) {
    EXPECT_GT(passes, 100);
  }
}

TEST(ExponentialReference, ATumblingBoxWithValuesOfNoTable) { TumbleAtRandom(true); }

TEST(ExponentialReference, ATumblingBoxWithConsistentSlip) { TumbleAtRandom(false); }

// The resting box of the tables after 20 ms of sliding (spec, section 8).
TEST(ExponentialReference, ABoxThatHasSlidTwentyMilliseconds) {
  PlainBox plain;
  plain.mu = 0.4;
  plain.moments = Vec3(0.02, 0.05, 0.05) / 12;
  plain.points = {Vec3(-0.1, 0, -0.05), Vec3(0.1, 0, -0.05)};
  for (const double h : {1e-3, 1e-2}) {
    plain.h = h;
    Simulation sim = MakeSimulation(plain);
    State state = sim.state();
    state.X_WB[0].p = Vec3(0, 0, 0.05 - 9.81 / 2e5);
    state.v << 0, 0, 0, 0.5, 0, 0;
    const ContactKey first = sim.model().bodies[0].first_key;
    state.memory = {{first, Vec3(-0.1, 0, 0), false}, {first + 1, Vec3(0.1, 0, 0), false}};
    sim.SetState(state);
    while (sim.time() < 0.02 - 0.5 * h) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    const State& end = sim.state();
    const bool fine = h < 5e-3;
    EXPECT_NEAR(end.X_WB[0].p.x(), fine ? 9.215200095745e-03 : 9.215200102182e-03, 1e-14);
    EXPECT_NEAR(end.v[3], fine ? 4.215199999734e-01 : 4.215199995254e-01, 1e-12);
    if (!fine) continue;
    EXPECT_NEAR(CalcRotationVector(end.X_WB[0].q).y(), 9.812143218285e-05, 1e-14);
    // what the springs of points that slip hold
    const Vec3 wanted[] = {Vec3(-1.569473499, 0, 3.923683747), Vec3(-2.354526375, 0, 5.886315937)};
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3 arm = end.X_WB[0].q * plain.points[i];
      const Vec3 p = end.X_WB[0].p + arm;
      const Vec3 v = end.v.tail<3>() + end.v.head<3>().cross(arm);
      const Vec3 spring = 1e5 * (end.memory.at(i).anchor_W - p);
      EXPECT_NEAR(spring.x(), wanted[i].x(), 2e-9);
      EXPECT_NEAR(spring.z() - 300 * v.z(), wanted[i].z(), 2e-9);
      EXPECT_TRUE(end.memory.at(i).slips);
    }
  }
}

}  // namespace
}  // namespace slip
