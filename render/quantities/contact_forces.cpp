// Contact forces: an arrow for each part, or for their sum; in difference mode those of the
// compared channels minus those of the lead. Their scale is force_arrows.cpp's.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/core/numbers.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/foot_forces.h"
#include "render/quantities/joint_marks.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"
#include "render/scene/difference.h"

namespace slip::render {
namespace {

constexpr std::size_t kPileDifferences = 30;  // more arrows than this hide each other

void AppendForces(const DrawContext& context, const ContactGlyph& glyph, ForceArrows* arrows,
                  DrawList* list) {
  const auto& [of, contact, p, d] = glyph;
  const ViewRequest& request = context.request;
  if (!ShowsForces(request, of)) return;
  if (of.pile) {
    arrows->DropForceLabels();  // its own numbers are the ones asked for
  } else if (request.foot_forces && contact.key != request.selected_key &&
             OfBroadFoot(*context.snapshot.model, contact)) {
    return;  // foot_forces.cpp has them
  }
  const Colour& colour = of.colour;
  const int channel = of.channel;
  // an arc about the normal: the part of friction that goes against spin
  if (const double limit = contact.torsional_friction * contact.fn; limit > 0) {
    AppendTorque(context, p, contact.n_W.normalized(),
                 std::clamp(contact.torque / limit, -1.0, 1.0), colour, list);
  }
  if (context.request.split_forces) {
    arrows->AddForce(p, contact.n_W, contact.fn, d, colour, LabelKind::kNormalForce, channel,
                     contact.key);
    arrows->AddForce(p, contact.ft_W, contact.ft, d, colour, LabelKind::kFrictionForce, channel,
                     contact.key);
  } else {
    const Vec3 f = contact.fn * contact.n_W + contact.ft_W;
    arrows->AddForce(p, f, f.norm(), d, colour, LabelKind::kContactForce, channel, contact.key);
  }
}

struct ForceDifference {
  Vec3 p, n, normal, friction;
  double size;
  int channel;
  ContactKey key;
};

ForceDifference MakeDifference(const ChannelFrame& frame, const ContactFrame& place,
                               const ContactFrame* own, const ContactFrame* reference,
                               int channel) {
  ForceDifference d{
      PointAtEnd(frame, place), place.n_W, Vec3::Zero(), Vec3::Zero(), 0, channel, place.key};
  // methods may take the pair in the other order
  const auto side = [&place](const ContactFrame& c) {
    return place.surface < 0 && c.body == place.body_a ? -1.0 : 1.0;
  };
  if (own != nullptr) {
    d.normal += side(*own) * own->fn * own->n_W;
    d.friction += side(*own) * own->ft_W;
  }
  if (reference != nullptr) {
    d.normal -= side(*reference) * reference->fn * reference->n_W;
    d.friction -= side(*reference) * reference->ft_W;
  }
  const bool known = d.p.allFinite() && place.n_W.allFinite();
  d.size = known ? (d.normal + d.friction).norm() : kNaN;
  return d;
}

void AppendDifference(const DrawContext& context, const ForceDifference& difference,
                      ForceArrows* arrows) {
  const auto& [p, n, normal, friction, size, channel, key] = difference;
  const Colour colour = StyleOfChannel(context.snapshot, channel, context.request.theme).colour;
  const double d = GlyphDistance(context.camera, p);
  if (context.request.split_forces) {
    const double dfn = normal.dot(n);
    arrows->AddForce(p, dfn < 0 ? Vec3(-n) : n, std::abs(dfn), d, colour, LabelKind::kNormalForce,
                     channel, key);
    arrows->AddForce(p, friction, friction.norm(), d, colour, LabelKind::kFrictionForce, channel,
                     key);
  } else {
    arrows->AddForce(p, normal + friction, size, d, colour, LabelKind::kContactForce, channel, key);
  }
}

/// Contact by contact; a contact that only one of the channels has counts whole. Of a pile the
/// largest differences.
void AppendDifferences(const DrawContext& context, ForceArrows* arrows, DrawList*) {
  if (context.request.compare != CompareMode::kDifference || !context.request.forces) return;
  const int lead = LeadChannel(context.snapshot, context.request);
  const ChannelFrame& lead_frame = At(context.snapshot.channels, lead);
  const auto& reference = lead_frame.contacts;
  std::vector<ForceDifference> all;
  for (int c = 0; c < static_cast<int>(context.snapshot.channels.size()); ++c) {
    if (!ComparedWithLead(context.snapshot, context.request, c)) continue;
    const ChannelFrame& frame = At(context.snapshot.channels, c);
    const auto& own = frame.contacts;
    std::unordered_map<ContactKey, const ContactFrame*> unmatched;
    for (const ContactFrame& contact : own) unmatched.emplace(contact.key, &contact);
    for (const ContactFrame& contact : reference) {
      const auto match = unmatched.find(contact.key);
      const bool found = match != unmatched.end();
      all.push_back(
          MakeDifference(lead_frame, contact, found ? match->second : nullptr, &contact, c));
      if (found) unmatched.erase(match);
    }
    for (const ContactFrame& contact : own) {
      if (unmatched.contains(contact.key)) {
        all.push_back(MakeDifference(frame, contact, &contact, nullptr, c));
      }
    }
  }
  std::erase_if(all, [](const ForceDifference& d) { return !std::isfinite(d.size); });
  if (IsPile(context.snapshot, context.request) && all.size() > kPileDifferences) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(kPileDifferences);
    std::nth_element(all.begin(), end, all.end(),
                     [](const auto& a, const auto& b) { return a.size > b.size; });
    all.erase(end, all.end());
  }
  for (const ForceDifference& difference : all) AppendDifference(context, difference, arrows);
}

constexpr Choice kScales[] = {
    Commands<&ViewStyle::force_style, ForceStyle::kChains>("Chains instead", true),
    Chooses<&ViewStyle::arrow_scale, ArrowScale::kAuto>("Linear, from the weight, to 20 cm"),
    Chooses<&ViewStyle::arrow_scale, ArrowScale::kLog>("Logarithmic"),
    Chooses<&ViewStyle::arrow_scale, ArrowScale::kLinear>("Linear"),
    Chooses<&ViewStyle::arrow_scale, ArrowScale::kFixed>("Fixed in the scene")};
constexpr NumberOption kNewtons[] = {{"arrows/newtons", "Force for 10 cm", "N", 0.1, 1e4, 10,
                                      &ViewStyle::newtons_per_10cm, 1, [](const ViewStyle& style) {
                                        return style.arrow_scale == ArrowScale::kLinear ||
                                               style.arrow_scale == ArrowScale::kFixed;
                                      }}};

}  // namespace

constinit const Quantity kForces{.name = "Forces",
                                 .doc = "Contact force arrows.",
                                 .key = 'F',
                                 .on = &ViewStyle::forces,
                                 .setting = "forces",
                                 .choices = kScales,
                                 .numbers = kNewtons,
                                 .of_scene = AppendDifferences,
                                 .of_contact = AppendForces};

constinit const Quantity kSplitForces{.name = "Split normal and friction",
                                      .doc = "Two arrows for each contact in place of their sum.",
                                      .key = 'N',
                                      .on = &ViewStyle::split_forces,
                                      .setting = "split_forces"};

}  // namespace slip::render
