// How long functions and how wide classes may be: all of them, without exceptions.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLines = 80, kMostPublic = 30;

std::vector<fs::path> Sources(const std::string& extension) {
  std::vector<fs::path> files;
  for (const char* folder : {"app", "engine", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder))
      if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  return files;
}

std::vector<std::string> Lines(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string Place(const fs::path& file) {
  return fs::relative(file, SourceFolder()).generic_string();
}

bool BeginsWith(const std::string& line, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return line.rfind(word, 0) == 0; });
}

/// Functions as the format has them: they begin at the margin and end with a brace there.
std::map<std::string, int> FunctionLengths() {
  static const std::regex name(R"(([\w:~]+)\s*\()");
  std::map<std::string, int> lengths;
  for (const fs::path& file : Sources(".cpp")) {
    const std::vector<std::string> lines = Lines(file);
    std::size_t start = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      const bool at_margin = !line.empty() && line[0] != ' ' && line[0] != '}' && line[0] != ')';
      if (at_margin && !BeginsWith(line, {"#", "//", "namespace", "using", "template"})) {
        const std::string& before = lines[i - 1];
        if (before.empty() || BeginsWith(before, {"//", "template", "#", "}"})) start = i;
      }
      if (line != "}" || start == 0) continue;
      std::smatch match;
      if (std::regex_search(lines[start], match, name)) {
        int& longest = lengths[Place(file) + " " + match[1].str()];
        longest = std::max(longest, static_cast<int>(i - start + 1));
      }
      start = 0;
    }
  }
  return lengths;
}

std::map<std::string, int> PublicFunctions() {
  static const std::regex begin(R"(^class (\w+)[^;]*\{)"),
      access(R"(^ (public|private|protected):)");
  static const std::regex function(R"(^  [\w~].*\()");
  std::map<std::string, int> counts;
  for (const fs::path& file : Sources(".h")) {
    std::string name;
    bool is_public = false;
    for (const std::string& line : Lines(file)) {
      std::smatch match;
      if (std::regex_search(line, match, begin)) {
        name = match[1];
        is_public = false;
      } else if (name.empty()) {
        continue;
      } else if (std::regex_search(line, match, access)) {
        is_public = match[1] == "public";
      } else if (line == "};") {
        name.clear();
      } else if (is_public && std::regex_search(line, function)) {
        ++counts[Place(file) + " " + name];
      }
    }
  }
  return counts;
}

void Hold(const std::map<std::string, int>& found, int most) {
  for (const auto& [name, size] : found) EXPECT_LE(size, most) << name << ": part it by thought";
}

TEST(Architecture, FunctionsAreShort) {
  const auto lengths = FunctionLengths();
  EXPECT_GT(lengths.size(), 2000u);
  Hold(lengths, kMostLines);
}

TEST(Architecture, ClassesAreNarrow) {
  const auto counts = PublicFunctions();
  EXPECT_GT(counts.size(), 50u);
  Hold(counts, kMostPublic);
}

}  // namespace
}  // namespace slip
