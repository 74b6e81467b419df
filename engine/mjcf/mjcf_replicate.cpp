// <replicate>: what it holds several times, each in a frame of its own. Names get the number of the
// copy behind them, and what refers to them is copied with them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

constexpr int kMostCopies = 10000;

struct Copies {
  MjcfNames names;
  std::vector<std::string> suffixes;
};

void Rename(const std::string& suffix, MjcfNode* node) {
  for (auto& [attribute, value] : node->attributes)
    if (attribute == "name") value += suffix;
  for (MjcfNode& child : node->children) Rename(suffix, &child);
}

class Replicator {
 public:
  Replicator(const MjcfSettings& settings, MjcfNode* root, MjcfReport* report)
      : settings_(settings), root_(*root), report_(*report), count_(CountMjcfNodes(*root)) {}

  void Expand() {
    for (MjcfNode& section : root_.children)
      if (section.name == "worldbody") ExpandIn(&section);
  }

 private:
  void ExpandIn(MjcfNode* node) {
    for (MjcfNode& child : node->children) ExpandIn(&child);
    const bool any = std::any_of(node->children.begin(), node->children.end(),
                                 [](const MjcfNode& child) { return child.name == "replicate"; });
    if (!any) return;
    std::vector<MjcfNode> children;
    for (MjcfNode& child : node->children) {
      if (child.name == "replicate")
        Replicate(child, &children);
      else
        children.push_back(std::move(child));
    }
    node->children = std::move(children);
  }

  void Replicate(const MjcfNode& node, std::vector<MjcfNode>* out) {
    CheckMjcfAttributes(node, &report_);
    const MjcfItem item(node, "replicate", &report_);
    int copies = 0;
    Vec3 offset = Vec3::Zero(), euler = Vec3::Zero();
    item.Numbers("offset", 3, std::span(offset.data(), 3), kPosition);
    item.Numbers("euler", 3, std::span(euler.data(), 3));
    if (!item.Has("count")) return item.Fail("it has no count", "write count=\"NUMBER\"");
    if (!item.Whole("count", &copies)) return;
    if (copies < 1 || copies > kMostCopies)
      return item.Fail(fmt::format("its count is {}", copies),
                       fmt::format("expected 1 to {}", kMostCopies));
    count_ += static_cast<std::size_t>(copies) * CountMjcfNodes(node);
    if (count_ > kMostMjcfNodes)
      return item.Fail(fmt::format("more than {} elements with all copies", kMostMjcfNodes),
                       "is it a robot?");
    Copies made;
    for (const MjcfNode& child : node.children) CollectMjcfNames(child, &made.names);
    const std::string sep = item.Text("sep");
    const std::size_t digits = std::to_string(copies).size();
    Vec3 place = Vec3::Zero();
    for (int i = 0; i < copies; ++i) {
      const Quat turn = TurnByEuler(i * euler, settings_);
      const std::string number = std::to_string(i);
      const std::string suffix = sep + std::string(digits - number.size(), '0') + number;
      MjcfNode frame;
      frame.name = "frame";
      frame.file = node.file;
      frame.line = node.line;
      frame.model = node.model;
      frame.attributes = {
          {"pos", fmt::format("{} {} {}", place.x(), place.y(), place.z())},
          {"quat", fmt::format("{} {} {} {}", turn.w(), turn.x(), turn.y(), turn.z())}};
      if (const std::string* given = node.Find("childclass"))
        frame.attributes.emplace_back("childclass", *given);
      frame.children = node.children;
      for (MjcfNode& child : frame.children) Rename(suffix, &child);
      out->push_back(std::move(frame));
      made.suffixes.push_back(suffix);
      place += turn * offset;
    }
    CopyReferences(made);
  }

  void CopyReferences(const Copies& made) {
    for (MjcfNode& section : root_.children) {
      if (!RefersMjcf(section.name)) continue;
      std::vector<MjcfNode> children;
      for (MjcfNode& child : section.children) {
        if (!Refers(child, made.names)) {
          children.push_back(std::move(child));
          continue;
        }
        count_ += made.suffixes.size() * CountMjcfNodes(child);
        if (count_ > kMostMjcfNodes)
          return report_.Fail(child,
                              fmt::format("more than {} elements with all copies", kMostMjcfNodes),
                              "is it a robot?");
        for (const std::string& suffix : made.suffixes) {
          children.push_back(child);
          Point(made.names, suffix, &children.back());
        }
      }
      section.children = std::move(children);
    }
  }

  static bool IsOf(const std::string& attribute, const std::string& value, const MjcfNames& names) {
    const auto kind = names.find(KindOfMjcfReference(attribute));
    return kind != names.end() && kind->second.contains(value);
  }
  static bool Refers(const MjcfNode& node, const MjcfNames& names) {
    for (const auto& [attribute, value] : node.attributes)
      if (IsOf(attribute, value, names)) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const MjcfNode& child) { return Refers(child, names); });
  }
  static void Point(const MjcfNames& names, const std::string& suffix, MjcfNode* node) {
    for (auto& [attribute, value] : node->attributes)
      if (attribute == "name" || IsOf(attribute, value, names)) value += suffix;
    for (MjcfNode& child : node->children) Point(names, suffix, &child);
  }

  const MjcfSettings& settings_;
  MjcfNode& root_;
  MjcfReport& report_;
  std::size_t count_;
};

}  // namespace

bool RefersMjcf(std::string_view section) {
  for (const std::string_view name : {"contact", "equality", "actuator", "tendon"})
    if (section == name) return true;
  return false;
}

std::string_view KindOfMjcfReference(std::string_view attribute) {
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"joint", "joint"},        {"joint1", "joint"},    {"joint2", "joint"},
      {"body", "body"},          {"body1", "body"},      {"body2", "body"},
      {"geom", "geom"},          {"geom1", "geom"},      {"geom2", "geom"},
      {"site", "site"},          {"site1", "site"},      {"site2", "site"},
      {"refsite", "site"},       {"slidersite", "site"}, {"cranksite", "site"},
      {"jointinparent", "joint"}};
  for (const auto& [name, kind] : kKinds)
    if (name == attribute) return kind;
  return {};
}

void CollectMjcfNames(const MjcfNode& node, MjcfNames* names) {
  if (const std::string* name = node.Find("name")) {
    const std::string_view kind = node.name == "freejoint" ? "joint" : std::string_view(node.name);
    for (const std::string_view known : {"body", "joint", "geom", "site"})
      if (kind == known) (*names)[known].insert(*name);
  }
  for (const MjcfNode& child : node.children) CollectMjcfNames(child, names);
}

void ExpandMjcfReplicas(MjcfNode* root, const MjcfSettings& settings, MjcfReport* report) {
  Replicator(settings, root, report).Expand();
}

}  // namespace slip
