// Another home of the user's cache, for as long as a test has it.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace slip::test {

/// $XDG_CACHE_HOME as long as it lives; empty = there is none, and no home.
class CacheHome {
 public:
  explicit CacheHome(const std::string& folder) {
    for (const char* name : {"XDG_CACHE_HOME", "HOME"})
      before_.emplace_back(name, std::getenv(name) != nullptr ? std::getenv(name) : "");
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    if (folder.empty()) unsetenv("HOME");
  }
  ~CacheHome() {
    for (const auto& [name, value] : before_) setenv(name, value.c_str(), 1);
  }
  CacheHome(const CacheHome&) = delete;
  CacheHome& operator=(const CacheHome&) = delete;

 private:
  std::vector<std::pair<const char*, std::string>> before_;
};

}  // namespace slip::test
