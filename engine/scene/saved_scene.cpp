#include "engine/scene/saved_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/param_text.h"
#include "engine/scene/toml_text.h"

namespace slip {
namespace {

/// Replaces the text from the line that starts with `begin` to the one that starts with `end`, or
/// to the end of the first line.
void ReplaceLines(std::string* text, const std::string& begin, const std::string& end,
                  const std::string& with) {
  const std::size_t at = text->find("\n" + begin);
  if (at == std::string::npos) return;
  const std::size_t to = end.empty() ? std::string::npos : text->find("\n" + end, at + 1);
  const std::size_t line = text->find('\n', at + 1);
  text->replace(at + 1, (end.empty() ? line : to) - at - 1, with);
}

/// `joint."solo/FL_HAA".joint_target`
std::string KeyOfParam(const ParamEntry& entry) {
  const std::size_t at = entry.owner.empty() ? std::string::npos : entry.path.find(entry.owner);
  if (at == std::string::npos) return entry.path;
  return entry.path.substr(0, at) + TomlKey(entry.owner) +
         entry.path.substr(at + entry.owner.size());
}

std::string TextOf(const SavedChannel& channel) {
  std::string text =
      fmt::format("\n[[channel]]\nmodel = {}\n", QuoteToml(MethodIds()[ToIndex(channel.model)]));
  for (const auto& [entry, value] : channel.values) {
    const std::string written = entry.info->scale == Scale::kChoice
                                    ? QuoteToml(FormatValue(*entry.info, value))
                                    : FormatNumber(value);
    text += fmt::format("{} = {}\n", KeyOfParam(entry), written);
  }
  return text;
}

}  // namespace

SavedChannel SaveChannel(const Scene& scene, const Config& config) {
  SavedChannel channel{config.method()};
  for (const ParamEntry& entry : ListParams(config)) {
    if (entry.info->applies == Applies::kRebuild || entry.path == kMethodParam) continue;
    const std::optional<double> value = GetParam(config, entry.path);
    if (value && value != GetParam(scene.config, entry.path))
      channel.values.emplace_back(entry, *value);
  }
  return channel;
}

std::string SavedRobotScene(const Scene& scene, const std::string& robot,
                            std::span<const SavedChannel> channels) {
  std::string text = scene.text;
  ReplaceLines(&text, "file = ", "", "file = " + QuoteToml(robot));
  if (!scene.opens_with.empty()) ReplaceLines(&text, "[opens_with]", "\n", "");
  const bool plain = channels.size() == 1 && channels[0].values.empty() &&
                     channels[0].model == scene.config.method();
  for (const SavedChannel& channel : channels) {
    if (!plain) text += TextOf(channel);
  }
  return text;
}

}  // namespace slip
