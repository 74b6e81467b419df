// Work that may crash, hang or eat the memory, such as reading a hostile file with a large library,
// is done by this very program, started once more as a process of its own. It gets bytes and gives
// bytes back; whatever happens to it is a value here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// What a helper may use.
struct HelperLimits {
  std::size_t memory = std::size_t{3} << 30;  ///< more of it [bytes]; not under sanitizers
  int cpu_seconds = 60;
  int wall_seconds = 120;
  std::size_t answer_bytes = std::size_t{256} << 20;
};

struct HelperRun {
  enum class End {
    kAnswered,  ///< it ended by itself with exit 0; what it said may still be anything
    kFailed,    ///< it ended by itself with another exit
    kKilled,    ///< a signal ended it: it crashed, or somebody killed it
    kTookTooLong,
    kSaidTooMuch,
    kStopped,  ///< ThreadStop said so
    kNotStarted,
  };
  End end = End::kNotStarted;
  int code = 0;        ///< exit, or the signal's number
  std::string answer;  ///< what it wrote
  std::string reason;  ///< why it was not started
};

/// Starts this program anew for one task, `words` behind its name, and waits until it has ended.
/// `input` is the whole of its standard input. It inherits nothing else but `folder`, a descriptor,
/// or -1: in the helper that is kHelperFolder.
HelperRun RunHelper(std::span<const std::string> words, std::string_view input, int folder,
                    const HelperLimits& limits);

inline constexpr int kHelperFolder = 3;

/// To be called first of all in main(): from then on RunHelper can start this program. Where it was
/// started so, its limits hold, and the words are given; else none.
std::optional<std::vector<std::string>> BeginHelper(int argc, const char* const* argv);
/// Whether main() has called it: a program that does not would run as itself, again and again.
bool CanRunHelpers();

/// In a helper: all of its input; its answer, and the end of it.
std::string ReadHelperInput();
[[noreturn]] void EndHelper(std::string_view answer);

}  // namespace slip
