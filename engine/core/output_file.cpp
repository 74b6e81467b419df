#include "engine/core/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace slip {
namespace {

Error FileError(const std::string& path, const std::string& what) {
  return {.message = what + ": " + std::strerror(errno), .file = path};
}

}  // namespace

Result<std::shared_ptr<OutputFile>> OutputFile::Open(const std::string& path, bool force) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return Error{.message = "is a folder", .file = path};
  if (!force && std::filesystem::exists(path, code)) {
    return Error{.message = "exists already", .file = path, .hint = "--force overwrites it"};
  }
  std::shared_ptr<OutputFile> file(new OutputFile);
  file->path_ = path;
  file->part_ = path + ".part";
  file->file_ = std::fopen(file->part_.c_str(), "wb");
  if (file->file_ == nullptr) return FileError(path, "cannot be written");
  return file;
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(part_.c_str());
}

void OutputFile::Write(std::string_view text) {
  if (!good_ || file_ == nullptr) return;
  good_ = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
}

Status OutputFile::Commit() {
  if (file_ == nullptr) return Ok{};
  const bool flushed = std::fflush(file_) == 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!good_ || !flushed || !closed) {
    const Error error = FileError(path_, "cannot be written");
    std::remove(part_.c_str());
    return error;
  }
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return FileError(path_, "cannot be written");
  return Ok{};
}

Status WriteFile(const std::string& path, std::string_view text, bool force) {
  Result<std::shared_ptr<OutputFile>> file = OutputFile::Open(path, force);
  if (!file) return file.errors();
  (*file)->Write(text);
  return (*file)->Commit();
}

}  // namespace slip
