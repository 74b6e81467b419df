// An arm comes down with its tool until that presses on something with a given force. In the tool's
// space, by the arm's own inertia Λ = (J M⁻¹ Jᵀ)⁻¹:
//   τ = nle + Jᵀ F + (1 - Jᵀ J̄ᵀ) M (k_q (q₀ - q) - d_q q̇),  J̄ = M⁻¹ Jᵀ Λ
// (Khatib, A unified approach for motion and force control, 1987). F goes after a point that comes
// down, and its downwards part is not more than the force wanted: so it needs no sense of touch.
#include "engine/control/recipes.h"
#include "engine/control/small_solve.h"

namespace slip {
namespace {

using Vector7 = Eigen::Matrix<double, 7, 1>;
using Matrix7 = Eigen::Matrix<double, 7, 7>;

constexpr double kToolStiffness = 100, kToolDamping = 20;   // [1/s^2], [1/s]
constexpr double kJointStiffness = 25, kJointDamping = 10;  // [1/s^2], [1/s]
constexpr double kRegular = 1e-4;  // of Λ⁻¹ where the arm is stretched [1/kg]

}  // namespace

void TickPress(const Tick& tick) {
  RobotScratch& s = *tick.scratch;
  const Tree& tree = tick.tree();
  s.tau.setZero(tree.nv);
  tick.dynamics->CalcInverseDynamics(tick.gravity_W, nullptr, s.tau.data());
  s.mass_matrix.resize(7, 7);
  tick.dynamics->CalcMassMatrix(s.mass_matrix.data());
  const Matrix7 M = s.mass_matrix;
  const Vec3 p_W = tick.state.pose(tick.map.tool) * tick.map.p_BT;
  Eigen::Matrix<double, 3, 7, Eigen::RowMajor> J;
  for (int r = 0; r < 3; ++r)
    tick.dynamics->CalcPointRow(tick.map.tool, p_W, Vec3::Unit(r), J.row(r).data());
  const Vector7 q = tick.state.q.segment<7>(tree.q_start),
                qd = tick.state.v.segment<7>(tree.v_start);

  Eigen::Map<Vec3> target(tick.memory);
  Eigen::Map<Vector7> q0(tick.memory + 3);
  if (tick.first) {
    target = p_W;
    q0 = q;
  }
  Eigen::Matrix<double, 7, 3> Y;
  for (int k = 0; k < 3; ++k) Y.col(k) = SolveSymmetric(M, J.row(k).transpose());
  const Mat3 Lambda = (J * Y + kRegular * Mat3::Identity()).inverse();
  Vec3 v = J * qd;
  v.z() += tick.drive.approach_speed;
  const double most = tick.drive.press_force;
  Vec3 a = kToolStiffness * (target - p_W) - kToolDamping * v;
  Vec3 F = Lambda * a;
  if (F.z() > -most) {
    target.z() -= tick.drive.approach_speed * tick.length;
  } else {
    // what it presses on lets it move sideways alone
    a.z() = 0;
    F = Lambda * a;
    F.z() = -most;
  }
  const Vector7 rest = M * (kJointStiffness * (q0 - q) - kJointDamping * qd);
  s.tau += J.transpose() * (F - Lambda * (Y.transpose() * rest)) + rest;
}

}  // namespace slip
