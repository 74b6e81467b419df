// A file that another program writes for us, beside the one that it is to become. It never takes a
// name that something has, and never follows a link: what lies in the folder stays as it is.
#pragma once

#include <string>

namespace slip {

class AsideFile {
 public:
  /// Empty, in the folder of `target`; without a name where the file system has such files, so that
  /// nothing is left of it when we are killed. `named`: with a name all the same.
  explicit AsideFile(std::string target, bool named = false);
  ~AsideFile();  ///< what did not take the place of the target is removed
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  /// Open for reading and writing; -1 when it could not be made.
  int descriptor() const { return file_; }
  /// [bytes]
  long long size() const;
  /// Takes the place of the target. False when something went wrong: the target is as it was.
  bool TakePlace();

 private:
  bool IsOurs() const;

  std::string target_, name_;  ///< the latter empty: it has none
  int file_ = -1;
};

}  // namespace slip
