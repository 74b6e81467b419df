#include "app/session/change_text.h"

#include <fmt/format.h>

#include <vector>

#include "app/kit/rich_runs.h"
#include "engine/core/param_text.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

std::string_view MethodLabel(double method) { return Info(static_cast<MethodId>(method)).label; }

}  // namespace

std::string ParamName(const Config& config, const std::string& path) {
  const ParamInfo* info = FindParam(config, path);
  if (info == nullptr) return LiteralRich(path);
  if (constexpr std::string_view kJoint = "joint."; path.starts_with(kJoint)) {
    // "FL_KFE target": joints are many
    std::string_view joint = std::string_view(path).substr(kJoint.size());
    joint = joint.substr(0, joint.rfind('.'));
    return LiteralRich(joint.substr(joint.find('/') + 1)) + " " + Lower(info->label);
  }
  return std::string(info->symbol.empty() ? info->label : info->symbol);
}

std::string ChangeText(const Config& config, const std::string& path, double from, double to) {
  const ParamInfo* info = FindParam(config, path);
  if (info == nullptr) return path;
  if (path == kMethodParam) return fmt::format("{} → {}", MethodLabel(from), MethodLabel(to));
  const std::string name = ParamName(config, path);
  if (info->scale == Scale::kChoice)
    return fmt::format("{} {} → {}", name, FormatValue(*info, from), FormatValue(*info, to));
  return fmt::format("{} {}", name, FormatChange(from, to, info->unit));
}

std::string ValueText(const Config& config, const std::string& path, double to) {
  const ParamInfo* info = FindParam(config, path);
  if (info == nullptr) return path;
  if (path == kMethodParam) return std::string(MethodLabel(to));
  if (info->scale == Scale::kChoice) return ParamName(config, path) + " " + FormatValue(*info, to);
  return ParamName(config, path) + " " + AsRich(FormatQuantity(to, info->unit));
}

std::string PlainText(std::string_view rich) {
  std::vector<RichRun> runs;
  SplitRuns(rich, &runs);
  std::string plain;
  for (const RichRun& run : runs) plain += run.text;
  return plain;
}

}  // namespace slip::app
