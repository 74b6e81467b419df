#include "engine/run/record/recording_branch.h"

#include <fmt/format.h>

#include "engine/core/numbers.h"
#include "engine/method/methods.h"

namespace slip {

void ReadBranchKeys(const Json& json, const std::string& where,
                    const std::vector<RecordedBranch>& all, RecordedBranch* branch,
                    JsonChecker* check) {
  if (json.contains("name")) branch->name = check->Text(json, where, "name");
  if (branch->name.size() > kLongestBranchName) {
    check->Add(fmt::format("{}.name must have {} bytes at most (found {})", where,
                           kLongestBranchName, branch->name.size()));
  }
  if (const auto dropped = json.find("dropped"); dropped != json.end()) {
    if (!dropped->is_boolean()) check->Add(where + ".dropped must be true or false");
    branch->dropped = dropped->is_boolean() && dropped->get<bool>();
  }
  if (branch->parent >= 0 && At(all, branch->parent).dropped)
    check->Add(where + ".parent is a branch that was dropped");
  const auto channels = json.find("channels");
  if (branch->dropped && channels != json.end() && !channels->empty())
    check->Add(where + ".channels must be empty: the branch was dropped");
}

void ReadEngines(const Json& json, std::vector<RecordedEngine>* engines, JsonChecker* check) {
  if (!json.contains("engines") || !check->Object(json["engines"], "engines")) return;
  for (const auto& [id, version] : json["engines"].items()) {
    const std::optional<MethodId> method = FindMethod(id);
    if (!method || Info(*method).version == nullptr) {
      check->Add("engines." + id.substr(0, 60) + " is no engine", DidYouMean(id, MethodIds()));
    } else if (const std::string text = check->Text(json["engines"], "engines", id.c_str());
               !text.empty()) {
      engines->push_back({id, text.substr(0, 60)});
    }
  }
}

}  // namespace slip
