#include "engine/scene/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace slip {

std::string QuoteToml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string TomlKey(std::string_view name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_');
  });
  return bare ? std::string(name) : QuoteToml(name);
}

}  // namespace slip
