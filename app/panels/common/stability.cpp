#include "app/panels/common/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/sim/failure_words.h"

namespace slip::app {
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
    const double now = std::isfinite(frame.exceeded_step)
                           ? frame.exceeded_step
                           : At(frame.signals, Signal::kStabilityLimit);
    if (std::isfinite(now)) held.now[at] = now;
  }
  // a touch is shorter than numbers rest
  const int64_t count = session.written().count();
  if (std::exchange(held.count, count) != count) held.limit = held.now;
}

LightLook LookOf(StabilityLight light) {
  switch (light) {
    case StabilityLight::kBeyond:
      return {icon::kClose, Token::kErr};
    case StabilityLight::kNear:
      return {icon::kWarning, Token::kWarn};
    case StabilityLight::kStable:
    case StabilityLight::kNone:
      break;
  }
  return {icon::kDone, Token::kOk};
}

Stability StabilityOf(const Session& session, int channel, const StableSteps& stable_steps) {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= stable_steps.limit.size()) return {};
  return slip::StabilityOf(session.written().frame(channel), stable_steps.limit[at]);
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
