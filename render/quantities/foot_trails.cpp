// Foot trails: where the feet of robots were, as far as the snapshot holds it; thin lines that fade
// with age.
#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

constexpr std::size_t kFadeSteps = 8;  // pieces of one trail, each of its own opacity
constexpr float kOldestAlpha = 0.12f;
constexpr float kTrailHidden = 0.45f;  // behind bodies, as glyphs

void AppendFootTrails(const DrawContext& context, DrawList* list, ViewPicture*) {
  const Snapshot& snapshot = context.snapshot;
  if (!context.request.foot_trails || !snapshot.model) return;
  const auto add = [&](int channel) {
    if (!ChannelShown(snapshot, context.request, channel)) return;
    const Colour colour = StyleOfChannel(snapshot, channel, context.request.theme).colour;
    const Vec3 shift = FanOffset(snapshot, context.request, channel);
    for (const FootTrail& trail : At(snapshot.channels, channel).trails) {
      std::vector<Vec3> points;
      for (const Vec3& p : trail.p_W) points.push_back(p + shift);
      const std::size_t last = points.empty() ? 0 : points.size() - 1;
      for (std::size_t piece = 0; piece < kFadeSteps; ++piece) {
        const std::size_t from = last * piece / kFadeSteps, to = last * (piece + 1) / kFadeSteps;
        if (to == from) continue;
        const float share = static_cast<float>(piece + 1) / static_cast<float>(kFadeSteps);
        const float alpha = kOldestAlpha + (1 - kOldestAlpha) * share * share;
        const auto part = std::span(points).subspan(from, to - from + 1);
        // a broad foot hides its own trail
        AppendLine(context, part, {colour.WithAlpha(kTrailHidden * alpha), 2, {}, false}, list);
        AppendLine(context, part, {colour.WithAlpha(alpha), 2}, list);
      }
    }
  };
  ForGhostsAndLead(snapshot, context.request, add);
}

}  // namespace

constinit const Quantity kFootTrails{.name = "Foot trails",
                                     .doc = "Where each foot of a robot was in the last second.",
                                     .key = 'L',
                                     .on = &ViewStyle::foot_trails,
                                     .of_robots = true,
                                     .draw = AppendFootTrails,
                                     .layer = Layer::kGround};

}  // namespace slip::render
