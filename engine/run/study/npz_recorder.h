// Writes a run as arrays: of each channel one .npz.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/npz/npz_writer.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/channel_arrays.h"
#include "engine/run/study/recorder.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// What a file of arrays is called.
inline constexpr std::string_view kNpzSuffix = ".npz";

class NpzRecorder {
 public:
  /// One channel is `path`, several are STEM-LABEL.npz beside each other. Errors and *taken as
  /// OpenOutputFiles says.
  static Result<std::unique_ptr<NpzRecorder>> Open(const std::string& path, const RunPlan& plan,
                                                   int64_t every, bool force, bool* taken = nullptr,
                                                   const RunChoice& choice = {});
  /// After every step; keeps every N-th.
  void Step(int channel, const Simulation& simulation);
  /// Of one channel, what its numbers do not tell.
  struct Words {
    std::vector<std::string> notes;
    std::string failure;  ///< why it ended early; else empty
  };
  /// As meta.json has them.
  static std::vector<Words> WordsOf(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                                    const RunResult& result);
  /// Writes the archives, also of a run that was interrupted. `words` of each channel,
  /// or none.
  void Complete(const RunContext& context, std::vector<Words> words = {});
  /// All of the run, for CommitTogether.
  std::vector<OutputFile*> files() const;
  /// False once a write failed.
  bool good() const;

 private:
  struct Channel {
    std::shared_ptr<OutputFile> file;
    std::unique_ptr<NpzWriter> writer;
    std::optional<ChannelArrays> arrays;
    std::string label;
  };

  NpzRecorder() = default;

  std::vector<Channel> channels_;
  int64_t every_ = 1;
};

}  // namespace slip
