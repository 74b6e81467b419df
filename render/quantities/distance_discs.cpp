// Distance from Coulomb: a disc under every contact, in the colour of its step. In piles a dot.
#include "render/quantities/distance_discs.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

// Radii, per metre of distance to the eye, and at most so much of the body.
constexpr double kDisc = 0.017, kDot = 0.004;
constexpr double kMostOfBody = 0.45, kMarkOfBody = 0.3;
constexpr float kDiscAlpha = 0.85f;

double Radius(const DrawContext& context, const ContactFrame& contact, const Vec3& p, bool pile) {
  const double most =
      (pile ? kMarkOfBody : kMostOfBody) * context.snapshot.model->body(contact.body).bound;
  const double radius = (pile ? kDot : kDisc) * GlyphDistance(context.camera, p);
  return most > 0 ? std::min(radius, most) : radius;
}

void AppendDot(const DrawContext& context, const Vec3& p, double radius, const Colour& colour,
               DrawList* list) {
  StrokeInstance dot{};
  const Vec3 at = p - context.camera.spec().target;
  for (int i = 0; i < 3; ++i) dot.from[i] = dot.to[i] = static_cast<float>(at[i]);
  dot.from_half = dot.to_half = static_cast<float>(radius);
  // not lit, so the colour stays as it is on the screen
  dot.colour[0] = colour.r, dot.colour[1] = colour.g, dot.colour[2] = colour.b;
  dot.colour[3] = 1;
  list->strokes.push_back(dot);
}

void AppendDistances(const DrawContext& context, const ChannelGlyph& channel, ForceArrows*,
                     DrawList* list) {
  if (!context.request.coulomb_distance) return;
  for (const ContactFrame& contact : channel.frame.contacts) {
    const double distance = contact.coulomb.distance;
    const bool empty = contact.mode == ContactMode::kOpen && !(distance > 0);
    if (empty || std::isnan(distance) || context.request.hidden.Has(contact.body)) continue;
    if (!contact.p_W.allFinite() || !contact.n_W.allFinite()) continue;
    const Vec3 p = PointAtEnd(channel.frame, contact) + channel.shift;
    const double radius = Radius(context, contact, p, channel.pile);
    const Colour colour = DistanceColour(DistanceStep(distance), context.request.theme);
    if (channel.pile) {
      AppendDot(context, p, radius, colour, list);
      continue;
    }
    const Vec3 n = contact.n_W.normalized();
    const std::vector<Vec3> rim = MakeArc(p, n, n.unitOrthogonal(), radius, 2 * M_PI);
    AppendFill(context, rim, colour.WithAlpha(kDiscAlpha), false, list);
    AppendLine(context, rim, {.colour = colour, .width = 1, .tested = false}, list);
  }
}

}  // namespace

int DistanceStep(double newtons) {
  int step = 0;
  while (step + 1 < static_cast<int>(kDistanceSteps.size()) &&
         newtons >= At(kDistanceSteps, step + 1))
    ++step;
  return step;
}

Colour DistanceColour(int step, Theme theme) {
  const bool dark = theme == Theme::kDark;
  const Colour near = Colour::Hex(dark ? 0x4A5058 : 0xAAB2BA);
  const Colour far = Colour::Hex(dark ? 0xFF7A6B : 0xB3261E);
  const float t = static_cast<float>(step) / static_cast<float>(kDistanceSteps.size() - 1);
  return {near.r + t * (far.r - near.r), near.g + t * (far.g - near.g),
          near.b + t * (far.b - near.b), 1};
}

const ContactFrame* FarthestFromCoulomb(const ChannelFrame& frame) {
  const ContactFrame* farthest = nullptr;
  for (const ContactFrame& contact : frame.contacts) {
    if (std::isnan(contact.coulomb.distance)) continue;
    if (farthest == nullptr || contact.coulomb.distance > farthest->coulomb.distance)
      farthest = &contact;
  }
  return farthest;
}

constinit const Quantity kDistance{
    .name = "Colour by distance from Coulomb",
    .doc =
        "A disc under every contact, grey to red: how many newtons the step is from Coulomb's "
        "friction with the scene's normal law.",
    .on = &ViewStyle::coulomb_distance,
    .of_channel = AppendDistances};

}  // namespace slip::render
