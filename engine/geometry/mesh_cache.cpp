#include "engine/geometry/mesh_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "engine/core/aside_file.h"
#include "engine/core/sha256.h"
#include "engine/core/text_file.h"
#include "engine/core/user_folder.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

/// Before the message: the format of entries, and the hash of what follows.
constexpr std::string_view kCacheWord = "slipscope mesh 2\n";
constexpr std::size_t kCacheHash = 64;
constexpr TextFileKind kCacheFile{.name = "cache entry", .most_bytes = 300 * kMebibyte};
constexpr const char* kCacheSuffix = ".mesh";

/// Only for the user; false when it cannot be made.
bool MakeCacheFolder(const fs::path& folder) {
  std::error_code code;
  if (fs::is_directory(folder, code)) return true;
  fs::create_directories(folder, code);
  if (code) return false;
  fs::permissions(folder, fs::perms::owner_all, code);
  return true;
}

}  // namespace

MeshCache::MeshCache() : MeshCache(UserCacheFolder("meshes")) {}

std::string MeshCache::PathOf(const std::string& key) const {
  return (fs::path(folder_) / (key + kCacheSuffix)).string();
}

std::optional<MeshMessage> MeshCache::Find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = PathOf(key);
  const Result<std::string> text = ReadTextFile(path, kCacheFile);
  if (!text) return std::nullopt;
  std::string_view bytes = *text;
  std::optional<MeshMessage> message;
  if (bytes.starts_with(kCacheWord) && bytes.size() > kCacheWord.size() + kCacheHash) {
    bytes.remove_prefix(kCacheWord.size());
    const std::string_view hash = bytes.substr(0, kCacheHash);
    bytes.remove_prefix(kCacheHash);
    if (CalcSha256(bytes) == hash) message = DecodeMesh(bytes);
  }
  if (!message) {
    unlink(path.c_str());
    return std::nullopt;
  }
  // used now: it goes last
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return message;
}

void MeshCache::Keep(const std::string& key, const MeshMessage& message) const {
  if (folder_.empty() || !MakeCacheFolder(folder_)) return;
  const std::string bytes = EncodeMesh(message);
  const std::string text = std::string(kCacheWord) + CalcSha256(bytes) + bytes;
  if (text.size() > most_bytes_ / 2) return;
  {
    AsideFile file(PathOf(key));
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t size = write(file.descriptor(), rest.data(), rest.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return;
      rest.remove_prefix(static_cast<std::size_t>(size));
    }
    if (!file.TakePlace()) return;
  }
  MakeRoom();
}

void MeshCache::MakeRoom() const {
  struct Entry {
    fs::file_time_type used;
    std::uint64_t bytes = 0;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t sum = 0;
  std::error_code code;
  fs::directory_iterator files(folder_, code);
  for (; !code && files != fs::directory_iterator(); files.increment(code)) {
    // what a killed program left half done counts, too
    std::error_code ignored;
    if (!files->is_regular_file(ignored)) continue;
    Entry entry{files->last_write_time(ignored), files->file_size(ignored), files->path()};
    if (ignored) continue;  // another program has just removed it
    sum += entry.bytes;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (sum <= most_bytes_) return;
    if (fs::remove(entry.path, code)) sum -= entry.bytes;
  }
}

}  // namespace slip
