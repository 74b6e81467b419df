// What takes long ten calls below whoever asked for it, such as the hull of a mesh that is read, or
// the contacts of a large cloud, asks its thread whether it shall go on. What comes out is the same
// with a poll and without, and whoever set the poll asks it himself whether it is whole.
#pragma once

#include <utility>

#include "engine/core/stop.h"

namespace slip {

/// As long as it lives, this is the poll of its thread.
class ThreadStop {
 public:
  explicit ThreadStop(StopPoll poll) : poll_(std::move(poll)), before_(present_) {
    present_ = &poll_;
  }
  /// `poll` outlives it; null = none.
  explicit ThreadStop(const StopPoll* poll) : before_(present_) { present_ = poll; }
  ~ThreadStop() { present_ = before_; }
  ThreadStop(const ThreadStop&) = delete;
  ThreadStop& operator=(const ThreadStop&) = delete;

  /// Of this thread, to hand on to others; null = none.
  static const StopPoll* Present() { return present_; }
  /// Puts another one in force, and gives the one before: for who changes between works that share
  /// a thread.
  static const StopPoll* Exchange(const StopPoll* poll) { return std::exchange(present_, poll); }
  /// Nobody waits any more for what this thread makes.
  static bool Asked() { return IsStopped(present_); }

 private:
  StopPoll poll_;
  const StopPoll* before_;
  static inline thread_local const StopPoll* present_ = nullptr;
};

}  // namespace slip
