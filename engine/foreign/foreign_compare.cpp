#include "engine/foreign/foreign_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/dynamics/kinematics.h"

namespace slip {
namespace {

constexpr std::size_t kMostMoments = std::size_t{1} << 22;
constexpr double kBestWithin = 0.5;  // [s]

/// Mean square of the distance of the lead body, the recording being moved by `shift` [m^2];
/// infinite where less than half of the shorter one is common to both.
double Misfit(const ForeignRun& run, const MotionTrail& trail, double shift) {
  const int lead = run.model().lead_body;
  const int64_t stride = std::max<int64_t>(1, run.samples() / 2000);
  std::vector<Pose> X;
  double sum = 0;
  int64_t count = 0;
  const double begin = run.time(0) + shift, end = run.time(run.samples() - 1) + shift;
  const double common = std::min(end, trail.end()) - std::max(begin, trail.begin());
  if (!(common >= 0.5 * std::min(end - begin, trail.end() - trail.begin()))) return kInfinity;
  for (int64_t k = 0; k < run.samples(); k += stride) {
    const double time = run.time(k) + shift;
    if (time < trail.begin() || time > trail.end()) continue;
    run.GetPoses(k, &X);
    sum += (slip::At(X, lead).p - trail.Interpolate(lead, time).p).squaredNorm();
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : kInfinity;
}

double FindBest(const ForeignRun& run, const MotionTrail& trail) {
  double best = 0, least = Misfit(run, trail, 0), width = kBestWithin;
  for (int round = 0; round < 8; ++round) {
    const double center = best;
    constexpr int kTries = 20;
    for (int i = -kTries; i <= kTries; ++i) {
      const double shift = center + width * i / kTries;
      const double misfit = Misfit(run, trail, shift);
      if (misfit < least) least = misfit, best = shift;
    }
    width *= 0.15;
  }
  return best;
}

double FirstOverlap(const ForeignRun& run, const Config& config) {
  // a copy: the one that is measured later begins anew
  ForeignMeasure measure(std::make_shared<ForeignRun>(run), config);
  for (int64_t k = 0; k < run.samples(); ++k) {
    if (slip::At(measure.At(k).signals, Signal::kPenetration) > 0) return run.time(k);
  }
  return kNaN;
}

}  // namespace

void MotionTrail::Add(const Simulation& simulation) {
  const State& state = simulation.state();
  if (std::isnan(first_contact_) && slip::At(simulation.signals(), Signal::kPenetration) > 0)
    first_contact_ = simulation.time();
  bodies_ = state.X_WB.size();
  if (seen_++ % stride_ != 0) return;
  times_.push_back(simulation.time());
  for (std::size_t b = 0; b < bodies_; ++b) {
    const Vec6 V = CalcVelocity(simulation.model(), state, static_cast<int>(b));
    moments_.push_back({state.X_WB[b], V.tail<3>()});
  }
  Thin();
}

void MotionTrail::Add(double time, std::span<const BodyFrame> bodies, bool overlaps) {
  if (std::isnan(first_contact_) && overlaps) first_contact_ = time;
  bodies_ = bodies.size();
  if (seen_++ % stride_ != 0) return;
  times_.push_back(time);
  for (const BodyFrame& body : bodies) moments_.push_back({body.X_WB, body.V_WB.tail<3>()});
  Thin();
}

void MotionTrail::Thin() {
  if (moments_.size() < most_ || times_.size() < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < times_.size(); i += 2, ++kept) {
    times_[kept] = times_[i];
    for (std::size_t b = 0; b < bodies_; ++b)
      moments_[kept * bodies_ + b] = moments_[i * bodies_ + b];
  }
  times_.resize(kept);
  moments_.resize(kept * bodies_);
  stride_ *= 2;
}

void MotionTrail::Truncate(double time) {
  while (!times_.empty() && times_.back() > time) times_.pop_back();
  moments_.resize(times_.size() * bodies_);
  if (first_contact_ > time) first_contact_ = kNaN;
}

double MotionTrail::Gap(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  return after == times_.begin() || after == times_.end() ? 0 : *after - *(after - 1);
}

Pose MotionTrail::Interpolate(int body, double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  const auto last = times_.size() - 1;
  const std::size_t i =
      after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
  const auto moment = [&](std::size_t at) { return moments_[at * bodies_ + ToIndex(body)]; };
  // the round-off of a step's time makes no interpolation
  const double close = 1e-9 * (1 + std::abs(time));
  if (i == last || time - times_[i] <= close) return moment(i).X;
  if (times_[i + 1] - time <= close) return moment(i + 1).X;
  const Moment a = moment(i), b = moment(i + 1);
  const double h = times_[i + 1] - times_[i], u = (time - times_[i]) / h, u2 = u * u, u3 = u2 * u;
  return {(2 * u3 - 3 * u2 + 1) * a.X.p + (3 * u2 - 2 * u3) * b.X.p +
              h * ((u3 - 2 * u2 + u) * a.v + (u3 - u2) * b.v),
          a.X.q.slerp(u, b.X.q)};
}

Result<std::string> Align(ForeignAlign how, const MotionTrail& trail, ForeignRun* run,
                          const Config& config) {
  if (how == ForeignAlign::kNone) return std::string();
  if (trail.empty()) return Error{.message = "--align: the run made no step to align with"};
  double by = 0;
  if (how == ForeignAlign::kStart) by = trail.begin() - run->time(0);
  if (how == ForeignAlign::kFirstContact) {
    const double theirs = FirstOverlap(*run, config), ours = trail.first_contact();
    if (!std::isfinite(theirs) || !std::isfinite(ours)) {
      return Error{.message = fmt::format("--align first-contact: nothing overlaps in {}",
                                          std::isfinite(ours) ? run->name() : "our run"),
                   .hint = "--align start or best"};
    }
    by = ours - theirs;
  }
  if (how == ForeignAlign::kBest) {
    if (!run->Has(run->model().lead_body)) {
      return Error{.message = "--align best: body '" +
                              run->model().body(run->model().lead_body).name +
                              "', by which runs are aligned, is not in " + run->name(),
                   .hint = "--align start"};
    }
    by = FindBest(*run, trail);
  }
  run->SetShift(run->shift() + by);
  return fmt::format("its times are shifted by {:.6g} s", by);
}

namespace {

/// Sums of differences, sample by sample.
struct Differences {
  const Model& model;
  const MotionTrail& trail;
  ForeignDifference all = {};
  double position = 0, angle = 0;
  int64_t count = 0;

  /// Bodies at a time, of those that `has` says.
  template <class Has>
  void Add(double time, const std::vector<Pose>& X, const Has& has) {
    ++all.samples;
    for (std::size_t b = 0; b < X.size(); ++b) {
      const Body& body = model.bodies[b];
      const int index = static_cast<int>(b);
      if (!body.Moves() || body.shape_of_link >= 0 || !has(index)) continue;
      const Pose ours = trail.Interpolate(index, time);
      const double apart = (X[b].p - ours.p).norm();
      position += apart * apart;
      const double turn = X[b].q.angularDistance(ours.q);
      angle += turn * turn;
      ++count;
      all.position_max = std::fmax(all.position_max, apart);
      if (std::isnan(all.apart) && apart > kApart) all.apart = time, all.apart_body = index;
    }
  }
  ForeignDifference Finish() {
    if (count > 0) {
      all.position_rms = std::sqrt(position / static_cast<double>(count));
      all.angle_rms = std::sqrt(angle / static_cast<double>(count));
    }
    return all;
  }
};

/// Compares samples [begin, end) by `add`, which says nothing; where only every n-th one is, those
/// before the first that is apart are looked at as well.
template <class Add>
void CompareEach(int64_t begin, int64_t end, int64_t most, Differences* sums, const Add& add) {
  const int64_t stride = most > 0 ? std::max<int64_t>(1, (end - begin) / most) : 1;
  bool near = true;
  for (int64_t k = begin; k < end; k += stride) {
    add(k, sums);
    if (!near || std::isnan(sums->all.apart)) continue;
    near = false;
    Differences finer{sums->model, sums->trail};
    for (int64_t i = std::max(begin, k - stride + 1); i < k && std::isnan(finer.all.apart); ++i)
      add(i, &finer);
    if (std::isnan(finer.all.apart)) continue;
    sums->all.apart = finer.all.apart;
    sums->all.apart_body = finer.all.apart_body;
  }
}

}  // namespace

ForeignDifference Compare(const ForeignRun& run, const MotionTrail& trail,
                          const CompareLimits& limits) {
  Differences sums{run.model(), trail};
  if (trail.empty()) return sums.Finish();
  const double close = 1e-9 * (1 + std::abs(trail.end()));
  const int64_t begin = std::max<int64_t>(0, run.SampleAt(trail.begin() - close) + 1);
  std::vector<Pose> X;
  CompareEach(begin, run.SampleAt(trail.end() + close) + 1, limits.samples, &sums,
              [&](int64_t k, Differences* to) {
                if (trail.Gap(run.time(k)) > limits.most_gap) return;
                run.GetPoses(k, &X);
                to->Add(run.time(k), X, [&](int body) { return run.Has(body); });
              });
  return sums.Finish();
}

ForeignDifference Compare(const Model& model, const MotionTrail& of, const MotionTrail& to,
                          const CompareLimits& limits) {
  Differences sums{model, to};
  if (of.empty() || to.empty()) return sums.Finish();
  std::vector<Pose> X(model.bodies.size());
  CompareEach(0, static_cast<int64_t>(of.times().size()), limits.samples, &sums,
              [&](int64_t k, Differences* out) {
                const double time = slip::At(of.times(), k);
                if (time < to.begin() || time > to.end() || to.Gap(time) > limits.most_gap) return;
                for (std::size_t b = 0; b < X.size(); ++b)
                  X[b] = of.Interpolate(static_cast<int>(b), time);
                out->Add(time, X, [](int) { return true; });
              });
  return sums.Finish();
}

void ForeignForces::Add(const ForeignMeasure& measure, int64_t k) {
  const ForeignRun& run = measure.run();
  const double gravity = CalcGravity(measure.config().step).norm();
  for (std::size_t b = 0; b < measure.net().size(); ++b) {
    const NetForce& net = measure.net()[b];
    if (!net.known) continue;
    const int body = static_cast<int>(b);
    if (const double size = net.force_W.norm(); !(size <= net_max)) net_max = size, net_body = body;
    band = std::fmax(band, net.band);
    const double weight = run.model().body(body).mass * gravity;
    if (weight > 0) band_of_weight = std::max(band_of_weight, net.band / weight);
    if (!run.has_contacts() || !net.given_W.allFinite()) continue;
    const double defect = (net.given_W - net.force_W).norm();
    ++count_;
    squares_ += defect * defect;
    defect_rms = std::sqrt(squares_ / static_cast<double>(count_));
    if (!(defect <= defect_max)) {
      defect_max = defect;
      defect_body = body;
      defect_time = run.time(k);
    }
  }
}

}  // namespace slip
