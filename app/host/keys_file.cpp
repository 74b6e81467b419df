#include "app/host/keys_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/host/settings.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/core/text_file.h"

namespace slip::app {
namespace {

std::optional<Action> FindAction(std::string_view id) {
  for (const ActionInfo& info : ActionTable()) {
    if (ActionId(info.id) == id) return info.id;
  }
  return std::nullopt;
}

std::string UnknownAction(const std::string& id) {
  std::vector<std::string> ids;
  for (const ActionInfo& info : ActionTable()) ids.push_back(ActionId(info.id));
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  const std::string_view near = Closest(id, views);
  return near.empty()
             ? fmt::format("No action is called '{}'; the help window lists their names.", id)
             : fmt::format("No action is called '{}', did you mean '{}'?", id, near);
}

/// The chords of one entry, or a sentence.
std::optional<KeyChords> ReadEntry(const std::string& id, const nlohmann::json& value,
                                   KeyNamer namer, std::vector<std::string>* problems) {
  const nlohmann::json list = value.is_array() ? value : nlohmann::json::array({value});
  KeyChords chords{};
  if (list.size() > chords.size()) {
    problems->push_back(
        fmt::format("'{}' has {} keys; at most {} are possible.", id, list.size(), chords.size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      problems->push_back(
          fmt::format("'{}' must be a key such as \"Ctrl+K\", or a list of them.", id));
      return std::nullopt;
    }
    const Result<KeyChord> chord = ParseKeyChord(list[i].get<std::string>(), namer);
    if (!chord.ok()) {
      problems->push_back(
          fmt::format("'{}': {}; {}", id, chord.error().message, chord.error().hint));
      return std::nullopt;
    }
    chords[i] = *chord;
  }
  return chords;
}

/// Another action that has one of the chords of this one; keys of the plots may be the window's.
std::optional<std::pair<Action, KeyChord>> Conflict(const KeyTable& keys, Action action) {
  for (const KeyChord& chord : At(keys, action)) {
    if (chord.key == 0) continue;
    for (const ActionInfo& other : ActionTable()) {
      const KeyChords& theirs = At(keys, other.id);
      if (other.in_plots != Info(action).in_plots) continue;
      if (other.id != action && std::find(theirs.begin(), theirs.end(), chord) != theirs.end())
        return std::pair{other.id, chord};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string KeysFile() {
  const std::string settings = SettingsFile();
  if (settings.empty()) return {};
  return (std::filesystem::path(settings).parent_path() / "keys.json").string();
}

KeysRead ReadKeys(std::string_view text, KeyNamer namer) {
  KeysRead read;
  const KeyTable defaults = DefaultKeys(namer);
  read.keys = defaults;
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
    const std::string_view before = text.substr(0, end);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    read.problems.push_back(fmt::format(
        "Line {} is no JSON: a comma, a quote or a brace is missing or too many.", line));
    return read;
  }
  if (!json.is_object()) {
    read.problems.push_back("Expected { \"action\": \"key\", ... }.");
    return read;
  }
  std::vector<Action> changed;
  for (const auto& [id, value] : json.items()) {
    const std::optional<Action> action = FindAction(id);
    if (!action) {
      read.problems.push_back(UnknownAction(id));
      continue;
    }
    const std::optional<KeyChords> chords = ReadEntry(id, value, namer, &read.problems);
    if (!chords) continue;
    At(read.keys, *action) = *chords;
    changed.push_back(*action);
  }
  // An entry that takes another's key goes; that may free or take a key of the next one.
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = changed.size(); i-- > 0;) {
      const Action action = changed[i];
      const auto conflict = Conflict(read.keys, action);
      if (!conflict) continue;
      read.problems.push_back(fmt::format("'{}': {} already belongs to '{}'.", ActionId(action),
                                          KeyLabel(conflict->second, namer),
                                          ActionId(conflict->first)));
      At(read.keys, action) = At(defaults, action);
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      again = true;
      break;
    }
  }
  return read;
}

std::vector<std::string> LoadKeys(const std::string& file, KeyMap* keys) {
  const Result<std::string> text = ReadTextFile(file, {.name = "file of keys"});
  if (!text) {
    keys->table = DefaultKeys(keys->namer);
    std::error_code code;
    if (!std::filesystem::exists(file, code)) return {};
    return {text.error().Text()};
  }
  KeysRead read = ReadKeys(*text, keys->namer);
  keys->table = read.keys;
  return std::move(read.problems);
}

}  // namespace slip::app
