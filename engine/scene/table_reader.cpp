// Type, unit and range checks shared by every table of a scene file.
#include "engine/scene/table_reader.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr std::size_t kMaxErrors = 50;  // beyond it the file is something else altogether

std::string UnitHint(std::string_view unit) {
  return unit.empty() ? "a number" : "a number in " + std::string(unit) + " or a text with unit";
}

}  // namespace

void Reporter::Add(const TomlNode& at, std::string message, std::string hint) {
  if (errors_.size() >= kMaxErrors) return;
  errors_.push_back({std::move(message), file_, at.line, at.column, std::move(hint)});
}

const TomlNode* TableReader::Find(std::string_view key) {
  SLIP_CHECK(section_.Has(key));
  read_.push_back(key);
  return table_.Find(key);
}

const TomlNode* TableReader::Require(const SceneKey& key, std::string_view expected) {
  const TomlNode* node = Find(key);
  if (node == nullptr) {
    reporter_->Add(table_,
                   where_ + " needs '" + std::string(key.name) + "': " + std::string(expected));
  }
  return node;
}

bool TableReader::Text(const SceneKey& key, std::string* out) {
  const TomlNode* node = Find(key);
  if (node == nullptr) return false;
  if (node->kind != TomlNode::Kind::kText) {
    reporter_->Add(*node, std::string(key.name) + " must be a text (found " + node->Found() + ")");
    return false;
  }
  *out = node->text;
  return true;
}

bool TableReader::Flag(const SceneKey& key, bool* out) {
  const TomlNode* node = Find(key);
  if (node == nullptr) return false;
  if (node->kind != TomlNode::Kind::kBool) {
    reporter_->Add(*node,
                   std::string(key.name) + " must be true or false (found " + node->Found() + ")");
    return false;
  }
  *out = node->flag;
  return true;
}

bool TableReader::Number(const SceneKey& row, Range range, double* out) {
  const std::string_view key = row.name, unit = row.unit;
  const TomlNode* node = Find(row);
  if (node == nullptr) return false;
  const std::optional<double> value = QuantityOf(*node, key, unit, reporter_);
  if (!value) return false;
  const std::string suffix = unit.empty() ? "" : " " + std::string(unit);
  const std::string found = " (found " + FormatNumber(*value) + ")";
  if (*value < range.min || (range.open_min && *value == range.min)) {
    reporter_->Add(*node, std::string(key) + " must be " + (range.open_min ? "> " : ">= ") +
                              FormatNumber(range.min) + suffix + found);
    return false;
  }
  if (*value > range.max) {
    reporter_->Add(*node,
                   std::string(key) + " must be <= " + FormatNumber(range.max) + suffix + found);
    return false;
  }
  if (row.kind == KeyKind::kWhole && *value != std::floor(*value)) {
    reporter_->Add(*node, std::string(key) + " must be a whole number" + found);
    return false;
  }
  *out = *value;
  return true;
}

bool TableReader::Vector(const SceneKey& key, Vec3* out) {
  const TomlNode* node = Find(key);
  if (node == nullptr) return false;
  const std::optional<Vec3> value = VectorOf(*node, key.name, key.unit, key.range.max, reporter_);
  if (value) *out = *value;
  return value.has_value();
}

bool TableReader::Texts(const SceneKey& key, std::vector<std::string>* out) {
  const TomlNode* node = Find(key);
  if (node == nullptr) return false;
  if (node->kind != TomlNode::Kind::kList) {
    reporter_->Add(
        *node, std::string(key.name) + " must be a list of texts (found " + node->Found() + ")");
    return false;
  }
  out->clear();
  for (const TomlNode& item : node->items) {
    if (item.kind == TomlNode::Kind::kText) {
      out->push_back(item.text);
    } else {
      reporter_->Add(
          item, std::string(key.name) + " must be a list of texts (found " + item.Found() + ")");
    }
  }
  return true;
}

std::optional<std::size_t> TableReader::Choice(const SceneKey& key,
                                               std::span<const std::string_view> choices) {
  const TomlNode* node = Find(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind == TomlNode::Kind::kText) {
    const auto at = std::find(choices.begin(), choices.end(), node->text);
    if (at != choices.end()) return static_cast<std::size_t>(at - choices.begin());
  }
  const std::string word = node->kind == TomlNode::Kind::kText ? node->text : "";
  reporter_->Add(*node, "no such " + std::string(key.name) + ": " + node->Found(),
                 DidYouMean(word, choices));
  return std::nullopt;
}

std::optional<double> TableReader::ParamValue(const ParamInfo& info, const TomlNode& node) {
  const bool choice = info.scale == Scale::kChoice;
  if (node.kind == TomlNode::Kind::kText) {
    Result<double> value = ParseValue(info, node.text);
    if (!value) {
      reporter_->Add(node, value.error());
      return std::nullopt;
    }
    if (Status status = CheckValue(info, *value); !status) {
      reporter_->Add(node, status.error());
      return std::nullopt;
    }
    return *value;
  }
  if (choice || node.kind != TomlNode::Kind::kNumber) {
    const std::string expected = choice ? "a text" : UnitHint(info.unit);
    reporter_->Add(
        node, std::string(info.name) + " must be " + expected + " (found " + node.Found() + ")",
        choice ? DidYouMean("", info.choices) : "");
    return std::nullopt;
  }
  if (Status status = CheckValue(info, node.number); !status) {
    reporter_->Add(node, status.error());
    return std::nullopt;
  }
  return node.number;
}

void TableReader::SkipRest() {
  const std::vector<std::string_view> names = section_.Names();
  read_.insert(read_.end(), names.begin(), names.end());
}

void TableReader::Finish() {
  const std::vector<std::string_view> listed = section_.Names();
  const auto has = [](const std::vector<std::string_view>& names, std::string_view key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  };
  for (const TomlNode& item : table_.items) {
    if (has(read_, item.key)) continue;
    TomlNode at;
    at.line = item.key_line;
    at.column = item.key_column;
    if (has(listed, item.key)) {
      reporter_->Add(at, item.key + " means nothing in " + where_ + " as it is",
                     section_.DocOf(item.key));
      continue;
    }
    const std::string hint = DidYouMean(item.key, listed);
    reporter_->Add(
        at, "unknown key '" + item.key.substr(0, 60) + "' in " + where_,
        hint + (hint.ends_with('?') ? " All keys" : "; their units") + ": `slipscope list keys`");
  }
}

std::optional<double> QuantityOf(const TomlNode& node, std::string_view key, std::string_view unit,
                                 Reporter* reporter) {
  if (node.kind == TomlNode::Kind::kText) {
    Result<double> value = ParseQuantity(node.text, unit);
    if (value) return *value;
    reporter->Add(node, std::string(key) + ": " + value.error().message);
    return std::nullopt;
  }
  if (node.kind != TomlNode::Kind::kNumber) {
    reporter->Add(
        node, std::string(key) + " must be " + UnitHint(unit) + " (found " + node.Found() + ")");
    return std::nullopt;
  }
  if (!std::isfinite(node.number)) {
    reporter->Add(node, std::string(key) + " must be finite (found " + node.Found() + ")");
    return std::nullopt;
  }
  return node.number;
}

std::optional<Vec3> VectorOf(const TomlNode& node, std::string_view key, std::string_view unit,
                             double limit, Reporter* reporter) {
  if (node.kind != TomlNode::Kind::kList || node.items.size() != 3) {
    reporter->Add(node,
                  std::string(key) + " must be a list of 3 numbers (found " + node.Found() + ")");
    return std::nullopt;
  }
  Vec3 value = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const TomlNode& item = At(node.items, i);
    const std::optional<double> one = QuantityOf(item, key, unit, reporter);
    if (!one) return std::nullopt;
    if (std::abs(*one) > limit) {
      const std::string suffix = unit.empty() ? "" : " " + std::string(unit);
      reporter->Add(item, std::string(key) + " must be within +-" + FormatNumber(limit) + suffix +
                              " (found " + FormatNumber(*one) + ")");
      return std::nullopt;
    }
    value[i] = *one;
  }
  return value;
}

}  // namespace slip
