// An engine that always answers with one snapshot: panels can be tested on states made by hand.
#pragma once

#include <optional>
#include <utility>

#include "app/session/engine_link.h"

namespace slip::app {

class FakeLink final : public EngineLink {
 public:
  explicit FakeLink(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  void Send(Command) override {}
  const Snapshot& Latest() override { return snapshot_; }
  bool NextTelemetry(Telemetry*) override { return false; }
  std::optional<Event> NextEvent() override { return std::nullopt; }

 private:
  Snapshot snapshot_;
};

}  // namespace slip::app
