// A video of what was done: the recording is told by the engine, rendered in the background, and
// its end is said.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/panels/panels.h"
#include "app/session/recording_job.h"
#include "engine/core/output_file.h"

extern char** environ;

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// Of a file, or of all in a folder.
uintmax_t SizeOf(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return fs::file_size(path, ignored);
  uintmax_t size = 0;
  for (const auto& entry : fs::directory_iterator(path, ignored)) size += entry.file_size(ignored);
  return size;
}

std::string SizeText(uintmax_t bytes) {
  const double size = static_cast<double>(bytes);
  return size < 1e6 ? fmt::format("{:.0f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
}

/// What the desktop shows folders with, looked for on the PATH; nobody waits for it.
bool ShowFolder(const std::string& folder) {
  std::string words[] = {"xdg-open", folder};
  char* argv[] = {words[0].data(), words[1].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const bool started =
      posix_spawnp(&process, words[0].c_str(), &actions, nullptr, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

void PostDone(Ui* ui, const RecordState& record, const std::string& path) {
  Message message;
  message.stays = true;
  message.subject = "recording";
  const bool picture = path.ends_with(".png");
  message.what = picture ? "The picture is ready." : "The video is ready.";
  message.where = path;
  const double seconds = static_cast<double>(record.frames) / record.fps;
  message.advice = picture ? SizeText(SizeOf(path)) + "."
                           : fmt::format("{:.1f} s, {} frames, {}.", seconds, record.frames,
                                         SizeText(SizeOf(path)));
  message.actions.push_back({"Show in folder", [path](Session* session) {
                               if (!ShowFolder(fs::path(path).parent_path().string()))
                                 session->Say("No program shows folders here (xdg-open).");
                             }});
  message.actions.push_back({"Copy path", [ui, path](Session*) { CopyText(ui, path, "Path"); }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
}

void PostFailed(Ui* ui, const std::string& why) {
  Message message;
  message.level = Message::Level::kError;
  message.subject = "recording";
  message.what = "The video was not made.";
  message.where = why;
  message.advice = "What was to be recorded is still there.";
  if (why.find("ffmpeg, which is not") != std::string::npos) {
    message.advice = "Install ffmpeg, or record pictures.";
    message.actions.push_back({"Record pictures", [ui](Session*) {
                                 ui->state.record.settings.format = RecordFormat::kPictures;
                                 ui->state.record.name.clear();
                                 StartRecording(ui);
                               }});
  }
  message.actions.push_back({"Open the card", [ui](Session*) { ui->state.record.open = true; }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
}

}  // namespace

Stretch StretchOf(const Ui& ui) {
  const TimeRange& range = ui.state.range;
  if (ui.state.record.settings.range == RecordRange::kSelected && range.active &&
      range.to > range.from)
    return {range.from, range.to};
  return {0, ui.session.snapshot().history_end};
}

RenderSpec RecordedSpec(const Ui& ui) {
  const RecordSettings& settings = ui.state.record.settings;
  if (settings.format == RecordFormat::kPicture) {
    const Regions& r = ui.regions;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    float width = window.x, height = window.y;
    if (settings.region == RecordRegion::kView) width = r.view.width(), height = r.view.height();
    if (settings.region == RecordRegion::kViewPlots) {
      width = r.view.width();
      height = r.view.height() + r.plots.height() + r.time.height();
    }
    return PictureSpecOf(settings, LookOf(ui), ui.session.snapshot().time,
                         static_cast<double>(width), static_cast<double>(height),
                         static_cast<double>(ui.scale()));
  }
  return SpecOf(ui.state.record.settings, LookOf(ui), StretchOf(ui), ui.session.playback().speed());
}

const char* WhyNotRecorded(const Ui& ui) {
  if (ui.session.scene() == nullptr) return "There is no scene.";
  if (ui.recording != nullptr || ui.state.record.asked) return "A video is being made already.";
  const Stretch stretch = StretchOf(ui);
  const bool picture = ui.state.record.settings.format == RecordFormat::kPicture;
  if (!picture && !(stretch.to > stretch.from)) return "Nothing was simulated yet.";
  return nullptr;
}

void StartRecording(Ui* ui) {
  RecordState& record = ui->state.record;
  if (const char* why = WhyNotRecorded(*ui))
    return ui->requests.Ask([why](Session* s) { s->Say(why); });
  const RecordSettings& settings = record.settings;
  const std::string folder = RecordFolder(settings);
  if (const Status made = MakeFolder(folder); !made) return PostFailed(ui, made.error().Text());
  if (record.name.empty()) record.name = RecordName(settings, ui->session.scene()->id);
  // the format is chosen on the card, not by the name
  if (const std::string ending = EndingOf(settings.format); !record.name.ends_with(ending))
    record.name += ending;
  std::error_code ignored;
  const std::string path = fs::absolute(fs::path(folder) / record.name, ignored).string();
  const RenderSpec spec = RecordedSpec(*ui);
  record.open = false;
  record.name.clear();
  record.asked = true;
  record.frames = spec.Frames(*spec.to);
  record.fps = spec.fps;
  const auto start = [ui, spec, path](const std::shared_ptr<const Recording>& told) {
    ui->state.record.asked = false;
    Recording recording = *told;
    recording.render = FormatRenderSpec(spec);
    auto job = RecordingJob::Start(ui->program, recording, ui->session.context(), path);
    if (!job) return PostFailed(ui, job.error().Text());
    ui->recording = std::move(job).value();
  };
  ui->requests.Ask([start](Session* s) { s->WithRecording(start); });
}

void UpdateRecording(Ui* ui) {
  if (ui->recording == nullptr) return;
  ui->recording->Update();
  if (!ui->recording->done()) return;
  const std::unique_ptr<RecordingJob> job = std::move(ui->recording);
  if (job->good()) return PostDone(ui, ui->state.record, job->output());
  if (job->cancelled()) {
    return ui->requests.Ask(
        [](Session* s) { s->Say("The video was not made: it was cancelled."); });
  }
  PostFailed(ui, job->error());
}

void CancelRecording(Ui* ui) {
  if (ui->recording != nullptr) ui->recording->Cancel();
}

bool KeepsFromQuitting(Ui* ui) {
  RecordState& record = ui->state.record;
  if (ui->recording == nullptr || record.quit_asked) return false;
  record.quit_asked = true;
  Message message;
  message.level = Message::Level::kWarning;
  message.stays = true;
  message.subject = "recording";
  message.what = "A video is being made; it is lost when the window closes now.";
  message.where = ui->recording->output();
  message.advice = "Quit once more to close it.";
  message.actions.push_back({"Quit", [ui](Session*) { ui->state.quit = true; }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
  return true;
}

}  // namespace slip::app
