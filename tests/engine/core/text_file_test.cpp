#include "engine/core/text_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

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

// opening a pipe that nobody writes would wait for ever
TEST(TextFile, WhatIsNoFileIsToldBeforeItIsRead) {
  const std::string pipe = Path("pipe"), name = Path("socket");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const bool from_shell : {false, true}) {
    const TextFileKind kind{.name = "note", .most_bytes = 1000, .from_shell = from_shell};
    for (const auto& [path, what] :
         {std::pair<std::string, std::string>{pipe, "is a pipe, not a note (name a file)"},
          {name, "is a socket, not a note (name a file)"},
          {"/dev/zero", "is a device, not a note (name a file)"},
          {"/dev/null", "is a device, not a note (name a file)"}}) {
      const Result<std::string> text = ReadTextFile(path, kind);
      ASSERT_FALSE(text.ok()) << path;
      EXPECT_EQ(text.error().Text(), path + ": " + what);
    }
  }
  close(socket);
  std::filesystem::remove(pipe);
  std::filesystem::remove(name);
}

// as "slipscope check /dev/stdin" and "slipscope check <(...)" name them
TEST(TextFile, APipeOfTheShellIsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_NE(Refusal(path).find("is a pipe, not a note"), std::string::npos) << Refusal(path);
  std::thread writer([&] {
    EXPECT_EQ(write(ends[1], "through a pipe", 14), 14);
    close(ends[1]);
  });
  const TextFileKind kind{.name = "note", .most_bytes = 1000, .from_shell = true};
  EXPECT_EQ(ReadTextFile(path, kind).value(), "through a pipe");
  writer.join();
  close(ends[0]);
}

TEST(TextFile, SaysWhatIsMissing) {
  EXPECT_EQ(Refusal("/no/such/note"), "/no/such/note: no such file (write one)");
  EXPECT_NE(Refusal("/").find("is a folder, not a note"), std::string::npos);
}

}  // namespace
}  // namespace slip
