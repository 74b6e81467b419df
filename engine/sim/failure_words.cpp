#include "engine/sim/failure_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/quantity_text.h"
#include "engine/sim/method_list.h"

namespace slip {
namespace {

/// Of the body, or of all where none is blamed.
double FindLargest(const Model& model, int body) {
  if (body >= 0) return FindLikelyMillimetres(model.body(body).shape);
  double largest = 0;
  for (const Body& each : model.bodies)
    largest = std::max(largest, FindLikelyMillimetres(each.shape));
  return largest;
}

// `of_tree`: a contact's tree was held to its balance, and its parts to that; the whole model's
// gain names no body.
std::string WhyGained(const EnergyGain& gain, bool of_tree) {
  return fmt::format(
      "this one step would make {} from nothing, {:.2g} times the energy that it handles{}",
      FormatQuantity(gain.energy, "J", 2), gain.share, of_tree ? ", and so would its parts" : "");
}

}  // namespace

double ShortestTimeStep() {
  static const double shortest = FindParam(Config{}, "time_step")->min;
  return shortest;
}

std::string AdviceBeyond(double limit) {
  if (limit >= ShortestTimeStep())
    return "take a time step below the limit, or a method without one";
  return std::string(limit > 0 ? "no time step is so short: " : "raise the contact damping, or ") +
         "take a method without a limit";
}

std::string_view AcceptedBy(StepStatus status, double exceeded_step) {
  if (status == StepStatus::kLost) return "lost_steps";
  if (status == StepStatus::kGain && std::isnan(exceeded_step)) return "gained_energy";
  return {};
}

FailureWords ExplainFailure(StepStatus status, int body, const Model& model, const Config& config,
                            const StepOutput& output, double exceeded_step) {
  const std::string who =
      body >= 0 ? fmt::format("body '{}'", model.body(body).name) : std::string("the bodies");
  std::string why, advice;
  switch (status) {
    case StepStatus::kNotFinite:
      why = "the state became not finite";
      advice = config.step.part<ConvexParams>().law() >= NormalLawId::kLogBarrier
                   ? "raise the barrier's stiffness, or try a smaller time step"
                   : "try a smaller time step or stiffness";
      break;
    case StepStatus::kBeyondDigits:
      why = output.reason;
      advice = "try a smaller time step, less stiffness or damping, or more mass";
      break;
    case StepStatus::kGain:
      why = WhyGained(output.solve.gain, body >= 0 && !std::isfinite(exceeded_step));
      advice = "try a smaller time step or stiffness (gained_energy = accept goes on all the same)";
      break;
    case StepStatus::kRunaway:
      why = body < 0 ? "this one step would create energy that lifts them by half a metre"
                     : fmt::format("it would be faster than {:.0f} km/s", 1e-3 * kRunawaySpeed);
      advice =
          "the motion is unstable: go back or reset, and try a smaller time step or softer gains";
      break;
    case StepStatus::kInfeasible:
      if (!output.reason.empty()) {
        why = output.reason;
        advice =
            "start with bodies apart, or open the limits of joints (lost_steps = accept goes on "
            "all "
            "the same)";
        break;
      }
      why = "the barrier law needs a gap, and it overlaps a surface";
      advice = "choose another normal law or reset";
      break;
    case StepStatus::kUnable:
      why = output.reason;
      advice = "choose another method";
      break;
    case StepStatus::kInnerLimit:
      why =
          fmt::format("controlled error took {} inner steps without an end", config.step.max_inner);
      advice = "raise the inner step limit (max_inner), or ask for less accuracy";
      break;
    case StepStatus::kLost:
      if (!output.reason.empty()) {
        why = output.reason;
        advice = "lower the stiffness or raise the mass (lost_steps = accept goes on all the same)";
        break;
      }
      why = fmt::format("the solver ended after {} iteration{} with a residual of {:.2g}",
                        output.solve.iterations, output.solve.iterations == 1 ? "" : "s",
                        output.solve.worst_residual);
      advice =
          "raise the iteration limit, or try a smaller time step or stiffness (lost_steps = accept "
          "goes on all the same)";
      break;
    default:
      why = "the inertia is not positive definite";
      advice = "mass and moments must be above zero";
  }
  if (std::isfinite(exceeded_step)) {
    const std::string limit =
        exceeded_step > 0 ? fmt::format("its limit here was about {:.2g} ms", 1e3 * exceeded_step)
                          : "contacts without damping make energy at any step of it";
    why += fmt::format(" ({}, time step {:.3g} ms; {})", Info(config.method()).label,
                       1e3 * config.step.time_step, limit);
    advice = AdviceBeyond(exceeded_step);
  }
  const bool unstable = status == StepStatus::kNotFinite || status == StepStatus::kRunaway;
  if (const double extent = unstable ? FindLargest(model, body) : 0; extent > 0)
    advice += fmt::format(
        "; a shape from a file is {:.3g} m large: if the file has millimetres, set scale = 0.001",
        extent);
  return {fmt::format("{}: {}", who, why), advice};
}

}  // namespace slip
