// Texts and keys as a TOML document has them.
#pragma once

#include <string>
#include <string_view>

namespace slip {

/// Between double quotes.
std::string QuoteToml(std::string_view text);

/// Bare where it may be.
std::string TomlKey(std::string_view name);

}  // namespace slip
