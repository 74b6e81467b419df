// Tables 12.1 to 12.3 of the specification, and the contract of every (model, law) pair:
// gradient, Hessian, symmetry, convexity, friction bound; with the coupled law as negative control.
#include <gtest/gtest.h>

#include <random>

#include "engine/contact/contact_models.h"

namespace slip {
namespace {

constexpr double kRelative = 1e-10, kAbsolute = 1e-13;

void ExpectNear(double expected, double actual, const std::string& what) {
  EXPECT_NEAR(expected, actual, kAbsolute + kRelative * std::abs(expected)) << what;
}

ContactStart CommonStart() {
  ContactStart start;
  start.h = 0.01;
  start.phi0 = -2e-3;
  start.mu = 0.5;
  start.law.k = 1e4;
  start.law.d = 0.5;
  start.law.tau = 0.02;
  return start;
}
const Vec3 kVc(0.3, 0.4, -0.1);

TEST(NormalLaw, HuntCrossleyTable12_1) {
  const auto frozen = HuntCrossley::Freeze({.k = 1e4, .k_hertz = 0, .d = 0.5}, -2e-3, 0.01);
  EXPECT_DOUBLE_EQ(frozen.v_hat, 0.2);
  const double rows[5][4] = {{-0.1, -0.0256666666667, 0.315, -1.2},
                             {0, 0, 0.2, -1.1},
                             {0.1, 0.0146666666667, 0.095, -1},
                             {0.2, 0.0193333333333, 0, 0},
                             {0.3, 0.0193333333333, 0, 0}};
  for (const auto& row : rows) {
    const LawValue value = HuntCrossley::Evaluate(frozen, row[0]);
    EXPECT_NEAR(value.N, row[1], 5e-14);  // the table prints 13 decimals
    ExpectNear(row[2], value.n, "n");
    ExpectNear(row[3], value.dn, "dn");
  }
}

TEST(SoftNorm, Table12_2) {
  const double rows[3][9] = {
      {0.3, 0.4, 0.1, 0.409901951359, 0.588348405415, 0.784464540553, 1.28229780667,
       -0.905151392945, 0.754292827455},
      {0, 0, 0.1, 0, 0, 0, 10, 0, 10},
      {1e-9, 0, 1e-4, 4.99999999988e-15, 9.9999999995e-06, 0, 9999.9999985, 0, 9999.9999995}};
  for (const auto& row : rows) {
    const SoftNorm s = CalcSoftNorm(Vec2(row[0], row[1]), row[2]);
    EXPECT_NEAR(s.value, row[3], 1e-11 * row[3]);
    ExpectNear(row[4], s.gradient.x(), "tx");
    ExpectNear(row[5], s.gradient.y(), "ty");
    ExpectNear(row[6], s.hessian(0, 0), "Hxx");
    ExpectNear(row[7], s.hessian(0, 1), "Hxy");
    ExpectNear(row[8], s.hessian(1, 1), "Hyy");
  }
}

// cost, gamma (3), G_xx G_xy G_yy, G_xn G_yn G_nn
using Row = std::array<double, 10>;

template <class Frozen, class Evaluate>
void ExpectRow(const std::string& id, const Frozen& frozen, Evaluate evaluate, const Vec3& v_c,
               const Row& row) {
  const ContactValue value = evaluate(frozen, v_c);
  // costs and Hessians are printed with 12 significant digits
  const auto near = [&](double expected, double actual, const char* what) {
    EXPECT_NEAR(expected, actual, kAbsolute + 1e-11 * std::abs(expected)) << id << " " << what;
  };
  near(row[0], value.cost, "cost");
  for (int i = 0; i < 3; ++i) near(row[static_cast<std::size_t>(1 + i)], value.gamma[i], "gamma");
  const Mat3& G = value.hessian;
  const double entries[6] = {G(0, 0), G(0, 1), G(1, 1), G(0, 2), G(1, 2), G(2, 2)};
  for (std::size_t i = 0; i < 6; ++i) near(row[4 + i], entries[i], "G");
}

template <template <class> class M, class Law>
void ExpectModel(const std::string& id, const ContactStart& start, double eps, double n0,
                 const Vec3& v_c, const Row& row) {
  ModelParams params;
  params.stiction_tolerance = eps;
  auto frozen = M<Law>::Freeze(params, start);
  if constexpr (requires { frozen.n0; }) frozen.n0 = n0;
  ExpectRow(id, frozen, M<Law>::template Evaluate<2>, v_c, row);
}

TEST(ContactModel, LaggedTable12_3) {
  const ContactStart start = CommonStart();
  ExpectModel<Lagged, HuntCrossley>("L1", start, 0.1, 0.25, kVc,
                                    {0.0769044105866, -0.0735435506768, -0.0980580675691, 0.315,
                                     0.160287225834, -0.113143924118, 0.0942866034318, 0, 0, 1.2});
  ExpectModel<Lagged, HuntCrossley>("L2", start, 0.1, 0.25, Vec3::Zero(),
                                    {0, 0, 0, 0.2, 1.25, 0, 1.25, 0, 0, 1.1});
  ExpectModel<Lagged, HuntCrossley>(
      "L3", start, 1e-4, 0.25, Vec3(1e-6, 0, 0.5),
      {-0.0193333327083, -0.00124993750469, 0, 0, 1249.81252343, 0, 1249.93750469, 0, 0, 0});
}

TEST(ContactModel, SimilarTable12_3) {
  ContactStart start = CommonStart();
  ExpectModel<Similar, HuntCrossley>(
      "S1", start, 0.1, 0, kVc,
      {0.116863989754, -0.171192801032, -0.228257068042, 0.581943622032, 0.494694811041,
       -0.101263812086, 0.435624253991, -0.413300333113, -0.551067110818, 1.40495097568});
  ExpectModel<Similar, HuntCrossley>("S2", start, 0.1, 0, Vec3::Zero(),
                                     {0, 0, 0, 0.2, 1, 0, 1, 0, 0, 1.1});
  start.phi0 = 1e-3;
  ExpectModel<Similar, HuntCrossley>(
      "S3", start, 1e-4, 0, Vec3(1, 0, 0),
      {0.0895583363956, -0.249963751188, 0, 0.499927504875, 0.3624874995, 0, 0.249963751188,
       -0.724974997625, 0, 1.4499500025});
}

TEST(ContactModel, ConeProjectionTable12_3) {
  ContactStart start = CommonStart();
  start.w = 1;
  ModelParams params;
  const auto sap = Sap::Freeze(params, start);
  EXPECT_NEAR(sap.Rn, 1.0 / 3, 1e-15);
  ExpectRow("P1", sap, Sap::Evaluate<2>, kVc,
            {0.260221500541, -0.374718960779, -0.499625281039, 1.2490632026, 1.06919810142,
             -0.239820134899, 0.929303022733, -0.899325505871, -1.19910067449, 2.99775168624});
  ExpectRow("P2", sap, Sap::Evaluate<2>, Vec3(1e-4, -2e-4, -0.1),
            {0.0416916666667, -0.1, 0.2, 0.5, 1000, 0, 1000, 0, 0, 3});
  ExpectRow("P3", sap, Sap::Evaluate<2>, Vec3(0.1, 0, 0.2), {});
  start.law.k = 1e12;
  start.law.tau = 0;
  const auto rigid = Sap::Freeze(params, start);
  EXPECT_TRUE(rigid.near_rigid);
  ExpectRow("P4", rigid, Sap::Evaluate<2>, kVc,
            {5.91275411859, -6.45027722028, -8.60036962704, 21.5009240676, 17.2789244325,
             -5.62933284679, 13.9951469385, -11.7277767641, -15.6370356855, 39.0925892138});
  start.w = 1.0 / 3;
  params.sigma = 1;
  ExpectRow("T1", Todorov::Freeze(params, start), Todorov::Evaluate<2>, kVc,
            {14.3306655904, -15.6334533713, -20.8446044951, 52.1115112378, 41.8787053947,
             -13.6437411241, 33.9198564057, -28.4244606751, -37.8992809002, 94.7482022505});
}

TEST(ContactModel, OtherLawsTable12_3) {
  ContactStart start = CommonStart();
  start.law.k_hertz = 1e6;
  ExpectModel<Lagged, Hertz>(
      "H1", start, 0.1, 0.25, kVc,
      {0.249826294055, -0.0735435506768, -0.0980580675691, 1.72532605614, 0.160287225834,
       -0.113143924118, 0.0942866034318, 0, 0, 9.44821411696});
  ExpectModel<Lagged, KelvinVoigt>("K1", start, 0.1, 0.25, kVc,
                                   {0.0929044105866, -0.0735435506768, -0.0980580675691, 0.5,
                                    0.160287225834, -0.113143924118, 0.0942866034318, 0, 0, 3});
  start.phi0 = 0.02;
  start.law.kappa = 0.3;
  ExpectModel<Lagged, LogBarrier>(
      "B1", start, 0.1, 0.25, kVc,
      {1.24023263386, -0.0735435506768, -0.0980580675691, 0.157894736842, 0.160287225834,
       -0.113143924118, 0.0942866034318, 0, 0, 0.0831024930748});
  start.phi0 = 0.012;
  start.law.kappa = 3e3;
  start.law.dh = 0.02;
  ExpectModel<Lagged, IpcBarrier>(
      "B2", start, 0.1, 0.25, kVc,
      {0.196512135104, -0.0735435506768, -0.0980580675691, 0.543741071317, 0.160287225834,
       -0.113143924118, 0.0942866034318, 0, 0, 1.54134682855});
}

TEST(ContactModel, FrozenQuantitiesTable12_4) {
  ContactStart start;
  start.h = 0.01;
  start.phi0 = -2e-3;
  start.vn0 = -0.1;
  start.law = {.k = 1e4, .k_hertz = 0, .d = 0.5};
  EXPECT_NEAR(Lagged<HuntCrossley>::Freeze({}, start).n0, 0.21, 1e-15);
  start.law.k = 1e5;
  start.law.tau = 0.01;
  start.w = 1.0 / 3;
  EXPECT_NEAR(Sap::Freeze({}, start).Rn, 0.05, 1e-15);
  // ε_s = max(v_s, μ σ w n0) with n0 = 0.5
  start = {};
  start.h = 0.01;
  start.mu = 0.5;
  start.w = 1;
  start.phi0 = -5e-3;
  start.law.k = 1e4;
  EXPECT_NEAR(LaggedRegularized<HuntCrossley>::Freeze({}, start).eps, 0.00025, 1e-17);
}

// ---- contract of every pair, over random inputs
// --------------------------------------------------

struct Random {
  std::mt19937_64 engine{20231204};
  double Uniform(double a, double b) {
    return a + (b - a) * (static_cast<double>(engine() >> 11) * 0x1.0p-53);
  }
  double Log(double a, double b) { return std::exp(Uniform(std::log(a), std::log(b))); }
};

ContactStart RandomStart(Random* random, bool barrier) {
  ContactStart s;
  s.h = random->Log(1e-4, 1e-1);
  s.phi0 = barrier ? random->Log(2e-3, 2e-2) : random->Uniform(-5e-3, 2e-3);
  s.vn0 = random->Uniform(-1, 0.2);
  s.w = random->Log(0.1, 10);
  s.mu = random->Uniform(0, 2);
  s.law = {random->Log(1e3, 1e7),   random->Log(1e4, 1e8), random->Uniform(0, 5),
           random->Uniform(0, 0.1), random->Log(1e-3, 1),  2.5e-2};
  return s;
}

template <class M, int kSlip>
void CheckContract(const char* name, bool barrier) {
  Random random;
  int tested = 0;
  for (int trial = 0; trial < 3000 && tested < 300; ++trial) {
    const ContactStart start = RandomStart(&random, barrier);
    ModelParams params;
    params.stiction_tolerance = random.Log(1e-3, 1e-1);
    params.sigma = random.Log(1e-4, 1e-1);
    const auto frozen = M::Freeze(params, start);
    using Vector = ContactVector<kSlip>;
    Vector v;
    for (double& x : v) x = random.Uniform(-1, 1);
    const double e = 1e-6;
    bool feasible = true;
    for (int j = 0; j <= kSlip; ++j) {
      for (double s : {-2 * e, 2 * e})
        feasible &= M::template Feasible<kSlip>(frozen, v + s * Vector::Unit(j));
    }
    if (!feasible) continue;

    const auto evaluate = [&](const Vector& v_c) {
      return M::template Evaluate<kSlip>(frozen, v_c);
    };
    const ContactValueOf<kSlip> at = evaluate(v);
    Vector gradient;
    ContactMatrix<kSlip> hessian;
    double kink = 0;
    for (int j = 0; j <= kSlip; ++j) {
      const ContactValueOf<kSlip> plus = evaluate(v + e * Vector::Unit(j));
      const ContactValueOf<kSlip> minus = evaluate(v - e * Vector::Unit(j));
      gradient[j] = (plus.cost - minus.cost) / (2 * e);
      hessian.col(j) = -(plus.gamma - minus.gamma) / (2 * e);
      kink = std::max(kink, (plus.hessian - minus.hessian).cwiseAbs().maxCoeff());
    }
    const double G_scale = at.hessian.cwiseAbs().maxCoeff();
    // derivatives of second order do not exist on the borders between regions
    if (kink > 1e-2 * G_scale) continue;
    ++tested;
    const double g_scale = at.gamma.norm() + std::abs(at.cost) + 1e-9;
    EXPECT_LT((gradient + at.gamma).norm(), 1e-5 * g_scale) << name << " trial " << trial;
    if (G_scale > 0) {
      EXPECT_LT((hessian - at.hessian).cwiseAbs().maxCoeff(), 1e-5 * G_scale) << name << trial;
      // irrotational: the measured Jacobian itself is symmetric
      EXPECT_LT((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-5 * G_scale) << name;
    }
    EXPECT_TRUE(at.hessian.isApprox(at.hessian.transpose(), 1e-14)) << name;
    const Eigen::SelfAdjointEigenSolver<ContactMatrix<kSlip>> eigen(at.hessian,
                                                                    Eigen::EigenvaluesOnly);
    EXPECT_GE(eigen.eigenvalues()[0], -1e-12 * (G_scale + 1e-300)) << name << " not convex";
    EXPECT_GE(at.gamma[kSlip], 0) << name;
    double bound = start.mu * at.gamma[kSlip];
    if constexpr (requires { frozen.n0; }) bound = start.mu * frozen.n0;
    EXPECT_LE(at.gamma.template head<kSlip>().norm(), bound * (1 + 1e-12) + 1e-300) << name;
  }
  EXPECT_GE(tested, 300) << name;
}

TEST(ContactModel, EveryPairIsIrrotationalAndConvex) {
  for (int model = 0; model < kContactModelCount; ++model) {
    for (int law = 0; law < 5; ++law) {
      VisitContactModel(model, law, [&]<class M, class L>() {
        const bool barrier = std::is_same_v<L, LogBarrier> || std::is_same_v<L, IpcBarrier>;
        const std::string name =
            "model " + std::to_string(model) + " " + std::string(L::kTraits.id);
        CheckContract<M, 2>(name.c_str(), barrier);
        CheckContract<M, 3>((name + " with torsion").c_str(), barrier);
      });
    }
  }
}

TEST(NormalLaw, ForceIsThePotentialsSlopeAndRestCarriesTheLoad) {
  Random random;
  const auto check = [&]<class L>(bool barrier) {
    for (int i = 0; i < 200; ++i) {
      const ContactStart s = RandomStart(&random, barrier);
      const auto frozen = L::Freeze(s.law, s.phi0, s.h);
      const double v = random.Uniform(-0.5, 0.5);
      if (!L::Feasible(frozen, v)) continue;
      // n(v) = h f(x0 − h v, −v)
      const double n = L::Evaluate(frozen, v).n;
      EXPECT_NEAR(n, s.h * L::Force(s.law, -s.phi0 - s.h * v, -v), 1e-10 * (n + 1e-9))
          << L::kTraits.id;
      const double load = random.Log(0.1, 100);
      const double x = L::Rest(s.law, load);
      EXPECT_NEAR(L::Force(s.law, x, 0), load, 1e-6 * load) << L::kTraits.id;
      const double e = 1e-6 * std::abs(x);
      EXPECT_NEAR((L::Energy(s.law, x + e) - L::Energy(s.law, x - e)) / (2 * e), load, 1e-4 * load)
          << L::kTraits.id;
      EXPECT_NEAR((L::Force(s.law, x + e, 0) - L::Force(s.law, x - e, 0)) / (2 * e),
                  L::Stiffness(s.law, load), 1e-4 * L::Stiffness(s.law, load))
          << L::kTraits.id;
    }
  };
  check.operator()<HuntCrossley>(false);
  check.operator()<Hertz>(false);
  check.operator()<KelvinVoigt>(false);
  check.operator()<LogBarrier>(true);
  check.operator()<IpcBarrier>(true);
}

// Negative control: the physical coupled law (ICF eq (20)) is not irrotational, and the test
// above would say so. Reference value: engine/README.md 5.5.
TEST(ContactModel, CoupledLawIsRotational) {
  const ContactStart start = CommonStart();
  const auto law = HuntCrossley::Freeze(start.law, start.phi0, start.h);
  const auto gamma = [&](const Vec3& v) {
    const double n = HuntCrossley::Evaluate(law, v.z()).n;
    const SoftNorm s = CalcSoftNorm(v.head<2>(), 0.1);
    Vec3 g;
    g << -start.mu * n * s.gradient, n;
    return g;
  };
  Mat3 D;
  const double e = 1e-6;
  for (int j = 0; j < 3; ++j) {
    D.col(j) = (gamma(kVc + e * Vec3::Unit(j)) - gamma(kVc - e * Vec3::Unit(j))) / (2 * e);
  }
  EXPECT_NEAR((D - D.transpose()).cwiseAbs().maxCoeff(), 0.470678724332, 1e-8);
}

}  // namespace
}  // namespace slip
