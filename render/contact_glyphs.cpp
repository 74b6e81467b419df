#include "render/contact_glyphs.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "render/difference.h"
#include "render/foot_forces.h"
#include "render/force_chains.h"
#include "render/joint_marks.h"
#include "render/world_lines.h"

namespace slip::render {
namespace {

// per metre of distance to the eye
constexpr double kPointRadius = 0.0042;
constexpr double kRimRadius = 0.0011;
constexpr std::size_t kPileDifferences = 30;  // more arrows than this hide each other
constexpr double kMetresPerSlipSpeed = 0.1;   // slip and belt velocity: 10 cm at 1 m per m/s

class GlyphBuilder {
 public:
  GlyphBuilder(const DrawContext& context, DrawList* list)
      : c_(context), list_(list), arrows_(context, list) {}

  /// Chains of the lead channel, and single arrows only for the selected contact.
  void AddPile() {
    const int lead = LeadChannel(c_.snapshot, c_.request);
    const std::vector<ForceLink> links = AppendChains(c_, lead, list_);
    std::size_t labels = 0;
    for (auto link = links.rbegin(); link != links.rend() && labels < kChainLabels; ++link) {
      const int selected = c_.request.selected_body;
      if (selected >= 0 && link->body != selected && link->body_a != selected) continue;
      arrows_.AddLabel(link->p_W, link->force_W, 0, LabelKind::kContactForce, link->force, lead);
      ++labels;
    }
    const ChannelFrame& frame = c_.snapshot.channels[static_cast<std::size_t>(lead)];
    const Colour colour = StyleOfChannel(c_.snapshot, lead, c_.request.theme).colour;
    for (const ContactFrame& contact : frame.contacts) {
      if (contact.key != c_.request.selected_key || c_.request.selected_key < 0) continue;
      if (!contact.p_W.allFinite() || !contact.n_W.allFinite()) continue;
      const Vec3 p = PointAtEnd(frame, contact) + FanOffset(c_.snapshot, c_.request, lead);
      const double d = GlyphDistance(c_.camera, p);
      AddPoint(contact, p, d, colour);
      if (c_.request.friction_cone) AddCone(contact, p, d, colour);
      if (!c_.request.forces) continue;
      arrows_.DropForceLabels();  // its own numbers are the ones asked for
      AddForces(contact, p, d, colour, lead);
    }
    AddGrab(frame, FanOffset(c_.snapshot, c_.request, lead), lead);
  }

  void AddChannel(int channel) {
    const ChannelFrame& frame = c_.snapshot.channels[static_cast<std::size_t>(channel)];
    const bool lead = channel == LeadChannel(c_.snapshot, c_.request);
    const Vec3 shift = FanOffset(c_.snapshot, c_.request, channel);
    const Colour colour = StyleOfChannel(c_.snapshot, channel, c_.request.theme).colour;
    const bool forces = c_.request.forces && (lead || c_.request.ghost_forces);
    for (const ContactFrame& contact : frame.contacts) {
      if (!contact.p_W.allFinite() || !contact.n_W.allFinite()) continue;
      const Vec3 p = PointAtEnd(frame, contact) + shift;
      const double d = GlyphDistance(c_.camera, p);
      if (c_.request.contact_points && contact.mode != ContactMode::kOpen) {
        AddPoint(contact, p, d, colour);
      }
      if (c_.request.friction_cone && lead) AddCone(contact, p, d, colour);
      const bool alone = !c_.request.foot_forces || contact.key == c_.request.selected_key ||
                         !OfBroadFoot(*c_.snapshot.model, contact);
      if (forces && alone) AddForces(contact, p, d, colour, channel);
      if (c_.request.slip_velocity) {
        const double length = kMetresPerSlipSpeed * contact.vt * d;
        arrows_.AddArrow(p, contact.vt_W, length, d, c_.colours.slip);
      }
    }
    if (forces && c_.request.foot_forces) AppendFootForces(c_, channel, &arrows_, list_);
    AddGrab(frame, shift, channel);
  }

  /// Forces of the compared channels minus those of the lead, contact by contact; a contact that
  /// only one of them has counts whole. Of a pile the largest differences.
  void AddDifferences() {
    const int lead = LeadChannel(c_.snapshot, c_.request);
    const ChannelFrame& lead_frame = c_.snapshot.channels[static_cast<std::size_t>(lead)];
    const auto& reference = lead_frame.contacts;
    std::vector<ForceDifference> all;
    for (int c = 0; c < static_cast<int>(c_.snapshot.channels.size()); ++c) {
      if (!ComparedWithLead(c_.snapshot, c_.request, c)) continue;
      const ChannelFrame& frame = c_.snapshot.channels[static_cast<std::size_t>(c)];
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
    if (IsPile(c_.snapshot, c_.request) && all.size() > kPileDifferences) {
      const auto end = all.begin() + static_cast<std::ptrdiff_t>(kPileDifferences);
      std::nth_element(all.begin(), end, all.end(),
                       [](const auto& a, const auto& b) { return a.size > b.size; });
      all.erase(end, all.end());
    }
    for (const ForceDifference& difference : all) Add(difference);
  }

  void AddBelts() {
    const int lead = LeadChannel(c_.snapshot, c_.request);
    if (lead >= static_cast<int>(c_.snapshot.channels.size())) return;
    const ChannelFrame& frame = c_.snapshot.channels[static_cast<std::size_t>(lead)];
    for (const Surface& surface : c_.snapshot.model->surfaces) {
      if (surface.drive < 0 || surface.drive >= static_cast<int>(frame.config.surfaces.size())) {
        continue;
      }
      const auto& drive = frame.config.surfaces[static_cast<std::size_t>(surface.drive)];
      const double speed = drive.Velocity(frame.time);
      if (!std::isfinite(speed)) continue;
      // beside the lead body, on the belt, on the near side where nothing hides it
      Vec3 p = surface.point;
      const Vec3 across = surface.normal.cross(surface.belt_axis);
      const double side = across.dot(c_.camera.eye_W() - surface.point) > 0 ? 1 : -1;
      const double edge = 0.48 * surface.display_size.y();
      double off_centre = 0;
      double beside = 0;  // half width of the body
      if (!c_.snapshot.model->bodies.empty()) {
        const Vec3 body = DrawnPose(c_.snapshot, c_.request, lead, 0).p;
        const Shape& shape = c_.snapshot.model->bodies.front().shape;
        beside = shape.kind == ShapeKind::kBox ? 0.5 * shape.size.y() : shape.radius;
        off_centre = across.dot(body - surface.point);
        const Vec3 along = surface.belt_axis * surface.belt_axis.dot(body - surface.point);
        const double reach = 0.5 * surface.display_size.x() - 0.1;
        p += along.norm() > reach ? Vec3(along * (reach / along.norm())) : along;
      }
      const double d = GlyphDistance(c_.camera, p);
      p += std::clamp(off_centre + side * (beside + 0.03 * d), -edge, edge) * across;
      const double length = kMetresPerSlipSpeed * std::abs(speed) * d;
      const Vec3 direction = speed >= 0 ? surface.belt_axis : Vec3(-surface.belt_axis);
      arrows_.AddArrow(p, direction, length, d, c_.colours.neutral_arrow);
      arrows_.AddLabel(p, direction, length, LabelKind::kBeltSpeed, speed, lead);
    }
  }

  std::vector<LabelAnchor> TakeLabels() { return arrows_.TakeLabels(); }

 private:
  struct ForceDifference {
    Vec3 p, n, normal, friction;
    double size;
    int channel;
  };

  static ForceDifference MakeDifference(const ChannelFrame& frame, const ContactFrame& place,
                                        const ContactFrame* own, const ContactFrame* reference,
                                        int channel) {
    ForceDifference d{PointAtEnd(frame, place), place.n_W, Vec3::Zero(), Vec3::Zero(), 0, channel};
    // methods may take the pair the other way round
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
    d.size = (d.normal + d.friction).norm() + 0 * (d.p + place.n_W).sum();  // NaN anywhere
    return d;
  }

  void Add(const ForceDifference& difference) {
    const auto& [p, n, normal, friction, size, channel] = difference;
    if (!c_.request.forces) return;
    const Colour colour = StyleOfChannel(c_.snapshot, channel, c_.request.theme).colour;
    const double d = GlyphDistance(c_.camera, p);
    if (c_.request.split_forces) {
      const double dfn = normal.dot(n);
      arrows_.AddForce(p, dfn < 0 ? Vec3(-n) : n, std::abs(dfn), d, colour, LabelKind::kNormalForce,
                       channel);
      arrows_.AddForce(p, friction, friction.norm(), d, colour, LabelKind::kFrictionForce, channel);
    } else {
      arrows_.AddForce(p, normal + friction, size, d, colour, LabelKind::kContactForce, channel);
    }
  }

  void AddForces(const ContactFrame& contact, const Vec3& p, double d, const Colour& colour,
                 int channel) {
    // an arc about the normal: the part of friction that goes against spin
    if (const double limit = contact.torsional_friction * contact.fn; limit > 0) {
      AppendTorque(c_, p, contact.n_W.normalized(), std::clamp(contact.torque / limit, -1.0, 1.0),
                   colour, list_);
    }
    if (c_.request.split_forces) {
      arrows_.AddForce(p, contact.n_W, contact.fn, d, colour, LabelKind::kNormalForce, channel);
      arrows_.AddForce(p, contact.ft_W, contact.ft, d, colour, LabelKind::kFrictionForce, channel);
    } else {
      const Vec3 f = contact.fn * contact.n_W + contact.ft_W;
      arrows_.AddForce(p, f, f.norm(), d, colour, LabelKind::kContactForce, channel);
    }
  }

  void AddPoint(const ContactFrame& contact, const Vec3& p, double d, const Colour& colour) {
    const bool slip = contact.mode == ContactMode::kSlip;
    const bool selected = contact.key == c_.request.selected_key;
    const double r = kPointRadius * d * (selected ? 1.7 : 1.0);
    // square = stick, round = slip: colour is not the only sign
    SolidInstance point =
        MakeSolid(c_.camera, Pose{p, Quat::Identity()}, Vec3::Constant(slip ? r : 0.8 * r),
                  slip ? r : 0.15 * r, slip ? c_.colours.slip : colour);
    point.params[1] = 0.6f;
    list_->marks.push_back(point);
  }

  void AddCone(const ContactFrame& contact, const Vec3& p, double d, const Colour& colour) {
    if (!(contact.friction > 0) || !(contact.fn > 0)) return;
    const Vec3 n = contact.n_W.normalized();
    const double height = arrows_.Length(contact.fn, d);
    const double radius = std::min(contact.friction, 3.0) * height;
    // a cone is an arrow that is all head, turned round: its tip is the contact
    const Vec3 top = p + height * n;
    ArrowInstance cone{};
    const Vec3 origin = top - c_.camera.spec().target;
    for (int i = 0; i < 3; ++i) {
      cone.origin[i] = static_cast<float>(origin[i]);
      cone.direction[i] = static_cast<float>(-n[i]);
    }
    cone.length = cone.head_length = static_cast<float>(height);
    cone.head_radius = static_cast<float>(radius);
    cone.emissive = 0.7f;
    SetColour(colour.WithAlpha(0.15f), cone.colour);
    list_->cones.push_back(cone);
    // rim
    Vec3 e = n.unitOrthogonal();
    constexpr int kSides = 24;
    for (int i = 0; i < kSides; ++i) {
      const Vec3 next = Eigen::AngleAxisd(2 * M_PI / kSides, n) * e;
      SolidInstance bar =
          MakeBar(c_.camera, top + radius * e, top + radius * next, kRimRadius * d, colour);
      bar.params[1] = 0.9f;
      list_->marks.push_back(bar);
      e = next;
    }
  }

  void AddGrab(const ChannelFrame& frame, const Vec3& shift, int channel) {
    const Grab& grab = frame.config.grab;
    if (grab.body < 0 || grab.body >= static_cast<int>(frame.bodies.size())) return;
    if (grab.twist) return AddTwist(frame, shift, channel);
    const Vec3 from = frame.bodies[static_cast<std::size_t>(grab.body)].X_WB * grab.p_BP + shift;
    const Vec3 to = grab.p_WA + shift;
    if (!from.allFinite() || !to.allFinite()) return;
    const double d = GlyphDistance(c_.camera, from);
    SolidInstance line = MakeBar(c_.camera, from, to, 0.0014 * d, c_.colours.neutral_arrow);
    SolidInstance knob = MakeSolid(c_.camera, Pose{to, Quat::Identity()}, Vec3::Constant(0.005 * d),
                                   0.005 * d, c_.colours.neutral_arrow);
    line.params[1] = knob.params[1] = 0.7f;
    list_->marks.push_back(line);
    list_->marks.push_back(knob);
    arrows_.AddLabel(from, Vec3(to - from + Vec3(0, 0, 1e-9)), (to - from).norm(),
                     LabelKind::kGrabForce, frame.grab_force_W.norm(), channel);
  }

  // the axis of the torque, through the body
  void AddTwist(const ChannelFrame& frame, const Vec3& shift, int channel) {
    const auto body = static_cast<std::size_t>(frame.config.grab.body);
    const Vec3 centre = frame.bodies[body].X_WB.p + shift;
    const double torque = frame.grab_force_W.norm();
    if (!centre.allFinite() || !(torque > 0) || !std::isfinite(torque)) return;
    const double d = GlyphDistance(c_.camera, centre);
    const Vec3 half = 0.12 * d / torque * frame.grab_force_W;
    SolidInstance axis =
        MakeBar(c_.camera, centre - half, centre + half, 0.0014 * d, c_.colours.neutral_arrow);
    axis.params[1] = 0.7f;
    list_->marks.push_back(axis);
    arrows_.AddArrow(centre + 0.6 * half, half, 0.4 * half.norm(), d, c_.colours.neutral_arrow);
    arrows_.AddLabel(centre, half, half.norm(), LabelKind::kGrabTorque, torque, channel);
  }

  const DrawContext& c_;
  DrawList* list_;
  ForceArrows arrows_;
};

}  // namespace

std::vector<LabelAnchor> AppendGlyphs(const DrawContext& context, DrawList* list) {
  if (!context.snapshot.model) return {};
  GlyphBuilder builder(context, list);
  if (context.request.belt_velocity) builder.AddBelts();
  const int count =
      std::min(static_cast<int>(context.snapshot.channels.size()), Snapshot::kMaxChannels);
  const int lead = LeadChannel(context.snapshot, context.request);
  if (context.request.compare == CompareMode::kDifference) {
    builder.AddDifferences();
    return builder.TakeLabels();
  }
  if (DrawsPile(context.snapshot, context.request)) {
    if (ChannelShown(context.snapshot, context.request, lead)) builder.AddPile();
    return builder.TakeLabels();
  }
  for (int c = 0; c < count; ++c) {
    if (c != lead && ChannelShown(context.snapshot, context.request, c)) builder.AddChannel(c);
  }
  // the lead last: where arrows coincide, its colour is the one to be seen
  if (ChannelShown(context.snapshot, context.request, lead)) builder.AddChannel(lead);
  return builder.TakeLabels();
}

}  // namespace slip::render
