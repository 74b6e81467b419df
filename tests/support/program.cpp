#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace slip {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "slipscope-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
TempFolder::~TempFolder() {
  std::error_code code;
  std::filesystem::remove_all(path_, code);
}
std::string TempFolder::path(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ProgramResult RunProgram(const std::vector<std::string>& arguments, double interrupt_after,
                         int signal) {
  const TempFolder folder;
  const std::string program = std::string(SLIP_BINARY_DIR) + "/slipscope";
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(folder.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
    const int err = open(folder.path("err").c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  if (interrupt_after > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(interrupt_after));
    kill(child, signal);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ProgramResult result;
  result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadText(folder.path("out"));
  result.err = ReadText(folder.path("err"));
  return result;
}

std::vector<std::map<std::string, std::string>> ReadCsv(const std::string& path) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
  }
  return rows;
}

}  // namespace slip
