// A file that appears whole: written aside as NAME.part, renamed by Commit. Who writes a file owns
// its NAME.part by a lock that ends with the process; a second writer is refused, and what a killed
// one left behind is refused, too, until it is forced.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip {

class AsideFile;

class OutputFile {
 public:
  /// Errors: the file exists or an earlier run left NAME.part behind, and `force` is false; another
  /// process writes it now (these set *taken); the folder cannot be written.
  static Result<std::shared_ptr<OutputFile>> Open(const std::string& path, bool force,
                                                  bool* taken = nullptr);
  /// NAME.part of a run that was cut off, to go on with; null where there is none, or where Open
  /// would refuse the name. Who does not want it after all calls LeavePart.
  static std::shared_ptr<OutputFile> TakeOver(const std::string& path, bool force);
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Failures are kept and reported by Commit.
  void Write(std::string_view text);
  /// What was written so far survives a kill.
  void Flush();
  /// All that the part holds.
  std::string ReadPart();
  /// Only the first bytes stay, and what is written comes behind them.
  void Cut(std::size_t size);
  /// Nothing is written any more, and the part stays for others.
  void LeavePart();
  /// CommitTogether of this file alone.
  Status Commit();
  /// False once a write failed, e.g. because the disk is full.
  bool good() const { return problem_ == 0; }
  /// Ok, or the error that Commit would give.
  Status status() const;
  const std::string& path() const { return path_; }
  /// NAME.part, for a program that writes it in our place.
  const std::string& part() const { return part_; }
  /// A file that was made beside the part becomes the part; false, and nothing changed, when it
  /// cannot.
  bool ReplacePart(AsideFile* by);

 private:
  friend Result<std::vector<std::shared_ptr<OutputFile>>> OpenOutputFiles(
      const std::string& folder, std::span<const std::string_view> names, bool force, bool* taken);
  friend Status CommitTogether(std::span<OutputFile* const> files);

  /// Why a name cannot be had.
  enum class Obstacle { kNone, kFailed, kSpecial, kBusy, kLeftOver, kExists };

  OutputFile() = default;
  /// Null with *obstacle, and errno for kFailed.
  static std::shared_ptr<OutputFile> TryOpen(const std::string& path, bool force,
                                             Obstacle* obstacle);
  static int OpenPart(const std::string& part, bool force, Obstacle* obstacle);
  static Error Refusal(const std::string& path, Obstacle obstacle, const std::string& also);
  void Close();
  bool TakeName(bool keep_before);
  void KeepBefore();
  void GiveNameBack();
  void ForgetBefore();
  void Release();

  std::string path_, part_;
  std::FILE* file_ = nullptr;
  int lock_ = -1;  ///< the same open file: keeps it ours until it has its name
  bool force_ = false;
  std::string before_;  ///< name of what had ours before, until all have theirs; empty: of nothing
  int problem_ = 0;     ///< errno of the first failure
};

/// Gives the files of one result their names, all or none: flushes and closes each, and renames
/// them when all are whole. One error that stands for all: it names the first file that failed, and
/// why. After it the files that had the names before are untouched.
Status CommitTogether(std::span<OutputFile* const> files);

/// Makes a folder and those above it; no error when it is there.
Status MakeFolder(const std::string& folder);

/// Opens files of one folder, which is made if needed: all of them, or none and one error that
/// stands for all. Errors and *taken as for OutputFile::Open.
Result<std::vector<std::shared_ptr<OutputFile>>> OpenOutputFiles(
    const std::string& folder, std::span<const std::string_view> names, bool force,
    bool* taken = nullptr);

/// "STEM-001.EXTENSION": the first such name that does not exist.
std::string FreeName(std::string_view stem, std::string_view extension);

/// A whole file in one call.
Status WriteFile(const std::string& path, std::string_view text, bool force);

}  // namespace slip
