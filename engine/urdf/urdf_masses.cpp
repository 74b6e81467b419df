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

namespace slip {
namespace {

/// Files give four digits: by so much of the largest moment the triangle inequality may be missed
/// in silence, and by so much with a note.
constexpr double kInertiaDigits = 1e-3, kInertiaSlack = 0.2;

enum class Flaw { kNone, kNearly, kWrong };

struct Judgement {
  Flaw flaw = Flaw::kNone;
  std::string message, hint;
};

/// I₁ + I₂ ≥ I₃ holds for every distribution of mass, since Iᵢ = ∫ (r² - xᵢ²) dm.
Judgement Judge(double mass, const Mat3& inertia) {
  if (inertia.isZero(0))
    return {Flaw::kWrong, "the inertia is not positive definite: all zero",
            "only links behind a fixed joint may be point masses; compute it for a solid of the "
            "link's size and mass"};
  const Vec3 moments = CalcSymmetricEigen(inertia).values;
  const std::string values =
      fmt::format("moments {:.4g}, {:.4g}, {:.4g} kg m^2", moments[0], moments[1], moments[2]);
  if (moments[0] <= 1e-12 * moments[2] || !(moments[0] > 0))
    return {Flaw::kWrong, "the inertia is not positive definite: " + values,
            "every principal moment must be above zero; compute it for a solid of the link's size "
            "and mass"};
  if (moments[2] > mass * kSize.most * kSize.most)
    return {Flaw::kWrong, fmt::format("the inertia is too large for {:g} kg: {}", mass, values),
            "expected kg m^2"};
  const double sum = moments[0] + moments[1];
  if (sum < (1 - kInertiaDigits) * moments[2])
    return {sum < (1 - kInertiaSlack) * moments[2] ? Flaw::kWrong : Flaw::kNearly,
            "no body has this inertia: " + values,
            "the sum of two moments is never below the third; is it about the centre of mass, and "
            "of the right units?"};
  return {};
}

/// A link of a group, and where it stands in the first one's frame G.
struct Part {
  int link = 0;
  Pose X_GL;
};

class Groups {
 public:
  Groups(const UrdfFacts& facts, UrdfReport* report) : facts_(facts), report_(*report) {
    std::map<std::string_view, int> links;
    for (std::size_t i = 0; i < facts.links.size(); ++i)
      links.emplace(facts.links[i].name, static_cast<int>(i));
    fixed_to_.resize(facts.links.size());
    is_fixed_.resize(facts.links.size(), false);
    moves_.resize(facts.links.size(), false);
    for (const JointFacts& joint : facts.joints) {
      const auto parent = links.find(joint.parent), child = links.find(joint.child);
      if (child == links.end()) continue;
      const bool fixed = joint.type == "fixed";
      if (fixed && parent != links.end())
        At(fixed_to_, parent->second).push_back({child->second, joint.X_PJ});
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
        report_.Fail(link.line, fmt::format("link {} moves but has no mass", QuoteXml(link.name)),
                     "add <inertial> with <mass> and <inertia>, or make its joint fixed");
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
    std::vector<std::pair<const LinkFacts*, Judgement>> flawed;
    int bodies = 0;
    for (const Part& part : parts) {
      const LinkFacts& link = At(facts_.links, part.link);
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
      } else if (bodies == 1) {
        report_.Note(said + ", but nearly so: it is kept as it is");
      } else if (!link->I_C.isZero(0) || link == &first) {
        // behind a fixed joint a point mass is nothing new
        report_.Note(fmt::format("{}; what moves is the sum of {} and what is fixed to it, {}",
                                 said, QuoteXml(first.name),
                                 sum.flaw == Flaw::kNone ? "and that is a body"
                                                         : "and that is nearly a body: it is kept "
                                                           "as it is"));
      }
    }
  }

  const UrdfFacts& facts_;
  UrdfReport& report_;
  std::vector<std::vector<Part>> fixed_to_;  // by link, X_GL that of the joint
  std::vector<bool> is_fixed_, moves_;
};

}  // namespace

bool IsWorld(const LinkFacts& root) {
  std::string name = root.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return root.mass == 0 && !root.wrong_mass && name == "world";
}

void CheckMasses(const UrdfFacts& facts, UrdfReport* report) { Groups(facts, report).Check(); }

}  // namespace slip
