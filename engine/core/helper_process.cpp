#include "engine/core/helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "engine/core/helper_filter.h"
#include "engine/core/sanitized.h"
#include "engine/core/thread_stop.h"

extern char** environ;

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;

/// The first argument of a helper. Nobody types it.
constexpr std::string_view kHelperWord = "--slipscope-helper";
/// Behind it, before the task's own words: parent, memory, processor time, time.
constexpr int kHelperNumbers = 4;
/// How often a waiting thread asks whether it shall go on.
constexpr int kHelperPollMs = 20;

std::atomic<bool> can_run_helpers{false};

class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }
  void Take(int file) {
    Close();
    file_ = file;
  }
  void Close() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }

 private:
  int file_;
};

bool WriteWhole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = write(file, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

void Limit(decltype(RLIMIT_CORE) resource, rlim_t soft, rlim_t hard) {
  rlimit limit{};
  // never above what we have ourselves
  if (getrlimit(resource, &limit) == 0) hard = std::min(hard, limit.rlim_max);
  limit = {std::min(soft, hard), hard};
  setrlimit(resource, &limit);
}

/// What this process has mapped already [bytes], its libraries above all.
std::size_t AddressSpace() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Before the first byte of the input is read.
void LimitHelper(std::size_t memory, int cpu_seconds, int wall_seconds) {
  const auto both = [](decltype(RLIMIT_CORE) resource, rlim_t most) {
    Limit(resource, most, most);
  };
  both(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // a core handler of the system does not ask for RLIMIT_CORE
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  both(RLIMIT_FSIZE, 0);
  both(RLIMIT_NOFILE, 16);
  if (!kSanitized) {  // sanitizers map terabytes that they never touch
    both(RLIMIT_NPROC, 0);
    both(RLIMIT_AS, AddressSpace() + memory);
  }
  const auto cpu = static_cast<rlim_t>(std::max(1, cpu_seconds));
  Limit(RLIMIT_CPU, cpu, cpu + 1);
  std::signal(SIGALRM, SIG_DFL);
  itimerval timer{};
  timer.it_value.tv_sec = std::max(1, wall_seconds) + 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
  if (!kSanitized) FilterHelperCalls();
}

std::optional<long long> WholeNumber(std::string_view word) {
  long long value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// What loaders and sanitizers need, and our own; nothing else of the user's is a helper's
/// business.
std::vector<char*> HelperEnvironment() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (name.starts_with("LD_") || name.ends_with("SAN_OPTIONS") || name.starts_with("SLIPSCOPE_"))
      kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

/// One helper, from its start to its end.
class Helper {
 public:
  ~Helper() { Kill(); }
  Helper() = default;
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  /// Empty, or why not.
  std::string Start(std::span<const std::string> words, std::string_view input, int folder,
                    const HelperLimits& limits) {
    const auto failed = [](std::string_view what) {
      return std::string(what) + ": " + std::strerror(errno);
    };
    const Descriptor file(memfd_create("slipscope input", MFD_CLOEXEC));
    if (file.get() < 0 || !WriteWhole(file.get(), input) || lseek(file.get(), 0, SEEK_SET) != 0)
      return failed("no memory for the file");
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
    answer_.Take(ends[0]);
    const Descriptor answers(ends[1]);

    std::vector<std::string> texts = {"slipscope", std::string(kHelperWord)};
    for (const long long number :
         {static_cast<long long>(getpid()), static_cast<long long>(limits.memory),
          static_cast<long long>(limits.cpu_seconds), static_cast<long long>(limits.wall_seconds)})
      texts.push_back(std::to_string(number));
    texts.insert(texts.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& text : texts) argv.push_back(text.data());
    argv.push_back(nullptr);
    std::vector<char*> environment = HelperEnvironment();

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answers.get(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (folder >= 0) posix_spawn_file_actions_adddup2(&actions, folder, kHelperFolder);
    posix_spawn_file_actions_addclosefrom_np(&actions, kHelperFolder + (folder >= 0 ? 1 : 0));
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);  // Ctrl+C reaches us alone
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    errno = posix_spawn(&process_, "/proc/self/exe", &actions, &attributes, argv.data(),
                        environment.data());
    const std::string problem = errno != 0 ? failed("no process") : std::string();
    if (errno != 0) process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return problem;
  }

  /// Everything it says until it closes its side; what ended that, where something else did.
  std::optional<HelperRun::End> Listen(const HelperLimits& limits, Clock::time_point until,
                                       std::string* answer) {
    std::vector<char> buffer(std::size_t{1} << 18);
    while (true) {
      if (ThreadStop::Asked()) return HelperRun::End::kStopped;
      if (Clock::now() > until) return HelperRun::End::kTookTooLong;
      pollfd waiting{answer_.get(), POLLIN, 0};
      if (poll(&waiting, 1, kHelperPollMs) <= 0) continue;
      const ssize_t size = read(answer_.get(), buffer.data(), buffer.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (size <= 0) return std::nullopt;
      if (answer->size() + static_cast<std::size_t>(size) > limits.answer_bytes)
        return HelperRun::End::kSaidTooMuch;
      answer->append(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  /// How it ended, once it has closed its side.
  HelperRun::End Wait(Clock::time_point until, int* code) {
    int status = 0;
    pid_t ended = 0;
    for (int slept = 0; (ended = waitpid(process_, &status, WNOHANG)) == 0; ++slept) {
      if (ThreadStop::Asked()) return HelperRun::End::kStopped;
      if (Clock::now() > until) return HelperRun::End::kTookTooLong;
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min(slept, kHelperPollMs)));
    }
    process_ = -1;
    if (ended < 0) return HelperRun::End::kAnswered;  // whoever ignores SIGCHLD learns nothing
    const bool by_itself = WIFEXITED(status);
    *code = by_itself ? WEXITSTATUS(status) : WTERMSIG(status);
    if (by_itself) return *code == 0 ? HelperRun::End::kAnswered : HelperRun::End::kFailed;
    // its own clocks
    return *code == SIGXCPU || *code == SIGALRM ? HelperRun::End::kTookTooLong
                                                : HelperRun::End::kKilled;
  }

 private:
  void Kill() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

  pid_t process_ = -1;
  Descriptor answer_;
};

}  // namespace

HelperRun RunHelper(std::span<const std::string> words, std::string_view input, int folder,
                    const HelperLimits& limits) {
  HelperRun run;
  if (!CanRunHelpers()) {
    run.reason = "this program does not know how";
    return run;
  }
  if (ThreadStop::Asked()) {
    run.end = HelperRun::End::kStopped;
    return run;
  }
  Helper helper;
  const auto until = Clock::now() + std::chrono::seconds(limits.wall_seconds);
  run.reason = helper.Start(words, input, folder, limits);
  if (!run.reason.empty()) return run;
  const auto cut = helper.Listen(limits, until, &run.answer);
  run.end = cut ? *cut : helper.Wait(until, &run.code);
  return run;
}

std::optional<std::vector<std::string>> BeginHelper(int argc, const char* const* argv) {
  can_run_helpers = true;
  if (argc < 2 + kHelperNumbers || argv[1] != kHelperWord) return std::nullopt;
  long long numbers[kHelperNumbers] = {};
  for (int i = 0; i < kHelperNumbers; ++i) {
    const auto number = WholeNumber(argv[2 + i]);
    if (!number || *number <= 0) _exit(2);
    numbers[i] = *number;
  }
  can_run_helpers = false;  // a helper needs none
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // it may have ended before we asked to be told
  if (getppid() != static_cast<pid_t>(numbers[0])) _exit(2);
  LimitHelper(static_cast<std::size_t>(numbers[1]), static_cast<int>(numbers[2]),
              static_cast<int>(numbers[3]));
  return std::vector<std::string>(argv + 2 + kHelperNumbers, argv + argc);
}

bool CanRunHelpers() { return can_run_helpers; }

std::string ReadHelperInput() {
  std::string input;
  struct stat info {};
  if (fstat(STDIN_FILENO, &info) == 0 && info.st_size > 0)
    input.resize(static_cast<std::size_t>(info.st_size));
  std::size_t got = 0;
  while (got < input.size()) {
    const ssize_t size = read(STDIN_FILENO, input.data() + got, input.size() - got);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    got += static_cast<std::size_t>(size);
  }
  input.resize(got);
  return input;
}

void EndHelper(std::string_view answer) { _exit(WriteWhole(STDOUT_FILENO, answer) ? 0 : 1); }

}  // namespace slip
