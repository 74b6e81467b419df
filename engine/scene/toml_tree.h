// A TOML document as a plain tree with positions. The one place that knows the TOML library is
// toml_tree.cpp; every reader works on this tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/text_file.h"

namespace slip {

struct TomlNode {
  enum class Kind { kBool, kNumber, kText, kList, kTable, kOther };
  Kind kind = Kind::kTable;
  bool flag = false;            ///< kBool
  double number = 0;            ///< kNumber; integers are converted
  std::string text;             ///< kText
  std::vector<TomlNode> items;  ///< kList; kTable: the values, in file order
  std::string key;              ///< name of this value in its table, else empty
  int line = 0, column = 0;     ///< of the value, 1-based
  int key_line = 0, key_column = 0;

  /// Member of a table; null when absent.
  const TomlNode* Find(std::string_view name) const;
  /// What the value is, for messages: "a number", "a text 'abc'", "a list of 3".
  std::string Found() const;
};

inline constexpr TextFileKind kSceneFile{
    .name = "scene file", .most_bytes = kMebibyte, .from_shell = true};

/// Parses a document. `name` stands for the file in messages. Refuses binary data, more than a
/// scene file may have, invalid UTF-8, keys of too many parts and bad syntax, each with a position
/// where there is one.
Result<TomlNode> ParseToml(std::string_view text, const std::string& name);

}  // namespace slip
