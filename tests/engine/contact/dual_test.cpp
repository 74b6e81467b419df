// The primal-dual forms of every model against its plain ones: derivatives, convexity, inverses.
#include <gtest/gtest.h>

#include <random>

#include "engine/contact/contact_models.h"

namespace slip::test {
namespace {

template <class Fn>
void ForEachModel(Fn&& fn) {
  for (int model = 0; model < kContactModelCount; ++model) {
    for (int law = 0; law < 5; ++law) {
      SCOPED_TRACE(testing::Message() << "model " << model << " law " << law);
      VisitContactModel(model, law, [&]<class M, class L>() {
        fn.template operator()<M, 2>(law);
        fn.template operator()<M, 3>(law);
      });
    }
  }
}

struct Sampler {
  std::mt19937_64 engine{5};
  double operator()(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  }
  // a contact and a velocity at which every law has something to say
  ContactStart Start(int law) {
    ContactStart s;
    s.h = 0.01;
    s.phi0 = law >= 3 ? (*this)(5e-3, 2e-2) : (*this)(-3e-3, 3e-3);
    s.vn0 = (*this)(-1, 0.2);
    s.w = (*this)(0.3, 3);
    s.mu = (*this)(0, 1.5);
    s.law = {1e5, 1e6, 0.7, 0.01, 0.3, 0.03};
    return s;
  }
  template <int kSlip>
  ContactVector<kSlip> Velocity(int law) {
    const double speed = std::pow(10, (*this)(-5, 0.3));
    const double vn = law >= 3 ? (*this)(2, 5) : (*this)(-1, 0.5);
    ContactVector<kSlip> v_c;
    v_c << speed * Direction<kSlip>(), vn;
    return v_c;
  }
  template <int kSlip>
  SlipVector<kSlip> Direction() {
    const double angle = (*this)(0, 6.28);
    SlipVector<kSlip> t;
    t.template head<2>() << std::cos(angle), std::sin(angle);
    if constexpr (kSlip == 3) t << t.template head<2>().eval() * 0.8, (angle < 3 ? 0.6 : -0.6);
    return t;
  }
};

TEST(DualForm, EqualsThePlainOneAtThePrimalDirection) {
  Sampler sample;
  ForEachModel([&]<class M, int kSlip>(int law) {
    for (int trial = 0; trial < 200; ++trial) {
      const auto frozen = M::Freeze({}, sample.Start(law));
      const ContactVector<kSlip> v_c = sample.Velocity<kSlip>(law);
      if (!M::template Feasible<kSlip>(frozen, v_c)) continue;
      // without a step the dual direction is the primal one
      const SlipVector<kSlip> t = M::template UpdateDual<kSlip>(
          frozen, v_c, ContactVector<kSlip>::Zero(), SlipVector<kSlip>::Zero());
      const auto plain = M::template Evaluate<kSlip>(frozen, v_c);
      const auto dual = M::template EvaluateDual<kSlip>(frozen, v_c, t);
      EXPECT_LE((dual.gamma - plain.gamma).norm(), 1e-13 * plain.gamma.norm());
      EXPECT_LE((dual.hessian - plain.hessian).norm(), 1e-9 * plain.hessian.norm());
      const double offset = M::CostOffset(frozen);
      EXPECT_NEAR(dual.cost + offset, plain.cost,
                  1e-12 * (1 + std::abs(offset) + std::abs(plain.cost)));
    }
  });
}

TEST(DualForm, StaysConvexForEveryDirection) {
  Sampler sample;
  ForEachModel([&]<class M, int kSlip>(int law) {
    for (int trial = 0; trial < 300; ++trial) {
      const auto frozen = M::Freeze({}, sample.Start(law));
      const ContactVector<kSlip> v_c = sample.Velocity<kSlip>(law);
      if (!M::template Feasible<kSlip>(frozen, v_c)) continue;
      const double length = trial % 3 == 0 ? 1 : sample(0, 1);
      const SlipVector<kSlip> q = length * sample.Direction<kSlip>();
      const ContactMatrix<kSlip> G = M::template EvaluateDual<kSlip>(frozen, v_c, q).hessian;
      EXPECT_LE((G - G.transpose()).norm(), 1e-15 * G.norm());
      const Eigen::SelfAdjointEigenSolver<ContactMatrix<kSlip>> eigen(G);
      EXPECT_GE(eigen.eigenvalues()[0], -1e-12 * G.norm());
      // and the next direction stays in the unit disc
      ContactVector<kSlip> d;
      for (double& x : d) x = sample(-2, 2);
      EXPECT_LE(M::template UpdateDual<kSlip>(frozen, v_c, d, q).norm(), 1 + 1e-15);
    }
  });
}

TEST(DualForm, LineDerivativesMatchTheModel) {
  Sampler sample;
  ForEachModel([&]<class M, int kSlip>(int law) {
    for (int trial = 0; trial < 200; ++trial) {
      const auto frozen = M::Freeze({}, sample.Start(law));
      const ContactVector<kSlip> v_c = sample.Velocity<kSlip>(law);
      ContactVector<kSlip> d;
      for (double& x : d) x = sample(-1, 1);
      if (!M::template Feasible<kSlip>(frozen, v_c)) continue;
      const auto value = M::template Evaluate<kSlip>(frozen, v_c);
      const ContactAlong along = M::template Along<kSlip>(frozen, v_c, d);
      const double slope = -d.dot(value.gamma), curvature = d.dot(value.hessian * d);
      EXPECT_NEAR(along.slope, slope, 1e-12 * value.gamma.norm());
      EXPECT_NEAR(along.curvature, curvature, 1e-9 * value.hessian.norm());
      const double cost =
          M::template EvaluateDual<kSlip>(frozen, v_c, SlipVector<kSlip>::Zero()).cost;
      EXPECT_NEAR(along.cost, cost, 1e-14 * std::abs(cost));
    }
  });
}

TEST(ConeForm, InverseUndoesTheNormalLaw) {
  Sampler sample;
  ForEachModel([&]<class M, int kSlip>(int law) {
    if constexpr (ConicModel<M>) {
      for (int trial = 0; trial < 100; ++trial) {
        ContactStart start = sample.Start(law);
        start.mu = 0;
        const auto frozen = M::Freeze({}, start);
        const double gamma = std::pow(10, sample(-6, 2));
        const NormalInverse inverse = M::Inverse(frozen, gamma);
        const ContactValue value = M::Evaluate(frozen, Vec3(0, 0, inverse.v));
        EXPECT_NEAR(value.gamma.z(), gamma, 1e-9 * gamma + 1e-14 / inverse.compliance);
        EXPECT_NEAR(inverse.compliance * value.hessian(2, 2), 1, 1e-6);
        EXPECT_GE(inverse.compliance, 0);
      }
    }
  });
}

// Far inside, dissipation alone ends the impulse: its bracket begins at a large overlap.
TEST(ConeForm, TheInverseOfATinyImpulseEnds) {
  const LawParams law{.k_hertz = 1e12, .d = 100};
  const auto frozen = Hertz::Freeze(law, -0.1, 1e-3);
  ASSERT_GT(frozen.u_hat, 0.05);
  for (const double gamma : {1e-30, 1e-20, 1e-10}) {
    const LawInverse inverse = Hertz::Inverse(frozen, gamma);
    EXPECT_NEAR(inverse.v, frozen.v_hat, 1e-12);
    EXPECT_GT(inverse.compliance, 0);
  }
}

}  // namespace
}  // namespace slip::test
