// Solo12 and romeo12 in one state each, against the numbers of the exponential-integration notes,
// section 8. Their coordinates are (velocity of the base link's origin, angular velocity, joints);
// ours begin (angular velocity, velocity of the base's centre of mass).
#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/robots.h"

namespace slip {
namespace {

const Vec3 kDown(0, 0, -9.81);

struct SpecRobot {
  Model model;
  State state;
  TreeDynamics links;
  MatrixX M;         // of the notes
  VectorX nle, v;    // of the notes
  MatrixX T;         // ours = T theirs
  Vec3 centripetal;  // of the base's centre of mass about its origin

  // Angles come on top of the posture.
  SpecRobot(Model made, const VectorX& angles) : model(std::move(made)) {
    SetStart(model, &state);
    state.q += angles;
    UpdatePoses(model, &state);
    const int n = model.nv;
    v.resize(n);
    for (int i = 0; i < n; ++i) v[i] = 0.1 * std::sin(i + 1);
    const Body& base = model.bodies[0];
    const Vec3 r = state.X_WB[0].p - state.X_WB[0] * base.X_BL.p;
    T = MatrixX::Identity(n, n);
    T.topLeftCorner<6, 6>().setZero();
    T.block<3, 3>(0, 3).setIdentity();
    T.block<3, 3>(3, 0).setIdentity();
    for (int i = 0; i < 3; ++i) T.block<3, 1>(3, 3 + i) = Vec3::Unit(i).cross(r);
    state.v = T * v;
    const Vec3 w = v.segment<3>(3);
    centripetal = w.cross(Vec3(w.cross(r)));

    links.Update(model, model.trees[0], state);
    MatrixX ours(n, n);
    links.CalcMassMatrix(ours.data());
    M = test::Multiply(T.transpose(), test::Multiply(ours, T));
    // accelerations of theirs that are zero leave this one of ours
    VectorX left = VectorX::Zero(n), tau(n);
    left.segment<3>(3) = centripetal;
    links.CalcInverseDynamics(kDown, left.data(), tau.data());
    nle = T.transpose() * tau;
  }

  Vec3 Point(int body) const {
    const Body& b = model.bodies[static_cast<std::size_t>(body)];
    return state.X_WB[static_cast<std::size_t>(body)] * b.points_B[0];
  }
  Vec3 Bias(int body) const { return links.CalcPointBias(body, Point(body)) + centripetal; }

  // Rows of all contact points, in coordinates of ours: J M⁻¹ Jᵀ has the same in both.
  VectorX InverseInertia() const {
    std::vector<VectorX> rows;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      for (const Vec3& p : model.bodies[b].points_B) {
        for (int k = 0; k < 3; ++k) {
          VectorX row(model.nv);
          links.CalcPointRow(static_cast<int>(b), state.X_WB[b] * p, Vec3::Unit(k), row.data());
          rows.push_back(T.transpose() * row);
        }
      }
    }
    MatrixX J(static_cast<Eigen::Index>(rows.size()), model.nv);
    for (std::size_t i = 0; i < rows.size(); ++i) J.row(static_cast<Eigen::Index>(i)) = rows[i];
    MatrixX X(model.nv, J.rows());  // M⁻¹ Jᵀ
    for (Eigen::Index i = 0; i < J.rows(); ++i) X.col(i) = test::SolveDefinite(M, J.row(i));
    return test::CalcEigenvalues(test::Multiply(J, X));
  }
};

void ExpectClose(double found, double expected) {
  EXPECT_NEAR(found, expected, 1e-9 * std::abs(expected));
}
// Relative to the largest entry: single ones may nearly cancel.
void ExpectClose(const VectorX& found, std::initializer_list<double> expected) {
  ASSERT_EQ(found.size(), static_cast<Eigen::Index>(expected.size()));
  const Eigen::Map<const VectorX> all(expected.begin(), found.size());
  EXPECT_LT((found - all).cwiseAbs().maxCoeff(), 1e-9 * all.cwiseAbs().maxCoeff())
      << found.transpose();
}

TEST(SpecRobots, Solo) {
  test::RobotStart start;
  start.X_WL = {Vec3(0.1, -0.2, 0.32 * std::cos(0.8)), CalcRotation(Vec3(0.1, -0.2, 0.3))};
  VectorX angles(12);
  for (int i = 0; i < 12; ++i) angles[i] = 0.05 * std::cos(i);
  SpecRobot s(test::MakeSolo(start), angles);
  ExpectClose(s.links.mass(), 2.50000279);
  ExpectClose(s.M.trace(), 7.707185973879);
  ExpectClose(test::LogDeterminant(s.M), -87.02707373895);
  ExpectClose(s.M(6, 6), 0.002404857310165);
  ExpectClose(s.M(8, 8), 0.0005426192213172);
  ExpectClose(s.M(3, 7), -0.002972486762576);
  ExpectClose(s.nle.head(6), {-0.001248318452614, 0.0005196036205981, 24.52658350304,
                              0.1846354196659, -0.4696204915887, 0.0002555613650646});
  ExpectClose(s.nle.segment(6, 6), {0.1001688820455, -0.1229761837398, 0.02095451007024,
                                    -0.08031258277593, -0.1298513660155, 0.02039754169136});
  const int fl = s.model.robots[0].FindFrame("FL_FOOT")->body;
  const int hr = s.model.robots[0].FindFrame("HR_FOOT")->body;
  ExpectClose(s.Point(fl), {0.2707779650561, 0.03263784719826, 0.05726908791549});
  ExpectClose(s.links.CalcPointVelocity(fl, s.Point(fl)),
              {0.07530179277983, 0.07839522438111, 0.01773462705741});
  ExpectClose(s.Bias(fl), {-0.0003457803140247, 0.0004705314592391, 0.001026007480013});
  ExpectClose(s.Point(hr), {0.0138783099272, -0.3737479207997, -0.04103646337099});
  ExpectClose(s.links.CalcPointVelocity(hr, s.Point(hr)),
              {0.1357923431457, 0.07623966654515, 0.01965952287941});
  ExpectClose(s.Bias(hr), {0.0002838209670274, -0.001985835476721, 0.0137462545366});
  const VectorX eigenvalues = s.InverseInertia();
  ExpectClose(eigenvalues.sum(), 330.9395461939);
  ExpectClose(eigenvalues.maxCoeff(), 47.23717920478);
  ExpectClose(eigenvalues.minCoeff(), 11.14362637732);
  ExpectClose((-test::SolveDefinite(s.M, s.nle)).head(6),
              {0.0006173586229616, -0.000113735783548, -9.810274527124, 0.005087987809511,
               0.003022236045522, -0.001437329841589});
}

TEST(SpecRobots, Romeo) {
  test::RobotStart start;
  start.X_WL = {Vec3(0, 0, 0.83), CalcRotation(Vec3(0.05, -0.1, 0.2))};
  VectorX angles = VectorX::Zero(12);
  for (int leg = 0; leg < 2; ++leg) {
    angles[6 * leg] = 0.02;
    angles[6 * leg + 1] = -0.03;
    angles[6 * leg + 5] = 0.01;
  }
  SpecRobot s(test::MakeBiped(start), angles);
  ExpectClose(s.links.mass(), 40.52937);
  ExpectClose(s.M.trace(), 141.7105558526);
  ExpectClose(test::LogDeterminant(s.M), -16.99985567147);
  ExpectClose(s.nle.head(6), {-0.05347473215782, -0.02711764736749, 397.6268897017, 5.199713760638,
                              -17.85031602858, -0.002552739118662});
  const int foot = 6;
  ASSERT_EQ(s.model.bodies[foot].name, "romeo/L_FOOT");
  ExpectClose(s.Point(foot), {0.03675577106242, 0.06863916157156, 0.001771643828818});
  ExpectClose(s.links.CalcPointVelocity(foot, s.Point(foot)),
              {0.1584582726432, 0.08340697277954, -0.001233961826622});
  ExpectClose(s.Bias(foot), {-0.004593125353735, -0.003261657964345, 0.009049514366744});
  const VectorX eigenvalues = s.InverseInertia();
  ExpectClose(eigenvalues.sum(), 19.70076265478);
  ExpectClose(eigenvalues.maxCoeff(), 5.337924607292);
  EXPECT_EQ((eigenvalues.array() > 1e-9).count(), 12);
}

}  // namespace
}  // namespace slip
