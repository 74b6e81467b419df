#include "engine/core/folder_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace slip {
namespace {

constexpr int kMostFolders = 16;

/// The file, part by part of its name, so that no link leads elsewhere.
int OpenBelow(int folder, std::string_view name) {
  int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  for (int depth = 0; at >= 0 && depth < kMostFolders; ++depth) {
    while (name.starts_with("./")) name.remove_prefix(2);
    const std::size_t slash = name.find('/');
    const std::string part(name.substr(0, slash));
    const bool last = slash == std::string_view::npos;
    const bool plain = !part.empty() && part != "." && part != "..";
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    const int next = plain ? openat(at, part.c_str(), flags) : -1;
    close(at);
    at = next;
    if (last) return at;
    name.remove_prefix(slash + 1);
  }
  if (at >= 0) close(at);
  return -1;
}

}  // namespace

int OpenFolder(const std::string& folder) {
  return open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

std::optional<std::string> ReadFolderFile(int folder, std::string_view name,
                                          std::size_t most_bytes) {
  if (folder < 0 || name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
  const int file = OpenBelow(folder, name);
  if (file < 0) return std::nullopt;
  std::optional<std::string> text;
  struct stat info {};
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0 &&
      static_cast<std::size_t>(info.st_size) <= most_bytes) {
    text.emplace(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t got = 0;
    while (got < text->size()) {
      const ssize_t size = read(file, text->data() + got, text->size() - got);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      got += static_cast<std::size_t>(size);
    }
    text->resize(got);
  }
  close(file);
  return text;
}

}  // namespace slip
