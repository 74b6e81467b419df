// As the program is under --threads 0, and how many threads there are.
#pragma once

#include <fstream>
#include <string>

#include "engine/core/side_work.h"

namespace slip {

class WithoutThreads {
 public:
  WithoutThreads() { SetStartsThreads(false); }
  ~WithoutThreads() { SetStartsThreads(true); }
  WithoutThreads(const WithoutThreads&) = delete;
  WithoutThreads& operator=(const WithoutThreads&) = delete;
};

/// Of a process, as the system counts them; 0 when it is gone.
inline int CountThreads(const std::string& process = "self") {
  std::ifstream status("/proc/" + process + "/status");
  int count = 0;
  for (std::string word; status >> word;)
    if (word == "Threads:") status >> count;
  return count;
}

}  // namespace slip
