// The loops of the interior point of engine/solver/convex_qp.h, compiled once per instruction set
// and chosen at run time. Every variant takes the same products and sums in the same order, none is
// fused: the bits are the same on every processor. Plain data only, as in engine/solver/kernels6.h.
//
// All in the scaled variables of the solver: y unknowns, slacks s = A y - b, multipliers z.
#pragma once

#include "engine/solver/panel.h"

namespace slip {

/// A scaled problem and where its iteration stands. Arrays begin on a cache line and hold whole
/// panels; what pads them is zero, but for idle rows.
struct QpArrays {
  int n;        ///< unknowns
  int stride;   ///< n in whole panels
  int rows;     ///< in whole panels
  double eps;   ///< A y - s + eps z = b
  double soft;  ///< what stands for eps in a step, at least as much: bounds the weights w
  // the problem
  double* H;       ///< stride x n, by columns
  double* g;       ///< stride
  double* A;       ///< rows x stride, by columns
  double* b;       ///< rows
  double* weight;  ///< residuals count by so much, rows
  double* idle;    ///< 1 for rows that pad or were dropped, 0 elsewhere. Idle rows have zeros in A
                   ///< and z, -1 in b, 1 in s, and stay so.
  // the iterate and the step from it
  double *y, *s, *z;
  double *dy, *ds, *dz;
  // what belongs to the iterate
  double* rd;         ///< H y - g - A^T z, stride
  double* predictor;  ///< right side of the predictor, stride
  double* rp;         ///< A y - b - s + eps z
  double* w;          ///< z / (s + soft z)
  double* inverse;    ///< 1 / (s + soft z), 0 for idle rows
  double* inverse_s;  ///< 1 / s, 0 for idle rows
  double* inverse_z;  ///< 1 / z
  // scratch
  double* v;              ///< rows
  double* WA;             ///< rows x n: diag(w) A
  double* N;              ///< stride x n: H + A^T diag(w) A
  double* L;              ///< stride x n: N = L D L^T, L without its diagonal of ones
  double* inverse_pivot;  ///< 1 / D, stride
  double* sums;           ///< stride x 2
};

/// The problem as it was given, by columns: H of n rows, A of m.
struct QpSource {
  int m;
  const double *H, *g, *A, *b;
};

/// In units of the problem as it was given.
struct QpVerdict {
  bool finite;             ///< the slacks are
  double stationarity;     ///< max |H x - g - A^T lambda|
  double violation;        ///< max(0, -slack)
  double complementarity;  ///< max |slack lambda|
};

struct QpResiduals {
  double primal;  ///< max |rp_i| weight_i
  double dual;    ///< max |rd_i|
  double gap;     ///< s . z
  double largest_w, largest_z, largest_y;
};

struct QpStep {
  double ratio_s, ratio_z;  ///< the largest -ds_i / s_i and -dz_i / z_i: what a full step uses up
  double gap_s;             ///< ds . z
  double gap_z;             ///< s . dz
  double gap_sz;            ///< ds . dz
  double largest_dy;
};

struct QpPivots {
  double smallest, largest;
};

struct QpKernels {
  const char* name;
  /// D = 1 / sqrt(diag H) into `scale`; then D H D and D g.
  void (*scale_unknowns)(const QpArrays& q, const QpSource& from, double* scale);
  /// A D with rows of length one, the inverses of their lengths, b of the same rows, and who is
  /// idle; the largest b. False, with all of it to be made anew, where a square of a length is not
  /// between `least` and `most`, or b is not finite.
  bool (*scale_rows)(const QpArrays& q, const QpSource& from, const double* scale, double least,
                     double most, double* inverse, double* largest_b);
  /// b of rows that are not idle times `factor`, and `weight`: 1, or `large` / |b| where b is
  /// larger. False where b is not finite then.
  bool (*scale_sides)(const QpArrays& q, double factor, double large);
  /// rp, rd, w, the inverses and the predictor's right side, of the iterate.
  void (*calc_residuals)(const QpArrays& q, QpResiduals* out);
  /// N and its factors. False where a pivot is not above `least`.
  bool (*factorize)(const QpArrays& q, double least, QpPivots* out);
  /// dy, ds, dz of the predictor: towards s z = 0.
  void (*predict)(const QpArrays& q, QpStep* out);
  /// The same towards s z = target, with the predictor's ds dz taken off.
  void (*correct)(const QpArrays& q, double target, QpStep* out);
  /// The step of the corrector, closer to the solution of its equations.
  void (*refine)(const QpArrays& q, QpStep* out);
  /// (y, s, z) + step (dy, ds, dz), into arrays that may be those.
  void (*advance)(const QpArrays& q, double step, double* y, double* s, double* z);
  /// y = N^-1 (g + A^T b) and s = A y - b; the smallest s.
  void (*start)(const QpArrays& q, double* least);
  /// s and z whose products are `mu` and whose difference is what s was.
  void (*center)(const QpArrays& q, double mu);
  /// slack = A x - b of the problem as it was given, and how well x and lambda solve it.
  void (*judge)(const QpArrays& q, const QpSource& of, const double* x, const double* lambda,
                double* slack, QpVerdict* out);
};

/// Numbers of unknowns whose kernels are written out: two on a line, a point, a body, a body and
/// a hand. The first one stands for all others.
inline constexpr int kQpUnknowns[] = {0, 2, 3, 6, 13};
inline constexpr int kQpSizes = sizeof(kQpUnknowns) / sizeof(kQpUnknowns[0]);

struct QpKernelTable {
  QpKernels sizes[kQpSizes];
};

/// For n unknowns: some sizes are written out. The variant of the instruction set that
/// GetKernels6() has chosen.
const QpKernels& GetQpKernels(int n);

/// Variants of this build that this processor has, the baseline first; null past the last.
const QpKernels* FindQpKernels(int index, int n);

}  // namespace slip
