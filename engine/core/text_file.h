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
  /// A pipe that the shell has opened for us, /dev/stdin or /dev/fd/N, will do. Only for what the
  /// command line names: a file that names another one must not make us wait for the terminal.
  bool from_shell = false;
};

/// The whole file. No more than most_bytes + 1 are ever read or held: a pipe need not end. Error:
/// no such file, a folder, a device, a pipe or a socket (which are told before anything is read),
/// not readable, larger than allowed.
Result<std::string> ReadTextFile(const std::string& path, const TextFileKind& kind);

/// The same limit for a text that is in memory already.
Status CheckTextSize(std::size_t bytes, const std::string& path, const TextFileKind& kind);

}  // namespace slip
