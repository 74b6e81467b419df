// The walk over the contacts of a picture: calls every quantity for each of them.
#pragma once

#include <vector>

#include "render/quantities/force_arrows.h"

namespace slip::render {

/// No more force numbers than this: the largest win.
inline constexpr int kMaxForceLabels = 6;
/// Who chose the logarithmic scale looks at the small ones, too.
inline constexpr int kMaxLogForceLabels = 24;
/// Arrows of slip and belt velocity: length [m] at 1 m per m/s.
inline constexpr double kMetresPerSpeed = 0.1;

/// A channel whose contacts are drawn.
struct ChannelGlyph {
  const ChannelFrame& frame;
  int channel;
  bool lead;
  bool pile;      ///< only the selected contact is drawn by itself
  Vec3 shift;     ///< sideways, of its whole picture [m]
  Colour colour;  ///< of the channel
};
/// One contact of it.
struct ContactGlyph {
  const ChannelGlyph& of;
  const ContactFrame& contact;
  Vec3 p;    ///< where it is drawn, in the world [m]
  double d;  ///< distance by which glyphs there are scaled [m]
};

/// Whether the contact forces of a channel are shown.
bool ShowsForces(const ViewRequest& request, const ChannelGlyph& channel);

/// Adds glyphs to the list and returns the label anchors in pixels.
std::vector<LabelAnchor> AppendGlyphs(const DrawContext& context, DrawList* list);

}  // namespace slip::render
