// Session: experiments are saved, opened, and told as a command line.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "app/session/autosave.h"
#include "app/session/cut_videos.h"
#include "app/session/render_spec.h"
#include "app/session/replay_job.h"
#include "app/session/session.h"
#include "engine/core/json_document.h"
#include "engine/core/json_writer.h"
#include "engine/core/numbers.h"
#include "engine/core/output_file.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/command_line.h"

namespace slip::app {
namespace {

constexpr double kSavePeriod = 1;                          // [s] what a crash may cost
constexpr const char* kAutosave = "autosave";              // subject of what it says
constexpr const char* kOpening = "opening an experiment";  // subject of its message

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

void Session::WithRecording(UseRecording use) {
  if (scene_ == nullptr) return;  // nobody would answer
  asked_.push_back(std::move(use));
  Send(TakeRecording{});
}

void Session::TakeRecorded(const RecordingTaken& taken) {
  if (asked_.empty() || taken.recording == nullptr) return;
  const UseRecording use = std::move(asked_.front());
  asked_.pop_front();
  auto recording = std::make_shared<Recording>(*taken.recording);
  recording->view = ViewText();
  use(std::move(recording));
}

void Session::SaveExperiment(const std::string& path) {
  if (scene_ == nullptr || IsOpening()) return;
  WithRecording([this, path](const std::shared_ptr<const Recording>& recording) {
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
            {"Save in the home folder", [other](Session* s) { s->SaveExperiment(other); }});
        message.stays = true;
      }
    } else {
      std::error_code ignored;
      message.what = "Experiment saved.";
      message.where = std::filesystem::absolute(path, ignored).string();
      message.advice = "Open it by dropping it on the window, or with 'slipscope FILE'.";
      status_ = "Saved " + path;
    }
    Post(std::move(message));
  });
}

bool Session::OpenExperiment(const std::string& path) {
  return StartReading(path, [this, path]() -> ReadingJob::Finish {
    return [this, path, file = ReadRecording(path)] { return TakeExperiment(path, file); };
  });
}

bool Session::TakeExperiment(const std::string& path, const Result<RecordingFile>& file) {
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
    Post(std::move(message));
  }
  BeginReplay(path, file->recording);
  as_recorded_ = file->remarks.empty();
  return true;
}

void Session::BeginReplay(const std::string& path, std::shared_ptr<const Recording> recording) {
  opening_ = path;
  as_recorded_ = true;
  playback_.SetPlaying(false);
  replay_ = std::make_unique<ReplayJob>(std::move(recording));
  Message message;
  message.stays = true;
  message.subject = kOpening;
  message.what = "The experiment is run again, then it is shown.";
  message.where = path;
  message.advice = "What was there stays until then.";
  message.actions.push_back({"Cancel", [](Session* s) { s->CancelOpening(); }});
  Post(std::move(message));
}

void Session::CancelReplay() {
  if (replay_ == nullptr) return;
  replay_.reset();
  Unsay(kOpening);
  Say("The experiment was not opened.");
}

std::optional<double> Session::ReplayProgress() const {
  if (replay_ == nullptr) return std::nullopt;
  return replay_->progress();
}

void Session::UpdateReplay() {
  if (replay_ == nullptr) return;
  changed_ = true;
  status_ = fmt::format("Running the experiment again: {:.0f} %", 100 * replay_->progress());
  if (!replay_->done()) return;
  const std::shared_ptr<Replay> replay = replay_->replay();
  replay_.reset();
  Unsay(kOpening);
  if (autosave_ != nullptr && opening_ == left_over_) {
    autosave_->Replaces(left_over_);
    Unsay("left over " + left_over_);
  }
  const Recording& recording = replay->recording();
  const auto& branch = At(recording.branches, recording.present);
  Forget(branch.scene);
  ++loads_;
  ReadView(recording.view);
  Send(LoadReplay{replay});
  Send(slip::Seek{recording.time});
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
  Post(std::move(message));
}

std::string Session::ViewText() const {
  JsonWriter json;
  json.BeginObject().Key("notes").BeginList(false);
  for (const TimeMark& note : notebook_.AllNotes()) {
    json.BeginObject().Number("time", note.time).Integer("step", note.step);
    json.Integer("branch", note.branch).Text("text", note.label).EndObject();
  }
  json.EndList().Integer("lead", looks_.chosen_lead());
  json.Key("along").BeginList();
  for (const int branch : branches_.along().Numbers()) json.Integer(branch);
  json.EndList().Integer("ghost", branches_.along().Ghost());
  const WindowView view = view_source_ ? view_source_() : WindowView{};
  json.Flag("show_ghost", view.run_ghost).Texts("plots", view.plots);
  if (view.camera) {
    const CameraSpec& c = *view.camera;
    const double numbers[] = {c.target.x(), c.target.y(), c.target.z(),   c.distance,
                              c.azimuth,    c.elevation,  c.field_of_view};
    json.Numbers("camera", numbers, 7);
  }
  json.EndObject();
  return json.Take();
}

// The notes come back when their branch is shown, the rest when the scene is set up.
void Session::ReadView(const std::string& text) {
  constexpr TextFileKind kView{.name = "view", .most_bytes = kMebibyte};
  opened_view_.reset();
  static_cast<void>(ReadJson<bool>(text, opening_, kView, [this](const Json& json) -> Result<bool> {
    for (const Json& item : json.at("notes")) {
      TimeMark mark;
      mark.kind = TimeMark::Kind::kNote;
      mark.time = mark.end_time = item.at("time").get<double>();
      mark.step = item.at("step").get<int64_t>();
      mark.branch = item.at("branch").get<int>();
      mark.label = item.at("text").get<std::string>();
      notebook_.AddAside(std::move(mark));
    }
    looks_.RestoreLead(json.at("lead").get<int>());
    WindowView view;
    for (const Json& name : json.at("plots")) view.plots.push_back(name.get<std::string>());
    // files of before name none
    if (json.contains("along"))
      branches_.along().Restore(json.at("along").get<std::vector<int>>(), json.value("ghost", -1));
    view.run_ghost = json.value("show_ghost", false);
    const std::vector<double> c = json.value("camera", std::vector<double>());
    if (c.size() == 7 &&
        std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })) {
      view.camera = MakeCamera(c);
    }
    opened_view_ = std::move(view);
    return true;
  }));
}

void Session::StartAutosave(const std::string& folder) {
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
                                 if (s->OpenExperiment(path)) s->left_over_ = path;
                               }});
    message.actions.push_back(
        {"Discard", [path](Session* s) {
           std::error_code ignored;
           std::filesystem::remove(path, ignored);
           std::filesystem::remove(std::filesystem::path(path).replace_extension(".lock"), ignored);
           s->Unsay("left over " + path);
         }});
    Post(std::move(message));
  }
  OfferCutVideos(folder);
  state_folder_ = folder;
  autosave_ = std::make_unique<Autosave>(folder, context_);
}

void Session::OfferCutVideos(const std::string& folder) {
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
    Post(std::move(message));
  }
}

void Session::TellAutosave(const std::string& problem) {
  if (problem == autosave_problem_) return;
  autosave_problem_ = problem;
  if (problem.empty()) {
    Unsay(kAutosave);
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
  Post(std::move(message));
}

void Session::UpdateAutosave() {
  if (autosave_ == nullptr) return;
  TellAutosave(autosave_->problem());
  if (scene_ == nullptr || now_ - saved_at_ < kSavePeriod) return;
  if (!changed_since_save_ && autosave_problem_.empty()) return;
  saved_at_ = now_;
  changed_since_save_ = false;
  WithRecording([this](const std::shared_ptr<const Recording>& recording) {
    if (autosave_ != nullptr) autosave_->Give(recording);
  });
}

void Session::CopyCommandLine(CommandKind kind, std::function<void(std::string)> copy,
                              double until) {
  WithRecording([this, kind, copy, until](const std::shared_ptr<const Recording>& recording) {
    if (const auto arguments = ArgumentsOf(*recording, until)) {
      copy(kind == CommandKind::kRun ? arguments->Run() : arguments->Text());
      return;
    }
    // pulls and takeovers are in no option: the file has them
    const std::string text = FormatRecording(*recording, context_, "here.json");
    std::error_code ignored;
    const bool written = text == copied_text_ && std::filesystem::exists(copied_path_, ignored);
    std::string path = written ? copied_path_ : FreeName("slipscope-" + scene_->id, "json");
    const Status status = written ? Status(Ok{}) : WriteFile(path, text, false);
    if (!status.ok()) {
      Message message;
      message.level = Message::Level::kError;
      message.what = "Bodies were pulled: only a file can repeat that, and it was not written.";
      message.where = path;
      message.advice = status.error().Text();
      return Post(std::move(message));
    }
    path = std::filesystem::absolute(path, ignored).string();
    copied_path_ = path;
    copied_text_ = text;
    copy(kind == CommandKind::kRun ? "slipscope replay '" + path + "'" : "'" + path + "'");
    // said last: that a file was written matters more than the copy
    Say("Copied. Bodies were pulled or re-synced, which only a file can repeat: " + path + ".");
  });
}

}  // namespace slip::app
