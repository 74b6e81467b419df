#include "engine/core/output_file.h"
#include "engine/core/aside_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

namespace slip {
namespace {

constexpr int kMostBefore = 1000;  // names that are tried for what is replaced

Error FileError(const std::string& path, int code) {
  return {.message = std::string("cannot be written: ") + std::strerror(code), .file = path};
}

/// Is this open file still the one with that name?
bool HasName(int file, const std::string& path) {
  struct stat ours {};
  struct stat named {};
  return fstat(file, &ours) == 0 && lstat(path.c_str(), &named) == 0 &&
         ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

enum class Lock { kMine, kOthers, kNone };

/// kNone: this file system has no locks.
Lock TryLock(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::kMine;
  return errno == EWOULDBLOCK ? Lock::kOthers : Lock::kNone;
}

void WaitShortly() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

/// Fails where the name is taken, on file systems that can tell.
int RenameToFree(const char* from, const char* to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  return std::rename(from, to);
}

}  // namespace

// Another process may come between any two of these calls. Whoever holds the lock of the file that
// has the name owns the name; everybody else starts over.
int OutputFile::OpenPart(const std::string& part, bool force, Obstacle* obstacle) {
  constexpr int kRounds = 20;
  *obstacle = Obstacle::kFailed;
  bool seen = false;
  for (int round = 0; round < kRounds; ++round) {
    int file = open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      // one who looks for left-overs holds it for a moment
      for (int i = 0; i < kRounds && TryLock(file) == Lock::kOthers; ++i) WaitShortly();
      if (HasName(file, part)) {
        *obstacle = Obstacle::kNone;
        return file;
      }
      close(file);
      continue;
    }
    if (errno != EEXIST) return -1;
    file = open(part.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0 && errno == ENOENT) continue;
    if (file < 0) return -1;
    const bool busy = TryLock(file) == Lock::kOthers;
    const bool named = HasName(file, part);
    // twice: it may have been made just now, its lock to follow
    if (!busy && named && seen && force) unlink(part.c_str());
    close(file);
    if (busy || (named && seen && !force)) {
      *obstacle = busy ? Obstacle::kBusy : Obstacle::kLeftOver;
      return -1;
    }
    if (named && !seen) WaitShortly();
    seen = named;
  }
  *obstacle = Obstacle::kBusy;
  return -1;
}

std::shared_ptr<OutputFile> OutputFile::TryOpen(const std::string& path, bool force,
                                                Obstacle* obstacle) {
  std::shared_ptr<OutputFile> file(new OutputFile);
  file->path_ = path;
  file->part_ = path + ".part";
  file->force_ = force;
  const int part = OpenPart(file->part_, force, obstacle);
  if (part < 0) return nullptr;
  file->file_ = fdopen(part, "wb");
  file->lock_ = fcntl(part, F_DUPFD_CLOEXEC, 0);
  // Asked for while we own the name: one who gave it to a file just now is seen.
  struct stat target {};
  const bool exists = lstat(path.c_str(), &target) == 0;
  if (exists && S_ISDIR(target.st_mode)) {
    *obstacle = Obstacle::kFailed;
    errno = EISDIR;
  } else if (exists && !S_ISREG(target.st_mode) && !S_ISLNK(target.st_mode)) {
    *obstacle = Obstacle::kSpecial;
  } else if (exists && !force) {
    *obstacle = Obstacle::kExists;
  } else if (file->file_ == nullptr || file->lock_ < 0) {
    *obstacle = Obstacle::kFailed;
    if (file->file_ == nullptr) close(part);
  } else {
    return file;
  }
  const int code = errno;
  if (file->file_ == nullptr) unlink(file->part_.c_str());
  file.reset();
  errno = code;
  return nullptr;
}

std::shared_ptr<OutputFile> OutputFile::TakeOver(const std::string& path, bool force) {
  std::shared_ptr<OutputFile> file(new OutputFile);
  file->path_ = path;
  file->part_ = path + ".part";
  file->force_ = force;
  const int part = open(file->part_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info {};
  struct stat target {};
  const bool exists = lstat(path.c_str(), &target) == 0;
  const bool ours = part >= 0 && fstat(part, &info) == 0 && S_ISREG(info.st_mode) &&
                    TryLock(part) == Lock::kMine && HasName(part, file->part_) &&
                    (!exists || (force && (S_ISREG(target.st_mode) || S_ISLNK(target.st_mode))));
  if (ours) file->file_ = fdopen(part, "r+b");
  if (file->file_ == nullptr) {
    if (part >= 0) close(part);
    return nullptr;
  }
  file->lock_ = fcntl(part, F_DUPFD_CLOEXEC, 0);
  return file;
}

/// `also`: " and 5 more", or nothing.
Error OutputFile::Refusal(const std::string& path, Obstacle obstacle, const std::string& also) {
  switch (obstacle) {
    case Obstacle::kExists:
      return {.message = also.empty() ? "exists already" : "exists already," + also,
              .file = path,
              .hint = "--force overwrites"};
    case Obstacle::kLeftOver:
      return {.message = "was left by a run that was cut off" + (also.empty() ? "" : "," + also),
              .file = path + ".part",
              .hint = "move it away to keep it; --force discards it"};
    case Obstacle::kBusy:
      return {.message = "another run is writing this file now",
              .file = path,
              .hint = "choose another output, or wait until that run has ended"};
    case Obstacle::kSpecial:
      return {.message = "is a device or a pipe; a file cannot take its place", .file = path};
    case Obstacle::kNone:
    case Obstacle::kFailed:
      break;
  }
  return FileError(path, errno);
}

Result<std::shared_ptr<OutputFile>> OutputFile::Open(const std::string& path, bool force,
                                                     bool* taken) {
  Obstacle obstacle = Obstacle::kNone;
  std::shared_ptr<OutputFile> file = TryOpen(path, force, &obstacle);
  if (taken != nullptr) *taken = obstacle >= Obstacle::kBusy;
  if (file == nullptr) return Refusal(path, obstacle, "");
  return file;
}

OutputFile::~OutputFile() {
  if (lock_ >= 0) unlink(part_.c_str());  // while it is still ours
  if (file_ != nullptr) std::fclose(file_);
  Release();
}

void OutputFile::Write(std::string_view text) {
  if (text.empty()) return;  // whose place may be null
  if (problem_ != 0 || file_ == nullptr) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    problem_ = errno != 0 ? errno : EIO;
}

void OutputFile::Flush() {
  errno = 0;
  if (problem_ == 0 && file_ != nullptr && std::fflush(file_) != 0)
    problem_ = errno != 0 ? errno : EIO;
}

Status OutputFile::status() const {
  if (good()) return Ok{};
  return FileError(path_, problem_);
}

std::string OutputFile::ReadPart() {
  std::string text;
  Flush();
  char piece[1 << 16];
  for (ssize_t size = 0;
       (size = pread(lock_, piece, sizeof piece, static_cast<off_t>(text.size()))) > 0;)
    text.append(piece, static_cast<std::size_t>(size));
  return text;
}

void OutputFile::Cut(std::size_t size) {
  Flush();
  errno = 0;
  const bool cut = file_ != nullptr && ftruncate(fileno(file_), static_cast<off_t>(size)) == 0 &&
                   std::fseek(file_, 0, SEEK_END) == 0;
  if (!cut && problem_ == 0) problem_ = errno != 0 ? errno : EIO;
}

void OutputFile::LeavePart() {
  if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
  Release();
}

Status OutputFile::Commit() {
  OutputFile* const one[] = {this};
  return CommitTogether(one);
}

void OutputFile::Close() {
  if (file_ == nullptr) return;
  const auto check = [this](bool good) {
    if (!good && problem_ == 0) problem_ = errno != 0 ? errno : EIO;
  };
  errno = 0;
  check(std::fflush(file_) == 0);
  check(std::fclose(std::exchange(file_, nullptr)) == 0);
}

/// A second name for what is replaced, where the file system has such: one that nothing has.
void OutputFile::KeepBefore() {
  for (int i = 1; i <= kMostBefore; ++i) {
    std::string before = path_ + (i == 1 ? ".before" : fmt::format(".before-{}", i));
    if (link(path_.c_str(), before.c_str()) == 0) {
      before_ = std::move(before);
      return;
    }
    if (errno != EEXIST) return;
  }
}

bool OutputFile::ReplacePart(AsideFile* by) {
  // its lock first: the name is ours all the time
  const int lock = fcntl(by->descriptor(), F_DUPFD_CLOEXEC, 0);
  if (lock < 0) return false;
  if (TryLock(lock) == Lock::kOthers || !by->TakePlace()) {
    close(lock);
    return false;
  }
  Release();
  lock_ = lock;
  return true;
}

/// False with errno.
bool OutputFile::TakeName(bool keep_before) {
  const char *from = part_.c_str(), *to = path_.c_str();
  if (!force_) return RenameToFree(from, to) == 0;
  if (keep_before) KeepBefore();
  if (std::rename(from, to) == 0) return true;
  const int code = errno;
  ForgetBefore();
  errno = code;
  return false;
}

void OutputFile::GiveNameBack() {
  std::rename(path_.c_str(), part_.c_str());
  if (!before_.empty()) std::rename(before_.c_str(), path_.c_str());
  before_.clear();
}

void OutputFile::ForgetBefore() {
  if (!before_.empty()) unlink(std::exchange(before_, {}).c_str());
}

void OutputFile::Release() {
  if (lock_ >= 0) close(std::exchange(lock_, -1));
}

Status CommitTogether(std::span<OutputFile* const> files) {
  for (OutputFile* file : files) file->Close();
  // locks are held until all have their names, or none
  const auto release = [&](bool keep_parts) {
    for (OutputFile* file : files) {
      if (file->lock_ >= 0 && !keep_parts) unlink(file->part_.c_str());
      file->Release();
    }
  };
  const std::string none =
      files.size() > 1 ? "so none of " + std::to_string(files.size()) + " files was given its name"
                       : "";
  const auto refuse = [&](OutputFile* file, int code) {
    file->problem_ = code;
    release(false);
    Error error = FileError(file->path_, code);
    error.hint = none;
    return error;
  };
  for (OutputFile* file : files) {
    if (!file->good()) return refuse(file, file->problem_);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    OutputFile* file = files[i];
    if (file->lock_ < 0 || file->TakeName(files.size() > 1)) continue;
    const int code = errno;
    for (OutputFile* earlier : files.first(i)) {
      if (earlier->lock_ >= 0) earlier->GiveNameBack();
    }
    if (code != EEXIST) return refuse(file, code);
    // what was made is not lost because somebody else took the name
    file->problem_ = code;
    release(true);
    return Error{.message = "was made by another program meanwhile",
                 .file = file->path_,
                 .hint = "ours is " + file->part_};
  }
  for (OutputFile* file : files) file->ForgetBefore();
  release(true);
  return Ok{};
}

Status MakeFolder(const std::string& folder) {
  if (folder.empty()) return Ok{};
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(folder, ignored);
  if (std::filesystem::is_directory(there)) return Ok{};
  if (std::filesystem::is_regular_file(there))
    return Error{.message = "is a file, not a folder", .file = folder};
  if (std::filesystem::exists(there))
    return Error{.message = "is a device or a pipe, not a folder", .file = folder};
  return Error{.message = "cannot be made a folder" + (code ? ": " + code.message() : ""),
               .file = folder};
}

Result<std::vector<std::shared_ptr<OutputFile>>> OpenOutputFiles(
    const std::string& folder, std::span<const std::string_view> names, bool force, bool* taken) {
  using Obstacle = OutputFile::Obstacle;
  if (taken != nullptr) *taken = false;
  if (Status made = MakeFolder(folder); !made) return made.errors();
  std::vector<std::shared_ptr<OutputFile>> files;
  // The gravest obstacle is told, with how many files it stops.
  Obstacle worst = Obstacle::kNone;
  std::string first;
  int count = 0;
  for (const std::string_view name : names) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    Obstacle obstacle = Obstacle::kNone;
    files.push_back(OutputFile::TryOpen(path, force, &obstacle));
    if (obstacle == Obstacle::kNone) continue;
    if (obstacle <= Obstacle::kBusy) {
      if (taken != nullptr) *taken = obstacle == Obstacle::kBusy;
      return OutputFile::Refusal(path, obstacle, "");
    }
    if (worst == Obstacle::kNone || obstacle < worst) {
      worst = obstacle;
      first = path;
      count = 0;
    }
    if (obstacle == worst) ++count;
  }
  if (worst == Obstacle::kNone) return files;
  if (taken != nullptr) *taken = true;
  const std::string also = count > 1 ? " and " + std::to_string(count - 1) + " more" : "";
  return OutputFile::Refusal(first, worst, also);
}

std::string FreeName(std::string_view stem, std::string_view extension) {
  std::string path;
  std::error_code ignored;
  for (int i = 1; path.empty() || std::filesystem::exists(path, ignored); ++i)
    path = fmt::format("{}-{:03d}.{}", stem, i, extension);
  return path;
}

Status WriteFile(const std::string& path, std::string_view text, bool force) {
  Result<std::shared_ptr<OutputFile>> file = OutputFile::Open(path, force);
  if (!file) return file.errors();
  (*file)->Write(text);
  return (*file)->Commit();
}

}  // namespace slip
