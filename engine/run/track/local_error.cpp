#include "engine/run/track/local_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/stopwatch.h"
#include "engine/dynamics/kinematics.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

constexpr double kTruthStepsPerSecond = 64000;

MethodId TruthMethod(const LocalErrorPlan& plan, const Config& config) {
  return plan.truth.value_or(config.method());
}

double CalcError(const Model& model, const State& a, const State& b) {
  VectorX difference;
  const double e = CalcDifference(model, a, b, &difference);
  return model.nv == 0 ? e : std::max(e, (a.v - b.v).lpNorm<Eigen::Infinity>());
}

}  // namespace

double TruthStep(const LocalErrorPlan& plan, const Config& config) {
  const double halvings = std::floor(std::log2(kTruthStepsPerSecond * plan.tick) + 1e-9);
  const bool fine = Info(TruthMethod(plan, config)).id == "explicit-euler";
  return plan.tick / std::exp2(std::max(halvings, 0.0) + (fine ? 3 : 0));
}

Sliced<LocalError> MeasureInSlices(std::shared_ptr<const Model> model, Config config,
                                   LocalErrorPlan plan, double duration,
                                   std::function<bool(double)> poll, StopPoll stop) {
  LocalError out;
  out.truth_step = plan.truth_step > 0 ? plan.truth_step : TruthStep(plan, config);
  const double h = config.step.time_step;
  const auto steps = std::llround(plan.tick / h);
  if (steps < 1 || std::abs(static_cast<double>(steps) * h - plan.tick) > 1e-9 * plan.tick) {
    out.failure =
        fmt::format("the time step of {:.6g} s does not divide the tick of {:.6g} s", h, plan.tick);
    co_return out;
  }
  Config fine = config;
  fine.step.method = static_cast<int>(TruthMethod(plan, config));
  fine.step.time_step = out.truth_step;
  fine.step.error_control = 0;
  Simulation truth(model, fine), sim(model, config);
  for (Simulation* of : {&truth, &sim}) {
    of->SetMeasureCondition(false, false);
    of->SetStop(stop);
  }
  const auto ticks = static_cast<int>(std::floor(duration / plan.tick * (1 + 1e-12)));
  const auto truth_steps = std::llround(plan.tick / out.truth_step);
  double sum = 0, wall_us = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    out.stopped = poll && !poll(static_cast<double>(tick) / ticks);
    if (out.stopped) break;
    const bool measures = tick * plan.tick >= plan.from * (1 - 1e-12);
    if (measures) {
      sim.Restore(truth.now(), fine);
      sim.SetConfig(config);
      Stopwatch watch;
      for (int64_t i = 0; i < steps; ++i) {
        const StepStatus status = sim.Step();
        if (Advanced(status)) continue;
        out.stopped = status == StepStatus::kStopped;
        if (!out.stopped) out.failure = sim.failure();
        break;
      }
      wall_us += watch.Lap();
    }
    for (int64_t i = 0; i < truth_steps && out.failure.empty() && !out.stopped; ++i) {
      const StepStatus status = truth.Step();
      out.stopped = status == StepStatus::kStopped;
      if (!out.stopped && !Advanced(status)) out.failure = "of the truth: " + truth.failure();
      co_await MayRest{};
    }
    if (!out.failure.empty() || out.stopped) break;
    if (!measures) continue;
    const double error = CalcError(*model, sim.state(), truth.state());
    sum += error;
    out.max = std::fmax(out.max, error);
    ++out.ticks;
  }
  if (out.ticks > 0) out.mean = sum / out.ticks;
  if (out.ticks == 0 && out.failure.empty()) out.failure = "the run is shorter than a tick";
  if (wall_us > 0) out.real_time_factor = out.ticks * plan.tick / (1e-6 * wall_us);
  co_return out;
}

}  // namespace slip
