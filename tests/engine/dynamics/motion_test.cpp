// What every formulation takes from a tree, for bodies of their own and for links alike: the caller
// does not ask which, and the identities do not either.
#include "engine/dynamics/motion.h"

#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"
#include "tests/engine/dynamics/random_tree.h"

namespace slip {
namespace {

const Vec3 kNoGravity = Vec3::Zero(), kSlanted(0.3, -0.2, -9.81);

struct MotionSample {
  Model model;
  State state;
  Kinematics kinematics;
  Motion motion;

  explicit MotionSample(Model made) : model(std::move(made)) {
    SetStart(model, &state);
    kinematics.Update(model, state);
    motion = Motion(model, model.trees[0], state, kinematics.trees);
  }
  int nv() const { return motion.nv(); }
  VectorX v() const { return state.v.segment(model.trees[0].v_start, nv()); }
  const Vec6& V_WB(int body) const { return kinematics.V_WB[static_cast<std::size_t>(body)]; }
  const Pose& X_WB(int body) const { return state.X_WB[static_cast<std::size_t>(body)]; }
  Vec3 PointVelocity(int body, const Vec3& p_W) const {
    return V_WB(body).tail<3>() + V_WB(body).head<3>().cross(p_W - X_WB(body).p);
  }
  MatrixX MassMatrix() const {
    MatrixX M(nv(), nv());
    motion.CalcMassMatrix(M.data());
    return M;
  }
  VectorX Bias(const Vec3& gravity_W) const {
    VectorX nle(nv());
    motion.CalcBias(gravity_W, nle.data());
    return nle;
  }
};

// Bodies of their own of every kind, and trees of links: how many of each, told at the end.
template <class Fn>
void ForEachMotion(Fn&& fn) {
  int bodies = 0, trees = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree random(seed);
    Model model;
    if (seed % 2 == 0) {
      constexpr JointKind kKinds[] = {JointKind::kFree, JointKind::kPlanar, JointKind::kXZ,
                                      JointKind::kZ, JointKind::kUpright};
      Body& body = model.bodies.emplace_back();
      body.mass = random.Number(0.1, 3);
      body.inertia_B = Vec3(random.Number(2, 3), random.Number(2, 3), random.Number(2, 3));
      body.SetJoint(kKinds[seed / 2 % 5]);
      body.X_WB.p = random.Vector(1);
      if (body.nv == 6) body.X_WB.q = random.Rotation();
      body.V_WB << random.Vector(3), random.Vector(2);
      model.Finish();
    } else {
      model = random.Make(2 + static_cast<int>(seed) % 12, 0.6);
    }
    if (model.trees.empty()) continue;
    const MotionSample sample(std::move(model));
    ++(sample.motion.has_links() ? trees : bodies);
    fn(sample, &random);
  }
  EXPECT_EQ(bodies, 30);
  EXPECT_GT(trees, 20);
}

TEST(Motion, InertiaIsThatOfTheKineticEnergyInBothForms) {
  ForEachMotion([](const MotionSample& s, test::RandomTree*) {
    const MatrixX M = s.MassMatrix();
    EXPECT_LT((M - M.transpose()).norm(), 1e-12 * M.norm());
    const double energy = CalcKineticEnergy(s.model, s.state, s.kinematics.V_WB);
    EXPECT_NEAR(0.5 * s.v().dot(M * s.v()), energy, 1e-11 * (1 + energy));
    const Tree& tree = s.motion.tree();
    std::vector<double> rows(static_cast<std::size_t>(
        s.motion.has_links() ? tree.pattern.entries() : s.nv() * (s.nv() + 1) / 2));
    s.motion.CalcMassRows(rows.data());
    std::size_t next = 0;
    for (int i = 0; i < s.nv(); ++i) {
      for (int j = 0; j <= i; ++j) {
        const bool on_way =
            !s.motion.has_links() || std::ranges::count(tree.pattern.Path(i), j) > 0;
        EXPECT_NEAR(M(i, j), on_way ? rows[next] : 0, 1e-12 * M.norm());
        next += on_way ? 1 : 0;
      }
    }
    EXPECT_EQ(next, rows.size());
  });
}

TEST(Motion, RowsGiveTheVelocitiesOfPoints) {
  ForEachMotion([](const MotionSample& s, test::RandomTree* random) {
    const int nv = s.nv(), body = random->Integer(0, s.model.trees[0].links - 1);
    if (s.motion.has_links() && s.motion.last(body) < 0) return;
    const Vec3 p_W = s.X_WB(body).p + random->Vector(0.5);
    const Mat3 axes = random->Rotation().toRotationMatrix();
    MatrixX rows(nv, 3), opposite(nv, 3);
    s.motion.CalcPointRows(body, p_W, axes, rows.data());
    s.motion.CalcOppositePointRows(body, p_W, axes, opposite.data());
    EXPECT_EQ(rows, MatrixX(-opposite));
    EXPECT_LT((axes * (rows.transpose() * s.v()) - s.PointVelocity(body, p_W)).norm(), 1e-11);
    VectorX row(nv);
    s.motion.CalcTurnRow(body, axes.col(0), row.data());
    EXPECT_NEAR(row.dot(s.v()), axes.col(0).dot(s.V_WB(body).head<3>()), 1e-11);

    // on the way to the body alone
    const int last = s.motion.last(body);
    std::vector<int> way;
    if (s.motion.has_links()) {
      const auto of_tree = s.motion.tree().pattern.Path(last);
      way.assign(of_tree.begin(), of_tree.end());
    } else {
      for (int k = 0; k < nv; ++k) way.push_back(k);
    }
    const auto length = static_cast<Eigen::Index>(way.size());
    MatrixX on_way(length, 3), spread = MatrixX::Zero(nv, 3);
    s.motion.CalcWayRows(body, p_W, axes, on_way.data());
    for (Eigen::Index k = 0; k < length; ++k)
      spread.row(way[static_cast<std::size_t>(k)]) = on_way.row(k);
    EXPECT_LT((spread - rows).norm(), 1e-13);
  });
}

TEST(Motion, MomentumTakesTheBiasOfAStep) {
  ForEachMotion([](const MotionSample& s, test::RandomTree*) {
    const double h = 3e-3;
    VectorX momentum(s.nv()), stop;
    s.motion.CalcMomentum(kSlanted, h, &stop, momentum.data());
    const VectorX expected = s.MassMatrix() * s.v() - h * s.Bias(kSlanted);
    EXPECT_LT((momentum - expected).norm(), 1e-11 * (1 + expected.norm()));
    if (s.motion.has_links()) EXPECT_LT((momentum + h * stop).norm(), 1e-12 * (1 + stop.norm()));
    if (s.motion.has_links()) return;
    VectorX x = s.MassMatrix() * s.v();
    s.motion.SolveBody(x.data());
    EXPECT_LT((x - s.v()).norm(), 1e-12 * (1 + s.v().norm()));
  });
}

TEST(Motion, WeightIsTheBiasThatGravityAdds) {
  ForEachMotion([](const MotionSample& s, test::RandomTree*) {
    VectorX row(s.nv()), weight = VectorX::Zero(s.nv());
    int next = 0;
    s.motion.ForEachWeight(kSlanted, row.data(),
                           [&](int body, double scale, const double* entries) {
                             EXPECT_EQ(body, next++);
                             weight += scale * Eigen::Map<const VectorX>(entries, s.nv());
                           });
    const VectorX added = s.Bias(kNoGravity) - s.Bias(kSlanted);
    EXPECT_LT((weight - added).norm(), 1e-10 * (1 + added.norm()));
  });
}

// By differences along the motion without accelerations of coordinates.
TEST(Motion, PointBiasIsTheChangeOfAPointsVelocity) {
  ForEachMotion([](const MotionSample& s, test::RandomTree* random) {
    const int body = random->Integer(0, s.model.trees[0].links - 1);
    const Vec3 p_BP = random->Vector(0.5);
    const double h = 1e-6;
    const auto velocity = [&](double time) {
      State moved = s.state;
      IntegratePositions(s.model, time, &moved);
      Kinematics at;
      at.Update(s.model, moved);
      const auto b = static_cast<std::size_t>(body);
      const Vec3 arm = moved.X_WB[b].q * p_BP;
      return Vec3(at.V_WB[b].tail<3>() + at.V_WB[b].head<3>().cross(arm));
    };
    const Vec3 change = (velocity(h) - velocity(-h)) / (2 * h);
    const Vec3 bias = s.motion.CalcPointBias(body, s.X_WB(body) * p_BP);
    EXPECT_LT((bias - change).norm(), 1e-5 * (1 + change.norm()));
  });
}

}  // namespace
}  // namespace slip
