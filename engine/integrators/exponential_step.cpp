#include <cmath>

#include "engine/core/stopwatch.h"
#include "engine/integrators/exponential_system.h"
#include "engine/method/step_io.h"

namespace slip {
namespace {

// Errors of the integrals beside the integrals, in the forces that both give: the larger one of the
// mean force's and of the mean of the mean's.
class ForceError : public ErrorMeasure {
 public:
  ForceError(std::span<const AnchoredTouch> touches, std::span<const Mat3> C)
      : touches_(touches), C_(C) {}
  double Relative(const MatrixX& result, const MatrixX& error) const override {
    const auto of = [&](int column) {
      const double off = CalcForce(error, column);
      return off > 0 ? off / CalcForce(result, column) : off;
    };
    const double mean = of(0), mean_of_mean = of(1);
    return mean > mean_of_mean || std::isnan(mean) ? mean : mean_of_mean;
  }

 private:
  double CalcForce(const MatrixX& x, int column) const {
    double squared = 0;
    const auto n = static_cast<Eigen::Index>(3 * touches_.size());
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(3 * i);
      const Vec3 stretch = x.col(column).segment<3>(at), v = x.col(column).segment<3>(n + at);
      squared += (C_[i] * CalcTrialForce(touches_[i].touch.params, stretch, v)).squaredNorm();
    }
    return std::sqrt(squared);
  }

  std::span<const AnchoredTouch> touches_;
  std::span<const Mat3> C_;
};

}  // namespace

ExponentialStep::System::System(std::size_t points) : turns_(points), direction_(points) {
  const auto n = static_cast<Eigen::Index>(3 * points);
  for (VectorX* x : {&stretch_, &speed_, &pull_, &l1_, &l2_, &applied_, &end_speed_, &end_stretch_})
    x->resize(n);
  // none is moved: a solver that has not solved has members without a value
  sliding_.reserve(points + 1);
  for (std::size_t count = 0; count <= points; ++count)
    sliding_.emplace_back(static_cast<Eigen::Index>(std::max<std::size_t>(count, 1)));
  exponential_.Reserve(static_cast<int>(2 * n + 3), 2);
}

ExponentialStep::ExponentialStep() = default;
ExponentialStep::~ExponentialStep() = default;

bool ExponentialStep::Solve(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                            const ExponentialSettings& settings, ExponentialOutcome* out) {
  if (!motion->positive()) return false;
  out->acceleration = out->drift = motion->free_acceleration();
  out->forces.assign(touches.size(), Vec3::Zero());
  out->report = {};
  out->clipped = out->guard_passes = 0;
  if (touches.empty()) return true;
  return Reserve(touches.size())->Solve(motion, touches, settings, out);
}

bool ExponentialStep::Predict(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                              const ExponentialSettings& settings, double span, int samples,
                              MatrixX* forces) {
  if (!motion->positive()) return false;
  return Reserve(touches.size())->Predict(motion, touches, settings, span, samples, forces);
}

ExponentialStep::System* ExponentialStep::Reserve(std::size_t points) {
  if (systems_.size() < points) systems_.resize(points);
  std::unique_ptr<System>& system = systems_[points - 1];
  if (system == nullptr) system = std::make_unique<System>(points);
  return system.get();
}

Vec3 ExponentialStep::System::Predicted(std::size_t i, const BristleParams& params,
                                        const Vec3& stretch, const Vec3& v) const {
  return C_[i] * CalcTrialForce(params, stretch, v);
}

// The whole system over the step: h [A b x0 0; 0 0 1 0; 0 0 0 1; 0 0 0 0].
void ExponentialStep::System::MakeSystem(std::span<const AnchoredTouch> touches,
                                         const ExponentialSettings& settings) {
  const auto n = static_cast<Eigen::Index>(3 * touches.size());
  const double h = settings.h;
  augmented_.setZero(2 * n + 3, 2 * n + 3);
  augmented_.block(0, n, n, n).diagonal().setConstant(h);
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(3 * j);
    const BristleParams& params = touches[j].touch.params;
    const double stiff = -h * params.stiffness, damped = -h * params.damping;
    const auto columns = delassus_.middleCols<3>(at);
    if (states_[j] == kOpen) continue;
    if (states_[j] == kSticks) {  // C is 1
      augmented_.block(n, at, n, 3) = stiff * columns;
      augmented_.block(n, n + at, n, 3) = damped * columns;
    } else {
      augmented_.block(n, at, n, 3) = columns.lazyProduct(Mat3(stiff * C_[j]));
      augmented_.block(n, n + at, n, 3) = columns.lazyProduct(Mat3(damped * C_[j]));
    }
  }
  augmented_.col(2 * n).segment(n, n) = h * pull_;
  augmented_.col(2 * n + 1).head(n) = h * stretch_;
  augmented_.col(2 * n + 1).segment(n, n) = h * speed_;
  if (settings.slip == SlipPrediction::kAnchor) {
    // the anchors of points that slip move with them
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (states_[i] != kSlides) continue;
      const Vec3& n_W = touches[i].touch.n_W;
      const Vec3 v = Part(speed_, i);
      augmented_.col(2 * n + 1).segment<3>(n + static_cast<Eigen::Index>(3 * i)) =
          h * n_W.dot(v) * n_W;
    }
  }
  augmented_(2 * n, 2 * n + 1) = h;
  augmented_(2 * n + 1, 2 * n + 2) = h;
}

// l1_, the mean of the forces over the step, and l2_, the mean of that.
bool ExponentialStep::System::Integrate(std::span<const AnchoredTouch> touches,
                                        const ExponentialSettings& settings) {
  Stopwatch watch(settings.times != nullptr);
  MakeSystem(touches, settings);
  if (settings.times != nullptr) watch.Add(&settings.times->linear_us);
  const auto n = static_cast<Eigen::Index>(3 * touches.size());
  columns_.setZero(2 * n + 3, 2);
  columns_(2 * n + 1, 0) = columns_(2 * n + 2, 1) = 1;
  const bool done = settings.tolerance > 0
                        ? exponential_.ApplyTo(settings.tolerance, ForceError(touches, C_),
                                               augmented_, columns_, settings.products)
                        : exponential_.Apply(augmented_, columns_, settings.products);
  if (settings.times != nullptr) watch.Add(&settings.times->integrals_us);
  if (!done) return false;
  const double h = settings.h;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    const BristleParams& params = touches[i].touch.params;
    const auto force = [&](int column) {
      return Predicted(i, params, columns_.col(column).segment<3>(at),
                       columns_.col(column).segment<3>(n + at));
    };
    Part(l1_, i) = force(0) / h;
    Part(l2_, i) = 2 / (h * h) * force(1);
  }
  return l1_.allFinite() && l2_.allFinite();
}

// Whether some normal motion would grow under the friction that sliding points keep (Painlevé).
bool ExponentialStep::System::MayCollapse(std::span<const AnchoredTouch> touches) {
  std::size_t count = 0;
  for (const char state : states_) count += state != kSticks;
  auto& [normal, eigen] = sliding_[count];
  normal.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (!states_[i]) continue;
    Eigen::Index column = 0;
    for (std::size_t j = 0; j < touches.size(); ++j) {
      if (!states_[j]) continue;
      const Touch& of = touches[j].touch;
      normal(row, column++) =
          touches[i].touch.n_W.dot(delassus_.block<3, 3>(static_cast<Eigen::Index>(3 * i),
                                                         static_cast<Eigen::Index>(3 * j)) *
                                   (of.n_W + of.params.friction * direction_[j]));
    }
    ++row;
  }
  if (count == 1) return normal(0, 0) < 0;
  eigen.compute(normal, false);
  if (eigen.info() != Eigen::Success) return true;
  // four points of a rigid body make it singular: that zero is no growth
  const double zero = 1e-9 * eigen.eigenvalues().cwiseAbs().maxCoeff();
  return (eigen.eigenvalues().real().array() < -zero).any();
}

bool ExponentialStep::System::SolveLinear(TreeMotion* motion,
                                          std::span<const AnchoredTouch> touches,
                                          const ExponentialSettings& settings, int* guard_passes) {
  Stopwatch watch(settings.times != nullptr);
  SetPoints(motion, touches);
  if (settings.times != nullptr) watch.Add(&settings.times->linear_us);
  return settings.set == SlipSet::kPublished ? SolvePublished(touches, settings, guard_passes)
                                             : SolveConsistent(touches, settings, guard_passes);
}

// Where the points are, and how they move without their forces.
void ExponentialStep::System::SetPoints(TreeMotion* motion,
                                        std::span<const AnchoredTouch> touches) {
  motion->ClearPoints();
  C_.assign(touches.size(), Mat3::Identity());
  states_.assign(touches.size(), kSticks);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto& [touch, anchor_W, slid_] = touches[i];
    motion->AddPoint(touch);
    Part(stretch_, i) = touch.p_W - anchor_W;
    Part(speed_, i) = motion->CalcVelocity(touch);
    Part(pull_, i) =
        motion->CalcBias(touch) + motion->CalcAcceleration(i, motion->free_acceleration());
  }
  motion->CalcDelassus(&delassus_);
}

bool ExponentialStep::System::SolvePublished(std::span<const AnchoredTouch> touches,
                                             const ExponentialSettings& settings,
                                             int* guard_passes) {
  // which of them slip, and whether they will go on
  bool cones = false;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i].touch;
    const Vec3 v = Part(speed_, i);
    const BristleForce force = ProjectOnCone(touch.params.friction, touch.n_W,
                                             CalcTrialForce(touch.params, Part(stretch_, i), v));
    // a point that slipped at the end of the step before has its friction in its spring
    const Vec3 f_W = touches[i].slid ? Vec3(-Part(stretch_, i)) : force.f_W;
    const Vec3 ft = f_W - touch.n_W.dot(f_W) * touch.n_W;
    if (!touches[i].slid && !force.slips) continue;
    if (settings.slip == SlipPrediction::kAnchor) states_[i] = kSlides;
    if (settings.slip != SlipPrediction::kCone || ft == Vec3::Zero()) continue;
    direction_[i] = ft.normalized();
    if (direction_[i].dot(v) >= 0) continue;
    states_[i] = kSlides;
    cones = true;
  }
  const auto set_cone = [&](std::size_t i) {
    const Touch& touch = touches[i].touch;
    C_[i] = (touch.n_W + touch.params.friction * direction_[i]) * touch.n_W.transpose();
  };
  const auto clear_cones = [&] {
    std::fill(states_.begin(), states_.end(), char{kSticks});
    std::fill(C_.begin(), C_.end(), Mat3::Identity());
    cones = false;
  };
  if (cones) {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (states_[i]) set_cone(i);
    }
    if (MayCollapse(touches)) clear_cones();
  }
  if (!Integrate(touches, settings)) {
    if (!cones) return false;
    clear_cones();
    if (!Integrate(touches, settings)) return false;
  }
  // A point that would turn back does not keep sliding. The forces are those that the step applies,
  // cut to their cones: friction of a point that has just landed can be far beyond its limit.
  for (std::size_t pass = 0; cones && pass < touches.size(); ++pass) {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const Touch& touch = touches[i].touch;
      Part(applied_, i) = ProjectOnCone(touch.params.friction, touch.n_W, Part(l1_, i)).f_W;
    }
    end_speed_ = pull_;
    end_speed_.noalias() += delassus_ * applied_;
    end_speed_ = speed_ + settings.h * end_speed_;
    bool left = false;
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (!states_[i] || direction_[i].dot(Part(end_speed_, i)) < 0) continue;
      states_[i] = kSticks;
      C_[i].setIdentity();
      left = true;
    }
    if (!left) break;
    ++*guard_passes;
    if (!Integrate(touches, settings)) {
      clear_cones();
      if (!Integrate(touches, settings)) return false;
    }
  }
  return true;
}

bool ExponentialStep::System::CutPublished(std::size_t i, const Touch& touch) {
  const BristleForce mean = ProjectOnCone(touch.params.friction, touch.n_W, Part(l1_, i));
  Part(l1_, i) = mean.f_W;
  Part(l2_, i) = ProjectOnCone(touch.params.friction, touch.n_W, Part(l2_, i)).f_W;
  return mean.clipped;
}

bool ExponentialStep::System::Solve(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                                    const ExponentialSettings& settings, ExponentialOutcome* out) {
  const bool solved = SolveLinear(motion, touches, settings, &out->guard_passes);
  out->report = exponential_.report();
  if (!solved) return false;

  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i].touch;
    out->clipped +=
        settings.set == SlipSet::kPublished ? CutPublished(i, touch) : CutConsistent(i, touch);
    out->forces[i] = Part(l1_, i);
  }
  const auto add = [&](VectorX& forces, VectorX* acceleration) {
    tau_.setZero(motion->nv());
    for (std::size_t i = 0; i < touches.size(); ++i) motion->AddForce(i, Part(forces, i), &tau_);
    motion->SolveInPlace(tau_);
    *acceleration += tau_;
  };
  add(l1_, &out->acceleration);
  add(l2_, &out->drift);
  return true;
}

// x(t + dt) = exp(dt [A b; 0 0]) x(t), which is part of the step's own matrix; x ends in a 1.
bool ExponentialStep::System::Predict(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                                      const ExponentialSettings& settings, double span, int samples,
                                      MatrixX* forces) {
  int guard_passes = 0;
  if (!SolveLinear(motion, touches, settings, &guard_passes)) return false;
  ExponentialSettings interval = settings;
  interval.h = span / samples;
  MakeSystem(touches, interval);
  const auto n = static_cast<Eigen::Index>(3 * touches.size());
  MatrixX E;
  if (!exponential_.Compute(augmented_.topLeftCorner(2 * n + 1, 2 * n + 1), &E)) return false;
  VectorX x(2 * n + 1);
  x.head(2 * n) = augmented_.col(2 * n + 1).head(2 * n) / interval.h;
  x[2 * n] = 1;
  forces->resize(n, samples + 1);
  for (int k = 0; k <= samples; ++k) {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const Touch& touch = touches[i].touch;
      const auto at = static_cast<Eigen::Index>(3 * i);
      const Vec3 f_W = Predicted(i, touch.params, x.segment<3>(at), x.segment<3>(n + at));
      forces->col(k).segment<3>(at) = ProjectOnCone(touch.params.friction, touch.n_W, f_W).f_W;
    }
    x = E * x;
  }
  return forces->allFinite();
}

}  // namespace slip
