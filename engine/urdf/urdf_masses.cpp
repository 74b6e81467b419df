// Masses and inertias of what moves as one: links with all that is fixed to them. A part need not
// be a body, as the frames are not that exporters give a mass of a microgram; the sum must be one.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/core/rotation.h"
#include "engine/urdf/robot_description.h"
#include "engine/urdf/urdf_check.h"
#include "engine/urdf/urdf_masses.h"

namespace slip {
namespace {

/// Files give four digits: by so much of the largest moment the triangle inequality may be missed
/// in silence, and by so much with a note.
constexpr double kInertiaDigits = 1e-3, kInertiaSlack = 0.2;

/// A body of this radius [m] is a point.
constexpr double kSmallest = 1e-8;

/// A moment below zero by so much of the largest one is no rounding.
constexpr double kBelowZero = 1e-3;

/// kOdd: no body has it, but what moves by it is defined. kFlat: nothing can turn by it.
enum class Flaw { kNone, kNearly, kOdd, kFlat, kWrong };

struct Judgement {
  Flaw flaw = Flaw::kNone;
  std::string message, hint;
};

/// I₁ + I₂ ≥ I₃ holds for every distribution of mass, since Iᵢ = ∫ (r² - xᵢ²) dm.
Judgement Judge(double mass, const Mat3& inertia) {
  if (inertia.isZero(0)) return {Flaw::kFlat, "the inertia is not positive definite: all zero", {}};
  const Vec3 moments = CalcSymmetricEigen(inertia).values;
  if (moments.cwiseAbs().maxCoeff() <= mass * kSmallest * kSmallest)
    return {Flaw::kFlat, "the inertia is not positive definite: next to nothing", {}};
  const std::string values =
      fmt::format("moments {:.4g}, {:.4g}, {:.4g} kg m^2", moments[0], moments[1], moments[2]);
  if (moments[0] <= 1e-12 * moments[2] || !(moments[0] > 0))
    return {moments[0] < -kBelowZero * std::abs(moments[2]) ? Flaw::kWrong : Flaw::kFlat,
            "the inertia is not positive definite: " + values,
            "every principal moment must be above zero; compute it for a solid of the link's size "
            "and mass"};
  if (moments[2] > mass * kSize.most * kSize.most)
    return {Flaw::kWrong, fmt::format("the inertia is too large for {:g} kg: {}", mass, values),
            "expected kg m^2"};
  const double sum = moments[0] + moments[1];
  if (sum < (1 - kInertiaDigits) * moments[2])
    return {sum < (1 - kInertiaSlack) * moments[2] ? Flaw::kOdd : Flaw::kNearly,
            "no body has this inertia: " + values,
            {}};
  return {};
}

/// A link of a group, and where it stands in the first one's frame G.
struct Part {
  int link = 0;
  Pose X_GL;
};

/// A joint that moves, below a link.
struct Below {
  int link = 0;
  const JointFacts* joint = nullptr;
};

class Groups {
 public:
  Groups(UrdfFacts* all, UrdfReport* report) : facts_(*all), report_(*report) {
    const UrdfFacts& facts = *all;
    std::map<std::string_view, int> links;
    for (std::size_t i = 0; i < facts.links.size(); ++i)
      links.emplace(facts.links[i].name, static_cast<int>(i));
    below_.resize(facts.links.size());
    carried_by_.resize(facts.links.size(), nullptr);
    fixed_to_.resize(facts.links.size());
    is_fixed_.resize(facts.links.size(), false);
    moves_.resize(facts.links.size(), false);
    for (const JointFacts& joint : facts.joints) {
      const auto parent = links.find(joint.parent), child = links.find(joint.child);
      if (child == links.end()) continue;
      const bool fixed = joint.type == "fixed";
      if (fixed && parent != links.end())
        At(fixed_to_, parent->second).push_back({child->second, joint.X_PJ});
      if (!fixed && parent != links.end()) {
        At(below_, parent->second).push_back({child->second, &joint});
        At(carried_by_, child->second) = &joint;
      }
      At(fixed ? is_fixed_ : moves_, child->second) = true;
    }
  }

  void Check() {
    for (std::size_t i = 0; i < facts_.links.size(); ++i) {
      if (is_fixed_[i] && !moves_[i]) continue;
      const std::vector<Part> parts = PartsOf(static_cast<int>(i));
      double mass = 0;
      bool wrong = false;
      for (const Part& part : parts) {
        mass += At(facts_.links, part.link).mass;
        wrong = wrong || At(facts_.links, part.link).wrong_mass;
      }
      const LinkFacts& link = facts_.links[i];
      const bool world = !moves_[i] && IsWorld(link);
      if (world && parts.size() > 1)
        report_.Note(fmt::format("link {}, the root, is the world: what is fixed to it stays",
                                 QuoteXml(link.name)));
      if (wrong) continue;
      if (mass > 0) {
        JudgeParts(parts, world);
      } else if (moves_[i]) {
        JudgeMassless(static_cast<int>(i), parts);
      } else if (!world || parts.size() == 1) {
        report_.Note(fmt::format("link {}, the root, has no mass: it can only be fixed",
                                 QuoteXml(link.name)));
      }
    }
  }

 private:
  std::vector<Part> PartsOf(int first) const {
    std::vector<Part> parts = {{first, Pose{}}};
    std::set<int> seen = {first};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part at = parts[i];
      for (const Part& next : At(fixed_to_, at.link)) {
        if (!seen.insert(next.link).second) continue;
        parts.push_back({next.link, at.X_GL * next.X_GL});
      }
    }
    return parts;
  }

  /// What moves and has no mass: its shapes give it one, or it is a frame between two joints.
  void JudgeMassless(int first, const std::vector<Part>& parts) {
    bool weighs = false;
    for (const Part& part : parts) {
      LinkFacts& link = At(facts_.links, part.link);
      if (!WeighByShapes(&link)) continue;
      weighs = true;
      report_.NoteOf(NameOf(link),
                     "it moves but has no mass: it has that of its collision shapes, as dense as "
                     "water");
    }
    if (weighs) return;
    const LinkFacts& link = At(facts_.links, first);
    std::vector<const JointFacts*> joints;
    for (const Part& part : parts)
      for (const Below& below : At(below_, part.link))
        if (Weighs(below.link)) joints.push_back(below.joint);
    if (joints.empty())
      return report_.Fail(link.line,
                          fmt::format("link {} moves but has no mass", QuoteXml(link.name)),
                          "add <inertial> with <mass> and <inertia>, or make its joint fixed");
    const JointFacts* own = At(carried_by_, first);
    if (joints.size() == 1 && own != nullptr && AreOne(*own, *joints.front(), parts))
      return report_.Fail(
          link.line,
          fmt::format("link {} has no mass between joints {} and {}, which move "
                      "alike",
                      QuoteXml(link.name), QuoteXml(own->name), QuoteXml(joints.front()->name)),
          "add <inertial>, or make one of the joints fixed");
    report_.NoteOf(NameOf(link), "it has no mass and is a frame between joints");
  }

  /// Whether a link, or what hangs on it, weighs something.
  bool Weighs(int first) const {
    std::vector<int> open = {first};
    std::set<int> seen = {first};
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      const LinkFacts& link = At(facts_.links, at);
      LinkFacts shapes = link;
      if (link.mass > 0 || link.wrong_mass || WeighByShapes(&shapes)) return true;
      for (const Part& part : At(fixed_to_, at))
        if (seen.insert(part.link).second) open.push_back(part.link);
      for (const Below& below : At(below_, at))
        if (seen.insert(below.link).second) open.push_back(below.link);
    }
    return false;
  }

  /// Whether two joints in a row slide along one direction, or turn about one line, where they
  /// stand at zero.
  bool AreOne(const JointFacts& upper, const JointFacts& lower,
              const std::vector<Part>& parts) const {
    const auto slides = [](const JointFacts& joint) { return joint.type == "prismatic"; };
    const auto turns = [](const JointFacts& joint) {
      return joint.type == "revolute" || joint.type == "continuous";
    };
    Pose X_GJ = lower.X_PJ;
    for (const Part& part : parts)
      if (At(facts_.links, part.link).name == lower.parent) X_GJ = part.X_GL * lower.X_PJ;
    const Vec3 a = upper.axis.normalized(), b = X_GJ.q * lower.axis.normalized();
    if (a.cross(b).norm() > kSameAxis) return false;
    if (slides(upper) && slides(lower)) return true;
    return turns(upper) && turns(lower) && a.cross(X_GJ.p).norm() < kSameAxis;
  }

  static std::string NameOf(const LinkFacts& link) {
    return fmt::format("link {}", QuoteXml(link.name));
  }

  /// The sum, as MergeFixedLinks makes it.
  Judgement JudgeSum(const std::vector<Part>& parts) const {
    RobotLink sum;
    for (const Part& part : parts) {
      const LinkFacts& facts = At(facts_.links, part.link);
      RobotLink link;
      link.mass = facts.mass;
      link.p_LC = facts.X_LC.p;
      const Mat3 R = facts.X_LC.q.toRotationMatrix();
      link.I_LC = R * facts.I_C * R.transpose();
      AddMass(link, part.X_GL, &sum);
    }
    return Judge(sum.mass, sum.I_LC);
  }

  void JudgeParts(const std::vector<Part>& parts, bool world) {
    std::vector<std::pair<LinkFacts*, Judgement>> flawed;
    int bodies = 0;
    for (const Part& part : parts) {
      LinkFacts& link = At(facts_.links, part.link);
      if (link.mass <= 0) continue;
      ++bodies;
      Judgement judgement = Judge(link.mass, link.I_C);
      if (judgement.flaw != Flaw::kNone) flawed.emplace_back(&link, std::move(judgement));
    }
    // a sum of bodies is one
    if (flawed.empty()) return;
    const LinkFacts& first = At(facts_.links, parts.front().link);
    const Judgement sum = bodies == 1 ? flawed.front().second : JudgeSum(parts);
    for (const auto& [link, judgement] : flawed) {
      const std::string said = fmt::format("link {}: {}", QuoteXml(link->name), judgement.message);
      if (world) {
        report_.Note(said + "; it is not used, since the link stays where it is");
      } else if (sum.flaw == Flaw::kWrong) {
        if (judgement.flaw == Flaw::kWrong) report_.Fail(link->inertia_line, said, judgement.hint);
      } else if (sum.flaw == Flaw::kFlat) {
        if (judgement.flaw != Flaw::kFlat) continue;
        report_.NoteOf(NameOf(*link), TurnByShapes(link)
                                          ? "its inertia is not positive definite: that of its "
                                            "collision shapes is taken, at its mass"
                                          : "its inertia is not positive definite: that of a ball "
                                            "is taken, of its mass and as dense as water");
      } else if (bodies == 1) {
        report_.Note(said + (judgement.flaw == Flaw::kNearly ? ", but nearly so" : "") +
                     ": it is kept as it is");
      } else if (!link->I_C.isZero(0) || link == &first) {
        // behind a fixed joint a point mass is nothing new
        report_.Note(fmt::format("{}; what moves is the sum of {} and what is fixed to it, {}",
                                 said, QuoteXml(first.name),
                                 sum.flaw == Flaw::kNone     ? "and that is a body"
                                 : sum.flaw == Flaw::kNearly ? "and that is nearly a body: it is "
                                                               "kept as it is"
                                                             : "and that is none: it is kept as "
                                                               "it is"));
      }
    }
  }

  static constexpr double kSameAxis = 1e-9;

  UrdfFacts& facts_;
  UrdfReport& report_;
  std::vector<std::vector<Part>> fixed_to_;    // by link, X_GL that of the joint
  std::vector<std::vector<Below>> below_;      // by link
  std::vector<const JointFacts*> carried_by_;  // by link, joints that move
  std::vector<bool> is_fixed_, moves_;
};

}  // namespace

bool IsWorld(const LinkFacts& root) {
  std::string name = root.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return root.mass == 0 && !root.wrong_mass && name == "world";
}

void CheckMasses(UrdfFacts* facts, UrdfReport* report) { Groups(facts, report).Check(); }

}  // namespace slip
