#include "engine/solver/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kGoodPivot = 0.1;  // share of its column at which the diagonal is kept
constexpr double kCertain = 1e-11;  // a pivot over the largest number of its row, in the beginning

}  // namespace

void DenseLu::Reserve(int n) {
  const auto size = ToIndex(n);
  if (scratch_.size() >= size) return;
  entries_.resize(size * size);
  scratch_.resize(size);
  row_of_.resize(size);
  columns_.resize(size);
}

double* DenseLu::Start(int n) {
  Reserve(n);
  n_ = n;
  return entries_.data();
}

bool DenseLu::Factorize() {
  sign_ = 1;
  certain_ = true;
  for (int i = 0; i < n_; ++i) {
    const double* row = entries_.data() + i * n_;
    double most = 0;
    for (int j = 0; j < n_; ++j) most = std::max(most, std::abs(row[j]));
    At(scratch_, i) = most;
  }
  std::iota(row_of_.begin(), row_of_.begin() + n_, 0);
  for (int k = 0; k < n_; ++k) {
    double most = 0;
    int at = k;
    for (int i = k; i < n_; ++i) {
      const double size = std::abs(Row(i)[k]);
      if (size > most) most = size, at = i;
    }
    if (!(most > 0) || !std::isfinite(most)) return false;
    if (at != k && !(std::abs(Row(k)[k]) >= kGoodPivot * most)) {
      std::swap(At(row_of_, k), At(row_of_, at));
      sign_ = -sign_;
    }
    const double* pivot = Row(k);
    if (!std::isfinite(pivot[k])) return false;
    if (pivot[k] < 0) sign_ = -sign_;
    certain_ = certain_ && std::abs(pivot[k]) > kCertain * At(scratch_, At(row_of_, k));
    int count = 0;
    for (int j = k + 1; j < n_; ++j) {
      if (pivot[j] != 0) At(columns_, count++) = j;
    }
    const bool full = 2 * count > n_ - k - 1;
    for (int i = k + 1; i < n_; ++i) {
      double* row = Row(i);
      if (row[k] == 0) continue;
      const double l = row[k] / pivot[k];
      row[k] = l;
      if (full) {
        for (int j = k + 1; j < n_; ++j) row[j] -= l * pivot[j];
      } else {
        for (int c = 0; c < count; ++c) row[At(columns_, c)] -= l * pivot[At(columns_, c)];
      }
    }
  }
  return true;
}

void DenseLu::Solve(double* x) {
  for (int i = 0; i < n_; ++i) {
    const double* row = Row(i);
    double sum = x[At(row_of_, i)];
    for (int j = 0; j < i; ++j) sum -= row[j] * At(scratch_, j);
    At(scratch_, i) = sum;
  }
  for (int i = n_ - 1; i >= 0; --i) {
    const double* row = Row(i);
    double sum = At(scratch_, i);
    for (int j = i + 1; j < n_; ++j) sum -= row[j] * x[j];
    x[i] = sum / row[i];
  }
}

}  // namespace slip
