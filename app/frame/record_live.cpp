// What is shown is recorded while it is shown: begun, paused and ended, and said.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/frame/record_actions.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"

namespace slip::app {

using Phase = LiveRecording::Phase;

bool EchoesKeys(const Ui& ui) {
  return ui.state.shell.presenter || (RecordsLive(ui.live.get()) && ui.state.record.settings.keys);
}

void StartLive(Ui* ui) {
  RecordState& record = ui->state.record;
  const Result<std::string> path = TakeRecordPath(ui);
  if (!path) return PostNotRecorded(ui, path.error().Text());
  LiveRecording::Setup setup{.path = *path,
                             .spec = RecordedSpec(SourcesOf(*ui), record.settings, LookOf(*ui)),
                             .as_shown = record.settings.size == RecordSize::kShown,
                             .countdown = record.countdown,
                             .scene = ui->session.snapshot().scene_generation,
                             .context = ui->session.experiments().context(),
                             .state_folder = ui->session.experiments().state_folder()};
  auto live = LiveRecording::Start(std::move(setup), ui->session.now());
  if (!live) return PostNotRecorded(ui, live.error().Text());
  ui->live = std::move(live).value();
  // stop and pause are on it; where it would hide the picture, the tool bar's clock does
  record.open = !ui->regions.right.empty();
}

void StopLive(Ui* ui) {
  LiveRecording* live = ui->live.get();
  if (live == nullptr) return;
  const bool told = live->active();
  live->Stop();
  if (!told) return;
  if (ui->session.snapshot().scene_generation != live->scene()) return live->EndWithoutWord();
  const auto end = [ui, live](const std::shared_ptr<const Recording>& recording) {
    if (ui->live.get() != live) return;
    std::vector<std::string> card;
    if (ui->state.record.settings.end_card) card = EndCardOf(*ui, *recording, live->path());
    live->End(recording, std::move(card));
  };
  ui->requests.Ask([end](Session* s) { s->experiments().With(end); });
}

void UpdateLive(Ui* ui) {
  LiveRecording* live = ui->live.get();
  if (live == nullptr) return;
  live->Update(ui->session.now(), ui->session.snapshot().time);
  // with a full disk nothing is recorded any more: the card need not count on
  if (live->phase() != Phase::kDone) return;
  RecordState& record = ui->state.record;
  const std::string facts = LiveFacts(*live);
  const std::unique_ptr<LiveRecording> ended = std::move(ui->live);
  record.open = false;
  if (std::exchange(record.quit_after, false)) ui->state.shell.quit = true;
  if (ended->cancelled())
    return ui->requests.Ask([](Session* s) { s->Say("Nothing was recorded."); });
  if (!ended->status()) return PostNotRecorded(ui, ended->status().error().Text());
  const render::LiveVideo& video = ended->video();
  std::string text =
      fmt::format("{:.1f} s, {}", static_cast<double>(video.frames()) / ended->spec().fps, facts);
  if (video.skipped() > 0) text += fmt::format(", {} skipped", video.skipped());
  PostRecorded(ui, ended->path(), text + ", ");
  if (!ended->repeats()) {
    ui->requests.Ask([](Session* s) {
      s->Say("No file repeats this video: another scene was opened while it was recorded.");
    });
  }
}

}  // namespace slip::app
