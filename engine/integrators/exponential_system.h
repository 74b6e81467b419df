// What a step of exponential integration has of one tree and so many points: internal to
// exponential_step.cpp, which integrates, and slip_sets.cpp, which says who slides.
#pragma once

#include <span>
#include <vector>

#include "engine/integrators/exponential_step.h"

namespace slip {

/// The linear system of one number of points: memory, and the way through a step.
class ExponentialStep::System {
 public:
  /// Of so many points.
  explicit System(std::size_t points);
  bool Solve(TreeMotion* motion, std::span<const AnchoredTouch> touches,
             const ExponentialSettings& settings, ExponentialOutcome* out);
  bool Predict(TreeMotion* motion, std::span<const AnchoredTouch> touches,
               const ExponentialSettings& settings, double span, int samples, MatrixX* forces);

 private:
  /// The three rows of a point.
  static auto Part(VectorX& x, std::size_t i) {
    return x.segment<3>(static_cast<Eigen::Index>(3 * i));
  }
  /// The normal inverse inertia among points that slide, and its eigenvalues.
  struct Sliding {
    explicit Sliding(Eigen::Index size) : normal(size, size), eigen(size) {}
    MatrixX normal;
    Eigen::EigenSolver<MatrixX> eigen;
  };

  /// What is taken for granted of a point within the step.
  enum PointState : char { kSticks, kSlides, kOpen };
  /// How often a point has left a state: none goes on for ever.
  struct Turns {
    char first = kSticks, opened = 0, slid = 0, stuck = 0;
  };

  /// Which points slide or are open, and l1_ and l2_ with them.
  bool SolveLinear(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                   const ExponentialSettings& settings, int* guard_passes);
  void SetPoints(TreeMotion* motion, std::span<const AnchoredTouch> touches);
  bool SolvePublished(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings,
                      int* guard_passes);
  bool SolveConsistent(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings,
                       int* passes);
  /// Takes the point for something else where its force or its end contradict. True: it has.
  bool Reconsider(std::size_t i, const Touch& touch, const ExponentialSettings& settings);
  void SetState(std::size_t i, const Touch& touch, PointState state);
  /// Cuts l1_ and l2_ to what the points can give; true where that changed something.
  bool CutPublished(std::size_t i, const Touch& touch);
  bool CutConsistent(std::size_t i, const Touch& touch);
  void MakeSystem(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings);
  bool Integrate(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings);
  bool MayCollapse(std::span<const AnchoredTouch> touches);
  /// Force of a point at this stretch and velocity, by the prediction in use.
  Vec3 Predicted(std::size_t i, const BristleParams& params, const Vec3& stretch,
                 const Vec3& v) const;

  MatrixX delassus_;  // J M⁻¹ Jᵀ
  MatrixX augmented_, columns_;
  VectorX stretch_, speed_, pull_;  // p - anchor, ṗ, and their free acceleration
  std::vector<Mat3> C_;             // of each point's force: 1, the cone's, or 0
  std::vector<char> states_;        // PointState
  std::vector<Turns> turns_;
  std::vector<Vec3> direction_;
  VectorX l1_, l2_, applied_, end_speed_, end_stretch_, tau_;
  std::vector<Sliding> sliding_;  // by how many slide
  MatrixExponential exponential_;
};

}  // namespace slip
