#include "engine/core/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace slip {
namespace {

const TextFileKind kNote{.name = "note", .most_bytes = 1000, .missing_hint = "write one"};

std::string Path(const std::string& name) {
  return testing::TempDir() + "text_file_" + std::to_string(getpid()) + name;
}

std::string Refusal(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path, kNote);
  return text ? "" : text.error().Text();
}

TEST(TextFile, ReadsAllOfAFileUpToTheLimit) {
  const std::string path = Path("a");
  for (const std::size_t size : {0, 1, 999, 1000}) {
    std::ofstream(path, std::ios::binary) << std::string(size, 'x');
    const Result<std::string> text = ReadTextFile(path, kNote);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(*text, std::string(size, 'x'));
  }
  std::ofstream(path, std::ios::binary) << std::string(1001, 'x');
  EXPECT_NE(Refusal(path).find("too large for a note"), std::string::npos) << Refusal(path);
  std::filesystem::remove(path);
}

// larger than the first piece that is read
TEST(TextFile, ReadsLongFilesToTheirEnd) {
  const std::string path = Path("long");
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\n";
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(ReadTextFile(path, {.name = "note", .most_bytes = 8 * kMebibyte}).value(), text);
  std::filesystem::remove(path);
}

TEST(TextFile, ADeviceWithoutEndIsTooLarge) {
  EXPECT_NE(Refusal("/dev/zero").find("too large for a note"), std::string::npos);
  EXPECT_EQ(ReadTextFile("/dev/null", kNote).value(), "");
}

TEST(TextFile, APipeIsReadToItsEnd) {
  const std::string path = Path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "through a pipe"; });
  EXPECT_EQ(ReadTextFile(path, kNote).value(), "through a pipe");
  writer.join();
  std::filesystem::remove(path);
}

TEST(TextFile, SaysWhatIsMissing) {
  EXPECT_EQ(Refusal("/no/such/note"), "/no/such/note: no such file (write one)");
  EXPECT_NE(Refusal("/").find("is a folder, not a note"), std::string::npos);
}

}  // namespace
}  // namespace slip
