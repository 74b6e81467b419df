#include "engine/scene/path_reader.h"

#include <cmath>

#include "engine/scene/body_keys.h"

namespace slip {
namespace {

constexpr double kLongestPath = 1e6;  // [s]
constexpr double kHugePush = 1e9;     // [N], [N m]
constexpr std::size_t kMostKnots = 1000;

bool CheckKnots(const TomlNode& node, std::string_view key, std::string_view value,
                Reporter* reporter) {
  const bool list =
      node.kind == TomlNode::Kind::kList && !node.items.empty() && node.items.size() <= kMostKnots;
  if (!list) {
    reporter->Add(node, std::string(key) + " must hold 1 to 1000 pairs [[time, " +
                            std::string(value) + "], ...] (found " + node.Found() + ")");
  }
  return list;
}

// The pair's time, after `before`.
std::optional<double> ReadTime(const TomlNode& pair, std::string_view key, double before,
                               Reporter* reporter) {
  if (pair.kind != TomlNode::Kind::kList || pair.items.size() != 2) {
    reporter->Add(pair, std::string(key) + " must hold pairs of a time and a value (found " +
                            pair.Found() + ")");
    return std::nullopt;
  }
  const std::optional<double> time = QuantityOf(pair.items[0], key, "s", reporter);
  if (time && !(*time > before && *time >= 0 && *time <= kLongestPath)) {
    reporter->Add(pair.items[0], std::string(key) + ": times must be >= 0 s and ascend (found " +
                                     FormatNumber(*time) + ")");
    return std::nullopt;
  }
  return time;
}

void ReadVectorPath(TableReader* table, const SceneKey& row, Path<Vec3>* path) {
  const TomlNode* node = table->Find(row);
  const std::string_view key = row.name, unit = row.unit;
  Reporter& reporter = table->reporter();
  if (node == nullptr || !CheckKnots(*node, key, "[x, y, z]", &reporter)) return;
  double before = -1;
  for (const TomlNode& pair : node->items) {
    const std::optional<double> time = ReadTime(pair, key, before, &reporter);
    if (!time) return;
    const auto value = VectorOf(pair.items[1], key, unit, kHugePush, &reporter);
    if (!value) return;
    path->knots.push_back({*time, *value});
    before = *time;
  }
}

}  // namespace

Path<double> ReadPath(const TomlNode& node, std::string_view key, std::string_view unit,
                      double limit, Reporter* reporter) {
  Path<double> path;
  if (!CheckKnots(node, key, "value", reporter)) return path;
  double before = -1;
  for (const TomlNode& pair : node.items) {
    const std::optional<double> time = ReadTime(pair, key, before, reporter);
    if (!time) return {};
    const std::optional<double> value = QuantityOf(pair.items[1], key, unit, reporter);
    if (!value) return {};
    if (!(std::abs(*value) <= limit)) {
      reporter->Add(pair.items[1], std::string(key) + " must be within +-" + FormatNumber(limit) +
                                       " " + std::string(unit) + " (found " + FormatNumber(*value) +
                                       ")");
      return {};
    }
    path.knots.push_back({*time, *value});
    before = *time;
  }
  return path;
}

void ReadPush(const TomlNode& node, Model* model, Config* config, Reporter* reporter) {
  TableReader table(node, kPushSection, "[push." + node.key + "]", reporter);
  Push push{.name = node.key};
  PushDrive drive{.name = node.key};
  std::string name;
  const TomlNode* of = table.Require(PushKey("body"), "the name of a body");
  if (table.Text(PushKey("body"), &name) && of != nullptr) {
    std::vector<std::string_view> known;
    push.body = -1;
    for (std::size_t b = 0; b < model->bodies.size(); ++b) {
      const Body& body = model->bodies[b];
      if (body.shape_of_link >= 0) continue;
      known.push_back(body.name);
      if (body.name == name) push.body = static_cast<int>(b);
    }
    if (push.body < 0)
      reporter->Add(*of, "no body '" + name.substr(0, 60) + "'", DidYouMean(name, known));
  }
  ReadVectorPath(&table, PushKey("force"), &push.force);
  ReadVectorPath(&table, PushKey("torque"), &push.torque);
  if (table.node().Find("force") == nullptr && table.node().Find("torque") == nullptr)
    reporter->Add(node, table.where() + " needs a 'force' or a 'torque' over time");
  table.Params(&drive);
  table.Finish();
  push.body = std::max(push.body, 0);
  model->pushes.push_back(std::move(push));
  config->pushes.push_back(std::move(drive));
}

}  // namespace slip
