// The pages: what they name is there, none is too long to read, and the sections that the code
// names exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/folders.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPageLines = 200;

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// All pages, from the project's root.
const std::vector<fs::path>& Pages() {
  static const std::vector<fs::path> pages = [] {
    std::vector<fs::path> found = {"README.md"};
    for (const char* folder : {"app", "engine", "render", "tests"}) {
      const fs::path root = fs::path(SourceFolder()) / folder;
      for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".md")
          found.push_back(fs::relative(entry.path(), SourceFolder()));
      }
    }
    return found;
  }();
  return pages;
}

/// The page without its blocks of code.
std::string ProseOf(const fs::path& page) {
  std::istringstream lines(TextOf(SourceFolder() / page));
  std::string prose;
  bool in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
    } else if (!in_block) {
      prose += line + "\n";
    }
  }
  return prose;
}

/// Is the word that of a file or folder? Formulas have single letters beside a slash. What begins
/// with my_ is for the reader to write, what is in build/ is made.
bool IsPath(const std::string& word) {
  static const std::regex of_source(R"([\w./*-]+\.(h|cpp|md|txt|sh))"),
      with_slash(R"(([\w.*-]{2,}/)+([\w.*-]{2,})?)");
  if (word.find("my_") != std::string::npos || word.starts_with("build/")) return false;
  return std::regex_match(word, of_source) || std::regex_match(word, with_slash);
}

/// What the page names within backticks and in its links.
std::vector<std::string> PathsOf(const std::string& prose) {
  static const std::regex ticks("`([^`\n]+)`"), link(R"(\]\(([^)#]+)\))");
  std::vector<std::string> paths;
  for (std::sregex_iterator at(prose.begin(), prose.end(), ticks), end; at != end; ++at) {
    const std::string quoted = (*at)[1];
    const std::string word = quoted.substr(0, quoted.find(' '));  // "tests/run --random"
    if (IsPath(word)) paths.push_back(word);
  }
  for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at) {
    if (!(*at)[1].str().starts_with("http")) paths.push_back((*at)[1]);
  }
  return paths;
}

// A page names files from its own folder on, or from the root.
TEST(Documentation, EveryPathExists) {
  int checked = 0;
  for (const fs::path& page : Pages()) {
    for (const std::string& path : PathsOf(ProseOf(page))) {
      ++checked;
      const fs::path root = SourceFolder();
      EXPECT_TRUE(fs::exists(root / page.parent_path() / path) || fs::exists(root / path))
          << page << " names " << path << ", which is not there";
    }
  }
  EXPECT_GT(checked, 150);
}

TEST(Documentation, PagesAreShort) {
  EXPECT_GT(Pages().size(), 10u);
  for (const fs::path& page : Pages()) {
    if (page.filename() == "results.md") continue;  // tables of measurements, to look up
    const std::string text = TextOf(SourceFolder() / page);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), kMostPageLines)
        << page << ": what is of one folder belongs to the page of that folder";
  }
}

// Who begins at README.md comes to every page.
TEST(Documentation, EveryPageIsLinked) {
  std::set<fs::path> reached = {"README.md"};
  std::vector<fs::path> open = {"README.md"};
  while (!open.empty()) {
    const fs::path page = open.back();
    open.pop_back();
    for (const std::string& path : PathsOf(ProseOf(page))) {
      const fs::path next = (page.parent_path() / path).lexically_normal();
      if (next.extension() == ".md" && reached.insert(next).second) open.push_back(next);
    }
  }
  for (const fs::path& page : Pages()) EXPECT_TRUE(reached.contains(page)) << page;
}

/// Numbers at the beginning of headings; of their parts, "5.2", at that of paragraphs and rows,
/// too.
std::multimap<std::string, fs::path> Sections() {
  static const std::regex start(R"(^(?:#+ (\d+(?:\.\d+)?)|(?:\| )?(\d+\.\d+)) )");
  std::multimap<std::string, fs::path> sections;
  for (const fs::path& page : Pages()) {
    if (page.begin()->string() != "engine") continue;
    std::istringstream lines(ProseOf(page));
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      const bool of_index = line.find("](") != std::string::npos && line.starts_with("| ");
      if (of_index || !std::regex_search(line, match, start)) continue;
      sections.emplace(match[1].matched ? match[1] : match[2], page);
    }
  }
  return sections;
}

/// The sections that a line names: "engine/README.md 2, 3, 6", "engine notes, sections 2.1, 5.2".
std::vector<std::string> SectionsNamedBy(const std::string& line) {
  static const std::regex place(
      R"((?:engine/README\.md|engine notes,)(?: sections?)? (\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*))");
  static const std::regex number(R"(\d+(\.\d+)?)");
  std::vector<std::string> names;
  for (std::sregex_iterator at(line.begin(), line.end(), place), end; at != end; ++at) {
    const std::string list = (*at)[1];
    for (std::sregex_iterator one(list.begin(), list.end(), number); one != end; ++one)
      names.push_back(one->str());
  }
  return names;
}

TEST(Documentation, SectionsThatCodeNamesExist) {
  const auto sections = Sections();
  for (const auto& [name, page] : sections)
    EXPECT_EQ(sections.count(name), 1u) << "section " << name << " is on " << page << " and more";
  int named = 0;
  for (const char* folder : {"app", "engine", "render", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.find("engine") == std::string::npos) continue;  // a regex takes its time
        for (const std::string& name : SectionsNamedBy(line)) {
          ++named;
          EXPECT_TRUE(sections.contains(name))
              << entry.path() << " names section " << name << ", which no page has";
        }
      }
    }
  }
  EXPECT_GT(named, 40);
}

}  // namespace
}  // namespace slip
