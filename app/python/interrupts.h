// Python's signals while the engine works without Python's lock: Ctrl+C ends it within a step.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "engine/core/stop.h"

namespace slip::python {

/// Python waits at its end for threads that work without its lock: it would end them inside a step,
/// where C++ ends the whole process. Daemon threads are such.
class Unlocked {
 public:
  Unlocked() {
    if (ending_) End();
    ++working_;
    released_.emplace();
  }
  ~Unlocked() {
    released_.reset();
    --working_;
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  /// Work is asked to stop.
  static bool ending() { return ending_.load(std::memory_order_relaxed); }
  /// SystemExit, which ends a thread without a word.
  [[noreturn]] static void End() {
    PyErr_SetNone(PyExc_SystemExit);
    throw pybind11::error_already_set();
  }
  /// Once, when the module is imported.
  static void WaitAtExit();

 private:
  static std::atomic<bool> ending_;
  static std::atomic<int> working_;
  std::optional<pybind11::gil_scoped_release> released_;
};

class Interrupts {
 public:
  /// Cheap, from any thread, without the lock. True once a handler of signals has raised: only the
  /// thread that made this asks for them, now and then.
  bool Stopped() {
    if (raised_.load(std::memory_order_relaxed) || Unlocked::ending()) return true;
    if (std::this_thread::get_id() != owner_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + kPeriod;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    error_.emplace();
    raised_ = true;
    return true;
  }
  /// Must not outlive this.
  StopPoll Poll() {
    return [this] { return Stopped(); };
  }
  /// With the lock, when the work has ended.
  void Raise() {
    if (error_) throw pybind11::error_already_set(std::move(*error_));
    if (Unlocked::ending()) Unlocked::End();
  }

 private:
  static constexpr auto kPeriod = std::chrono::milliseconds(50);

  std::thread::id owner_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kPeriod;
  std::atomic<bool> raised_{false};
  std::optional<pybind11::error_already_set> error_;
};

}  // namespace slip::python
