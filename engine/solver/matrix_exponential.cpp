#include "engine/solver/matrix_exponential.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

// Coefficients of the numerator, lowest power first; the denominator has them with alternating
// signs.
constexpr double kPade1[] = {2, 1};
constexpr double kPade2[] = {12, 6, 1};
constexpr double kPade3[] = {120, 60, 12, 1};
constexpr double kPade5[] = {30240, 15120, 3360, 420, 30, 1};
constexpr double kPade7[] = {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1};
constexpr double kPade9[] = {17643225600, 8821612800, 2075673600, 302702400, 30270240,
                             2162160,     110880,     3960,       90,        1};
constexpr double kPade13[] = {64764752532480000,
                              32382376266240000,
                              7771770303897600,
                              1187353796428800,
                              129060195264000,
                              10559470521600,
                              670442572800,
                              33522128640,
                              1323241920,
                              40840800,
                              960960,
                              16380,
                              182,
                              1};

struct Pade {
  int order;
  std::span<const double> b;
  double largest_norm;  ///< for full accuracy; 0: never taken for it
};

// In the order of their products of matrices, 0 to 6.
constexpr Pade kPades[] = {{1, kPade1, 0},
                           {2, kPade2, 0},
                           {3, kPade3, 1.495585217958292e-2},
                           {5, kPade5, 2.539398330063230e-1},
                           {7, kPade7, 9.504178996162932e-1},
                           {9, kPade9, 2.097847961257068},
                           {13, kPade13, 5.371920351148152}};
constexpr int kLast = MatrixExponential::kMostProducts;

double OneNorm(const MatrixX& A) {
  double norm = 0;
  for (Eigen::Index j = 0; j < A.cols(); ++j) norm = std::max(norm, A.col(j).lpNorm<1>());
  return norm;
}

}  // namespace

void MatrixExponential::Reserve(int n, int columns) {
  for (MatrixX* m : {&X_, &odd_, &even_, &E_, &scratch_}) m->resize(n, n);
  for (MatrixX& power : power_) power.resize(n, n);
  columns_.resize(n, columns);
  d_.resize(n);
  lu_ = Eigen::PartialPivLU<MatrixX>(n);
}

void MatrixExponential::Balance() {
  const Eigen::Index n = X_.rows();
  d_.setOnes(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double column = X_.col(i).lpNorm<1>(), row = X_.row(i).lpNorm<1>();
      if (!(column > 0) || !(row > 0) || !std::isfinite(column + row)) continue;
      double c = column, r = row, f = 1;
      for (; 2 * c < r; f *= 2) c *= 2, r /= 2;
      for (; c >= 2 * r; f /= 2) c /= 2, r *= 2;
      if (f == 1 || !(c * c + r * r < 0.95 * (column * column + row * row))) continue;
      X_.col(i) *= f;
      X_.row(i) /= f;
      d_[i] *= f;
      changed = true;
    }
  }
}

bool MatrixExponential::Prepare(const Eigen::Ref<const MatrixX>& X, int products) {
  X_ = X;
  report_ = {};
  report_.raw_norm = OneNorm(X_);
  Balance();
  report_.norm = OneNorm(X_);
  if (!(report_.norm <= kLargestNorm)) return false;
  int wanted = 0;
  while (wanted < kLast && !(report_.norm <= kPades[wanted].largest_norm)) ++wanted;
  int squarings = 0;
  if (wanted == kLast) {
    std::frexp(report_.norm / kPades[kLast].largest_norm, &squarings);
    squarings = std::max(squarings, 0);
  }
  if (products >= 0 && products < wanted + squarings) {
    wanted = std::min(products, kLast);
    squarings = 0;
  }
  report_.order = kPades[wanted].order;
  report_.products = wanted;
  report_.squarings = squarings;
  if (squarings > 0) X_ *= std::ldexp(1.0, -squarings);
  return true;
}

void MatrixExponential::Even(std::span<const double> c, int powers, MatrixX* out) const {
  out->setZero(X_.rows(), X_.cols());
  out->diagonal().setConstant(c[0]);
  for (int k = 1; k <= powers; ++k) *out += c[static_cast<std::size_t>(2 * k)] * power_[k - 1];
}

void MatrixExponential::MakePade() {
  const Pade& pade = kPades[report_.products];
  const std::span<const double> b = pade.b;
  const int powers = pade.order == 13 ? 3 : pade.order / 2;
  if (powers > 0) power_[0].noalias() = X_ * X_;
  for (int k = 1; k < powers; ++k) power_[k].noalias() = power_[k - 1] * power_[0];
  Even(b, powers, &even_);
  if (pade.order <= 2) {
    odd_ = b[1] * X_;
    return;
  }
  // the odd part is X times an even polynomial of the odd coefficients
  Even(b.subspan(1), std::min(powers, (pade.order - 1) / 2), &scratch_);
  if (pade.order == 13) {
    // the powers from X^8 on as X^6 times those from X^2 on
    const auto high = [&](std::size_t first) {
      E_ = b[first] * power_[0] + b[first + 2] * power_[1] + b[first + 4] * power_[2];
    };
    high(8);
    even_.noalias() += power_[2] * E_;
    high(9);
    scratch_.noalias() += power_[2] * E_;
  }
  odd_.noalias() = X_ * scratch_;
}

void MatrixExponential::FormPower(int squarings) {
  scratch_ = even_ - odd_;
  lu_.compute(scratch_);
  scratch_ = even_ + odd_;
  E_ = lu_.solve(scratch_);
  for (int k = 0; k < squarings; ++k) {
    scratch_.noalias() = E_ * E_;
    E_.swap(scratch_);
  }
  report_.products += squarings;
}

bool MatrixExponential::Apply(const Eigen::Ref<const MatrixX>& X, Eigen::Ref<MatrixX> V,
                              int products) {
  if (!Prepare(X, products)) return false;
  MakePade();
  V.array().colwise() /= d_.array();
  if (report_.squarings == 0) {
    scratch_ = even_ + odd_;
    columns_.noalias() = scratch_ * V;
    scratch_ = even_ - odd_;
    lu_.compute(scratch_);
    V = lu_.solve(columns_);
  } else {
    // the last squarings cost more than the product with V twice as often
    const double ratio = static_cast<double>(X.rows()) / static_cast<double>(V.cols());
    const int spared =
        std::clamp(static_cast<int>(std::floor(std::log2(ratio) + 0.529)), 0, report_.squarings);
    FormPower(report_.squarings - spared);
    for (int k = 0; k < 1 << spared; ++k) {
      columns_.noalias() = E_ * V;
      V = columns_;
    }
  }
  V.array().colwise() *= d_.array();
  return V.allFinite();
}

bool MatrixExponential::Compute(const Eigen::Ref<const MatrixX>& X, MatrixX* E, int products) {
  if (!Prepare(X, products)) return false;
  MakePade();
  FormPower(report_.squarings);
  *E = d_.asDiagonal() * E_ * d_.cwiseInverse().asDiagonal();
  return E->allFinite();
}

}  // namespace slip
