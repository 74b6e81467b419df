// Where samples and events go, in one ordered stream.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "engine/run/track/command.h"

namespace slip {

/// Who listens; called on the stepping thread. Either may be empty.
struct Sinks {
  std::function<void(const Telemetry&)> telemetry;
  std::function<void(const Event&)> event;
};

class Publisher {
 public:
  explicit Publisher(Sinks sinks) : sinks_(std::move(sinks)) {}

  /// Counts how often telemetry began anew.
  uint64_t session() const { return session_; }
  void Restart() {
    ++session_;
    Send(RestartSamples{});
  }
  /// A sample, or what makes samples void.
  template <class Item>
  void Send(const Item& item) const {
    if (!sinks_.telemetry) return;
    telemetry_.session = session_;
    telemetry_.item = item;
    sinks_.telemetry(telemetry_);
  }
  void Send(const Event& event) const {
    if (sinks_.event) sinks_.event(event);
  }

 private:
  Sinks sinks_;
  uint64_t session_ = 0;
  mutable Telemetry telemetry_;  // its memory is used again
};

}  // namespace slip
