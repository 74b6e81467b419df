#include "engine/tell/stability.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip {
namespace {

constexpr double kNearShare = 0.8;  // of the limit: from here on the light is amber

}  // namespace

Stability StabilityOf(const ChannelFrame& frame, std::optional<double> limit) {
  Stability out;
  const MethodInfo& method = Info(frame.config.method());
  if (!limit) return out;
  out.limit = *limit;
  out.whose = method.stable_step != nullptr ? method.label : std::string_view("Explicit Euler");
  const bool never = !(out.limit > 0);
  const std::string most = FormatQuantity(out.limit, "s");
  if (method.stable_step == nullptr) {
    out.words = never
                    ? "No limit of its own; explicit Euler, without damping, is stable at no step."
                    : fmt::format("No limit of its own; explicit Euler's here is {}.", most);
    return out;
  }
  // under controlled error it is the inner steps that count
  const double inner = At(frame.signals, Signal::kInnerStep);
  const double h = std::isfinite(inner) ? inner : frame.config.step.time_step;
  const std::string step = FormatQuantity(h, "s");
  if (h > out.limit) {
    out.light = StabilityLight::kBeyond;
    out.words = never ? "Unstable at any time step: contacts without damping"
                      : fmt::format("Unstable: {}, limit {}", step, most);
  } else if (h > kNearShare * out.limit) {
    out.light = StabilityLight::kNear;
    out.words = fmt::format("Near the limit: {} of {}", step, most);
  } else {
    out.light = StabilityLight::kStable;
    out.words = fmt::format("Stable: {}, limit {}", step, most);
  }
  return out;
}

}  // namespace slip
