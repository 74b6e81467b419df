// e^X against tables and closed forms (exponential integration notes, sections 3 and 8).
#include "engine/solver/matrix_exponential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

MatrixX Rows(Eigen::Index n, std::initializer_list<double> entries) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(entries.begin(), n, n);
}

MatrixX Exponential(const MatrixX& X, int products = MatrixExponential::kAutomatic) {
  MatrixExponential exponential;
  exponential.Reserve(static_cast<int>(X.rows()), 1);
  MatrixX E;
  EXPECT_TRUE(exponential.Compute(X, &E, products));
  return E;
}

void ExpectRows(const MatrixX& found, std::initializer_list<double> expected) {
  const MatrixX table = Rows(found.rows(), expected);
  EXPECT_LT((found - table).cwiseQuotient(table).cwiseAbs().maxCoeff(), 1e-13) << found;
}

const MatrixX kOscillator = Rows(2, {0, 1, -4, -0.4});

TEST(MatrixExponential, ReferenceMatrices) {
  ExpectRows(Exponential(kOscillator),
             {-0.258070263439546, 0.375807751062994, -1.50323100425198, -0.408393363864744});
  ExpectRows(Exponential(Rows(3, {-1, 2, 0, 0, -3, 1, 0.5, 0, -2})),
             {0.399024776027132, 0.330198676352002, 0.149368152313602, 0.0373420380784005,
              0.0688260996751308, 0.0904152620191996, 0.119891707166401, 0.0746840761568012,
              0.15924136169433});
  ExpectRows(Exponential(Rows(2, {0, 2e6, -2e-6, 0})),
             {-0.416146836547142, 909297.426825682, -9.09297426825682e-07, -0.416146836547142});
}

TEST(MatrixExponential, BalancesByPowersOfTwo) {
  MatrixExponential exponential;
  MatrixX E;
  ASSERT_TRUE(exponential.Compute(Rows(2, {0, 2e6, -2e-6, 0}), &E));
  EXPECT_EQ(exponential.balance(), Vec2(std::ldexp(1, 20), 1));
}

TEST(MatrixExponential, FewerProductsTakeALowerOrder) {
  const double expected[] = {0.0909090909090908, -0.237113402061856, -0.257577558540354,
                             -0.258070237773884, -0.258070263440867};
  for (int products = 0; products < 5; ++products)
    EXPECT_NEAR(Exponential(kOscillator, products)(0, 0), expected[products], 1e-14) << products;
}

// m x'' + c x' + k x = F in the augmented form of section 3: x, x' and their integrals.
struct SpringDamper {
  double m, k, c, F, x0, v0, t;

  /// The same from the roots of m r² + c r + k, in twice the digits: x = p + a e^(r t) + its
  /// conjugate about the position p at rest.
  struct Exact {
    double x, integral, twice;
  };
  Exact ClosedForm() const {
    using Wide = long double;
    const std::complex<Wide> root = std::sqrt(std::complex<Wide>(Wide(c) * c - 4 * Wide(m) * k));
    const std::complex<Wide> r1 = (root - Wide(c)) / Wide(2 * m),
                             r2 = (-root - Wide(c)) / Wide(2 * m);
    const Wide rest = Wide(F) / k, from = x0 - rest;
    const std::complex<Wide> a = (Wide(v0) - r2 * from) / (r1 - r2), b = from - a;
    const auto e = [this](std::complex<Wide> r) { return std::exp(r * Wide(t)); };
    const auto once = [&](std::complex<Wide> r) { return (e(r) - Wide(1)) / r; };
    const auto twice_of = [&](std::complex<Wide> r) { return (once(r) - Wide(t)) / r; };
    const auto real = [](std::complex<Wide> z) { return z.real(); };
    return {static_cast<double>(rest + real(a * e(r1) + b * e(r2))),
            static_cast<double>(rest * t + real(a * once(r1) + b * once(r2))),
            static_cast<double>(rest * t * t / 2 + real(a * twice_of(r1) + b * twice_of(r2)))};
  }

  /// Columns of the integral and of the integral of the integral.
  MatrixX Integrals(int products, ExponentialReport* report) const {
    MatrixX a = MatrixX::Zero(5, 5);
    a(0, 1) = 1;
    a(1, 0) = -k / m;
    a(1, 1) = -c / m;
    a(1, 2) = F / m;
    a(0, 3) = x0;
    a(1, 3) = v0;
    a(2, 3) = 1;
    a(3, 4) = 1;
    MatrixX V = MatrixX::Zero(5, 2);
    V(3, 0) = V(4, 1) = 1;
    MatrixExponential exponential;
    exponential.Reserve(5, 2);
    EXPECT_TRUE(exponential.Apply(t * a, V, products));
    *report = exponential.report();
    return V;
  }
};

TEST(MatrixExponential, IntegralsOfASpringAndDamper) {
  const struct {
    SpringDamper system;
    double x, integral, twice;
  } cases[] = {
      {{1, 1e5, 300, -9.81, -1e-4, -0.3, 1e-3},
       -3.548045790488e-04,
       -2.349244777735e-07,
       -9.623077619126e-11},
      {{1, 1e5, 300, -9.81, -1e-4, -0.3, 1e-2},
       -1.819725149640e-04,
       -4.488918799444e-06,
       -2.361851845203e-08},
      {{1, 1e5, 300, -9.81, -1e-4, -0.3, 4e-2},
       -9.545307984922e-05,
       -6.932619068992e-06,
       -1.897276119945e-07},
      {{2.5, 1e5, 300, -24.525, 0, -0.5, 5e-3},
       -1.677201596909e-03,
       -4.936544677420e-06,
       -8.825951045016e-09},
      {{0.1, 1e5, 300, -0.981, 0, -1, 2e-3},
       -2.104148411220e-04,
       -4.596985078100e-07,
       -4.301096354479e-10},
      {{1, 1e8, 1e4, -9.81, -1e-6, -0.1, 1e-2},
       -9.810000000000e-08,
       -2.071190000000e-09,
       -1.570690000000e-11},
      {{1, 1e5, 0, -9.81, 0, -0.2, 1e-2},
       -1.830975998116e-04,
       -4.986988579295e-06,
       -2.307402400188e-08},
      {{10, 1e4, 50, -98.1, -2e-3, 0.1, 2e-2},
       -1.682932405704e-03,
       -3.124107574321e-05,
       -3.228622155800e-07},
  };
  for (const auto& c : cases) {
    ExponentialReport report;
    const MatrixX V = c.system.Integrals(MatrixExponential::kAutomatic, &report);
    // the digits of the tables, 13 of the integrals
    EXPECT_NEAR(V(0, 0), c.integral, 1e-12 * std::abs(c.integral));
    EXPECT_NEAR(V(0, 1), c.twice, 1e-12 * std::abs(c.twice));
    EXPECT_NEAR(V(1, 0), c.x - c.system.x0, 1e-12 * std::abs(c.x));
    const SpringDamper::Exact exact = c.system.ClosedForm();
    EXPECT_NEAR(V(0, 0), exact.integral, 1e-12 * std::abs(exact.integral));
    EXPECT_NEAR(V(0, 1), exact.twice, 1e-12 * std::abs(exact.twice));
    EXPECT_NEAR(V(1, 0), exact.x - c.system.x0, 1e-12 * std::abs(exact.x));
  }
}

TEST(MatrixExponential, ChoosesItsOrder) {
  const SpringDamper base{1, 1e5, 300, -9.81, -1e-4, -0.3, 0};
  const struct {
    double t;
    int order, squarings;
  } cases[] = {{1e-3, 7, 0}, {1e-2, 13, 1}, {4e-2, 13, 3}};
  for (const auto& c : cases) {
    SpringDamper system = base;
    system.t = c.t;
    ExponentialReport report;
    system.Integrals(MatrixExponential::kAutomatic, &report);
    EXPECT_EQ(report.order, c.order) << c.t;
    EXPECT_EQ(report.squarings, c.squarings) << c.t;
    if (c.t == 1e-2) {
      EXPECT_NEAR(report.raw_norm, 1000, 5);
      EXPECT_NEAR(report.norm, 5.56, 0.005);
    }
  }
}

TEST(MatrixExponential, ErrorsOfReducedOrders) {
  // relative errors of the integral and of its integral, for products from 0 on
  const struct {
    double t;
    std::vector<Vec2> errors;
  } cases[] = {{1e-3, {{3.11e-2, 1.83e-1}, {4.25e-5, 7.85e-5}, {3.9e-9, 2.8e-7}}},
               {1e-2,
                {{1.11e-1, 1.55e-1},
                 {5.18e-2, 2.89e-2},
                 {3.34e-3, 5.29e-4},
                 {4.44e-6, 2.06e-6},
                 {1.5e-10, 6.1e-10}}}};
  for (const auto& c : cases) {
    const SpringDamper system{1, 1e5, 300, -9.81, -1e-4, -0.3, c.t};
    const SpringDamper::Exact exact = system.ClosedForm();
    ExponentialReport report;
    int products = 0;
    for (const Vec2& wanted : c.errors) {
      SCOPED_TRACE(products);
      const MatrixX V = system.Integrals(products, &report);
      // of the digits that the table has: two or three
      EXPECT_NEAR(std::abs(V(0, 0) / exact.integral - 1), wanted[0], 0.04 * wanted[0]);
      EXPECT_NEAR(std::abs(V(0, 1) / exact.twice - 1), wanted[1], 0.04 * wanted[1]);
      EXPECT_EQ(report.products, products);
      EXPECT_EQ(report.squarings, 0);
      ++products;
    }
    // full accuracy is another approximant than that of five or six products, and the same result
    const MatrixX full = system.Integrals(MatrixExponential::kAutomatic, &report);
    for (; products <= MatrixExponential::kMostProducts; ++products) {
      const MatrixX V = system.Integrals(products, &report);
      const double tolerance = products < 5 ? 1e-9 : 1e-12;
      EXPECT_NEAR(V(0, 0), full(0, 0), tolerance * std::abs(full(0, 0))) << products;
      EXPECT_NEAR(V(0, 1), full(0, 1), tolerance * std::abs(full(0, 1))) << products;
    }
  }
  const SpringDamper system{1, 1e5, 300, -9.81, -1e-4, -0.3, 1e-2};
  const double table[] = {-3.9905e-06, -4.721336405530e-06, -4.503915254237e-06,
                          -4.488898847657e-06};
  ExponentialReport report;
  for (int products = 0; products < 4; ++products) {
    EXPECT_NEAR(system.Integrals(products, &report)(0, 0), table[products],
                (products == 0 ? 1e-4 : 1e-12) * std::abs(table[products]));
  }
}

TEST(MatrixExponential, SaysWhenItCannot) {
  MatrixExponential exponential;
  exponential.Reserve(2, 1);
  MatrixX E, V = MatrixX::Ones(2, 1);
  EXPECT_FALSE(exponential.Compute(Rows(2, {0, 1e9, -1e9, 0}), &E));
  EXPECT_FALSE(exponential.Compute(Rows(2, {NAN, 0, 0, 0}), &E));
  EXPECT_FALSE(exponential.Apply(Rows(2, {1000, 1, 1, 1000}), V));
}

TEST(MatrixExponential, AllocatesNothing) {
  class Norm : public ErrorMeasure {
   public:
    double Relative(const MatrixX& result, const MatrixX& error) const override {
      return error.norm() / result.norm();
    }
  };
  MatrixExponential exponential;
  exponential.Reserve(27, 2);
  MatrixX X = MatrixX::Random(27, 27), V = MatrixX::Ones(27, 2);
  for (const double size : {1e-3, 1e-1, 1.0, 30.0}) {
    const MatrixX scaled = size * X;
    V.setOnes();
    const test::AllocGuard guard;
    EXPECT_TRUE(exponential.Apply(scaled, V));
    EXPECT_TRUE(exponential.ApplyTo(1e-6, Norm(), scaled, V));
    EXPECT_EQ(guard.count(), 0) << size;
  }
}

}  // namespace
}  // namespace slip
