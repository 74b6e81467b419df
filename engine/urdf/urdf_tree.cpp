// How links and joints hang together: one tree, and joints that follow others without going round.
#include <fmt/format.h>

#include <map>

#include "engine/core/param_text.h"
#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

using Names = std::map<std::string_view, int>;

/// Index by name; a second thing of one name is an error.
template <class T>
Names IndexNames(const std::vector<T>& things, std::string_view kind, UrdfReport* report) {
  Names names;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const auto [first, fresh] = names.emplace(things[i].name, static_cast<int>(i));
    if (!fresh)
      report->Fail(things[i].line,
                   fmt::format("a second {} {}; the first is in line {}", kind,
                               QuoteXml(things[i].name), things[first->second].line),
                   "give it another name");
  }
  return names;
}

std::string SimilarName(std::string_view name, const Names& names) {
  std::vector<std::string_view> known;
  for (const auto& [other, index] : names) known.push_back(other);
  return DidYouMean(name, known);
}

/// The links of a joint; false, and said, when one is missing.
bool FindEnds(const JointFacts& joint, const Names& links, UrdfReport* report, int* parent,
              int* child) {
  bool found = true;
  for (const auto& [role, name, index] :
       {std::tuple{"parent", &joint.parent, parent}, {"child", &joint.child, child}}) {
    const auto link = links.find(*name);
    if (link != links.end()) {
      *index = link->second;
      continue;
    }
    found = false;
    // a joint without a name there was told already
    if (!name->empty())
      report->Fail(joint.line,
                   fmt::format("joint {}: there is no link {}, its {}", QuoteXml(joint.name),
                               QuoteXml(*name), role),
                   SimilarName(*name, links));
  }
  return found;
}

/// A way from each link up to the root that does not come back to where it was. parent_of: links.
void CheckLoops(const UrdfFacts& facts, const std::vector<int>& parent_of, UrdfReport* report) {
  enum class Seen { kNo, kOnThisWay, kBefore };
  std::vector<Seen> seen(parent_of.size(), Seen::kNo);
  for (int start = 0; start < static_cast<int>(parent_of.size()); ++start) {
    std::vector<int> way;
    int at = start;
    for (; at >= 0 && seen[at] == Seen::kNo; at = parent_of[at]) {
      seen[at] = Seen::kOnThisWay;
      way.push_back(at);
    }
    if (at >= 0 && seen[at] == Seen::kOnThisWay) {
      std::string round = QuoteXml(facts.links[at].name);
      int named = 0;
      for (int i = parent_of[at]; i != at && ++named < 8; i = parent_of[i])
        round += " <- " + QuoteXml(facts.links[i].name);
      report->Fail(facts.links[at].line, "links form a loop: " + round,
                   "a robot is a tree; take one of the joints out");
    }
    for (const int i : way) seen[i] = Seen::kBefore;
  }
}

void CheckRoots(const UrdfFacts& facts, const std::vector<int>& parent_of, UrdfReport* report) {
  std::string roots;
  int count = 0, line = 0;
  for (std::size_t i = 0; i < parent_of.size(); ++i) {
    if (parent_of[i] >= 0) continue;
    ++count;
    if (count <= 8) roots += (roots.empty() ? "" : ", ") + QuoteXml(facts.links[i].name);
    if (count == 2) line = facts.links[i].line;
  }
  if (count > 1)
    report->Fail(line, fmt::format("{} roots, links that no joint carries: {}", count, roots),
                 "connect them with joints; a fixed one where nothing moves");
}

void CheckMimics(const Names& joints, UrdfFacts* all, UrdfReport* report) {
  const UrdfFacts& facts = *all;
  const auto mimicked = [&](int i) {
    const auto other = joints.find(facts.joints[i].mimic);
    return facts.joints[i].mimic.empty() || other == joints.end() ? -1 : other->second;
  };
  for (int i = 0; i < static_cast<int>(facts.joints.size()); ++i) {
    const JointFacts& joint = facts.joints[i];
    if (joint.mimic.empty()) continue;
    const std::string who = fmt::format("joint {}: ", QuoteXml(joint.name));
    const int other = mimicked(i);
    if (other < 0) {
      report->NoteOf(fmt::format("joint {}", QuoteXml(joint.name)),
                     fmt::format("it should follow joint {}, which there is not, and moves by "
                                 "itself ({})",
                                 QuoteXml(joint.mimic), SimilarName(joint.mimic, joints)));
      all->joints[i].mimic.clear();
      continue;
    }
    const std::string& type = facts.joints[other].type;
    if (type == "fixed" || type == "floating" || type == "planar" || type == "spherical")
      report->Fail(joint.line,
                   who + fmt::format("it follows {}, which is {}", QuoteXml(joint.mimic), type),
                   "follow a revolute, continuous or prismatic joint");
    int at = other;
    for (std::size_t n = 0; at >= 0 && at != i && n < facts.joints.size(); ++n) at = mimicked(at);
    if (at == i)
      report->Fail(joint.line,
                   who + (other == i ? "it follows itself" : "it follows itself, through others"),
                   "let one joint lead");
  }
}

}  // namespace

void CheckUrdfTree(UrdfFacts* all, UrdfReport* report) {
  const UrdfFacts& facts = *all;
  const Names links = IndexNames(facts.links, "link", report);
  const Names joints = IndexNames(facts.joints, "joint", report);
  std::vector<int> parent_of(facts.links.size(), -1);
  std::vector<int> carried_by(facts.links.size(), -1);
  // names that stand twice, too, make roots of links that are none
  bool complete = links.size() == facts.links.size();
  for (std::size_t i = 0; i < facts.joints.size(); ++i) {
    const JointFacts& joint = facts.joints[i];
    int parent = -1, child = -1;
    if (!FindEnds(joint, links, report, &parent, &child)) {
      complete = false;
    } else if (carried_by[child] >= 0) {
      report->Fail(
          joint.line,
          fmt::format("joint {}: link {} is carried by joint {} already", QuoteXml(joint.name),
                      QuoteXml(joint.child), QuoteXml(facts.joints[carried_by[child]].name)),
          "a link has one parent; closed loops cannot be read");
    } else {
      parent_of[child] = parent;
      carried_by[child] = static_cast<int>(i);
    }
  }
  CheckLoops(facts, parent_of, report);
  // links behind a joint that names nothing would all count as roots
  if (complete) CheckRoots(facts, parent_of, report);
  CheckMasses(all, report);
  NoteZeroLimits(facts.joints, report);
  CheckMimics(joints, all, report);
}

}  // namespace slip
