#include "app/host/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/host/exit_code.h"
#include "app/host/print.h"
#include "engine/core/utf8.h"

namespace slip::app {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void Catch(int number) { caught_signal = number; }

/// Opened the wrong way round: whoever reads or writes there is told, as if it were closed.
void OpenStandardFiles() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) != -1 || errno != EBADF) continue;
    const int mode = file == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) == file || open("/", O_RDONLY) == file) continue;
    _exit(kExitFailed);
  }
}

[[noreturn]] void Terminate() {
  PrintException();
  _exit(kExitFailed);
}

std::string ShellWord(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (!IsUtf8(word)) {
    // bytes that are no text, in a form that bash reads back
    std::string bytes = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte >= 0x7F) {
        bytes += fmt::format("\\x{:02x}", byte);
      } else {
        if (c == '\'' || c == '\\') bytes += '\\';
        bytes += c;
      }
    }
    return bytes + "'";
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void PrepareProcess() {
  OpenStandardFiles();
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(Terminate);
}

void PrintException() noexcept {
  const char* what = "for an unknown reason";
  try {
    if (const std::exception_ptr present = std::current_exception())
      std::rethrow_exception(present);
  } catch (const std::bad_alloc&) {
    what = "out of memory";
  } catch (const std::exception& error) {
    // the text lives as long as the exception, which is still being handled
    std::fprintf(stderr, "slipscope: ended early: %s.\n", error.what());
    return;
  } catch (...) {
  }
  std::fprintf(stderr, "slipscope: ended early: %s.\n", what);
}

std::string CommandLine(int argc, const char* const* argv) {
  std::string text = "slipscope";
  for (int i = 1; i < argc; ++i) text += " " + ShellWord(argv[i]);
  return text;
}

void CatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = Catch;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(SIGHUP, &action, nullptr);
}

int Interrupted() { return caught_signal; }

int ExitInterrupted(const std::string& what_is_left) {
  PrintError("interrupted; " + what_is_left);
  return 128 + Interrupted();
}

}  // namespace slip::app
