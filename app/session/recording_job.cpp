#include "app/session/recording_job.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

extern char** environ;

namespace slip::app {
namespace {

// The window and its simulation come first.
constexpr int kNiceness = 5;

/// A new file with this text; its name.
Result<std::string> WriteTemporary(const std::string& text) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
  if (folder.empty()) folder = "/tmp";
  std::string name = (folder / "slipscope-record-XXXXXX.json").string();
  constexpr int kEnding = 5;  // ".json"
  const int file = mkostemps(name.data(), kEnding, O_CLOEXEC);
  const auto error = [&](int code) {
    return Error{.message = std::string("cannot be written: ") + std::strerror(code), .file = name};
  };
  if (file < 0) return error(errno);
  std::FILE* stream = fdopen(file, "wb");
  errno = 0;
  const bool written = stream != nullptr &&
                       std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
                       std::fflush(stream) == 0;
  const int code = errno != 0 ? errno : EIO;
  if (stream != nullptr ? std::fclose(stream) == 0 && written : close(file) != 0) return name;
  unlink(name.c_str());
  return error(code);
}

}  // namespace

Result<std::unique_ptr<RecordingJob>> RecordingJob::Start(const std::string& program,
                                                          const Recording& recording,
                                                          const RunContext& context,
                                                          const std::string& output) {
  std::unique_ptr<RecordingJob> job(new RecordingJob);
  job->output_ = output;
  const Result<std::string> experiment = WriteTemporary(FormatRecording(recording, context));
  if (!experiment) return experiment.errors();
  job->experiment_ = *experiment;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{.message = std::string("no pipe to the renderer: ") + std::strerror(errno)};
  std::vector<std::string> words{"slipscope", "render",     *experiment, "-o",
                                 output,      "--progress", "json"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // its own group: Ctrl+C in the terminal reaches the window, which tells it
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failed =
      posix_spawn(&job->process_, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  job->pipe_ = ends[0];
  if (failed != 0) {
    job->process_ = -1;
    return Error{
        .message = fmt::format("the renderer could not be started: {}", std::strerror(failed)),
        .file = program};
  }
  fcntl(job->pipe_, F_SETFL, O_NONBLOCK);
  setpriority(PRIO_PROCESS, static_cast<id_t>(job->process_), kNiceness);
  return job;
}

RecordingJob::~RecordingJob() {
  if (process_ > 0) {
    kill(process_, SIGTERM);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (pipe_ >= 0) close(pipe_);
  DropExperiment();
}

void RecordingJob::DropExperiment() {
  if (!experiment_.empty()) unlink(experiment_.c_str());
  experiment_.clear();
}

void RecordingJob::Cancel() {
  if (process_ < 0 || cancelled_) return;
  cancelled_ = true;
  kill(process_, SIGTERM);
}

void RecordingJob::TakeLine(const std::string& line) {
  double fraction = 0;
  if (std::sscanf(line.c_str(), "{\"progress\": %lf", &fraction) == 1) {
    progress_ = std::clamp(fraction, progress_, 1.0);
    DropExperiment();  // it was read before there was any progress
  } else if (!line.empty()) {
    last_ = line;
  }
}

void RecordingJob::ReadWords() {
  char text[4096];
  for (ssize_t size = 0; (size = read(pipe_, text, sizeof text)) > 0;)
    words_.append(text, static_cast<std::size_t>(size));
  for (std::size_t end = 0; (end = words_.find('\n')) != std::string::npos;) {
    TakeLine(words_.substr(0, end));
    words_.erase(0, end + 1);
  }
}

void RecordingJob::Update() {
  if (process_ < 0) return;
  ReadWords();
  int code = 0;
  const pid_t ended = waitpid(process_, &code, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return;
  ReadWords();  // its last
  TakeLine(std::exchange(words_, {}));
  End(ended > 0 ? code : -1);
}

void RecordingJob::End(int code) {
  process_ = -1;
  close(std::exchange(pipe_, -1));
  DropExperiment();
  // a model that stopped makes exit 1 of a video that is there
  std::error_code ignored;
  const bool there = std::filesystem::exists(output_ + ".json", ignored);
  const int exit = code >= 0 && WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  good_ = !cancelled_ && (exit == 0 || (exit == 1 && there));
  if (good_) {
    progress_ = 1;
    return;
  }
  constexpr std::string_view kName = "slipscope: ";
  error_ = last_.starts_with(kName) ? last_.substr(kName.size()) : last_;
  if (code >= 0 && WIFSIGNALED(code))
    error_ = fmt::format("The renderer was ended by signal {} ({}).", WTERMSIG(code),
                         strsignal(WTERMSIG(code)));
  if (error_.empty()) error_ = "The renderer ended without a word.";
}

}  // namespace slip::app
