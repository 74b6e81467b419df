// SceneFiles: files are read, and channels made, while the window lives on. All ways to open one
// come here: a scene, an experiment, a scene once more.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "app/session/replay_job.h"
#include "app/session/scene_files.h"
#include "app/session/session.h"

namespace slip::app {
namespace {

constexpr const char* kReading = "reading a file";  // subject of its message

std::string FileName(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.empty() ? path : name;
}

}  // namespace

bool SceneFiles::StartReading(const std::string& path, ReadingJob::Read read) {
  StopReading();  // the newest wish counts
  if (std::isinf(patience_)) return read()();
  auto job = std::make_unique<ReadingJob>(path, std::move(read));
  if (job->WaitFor(patience_)) return job->Take()();
  reading_ = std::move(job);
  reading_since_ = session_.now();
  reading_told_ = -1;
  return true;
}

/// Begins with it when its channels are made: their first contacts may take long.
bool SceneFiles::StartLoading(LoadScene load, std::function<void()> begun) {
  const std::string name = load.scene->file.empty() ? load.scene->title : load.scene->file;
  return StartReading(
      name, [this, load = std::move(load), begun = std::move(begun)]() -> ReadingJob::Finish {
        LoadScene made = load;
        if (made.tracks == nullptr) MakeTracks(&made);
        return [this, made, begun] {
          Begin(made);
          if (begun) begun();
          return true;
        };
      });
}

/// Nobody waits for it any more; it ends when it notices.
void SceneFiles::StopReading() {
  if (reading_ == nullptr) return;
  reading_->Stop();
  abandoned_.push_back(std::move(reading_));
  session_.Unsay(kReading);
}

void SceneFiles::Cancel() {
  if (reading_ != nullptr) {
    const std::string name = FileName(reading_->path());
    StopReading();
    session_.SetStatus(session_.scene() != nullptr ? session_.scene()->title : "Ready");
    return session_.Say(name + " was not opened.");
  }
  CancelReplay();
}

void SceneFiles::UpdateReading() {
  std::erase_if(abandoned_, [](const std::unique_ptr<ReadingJob>& job) { return job->done(); });
  if (reading_ == nullptr) return;
  if (reading_->done()) {
    const std::unique_ptr<ReadingJob> job = std::move(reading_);
    session_.Unsay(kReading);
    session_.SetStatus(session_.scene() != nullptr ? session_.scene()->title : "Ready");
    job->Take()();
    return;
  }
  const int seconds = static_cast<int>(session_.now() - reading_since_);
  session_.SetStatus(
      fmt::format("Reading {}, {} s so far; Esc cancels it", FileName(reading_->path()), seconds));
  if (seconds == std::exchange(reading_told_, seconds)) return;
  Message message;
  message.subject = kReading;
  message.stays = message.ongoing = true;
  message.what = fmt::format("Reading {}, {} s so far.", FileName(reading_->path()), seconds);
  message.where = reading_->path();
  message.advice = "What was there stays until then.";
  message.actions.push_back({"Cancel", [](Session* s) { s->files().Cancel(); }});
  session_.Post(std::move(message));
}

/// Work on what is about to go would be lost.
bool SceneFiles::SayOpening() {
  if (replay_ == nullptr && reading_ == nullptr) return false;
  session_.Say(reading_ != nullptr
                   ? FileName(reading_->path()) + " is not read yet; Esc cancels it."
                   : "The experiment is not there yet; Esc cancels it.");
  return true;
}

}  // namespace slip::app
