// A video of what was done: the engine sends the recording, it is rendered in the background,
// and a message says when it is done.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/frame/record_actions.h"
#include "app/panels/record/record.h"
#include "app/session/recording_job.h"
#include "engine/core/output_file.h"
#include "engine/run/study/command_line.h"

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

}  // namespace

void PostRecorded(Ui* ui, const std::string& path, const std::string& facts) {
  Message message;
  message.stays = true;
  message.subject = "recording";
  message.what = path.ends_with(".png") ? "The picture is ready." : "The video is ready.";
  message.where = path;
  message.advice = facts + SizeText(SizeOf(path)) + ".";
  message.actions.push_back({"Show in folder", [path](Session* session) {
                               if (!ShowFolder(fs::path(path).parent_path().string()))
                                 session->Say("No program shows folders here (xdg-open).");
                             }});
  message.actions.push_back(
      {"Copy path", [ui, path](Session*) { ui->requests.Copy(path, "Path"); }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
}

void PostNotRecorded(Ui* ui, const std::string& why) {
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
                                 ui->state.record.settings.source = RecordSource::kHistory;
                                 ui->state.record.name.clear();
                                 StartRecording(ui);
                               }});
  }
  message.actions.push_back({"Open the card", [ui](Session*) { ui->state.record.open = true; }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
}

Result<std::string> TakeRecordPath(Ui* ui) {
  RecordState& record = ui->state.record;
  const RecordSettings& settings = record.settings;
  const std::string folder = RecordFolder(settings);
  if (const Status made = MakeFolder(folder); !made) return made.errors();
  if (record.name.empty()) record.name = RecordName(settings, ui->session.scene()->id);
  // the format is chosen on the card, not by the name
  if (const std::string ending = EndingOf(FormatOf(settings)); !record.name.ends_with(ending))
    record.name += ending;
  std::error_code ignored;
  return fs::absolute(fs::path(folder) / std::exchange(record.name, {}), ignored).string();
}

std::vector<std::string> EndCardOf(const Ui& ui, const Recording& recording,
                                   const std::string& path) {
  // pulls are in no option: the file beside the video has them
  const std::optional<RunArguments> arguments = ArgumentsOf(recording);
  const RunContext& program = ui.session.experiments().context();
  return {ui.session.scene() != nullptr ? ui.session.scene()->title : std::string(),
          arguments ? arguments->Run()
                    : "slipscope replay " + fs::path(path).filename().string() + ".json",
          "Slipscope " + program.version + (program.build.empty() ? "" : ", " + program.build)};
}

RecordSources SourcesOf(const Ui& ui) {
  return {ui.session, ui.regions, ui.state.time_line.range, static_cast<double>(ui.scale())};
}

Videos VideosOf(Ui* ui) { return {ui->state.record, ui->live.get(), ui->recording.get()}; }

void RecordKey(Ui* ui) {
  RecordState& record = ui->state.record;
  if (RecordsLive(ui->live.get())) return StopLive(ui);
  if (record.open) return StartRecording(ui);
  record.open = true;
  record.settings.range =
      ui->state.time_line.range.active ? RecordRange::kSelected : RecordRange::kHistory;
}

void StartRecording(Ui* ui) {
  RecordState& record = ui->state.record;
  if (const char* why = WhyNotRecorded(SourcesOf(*ui), VideosOf(ui)))
    return ui->requests.Ask([why](Session* s) { s->Say(why); });
  if (record.settings.source == RecordSource::kLive) return StartLive(ui);
  const Result<std::string> path = TakeRecordPath(ui);
  if (!path) return PostNotRecorded(ui, path.error().Text());
  record.open = false;
  record.asked = true;
  const bool card = record.settings.end_card && record.settings.format != RecordFormat::kPicture;
  const auto start = [ui, card, path = *path,
                      spec = RecordedSpec(SourcesOf(*ui), record.settings, LookOf(*ui))](
                         const std::shared_ptr<const Recording>& told) mutable {
    RecordState& state = ui->state.record;
    state.asked = false;
    Recording recording = *told;
    if (card) spec.end_card = EndCardOf(*ui, recording, path);
    state.frames = spec.Frames(*spec.to) + spec.EndFrames();
    state.fps = spec.fps;
    recording.render = FormatRenderSpec(spec);
    auto job =
        RecordingJob::Start(ui->program, recording, ui->session.experiments().context(), path);
    if (!job) return PostNotRecorded(ui, job.error().Text());
    ui->recording = std::move(job).value();
  };
  ui->requests.Ask([start](Session* s) { s->experiments().With(start); });
}

void UpdateRecording(Ui* ui) {
  UpdateLive(ui);
  if (ui->recording == nullptr) return;
  ui->recording->Update();
  if (!ui->recording->done()) return;
  const std::unique_ptr<RecordingJob> job = std::move(ui->recording);
  if (job->good()) {
    const RecordState& record = ui->state.record;
    const bool picture = job->output().ends_with(".png");
    return PostRecorded(
        ui, job->output(),
        picture ? std::string()
                : fmt::format("{:.1f} s, {} frames, ",
                              static_cast<double>(record.frames) / record.fps, record.frames));
  }
  if (job->cancelled()) {
    return ui->requests.Ask(
        [](Session* s) { s->Say("The video was not made: it was cancelled."); });
  }
  PostNotRecorded(ui, job->error());
}

bool KeepsFromQuitting(Ui* ui) {
  RecordState& record = ui->state.record;
  if (ui->live != nullptr && !record.quit_after) {
    StopLive(ui);
    record.quit_after = true;
    return true;
  }
  if (ui->recording == nullptr || record.quit_asked) return false;
  record.quit_asked = true;
  Message message;
  message.level = Message::Level::kWarning;
  message.stays = true;
  message.subject = "recording";
  message.what = "A video is being made; it is lost when the window closes now.";
  message.where = ui->recording->output();
  message.advice = "Quit once more to close it.";
  message.actions.push_back({"Quit", [ui](Session*) { ui->state.shell.quit = true; }});
  ui->requests.Ask([message](Session* s) { s->Post(message); });
  return true;
}

}  // namespace slip::app
