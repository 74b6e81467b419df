// What a robot's links weigh, where its joints start, and what starts in what.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/quantity_text.h"
#include "engine/core/rotation.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometry/mass_properties.h"
#include "engine/method/contact_finder.h"
#include "engine/tell/surprise_list.h"

namespace slip {
namespace {

// The inertia of a link over that of its shape, all three moments.
constexpr double kInertia = 3;
// A centre of mass beyond the shape, of its diagonal.
constexpr double kOutside = 0.1;
// Masses of links that a joint connects.
constexpr double kMassRatio = 1e4;
// An overlap at the start, of the thinner one's half width.
constexpr double kDeep = 0.25;
constexpr double kSlack = 1e-9;  // of limits, relative

class BodyLook {
 public:
  BodyLook(const Scene& scene, const std::set<int>& absurd, SurpriseList* list)
      : scene_(scene), model_(*scene.model), absurd_(absurd), list_(*list) {
    SetStart(model_, &start_);
  }

  void Find() {
    boxes_.assign(model_.bodies.size(), {});
    AddBoxes();
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      if (body.robot < 0 || body.shape_of_link >= 0 || !body.Moves()) continue;
      const int index = static_cast<int>(b);
      if (!absurd_.contains(index)) CheckMass(index, body);
      CheckNeighbour(index, body);
      CheckJoint(index, body);
    }
    FindOverlaps();
    if (weighed_ > 0 && !list_.Has("inertia") && !list_.Has("mass_outside")) {
      list_.Say("inertia_right", SurpriseKind::kRight, 1, -1, {},
                fmt::format("mass and inertia of {} link{} fit {} shapes", weighed_,
                            weighed_ == 1 ? "" : "s", weighed_ == 1 ? "its" : "their"));
    }
  }

 private:
  /// A link's name in its file.
  std::string NameOf(int body) const {
    const Body& of = model_.body(model_.body(body).Owner(body));
    const std::size_t slash = of.robot < 0 ? 0 : At(model_.robots, of.robot).name.size() + 1;
    return of.name.size() > slash ? of.name.substr(slash) : of.name;
  }

  // Boxes around all that a body has, along its principal axes.
  void AddBoxes() {
    for (const auto* list : {&model_.bodies, &model_.visuals}) {
      for (const Body& shape : *list) {
        if (shape.shape_of_link >= 0)
          At(boxes_, shape.shape_of_link).Add(shape.shape, shape.joint.X_PF);
      }
    }
  }

  /// Moments of a solid box of this mass about its middle.
  static Vec3 BoxMoments(double mass, const Vec3& size) {
    const Vec3 squares = size.cwiseProduct(size);
    return mass / 12 * (squares.sum() * Vec3::Ones() - squares);
  }

  /// Moments, ascending, of what collides at that mass, as one solid; nothing where it has no
  /// volume. Overlaps count twice.
  std::optional<Vec3> SolidMoments(int body, double mass) const {
    double volume = 0;
    Vec3 centre = Vec3::Zero();
    std::vector<std::pair<MassProperties, Pose>> parts;
    for (const Body& part : model_.bodies) {
      if (part.shape_of_link != body) continue;
      MassProperties solid = CalcMassProperties(part.shape, 1);
      if (!(solid.volume > 0)) continue;
      volume += solid.volume;
      centre += solid.volume * (part.joint.X_PF * solid.p_com);
      parts.emplace_back(solid, part.joint.X_PF);
    }
    if (!(volume > 0)) return std::nullopt;
    centre /= volume;
    Mat3 inertia = Mat3::Zero();
    for (const auto& [solid, X_BS] : parts) {
      const Mat3 R = X_BS.q.toRotationMatrix();
      const Vec3 d = X_BS * solid.p_com - centre;
      inertia += R * solid.inertia * R.transpose() +
                 solid.volume * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    return Vec3(mass / volume * CalcSymmetricEigen(inertia).values);
  }

  void CheckMass(int index, const Body& body) {
    // what only decorates a mass says nothing of it
    const bool touches = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                     [&](const Body& part) { return part.shape_of_link == index; });
    const ShapeBox& box = At(boxes_, index);
    if (!touches || box.empty() || !(body.mass > 0)) return;
    if (const double out = box.Distance(Vec3::Zero()); out > kOutside * box.diagonal()) {
      return list_.Say("mass_outside", SurpriseKind::kWrong, out / box.diagonal(), index,
                       NameOf(index),
                       fmt::format("link {}: its centre of mass is {} outside of its shapes",
                                   QuoteLink(NameOf(index)), FormatQuantity(out, "m")),
                       "look where its <inertial> is, and in which unit");
    }
    Vec3 own = body.inertia_B, around = BoxMoments(body.mass, box.size());
    std::sort(own.data(), own.data() + 3);
    std::sort(around.data(), around.data() + 3);
    const std::optional<Vec3> solid = SolidMoments(index, body.mass);
    ++weighed_;
    // no body within the box has more than three times what a solid box has
    const auto say = [&](double ratio, const char* of) {
      --weighed_;
      list_.Say(
          "inertia", SurpriseKind::kWrong, std::abs(std::log(ratio)), index, NameOf(index),
          fmt::format("link {}: inertia is {} times that of {} at {}", QuoteLink(NameOf(index)),
                      TimesText(ratio), of, FormatQuantity(body.mass, "kg")),
          "expected kg m^2 about the centre of mass");
    };
    if ((own.array() > kInertia * around.array()).all())
      return say(own.sum() / around.sum(), "a box around its shapes");
    if (solid && (own.array() * kInertia < solid->array()).all() &&
        (own.array() * kInertia < around.array()).all())
      say(own.sum() / solid->sum(), "its shape");
  }

  // A heavy link on a light one makes stiff equations.
  void CheckNeighbour(int index, const Body& body) {
    const int parent = body.joint.parent;
    if (parent < 0 || !model_.body(parent).Moves()) return;
    const double own = body.mass, other = model_.body(parent).mass;
    if (!(own > 0) || !(other > 0)) return;
    const double ratio = std::max(own, other) / std::min(own, other);
    if (ratio < kMassRatio) return;
    const bool light = own < other;
    const int at = light ? index : parent, beside = light ? parent : index;
    list_.Say("mass_ratio", SurpriseKind::kWrong, ratio, at, NameOf(at),
              fmt::format("link {} weighs {}, and {} beside it {} times as much",
                          QuoteLink(NameOf(at)), FormatQuantity(std::min(own, other), "kg"),
                          QuoteLink(NameOf(beside)), TimesText(ratio)),
              "fix it to its neighbour, or give it the mass that it has");
  }

  void CheckJoint(int index, const Body& body) {
    if (body.nv != 1) return;
    const Joint& joint = body.joint;
    const std::string name = joint.name.substr(
        std::min(joint.name.size(), At(model_.robots, body.robot).name.size() + 1));
    const std::string unit = joint.kind == JointKind::kPrismatic ? "m" : "rad";
    const double range = joint.upper - joint.lower, at = body.q0[0];
    const double slack = kSlack * (1 + std::abs(at));
    if (range <= slack) {
      list_.Say("no_range", SurpriseKind::kWrong, 1, index, name,
                fmt::format("joint {} cannot move: its limits are equal, {}", QuoteLink(name),
                            FormatQuantity(joint.lower, unit)),
                "make it fixed, or give it a range");
    } else if (at < joint.lower - slack || at > joint.upper + slack) {
      const double out = std::max(joint.lower - at, at - joint.upper);
      list_.Say("start_outside", SurpriseKind::kWrong, out, index, name,
                fmt::format("joint {} starts at {}, outside of its limits {} to {}",
                            QuoteLink(name), FormatQuantity(at, unit),
                            FormatQuantity(joint.lower, unit), FormatQuantity(joint.upper, unit)));
    }
  }

  // Shapes that may collide and stand in each other already.
  void FindOverlaps() {
    std::vector<Vec6> V_WB;
    CalcVelocities(model_, start_, &V_WB);
    ContactFinder finder;
    std::vector<ContactGeometry> contacts;
    finder.Find(model_, scene_.config, start_, V_WB, {}, &contacts);
    std::map<std::pair<int, int>, double> deepest;  // by links, of a surface -1 and its index
    for (const ContactGeometry& contact : contacts) {
      const Body& b = model_.body(contact.body);
      const Body* a = contact.body_a < 0 ? nullptr : &model_.body(contact.body_a);
      if (b.robot < 0 && (a == nullptr || a->robot < 0)) continue;
      const double thin = a == nullptr ? b.half_width : std::min(a->half_width, b.half_width);
      if (!(-contact.phi0 > kDeep * thin)) continue;
      const int first = a == nullptr ? -1 - contact.surface : a->Owner(contact.body_a);
      double& depth = deepest[{first, b.Owner(contact.body)}];
      depth = std::max(depth, -contact.phi0);
    }
    for (const auto& [pair, depth] : deepest) {
      const std::string name = NameOf(pair.second);
      if (pair.first < 0) {
        list_.Say(
            "in_surface", SurpriseKind::kWrong, depth, pair.second, name,
            fmt::format("link {} starts {} deep in {}", QuoteLink(name), FormatQuantity(depth, "m"),
                        QuoteLink(At(model_.surfaces, -1 - pair.first).name)),
            "raise the base");
        continue;
      }
      const std::string other = NameOf(pair.first);
      list_.Say("overlap", SurpriseKind::kWrong, depth, pair.second, other + " with " + name,
                fmt::format("links {} and {} collide, and start {} deep in each other",
                            QuoteLink(other), QuoteLink(name), FormatQuantity(depth, "m")),
                "keep them apart at the start, or from colliding");
    }
  }

  const Scene& scene_;
  const Model& model_;
  const std::set<int>& absurd_;
  SurpriseList& list_;
  State start_;
  std::vector<ShapeBox> boxes_;  // by body
  int weighed_ = 0;
};

}  // namespace

void FindBodySurprises(const Scene& scene, const std::set<int>& absurd, SurpriseList* list) {
  BodyLook(scene, absurd, list).Find();
}

}  // namespace slip
