#include "engine/scene/channel_reader.h"

#include "engine/scene/top_keys.h"
#include "engine/sim/snapshot.h"

namespace slip {
namespace {

/// "Text" keys of the steps of a path in a channel: dotted keys arrive as nested tables.
void ReadOverrides(const TomlNode& node, const std::string& prefix, TableReader* table,
                   Config* config, Reporter* reporter) {
  for (const TomlNode& item : node.items) {
    if (prefix.empty() && item.key == ChannelKey("model").name) continue;
    const std::string path = prefix + item.key;
    if (item.kind == TomlNode::Kind::kTable) {
      ReadOverrides(item, path + ".", table, config, reporter);
      continue;
    }
    const ParamInfo* info = FindParam(*config, path);
    if (info == nullptr) {
      reporter->Add(item, SetParam(config, path, 0).error());
      continue;
    }
    if (info->applies == Applies::kRebuild) {
      reporter->Add(item, path + " is the same in all channels");
      continue;
    }
    if (const std::optional<double> value = table->ParamValue(*info, item)) {
      if (Status status = SetParam(config, path, *value); !status)
        reporter->Add(item, status.error());
    }
  }
}

}  // namespace

void ReadChannels(TableReader* root, Scene* scene) {
  Reporter& reporter = root->reporter();
  const TomlNode* list = root->Find(TopKey("channel"));
  if (list == nullptr) {
    scene->channels.push_back({scene->config});
    return;
  }
  if (list->kind != TomlNode::Kind::kList || list->items.empty() ||
      list->items.size() > Snapshot::kMaxChannels) {
    reporter.Add(*list, "channel must be 1 to " + std::to_string(Snapshot::kMaxChannels) +
                            " tables [[channel]] (found " + list->Found() + ")");
    return;
  }
  for (const TomlNode& node : list->items) {
    if (node.kind != TomlNode::Kind::kTable) {
      reporter.Add(node, "channel must be a table (found " + node.Found() + ")");
      continue;
    }
    ChannelSpec channel{scene->config};
    TableReader table(node, kChannelSection, "[[channel]]", &reporter);
    table.Require(ChannelKey("model"), "the id of a contact model");
    if (const auto model = table.Choice(ChannelKey("model"), MethodIds())) {
      channel.config.step.method = static_cast<int>(*model);
    }
    ReadOverrides(node, "", &table, &channel.config, &reporter);
    const bool wrong_already = !CheckFriction(scene->config.materials).ok();
    if (const Status status = CheckFriction(channel.config.materials); !status && !wrong_already)
      reporter.Add(node, status.error());
    scene->channels.push_back(std::move(channel));
  }
}

void ReadOpensWith(TableReader* root, Scene* scene) {
  const TomlNode* node = root->Find(TopKey("opens_with"));
  if (node == nullptr) return;
  if (node->kind != TomlNode::Kind::kTable) {
    root->reporter().Add(*node, "opens_with must be a table (found " + node->Found() + ")");
    return;
  }
  if (const TomlNode* model = node->Find("model"))
    root->reporter().Add(*model, "opens_with names parameters; models stand in [[channel]]");
  Config config = scene->config;
  TableReader table(*node, kOpensWithSection, "[opens_with]", &root->reporter());
  ReadOverrides(*node, "", &table, &config, &root->reporter());
  for (const ParamEntry& entry : ListParams(config)) {
    const std::optional<double> value = GetParam(config, entry.path);
    if (value && value != GetParam(scene->config, entry.path))
      scene->opens_with.emplace_back(entry.path, *value);
  }
}

void Scene::Stage() {
  for (ChannelSpec& channel : channels) {
    for (const auto& [path, value] : opens_with) {
      const bool changed = GetParam(channel.config, path) != GetParam(channel.Own(), path);
      // values were checked while reading
      if (channel.own) (void)SetParam(&*channel.own, path, value);
      if (!changed) (void)SetParam(&channel.config, path, value);
    }
  }
}

}  // namespace slip
