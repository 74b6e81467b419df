// A live recording from its countdown to its end: what it shows, how long it is, and what of the
// run it has seen. Draws nothing: who paints the window hands it the frames.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/cut_videos.h"
#include "app/session/render_spec.h"
#include "engine/run/record/recording_file.h"
#include "render/video/live_video.h"

namespace slip::app {

class LiveRecording {
 public:
  enum class Phase : int {
    kCountdown,
    kRecording,
    kPaused,
    kAsking,     ///< it was stopped, and the engine is asked what was done
    kEndCard,    ///< the frame that is drawn now is to be the card at the end
    kFinishing,  ///< the encoder works off what waits
    kDone
  };

  struct Setup {
    std::string path;       ///< of the video
    RenderSpec spec;        ///< region, size, rate; the rest for the file beside it
    bool as_shown = false;  ///< its size is that of its first frame
    double countdown = 0;   ///< before it begins [s]
    uint64_t scene = 0;     ///< Snapshot::scene_generation
    RunContext context;
    std::string state_folder;  ///< a note there names the video until it is whole
  };
  /// Begins to count down. Errors: VideoWriter::Create's.
  static Result<std::unique_ptr<LiveRecording>> Start(Setup setup, double now);

  /// Once per frame; `now` on the session's clock [s], `simulated` = the time that is shown [s].
  void Update(double now, double simulated);
  void Pause();
  void Resume();
  /// In the countdown nothing is left of it; else it waits for End.
  void Stop();
  /// What was done, for the file beside the video, and what stands on the card at its end; empty
  /// lines: there is none.
  void End(std::shared_ptr<const Recording> recording, std::vector<std::string> end_card);
  uint64_t scene() const { return setup_.scene; }
  /// The engine cannot tell any more: another scene runs.
  void EndWithoutWord() { End(nullptr, {}); }

  // For who paints.
  /// Whether this frame is to be captured.
  bool WantsFrame() const;
  void TakeFrame(render::Image frame, double time) { video_->Add(std::move(frame), time); }
  void TakeEndCard(render::Image picture);
  /// Of this frame in the video [s].
  double time() const { return time_; }

  Phase phase() const { return phase_; }
  /// Between the countdown and the stop.
  bool active() const { return phase_ == Phase::kRecording || phase_ == Phase::kPaused; }
  bool counting() const { return phase_ == Phase::kCountdown; }
  double countdown() const { return start_ - now_; }  ///< left [s]
  bool cancelled() const { return cancelled_; }
  const RenderSpec& spec() const { return setup_.spec; }  ///< to its end, once that is known
  const std::vector<std::string>& end_card() const { return setup_.spec.end_card; }
  const std::string& path() const { return setup_.path; }
  const std::string& region() const { return setup_.spec.region; }
  const render::LiveVideo& video() const { return *video_; }
  uintmax_t bytes() const;  ///< of the file so far
  /// A file beside it repeats the run.
  bool repeats() const { return recording_ != nullptr; }
  /// After the end: why there is no video; nothing when there is one.
  const Status& status() const { return status_; }

 private:
  explicit LiveRecording(const Setup& setup) : note_(setup.state_folder, setup.path) {}
  Status WriteSidecar() const;

  Setup setup_;
  VideoNote note_;  // goes after the video
  std::unique_ptr<render::LiveVideo> video_;
  std::shared_ptr<const Recording> recording_;
  Phase phase_ = Phase::kCountdown;
  double start_ = 0, now_ = 0, time_ = 0;
  bool ended_ = false, cancelled_ = false;
  Status status_ = Ok{};
};

}  // namespace slip::app
