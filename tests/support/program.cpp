#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/support/folders.h"

namespace slip {

Program::Program(const std::vector<std::string>& arguments, const Launch& launch) {
  const std::string program = BuildFolder() + "/slipscope";
  const std::string out_path = launch.out.empty() ? folder_.path("out") : launch.out;
  const std::string err_path = folder_.path("err");
  process_ = fork();
  if (process_ != 0) return;
  const int out = open(out_path.c_str(), O_WRONLY | O_CREAT, 0600);
  const int err = open(err_path.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out);
  close(err);
  for (const int file : launch.closed) close(file);
  if (!launch.folder.empty() && chdir(launch.folder.c_str()) != 0) _exit(127);
  const auto limit = [](auto resource, int64_t bytes) {
    const rlimit both{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    if (bytes > 0) setrlimit(resource, &both);
  };
  // what the tests themselves were started with, nohup say, is not what is tested
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_FSIZE, launch.file_limit);
  limit(RLIMIT_AS, launch.memory_limit);
  for (const auto& [name, value] : launch.environment) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

Program::~Program() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Program::Signal(int signal) const { kill(process_, signal); }

bool Program::Runs() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

ProgramResult Program::Wait(double seconds) {
  int status = 0;
  const bool ended =
      WaitFor([&] { return waitpid(process_, &status, WNOHANG) == process_; }, seconds);
  if (!ended) {
    kill(process_, SIGKILL);
    waitpid(process_, &status, 0);
  }
  process_ = -1;
  ProgramResult result;
  result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadText(folder_.path("out"));
  result.err = ReadText(folder_.path("err"));
  return result;
}

ProgramResult RunProgram(const std::vector<std::string>& arguments, double interrupt_after,
                         int signal) {
  Program program(arguments);
  if (interrupt_after > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(interrupt_after));
    program.Signal(signal);
  }
  return program.Wait();
}

ProgramResult RunProgram(const std::vector<std::string>& arguments, const Launch& launch) {
  return Program(arguments, launch).Wait();
}

bool WaitFor(const std::function<bool()>& condition, double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace slip
