#include "engine/core/aside_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace slip {
namespace {

constexpr int kMostNames = 1000;

/// "TARGET.whole", "TARGET.whole-2", ...: calls `take` with one after the other while it says that
/// something has that name (EEXIST). The one it took; empty when it took none.
template <class Take>
std::string TakeFreeName(const std::string& target, Take&& take) {
  for (int i = 1; i <= kMostNames; ++i) {
    std::string name = target + (i == 1 ? ".whole" : fmt::format(".whole-{}", i));
    if (take(name)) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

AsideFile::AsideFile(std::string target, bool named) : target_(std::move(target)) {
  const std::string folder = std::filesystem::path(target_).parent_path().string();
  if (!named)
    file_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (file_ >= 0) return;
  name_ = TakeFreeName(target_, [this](const std::string& name) {
    file_ = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file_ >= 0;
  });
}

AsideFile::~AsideFile() {
  if (!name_.empty() && IsOurs()) unlink(name_.c_str());
  if (file_ >= 0) close(file_);
}

/// Is the name still that of our file?
bool AsideFile::IsOurs() const {
  struct stat ours {};
  struct stat named {};
  return fstat(file_, &ours) == 0 && lstat(name_.c_str(), &named) == 0 &&
         ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

long long AsideFile::size() const {
  struct stat info {};
  return fstat(file_, &info) == 0 ? static_cast<long long>(info.st_size) : 0;
}

bool AsideFile::TakePlace() {
  if (file_ < 0) return false;
  if (name_.empty()) {
    // a rename needs a name to begin with
    const std::string ours = fmt::format("/proc/self/fd/{}", file_);
    name_ = TakeFreeName(target_, [&](const std::string& name) {
      return linkat(AT_FDCWD, ours.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
  }
  if (name_.empty() || !IsOurs() || std::rename(name_.c_str(), target_.c_str()) != 0) return false;
  name_.clear();
  return true;
}

}  // namespace slip
