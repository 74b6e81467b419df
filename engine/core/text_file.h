// The one way a text file comes into memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace slip {

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// What a reader expects to find, for its messages, and the most it takes.
struct TextFileKind {
  std::string_view name = "text file";  ///< "scene file", "mesh file", ...
  std::size_t most_bytes = kMebibyte;
  std::string_view missing_hint = {};  ///< where such a file is looked for
};

/// The whole file. No more than most_bytes + 1 are ever read or held: a device or a pipe need not
/// end. Error: no such file, a folder, not readable, larger than allowed.
Result<std::string> ReadTextFile(const std::string& path, const TextFileKind& kind);

/// The same limit for a text that is in memory already.
Status CheckTextSize(std::size_t bytes, const std::string& path, const TextFileKind& kind);

}  // namespace slip
