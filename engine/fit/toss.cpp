#include "engine/fit/toss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/dynamics/joint.h"
#include "engine/fit/flight.h"
#include "engine/foreign/foreign_compare.h"

namespace slip {
namespace {

/// Turns and spins of a body without torque, in its own axes, at the given times.
struct FreeSpin {
  Vec3 inertia;
  std::vector<double> times;

  std::vector<Quat> Run(const Quat& q0, const Vec3& w0_B) const {
    std::vector<Quat> turns = {q0};
    Quat q = q0;
    Vec3 w = w0_B;
    const auto spin = [this](const Vec3& at) {
      return Vec3(-at.cross(inertia.cwiseProduct(at)).cwiseQuotient(inertia));
    };
    for (std::size_t k = 1; k < times.size(); ++k) {
      constexpr int kParts = 4;
      const double h = (times[k] - times[k - 1]) / kParts;
      for (int i = 0; i < kParts; ++i) {
        const Vec3 half = w + 0.5 * h * spin(w);
        q = (q * Turn(h * half)).normalized();
        w += h * spin(half);
      }
      turns.push_back(q);
    }
    return turns;
  }
  static Quat Turn(const Vec3& angle) {
    const double size = angle.norm();
    return size > 0 ? Quat(Eigen::AngleAxisd(size, angle / size)) : Quat::Identity();
  }
};

/// Gauss and Newton over the first turn and the first spin; both in the body's axes.
void FitSpin(const FreeSpin& free, const std::vector<Quat>& measured, Quat* q0, Vec3* w0_B) {
  const std::size_t n = measured.size();
  const auto residual = [&](const Quat& q, const Vec3& w) {
    const std::vector<Quat> turns = free.Run(q, w);
    VectorX r(static_cast<Eigen::Index>(3 * n));
    for (std::size_t k = 0; k < n; ++k) {
      r.segment<3>(static_cast<Eigen::Index>(3 * k)) =
          CalcRotationVector(turns[k].conjugate() * measured[k]);
    }
    return r;
  };
  for (int round = 0; round < 4; ++round) {
    const VectorX r = residual(*q0, *w0_B);
    MatrixX J(r.size(), 6);
    for (int i = 0; i < 6; ++i) {
      constexpr double kStep = 1e-6;
      Vec6 step = Vec6::Zero();
      step[i] = kStep;
      J.col(i) =
          (residual(*q0 * FreeSpin::Turn(step.head<3>()), *w0_B + step.tail<3>()) - r) / kStep;
    }
    const Vec6 move = (J.transpose() * J).ldlt().solve(-J.transpose() * r);
    if (!move.allFinite()) return;
    *q0 = (*q0 * FreeSpin::Turn(move.head<3>())).normalized();
    *w0_B += move.tail<3>();
  }
}

/// Least squares of the parabola over the first n samples, and of the spin.
void FitFlight(const ForeignRun& run, const Config& config, int body, int64_t n, Pose* X, Vec6* V) {
  const Vec3 gravity = CalcGravity(config.step);
  std::vector<Pose> all;
  std::vector<Quat> turns;
  FreeSpin free{run.model().body(body).inertia_B, {}};
  double s1 = 0, s2 = 0;
  Vec3 p0 = Vec3::Zero(), p1 = Vec3::Zero();
  for (int64_t k = 0; k < n; ++k) {
    run.GetPoses(k, &all);
    const double t = run.time(k) - run.time(0);
    const Vec3 p = At(all, body).p - 0.5 * t * t * gravity;
    s1 += t, s2 += t * t;
    p0 += p, p1 += t * p;
    turns.push_back(At(all, body).q);
    free.times.push_back(t);
  }
  const double count = static_cast<double>(n), det = count * s2 - s1 * s1;
  X->p = (s2 * p0 - s1 * p1) / det;
  V->tail<3>() = (count * p1 - s1 * p0) / det;
  Quat q = turns.front();
  Vec3 w_B = Vec3::Zero();
  for (std::size_t k = 1; k < turns.size(); ++k)
    w_B += CalcRotationVector(turns[k - 1].conjugate() * turns[k]) / free.times.back();
  FitSpin(free, turns, &q, &w_B);
  X->q = q;
  V->head<3>() = q * w_B;
}

/// The way of a channel from the start of a toss to a time, or up to a step that is refused.
MotionTrail Follow(const std::shared_ptr<const Model>& model, const Config& config,
                   const TossStart& start, double begin, double end, const StopPoll& stop) {
  Simulation sim(model, config);
  sim.SetMeasureCondition(false, false);
  sim.SetStop(stop);
  State state = StateOf(*model, start.X_WB, start.V_WB);
  state.time_base = begin;
  sim.SetState(state);
  MotionTrail trail;
  trail.Add(sim);
  while (trail.end() < end && Advanced(sim.Step())) trail.Add(sim);
  return trail;
}

}  // namespace

TossStart FindStart(const ForeignRun& run, const Config& config, bool smooth) {
  TossStart start;
  run.GetPoses(0, &start.X_WB);
  run.GetVelocities(0, &start.V_WB);
  start.flight.assign(start.X_WB.size(), 0);
  if (!smooth) return start;
  const std::vector<int64_t> flight = CountFlight(run, config);
  for (std::size_t b = 0; b < flight.size(); ++b) {
    const int body = static_cast<int>(b);
    const int64_t n = CountBallistic(run, config, body, flight[b]);
    if (n < kLeastFlight) continue;
    start.flight[b] = n;
    FitFlight(run, config, body, n, &start.X_WB[b], &start.V_WB[b]);
  }
  return start;
}

Toss::Toss(std::shared_ptr<const ForeignRun> run, const std::shared_ptr<const Model>& model,
           const Config& config, bool smooth)
    : run_(std::move(run)), start_(FindStart(*run_, config, smooth)) {
  for (std::size_t b = 0; b < model->bodies.size(); ++b) {
    const Body& body = model->bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0 || !run_->Has(static_cast<int>(b))) continue;
    bodies_.push_back(static_cast<int>(b));
    spread_.push_back((Vec3::Constant(0.5 * body.inertia_B.sum()) - body.inertia_B) / body.mass);
  }
  std::vector<Pose> X;
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (int64_t k = 0; k < run_->samples(); ++k) {
    times_.push_back(run_->time(k));
    run_->GetPoses(k, &X);
    for (const int body : bodies_) {
      measured_.push_back(At(X, body));
      low = low.cwiseMin(At(X, body).p);
      high = high.cwiseMax(At(X, body).p);
    }
  }
  width_ = (high - low).norm();
  for (const int body : bodies_) width_ = std::max(width_, 2 * model->body(body).bound);

  // one step moves a body by its new velocity, or by the old one: after its flight it is off
  const int64_t flight = *std::max_element(start_.flight.begin(), start_.flight.end());
  if (flight == 0) return;
  const MotionTrail trail =
      Follow(model, config, start_, times_.front(), At(times_, flight - 1), {});
  for (const int body : bodies_) {
    const int64_t n = At(start_.flight, body);
    if (n == 0 || trail.end() < At(times_, n - 1)) continue;
    const double time = At(times_, n - 1), t = time - times_.front();
    Vec6& V = At(start_.V_WB, body);
    const Vec3 flown =
        At(start_.X_WB, body).p + t * V.tail<3>() + 0.5 * t * t * CalcGravity(config.step);
    V.tail<3>() += (flown - trail.Interpolate(body, time).p) / t;
  }
}

TossError Toss::Measure(const std::shared_ptr<const Model>& model, const Config& config,
                        const StopPoll& stop) const {
  const MotionTrail trail = Follow(model, config, start_, times_.front(), times_.back(), stop);
  TossError error;
  error.failed = trail.end() < times_.back();
  double way = 0, position = 0, angle = 0;
  const std::size_t count = bodies_.size();
  for (std::size_t k = 0; k < times_.size() && !error.failed; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      const Pose& measured = measured_[k * count + i];
      const Pose ours = trail.Interpolate(bodies_[i], times_[k]);
      const double apart = (ours.p - measured.p).squaredNorm();
      const Quat turn = measured.q.conjugate() * ours.q;
      const Vec3 lost = Vec3::Ones() - turn.normalized().toRotationMatrix().diagonal();
      position += apart;
      way += apart + 2 * spread_[i].dot(lost);
      angle += CalcRotationVector(turn).squaredNorm();
    }
  }
  const double n = static_cast<double>(times_.size() * count);
  error.way = std::sqrt(way / n);
  error.position = std::sqrt(position / n);
  error.angle = std::sqrt(angle / n);
  // a number that is no number would stop the search
  if (error.failed || !std::isfinite(error.way)) error = {width_, width_, std::numbers::pi, true};
  return error;
}

}  // namespace slip
