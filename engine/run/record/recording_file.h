// Experiment files: a recording as text, complete enough to run again on another machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/run/record/recorded_engines.h"
#include "engine/run/record/recording.h"

namespace slip {

/// Facts about the program that the engine does not know itself.
struct RunContext {
  std::string command_line;
  std::string version;  ///< of Slipscope
  std::string build;    ///< compiler, build type, sanitizers
};

/// The file: JSON, schema slipscope.experiment/1. It ends with a checksum of all before it. `path`
/// is where it is to be kept: the files of scenes are named from its folder on. Empty: for a while.
std::string FormatRecording(const Recording& recording, const RunContext& context,
                            const std::string& path = {});

/// A recording as read, and what is odd about its file.
struct RecordingFile {
  std::shared_ptr<const Recording> recording;
  std::string build;  ///< that wrote it
  std::vector<RecordedEngine> engines;
  std::vector<std::string> remarks;  ///< a sentence each: changed after it was saved, other meshes
};

/// Reads and checks; all errors at once, each with its key. Nothing is run. `name` stands for the
/// file in messages.
Result<RecordingFile> ReadRecordingText(std::string_view text, const std::string& name);
Result<RecordingFile> ReadRecording(const std::string& path);

/// Does the file call itself an experiment? For callers that take scenes, problems and experiments.
bool IsExperiment(const std::string& path);

}  // namespace slip
