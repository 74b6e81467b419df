// <contact>: who meets whom, and pairs with parameters of their own.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/core/numbers.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

class MeetingReader {
 public:
  MeetingReader(const MjcfNode& root, MjcfModel* model) : model_(*model) {
    CollectMjcfNames(root, &names_);
    for (std::size_t g = 0; g < model->geoms.size(); ++g)
      if (!model->geoms[g].name.empty()) index_.emplace(model->geoms[g].name, static_cast<int>(g));
  }

  void Exclude(const MjcfNode& node) {
    CheckMjcfAttributes(node, model_.report);
    const MjcfItem item(node, NameMjcf(node), model_.report);
    int welds[2] = {-1, -1};
    for (const int i : {0, 1}) {
      const std::string attribute = i == 0 ? "body1" : "body2", name = item.Text(attribute);
      const MjcfBody* body = model_.FindBody(name);
      if (body == nullptr)
        item.Fail(fmt::format("there is no body {}", QuoteXml(name)), attribute + " names a body");
      else
        welds[i] = static_cast<int>(body - model_.bodies.data());
    }
    if (welds[0] < 0 || welds[1] < 0) return;
    const bool with_plane = std::any_of(
        model_.geoms.begin(), model_.geoms.end(),
        [&](const MjcfGeom& g) { return g.plane && (g.body == welds[0] || g.body == welds[1]); });
    if (with_plane)
      model_.report->Say(node, "planes are not excluded from contact with single bodies");
    excluded_.insert(std::minmax(welds[0], welds[1]));
  }

  // It stands by itself: neither masks nor excludes nor the parameters of its shapes reach it.
  void Pair(const MjcfNode& node) {
    CheckMjcfAttributes(node, model_.report);
    const MjcfItem item = model_.defaults.Make(node, NameMjcf(node), {}, model_.report);
    MjcfPair pair{.node = &node};
    bool found = true;
    for (const int i : {0, 1}) {
      const std::string attribute = i == 0 ? "geom1" : "geom2", name = item.Text(attribute);
      const auto at = index_.find(name);
      if (at != index_.end()) {
        pair.geoms[i] = at->second;
        continue;
      }
      found = false;
      // what was wrong with one that the file has was said
      if (!names_["geom"].contains(name))
        item.Fail(fmt::format("there is no geom {}", QuoteXml(name)), attribute + " names a geom");
    }
    ReadContact(item, &pair.contact);
    if (found && model_.settings.contacts) Add(pair);
  }

  void Finish() {
    // shapes by body, so that only pairs of bodies are looked at
    std::vector<std::vector<int>> shapes(model_.bodies.size());
    for (std::size_t g = 0; g < model_.geoms.size(); ++g)
      if (!model_.geoms[g].plane)
        shapes[static_cast<std::size_t>(model_.geoms[g].body)].push_back(static_cast<int>(g));
    bool full = false;
    const auto part = [&](int a, int b) {
      const auto &one = shapes[static_cast<std::size_t>(a)],
                 &other = shapes[static_cast<std::size_t>(b)];
      if (model_.robot.apart.size() + one.size() * other.size() > kMostApart) {
        full = true;
        return;
      }
      for (const int i : one)
        for (const int j : other) model_.robot.apart.push_back(std::minmax(i, j));
    };
    for (const auto& [a, b] : excluded_) part(a, b);
    if (model_.settings.filter_parents) PartParents(part);
    if (full)
      model_.report->Fail(*model_.bodies.front().node,
                          fmt::format("more than {} pairs of shapes are kept apart", kMostApart),
                          "fewer shapes in bodies that joints join");
    std::vector<std::pair<int, int>>& apart = model_.robot.apart;
    std::sort(apart.begin(), apart.end());
    apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
  }

 private:
  static void ReadContact(const MjcfItem& item, MjcfContact* contact) {
    ReadMjcfCondim(item, &contact->condim);
    item.Numbers("solref", 1, contact->solref);
    item.Numbers("solimp", 1, contact->solimp);
    // along two directions, about the normal, rolling about two axes
    std::array<double, 5> friction{1, 1, 0.005, 1e-4, 1e-4};
    item.Numbers("friction", 1, friction);
    for (const double mu : friction)
      if (mu < 0) return item.Fail(fmt::format("friction is {:g}", mu), "expected 0 or more");
    contact->friction = {0.5 * (friction[0] + friction[1]), friction[2], friction[3]};
    if (friction[0] != friction[1] && contact->condim > 1)
      item.report().Say(item.node(),
                        fmt::format("friction of pairs is alike in all directions: {:g} for {:g} "
                                    "along one and {:g} along the other",
                                    contact->friction[0], friction[0], friction[1]));
    std::array<double, 2> margins{};
    item.Number("margin", margins.data());
    item.Number("gap", margins.data() + 1);
    if (margins[0] != 0 || margins[1] != 0 || item.Has("solreffriction"))
      item.report().Say(item.node(), "margin, gap and solreffriction of pairs are not used");
  }

  void Add(const MjcfPair& pair) {
    const auto weld = [&](int g) {
      return model_.bodies[ToIndex(model_.geoms[ToIndex(g)].body)].weld;
    };
    if (weld(pair.geoms[0]) == weld(pair.geoms[1]))
      return model_.report->Say(*pair.node, "pairs of shapes that move as one do not touch");
    const std::pair<int, int> ids = std::minmax(IdOf(pair.geoms[0]), IdOf(pair.geoms[1]));
    if (!paired_.insert(ids).second)
      return model_.report->Say(*pair.node, "of two pairs of the same shapes the first is taken");
    model_.pairs.push_back(pair);
    model_.robot.together.push_back(ids);
    std::sort(model_.robot.together.begin(), model_.robot.together.end());
  }

  int IdOf(int g) const { return IdOfMjcfGeom(model_, g); }

  // A body of several joints hangs on links without shapes, so that its parent is none of a
  // joint's.
  template <class Part>
  void PartParents(const Part& part) {
    std::vector<std::vector<int>> members(model_.bodies.size());
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      members[static_cast<std::size_t>(model_.bodies[b].weld)].push_back(static_cast<int>(b));
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      if (model_.bodies[b].weld != static_cast<int>(b)) continue;
      const int parent = model_.bodies[static_cast<std::size_t>(model_.bodies[b].parent)].weld;
      if (parent == 0) continue;
      for (const int one : members[b])
        for (const int other : members[static_cast<std::size_t>(parent)]) part(one, other);
    }
  }

  static constexpr std::size_t kMostApart = 2000000;

  MjcfModel& model_;
  MjcfNames names_;                   // of all that the file has
  std::map<std::string, int> index_;  // geoms by name
  std::set<std::pair<int, int>> excluded_, paired_;
};

}  // namespace

int IdOfMjcfGeom(const MjcfModel& model, int geom) {
  const MjcfGeom& own = model.geoms[ToIndex(geom)];
  return own.plane ? -1 - static_cast<int>(own.shape) : geom;
}

void FindMjcfPaired(const MjcfNode& root, MjcfModel* model) {
  if (!model->settings.contacts) return;
  for (const MjcfNode& section : root.children) {
    if (section.name != "contact") continue;
    for (const MjcfNode& child : section.children) {
      if (child.name != "pair") continue;
      for (const char* attribute : {"geom1", "geom2"})
        if (const std::string* name = child.Find(attribute)) model->paired.insert(*name);
    }
  }
}

void ReadMjcfPairs(const MjcfNode& root, MjcfModel* model) {
  MeetingReader meetings(root, model);
  for (const MjcfNode& section : root.children) {
    if (section.name != "contact") continue;
    for (const MjcfNode& child : section.children) {
      if (child.name == "exclude")
        meetings.Exclude(child);
      else if (child.name == "pair")
        meetings.Pair(child);
      else
        model->report->Fail(child, fmt::format("<{}> in <contact> is not read", child.name),
                            "expected exclude or pair");
    }
  }
  meetings.Finish();
}

}  // namespace slip
