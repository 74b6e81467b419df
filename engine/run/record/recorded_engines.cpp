#include "engine/run/record/recorded_engines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/method/methods.h"

namespace slip {
namespace {

void Add(MethodId method, std::vector<MethodId>* engines) {
  if (Info(method).version == nullptr || !Info(method).WhyMissing().empty()) return;
  if (std::find(engines->begin(), engines->end(), method) == engines->end())
    engines->push_back(method);
}

void AddOf(const TrackLine& line, std::vector<MethodId>* engines) {
  Add(line.config.method(), engines);
  for (const JournalEntry& entry : line.entries) {
    const auto* param = std::get_if<ParamChange>(&entry.change);
    if (param != nullptr && param->path == kMethodParam)
      Add(static_cast<MethodId>(param->value), engines);
  }
}

}  // namespace

std::vector<MethodId> EnginesOf(const TrackLine& line) {
  std::vector<MethodId> engines;
  AddOf(line, &engines);
  return engines;
}

std::vector<MethodId> EnginesOf(const Recording& recording) {
  std::vector<MethodId> engines;
  for (const RecordedBranch& branch : recording.branches) {
    for (const RecordedLine& line : branch.lines) AddOf(line.line, &engines);
  }
  return engines;
}

std::string RecordedEngine::WhyMissing() const {
  const MethodInfo& info = Info(*FindMethod(method));
  const std::string_view why = info.WhyMissing();
  if (why.empty()) return {};
  return fmt::format("{} {} made steps of it, which is not in this build: {}", info.label, version,
                     why);
}

bool RecordedEngine::IsOther() const {
  const MethodInfo& info = Info(*FindMethod(method));
  return info.WhyMissing().empty() && info.version() != version;
}

}  // namespace slip
