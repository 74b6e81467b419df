// Session: the frame, and how a scene takes the place of another. What the engine sends is in
// session_data.cpp.
#include "app/session/session.h"

#include <utility>

#include "engine/core/side_work.h"

namespace slip::app {

Session::Session(std::unique_ptr<EngineLink> link)
    : SessionCore(&link->Latest()),
      link_(std::move(link)),
      series_(*this),
      looks_(this),
      params_(this, looks_),
      playback_(this, link_.get()),
      notebook_(*this),
      reference_(this, looks_,
                 [this](ReferenceCurve::UseRecording use) { experiments_.With(std::move(use)); }),
      lessons_(this, looks_, notebook_, series_),
      warnings_(this, looks_, params_),
      written_(*this),
      branches_([this](Command command) { Send(std::move(command)); },
                [this](Message message) { Post(std::move(message)); },
                [this](const std::string& subject) { Unsay(subject); }),
      experiments_(this),
      files_(this, [this](std::shared_ptr<const Scene> scene) {
        Forget(std::move(scene));
        ++loads_;
      }) {}

Session::~Session() = default;

void Session::Update(double now) {
  frame_seconds_ = now - now_;
  now_ = now;
  changed_ = false;
  GiveSlices();
  snapshot_ = &link_->Latest();
  if (snapshot_->scene_generation != seen_generation_ || snapshot_->time != seen_time_) {
    changed_ = true;
    // showing the recorded run again does nothing that a file could keep
    const LoopPhase loop = playback_.loop_phase();
    if (loop == LoopPhase::kOff || loop == LoopPhase::kRun) experiments_.NoteChange();
    seen_generation_ = snapshot_->scene_generation;
    seen_time_ = snapshot_->time;
  }
  DrainTelemetry();
  DrainEvents();
  if (branches_.Update(*snapshot_, now_)) {
    changed_ = true;
    experiments_.NoteChange();
  }
  if (reference_.Update()) changed_ = true;
  if (std::exchange(seen_edits_, notebook_.edits()) != notebook_.edits()) experiments_.NoteChange();
  if (files_.Update()) changed_ = true;
  if (files_.foreign().Update()) changed_ = true;
  if (files_.studies().Update()) changed_ = true;
  experiments_.Update();
  // a branch may be of the scene as its file was before
  if (TakenOver() && snapshot_->scene != nullptr && snapshot_->scene != scene_ &&
      !files_.ReplayProgress()) {
    scene_ = snapshot_->scene;
  }
  looks_.Sync();
  params_.Update();
  warnings_.PostFailures();
  playback_.Update();
  if (lessons_.Update()) changed_ = true;
  written_.Update(playback_, series_, changed_);
}

// Everything of the scene before, and shows the next one.
void Session::Forget(std::shared_ptr<const Scene> scene) {
  const bool same = scene_ != nullptr && !scene->file.empty() && scene_->file == scene->file;
  scene_ = std::move(scene);
  log_.RemoveIf([](const Message& m) { return m.level == Message::Level::kError; });
  warnings_.Forget();
  looks_.Start(*scene_);
  params_.Forget();
  notebook_.Forget();
  reference_.Forget();
  files_.foreign().Forget(same);
  series_.Clear();
  lessons_.Start(*scene_);
  status_ = scene_->title;
  playback_.Start(*scene_);
}

}  // namespace slip::app
