#include "app/panels/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/sim/failure_words.h"

namespace slip::app {
namespace {

constexpr double kNearShare = 0.8;  // of the limit: from here on the light is amber

}  // namespace

void NoteStability(const Session& session, StableSteps* stable_steps) {
  StableSteps& held = *stable_steps;
  if (held.run != session.snapshot().session) held = {.run = session.snapshot().session};
  for (int i = 0; i < session.channel_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const ChannelFrame& frame = session.frame(i);
    const auto method = frame.config.method();
    // the limit follows parameters only when the next step has touched
    if (held.method[at] != method) held.limit[at] = held.now[at] = std::nullopt;
    held.method[at] = method;
    if (!HasAnchors(slip::Info(method))) continue;
    const double now = std::isfinite(frame.exceeded_step)
                           ? frame.exceeded_step
                           : frame.signals[static_cast<std::size_t>(Signal::kStabilityLimit)];
    if (std::isfinite(now)) held.now[at] = now;
  }
  // a touch is shorter than numbers rest
  const int64_t count = session.written().count();
  if (std::exchange(held.count, count) != count) held.limit = held.now;
}

Stability StabilityOf(const Session& session, int channel, const StableSteps& stable_steps) {
  Stability out;
  const ChannelFrame& frame = session.written().frame(channel);
  const MethodInfo& method = slip::Info(frame.config.method());
  const auto at = static_cast<std::size_t>(channel);
  if (!HasAnchors(method) || at >= stable_steps.limit.size()) return out;
  if (!stable_steps.limit[at]) return out;
  out.limit = *stable_steps.limit[at];
  out.whose = method.stable_step != nullptr ? method.label : std::string_view("Explicit Euler");
  const bool never = !(out.limit > 0);
  const std::string limit = FormatQuantity(out.limit, "s");
  if (method.stable_step == nullptr) {
    out.words = never
                    ? "No limit of its own; explicit Euler, without damping, is stable at no step."
                    : fmt::format("No limit of its own; explicit Euler's here is {}.", limit);
    return out;
  }
  // under controlled error it is the inner steps that count
  const double inner = frame.signals[static_cast<std::size_t>(Signal::kInnerStep)];
  const double h = std::isfinite(inner) ? inner : frame.config.step.time_step;
  const std::string step = FormatQuantity(h, "s");
  if (h > out.limit) {
    out.light = StabilityLight::kBeyond;
    out.words = never ? "Unstable at any time step: contacts without damping"
                      : fmt::format("Unstable: {}, limit {}", step, limit);
    out.icon = icon::kClose;
    out.colour = Token::kErr;
  } else if (h > kNearShare * out.limit) {
    out.light = StabilityLight::kNear;
    out.words = fmt::format("Near the limit: {} of {}", step, limit);
    out.icon = icon::kWarning;
    out.colour = Token::kWarn;
  } else {
    out.light = StabilityLight::kStable;
    out.words = fmt::format("Stable: {}, limit {}", step, limit);
    out.icon = icon::kDone;
    out.colour = Token::kOk;
  }
  return out;
}

std::vector<SliderMark> StabilityMarks(const Session& session, const ParamEntry& entry, int channel,
                                       const StableSteps& stable_steps) {
  std::vector<SliderMark> marks;
  if (entry.info->name != "time_step") return marks;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (channel >= 0 && i != channel) continue;
    // a mark across the slider is a limit: methods without one have none
    if (slip::Info(session.written().frame(i).config.method()).stable_step == nullptr) continue;
    const Stability stability = StabilityOf(session, i, stable_steps);
    if (!(stability.limit >= ShortestTimeStep())) continue;
    const std::string tip =
        fmt::format("{}'s limit now: {}", stability.whose, FormatQuantity(stability.limit, "s"));
    // channels on the same contacts have the same limit
    const bool known = std::any_of(marks.begin(), marks.end(),
                                   [&](const SliderMark& mark) { return mark.tip == tip; });
    if (!known) marks.push_back({stability.limit, tip});
  }
  return marks;
}

}  // namespace slip::app
