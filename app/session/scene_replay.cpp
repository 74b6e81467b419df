// SceneFiles: an experiment is read and run again, then it is the session.
#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "app/session/replay_job.h"
#include "app/session/scene_files.h"
#include "app/session/session.h"
#include "engine/core/numbers.h"
#include "engine/run/record/recording_file.h"

namespace slip::app {
namespace {

constexpr const char* kOpening = "opening an experiment";  // subject of its message

}  // namespace

bool SceneFiles::OpenExperiment(const std::string& path) {
  return StartReading(path, [this, path]() -> ReadingJob::Finish {
    return [this, path, file = ReadRecording(path)] { return TakeExperiment(path, file); };
  });
}

bool SceneFiles::TakeExperiment(const std::string& path, const Result<RecordingFile>& file) {
  if (!file) {
    PostFileErrors(file.errors(), "experiment", path);
    return false;
  }
  for (const std::string& remark : file->remarks) {
    Message message;
    message.level = Message::Level::kWarning;
    message.subject = remark;
    message.what =
        fmt::format("{}{}.", static_cast<char>(std::toupper(remark.front())), remark.substr(1));
    message.where = path;
    message.advice = "What it shows is what runs now, not what ran then.";
    session_.Post(std::move(message));
  }
  BeginReplay(path, file->recording);
  as_recorded_ = file->remarks.empty();
  return true;
}

void SceneFiles::BeginReplay(const std::string& path, std::shared_ptr<const Recording> recording) {
  opening_ = path;
  as_recorded_ = true;
  session_.playback().SetPlaying(false);
  replay_ = std::make_unique<ReplayJob>(std::move(recording));
  Message message;
  message.stays = true;
  message.subject = kOpening;
  message.what = "The experiment is run again, then it is shown.";
  message.where = path;
  message.advice = "What was there stays until then.";
  message.actions.push_back({"Cancel", [](Session* s) { s->files().Cancel(); }});
  session_.Post(std::move(message));
}

void SceneFiles::CancelReplay() {
  if (replay_ == nullptr) return;
  replay_.reset();
  session_.Unsay(kOpening);
  session_.Say("The experiment was not opened.");
}

std::optional<double> SceneFiles::ReplayProgress() const {
  if (replay_ == nullptr) return std::nullopt;
  return replay_->progress();
}

void SceneFiles::UpdateReplay() {
  if (replay_ == nullptr) return;
  session_.SetStatus(
      fmt::format("Running the experiment again: {:.0f} %", 100 * replay_->progress()));
  if (!replay_->done()) return;
  const std::shared_ptr<Replay> replay = replay_->replay();
  replay_.reset();
  session_.Unsay(kOpening);
  session_.experiments().Opened(opening_);
  const Recording& recording = replay->recording();
  const auto& branch = At(recording.branches, recording.present);
  take_(branch.scene);
  opened_view_ = ReadView(recording.view, opening_, &session_);
  session_.Send(LoadReplay{replay});
  session_.Send(slip::Seek{recording.time});
  const auto differences = replay->Differences();
  if (differences.empty()) {
    opened_ = as_recorded_ ? fmt::format("Opened {}: the same bits as recorded", opening_)
                           : fmt::format("Opened {}, which is not as it was recorded", opening_);
    return;
  }
  Message message;
  message.level = Message::Level::kWarning;
  message.what = "The experiment does not run as it was recorded.";
  message.where = differences.front().text;
  message.advice = "Another build or machine may round otherwise, or the file was changed.";
  session_.Post(std::move(message));
}

}  // namespace slip::app
