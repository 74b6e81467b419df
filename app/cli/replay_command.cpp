// replay: a saved experiment once more, on every branch, bit for bit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/core/numbers.h"
#include "engine/core/worker_pool.h"
#include "engine/method/methods.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/record/replay.h"

namespace slip::app {
namespace {

std::string Count(int64_t number, const char* one, const char* several) {
  return fmt::format("{} {}", number, number == 1 ? one : several);
}

/// Says which engines are others here. Whether one of them is missing.
bool TellEngines(const ReplayOptions& options, const RecordingFile& file) {
  bool missing = false;
  for (const RecordedEngine& engine : file.engines) {
    const std::string why = engine.WhyMissing();
    missing = missing || !why.empty();
    if (!why.empty()) PrintError(options.file + ": " + why);
    if (!engine.IsOther()) continue;
    PrintError(fmt::format("{}: steps of {} were made by its version {}; here it is {}",
                           options.file, engine.method, engine.version,
                           Info(*FindMethod(engine.method)).version()));
  }
  return missing;
}

/// What differs in a channel of an engine that is another version here was to be expected.
bool IsExpected(const RecordingFile& file, const ReplayDifference& difference) {
  for (const RecordedLine& line : At(file.recording->branches, difference.branch).lines) {
    if (line.channel != difference.channel) continue;
    for (const MethodId method : EnginesOf(line.line)) {
      for (const RecordedEngine& engine : file.engines)
        if (engine.IsOther() && engine.method == Info(method).id) return true;
    }
  }
  return false;
}

}  // namespace

int ReplayCommand(const ReplayOptions& options) {
  const Result<RecordingFile> file = ReadRecording(options.file);
  if (!file) {
    PrintErrors(file.errors());
    return kExitInput;
  }
  for (const std::string& remark : file->remarks) PrintError(options.file + ": " + remark);
  if (TellEngines(options, *file) && options.verify) return kExitInput;
  Replay replay(file->recording);
  WorkerPool workers(options.jobs > 0 ? options.jobs : HardwareThreads());
  CatchInterrupts();
  Progress progress(options.progress, "replay");
  std::mutex one_at_a_time;
  const bool whole = replay.Run(&workers, [&](double part) {
    const std::lock_guard lock(one_at_a_time);
    progress.Update(part);
    return Interrupted() == 0;
  });
  progress.Finish();
  if (!whole) return ExitInterrupted("nothing was compared");
  const auto differences = replay.Differences();
  for (const ReplayDifference& difference : differences)
    PrintError(options.file + ": " + difference.text);
  const bool same =
      std::all_of(differences.begin(), differences.end(),
                  [&](const ReplayDifference& each) { return IsExpected(*file, each); });
  const bool as_recorded = file->remarks.empty();
  // equal states of other bodies, or beside hashes that were edited, prove nothing
  const char* found = !same                  ? "not the same bits"
                      : !differences.empty() ? "the same bits, but for those of another version"
                      : as_recorded          ? "the same bits"
                                    : "the states that it holds, but it is not as it was recorded";
  const std::string text = fmt::format("{}: {}, {}: {}\n", options.file,
                                       Count(CountBranches(*file->recording), "branch", "branches"),
                                       Count(replay.steps(), "step", "steps"), found);
  if (!Print(text)) return kExitFailed;
  return options.verify && !(same && as_recorded) ? kExitFalse : kExitDone;
}

}  // namespace slip::app
