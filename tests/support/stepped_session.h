// A session without pixels, whose time passes at the frames that a test asks for.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "app/session/engine_link.h"
#include "app/session/session.h"

namespace slip::app {

class SteppedSession {
 public:
  /// Playing. `staged`: as the window opens the scene. `now`: the session's clock at the start [s].
  SteppedSession(const std::string& scene, bool staged, double now) : now_(now) {
    auto link = std::make_unique<SteppedLink>();
    link_ = link.get();
    session = std::make_unique<Session>(std::move(link));
    session->playback().SetStaged(staged);
    EXPECT_TRUE(session->Load(scene));
    session->playback().SetPlaying(true);
  }
  void Frame(double seconds = 1.0 / 60) {
    now_ += seconds;
    link_->RunFor(seconds);
    session->Update(now_);
  }

  std::unique_ptr<Session> session;

 private:
  SteppedLink* link_ = nullptr;
  double now_;
};

}  // namespace slip::app
