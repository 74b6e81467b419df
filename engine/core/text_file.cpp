#include "engine/core/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace slip {
namespace {

/// "a pipe", of what is no file; null for a file.
const char* SpecialKind(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

bool IsOfShell(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/");
}

}  // namespace

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
  const auto refuse = [&](const char* what) {
    const bool folder = std::string_view(what) == "a folder";
    return error(std::string("is ") + what +
                     (kind.name.starts_with('e') ? ", not an " : ", not a ") +
                     std::string(kind.name),
                 folder ? "name the file in it" : "name a file");
  };
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return error("no such file", kind.missing_hint);
    if (errno == ELOOP) return error("its links lead round in a circle", "name the file itself");
    return error("cannot be opened for reading", "check its permissions");
  }
  // asked again of what was opened: another one may have the name by then
  int descriptor = -1;
  const auto close_it = [](const int* open_file) {
    if (*open_file >= 0) close(*open_file);
  };
  const std::unique_ptr<int, decltype(close_it)> closer(&descriptor, close_it);
  const auto is_wrong = [&] {
    const bool pipe = kind.from_shell && IsOfShell(path) && S_ISFIFO(info.st_mode);
    return pipe ? nullptr : SpecialKind(info.st_mode);
  };
  if (const char* what = is_wrong()) return refuse(what);
  // a pipe without a writer would keep an open that blocks for ever
  descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | (S_ISFIFO(info.st_mode) ? 0 : O_NONBLOCK));
  if (descriptor < 0 || fstat(descriptor, &info) != 0)
    return error("cannot be opened for reading", "check its permissions");
  if (const char* what = is_wrong()) return refuse(what);
  std::string text;
  // one byte more than allowed is enough to know
  const std::size_t end = kind.most_bytes + 1;
  std::size_t read = 0;
  for (std::size_t chunk = 64 << 10; read < end; chunk *= 2) {
    text.resize(std::min(end, read + chunk));
    while (read < text.size()) {
      const ssize_t got = ::read(descriptor, text.data() + read, text.size() - read);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return error("cannot be read to its end");
      if (got == 0) break;
      read += static_cast<std::size_t>(got);
    }
    if (read < text.size()) break;
  }
  text.resize(read);
  if (const Status size = CheckTextSize(text.size(), path, kind); !size.ok()) return size.errors();
  return text;
}

}  // namespace slip
