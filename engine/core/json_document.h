// JSON documents from outside: parsed within limits, and checked key by key. Whoever includes this
// compiles nlohmann's parser: readers of files do, nobody else.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/param_text.h"
#include "engine/core/result.h"
#include "engine/core/text_file.h"

// The library's literal "..."_json takes its whole parser into every file that includes it; here it
// is compiled in json_document.cpp alone.
extern template nlohmann::json nlohmann::json::parse<const char*>(
    const char*, const char*, const nlohmann::json::parser_callback_t, const bool, const bool);

namespace slip {

using Json = nlohmann::json;

/// Collects errors; a key path such as "contacts[3].J_b" says where.
class JsonChecker {
 public:
  explicit JsonChecker(std::string file) : file_(std::move(file)) {}
  void Add(std::string message, std::string hint = {}) {
    if (errors_.size() < 50) errors_.push_back({std::move(message), file_, 0, 0, std::move(hint)});
  }
  bool empty() const { return errors_.empty(); }
  const ErrorList& errors() const { return errors_; }

  bool Object(const Json& json, const std::string& where) {
    if (!json.is_object()) Add(where + " must be an object");
    return json.is_object();
  }

  void Known(const Json& json, const std::string& where,
             std::initializer_list<std::string_view> keys) {
    const std::vector<std::string_view> known(keys);
    for (const auto& [key, value] : json.items()) {
      if (key.rfind("x-", 0) == 0 || std::find(known.begin(), known.end(), key) != known.end())
        continue;
      Add("unknown key '" + key.substr(0, 60) + "' in " + where, DidYouMean(key, known));
    }
  }

  double Number(const Json& json, const std::string& where, const char* key, double min, double max,
                std::optional<double> otherwise = {}) {
    const auto at = json.find(key);
    const std::string name = where + "." + key;
    if (at == json.end()) {
      if (!otherwise) Add(name + " is missing");
      return otherwise.value_or(min);
    }
    if (!at->is_number() || !std::isfinite(at->get<double>())) {
      Add(name + " must be a finite number");
      return min;
    }
    const double value = at->get<double>();
    if (value < min || value > max) {
      Add(name + " must be within " + FormatNumber(min) + " and " + FormatNumber(max) + " (found " +
          FormatNumber(value) + ")");
      return min;
    }
    return value;
  }

  std::string Text(const Json& json, const std::string& where, const char* key) {
    const auto at = json.find(key);
    if (at != json.end() && at->is_string() && !at->get_ref<const std::string&>().empty())
      return at->get<std::string>();
    Add(where + "." + key + (at == json.end() ? " is missing" : " must be a text"));
    return {};
  }

  /// A list of exactly `count` finite numbers; empty, with an error, when it is not one: nothing is
  /// made for what a file only promises.
  std::vector<double> Numbers(const Json& json, const std::string& where, const char* key,
                              int count) {
    const auto at = json.find(key);
    const std::string name = where + "." + key;
    if (at == json.end() || !at->is_array() || at->size() != static_cast<std::size_t>(count)) {
      Add(name + " must be a list of " + std::to_string(count) + " numbers" +
          (at != json.end() && at->is_array() ? fmt::format(" (found {})", at->size()) : ""));
      return {};
    }
    std::vector<double> values(at->size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json& item = (*at)[i];
      if (item.is_number()) values[i] = item.get<double>();
      if (!item.is_number() || !std::isfinite(values[i])) {
        Add(name + "[" + std::to_string(i) + "] must be a finite number");
        return {};
      }
    }
    return values;
  }

 private:
  std::string file_;
  ErrorList errors_;
};

/// Parses a text and hands the document to `read`. Errors: not JSON (line and column), larger than
/// its kind may be, more parts than a document of that size needs. No exception leaves it.
Result<bool> ParseJsonWithin(std::string_view text, const std::string& name,
                             const TextFileKind& kind,
                             const std::function<void(const Json&)>& read);

template <class T, class Read>
Result<T> ReadJson(std::string_view text, const std::string& name, const TextFileKind& kind,
                   Read&& read) {
  std::optional<Result<T>> result;
  const Result<bool> parsed =
      ParseJsonWithin(text, name, kind, [&](const Json& json) { result.emplace(read(json)); });
  if (!parsed) return parsed.errors();
  return *std::move(result);
}

}  // namespace slip
