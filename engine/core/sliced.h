// Work that may be left between two of its steps, and gone on with later. On a thread of its own it
// runs through. Where the program starts no threads, every frame gives it a slice (side_work.h).
//
//   Sliced<int> CountSteps(Track* track) {
//     int steps = 0;
//     for (; track->AdvanceTo({.most = 1}) == AdvanceEnd::kMost; ++steps) co_await MayRest{};
//     co_return steps;
//   }
#pragma once

// Clang before 15 has coroutines of C++20 and does not say so.
#if defined(__clang__) && !defined(__cpp_impl_coroutine)
#define __cpp_impl_coroutine 201902L
#endif

#include <chrono>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace slip {
namespace sliced {

/// What is common to all such work while it lives.
struct PromiseBase {
  std::coroutine_handle<> self;
  PromiseBase* next = nullptr;  ///< who waits for it; null at the root
  std::exception_ptr thrown;

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() { thrown = std::current_exception(); }
};

}  // namespace sliced

/// A part of a frame, for one work. As long as it lives, it is the present one of its thread.
class Slice {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Slice(Clock::time_point end) : end_(end), before_(std::exchange(present_, this)) {}
  ~Slice() { present_ = before_; }
  Slice(const Slice&) = delete;
  Slice& operator=(const Slice&) = delete;

  /// Null where the work at hand runs through.
  static Slice* Present() { return present_; }
  static bool IsOver() { return present_ != nullptr && Clock::now() >= present_->end_; }

  /// Goes on with a work at the place where it was left; the place where it is left now, or null
  /// when all of it is done. Not from within a work, whose stack would grow.
  static sliced::PromiseBase* GoOn(sliced::PromiseBase* place) {
    for (; place != nullptr; place = place->next) {
      place->self.resume();
      if (!place->self.done()) return present_->place;
    }
    return nullptr;
  }

  sliced::PromiseBase* place = nullptr;  ///< where the work was left
  bool rested = false;                   ///< it had nothing to do there

 private:
  friend class NoSlice;
  Clock::time_point end_;
  Slice* before_;
  static inline thread_local Slice* present_ = nullptr;
};

/// As long as it lives, what this thread does runs through.
class NoSlice {
 public:
  NoSlice() : before_(std::exchange(Slice::present_, nullptr)) {}
  ~NoSlice() { Slice::present_ = before_; }
  NoSlice(const NoSlice&) = delete;
  NoSlice& operator=(const NoSlice&) = delete;

 private:
  Slice* before_;
};

/// `co_await MayRest{}`: the work is left here when its slice is over.
struct MayRest {
  bool await_ready() const { return !Slice::IsOver(); }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> place) const {
    Slice::Present()->place = &place.promise();
    Slice::Present()->rested = false;
  }
  void await_resume() const {}
};

/// `co_await Rest{}`: the work is left until the next frame, as it has nothing to do.
struct Rest {
  bool await_ready() const { return Slice::Present() == nullptr; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> place) const {
    Slice::Present()->place = &place.promise();
    Slice::Present()->rested = true;
  }
  void await_resume() const {}
};

/// Such work, not yet begun. What it refers to must live longer: no temporaries as its arguments,
/// and a lambda that is such work has a name.
template <class T = void>
class Sliced;

namespace sliced {

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Sliced<T> get_return_object();
  template <class U>
  void return_value(U&& made) {
    value.emplace(std::forward<U>(made));
  }
  T Take() {
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  Sliced<void> get_return_object();
  void return_void() const {}
  void Take() const {
    if (thrown) std::rethrow_exception(thrown);
  }
};

}  // namespace sliced

template <class T>
class [[nodiscard]] Sliced {
 public:
  using promise_type = sliced::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Sliced(Handle handle) : handle_(handle) {}
  Sliced(Sliced&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Sliced& operator=(Sliced&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Sliced() {
    if (handle_) handle_.destroy();
  }

  /// Runs through, here and now.
  T Finish() && {
    const NoSlice through;
    handle_.resume();
    return handle_.promise().Take();
  }

  /// Where it begins, for who gives it slices.
  sliced::PromiseBase* place() const { return &handle_.promise(); }
  /// Of what is done; throws what it threw.
  T Take() && { return handle_.promise().Take(); }

  struct Awaiter {
    Handle handle;
    bool await_ready() const { return false; }
    /// It begins at once; who waits is left only where it is left.
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> waiting) const {
      handle.promise().next = &waiting.promise();
      handle.resume();
      return !handle.done();
    }
    T await_resume() const { return handle.promise().Take(); }
  };
  /// Within other such work: `co_await` gives what it makes.
  Awaiter operator co_await() && { return {handle_}; }

 private:
  Handle handle_;
};

template <class T>
Sliced<T> sliced::Promise<T>::get_return_object() {
  const auto handle = std::coroutine_handle<Promise>::from_promise(*this);
  self = handle;
  return Sliced<T>(handle);
}
inline Sliced<void> sliced::Promise<void>::get_return_object() {
  const auto handle = std::coroutine_handle<Promise>::from_promise(*this);
  self = handle;
  return Sliced<void>(handle);
}

}  // namespace slip
