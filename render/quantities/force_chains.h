// Forces in a pile as chains: one bar per pair that touches, from centre to centre through the
// contact, as thick and bright as the logarithm of its force. Single arrows would be a thicket.
#pragma once

#include <vector>

#include "render/scene/draw_list.h"

namespace slip::render {

/// In a pile only these many of the largest forces carry a number.
inline constexpr std::size_t kChainLabels = 3;

/// More bars than this are not told apart: the strongest are drawn.
inline constexpr std::size_t kMostLinks = 1500;
/// With more contacts than this only the points of the selected body are drawn.
inline constexpr std::size_t kMostDots = 2000;

/// All contacts of one pair together.
struct ForceLink {
  int body = 0;                 ///< B
  int body_a = -1;              ///< A where it is a body that moves, otherwise -1
  Vec3 p_W = Vec3::Zero();      ///< mean contact point, weighted by normal force [m]
  Vec3 force_W = Vec3::Zero();  ///< on B [N]
  double force = 0;             ///< its length [N]
};

/// Links of at least `least` newtons, the weakest first: what is drawn last lies on top. Of more
/// than kMostLinks the strongest.
std::vector<ForceLink> CollectLinks(const Model& model, const ChannelFrame& frame, double least);

/// Three decades from the weakest force that matters on, rounded to powers of ten: a tenth of a
/// body's weight, more in deep piles.
ForceRange ChainRange(const Snapshot& snapshot, const ViewRequest& request);
/// 0 at the least force of the range, 1 at the most, logarithmic between.
double ChainStrength(double force, const ForceRange& range);
/// Half width of a bar per metre of distance to the eye.
double ChainHalfWidth(double strength);
/// Colour of a bar of a channel: faint and dull to full and bright.
Colour ChainColour(const Colour& channel, double strength, Theme theme);

/// Which of a pile's contacts have a point in the picture; only these can be picked.
class PilePoints {
 public:
  PilePoints(const Snapshot& snapshot, const ViewRequest& request, int channel);
  bool Shows(const ContactFrame& contact) const;

 private:
  double least_, hair_;  ///< of the selected body and of the others [N]
  int selected_body_;
  ContactKey selected_;
  bool some_, all_;
};

/// Adds bars and contact points of one channel; returns its links.
std::vector<ForceLink> AppendChains(const DrawContext& context, int channel, DrawList* list);

}  // namespace slip::render
