// Sizes are those of the tokens at 1 m distance and grow with it, so that arrows look alike at
// every zoom.
#include "render/quantities/force_arrows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"
#include "render/quantities/contact_glyphs.h"

namespace slip::render {
namespace {

// per metre of distance to the eye
constexpr double kShaftRadius = 0.0026;
constexpr double kHeadRadius = 2.3 * kShaftRadius;
constexpr double kHeadLength = 5.0 * kShaftRadius;
constexpr double kShortest = 0.002;  // shorter arrows are not seen
constexpr double kEmissive = 0.35;
constexpr double kSqueeze = 5;
constexpr double kPerE = 30;        // sizes of force that count as different, in a factor of e
constexpr double kMaxLength = 0.6;  // longer arrows would leave the picture

}  // namespace

ForceArrows::ForceArrows(const DrawContext& context, DrawList* list)
    : c_(context),
      list_(list),
      scale_(NewtonsPer10cm(context.snapshot, context.request)),
      arrow_scale_(scale_ > 0 ? context.request.arrow_scale : ArrowScale::kLog) {}

double ForceArrows::Length(double force, double d) const {
  return std::min(ArrowLength(force, d, arrow_scale_, scale_), kMaxLength * d);
}

void ForceArrows::AddArrow(const Vec3& origin, const Vec3& direction, double length, double d,
                           const Colour& colour) {
  const double norm = direction.norm();
  if (!(norm > 1e-12) || !std::isfinite(norm) || !(length > kShortest * d)) return;
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

void ForceArrows::AddLabel(const Vec3& origin, const Vec3& direction, double length, LabelKind kind,
                           double value, int channel, int64_t id) {
  const double norm = direction.norm();
  if (!(norm > 0)) return;
  const Vec3 tip = origin + std::max(length, 1e-6) * direction / norm;
  const auto from = c_.camera.Project(origin, c_.viewport);
  const auto to = c_.camera.Project(tip, c_.viewport);
  if (!from || !to) return;
  LabelAnchor label;
  label.pixel = to->head<2>();
  label.from = from->head<2>();
  const Vec2 way = to->head<2>() - from->head<2>();
  label.towards = way.norm() > 1e-6 ? Vec2(way.normalized()) : Vec2(0, -1);
  label.kind = kind;
  label.value = value;
  label.channel = channel;
  label.id = id;
  const bool force = kind != LabelKind::kBeltSpeed && kind != LabelKind::kGrabForce &&
                     kind != LabelKind::kGrabTorque;
  (force ? force_labels_ : labels_).push_back(label);
}

void ForceArrows::AddForce(const Vec3& p, const Vec3& direction, double force, double d,
                           const Colour& colour, LabelKind kind, int channel, int64_t id) {
  if (!(force > 1e-6) || !std::isfinite(force) || !(direction.norm() > 1e-12)) return;
  const double length = Length(force, d);
  if (!(length > kShortest * d)) return;  // a number without an arrow names nothing
  AddArrow(p, direction, length, d, colour);
  AddLabel(p, direction, length, kind, force, channel, id);
}

/// Of a descending list, what a label of the same model says already goes to the end.
static void RepeatedLast(std::vector<LabelAnchor>* labels) {
  constexpr double kSame = 0.98;
  std::array<double, Snapshot::kMaxChannels> last;
  last.fill(kInfinity);
  std::vector<LabelAnchor> first, repeated;
  for (const LabelAnchor& label : *labels) {
    double& said = At(last, label.channel);
    const bool again = label.value > kSame * said;
    if (!again) said = label.value;
    (again ? repeated : first).push_back(label);
  }
  first.insert(first.end(), repeated.begin(), repeated.end());
  *labels = std::move(first);
}

std::vector<LabelAnchor> ForceArrows::TakeLabels() {
  // the largest forces win; about equal ones keep their order, or noise would choose anew in every
  // step, and the lead's come first
  const int lead = LeadChannel(c_.snapshot, c_.request);
  const auto rank = [lead](const LabelAnchor& label) {
    return std::pair(-std::lround(kPerE * std::log(label.value)), label.channel != lead);
  };
  std::stable_sort(force_labels_.begin(), force_labels_.end(),
                   [&](const LabelAnchor& a, const LabelAnchor& b) { return rank(a) < rank(b); });
  const bool wide = c_.request.arrow_scale == ArrowScale::kLog;
  // of many decades each has its number before equal ones have theirs
  if (wide) RepeatedLast(&force_labels_);
  const std::size_t most = wide ? kMaxLogForceLabels : kMaxForceLabels;
  if (force_labels_.size() > most) force_labels_.resize(most);
  labels_.insert(labels_.begin(), force_labels_.begin(), force_labels_.end());
  return std::move(labels_);
}

double NewtonsPer10cm(const Snapshot& snapshot, const ViewRequest& request) {
  const bool automatic = request.arrow_scale == ArrowScale::kAuto;
  // differences are a small part of a weight, or many of them at an impact
  const bool wide = IsPile(snapshot, request) || request.compare == CompareMode::kDifference;
  if (request.arrow_scale == ArrowScale::kLog || (automatic && wide)) return 0;
  if (request.arrow_scale != ArrowScale::kAuto) return std::max(request.newtons_per_10cm, 1e-9);
  double weight = 0;
  if (snapshot.model) {
    // links weigh on the ground together
    const Model& model = *snapshot.model;
    std::vector<double> mass(model.trees.size(), 0);
    for (const Body& body : model.bodies) {
      if (body.Moves() && body.shape_of_link < 0) At(mass, body.tree) += body.mass;
    }
    // what hangs on the world is not carried by contacts
    for (std::size_t t = 0; t < mass.size(); ++t) {
      const Joint& root = model.body(model.trees[t].first_body).joint;
      if (root.parent >= 0 || !KeepsPose(root.kind)) mass[t] = 0;
    }
    for (const double m : mass) weight = std::max(weight, m * snapshot.gravity_W.norm());
    // a hand squeezes by some times the weight that friction has to carry
    for (const Robot& robot : model.robots) {
      if (robot.weightless) weight *= kSqueeze;
    }
  }
  if (!(weight > 0) || !std::isfinite(weight)) return 10;
  // the next of 1, 2, 5 x 10^n that draws the weight 5 to 12.5 cm long
  const double wanted = weight / 1.25;
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
      return distance * 0.1 * force / newtons_per_10cm;
    case ArrowScale::kAuto: {
      // a blow of a hundred weights stays in the picture, and its number stands at its tip
      constexpr double kStraight = 0.2, kPerDecade = 0.06;  // [m] at 1 m
      const double length = 0.1 * force / newtons_per_10cm;
      return distance * (length <= kStraight
                             ? length
                             : kStraight + kPerDecade * std::log10(length / kStraight));
    }
  }
  return 0;
}

}  // namespace slip::render
