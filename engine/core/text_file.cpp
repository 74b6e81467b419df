#include "engine/core/text_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace slip {

Status CheckTextSize(std::size_t bytes, const std::string& path, const TextFileKind& kind) {
  if (bytes <= kind.most_bytes) return Ok{};
  return Error{.message = "too large for a " + std::string(kind.name) + ": more than " +
                          std::to_string(kind.most_bytes / kMebibyte) + " MiB",
               .file = path,
               .hint = "is it one?"};
}

Result<std::string> ReadTextFile(const std::string& path, const TextFileKind& kind) {
  const auto error = [&](std::string message, std::string_view hint = {}) {
    return Error{.message = std::move(message), .file = path, .hint = std::string(hint)};
  };
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found)
    return error("no such file", kind.missing_hint);
  if (std::filesystem::is_directory(status))
    return error((kind.name.starts_with('e') ? "is a folder, not an " : "is a folder, not a ") +
                     std::string(kind.name),
                 "name the file in it");
  const auto close = [](std::FILE* file) { return std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) return error("cannot be opened for reading", "check its permissions");
  std::string text;
  // one byte more than allowed is enough to know
  const std::size_t end = kind.most_bytes + 1;
  std::size_t read = 0;
  for (std::size_t chunk = 64 << 10; read < end; chunk *= 2) {
    text.resize(std::min(end, read + chunk));
    const std::size_t wanted = text.size() - read;
    const std::size_t got = std::fread(text.data() + read, 1, wanted, file.get());
    read += got;
    if (got < wanted) break;
  }
  if (std::ferror(file.get()) != 0) return error("cannot be read to its end");
  text.resize(read);
  if (const Status size = CheckTextSize(text.size(), path, kind); !size.ok()) return size.errors();
  return text;
}

}  // namespace slip
