// Under --threads 0 no thread is started: whoever starts one asks first, and few do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/support/folders.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

TEST(Architecture, WhoStartsThreadsAsksFirst) {
  static const std::regex starts(
      R"(std::(jthread|thread(?!::)|async\b|launch\b)|pthread_create|thrd_create|std::execution::par)");
  // a header and its source are one
  std::map<std::string, std::string> texts;
  for (const char* folder : {"app", "engine", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".h" && path.extension() != ".cpp") continue;
      std::ifstream in(path);
      std::string& text = texts[fs::relative(path, SourceFolder()).replace_extension().string()];
      text.append(std::istreambuf_iterator<char>(in), {});
    }
  }
  std::set<std::string> found;
  for (const auto& [name, text] : texts) {
    if (text.find("thread") == std::string::npos && text.find("async") == std::string::npos &&
        text.find("execution") == std::string::npos)
      continue;  // a regex takes its time
    if (!std::regex_search(text, starts)) continue;
    found.insert(name);
    EXPECT_NE(text.find("StartsThreads()"), std::string::npos) << name;
  }
  EXPECT_EQ(found, (std::set<std::string>{"app/cli/reading_notice", "app/cli/render_command",
                                          "app/host/picture", "engine/core/side_work",
                                          "engine/core/worker_pool", "engine/run/study/work_pool"}))
      << "work beside the session is a SideWork";
}

}  // namespace
}  // namespace slip
