#include "engine/run/study/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/numbers.h"
#include "engine/run/study/run_plan.h"

namespace slip {
namespace {

std::string Quoted(const ParamInfo& info, const std::string& path, double value) {
  std::string text = FormatValue(info, value);
  std::erase(text, ' ');
  return fmt::format("{}={}'", path, text);
}

/// Is the scene of this file one that its name finds?
std::string NameOf(const Scene& scene) {
  const auto own = std::filesystem::path(SceneFolder()) / (scene.id + ".toml");
  std::error_code ignored;
  return std::filesystem::equivalent(own, scene.file, ignored) ? scene.id : scene.file;
}

/// Changes of all channels, those at the same moment once where the channels did the same.
std::string Changes(const std::vector<RecordedPath>& paths, double until) {
  struct Item {
    double time;
    std::string text;
  };
  std::vector<std::vector<TimedEntry>> all;
  for (const RecordedPath& path : paths) all.push_back(WithTimes(path));
  const auto at = [&](std::size_t c, double time) {
    std::vector<ParamChange> changes;
    for (const TimedEntry& item : all[c]) {
      if (item.time == time) changes.push_back(std::get<ParamChange>(item.entry.change));
    }
    return changes;
  };
  std::vector<Item> items;
  for (std::size_t c = 0; c < paths.size(); ++c) {
    for (const TimedEntry& item : all[c]) {
      if (item.time >= until) continue;
      if (item.entry.step >= paths[c].end_step) continue;  // after the last step
      bool same = true;
      for (std::size_t other = 0; other < paths.size(); ++other)
        same = same && at(other, item.time) == at(c, item.time);
      if (same && c > 0) continue;
      const auto& change = std::get<ParamChange>(item.entry.change);
      const ParamInfo* info = FindParam(paths[c].config, change.path);
      const std::string path = same ? change.path : fmt::format("{}@{}", change.path, c + 1);
      items.push_back(
          {item.time, fmt::format(" --at '{}:{}", item.time, Quoted(*info, path, change.value))});
    }
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.time < b.time; });
  std::string text;
  for (const Item& item : items) text += item.text;
  return text;
}

}  // namespace

std::optional<RunArguments> ArgumentsOf(const Recording& recording, double until) {
  const RecordedBranch& branch = At(recording.branches, recording.present);
  const std::vector<RecordedPath> paths = PathsOf(recording, recording.present);
  if (paths.empty()) return std::nullopt;
  for (const RecordedPath& path : paths) {
    const bool plain = std::all_of(path.entries.begin(), path.entries.end(), [](const auto& entry) {
      return std::holds_alternative<ParamChange>(entry.change);
    });
    if (path.start != nullptr || !plain) return std::nullopt;
  }
  RunArguments arguments;
  arguments.scene = NameOf(*branch.scene);
  arguments.channels = static_cast<int>(paths.size());
  std::string models;
  for (const RecordedPath& path : paths) {
    models += models.empty() ? "" : ",";
    models += Info(path.config.method()).id;
    arguments.end = std::max(arguments.end, EndTime(path));
  }
  arguments.options = " -m " + models;
  // what the options above would start from: the scene as its file had it; reading that again may
  // take long, and finds what somebody made of its files since
  const std::shared_ptr<const Scene>& scene =
      branch.scene->of_file != nullptr ? branch.scene->of_file : branch.scene;
  const Result<RunPlan> plan = MakeRunPlan(scene, models, {}, {});
  if (!plan) return std::nullopt;
  // what makes bodies and materials comes before their values
  std::vector<ParamEntry> entries = ListParams(paths.front().config);
  std::stable_partition(entries.begin(), entries.end(), [](const ParamEntry& entry) {
    return entry.info->applies == Applies::kRebuild;
  });
  const Config& first = paths.front().config;
  for (const ParamEntry& entry : entries) {
    if (entry.path == kMethodParam) continue;
    const std::string in_scene = PathInScene(first, entry.path);
    const auto value = [&](std::size_t c) { return *GetParam(paths[c].config, entry.path); };
    bool same = true, differs = false;
    for (std::size_t c = 0; c < paths.size(); ++c) {
      same = same && value(c) == value(0);
      differs = differs || value(c) != GetParam(plan->configs[c], in_scene);
    }
    // the window would open with another value than a run has
    const auto& opens = scene->opens_with;
    const bool staged = std::any_of(opens.begin(), opens.end(),
                                    [&](const auto& one) { return one.first == in_scene; });
    if (!differs && !staged) continue;
    for (std::size_t c = 0; c < paths.size(); ++c) {
      if (same && c > 0) break;
      if (!same && !staged && value(c) == GetParam(plan->configs[c], in_scene)) continue;
      const std::string path = same ? entry.path : fmt::format("{}@{}", entry.path, c + 1);
      arguments.options += " -p '" + Quoted(*entry.info, path, value(c));
    }
  }
  arguments.options += Changes(paths, until);
  return arguments;
}

std::string RunArguments::Run() const {
  return fmt::format("slipscope {} {} -t {:.12g}", channels > 1 ? "compare" : "run", Text(), end);
}

}  // namespace slip
