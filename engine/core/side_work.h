// Work beside its owner, whom it never holds up: on a thread of its own or, in a program that
// starts no threads, in slices of its frames. The one place that decides which.
#pragma once

#include <memory>

#include "engine/core/sliced.h"

namespace slip {

/// Whether this program starts threads. It does unless it is told otherwise, before it has begun
/// with anything; all that starts threads asks.
bool StartsThreads();
void SetStartsThreads(bool starts);

class SideWork {
 public:
  enum class Order {
    kFirst,  ///< in a frame: what the picture shows
    kAfter
  };
  struct Options {
    Order order = Order::kAfter;
    int niceness = 0;  ///< of its thread alone; a refusal only means that it competes as an equal
  };

  /// Begins at once, or with the next GiveSlices on this thread: also where the system grants no
  /// more threads.
  explicit SideWork(Sliced<> work) : SideWork(std::move(work), Options()) {}
  SideWork(Sliced<> work, Options options);
  /// Waits for its end, or runs it to its end: who does not want to wait tells it to stop before.
  ~SideWork();
  SideWork(const SideWork&) = delete;
  SideWork& operator=(const SideWork&) = delete;

  /// Waits no longer than this, or gives it as much [s]; true when it has ended.
  bool WaitFor(double seconds);
  bool done() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Parts of a frame of 1/60 s [s].
struct SliceBudget {
  double first = 0.010;  ///< at most, for those that come first
  double after = 0.004;  ///< for all others together at least, and what those left of theirs
};

/// Once a frame: a slice for every work of this thread. A step that takes longer delays the frame.
void GiveSlices(const SliceBudget& budget = {});
/// Some have more to do than the last slices were enough for.
bool HasMoreSlices();

}  // namespace slip
