#include "engine/solver/tree_matrix.h"

#include <algorithm>

namespace slip {
namespace {

// Two numbers at a time: the same bits as one by one.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
Two Load(const double* x) { return *reinterpret_cast<const Two*>(x); }
void Store(Two value, double* x) { *reinterpret_cast<Two*>(x) = value; }

// y -= f x
void SubtractScaled(int n, double f, const double* x, double* y) {
  const Two ff = {f, f};
  int i = 0;
  for (; i + 2 <= n; i += 2) Store(Load(y + i) - ff * Load(x + i), y + i);
  if (i < n) y[i] -= f * x[i];
}

}  // namespace

void TreePattern::Assign(std::span<const int> before) {
  before_.assign(before.begin(), before.end());
  begin_.assign(1, 0);
  ways_.clear();
  for (int k = 0; k < size(); ++k) {
    if (before_[U(k)] >= 0) {
      for (int e = 0; e < Length(before_[U(k)]); ++e)
        ways_.push_back(ways_[U(Begin(before_[U(k)]) + e)]);
    }
    ways_.push_back(k);
    begin_.push_back(static_cast<int>(ways_.size()));
  }
}

void TreePattern::Pack(const double* full, double* M) const {
  for (int k = 0; k < size(); ++k, full += size()) {
    for (const int j : Way(k)) *M++ = full[j];
  }
}

void TreePattern::Unpack(const double* M, double* full) const {
  std::fill(full, full + size() * size(), 0.0);
  for (int k = 0; k < size(); ++k) {
    for (const int j : Way(k)) full[k * size() + j] = full[j * size() + k] = *M++;
  }
}

void TreePattern::Multiply(const double* M, const double* x, double* y) const {
  const int* column = ways_.data();
  for (int k = 0; k < size(); ++k) {
    const double x_k = x[k];
    double sum = 0;
    for (; *column != k; ++column, ++M) {
      sum += *M * x[*column];
      y[*column] += *M * x_k;
    }
    y[k] = sum + *M++ * x_k;
    ++column;
  }
}

void TreePattern::AddSquare(int k, const double* J, const Mat3& G, double* M) const {
  const int n = Length(k);
  const double *J0 = J, *J1 = J + n, *J2 = J1 + n;
  const int* way = ways_.data() + Begin(k);
  for (int e = 0; e < n; ++e) {
    const double g0 = G(0, 0) * J0[e] + G(0, 1) * J1[e] + G(0, 2) * J2[e];
    const double g1 = G(1, 0) * J0[e] + G(1, 1) * J1[e] + G(1, 2) * J2[e];
    const double g2 = G(2, 0) * J0[e] + G(2, 1) * J1[e] + G(2, 2) * J2[e];
    double* row = M + Begin(way[e]);
    const Two gg0 = {g0, g0}, gg1 = {g1, g1}, gg2 = {g2, g2};
    int i = 0;
    for (; i + 2 <= e + 1; i += 2) {
      Store(Load(row + i) + (Load(J0 + i) * gg0 + Load(J1 + i) * gg1 + Load(J2 + i) * gg2),
            row + i);
    }
    if (i <= e) row[i] += J0[i] * g0 + J1[i] * g1 + J2[i] * g2;
  }
}

bool TreePattern::Factorize(double* M) const {
  for (int k = size(); k-- > 0;) {
    double* row = M + Begin(k);
    const int* way = ways_.data() + Begin(k);
    const int last = Length(k) - 1;
    const double pivot = row[last];
    if (!(pivot > 0) || !(pivot < 1e300)) return false;
    const double inverse = 1 / pivot;
    for (int e = last; e-- > 0;) {
      const double factor = row[e] * inverse;
      SubtractScaled(e + 1, factor, row, M + Begin(way[e]));
      row[e] = factor;
    }
    row[last] = inverse;
  }
  return true;
}

void TreePattern::Solve(const double* L, double* x) const {
  for (int k = size(); k-- > 0;) {
    const double x_k = x[k];
    const double* row = L + Begin(k);
    for (const int* way = ways_.data() + Begin(k); *way != k; ++way) x[*way] -= *row++ * x_k;
  }
  const int* column = ways_.data();
  for (int k = 0; k < size(); ++k) {
    double sum = 0;
    for (; *column != k; ++column) sum += *L++ * x[*column];
    x[k] = x[k] * *L++ - sum;
    ++column;
  }
}

}  // namespace slip
