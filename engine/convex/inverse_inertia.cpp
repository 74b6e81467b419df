#include "engine/convex/inverse_inertia.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slip {
namespace {

constexpr int kBodySize = 9;  // of a body: six entries of the inverse moments, three of 1/m

// The inverse of a symmetric 3 x 3 matrix whose rows are `stride` apart; false where it is not
// positive definite.
bool Invert3(const double* A, int stride, double* inverse) {
  const double xx = A[0], yx = A[stride], yy = A[stride + 1], zx = A[2 * stride];
  const double zy = A[2 * stride + 1], zz = A[2 * stride + 2];
  const double c_xx = yy * zz - zy * zy, c_xy = zy * zx - yx * zz, c_xz = yx * zy - yy * zx;
  const double determinant = xx * c_xx + yx * c_xy + zx * c_xz;
  if (!(xx > 0 && xx * yy > yx * yx && determinant > 0)) return false;
  const double scale = 1 / determinant;
  const double entries[] = {
      c_xx, c_xy, c_xz, xx * zz - zx * zx, yx * zx - xx * zy, xx * yy - yx * yx};
  for (const double entry : entries) *inverse++ = entry * scale;
  return std::isfinite(scale);
}

// L of A = L Lᵀ by rows, above the diagonal nothing of use; false where A is not positive definite.
bool Cholesky(int n, double* A) {
  for (int i = 0; i < n; ++i) {
    double* row = A + i * n;
    for (int j = 0; j <= i; ++j) {
      const double* other = A + j * n;
      double sum = row[j];
      for (int k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
      } else if (sum > 0 && sum < 1e300) {
        row[i] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

void SolveLower(int n, const double* L, double* x) {
  for (int i = 0; i < n; ++i, L += n) {
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum -= L[k] * x[k];
    x[i] = sum / L[i];
  }
}

void SolveLowerTransposed(int n, const double* L, double* x) {
  for (int i = n; i-- > 0;) {
    x[i] /= L[i * n + i];
    for (int k = 0; k < i; ++k) x[k] -= L[i * n + k] * x[i];
  }
}

}  // namespace

InverseInertia::Form InverseInertia::Recognise(const ContactTask::Tree& tree, const double* A) {
  if (tree.pattern != nullptr) return Form::kBranched;
  const int n = tree.nv;
  bool diagonal = true, body = n == 6;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < r; ++c) {
      if (A[r * n + c] == 0) continue;
      diagonal = false;
      body = body && r < 3;
    }
  }
  return diagonal ? Form::kDiagonal : body ? Form::kBody : Form::kFull;
}

bool InverseInertia::Factorize(Factor* factor, const double* A) {
  const auto append = [&](int size) {
    factor->begin = static_cast<int>(factors_.size());
    factors_.resize(factors_.size() + static_cast<std::size_t>(size));
    return factors_.data() + factor->begin;
  };
  const int n = factor->nv;
  switch (factor->form) {
    case Form::kDiagonal: {
      double* inverse = append(n);
      for (int i = 0; i < n; ++i) inverse[i] = 1 / A[i * (n + 1)];
      return std::all_of(inverse, inverse + n, [](double x) { return x > 0; });
    }
    case Form::kBody: {
      double* inverse = append(kBodySize);
      for (int i = 0; i < 3; ++i) inverse[6 + i] = 1 / A[7 * (i + 3)];
      return Invert3(A, 6, inverse) && A[21] > 0 && A[28] > 0 && A[35] > 0;
    }
    case Form::kFull: {
      double* L = append(n * n);
      std::copy(A, A + n * n, L);
      return Cholesky(n, L);
    }
    case Form::kBranched: {
      double* L = append(factor->pattern->entries());
      std::copy(A, A + factor->pattern->entries(), L);
      return factor->pattern->Factorize(L);
    }
  }
  return false;
}

void InverseInertia::Update(const ContactTask& task) {
  task_ = &task;
  trees_.clear();
  factors_.clear();
  for (const ContactTask::Tree& tree : task.trees) {
    const double* A = task.A.data() + tree.A_offset;
    Factor& factor = trees_.emplace_back();
    factor.form = Recognise(tree, A);
    factor.nv = tree.nv;
    factor.pattern = tree.pattern;
    if (Factorize(&factor, A)) continue;
    // nothing can be solved, but what is asked for has a size
    factor.positive = false;
    factor.form = Form::kDiagonal;
    factor.begin = static_cast<int>(factors_.size());
    task.ForEachDiagonal(tree, [this](int, double entry) { factors_.push_back(1 / entry); });
  }
}

void InverseInertia::Solve(int tree, double* x) const {
  const Factor& factor = trees_[static_cast<std::size_t>(tree)];
  const double* own = Of(factor);
  const int n = factor.nv;
  if (!factor.positive) return std::fill(x, x + n, std::numeric_limits<double>::quiet_NaN());
  switch (factor.form) {
    case Form::kDiagonal:
      for (int i = 0; i < n; ++i) x[i] *= own[i];
      return;
    case Form::kBody: {
      const double a = x[0], b = x[1], c = x[2];
      x[0] = own[0] * a + own[1] * b + own[2] * c;
      x[1] = own[1] * a + own[3] * b + own[4] * c;
      x[2] = own[2] * a + own[4] * b + own[5] * c;
      for (int i = 0; i < 3; ++i) x[3 + i] *= own[6 + i];
      return;
    }
    case Form::kFull:
      SolveLower(n, own, x);
      SolveLowerTransposed(n, own, x);
      return;
    case Form::kBranched:
      factor.pattern->Solve(own, x);
      return;
  }
}

// W += sum_c scale_c r_c r_c^T with r_c = (x_c, y_c, z_c)
void InverseInertia::AddScaled(int count, const double* x, const double* y, const double* z,
                               const double* scale, Symmetric* to) {
  Symmetric& W = *to;
  for (int c = 0; c < count; ++c) {
    const double sx = x[c] * scale[c], sy = y[c] * scale[c], sz = z[c] * scale[c];
    W[0] += sx * x[c];
    W[1] += sx * y[c];
    W[2] += sx * z[c];
    W[3] += sy * y[c];
    W[4] += sy * z[c];
    W[5] += sz * z[c];
  }
}

// W += J A^-1 J^T of one tree, with the whole rows J.
void InverseInertia::Add(const Factor& factor, const double* rows, Symmetric* to) {
  Symmetric& W = *to;
  const double* own = Of(factor);
  const int n = factor.nv;
  const double *x = rows, *y = rows + n, *z = rows + 2 * n;
  if (factor.form == Form::kDiagonal) return AddScaled(n, x, y, z, own, to);
  const auto add = [&W](int count, const double* const* solved, const double* const* with) {
    for (int i = 0; i < count; ++i) {
      W[0] += solved[0][i] * with[0][i];
      W[1] += solved[0][i] * with[1][i];
      W[2] += solved[0][i] * with[2][i];
      W[3] += solved[1][i] * with[1][i];
      W[4] += solved[1][i] * with[2][i];
      W[5] += solved[2][i] * with[2][i];
    }
  };
  const double* with[] = {x, y, z};
  if (factor.form == Form::kBody) {  // most: nothing is copied
    double body[3][6];
    for (int r = 0; r < 3; ++r) {
      const double a = with[r][0], b = with[r][1], c = with[r][2];
      body[r][0] = own[0] * a + own[1] * b + own[2] * c;
      body[r][1] = own[1] * a + own[3] * b + own[4] * c;
      body[r][2] = own[2] * a + own[4] * b + own[5] * c;
      for (int i = 0; i < 3; ++i) body[r][3 + i] = with[r][3 + i] * own[6 + i];
    }
    const double* solved[] = {body[0], body[1], body[2]};
    return add(6, solved, with);
  }
  solved_.assign(rows, rows + 3 * n);
  double* s[] = {solved_.data(), solved_.data() + n, solved_.data() + 2 * n};
  const double* solved[] = {s[0], s[1], s[2]};
  for (double* row : s) {
    if (factor.form == Form::kFull) {
      SolveLower(n, own, row);
    } else {
      factor.pattern->Solve(own, row);
    }
  }
  add(n, solved, factor.form == Form::kFull ? solved : with);
}

double InverseInertia::CalcDelassus(const ContactTask::Contact& contact) {
  Symmetric W{};
  const auto of = [this](int tree) -> const Factor& {
    return trees_[static_cast<std::size_t>(tree)];
  };
  const double *J_a = task_->J.data() + contact.J_a, *J_b = task_->J.data() + contact.J_b;
  if (contact.last >= 0) {
    // along the way alone: J A^-1 J^T = y^T D^-1 y with y = L^-T J^T
    const Factor& factor = of(contact.tree_b);
    const double* L = Of(factor);
    const TreePattern& pattern = *factor.pattern;
    const int n = task_->Columns(contact);
    const int* way = task_->WayOf(contact);
    rows_.assign(J_b, J_b + 3 * n);
    solved_.resize(static_cast<std::size_t>(n));
    if (factor.positive) {
      for (int r = 0; r < 3; ++r) pattern.SolveOnWay(L, contact.last, rows_.data() + r * n);
    }
    for (int i = 0; i < n; ++i)
      solved_[static_cast<std::size_t>(i)] = L[factor.positive ? pattern.Diagonal(way[i]) : way[i]];
    AddScaled(n, rows_.data(), rows_.data() + n, rows_.data() + 2 * n, solved_.data(), &W);
  } else if (contact.tree_a == contact.tree_b) {
    const Factor& factor = of(contact.tree_b);
    rows_.resize(static_cast<std::size_t>(3 * factor.nv));
    for (int i = 0; i < 3 * factor.nv; ++i) rows_[static_cast<std::size_t>(i)] = J_a[i] + J_b[i];
    Add(factor, rows_.data(), &W);
  } else {
    if (contact.tree_a >= 0) Add(of(contact.tree_a), J_a, &W);
    if (contact.tree_b >= 0) Add(of(contact.tree_b), J_b, &W);
  }
  const double off = W[1] * W[1] + W[2] * W[2] + W[4] * W[4];
  return std::sqrt(W[0] * W[0] + W[3] * W[3] + W[5] * W[5] + 2 * off) / 3;
}

}  // namespace slip
