// Contact glyphs. Sizes are those of the tokens at 1 m distance and grow with it, so that arrows
// look alike at every zoom.
#include "render/contact_glyphs.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "render/difference.h"
#include "render/force_chains.h"

namespace slip::render {
namespace {

// per metre of distance to the eye
constexpr double kShaftRadius = 0.0026;
constexpr double kHeadRadius = 2.3 * kShaftRadius;
constexpr double kHeadLength = 5.0 * kShaftRadius;
constexpr double kPointRadius = 0.0042;
constexpr double kRimRadius = 0.0011;
constexpr double kEmissive = 0.35;
constexpr double kMaxLength = 0.6;  // per metre of distance: longer arrows would leave the picture
constexpr std::size_t kPileDifferences = 30;  // more arrows than this hide each other
constexpr double kMetresPerSlipSpeed = 0.1;   // slip and belt velocity: 10 cm at 1 m per m/s

class GlyphBuilder {
 public:
  GlyphBuilder(const DrawContext& context, DrawList* list) : c_(context), list_(list) {
    scale_ = NewtonsPer10cm(context.snapshot, context.request);
    arrow_scale_ = scale_ > 0 ? context.request.arrow_scale : ArrowScale::kLog;
  }

  /// Chains of the lead channel, and single arrows only for the selected contact.
  void AddPile() {
    const int lead = LeadChannel(c_.snapshot, c_.request);
    const std::vector<ForceLink> links = AppendChains(c_, lead, list_);
    std::size_t labels = 0;
    for (auto link = links.rbegin(); link != links.rend() && labels < kChainLabels; ++link) {
      const int selected = c_.request.selected_body;
      if (selected >= 0 && link->body != selected && link->body_a != selected) continue;
      AddLabel(link->p_W, link->force_W, 0, LabelKind::kContactForce, link->force, lead);
      ++labels;
    }
    const ChannelFrame& frame = c_.snapshot.channels[static_cast<std::size_t>(lead)];
    const Colour colour = StyleOfChannel(c_.snapshot, lead, c_.request.theme).colour;
    for (const ContactFrame& contact : frame.contacts) {
      if (contact.key != c_.request.selected_key || c_.request.selected_key < 0) continue;
      if (!contact.p_W.allFinite() || !contact.n_W.allFinite()) continue;
      const Vec3 p = contact.p_W + FanOffset(c_.snapshot, c_.request, lead);
      const double d = Distance(p);
      AddPoint(contact, p, d, colour);
      if (c_.request.friction_cone) AddCone(contact, p, d, colour);
      if (!c_.request.forces) continue;
      force_labels_.clear();  // its own numbers are the ones asked for
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
      const Vec3 p = contact.p_W + shift;
      const double d = Distance(p);
      if (c_.request.contact_points && contact.mode != ContactMode::kOpen) {
        AddPoint(contact, p, d, colour);
      }
      if (c_.request.friction_cone && lead) AddCone(contact, p, d, colour);
      if (forces) AddForces(contact, p, d, colour, channel);
      if (c_.request.slip_velocity) {
        const double length = kMetresPerSlipSpeed * contact.vt * d;
        AddArrow(p, contact.vt_W, length, d, c_.colours.slip);
      }
    }
    AddGrab(frame, shift, channel);
  }

  /// Forces of the compared channels minus those of the lead, contact by contact; a contact that
  /// only one of them has counts whole. Of a pile the largest differences.
  void AddDifferences() {
    const int lead = LeadChannel(c_.snapshot, c_.request);
    const auto& reference = c_.snapshot.channels[static_cast<std::size_t>(lead)].contacts;
    std::vector<ForceDifference> all;
    for (int c = 0; c < static_cast<int>(c_.snapshot.channels.size()); ++c) {
      if (!ComparedWithLead(c_.snapshot, c_.request, c)) continue;
      const auto& own = c_.snapshot.channels[static_cast<std::size_t>(c)].contacts;
      std::unordered_map<ContactKey, const ContactFrame*> unmatched;
      for (const ContactFrame& contact : own) unmatched.emplace(contact.key, &contact);
      for (const ContactFrame& contact : reference) {
        const auto match = unmatched.find(contact.key);
        const bool found = match != unmatched.end();
        all.push_back(MakeDifference(contact, found ? match->second : nullptr, &contact, c));
        if (found) unmatched.erase(match);
      }
      for (const ContactFrame& contact : own) {
        if (unmatched.contains(contact.key)) {
          all.push_back(MakeDifference(contact, &contact, nullptr, c));
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
      const double d = Distance(p);
      p += std::clamp(off_centre + side * (beside + 0.03 * d), -edge, edge) * across;
      const double length = kMetresPerSlipSpeed * std::abs(speed) * d;
      const Vec3 direction = speed >= 0 ? surface.belt_axis : Vec3(-surface.belt_axis);
      AddArrow(p, direction, length, d, c_.colours.neutral_arrow);
      AddLabel(p, direction, length, LabelKind::kBeltSpeed, speed, lead);
    }
  }

  std::vector<LabelAnchor> TakeLabels() {
    // the largest forces win; the others keep their order
    std::stable_sort(force_labels_.begin(), force_labels_.end(),
                     [](const LabelAnchor& a, const LabelAnchor& b) { return a.value > b.value; });
    if (force_labels_.size() > kMaxForceLabels) force_labels_.resize(kMaxForceLabels);
    labels_.insert(labels_.begin(), force_labels_.begin(), force_labels_.end());
    return std::move(labels_);
  }

 private:
  double Distance(const Vec3& p) const {
    return c_.camera.orthographic() ? c_.camera.spec().distance : (p - c_.camera.eye_W()).norm();
  }

  void AddArrow(const Vec3& origin, const Vec3& direction, double length, double d,
                const Colour& colour) {
    const double norm = direction.norm();
    if (!(norm > 1e-12) || !std::isfinite(norm) || !(length > 0.002 * d)) return;
    length = std::min(length, kMaxLength * d);
    ArrowInstance arrow{};
    const Vec3 p = origin - c_.camera.spec().target;
    for (int i = 0; i < 3; ++i) {
      arrow.origin[i] = static_cast<float>(p[i]);
      arrow.direction[i] = static_cast<float>(direction[i] / norm);
    }
    arrow.length = static_cast<float>(length);
    // a short arrow shrinks as a whole
    const double fit = std::min(1.0, length / (1.6 * kHeadLength * d));
    arrow.shaft_radius = static_cast<float>(kShaftRadius * d * fit);
    arrow.head_radius = static_cast<float>(kHeadRadius * d * fit);
    arrow.head_length = static_cast<float>(kHeadLength * d * fit);
    arrow.emissive = static_cast<float>(kEmissive);
    SetColour(colour, arrow.colour);
    list_->arrows.push_back(arrow);
  }

  void AddLabel(const Vec3& origin, const Vec3& direction, double length, LabelKind kind,
                double value, int channel) {
    const double norm = direction.norm();
    if (!(norm > 0)) return;
    const Vec3 tip = origin + std::max(length, 1e-6) * direction / norm;
    const auto from = c_.camera.Project(origin, c_.viewport);
    const auto to = c_.camera.Project(tip, c_.viewport);
    if (!from || !to) return;
    LabelAnchor label;
    label.pixel = to->head<2>();
    const Vec2 way = to->head<2>() - from->head<2>();
    label.towards = way.norm() > 1e-6 ? Vec2(way.normalized()) : Vec2(0, -1);
    label.kind = kind;
    label.value = value;
    label.channel = channel;
    const bool force = kind != LabelKind::kBeltSpeed && kind != LabelKind::kGrabForce &&
                       kind != LabelKind::kGrabTorque;
    (force ? force_labels_ : labels_).push_back(label);
  }

  void AddForce(const Vec3& p, const Vec3& direction, double force, double d, const Colour& colour,
                LabelKind kind, int channel) {
    if (!(force > 1e-6) || !std::isfinite(force) || !(direction.norm() > 1e-12)) return;
    const double length = std::min(ArrowLength(force, d, arrow_scale_, scale_), kMaxLength * d);
    AddArrow(p, direction, length, d, colour);
    AddLabel(p, direction, length, kind, force, channel);
  }

  struct ForceDifference {
    Vec3 p, n, normal, friction;
    double size;
    int channel;
  };

  static ForceDifference MakeDifference(const ContactFrame& place, const ContactFrame* own,
                                        const ContactFrame* reference, int channel) {
    ForceDifference d{place.p_W, place.n_W, Vec3::Zero(), Vec3::Zero(), 0, channel};
    if (own != nullptr) {
      d.normal += own->fn * own->n_W;
      d.friction += own->ft_W;
    }
    if (reference != nullptr) {
      d.normal -= reference->fn * reference->n_W;
      d.friction -= reference->ft_W;
    }
    d.size = (d.normal + d.friction).norm() + 0 * (place.p_W + place.n_W).sum();  // NaN anywhere
    return d;
  }

  void Add(const ForceDifference& difference) {
    const auto& [p, n, normal, friction, size, channel] = difference;
    if (!c_.request.forces) return;
    const Colour colour = StyleOfChannel(c_.snapshot, channel, c_.request.theme).colour;
    const double d = Distance(p);
    if (c_.request.split_forces) {
      const double dfn = normal.dot(n);
      AddForce(p, dfn < 0 ? Vec3(-n) : n, std::abs(dfn), d, colour, LabelKind::kNormalForce,
               channel);
      AddForce(p, friction, friction.norm(), d, colour, LabelKind::kFrictionForce, channel);
    } else {
      AddForce(p, normal + friction, size, d, colour, LabelKind::kContactForce, channel);
    }
  }

  void AddForces(const ContactFrame& contact, const Vec3& p, double d, const Colour& colour,
                 int channel) {
    if (c_.request.split_forces) {
      AddForce(p, contact.n_W, contact.fn, d, colour, LabelKind::kNormalForce, channel);
      AddForce(p, contact.ft_W, contact.ft, d, colour, LabelKind::kFrictionForce, channel);
    } else {
      const Vec3 f = contact.fn * contact.n_W + contact.ft_W;
      AddForce(p, f, f.norm(), d, colour, LabelKind::kContactForce, channel);
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
    const double height =
        std::min(ArrowLength(contact.fn, d, arrow_scale_, scale_), kMaxLength * d);
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
    const double d = Distance(from);
    SolidInstance line = MakeBar(c_.camera, from, to, 0.0014 * d, c_.colours.neutral_arrow);
    SolidInstance knob = MakeSolid(c_.camera, Pose{to, Quat::Identity()}, Vec3::Constant(0.005 * d),
                                   0.005 * d, c_.colours.neutral_arrow);
    line.params[1] = knob.params[1] = 0.7f;
    list_->marks.push_back(line);
    list_->marks.push_back(knob);
    AddLabel(from, Vec3(to - from + Vec3(0, 0, 1e-9)), (to - from).norm(), LabelKind::kGrabForce,
             frame.grab_force_W.norm(), channel);
  }

  // the axis of the torque, through the body
  void AddTwist(const ChannelFrame& frame, const Vec3& shift, int channel) {
    const auto body = static_cast<std::size_t>(frame.config.grab.body);
    const Vec3 centre = frame.bodies[body].X_WB.p + shift;
    const double torque = frame.grab_force_W.norm();
    if (!centre.allFinite() || !(torque > 0) || !std::isfinite(torque)) return;
    const double d = Distance(centre);
    const Vec3 half = 0.12 * d / torque * frame.grab_force_W;
    SolidInstance axis =
        MakeBar(c_.camera, centre - half, centre + half, 0.0014 * d, c_.colours.neutral_arrow);
    axis.params[1] = 0.7f;
    list_->marks.push_back(axis);
    AddArrow(centre + 0.6 * half, half, 0.4 * half.norm(), d, c_.colours.neutral_arrow);
    AddLabel(centre, half, half.norm(), LabelKind::kGrabTorque, torque, channel);
  }

  const DrawContext& c_;
  DrawList* list_;
  double scale_ = 0;
  ArrowScale arrow_scale_ = ArrowScale::kLog;  ///< with the automatic choice made
  std::vector<LabelAnchor> labels_, force_labels_;
};

}  // namespace

double NewtonsPer10cm(const Snapshot& snapshot, const ViewRequest& request) {
  const bool automatic = request.arrow_scale == ArrowScale::kAuto;
  // differences are a small part of a weight, or many of them at an impact
  const bool wide = IsPile(snapshot, request) || request.compare == CompareMode::kDifference;
  if (request.arrow_scale == ArrowScale::kLog || (automatic && wide)) return 0;
  if (request.arrow_scale != ArrowScale::kAuto) return std::max(request.newtons_per_10cm, 1e-9);
  double weight = 0;
  if (snapshot.model) {
    for (const Body& body : snapshot.model->bodies) {
      if (body.Moves()) weight = std::max(weight, body.mass * snapshot.gravity_W.norm());
    }
  }
  if (!(weight > 0) || !std::isfinite(weight)) return 10;
  // the next of 1, 2, 5 x 10^n that draws the weight 5 to 12 cm long
  const double wanted = weight / 1.2;
  const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
  for (double step : {1.0, 2.0, 5.0}) {
    if (step * decade >= wanted) return step * decade;
  }
  return 10 * decade;
}

double ArrowLength(double force, double distance, ArrowScale scale, double newtons_per_10cm) {
  if (!(force > 0) || !(distance > 0)) return 0;
  switch (scale) {
    case ArrowScale::kLog:
      if (force < 0.1) return 0.035 * distance * force / 0.1;
      return distance * (0.035 + 0.062 * std::log10(force / 0.1));
    case ArrowScale::kFixed:
      return 0.1 * force / newtons_per_10cm;
    case ArrowScale::kLinear:
    case ArrowScale::kAuto:
      return distance * 0.1 * force / newtons_per_10cm;
  }
  return 0;
}

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
