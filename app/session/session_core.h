// What all parts of a session use: the scene, the newest snapshot and the clock of this frame,
// and where commands and sentences go. The session itself is one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/messages.h"
#include "engine/core/numbers.h"
#include "engine/run/scope/scope.h"
#include "engine/run/track/command.h"
#include "engine/scene/scene.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class SessionCore {
 public:
  SessionCore(const SessionCore&) = delete;
  SessionCore& operator=(const SessionCore&) = delete;
  virtual ~SessionCore() = default;

  /// To the engine. What the user does to the run ends a loop (Playback).
  virtual void Send(Command command) = 0;
  /// An experiment is being opened: work on what is about to go would be lost. Says so.
  virtual bool IsOpening() = 0;

  const Scene* scene() const { return scene_.get(); }
  const Snapshot& snapshot() const { return *snapshot_; }
  const Model* model() const { return snapshot_->model.get(); }
  /// The scene's as it was read: its joints, feet and bodies name signals. Empty without one.
  const Model& scene_model() const {
    static const Model kNone;
    return scene_ != nullptr && scene_->model != nullptr ? *scene_->model : kNone;
  }
  /// The engine runs the scene loaded last: until then its bodies are others.
  bool TakenOver() const { return snapshot_->scene_generation == loads_; }
  int channel_count() const { return static_cast<int>(snapshot_->channels.size()); }
  const ChannelFrame& frame(int channel) const { return At(snapshot_->channels, channel); }
  /// Channels that have stopped because a step of theirs failed or was refused.
  int StoppedCount() const {
    return static_cast<int>(std::count_if(
        snapshot_->channels.begin(), snapshot_->channels.end(),
        [](const ChannelFrame& frame) { return frame.state != ChannelState::kRunning; }));
  }
  bool AllStopped() const { return channel_count() > 0 && StoppedCount() == channel_count(); }

  double now() const { return now_; }                      ///< the session's clock [s]
  double frame_seconds() const { return frame_seconds_; }  ///< between the last two updates [s]

  void Post(Message message) { log_.Post(std::move(message), now_); }
  /// Information without actions.
  void Say(std::string sentence) {
    status_ = sentence;
    Message message;
    message.what = std::move(sentence);
    Post(std::move(message));
  }
  /// Drops what was said of this subject.
  void Unsay(const std::string& subject) {
    log_.RemoveIf([&](const Message& m) { return m.subject == subject; });
  }
  /// All entries, the oldest first, also those whose card has gone.
  const std::vector<Message>& messages() const { return log_.entries(); }
  const Message* Card() const { return log_.Card(now_); }
  const MessageLog& message_log() const { return log_; }
  MessageLog& message_log() { return log_; }
  /// What the status bar says.
  const std::string& status() const { return status_; }
  void SetStatus(std::string status) { status_ = std::move(status); }

 protected:
  explicit SessionCore(const Snapshot* snapshot) : snapshot_(snapshot) {}

  std::shared_ptr<const Scene> scene_;
  const Snapshot* snapshot_;
  uint64_t loads_ = 0;  ///< scenes sent to the engine
  double now_ = 0, frame_seconds_ = 0;
  MessageLog log_;
  std::string status_ = "Ready";
};

}  // namespace slip::app
