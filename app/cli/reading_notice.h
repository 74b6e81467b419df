// Reading that takes long says so: the hull of a mesh of a million points, say.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace slip::app {

/// From a second on, as long as it lives, on stderr: on a terminal one line with the time that
/// goes by, elsewhere a line now and then. Nothing where the program starts no threads.
class ReadingNotice {
 public:
  /// `mode` as of Progress.
  explicit ReadingNotice(std::string path, std::string mode = "auto");
  ~ReadingNotice();
  ReadingNotice(const ReadingNotice&) = delete;
  ReadingNotice& operator=(const ReadingNotice&) = delete;

 private:
  void Write();

  std::string path_, mode_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

/// What `read` gives, with a notice for as long as it reads.
template <class Read>
auto ReadWithNotice(const std::string& path, const Read& read, const std::string& mode = "auto") {
  const ReadingNotice notice(path, mode);
  return read();
}

}  // namespace slip::app
