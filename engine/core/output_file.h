// A file that appears whole: written aside as NAME.part, renamed by Commit.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace slip {

class OutputFile {
 public:
  /// Errors: the file exists and `force` is false; the folder cannot be written.
  static Result<std::shared_ptr<OutputFile>> Open(const std::string& path, bool force);
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Failures are kept and reported by Commit.
  void Write(std::string_view text);
  /// Flushes and renames; the error names the file and the reason.
  Status Commit();
  /// False once a write failed, e.g. because the disk is full.
  bool good() const { return good_; }

 private:
  OutputFile() = default;
  std::string path_, part_;
  std::FILE* file_ = nullptr;
  bool good_ = true;
};

/// A whole file in one call.
Status WriteFile(const std::string& path, std::string_view text, bool force);

}  // namespace slip
