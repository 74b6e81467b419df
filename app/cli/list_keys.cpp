// list keys: what a scene file may contain, from the tables that its readers use.
#include <fmt/format.h>

#include <cmath>

#include "app/cli/list_rows.h"
#include "engine/core/param_text.h"
#include "engine/scene/scene_keys.h"

namespace slip::app {
namespace {

/// A key, or a parameter among them, as text.
struct KeyText {
  std::string section, key, kind, unit, range, otherwise, doc;
};

std::string KindOf(const SceneKey& key) {
  const auto with_form = [&key](std::string kind) {
    return key.form.empty() ? kind : kind + " " + std::string(key.form);
  };
  switch (key.kind) {
    case KeyKind::kNumber:
      return "number";
    case KeyKind::kWhole:
      return "whole number";
    case KeyKind::kText:
      return "text";
    case KeyKind::kFlag:
      return "true or false";
    case KeyKind::kVector:
      return "[x, y, z]";
    case KeyKind::kTexts:
      return "list of texts";
    case KeyKind::kChoice:
      return with_form("choice");
    case KeyKind::kOther:
      break;
  }
  return std::string(key.form);
}

std::string RangeOf(const SceneKey& key) {
  if (key.kind == KeyKind::kChoice) return fmt::format("{}", fmt::join(key.choices, "|"));
  if (!std::isfinite(key.range.max)) return {};
  return (key.range.open_min ? ">" : "") + FormatNumber(key.range.min) + ".." +
         FormatNumber(key.range.max);
}

KeyText TextOf(const SceneSection& section, const SceneKey& key) {
  return {.section = std::string(section.name),
          .key = std::string(key.name),
          .kind = KindOf(key),
          .unit = std::string(key.unit),
          .range = RangeOf(key),
          .otherwise = key.needed ? "needed" : std::string(key.otherwise),
          .doc = std::string(key.doc)};
}

KeyText TextOf(const SceneSection& section, const SceneParam& param) {
  const ParamInfo& info = *param.info;
  const bool choice = info.scale == Scale::kChoice;
  return {.section = std::string(section.name),
          .key = std::string(info.name),
          .kind = choice                          ? "choice"
                  : info.scale == Scale::kInteger ? "whole number"
                                                  : "number",
          .unit = Either(std::string(info.unit), std::string(param.other->unit)),
          .range = Either(RangeText(info), RangeText(*param.other)),
          .otherwise = choice ? "\"" + FormatValue(info, param.otherwise) + "\""
                              : FormatNumber(param.otherwise),
          .doc = std::string(info.doc)};
}

std::vector<KeyText> AllKeys() {
  std::vector<KeyText> keys;
  for (const SceneSection* section : SceneSections()) {
    for (const SceneSection* of = section; of != nullptr; of = of->like) {
      for (const SceneKey& key : of->keys) keys.push_back(TextOf(*section, key));
      if (of->params == nullptr) continue;
      for (const SceneParam& param : of->params()) keys.push_back(TextOf(*section, param));
    }
  }
  return keys;
}

/// What a choice may be and what holds without the key follow the sentence.
std::string InWords(const KeyText& key) {
  std::string doc = key.doc;
  if (key.kind.starts_with("choice")) doc += " One of " + key.range + ".";
  if (key.otherwise == "needed") return doc + " Needed.";
  if (!key.otherwise.empty()) doc += " Default: " + key.otherwise + ".";
  return doc;
}

}  // namespace

Rows ListKeys(bool in_words) {
  Rows rows = {{"section", "key", "kind", "doc"}};
  if (!in_words) rows = {{"section", "key", "kind", "unit", "range", "default", "doc"}};
  for (const KeyText& key : AllKeys()) {
    if (in_words) {
      const std::string unit = key.unit.empty() ? "" : " in " + key.unit;
      rows.push_back({key.section, key.key, key.kind + unit, InWords(key)});
    } else {
      rows.push_back({key.section, key.key, key.kind, key.unit, key.range, key.otherwise, key.doc});
    }
  }
  return rows;
}

}  // namespace slip::app
