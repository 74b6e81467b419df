#include "engine/convex/inverse_inertia.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/solver/unroll.h"

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

// The same as TreePattern::SolveOnWay of three rows one after the other, but at once: two
// coordinates at a time, the last ones first.
void SolveRowsOnWay(const TreePattern& pattern, const double* L, int k, double* rows) {
  using Two = Eigen::Array2d;
  using Place = Eigen::Map<Two>;
  const int n = pattern.Length(k);
  const int* way = pattern.Path(k).data();
  double *x = rows, *y = rows + n, *z = rows + 2 * n;
  for (int e = n; e > 1; e -= 2) {
    const double* last = L + pattern.Begin(way[e - 1]);
    const double* before = L + pattern.Begin(way[e - 2]);
    const auto solve = [&](double* row) {
      row[e - 2] += -row[e - 1] * last[e - 2];
      return Two(-row[e - 1], -row[e - 2]);
    };
    const Two of_x = solve(x), of_y = solve(y), of_z = solve(z);
    const Two x0(of_x[0], of_x[0]), x1(of_x[1], of_x[1]), y0(of_y[0], of_y[0]);
    const Two y1(of_y[1], of_y[1]), z0(of_z[0], of_z[0]), z1(of_z[1], of_z[1]);
    int at = 0;
    for (; at + 2 <= e - 2; at += 2) {
      const Two l = Eigen::Map<const Two>(last + at), b = Eigen::Map<const Two>(before + at);
      Place of[] = {Place(x + at), Place(y + at), Place(z + at)};
      of[0] = of[0] + x0 * l + x1 * b;
      of[1] = of[1] + y0 * l + y1 * b;
      of[2] = of[2] + z0 * l + z1 * b;
    }
    if (at == e - 2) continue;
    const double l = last[at], b = before[at];
    x[at] = x[at] + of_x[0] * l + of_x[1] * b;
    y[at] = y[at] + of_y[0] * l + of_y[1] * b;
    z[at] = z[at] + of_z[0] * l + of_z[1] * b;
  }
}

}  // namespace

InverseInertia::Form InverseInertia::Recognise(const ContactTask::Tree& tree, const double* A) {
  if (tree.pattern != nullptr) return Form::kBranched;
  const int n = tree.nv;
  if (n == 6) {  // most
    const auto any = [A](int row, int count) {
      return std::any_of(A + 6 * row, A + 6 * row + count, [](double x) { return x != 0; });
    };
    if (any(3, 3) || any(4, 4) || any(5, 5)) return Form::kFull;
    return any(1, 1) || any(2, 2) ? Form::kBody : Form::kDiagonal;
  }
  bool diagonal = true;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < r; ++c) diagonal = diagonal && A[r * n + c] == 0;
  }
  return diagonal ? Form::kDiagonal : Form::kFull;
}

bool InverseInertia::Factorize(Factor* factor, const double* A) {
  const int n = factor->nv;
  double* own = factors_.data() + factor->begin;
  switch (factor->form) {
    case Form::kDiagonal: {
      bool positive = true;
      for (int i = 0; i < n; ++i) {
        own[i] = 1 / A[i * (n + 1)];
        positive = positive && own[i] > 0;
      }
      return positive;
    }
    case Form::kBody:
      for (int i = 0; i < 3; ++i) own[6 + i] = 1 / A[7 * (i + 3)];
      return Invert3(A, 6, own) && A[21] > 0 && A[28] > 0 && A[35] > 0;
    case Form::kFull:
      std::copy(A, A + n * n, own);
      return Cholesky(n, own);
    case Form::kBranched:
      std::copy(A, A + factor->pattern->entries(), own);
      return factor->pattern->Factorize(own);
  }
  return false;
}

void InverseInertia::Update(const ContactTask& task) {
  task_ = &task;
  trees_.resize(task.trees.size());
  int room = 0;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const ContactTask::Tree& tree = task.trees[t];
    trees_[t] = {.nv = tree.nv, .begin = room, .pattern = tree.pattern};
    room += std::max({tree.entries(), tree.nv, kBodySize});
  }
  factors_.resize(static_cast<std::size_t>(room));
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const ContactTask::Tree& tree = task.trees[t];
    const double* A = task.A.data() + tree.A_offset;
    Factor& factor = trees_[t];
    factor.form = Recognise(tree, A);
    if (Factorize(&factor, A)) continue;
    // nothing can be solved, but what is asked for has a size
    factor.positive = false;
    factor.form = Form::kDiagonal;
    double* own = factors_.data() + factor.begin;
    task.ForEachDiagonal(tree, [own](int c, double entry) { own[c] = 1 / entry; });
  }
}

void InverseInertia::Solve(int tree, double* x) const {
  const Factor& factor = At(trees_, tree);
  const double* own = Of(factor);
  const int n = factor.nv;
  if (!factor.positive) return std::fill(x, x + n, kNaN);
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

// W += sum_c scale_c r_c r_c^T with the columns r_c of three rows
void InverseInertia::AddScaled(int count, const double* rows, const double* scale, Symmetric* W) {
  const double *x = rows, *y = rows + count, *z = rows + 2 * count;
  for (int c = 0; c < count; ++c) {
    const Pair xy{x[c], y[c]}, both{scale[c], scale[c]};
    W->Add(xy, z[c], xy * both, z[c] * scale[c]);
  }
}

// W += J A^-1 J^T of a body at its centre of mass.
void InverseInertia::AddBody(const double* inverse, const double* rows, Symmetric* to) {
  Symmetric W = *to;
  const double *x = rows, *y = rows + 6, *z = rows + 12;
  const Pair a{x[0], y[0]}, b{x[1], y[1]}, c{x[2], y[2]};
  const auto turn = [&](double of_a, double of_b, double of_c, Pair xy, double z_i) {
    W.Add(xy, z_i, Pair{of_a, of_a} * a + Pair{of_b, of_b} * b + Pair{of_c, of_c} * c,
          of_a * z[0] + of_b * z[1] + of_c * z[2]);
  };
  turn(inverse[0], inverse[1], inverse[2], a, z[0]);
  turn(inverse[1], inverse[3], inverse[4], b, z[1]);
  turn(inverse[2], inverse[4], inverse[5], c, z[2]);
  Unroll<3>([&](auto i) SLIP_INLINE {
    const double scale = inverse[6 + i];
    const Pair xy{x[3 + i], y[3 + i]};
    W.Add(xy, z[3 + i], xy * Pair{scale, scale}, z[3 + i] * scale);
  });
  *to = W;
}

// W += y y^T with L y = J^T of three whole rows: column by column of J, x and y at once.
void InverseInertia::AddSolved(int n, const double* L, const double* rows, Symmetric* W) {
  solved_.resize(static_cast<std::size_t>(3 * n));
  double* const first = solved_.data();
  const double *x = rows, *y = rows + n, *z = rows + 2 * n;
  Symmetric sum = *W;
  for (int i = 0; i < n; ++i, L += n) {
    Pair xy{x[i], y[i]};
    double of_z = z[i];
    const double* before = first;
    for (int k = 0; k < i; ++k, before += 3) {
      xy -= Pair{L[k], L[k]} * Pair{before[0], before[1]};
      of_z -= L[k] * before[2];
    }
    xy /= Pair{L[i], L[i]};
    of_z /= L[i];
    double* own = first + 3 * i;
    own[0] = xy[0], own[1] = xy[1], own[2] = of_z;
    sum.Add(xy, of_z, xy, of_z);
  }
  *W = sum;
}

// W += J A^-1 J^T of one tree, with the whole rows J.
void InverseInertia::Add(const Factor& factor, const double* rows, Symmetric* W) {
  const double* own = Of(factor);
  const int n = factor.nv;
  if (factor.form == Form::kBody) return AddBody(own, rows, W);
  if (factor.form == Form::kDiagonal) return AddScaled(n, rows, own, W);
  if (factor.form == Form::kFull) return AddSolved(n, own, rows, W);
  solved_.assign(rows, rows + 3 * n);
  double* s[] = {solved_.data(), solved_.data() + n, solved_.data() + 2 * n};
  for (double* row : s) factor.pattern->Solve(own, row);
  for (int i = 0; i < n; ++i)
    W->Add(Pair{rows[i], rows[n + i]}, rows[2 * n + i], Pair{s[0][i], s[1][i]}, s[2][i]);
}

double InverseInertia::CalcDelassus(const ContactTask::Contact& contact) {
  Symmetric W;
  const auto of = [this](int tree) -> const Factor& { return At(trees_, tree); };
  const double *J_a = task_->J.data() + contact.J_a, *J_b = task_->J.data() + contact.J_b;
  if (contact.last >= 0) {
    // along the way alone: J A^-1 J^T = y^T D^-1 y with y = L^-T J^T
    const Factor& factor = of(contact.tree_b);
    const double* L = Of(factor);
    const TreePattern& pattern = *factor.pattern;
    const int n = pattern.Length(contact.last);
    const int* way = pattern.Path(contact.last).data();
    rows_.resize(static_cast<std::size_t>(4 * n));
    double *rows = rows_.data(), *scale = rows + 3 * n;
    std::copy_n(J_b, 3 * n, rows);
    if (factor.positive) SolveRowsOnWay(pattern, L, contact.last, rows);
    for (int i = 0; i < n; ++i) scale[i] = L[factor.positive ? pattern.Diagonal(way[i]) : way[i]];
    AddScaled(n, rows, scale, &W);
  } else if (contact.tree_a == contact.tree_b) {
    const Factor& factor = of(contact.tree_b);
    rows_.resize(static_cast<std::size_t>(3 * factor.nv));
    for (int i = 0; i < 3 * factor.nv; ++i) At(rows_, i) = J_a[i] + J_b[i];
    Add(factor, rows_.data(), &W);
  } else {
    const auto add = [&](int tree, const double* rows) {
      if (tree < 0) return;
      const Factor& factor = of(tree);
      if (factor.form == Form::kBody) return AddBody(Of(factor), rows, &W);  // most
      Add(factor, rows, &W);
    };
    add(contact.tree_a, J_a);
    add(contact.tree_b, J_b);
  }
  return W.Norm() / 3;
}

}  // namespace slip
