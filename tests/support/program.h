// Runs the built slipscope as a user would.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace slip {

struct ProgramResult {
  int exit = -1;  ///< exit code, or 128 + signal
  std::string out, err;
};

/// How a program is started, beyond its arguments.
struct Launch {
  std::vector<int> closed;   ///< descriptors that are closed
  std::string folder;        ///< working folder; empty = ours
  std::string out;           ///< where stdout goes instead of into the result
  int64_t file_limit = 0;    ///< largest file [bytes], as ulimit -f; 0 = none
  int64_t memory_limit = 0;  ///< address space [bytes], as ulimit -v; 0 = none
  std::map<std::string, std::string> environment;  ///< set; an empty value unsets
};

/// build/.../slipscope, running.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const Launch& launch = {});
  /// Kills it when it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void Signal(int signal) const;
  bool Runs() const;
  int id() const { return process_; }
  /// What it has written to stderr by now.
  std::string Err() const { return ReadText(folder_.path("err")); }
  /// Waits until it has ended; one that does not within `seconds` is killed.
  ProgramResult Wait(double seconds = 600);

 private:
  TempFolder folder_;
  int process_ = -1;
};

/// Runs build/.../slipscope with these arguments. `interrupt_after` seconds later it gets `signal`.
ProgramResult RunProgram(const std::vector<std::string>& arguments, double interrupt_after = 0,
                         int signal = 0);
ProgramResult RunProgram(const std::vector<std::string>& arguments, const Launch& launch);

/// Asks again and again; false when it did not come true within `seconds`.
bool WaitFor(const std::function<bool()>& condition, double seconds = 60);

}  // namespace slip
