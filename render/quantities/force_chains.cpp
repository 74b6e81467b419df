// Force chains.
#include "render/quantities/force_chains.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/force_arrows.h"
#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

constexpr double kDecades = 3;
// This share of a mean weight is a hair where so few bodies lie on each other; deeper piles carry
// more, as their layers do.
constexpr double kThinnest = 0.1, kShallowPile = 100;
// Bars of bodies that are small on the screen must leave something of them to be seen.
constexpr double kWidestOfBody = 0.1, kDotOfBody = 0.12;
constexpr double kFoot = 1.25;         // a bar that stands on a surface is wider there
constexpr double kDotRadius = 0.0012;  // per metre of distance
constexpr float kDeepAlpha = 0.1f;     // of the farthest bar: those in front are to be told apart
constexpr float kOthersAlpha = 0.1f;   // while one body is selected

Colour Mix(const Colour& a, const Colour& b, float share) {
  return {a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b), a.a};
}

bool Moves(const Model& model, int body) {
  return body >= 0 && body < static_cast<int>(model.bodies.size()) && model.body(body).Moves();
}

bool SamePair(const ContactFrame& a, const ContactFrame& b) {
  return a.body == b.body && a.body_a == b.body_a && a.surface == b.surface;
}

class ChainBuilder {
 public:
  ChainBuilder(const DrawContext& context, int channel, DrawList* list)
      : c_(context),
        channel_(channel),
        list_(list),
        colour_(StyleOfChannel(context.snapshot, channel, context.request.theme).colour),
        eye_(context.camera.eye_W()),
        target_(context.camera.spec().target),
        shift_(FanOffset(context.snapshot, context.request, channel)),
        forward_(context.camera.forward_W()),
        range_(ChainRange(context.snapshot, context.request)) {}

  /// Depths between which bars fade.
  void SetDepths(const std::vector<ForceLink>& links) {
    near_ = 1e300;
    far_ = -1e300;
    for (const ForceLink& link : links) {
      const double depth = forward_.dot(link.p_W + shift_);
      near_ = std::min(near_, depth);
      far_ = std::max(far_, depth);
    }
  }

  void AddLink(const ForceLink& link) {
    const double strength = ChainStrength(link.force, range_);
    Colour colour = ChainColour(colour_, strength, c_.request.theme);
    const Vec3 p = link.p_W + shift_;
    colour.a *= AlphaOf(link.body, link.body_a) * DepthAlpha(p);
    double half =
        std::min(ChainHalfWidth(strength) * Distance(p), kWidestOfBody * Bound(link.body));
    const Vec3 centre = DrawnPose(c_.snapshot, c_.request, channel_, link.body).p;
    if (link.body_a < 0) {
      AddStroke(p, kFoot * half, centre, half, colour);
      return;
    }
    half = std::min(half, kWidestOfBody * Bound(link.body_a));
    AddStroke(p, half, centre, half, colour);
    AddStroke(p, half, DrawnPose(c_.snapshot, c_.request, channel_, link.body_a).p, half, colour);
  }

  void AddDot(const ContactFrame& contact) {
    const bool slip = contact.mode == ContactMode::kSlip;
    Colour colour = slip ? c_.colours.slip : colour_;
    const Vec3 p = PointAtEnd(At(c_.snapshot.channels, channel_), contact) + shift_;
    colour.a = AlphaOf(contact.body, contact.body_a) * DepthAlpha(p);
    const double r = std::min(kDotRadius * Distance(p), kDotOfBody * Bound(contact.body));
    StrokeInstance& dot = AddStroke(p, slip ? r : 0.85 * r, p, slip ? r : 0.85 * r, colour);
    dot.params[0] = slip ? 0 : 1;
  }

 private:
  double Distance(const Vec3& p) const {
    return c_.camera.orthographic() ? c_.camera.spec().distance : (p - eye_).norm();
  }

  double Bound(int body) const {
    if (body < 0 || body >= static_cast<int>(c_.snapshot.model->bodies.size())) return 1e9;
    const double bound = c_.snapshot.model->body(body).bound;
    return bound > 0 ? bound : 1e9;
  }

  float DepthAlpha(const Vec3& p) const {
    if (!(far_ > near_)) return 1;
    const double share = std::clamp((forward_.dot(p) - near_) / (far_ - near_), 0.0, 1.0);
    const auto near = static_cast<float>(1 - share);
    return kDeepAlpha + (1 - kDeepAlpha) * near * std::sqrt(near);
  }

  float AlphaOf(int body, int body_a) const {
    const int selected = c_.request.selected_body;
    return selected < 0 || body == selected || body_a == selected ? 1.0f : kOthersAlpha;
  }

  StrokeInstance& AddStroke(const Vec3& from, double from_half, const Vec3& to, double to_half,
                            const Colour& colour) {
    StrokeInstance stroke{};
    for (int i = 0; i < 3; ++i) {
      stroke.from[i] = static_cast<float>(from[i] - target_[i]);
      stroke.to[i] = static_cast<float>(to[i] - target_[i]);
    }
    stroke.from_half = static_cast<float>(from_half);
    stroke.to_half = static_cast<float>(to_half);
    // not lit, so the colour stays as it is on the screen
    stroke.colour[0] = colour.r;
    stroke.colour[1] = colour.g;
    stroke.colour[2] = colour.b;
    stroke.colour[3] = colour.a;
    list_->strokes.push_back(stroke);
    return list_->strokes.back();
  }

  const DrawContext& c_;
  int channel_;
  DrawList* list_;
  Colour colour_;
  Vec3 eye_, target_, shift_, forward_;
  double near_ = 0, far_ = 0;
  ForceRange range_;
};

}  // namespace

std::vector<ForceLink> CollectLinks(const Model& model, const ChannelFrame& frame, double least) {
  std::vector<ForceLink> links;
  const std::vector<ContactFrame>& contacts = frame.contacts;
  links.reserve(contacts.size());
  for (std::size_t i = 0; i < contacts.size();) {
    ForceLink link;
    link.body = contacts[i].body;
    if (Moves(model, contacts[i].body_a)) link.body_a = contacts[i].body_a;
    double weight = 0;
    // contacts are sorted by key: those of one pair follow each other
    const std::size_t first = i;
    for (; i < contacts.size() && SamePair(contacts[first], contacts[i]); ++i) {
      const ContactFrame& c = contacts[i];
      const Vec3 force = c.fn * c.n_W + c.ft_W;
      if (!(c.fn > 0) || !force.allFinite() || !c.p_W.allFinite()) continue;
      link.force_W += force;
      link.p_W += c.fn * PointAtEnd(frame, c);
      weight += c.fn;
    }
    if (!(weight > 0)) continue;
    link.p_W /= weight;
    link.force = link.force_W.norm();
    if (link.force >= least) links.push_back(link);
  }
  const auto weaker = [](const ForceLink& a, const ForceLink& b) {
    if (a.force != b.force) return a.force < b.force;
    return a.body != b.body ? a.body < b.body : a.body_a < b.body_a;
  };
  if (links.size() > kMostLinks) {
    const auto kept = links.end() - static_cast<std::ptrdiff_t>(kMostLinks);
    std::nth_element(links.begin(), kept, links.end(), weaker);
    links.erase(links.begin(), kept);
  }
  std::sort(links.begin(), links.end(), weaker);
  return links;
}

ForceRange ChainRange(const Snapshot& snapshot, const ViewRequest& request) {
  const double bodies =
      snapshot.model ? static_cast<double>(snapshot.model->bodies.size()) : kShallowPile;
  const double thinnest = kThinnest * std::cbrt(std::max(1.0, bodies / kShallowPile));
  const double least = std::max(thinnest, request.force_floor) * MeanWeight(snapshot);
  ForceRange range;
  // a hair of tolerance: 0.1 of 10 N is one newton
  range.least = std::pow(10.0, std::floor(std::log10(least) + 1e-9));
  range.most = range.least * std::pow(10.0, kDecades);
  return range;
}

double ChainStrength(double force, const ForceRange& range) {
  if (!(force > range.least)) return 0;
  return std::min(1.0, std::log10(force / range.least) / std::log10(range.most / range.least));
}

double ChainHalfWidth(double strength) { return 0.0005 + 0.0042 * strength * strength; }

Colour ChainColour(const Colour& channel, double strength, Theme theme) {
  const auto s = static_cast<float>(strength);
  const Colour end = theme == Theme::kDark ? Colour::Hex(0xFFFFFF) : Colour::Hex(0x16191D);
  return Mix(channel, end, 0.45f * s * s).WithAlpha(std::min(1.0f, 0.1f + 1.6f * s * std::sqrt(s)));
}

PilePoints::PilePoints(const Snapshot& snapshot, const ViewRequest& request, int channel)
    : least_(request.force_floor * MeanWeight(snapshot)),
      hair_(std::max(least_, ChainRange(snapshot, request).least)),
      selected_body_(request.selected_body),
      selected_(request.selected_key),
      some_(request.contact_points),
      all_(At(snapshot.channels, channel).contacts.size() <= kMostDots) {}

bool PilePoints::Shows(const ContactFrame& contact) const {
  if (selected_ >= 0 && contact.key == selected_) return true;
  if (!some_ || contact.mode == ContactMode::kOpen || !contact.p_W.allFinite()) return false;
  const bool own =
      selected_body_ >= 0 && (contact.body == selected_body_ || contact.body_a == selected_body_);
  // a hair's point is dust
  return own ? contact.fn >= least_ : all_ && contact.fn >= hair_;
}

std::vector<ForceLink> AppendChains(const DrawContext& context, int channel, DrawList* list) {
  const ChannelFrame& frame = At(context.snapshot.channels, channel);
  const double least = context.request.force_floor * MeanWeight(context.snapshot);
  std::vector<ForceLink> links;
  if (context.request.forces) links = CollectLinks(*context.snapshot.model, frame, least);
  ChainBuilder builder(context, channel, list);
  builder.SetDepths(links);
  for (const ForceLink& link : links) builder.AddLink(link);
  const PilePoints points(context.snapshot, context.request, channel);
  for (const ContactFrame& contact : frame.contacts) {
    if (points.Shows(contact)) builder.AddDot(contact);
  }
  return links;
}

namespace {

/// Of the lead's pile, with the numbers of the largest, or of those of the selected body.
void AppendPile(const DrawContext& context, ForceArrows* arrows, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  const int lead = LeadChannel(snapshot, request), selected = request.selected_body;
  const bool apart = request.compare == CompareMode::kDifference || !DrawsPile(snapshot, request);
  if (apart || !ChannelShown(snapshot, request, lead)) return;
  const std::vector<ForceLink> links = AppendChains(context, lead, list);
  std::size_t labels = 0;
  for (auto link = links.rbegin(); link != links.rend() && labels < kChainLabels; ++link) {
    if (selected >= 0 && link->body != selected && link->body_a != selected) continue;
    arrows->AddLabel(link->p_W, link->force_W, 0, LabelKind::kContactForce, link->force, lead,
                     (int64_t{link->body} << 32) + link->body_a);
    ++labels;
  }
}

constexpr Choice kInstead[] = {
    Commands<&ViewStyle::force_style, ForceStyle::kArrows>("Arrows instead", false)};
constexpr NumberOption kFloor[] = {{"chains/floor", "Weakest, of a body's weight", "%", 0.01, 1000,
                                    1, &ViewStyle::force_floor, 100}};

}  // namespace

constinit const Quantity kChains{
    .name = "Forces as chains",
    .doc = "Bars from body to body instead of arrows; by itself in piles.",
    .choices = kInstead,
    .numbers = kFloor,
    .shown =
        [](const Snapshot& snapshot, const ViewRequest& request) {
          return request.force_style == ForceStyle::kChains ||
                 (request.force_style == ForceStyle::kAuto && IsPile(snapshot, request));
        },
    .show = [](ViewStyle* style,
               bool on) { style->force_style = on ? ForceStyle::kChains : ForceStyle::kArrows; },
    .of_scene = AppendPile};

}  // namespace slip::render
