// Small random quadratic programs, most of them awkward.
#pragma once

#include <random>

#include "engine/solver/convex_qp.h"

namespace slip::test {

enum class QpKind {
  kFeasible,     ///< a point is strictly inside
  kAny,          ///< whatever comes: feasible or not
  kDegenerate,   ///< more rows than unknowns meet in a point, often the optimum
  kDuplicated,   ///< rows again, some scaled, rows of zeros
  kFlat,         ///< a row and its opposite: without interior, but for other rows feasible
  kInfeasible,   ///< a row and its opposite, apart
  kWeak,         ///< active rows whose multipliers are 0
  kBadlyScaled,  ///< one of those above in other units, by powers of ten from -12 to 12
  kCount
};

struct RandomQp {
  QpKind kind;
  ConvexQp qp;    ///< what is to be solved
  ConvexQp same;  ///< the same in good units: x of `qp` is x of this one times `units`
  VectorX units;
};

class RandomQps {
 public:
  explicit RandomQps(unsigned seed) : random_(seed) {}
  /// 1 to 4 unknowns, 0 to 6 rows.
  RandomQp Next(QpKind kind);
  /// All entries powers of ten from -12 to 12 with random signs, H diagonally dominant when scaled.
  ConvexQp Wild();

 private:
  double Number(double a, double b) {
    return a + (b - a) * static_cast<double>(random_()) / 4294967296.0;
  }
  int Count(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  ConvexQp Make(QpKind kind);
  std::mt19937 random_;
};

/// How far x and lambda are from the conditions of an optimum, in units of diag(H)^(1/2) x and
/// beside the size of what is known of x, `scale`, or of a row's b.
struct QpErrors {
  double scale = 0, stationarity = 0, violation = 0, complementarity = 0;
};
QpErrors CalcQpErrors(const ConvexQp& qp, const VectorX& x, const VectorX& lambda);

}  // namespace slip::test
