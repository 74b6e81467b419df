#include "engine/convex/newton_line.h"

#include <cmath>

#include "engine/core/numbers.h"

namespace slip {

NewtonLine::NewtonLine(IslandSystem* system, const Island& island, const IslandPoint& here,
                       double slope, bool dual)
    : system_(system),
      island_(island),
      dual_(dual),
      work_(system->work(island)),
      frozen_(system->frozen(island)),
      start_{here.cost, slope, -slope},
      inertia_(system->CalcInertiaLine(island, here.cost_A)) {}

LinePoint NewtonLine::LookPastContacts(double alpha) const {
  const auto [cost, slope, curvature] = inertia_;
  LinePoint at{cost + alpha * slope + 0.5 * alpha * alpha * curvature, slope + alpha * curvature,
               curvature};
  system_->AddScalarsAlong(island_, alpha, &at);
  return at;
}

LinePoint NewtonLine::Look(double alpha) const {
  LinePoint at = LookPastContacts(alpha);
  system_->passes().add_along(frozen_, work_, island_.contacts(), alpha - reached_, &at);
  return at;
}

LinePoint NewtonLine::TakeFull() {
  const int count = island_.contacts();
  for (int i = 0; i < count; ++i) work_[i].Advance(1);
  reached_ = 1;
  EvaluateContacts(system_, island_, dual_);
  LinePoint at = LookPastContacts(1);
  for (int i = 0; i < count; ++i) {
    const ContactWork& w = work_[i];
    at.cost += w.value.cost;
    w.Visit([&]<int kSlip>() {
      const auto& d = w.step<kSlip>();
      at.slope -= d.dot(w.impulse<kSlip>());
      const ContactVector<kSlip> resistance = w.hessian<kSlip>() * d;
      at.curvature += d.dot(resistance);
    });
  }
  return at;
}

bool NewtonLine::Take(double alpha) {
  system_->Advance(island_, alpha);
  if (reached_ == 1 && alpha == 1) return true;
  for (int i = 0; i < island_.contacts(); ++i) work_[i].Advance(alpha - reached_);
  return false;
}

double CapStep(IslandSystem* system, const Island& island, double most) {
  const ContactPasses& passes = system->passes();
  const auto feasible = [&](double alpha) {
    return passes.find_infeasible(system->frozen(island), system->work(island), island.contacts(),
                                  alpha) < 0;
  };
  if (!passes.barrier || feasible(most)) return most;
  double low = 0, high = most;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (feasible(middle) ? low : high) = middle;
  }
  return 0.99 * low;
}

SearchLine NewtonLine::Sample(double alpha) const {
  const double feasible = CapStep(SearchLine::kLastAlpha);
  const auto rise = [&](double at) { return Look(at).cost - start_.cost; };
  SearchLine line;
  line.cost = start_.cost;
  line.slope = start_.slope;
  line.alpha = alpha;
  line.chosen_rise = rise(alpha);
  line.noise = 1e-14 * std::abs(start_.cost);
  line.rise.reserve(SearchLine::kPoints);
  for (int i = 0; i < SearchLine::kPoints; ++i) {
    const double at = SearchLine::AlphaAt(i);
    line.rise.push_back(at <= feasible ? rise(at) : kNaN);
  }
  return line;
}

}  // namespace slip
