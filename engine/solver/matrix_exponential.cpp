#include "engine/solver/matrix_exponential.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

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
  int powers;           ///< X^2, X^4, ... that it is made of
};

// In the order of their products of matrices, 0 to 6.
constexpr Pade kPades[] = {{1, kPade1, 0, 0},
                           {2, kPade2, 0, 1},
                           {3, kPade3, 1.495585217958292e-2, 1},
                           {5, kPade5, 2.539398330063230e-1, 2},
                           {7, kPade7, 9.504178996162932e-1, 3},
                           {9, kPade9, 2.097847961257068, 4},
                           {13, kPade13, 5.371920351148152, 3}};
constexpr int kLast = MatrixExponential::kMostProducts;

const Pade& PadeAt(int place) { return At(kPades, place); }

// Rows at the end whose entries up to the diagonal are zero: as many as integrals of integrals of
// integrals take.
constexpr Eigen::Index kMostIntegrals = 3;
int CountIntegrals(const Eigen::Ref<const MatrixX>& X) {
  const Eigen::Index n = X.rows(), most = std::min(kMostIntegrals, n - 1);
  Eigen::Index count = 0;
  while (count < most && (X.row(n - 1 - count).head(n - count).array() == 0).all()) ++count;
  return static_cast<int>(count);
}

int PanelsOf(int rows) { return (rows + kPanel - 1) / kPanel; }

std::size_t Size(int rows, int columns) { return static_cast<std::size_t>(rows * columns); }

}  // namespace

void MatrixExponential::Resize(int n, int columns, int leading) {
  const std::size_t room = Size(PanelsOf(n) * kPanel, columns);
  if (n == n_ && leading == leading_ && room <= start_.size()) return;
  n_ = n;
  leading_ = leading;
  columns_ = columns;
  stride_ = PanelsOf(n) * kPanel;
  // what is below the form, and what pads the columns, is zero and stays so
  for (AlignedVector* m :
       {&X_, &odd_, &even_, &E_, &scratch_, &L_, &power_[0], &power_[1], &power_[2], &power_[3]})
    m->assign(Size(stride_, n), 0.0);
  for (AlignedVector* m : {&start_, &image_, &error_, &passing_})
    m->assign(std::max(room, start_.size()), 0.0);
  for (AlignedVector* x : {&d_, &d_inverse_, &inverse_, &live_}) x->assign(Size(stride_, 1), 0.0);
  pivots_.assign(static_cast<std::size_t>(n), 0);
}

void MatrixExponential::Reserve(int n, int columns) {
  Resize(n, columns, n);
  result_.resize(n, columns);
  difference_.resize(n, columns);
}

bool MatrixExponential::Prepare(const Eigen::Ref<const MatrixX>& X, int columns, Choice* full) {
  const auto n = static_cast<int>(X.rows());
  Resize(n, columns, n - CountIntegrals(X));
  columns_ = columns;
  Eigen::Map<MatrixX, 0, Eigen::OuterStride<>>(X_.data(), n, n, Eigen::OuterStride<>(stride_)) = X;
  known_powers_ = 0;
  report_ = {};
  double norms[2];
  kernels_->balance(n, stride_, X_.data(), d_.data(), d_inverse_.data(), live_.data(),
                    scratch_.data(), norms);
  report_.raw_norm = norms[0];
  report_.norm = norms[1];
  if (!(report_.norm <= kLargestNorm)) {
    n_ = 0;  // numbers that are not finite are forgotten
    return false;
  }
  *full = {};
  while (full->place < kLast && !(report_.norm <= PadeAt(full->place).largest_norm)) ++full->place;
  if (full->place == kLast) {
    std::frexp(report_.norm / PadeAt(kLast).largest_norm, &full->squarings);
    full->squarings = std::max(full->squarings, 0);
  }
  return true;
}

MatrixExponential::Choice MatrixExponential::Bound(const Choice& full, int products) {
  if (products < 0 || products >= full.products()) return full;
  return {std::min(products, kLast), 0};
}

void MatrixExponential::Multiply(const AlignedVector& A, const AlignedVector& B, bool add,
                                 AlignedVector* C) const {
  const int panels = PanelsOf(leading_), integrals = n_ - leading_;
  const std::size_t behind = Size(stride_, leading_);
  kernels_->multiply(panels, leading_, leading_, stride_, A.data(), B.data(), add, C->data());
  kernels_->multiply(panels, n_, integrals, stride_, A.data(), B.data() + behind, add,
                     C->data() + behind);
  // the rows of N that are in no panel of A's
  for (int i = panels * kPanel; i < n_; ++i) {
    for (int j = i; j < n_; ++j) {
      double sum = add ? (*C)[Size(stride_, j) + Size(i, 1)] : 0;
      for (int k = i; k <= j; ++k)
        sum += A[Size(stride_, k) + Size(i, 1)] * B[Size(stride_, j) + Size(k, 1)];
      (*C)[Size(stride_, j) + Size(i, 1)] = sum;
    }
  }
}

void MatrixExponential::Even(std::span<const double> c, int powers, double scale, double unit,
                             AlignedVector* out) {
  double f[4] = {0};
  const double* P[4] = {X_.data()};
  double factor = scale;
  for (std::size_t k = 0; k < static_cast<std::size_t>(powers); ++k) {
    factor *= unit * unit;
    f[k] = c[2 * k + 2] * factor;
    P[k] = power_[k].data();
  }
  kernels_->combine(static_cast<int>(out->size()), std::max(powers, 1), f, P, out->data());
  for (int i = 0; i < n_; ++i) (*out)[Size(stride_ + 1, i)] += scale * c[0];
}

void MatrixExponential::MakePade(const Choice& choice) {
  const Pade& pade = PadeAt(choice.place);
  const std::span<const double> b = pade.b;
  for (; known_powers_ < pade.powers; ++known_powers_) {
    const auto k = static_cast<std::size_t>(known_powers_);
    Multiply(k == 0 ? X_ : power_[k - 1], k == 0 ? X_ : power_[0], false, &power_[k]);
  }
  // powers of 2 in the coefficients scale X exactly
  const double unit = std::ldexp(1.0, -choice.squarings);
  Even(b, pade.powers, 1, unit, &even_);
  if (pade.order <= 2) {
    const double* const X = X_.data();
    kernels_->combine(static_cast<int>(odd_.size()), 1, &b[1], &X, odd_.data());
  } else {
    // the odd part is X times an even polynomial of the odd coefficients
    Even(b.subspan(1), std::min(pade.powers, (pade.order - 1) / 2), unit, unit, &scratch_);
    if (pade.order == 13) {
      // the powers from X^8 on as X^6 times those from X^2 on
      const double* const P[] = {power_[0].data(), power_[1].data(), power_[2].data()};
      const auto high = [&](std::size_t first, double scale) {
        const double to8 = scale * std::pow(unit, 8), two = unit * unit;
        const double f[] = {b[first] * to8, b[first + 2] * to8 * two,
                            b[first + 4] * to8 * two * two};
        kernels_->combine(static_cast<int>(E_.size()), 3, f, P, E_.data());
      };
      high(8, 1);
      Multiply(power_[2], E_, true, &even_);
      high(9, unit);
      Multiply(power_[2], E_, true, &scratch_);
    }
    Multiply(X_, scratch_, false, &odd_);
  }
  kernels_->add_and_subtract(static_cast<int>(even_.size()), even_.data(), odd_.data());
  kernels_->factorize(leading_, stride_,
                      {L_.data(), odd_.data(), inverse_.data(), pivots_.data(), live_.data()});
}

void MatrixExponential::SolveDenominator(int columns, double* B, double* X) const {
  for (int c = 0; c < columns && leading_ < n_; ++c) {
    double* const b = B + Size(stride_, c);
    double* const x = X + Size(stride_, c);
    for (int i = n_ - 1; i >= leading_; --i) {
      const double* const column = odd_.data() + Size(stride_, i);
      const double value = b[i] / column[i];
      for (int k = 0; k < i && value != 0; ++k) b[k] -= column[k] * value;
      x[i] = value;
    }
  }
  const DenseFactor factor = {const_cast<double*>(L_.data()), const_cast<double*>(odd_.data()),
                              const_cast<double*>(inverse_.data()),
                              const_cast<int*>(pivots_.data()), nullptr};
  kernels_->solve(leading_, columns, stride_, factor, B, X);
}

void MatrixExponential::ApplyMatrix(const AlignedVector& P, const AlignedVector& in,
                                    AlignedVector* out) const {
  kernels_->multiply(PanelsOf(n_), n_, columns_, stride_, P.data(), in.data(), false, out->data());
}

void MatrixExponential::FormPower(int squarings) {
  SolveDenominator(n_, even_.data(), E_.data());
  for (int k = 0; k < squarings; ++k) {
    Multiply(E_, E_, false, &scratch_);
    E_.swap(scratch_);
  }
  report_.products += squarings;
}

void MatrixExponential::ApplyPade(const Choice& choice) {
  report_.order = PadeAt(choice.place).order;
  report_.squarings = choice.squarings;
  report_.products = choice.place;
  if (choice.squarings == 0) {
    ApplyMatrix(even_, start_, &passing_);
    SolveDenominator(columns_, passing_.data(), image_.data());
    return;
  }
  // the last squarings cost more than the product with V twice as often
  const double ratio = static_cast<double>(n_) / static_cast<double>(columns_);
  const int spared =
      std::clamp(static_cast<int>(std::floor(std::log2(ratio) + 0.529)), 0, choice.squarings);
  FormPower(choice.squarings - spared);
  image_ = start_;
  for (int k = 0; k < 1 << spared; ++k) {
    ApplyMatrix(E_, image_, &passing_);
    image_.swap(passing_);
  }
}

void MatrixExponential::LoadColumns(const Eigen::Ref<const MatrixX>& V) {
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < n_; ++i)
      start_[Size(stride_, c) + Size(i, 1)] = V(i, c) * d_inverse_[Size(i, 1)];
  }
}

template <class Out>
void MatrixExponential::StoreColumns(const AlignedVector& from, Out* V) const {
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < n_; ++i) (*V)(i, c) = from[Size(stride_, c) + Size(i, 1)] * d_[Size(i, 1)];
  }
}

bool MatrixExponential::Apply(const Eigen::Ref<const MatrixX>& X, Eigen::Ref<MatrixX> V,
                              int products) {
  Choice full;
  if (!Prepare(X, static_cast<int>(V.cols()), &full)) return false;
  const Choice choice = Bound(full, products);
  LoadColumns(V);
  MakePade(choice);
  ApplyPade(choice);
  StoreColumns(image_, &V);
  return V.allFinite();
}

// For an eigenvalue z of X to the left of 0 or on the axis, and q = Q / Q(0) of order m,
//   |r(z) - e^z| <= (m!)^2 / ((2m)! (2m+1)!) |z^(2m+1) / q(z)|      (the remainder's integral), and
//   |r(z) - e^z| <= 4 (m! / (2m)!)^2 |z^(2m) / q(z)^2|              (z^3 / (8 q^3) for m = 1).
// The first is the error itself where z is small, the second has its limits where z is large: r
// goes to +-1 there, and e^z to 0. That the factor 4 is enough was computed on the imaginary axis,
// where the largest ratio of analytic functions is (at most 3.8, for m = 13). Both have zeros at 0
// of such an order that the integrals in an augmented matrix are bounded like the exponential. As
// r and e^z are no larger than 1, N steps of X/N are off by no more than N times one of them.
double MatrixExponential::EstimateError(const Choice& choice, const ErrorMeasure& measure,
                                        const MatrixX& result) {
  const int m = PadeAt(choice.place).order;
  const double unit = std::ldexp(1.0, -choice.squarings), steps = std::ldexp(1.0, choice.squarings);
  const auto solve = [&] {
    SolveDenominator(columns_, error_.data(), passing_.data());
    error_.swap(passing_);
  };
  const auto times = [&](const AlignedVector& power, double factor) {
    ApplyMatrix(power, error_, &passing_);
    const double* const P = passing_.data();
    kernels_->combine(stride_ * columns_, 1, &factor, &P, error_.data());
  };
  const auto relative = [&] {
    StoreColumns(error_, &difference_);
    return measure.Relative(result, difference_);
  };
  error_ = start_;
  solve();
  for (int left = m; left > 0 && known_powers_ > 0;) {
    const int power = std::min(left, known_powers_);
    times(At(power_, power - 1), std::pow(unit, 2 * power));
    left -= power;
  }
  if (known_powers_ == 0) {  // m = 1
    times(X_, unit);
    times(X_, unit);
  }
  image_ = error_;
  // Q(0) = (2m)! / m!, and the leading coefficient of Q is 1
  times(X_, unit * steps * std::tgamma(m + 1) / std::tgamma(2 * m + 2));
  const double small = relative();
  error_.swap(image_);
  if (m == 1) {
    times(X_, unit);
    solve();
  }
  solve();
  const double factor = 4 * steps;
  const double* const P = error_.data();
  kernels_->combine(stride_ * columns_, 1, &factor, &P, error_.data());
  const double large = relative();
  return small < large ? small : large;
}

bool MatrixExponential::ApplyTo(double tolerance, const ErrorMeasure& measure,
                                const Eigen::Ref<const MatrixX>& X, Eigen::Ref<MatrixX> V,
                                int products) {
  Choice full;
  if (!Prepare(X, static_cast<int>(V.cols()), &full)) return false;
  const Choice most = Bound(full, products);
  LoadColumns(V);
  result_.resize(n_, columns_);
  difference_.resize(n_, columns_);
  const auto enough = [&](const Choice& choice) {
    MakePade(choice);
    ApplyPade(choice);
    StoreColumns(image_, &result_);
    report_.error = EstimateError(choice, measure, result_);
    return report_.error <= tolerance;
  };
  Choice choice;
  while (!enough(choice) && choice.place < most.place) ++choice.place;
  if (!(report_.error <= tolerance) && most.squarings > 0) {
    // about how many squarings, beside the result there is; then for certain
    int least = 1;
    for (int end = most.squarings; least < end;) {
      choice.squarings = (least + end) / 2;
      MakePade(choice);
      if (EstimateError(choice, measure, result_) <= tolerance) {
        end = choice.squarings;
      } else {
        least = choice.squarings + 1;
      }
    }
    choice.squarings = least;
    while (!enough(choice) && choice.squarings < most.squarings) ++choice.squarings;
  }
  V = result_;
  return V.allFinite();
}

bool MatrixExponential::Compute(const Eigen::Ref<const MatrixX>& X, MatrixX* E, int products) {
  Choice full;
  if (!Prepare(X, 0, &full)) return false;
  const Choice choice = Bound(full, products);
  report_.order = PadeAt(choice.place).order;
  report_.squarings = choice.squarings;
  report_.products = choice.place;
  MakePade(choice);
  FormPower(choice.squarings);
  E->resize(n_, n_);
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i)
      (*E)(i, j) = d_[Size(i, 1)] * E_[Size(stride_, j) + Size(i, 1)] * d_inverse_[Size(j, 1)];
  }
  return E->allFinite();
}

}  // namespace slip
