#include "app/session/experiments.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "app/session/autosave.h"
#include "app/session/cut_videos.h"
#include "app/session/render_spec.h"
#include "app/session/session.h"
#include "engine/core/output_file.h"
#include "engine/run/study/command_line.h"

namespace slip::app {
namespace {

constexpr double kSavePeriod = 1;              // [s] what a crash may cost
constexpr const char* kAutosave = "autosave";  // subject of what it says

/// "22 November, 12:36": when a file was written.
std::string SavedAt(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "an unknown time";
  std::tm local{};
  localtime_r(&info.st_mtime, &local);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%e %B, %H:%M", &local));
}

}  // namespace

Experiments::Experiments(Session* session) : session_(*session) {}
Experiments::~Experiments() = default;

void Experiments::With(UseRecording use) {
  if (session_.scene() == nullptr) return;  // nobody would answer
  asked_.push_back(std::move(use));
  session_.Send(TakeRecording{});
}

void Experiments::Take(const RecordingTaken& taken) {
  if (asked_.empty() || taken.recording == nullptr) return;
  const UseRecording use = std::move(asked_.front());
  asked_.pop_front();
  auto recording = std::make_shared<Recording>(*taken.recording);
  recording->view = ViewText();
  use(std::move(recording));
}

void Experiments::Save(const std::string& path) {
  if (session_.scene() == nullptr || session_.IsOpening()) return;
  With([this, path](const std::shared_ptr<const Recording>& recording) {
    const Status status = WriteFile(path, FormatRecording(*recording, context_, path), false);
    Message message;
    if (!status.ok()) {
      message.level = Message::Level::kError;
      message.what = "The experiment was not saved.";
      message.where = path;
      message.advice = status.error().Text();
      const char* home = std::getenv("HOME");
      const std::string other =
          home != nullptr && home[0] != '\0'
              ? (std::filesystem::path(home) / std::filesystem::path(path).filename()).string()
              : std::string();
      if (!other.empty() && other != path && !std::filesystem::exists(other)) {
        message.actions.push_back(
            {"Save in the home folder", [other](Session* s) { s->experiments().Save(other); }});
        message.stays = true;
      }
    } else {
      std::error_code ignored;
      message.what = "Experiment saved.";
      message.where = std::filesystem::absolute(path, ignored).string();
      message.advice = "Open it by dropping it on the window, or with 'slipscope FILE'.";
      session_.SetStatus("Saved " + path);
    }
    session_.Post(std::move(message));
  });
}

void Experiments::CopyCommandLine(CommandKind kind, std::function<void(std::string)> copy,
                                  double until) {
  With([this, kind, copy, until](const std::shared_ptr<const Recording>& recording) {
    if (const auto arguments = ArgumentsOf(*recording, until)) {
      copy(kind == CommandKind::kRun ? arguments->Run() : arguments->Text());
      return;
    }
    // pulls and takeovers are in no option: the file has them
    const std::string text = FormatRecording(*recording, context_, "here.json");
    std::error_code ignored;
    const bool written = text == copied_text_ && std::filesystem::exists(copied_path_, ignored);
    std::string path =
        written ? copied_path_ : FreeName("slipscope-" + session_.scene()->id, "json");
    const Status status = written ? Status(Ok{}) : WriteFile(path, text, false);
    if (!status.ok()) {
      Message message;
      message.level = Message::Level::kError;
      message.what = "Bodies were pulled: only a file can repeat that, and it was not written.";
      message.where = path;
      message.advice = status.error().Text();
      return session_.Post(std::move(message));
    }
    path = std::filesystem::absolute(path, ignored).string();
    copied_path_ = path;
    copied_text_ = text;
    copy(kind == CommandKind::kRun ? "slipscope replay '" + path + "'" : "'" + path + "'");
    // said last: that a file was written matters more than the copy
    session_.Say("Copied. Bodies were pulled or re-synced, which only a file can repeat: " + path +
                 ".");
  });
}

void Experiments::StartAutosave(const std::string& folder) {
  if (folder.empty()) return TellAutosave("neither XDG_STATE_HOME nor HOME says where");
  std::vector<std::string> left = LeftOverSaves(folder);
  std::reverse(left.begin(), left.end());  // the newest stands on top
  for (const std::string& path : left) {
    Message message;
    message.level = Message::Level::kWarning;
    message.stays = true;
    message.subject = "left over " + path;
    message.what = fmt::format("A session of {} ended without being closed.", SavedAt(path));
    message.where = path;
    message.advice = "It can be opened again, up to its last second.";
    message.actions.push_back({"Open it", [path](Session* s) {
                                 if (s->files().OpenExperiment(path))
                                   s->experiments().left_over_ = path;
                               }});
    message.actions.push_back(
        {"Discard", [path](Session* s) {
           std::error_code ignored;
           std::filesystem::remove(path, ignored);
           std::filesystem::remove(std::filesystem::path(path).replace_extension(".lock"), ignored);
           s->Unsay("left over " + path);
         }});
    session_.Post(std::move(message));
  }
  OfferCutVideos(folder);
  state_folder_ = folder;
  autosave_ = std::make_unique<Autosave>(folder, context_);
}

void Experiments::OfferCutVideos(const std::string& folder) {
  for (const CutVideo& cut : FindCutVideos(folder)) {
    Message message;
    message.level = Message::Level::kWarning;
    message.stays = true;
    message.subject = "cut video " + cut.part;
    message.what = "A recording was cut off when its program ended.";
    message.where = cut.part;
    message.advice = "It plays up to its last second.";
    const auto answered = [cut](Session* s) {
      std::error_code ignored;
      std::filesystem::remove(cut.note, ignored);
      s->Unsay("cut video " + cut.part);
    };
    message.actions.push_back({"Keep it", [cut, answered](Session* s) {
                                 const Result<std::string> kept = Keep(cut);
                                 if (!kept) return s->Say(kept.error().Text());
                                 answered(s);
                                 s->Say("The video is " + *kept + ".");
                               }});
    message.actions.push_back({"Discard", [cut, answered](Session* s) {
                                 std::error_code ignored;
                                 std::filesystem::remove(cut.part, ignored);
                                 answered(s);
                               }});
    session_.Post(std::move(message));
  }
}

void Experiments::TellAutosave(const std::string& problem) {
  if (problem == autosave_problem_) return;
  autosave_problem_ = problem;
  if (problem.empty()) {
    session_.Unsay(kAutosave);
    return;
  }
  Message message;
  message.level = Message::Level::kWarning;
  message.stays = true;
  message.subject = kAutosave;
  message.what = "A crash would lose this session: it cannot be saved every second.";
  message.where = problem;
  message.advice =
      "It is tried again every second, and this goes when it works; Save keeps an experiment.";
  session_.Post(std::move(message));
}

void Experiments::Update() {
  if (autosave_ == nullptr) return;
  TellAutosave(autosave_->problem());
  if (session_.scene() == nullptr || session_.now() - saved_at_ < kSavePeriod) return;
  if (!changed_since_save_ && autosave_problem_.empty()) return;
  saved_at_ = session_.now();
  changed_since_save_ = false;
  With([this](const std::shared_ptr<const Recording>& recording) {
    if (autosave_ != nullptr) autosave_->Give(recording);
  });
}

std::string Experiments::ViewText() const {
  return FormatView(session_, view_source_ ? view_source_() : WindowView{});
}

void Experiments::Opened(const std::string& path) {
  if (autosave_ == nullptr || path != left_over_) return;
  autosave_->Replaces(left_over_);
  session_.Unsay("left over " + left_over_);
}

}  // namespace slip::app
