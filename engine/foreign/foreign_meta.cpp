#include "engine/foreign/foreign_meta.h"

#include <algorithm>

#include "engine/core/json_document.h"
#include "engine/core/param_text.h"

namespace slip {

std::span<const ForeignKey> ForeignKeys() {
  static const std::vector<ForeignKey> keys = {
      {"schema", kForeignSchema, {}},
      {"engine", "what made the recording, free text", {}},
      {"model", "of a table with several models: the one that is meant", {}},
      {"quaternion_order", "in .npz it must be said", {"wxyz", "xyzw"}},
      {"pose_of", "centre of mass (default), or the frame of the link", {"com", "link"}},
      {"velocity_of", "likewise, of velocities", {"com", "link"}},
      {"angular_velocity_in", "world axes (default), or those of the body", {"world", "body"}},
      {"up", "z (default) or y", {"z", "y"}},
      {"time_step", "of the engine [s], where each of its steps was recorded", {}},
      {"time_shift", "added to all times [s]", {}},
      {"names", "names.THEIRS=OURS, a body", {}},
      {"settings", "settings.KEY=VALUE, a parameter of the engine, shown", {}},
      {"command_line", "that made the recording", {}}};
  return keys;
}

Status ForeignMeta::Set(const std::string& key, const std::string& value) {
  if (key.starts_with("names.") && key.size() > 6) {
    names[key.substr(6)] = value;
    return Ok{};
  }
  if (key.starts_with("settings.") && key.size() > 9) {
    settings[key.substr(9)] = value;
    return Ok{};
  }
  const auto known = ForeignKeys();
  const auto row = std::find_if(known.begin(), known.end(),
                                [&](const ForeignKey& each) { return each.name == key; });
  if (row == known.end() || key == "names" || key == "settings") {
    std::vector<std::string_view> words;
    for (const ForeignKey& each : known) words.push_back(each.name);
    return Error{.message = "no key '" + key.substr(0, 60) + "' of a recorded run",
                 .hint = DidYouMean(key, words)};
  }
  const auto& choices = row->choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    return Error{.message = key + " cannot be '" + value.substr(0, 60) + "'",
                 .hint = fmt::format("{}", fmt::join(choices, " or "))};
  }
  const auto number = [&](double* to) -> Status {
    const Result<double> read = ParseQuantity(value, "s");
    if (!read)
      return Error{.message = key + ": " + read.error().message, .hint = read.error().hint};
    *to = *read;
    return Ok{};
  };
  if (key == "engine") engine = value;
  if (key == "schema") schema = value;
  if (key == "model") model = value;
  if (key == "quaternion_order") xyzw = value == "xyzw", order_said = true;
  if (key == "pose_of") pose_of_link = value == "link";
  if (key == "velocity_of") velocity_of_link = value == "link";
  if (key == "angular_velocity_in") spin_in_body = value == "body";
  if (key == "up") y_up = value == "y";
  if (key == "time_shift") return number(&time_shift);
  if (key == "time_step") {
    if (Status status = number(&time_step); !status) return status;
    if (!(time_step > 0)) return Error{.message = "time_step must be above 0"};
  }
  return Ok{};
}

Status SetForeignMeta(const std::string& assignment, ForeignMeta* meta) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{.message = "expected KEY=VALUE, found '" + assignment.substr(0, 60) + "'",
                 .hint = "for example quaternion_order=xyzw"};
  }
  return meta->Set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

Status ReadForeignMeta(const std::string& path, ForeignMeta* meta) {
  constexpr TextFileKind kKind{.name = "meta.json", .most_bytes = 64 * kMebibyte};
  const auto text = ReadTextFile(path, kKind);
  if (!text) return text.errors();
  const auto read = [&](const Json& json) -> Status {
    if (!json.is_object()) return Error{.message = "must be an object", .file = path};
    const auto schema = json.find("schema");
    if (schema != json.end() && schema->is_string() &&
        schema->get<std::string>().starts_with("slipscope.run/")) {
      meta->schema = schema->get<std::string>();
      if (json.contains("version") && json["version"].is_string())
        meta->engine = "Slipscope " + json["version"].get<std::string>();
      return Ok{};
    }
    // first: whatever is wrong with the rest, this says whose it is
    if (schema != json.end() && schema->is_string()) meta->schema = schema->get<std::string>();
    for (const auto& [key, value] : json.items()) {
      Status status = Ok{};
      if (key == "names" && value.is_object()) {
        for (const auto& [theirs, ours] : value.items()) {
          if (ours.is_string()) meta->names[theirs] = ours.get<std::string>();
        }
      } else if (key == "settings" && value.is_object()) {
        for (const auto& [name, setting] : value.items())
          meta->settings[name] = setting.is_string() ? setting.get<std::string>() : setting.dump();
      } else if (value.is_string()) {
        status = meta->Set(key, value.get<std::string>());
      } else if (value.is_number()) {
        status = meta->Set(key, FormatNumber(value.get<double>()));
      }
      if (!status) {
        return Error{.message = status.error().message, .file = path, .hint = status.error().hint};
      }
    }
    return Ok{};
  };
  const auto result = ReadJson<Status>(*text, path, kKind, read);
  if (!result) return result.errors();
  return *result;
}

}  // namespace slip
