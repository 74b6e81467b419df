// The command line of meta.json, read back by a shell.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "app/host/process.h"

namespace slip::app {
namespace {

/// The arguments that sh makes of the line.
std::vector<std::string> ReadBack(const std::string& line) {
  const std::string script =
      "slipscope() { for word; do printf '%s\\0' \"$word\"; done; }\n" + line;
  std::string file = testing::TempDir() + "slip_command_line.sh";
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fwrite(script.data(), 1, script.size(), out);
  std::fclose(out);
  std::FILE* shell = popen(("cd / && sh '" + file + "' 2>&1").c_str(), "r");
  std::string text;
  for (int c = 0; (c = std::fgetc(shell)) != EOF;) text += static_cast<char>(c);
  pclose(shell);
  std::remove(file.c_str());
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\0', begin);
    words.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return words;
}

TEST(CommandLine, AShellReadsItBack) {
  const std::vector<std::string> words = {
      "run", "conveyor", "it's", "two\nlines", "`date`", "$HOME", "#no",
      "~",   "~root",    "a b",  "",           "-p",     "k=1",   "max(x) < 1 and y",
      "!!",  "{a,b}",    "*",    "\\",         "'",      "''",    "\"q\"",
      "50%", "\t",       "x=~",  "µ",          ";ls",    "&",     "[a]",
      "a#b", "^",        "=x"};
  std::vector<const char*> argv = {"/somewhere/slipscope"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const std::string line = CommandLine(static_cast<int>(argv.size()), argv.data());
  EXPECT_EQ(ReadBack(line), words) << line;
  // the usual words stay as they were typed
  const char* usual[] = {"slipscope", "run", "conveyor", "-p", "time_step=2ms", "-o", "/tmp/a.b"};
  EXPECT_EQ(CommandLine(7, usual), "slipscope run conveyor -p time_step=2ms -o /tmp/a.b");
}

}  // namespace
}  // namespace slip::app
