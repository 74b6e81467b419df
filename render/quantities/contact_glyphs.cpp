#include "render/quantities/contact_glyphs.h"

#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

void AppendChannel(const DrawContext& context, int channel, bool pile, ForceArrows* arrows,
                   DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  const ChannelGlyph of{At(snapshot.channels, channel),
                        channel,
                        channel == LeadChannel(snapshot, request),
                        pile,
                        FanOffset(snapshot, request, channel),
                        StyleOfChannel(snapshot, channel, request.theme).colour};
  for (const ContactFrame& contact : of.frame.contacts) {
    const bool selected = request.selected_key >= 0 && contact.key == request.selected_key;
    if (pile && !selected) continue;
    if (!contact.p_W.allFinite() || !contact.n_W.allFinite()) continue;
    const Vec3 p = PointAtEnd(of.frame, contact) + of.shift;
    const ContactGlyph glyph{of, contact, p, GlyphDistance(context.camera, p)};
    for (const Quantity* quantity : Quantities()) {
      if (quantity->of_contact != nullptr) quantity->of_contact(context, glyph, arrows, list);
    }
  }
  for (const Quantity* quantity : Quantities()) {
    if (quantity->of_channel != nullptr) quantity->of_channel(context, of, arrows, list);
  }
}

}  // namespace

bool ShowsForces(const ViewRequest& request, const ChannelGlyph& channel) {
  return request.forces && (channel.lead || request.ghost_forces);
}

std::vector<LabelAnchor> AppendGlyphs(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  if (!snapshot.model) return {};
  ForceArrows arrows(context, list);
  for (const Quantity* quantity : Quantities()) {
    if (quantity->of_scene != nullptr) quantity->of_scene(context, &arrows, list);
  }
  if (request.compare == CompareMode::kDifference) return arrows.TakeLabels();
  const bool pile = DrawsPile(snapshot, request);
  const int lead = LeadChannel(snapshot, request);
  ForGhostsAndLead(snapshot, request, [&](int channel) {
    if ((pile && channel != lead) || !ChannelShown(snapshot, request, channel)) return;
    AppendChannel(context, channel, pile, &arrows, list);
  });
  return arrows.TakeLabels();
}

}  // namespace slip::render
