#include "app/session/live_recording.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/core/output_file.h"

namespace slip::app {

Result<std::unique_ptr<LiveRecording>> LiveRecording::Start(Setup setup, double now) {
  render::LiveVideo::Options options{.frames_per_second = setup.spec.fps};
  if (!setup.as_shown) options.width = setup.spec.width, options.height = setup.spec.height;
  auto video = render::LiveVideo::Start(setup.path, options);
  if (!video) return video.errors();
  std::unique_ptr<LiveRecording> live(new LiveRecording(setup));
  live->start_ = now + setup.countdown;
  live->now_ = now;
  live->setup_ = std::move(setup);
  live->video_ = std::move(video).value();
  return live;
}

void LiveRecording::Update(double now, double simulated) {
  const double passed = now - std::exchange(now_, now);
  RenderSpec& spec = setup_.spec;
  if (phase_ == Phase::kCountdown && now >= start_) {
    phase_ = Phase::kRecording;
    spec.from = simulated;
    spec.to = simulated;
  } else if (phase_ == Phase::kRecording) {
    time_ += passed;
  }
  if (active()) {
    spec.from = std::min(spec.from, simulated);
    spec.to = std::max(*spec.to, simulated);
  }
  // the encoder may end first, on a full disk
  const bool over = phase_ != Phase::kCountdown || video_->failed();
  if (phase_ == Phase::kFinishing && !std::exchange(ended_, true)) video_->Finish(time_);
  if (!video_->done() || !over || phase_ == Phase::kDone) return;
  phase_ = Phase::kDone;
  note_.Remove();
  status_ = video_->status();
  if (status_ && recording_ != nullptr) status_ = WriteSidecar();
}

void LiveRecording::Pause() {
  if (phase_ == Phase::kRecording) phase_ = Phase::kPaused;
}

void LiveRecording::Resume() {
  if (phase_ == Phase::kPaused) phase_ = Phase::kRecording;
}

void LiveRecording::Stop() {
  if (active()) {
    phase_ = Phase::kAsking;
  } else if (phase_ == Phase::kCountdown) {
    cancelled_ = true;
    video_->Cancel();
    phase_ = Phase::kFinishing;
  }
}

void LiveRecording::End(std::shared_ptr<const Recording> recording,
                        std::vector<std::string> end_card) {
  if (phase_ != Phase::kAsking) return;
  recording_ = std::move(recording);
  setup_.spec.end_card = std::move(end_card);
  phase_ = setup_.spec.end_card.empty() ? Phase::kFinishing : Phase::kEndCard;
}

bool LiveRecording::WantsFrame() const {
  return phase_ == Phase::kEndCard || (phase_ == Phase::kRecording && video_->Wants(time_));
}

void LiveRecording::TakeEndCard(render::Image picture) {
  if (phase_ != Phase::kEndCard) return;
  video_->AddStill(std::move(picture), kEndCardTime);
  phase_ = Phase::kFinishing;
}

uintmax_t LiveRecording::bytes() const {
  std::error_code none;
  const uintmax_t size = std::filesystem::file_size(setup_.path + ".part", none);
  return none ? 0 : size;
}

Status LiveRecording::WriteSidecar() const {
  Recording recording = *recording_;
  RenderSpec spec = setup_.spec;
  // the last frame shows the end of the stretch
  *spec.to += spec.speed / spec.fps;
  recording.render = FormatRenderSpec(spec);
  const std::string path = setup_.path + ".json";
  return WriteFile(path, FormatRecording(recording, setup_.context, path), false);
}

}  // namespace slip::app
