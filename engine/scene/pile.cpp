#include "engine/scene/pile.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "engine/scene/body_keys.h"
#include "engine/scene/body_reader.h"

namespace slip {
namespace {

/// Uniform in [-1, 1), the same on every machine; the standard distributions are not.
double Uniform(std::mt19937* random) { return static_cast<double>((*random)()) / 2147483648.0 - 1; }

void ReadColumns(TableReader* table, Pile* pile) {
  const SceneKey& key = PileKey("columns");
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return;
  const auto whole = [](const TomlNode& item) {
    return item.kind == TomlNode::Kind::kNumber && item.number >= key.range.min &&
           item.number <= key.range.max && item.number == std::floor(item.number);
  };
  if (node->kind != TomlNode::Kind::kList || node->items.size() != 2 || !whole(node->items[0]) ||
      !whole(node->items[1])) {
    table->reporter().Add(
        *node, "columns must be two whole numbers of 1 to 1000 (found " + node->Found() + ")");
    return;
  }
  pile->columns_x = static_cast<int>(node->items[0].number);
  pile->columns_y = static_cast<int>(node->items[1].number);
}

void ReadPatterns(const TomlNode& list, const Config& config, bool planar, Reporter* reporter,
                  Pile* pile) {
  if (list.kind != TomlNode::Kind::kList || list.items.empty()) {
    reporter->Add(
        list, "body must be tables [[pile." + pile->name + ".body]] (found " + list.Found() + ")");
    return;
  }
  for (const TomlNode& item : list.items) {
    if (item.kind != TomlNode::Kind::kTable) {
      reporter->Add(item, "a pattern must be a table (found " + item.Found() + ")");
      continue;
    }
    AppendBody(ReadPattern(item, "[[pile." + pile->name + ".body]]", config, planar, reporter),
               &pile->patterns);
  }
}

struct PilePlace {
  int x = 0, y = 0, layer = 0;
};

PilePlace Next(const Pile& pile, const PileDrive& drive, PilePlace at) {
  if (++at.x < (drive.pyramid ? drive.rows - at.layer : pile.columns_x)) return at;
  at.x = 0;
  if (!drive.pyramid && ++at.y < pile.columns_y) return at;
  return {.layer = at.layer + 1};
}

}  // namespace

Pile ReadPile(const TomlNode& node, Config* config, bool planar, Reporter* reporter) {
  Pile pile;
  pile.name = node.key;
  TableReader table(node, kPileSection, "[pile." + node.key + "]", reporter);
  PileDrive drive{.name = node.key};
  table.Params(&drive);
  const TomlNode* rows = node.Find("rows");
  drive.pyramid = rows != nullptr;
  for (const char* of_lattice : {"bodies", "columns"}) {
    if (drive.pyramid && node.Find(of_lattice) != nullptr)
      reporter->Add(*rows, fmt::format("a pile has rows or {}, not both", of_lattice));
  }
  config->piles.push_back(drive);
  table.Vector(PileKey("first"), &pile.first);
  table.Vector(PileKey("spacing"), &pile.spacing);
  if (pile.spacing.minCoeff() <= 0) {
    reporter->Add(*node.Find("spacing"), "spacing must be > 0 m in all directions");
  }
  table.Number(PileKey("jitter"), &pile.jitter);
  table.Flag(PileKey("turned"), &pile.turned);
  double seed = pile.seed;
  if (table.Number(PileKey("seed"), &seed)) pile.seed = static_cast<int>(seed);
  ReadColumns(&table, &pile);
  if (const TomlNode* list =
          table.Require(PileKey("body"), "one or more tables [[pile." + node.key + ".body]]")) {
    ReadPatterns(*list, *config, planar, reporter, &pile);
  }
  table.Finish();
  return pile;
}

void AppendPile(const Pile& pile, const PileDrive& drive, Model* model) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(pile.seed));
  std::vector<std::size_t> owners;
  for (std::size_t k = 0; k < pile.patterns.size(); ++k)
    if (pile.patterns[k].shape_of_link < 0) owners.push_back(k);
  PilePlace at;
  for (int i = 0; i < drive.count(); ++i, at = Next(pile, drive, at)) {
    const std::size_t pattern =
        owners[static_cast<std::size_t>(at.x + at.y + at.layer) % owners.size()];
    BodyWithParts made{pile.patterns[pattern]};
    for (std::size_t k = pattern + 1;
         k < pile.patterns.size() && pile.patterns[k].shape_of_link >= 0; ++k)
      made.parts.push_back(pile.patterns[k]);
    Body& body = made.body;
    body.name = fmt::format("{}-{:03}", body.name, i + 1);
    const double left = drive.pyramid ? 0.5 * (drive.rows - at.layer - 1) : 0;
    Vec3 p = pile.first + pile.spacing.cwiseProduct(Vec3(at.x - left, at.y, at.layer));
    // every body draws the same numbers, used or not, so that one switch does not move the rest
    const double dx = Uniform(&random), dy = Uniform(&random), yaw = Uniform(&random);
    p += pile.jitter * Vec3(dx, model->planar ? 0 : dy, 0);
    body.X_WB.p += p;
    if (pile.turned)
      body.X_WB.q = Quat(Eigen::AngleAxisd(std::numbers::pi * yaw, Vec3::UnitZ())) * body.X_WB.q;
    AppendBody(std::move(made), &model->bodies);
  }
}

}  // namespace slip
