#include "app/python/interrupts.h"

#include <pthread.h>

namespace slip::python {

std::atomic<bool> Unlocked::ending_{false};
std::atomic<int> Unlocked::working_{0};

void Unlocked::WaitAtExit() {
  // a forked process has none of the threads that worked
  pthread_atfork(nullptr, nullptr, [] { working_ = 0; });
  const auto wait = [] {
    constexpr auto kLongest = std::chrono::seconds(10);
    constexpr auto kNap = std::chrono::milliseconds(1);
    ending_ = true;
    const pybind11::gil_scoped_release release;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (working_ > 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(kNap);
  };
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(wait));
}

}  // namespace slip::python
