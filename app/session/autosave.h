// What was done is written to a file once a second, so that a crash loses at most that. A clean end
// removes the file; one that is found at the start was left by a crash.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/side_work.h"
#include "engine/run/record/recording.h"
#include "engine/run/record/recording_file.h"

namespace slip::app {

/// $XDG_STATE_HOME/slipscope, or ~/.local/state/slipscope; empty without a home.
std::string StateFolder();

/// Files in the folder whose program is gone, the newest first.
std::vector<std::string> LeftOverSaves(const std::string& folder);

class Autosave {
 public:
  /// Writes into the folder, which is made if needed.
  Autosave(std::string folder, RunContext context);
  ~Autosave();  ///< removes the file

  const std::string& path() const { return path_; }
  /// To be written, beside the session. One that comes before the last is written takes its
  /// place.
  void Give(std::shared_ptr<const Recording> recording);
  /// Why the last file could not be written; empty when it was. The next one is tried all the same.
  std::string problem() const;
  /// The next file that is written holds all of this one, which goes then.
  void Replaces(const std::string& path);
  /// Waits until everything given is written.
  void Finish();

 private:
  Sliced<> Run();
  bool HasWork();
  Status Write(const Recording& recording);

  std::string folder_, path_, lock_path_;
  int lock_ = -1;  ///< held as long as the program lives, however it ends
  RunContext context_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Recording> next_;
  std::vector<std::string> replaced_;
  std::string problem_;
  bool writing_ = false, ended_ = false;
  std::optional<SideWork> work_;
};

}  // namespace slip::app
