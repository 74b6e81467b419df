// Runs the tests. As slipscope itself, this program is started anew to read mesh files; here that
// process can be told to misbehave.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/core/helper_process.h"
#include "engine/fclib/fclib_helper.h"
#include "engine/geometry/mesh_helper.h"
#include "engine/geometry/mesh_message.h"
#include "tests/support/helper_habits.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

/// One triangle, as a message of the right form.
std::string GoodAnswer() {
  MeshMessage message;
  message.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  message.triangles = {{0, 1, 2}};
  message.parts = {{"part", {}, 0, 1}};
  return EncodeMesh(message);
}

/// What of the world outside it could get hold of. Its input names a file.
std::string ReachOut() {
  const std::string path = ReadHelperInput();
  std::string got;
  const auto add = [&got](bool done, const char* what) {
    if (done) got += std::string(what) + " ";
  };
  add(open(path.c_str(), O_WRONLY | O_TRUNC) >= 0, "truncates");
  add(open((path + ".new").c_str(), O_RDONLY | O_CREAT, 0600) >= 0, "creates");
  add(unlink(path.c_str()) == 0, "removes");
  add(rename(path.c_str(), (path + ".other").c_str()) == 0, "renames");
  add(socket(AF_INET, SOCK_STREAM, 0) >= 0, "talks");
  add(kill(getppid(), 0) == 0, "kills");
  if (const pid_t child = fork(); child >= 0) {
    if (child == 0) _exit(0);
    add(true, "forks");
  }
  char* const words[] = {nullptr};
  execve("/bin/true", words, words);
  add(open(path.c_str(), O_RDONLY) >= 0, "reads");
  return got;
}

[[noreturn]] void Misbehave(std::string_view habit) {
  if (habit == kAborts) std::abort();
  if (habit == kIsKilled) raise(SIGKILL);
  if (habit == kFails) _exit(3);
  if (habit == kSleeps) {
    while (true) pause();
  }
  if (habit == kSpins) {
    for (std::atomic<unsigned> turn = 0;; ++turn) {
    }
  }
  if (habit == kEats) {
    constexpr std::size_t kBite = std::size_t{64} << 20;
    while (char* bite = static_cast<char*>(std::malloc(kBite))) std::memset(bite, 1, kBite);
    std::abort();
  }
  if (habit == kFloods) {
    const std::string much(1 << 20, 'x');
    while (write(STDOUT_FILENO, much.data(), much.size()) > 0) {
    }
    _exit(0);
  }
  if (habit == kSaysNothing) EndHelper("");
  if (habit == kSaysRubbish) EndHelper(std::string(1000, '\xA5'));
  if (habit == kSaysHalf) EndHelper(GoodAnswer().substr(0, 60));
  if (habit == kLiesAboutCounts) {
    std::string lie = GoodAnswer();
    // before the three vertices, the triangle and its count, that of the hull's corners, and the
    // end: how many vertices there are
    const std::uint64_t count = 4000000000u;
    std::memcpy(lie.data() + lie.size() - (8 + 8 + 12 + 8 + 3 * 24 + sizeof count), &count,
                sizeof count);
    EndHelper(lie);
  }
  if (habit == kReachesOut) EndHelper(ReachOut());
  _exit(4);
}

}  // namespace
}  // namespace slip

int main(int argc, char** argv) {
  if (const char* habit = std::getenv(slip::kHelperHabit); habit != nullptr && *habit != '\0')
    if (slip::BeginHelper(argc, argv)) slip::Misbehave(habit);
  if (const auto words = slip::BeginHelper(argc, argv)) {
    slip::ServeFclib(*words);
    slip::ServeMeshHelper(*words);
  }
  testing::InitGoogleTest(&argc, argv);
  // what the tests read is kept where it goes with them
  const slip::TempFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  return RUN_ALL_TESTS();
}
