// The only file that includes the TOML library: it costs seconds to compile and throws.
#include "engine/scene/toml_tree.h"

#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/core/param_text.h"

namespace slip {
namespace {

TomlNode Convert(const toml::node& node) {
  TomlNode out;
  out.line = static_cast<int>(node.source().begin.line);
  out.column = static_cast<int>(node.source().begin.column);
  switch (node.type()) {
    case toml::node_type::boolean:
      out.kind = TomlNode::Kind::kBool;
      out.flag = node.as_boolean()->get();
      break;
    case toml::node_type::integer:
      out.kind = TomlNode::Kind::kNumber;
      out.number = static_cast<double>(node.as_integer()->get());
      break;
    case toml::node_type::floating_point:
      out.kind = TomlNode::Kind::kNumber;
      out.number = node.as_floating_point()->get();
      break;
    case toml::node_type::string:
      out.kind = TomlNode::Kind::kText;
      out.text = node.as_string()->get();
      break;
    case toml::node_type::array:
      out.kind = TomlNode::Kind::kList;
      for (const toml::node& item : *node.as_array()) out.items.push_back(Convert(item));
      break;
    case toml::node_type::table:
      out.kind = TomlNode::Kind::kTable;
      for (auto&& [key, value] : *node.as_table()) {
        TomlNode item = Convert(value);
        item.key = std::string(key.str());
        item.key_line = static_cast<int>(key.source().begin.line);
        item.key_column = static_cast<int>(key.source().begin.column);
        out.items.push_back(std::move(item));
      }
      // The library sorts by name; people expect the order of the file.
      std::stable_sort(
          out.items.begin(), out.items.end(), [](const TomlNode& a, const TomlNode& b) {
            return std::pair(a.key_line, a.key_column) < std::pair(b.key_line, b.key_column);
          });
      break;
    default:
      out.kind = TomlNode::Kind::kOther;  // dates and times
      break;
  }
  return out;
}

/// The library makes a table within a table for every part of a dotted key, and takes them apart
/// again by recursion: an endless key would end the stack.
constexpr int kMaxKeyParts = 16;

/// Line of the first key with more parts; 0 when there is none. Texts and comments are skipped.
int FindLongKey(std::string_view text) {
  int line = 1, dots = 0;
  std::string_view closing;  // of the text that we are in
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = 0;
      if (closing.size() == 1) closing = {};  // never closed: the parser stops here
    } else if (!closing.empty()) {
      if (c == '\\' && closing[0] == '"' && text.substr(i + 1, 1) != "\n") {
        ++i;
      } else if (text.substr(i).starts_with(closing)) {
        i += closing.size() - 1;
        // up to two more are part of a text in three quotes
        if (closing.size() == 3) i = std::min(text.find_first_not_of(c, i), text.size()) - 1;
        closing = {};
      }
    } else if (c == '"' || c == '\'') {
      const std::string_view three = text.substr(i, 3);
      closing = three == "\"\"\"" || three == "'''" ? three : three.substr(0, 1);
      i += closing.size() - 1;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots >= kMaxKeyParts) return line;
    } else if (c == '=' || c == ',' || c == '{' || c == '[') {
      dots = 0;
    }
  }
  return 0;
}

/// Foreign bytes have no place in a message.
std::string Printable(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte >= 0x7F ? '?' : c;
  }
  return out;
}

}  // namespace

const TomlNode* TomlNode::Find(std::string_view name) const {
  for (const TomlNode& item : items) {
    if (item.key == name) return &item;
  }
  return nullptr;
}

std::string TomlNode::Found() const {
  switch (kind) {
    case Kind::kBool:
      return flag ? "true" : "false";
    case Kind::kNumber:
      return FormatNumber(number);
    case Kind::kText:
      return "'" + text.substr(0, 40) + (text.size() > 40 ? "...'" : "'");
    case Kind::kList:
      return "a list of " + std::to_string(items.size());
    case Kind::kTable:
      return "a table";
    case Kind::kOther:
      break;
  }
  return "a date or time";
}

Result<TomlNode> ParseToml(std::string_view text, const std::string& name) {
  if (const Status size = CheckTextSize(text.size(), name, kSceneFile); !size.ok())
    return size.errors();
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    return Error{.message = "not a text file: byte 0 at offset " + std::to_string(zero),
                 .file = name,
                 .hint = "scene files are TOML in UTF-8"};
  }
  if (const int line = FindLongKey(text); line > 0) {
    return Error{.message = "a key of more than " + std::to_string(kMaxKeyParts) + " parts",
                 .file = name,
                 .line = line,
                 .hint = "no key of a scene has more than four"};
  }
  try {
    return Convert(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    return Error{.message = Printable(error.description()),
                 .file = name,
                 .line = static_cast<int>(error.source().begin.line),
                 .column = static_cast<int>(error.source().begin.column)};
  } catch (const std::exception& error) {
    return Error{.message = Printable(error.what()), .file = name};
  }
}

}  // namespace slip
