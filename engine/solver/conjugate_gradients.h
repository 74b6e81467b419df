// Preconditioned conjugate gradients (Hestenes, Stiefel 1952) for matrices that are only applied.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// Keeps its vectors from solve to solve.
class ConjugateGradients {
 public:
  /// x := an approximation of H^-1 x, n numbers. multiply(p, y) sets y = H p, precondition(z)
  /// replaces z by M^-1 z; both symmetric positive definite. Ends when the residual's norm in M^-1
  /// has fallen to `tolerance` of its first, or after `most` iterations; returns their number.
  /// Whenever it ends, x^T H x = x^T b: along x a quadratic cost has its minimum at a full step.
  template <class Multiply, class Precondition>
  int Solve(Eigen::Index n, double tolerance, int most, Multiply&& multiply,
            Precondition&& precondition, double* x) {
    Eigen::Map<VectorX> solution(x, n);
    residual_ = solution;
    solution.setZero();
    image_.resize(n);
    step_ = residual_;
    precondition(&step_);
    direction_ = step_;
    double energy = residual_.dot(step_);
    const double enough = tolerance * tolerance * energy;
    int iteration = 0;
    while (iteration < most && energy > enough) {
      multiply(direction_, &image_);
      const double curvature = direction_.dot(image_);
      if (!(curvature > 0)) break;  // round-off, or not a number
      const double alpha = energy / curvature;
      solution += alpha * direction_;
      residual_ -= alpha * image_;
      step_ = residual_;
      precondition(&step_);
      const double next = residual_.dot(step_);
      direction_ = step_ + next / energy * direction_;
      energy = next;
      ++iteration;
    }
    return iteration;
  }

 private:
  VectorX residual_, step_, direction_, image_;
};

}  // namespace slip
