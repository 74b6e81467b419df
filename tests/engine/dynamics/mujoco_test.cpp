// Random trees against MuJoCo: mass matrix, bias, Jacobians and their rates, forward dynamics.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "engine/dynamics/tree_dynamics.h"
#include "tests/engine/dynamics/random_tree.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/mjcf.h"

namespace slip {
namespace {

const Vec3 kLeaningGravity(0.4, 0.1, -9.81);

/// The tree as MuJoCo reads it, bodies with our body frames, and how velocities translate.
class Twin {
 public:
  explicit Twin(const Model& model) : model_(model) {
    const std::string xml =
        "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
        "<option><flag contact='disable'/></option><worldbody>" +
        test::MjcfBodies(
            model, {.elements = [](int) { return std::string("<site pos='0.11 -0.07 0.05'/>"); }}) +
        "</worldbody></mujoco>";
    const std::string file = testing::TempDir() + "slipscope_tree.xml";
    std::ofstream(file) << xml;
    char error[500] = "";
    m_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    if (m_ == nullptr) throw std::runtime_error(error);
    d_ = mj_makeData(m_);
    std::filesystem::remove(file);
  }
  ~Twin() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  Twin(const Twin&) = delete;

  /// Takes over our state; T: their velocities from ours.
  void Set(const State& state) {
    T_.setZero(m_->nv, model_.nv);
    int at_q = 0, at_v = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) SetJoint(b, state, &at_q, &at_v);
    Eigen::Map<VectorX>(d_->qvel, m_->nv) = T_ * state.v;
  }

  MatrixX MassMatrix() {
    mj_forward(m_, d_);
    MatrixX M(m_->nv, m_->nv);
    mj_fullM(m_, M.data(), d_->qM);
    return test::Multiply(T_.transpose(), test::Multiply(M, T_));
  }
  VectorX Bias() const { return T_.transpose() * Eigen::Map<VectorX>(d_->qfrc_bias, m_->nv); }
  VectorX Accelerations(const VectorX& tau) {
    // their forces from ours: tau = Tᵀ f
    const VectorX f = test::Solve(T_.transpose(), tau);
    Eigen::Map<VectorX>(d_->qfrc_applied, m_->nv) = f;
    mj_forward(m_, d_);
    return test::Solve(T_, Eigen::Map<VectorX>(d_->qacc, m_->nv));
  }
  MatrixX PointJacobian(int body, const Vec3& p_W) const {
    Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> J(3, m_->nv);
    mj_jac(m_, d_, J.data(), nullptr, p_W.data(), body + 1);
    return test::Multiply(J, T_);
  }
  /// Acceleration of the site of a body, without accelerations of joints and gravity.
  Vec3 SiteBias(int body) {
    for (int i = 0; i < 3; ++i) m_->opt.gravity[i] = 0;
    mj_forward(m_, d_);
    mju_zero(d_->qacc, m_->nv);
    mj_rnePostConstraint(m_, d_);
    double a[6];
    mj_objectAcceleration(m_, d_, mjOBJ_SITE, body, a, 0);
    for (int i = 0; i < 3; ++i) m_->opt.gravity[i] = kLeaningGravity[i];
    return Vec3(a[3], a[4], a[5]);
  }
  Vec3 SitePosition(int body) const { return Vec3(d_->site_xpos + 3 * body); }

 private:
  void SetJoint(std::size_t b, const State& state, int* at_q, int* at_v) {
    const Body& body = model_.bodies[b];
    const Joint& joint = body.joint;
    const double* q = state.q.data() + body.q_start;
    const auto copy = [&](int from_q, int from_v) {
      d_->qpos[(*at_q)++] = q[from_q];
      T_((*at_v)++, body.v_start + from_v) = 1;
    };
    // their ball turns in the body's axes
    const auto ball = [&](const double* from, int from_v) {
      const Quat R_FM(from[3], from[0], from[1], from[2]);
      const Quat turn = joint.X_BM.q * R_FM * joint.X_BM.q.conjugate();
      const double wxyz[] = {turn.w(), turn.x(), turn.y(), turn.z()};
      for (const double c : wxyz) d_->qpos[(*at_q)++] = c;
      T_.block<3, 3>(*at_v, body.v_start + from_v) =
          (joint.X_BM.q * R_FM.conjugate()).toRotationMatrix();
      *at_v += 3;
    };
    if (b == 0 && joint.kind == JointKind::kFree) {
      const Pose& X = state.X_WB[0];
      const double pose[] = {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
      for (const double c : pose) d_->qpos[(*at_q)++] = c;
      T_.block<3, 3>(0, 3).setIdentity();
      T_.block<3, 3>(3, 0) = X.q.conjugate().toRotationMatrix();
      *at_v += 6;
      return;
    }
    switch (joint.kind) {
      case JointKind::kFree:
        for (int i = 0; i < 3; ++i) copy(i, 3 + i);
        return ball(q + 3, 0);
      case JointKind::kPlanar:
        copy(1, 1), copy(2, 2), copy(0, 0);
        return;
      case JointKind::kUpright:
        copy(1, 1), copy(2, 2), copy(3, 3), copy(0, 0);
        return;
      case JointKind::kBall:
        return ball(q, 0);
      default:
        for (int i = 0; i < body.nv; ++i) copy(i, i);
    }
  }

  const Model& model_;
  mjModel* m_ = nullptr;
  mjData* d_ = nullptr;
  MatrixX T_;
};

double Relative(const MatrixX& a, const MatrixX& b) { return (a - b).norm() / (1e-9 + b.norm()); }

TEST(MuJoCo, AgreesOnRandomTrees) {
  int compared = 0;
  std::array<int, 8> kinds{};
  double worst = 0;
  for (unsigned seed = 0; compared < 200; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree random(1000 + seed);
    const Model model = random.Make(1 + static_cast<int>(seed % 30), seed % 2 == 0 ? 1.0 : 0.5);
    if (model.trees.size() != 1 || model.trees[0].articulated < 0) continue;
    ++compared;
    for (const Body& body : model.bodies) ++kinds[static_cast<std::size_t>(body.joint.kind)];
    State state;
    SetStart(model, &state);
    TreeDynamics links;
    links.Update(model, model.trees[0], state);
    Twin twin(model);
    twin.Set(state);
    // gravity first: mj_forward needs it
    (void)twin.SiteBias(0);

    const int nv = model.nv;
    MatrixX M(nv, nv);
    links.CalcMassMatrix(M.data());
    const auto check = [&](double error, const char* what) {
      EXPECT_LT(error, 1e-9) << what;
      worst = std::max(worst, error);
    };
    check(Relative(M, twin.MassMatrix()), "mass matrix");
    VectorX bias(nv);
    links.CalcInverseDynamics(kLeaningGravity, nullptr, bias.data());
    check(Relative(bias, twin.Bias()), "bias");

    const int last = static_cast<int>(model.bodies.size()) - 1;
    const Vec3 p_W = twin.SitePosition(last);
    EXPECT_LT((p_W - state.X_WB[static_cast<std::size_t>(last)] * Vec3(0.11, -0.07, 0.05)).norm(),
              1e-12);
    MatrixX J(3, nv);
    VectorX row(nv);
    for (int r = 0; r < 3; ++r) {
      links.CalcPointRow(last, p_W, Vec3::Unit(r), row.data());
      J.row(r) = row;
    }
    check(Relative(J, twin.PointJacobian(last, p_W)), "Jacobian");

    VectorX tau(nv), acceleration(nv);
    for (double& x : tau) x = random.Number(-10, 10);
    links.CalcForwardDynamics(kLeaningGravity, tau.data(), acceleration.data());
    check(Relative(acceleration, twin.Accelerations(tau)), "forward dynamics");
    check(Relative(links.CalcPointBias(last, p_W), twin.SiteBias(last)), "rate of the Jacobian");
  }
  for (const int count : kinds) EXPECT_GT(count, 20);
  RecordProperty("worst", fmt::format("{:.3g}", worst));
  std::printf("[          ] largest relative difference %.2g\n", worst);
}

}  // namespace
}  // namespace slip
