// A video is made in the background: the experiment goes into a file, and a second process of this
// program renders it, so that the window and its simulation go on.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/run/record/recording_file.h"

namespace slip::app {

class RecordingJob {
 public:
  /// `recording` with its section "render", drawn into `output` (a video, or a folder) by
  /// `program render`. Errors: no temporary file, the program does not start.
  static Result<std::unique_ptr<RecordingJob>> Start(const std::string& program,
                                                     const Recording& recording,
                                                     const RunContext& context,
                                                     const std::string& output);
  ~RecordingJob();  ///< stops it; no video is left then
  RecordingJob(const RecordingJob&) = delete;
  RecordingJob& operator=(const RecordingJob&) = delete;

  /// Reads what the process tells. Never waits.
  void Update();
  void Cancel();

  double progress() const { return progress_; }  ///< 0 to 1
  bool done() const { return process_ < 0; }
  bool cancelled() const { return cancelled_; }
  /// After done(): it ended as it should.
  bool good() const { return good_; }
  /// After done(), when it is not good: why, a sentence.
  const std::string& error() const { return error_; }
  const std::string& output() const { return output_; }

 private:
  RecordingJob() = default;
  void DropExperiment();
  void TakeLine(const std::string& line);
  void ReadWords();
  void End(int code);

  std::string output_, experiment_;  ///< the latter is ours, and goes with us
  std::string words_;                ///< of a line that is not whole yet
  std::string last_;                 ///< line that was no progress
  std::string error_;
  pid_t process_ = -1;
  int pipe_ = -1;
  double progress_ = 0;
  bool cancelled_ = false, good_ = false;
};

}  // namespace slip::app
