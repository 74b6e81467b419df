// Session: the frame, scenes and channels. What the engine sends is in session_data.cpp,
// experiments are in session_experiment.cpp.
#include "app/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include "app/session/autosave.h"
#include "app/session/replay_job.h"
#include "engine/core/numbers.h"
#include "engine/run/study/plan_notes.h"
#include "engine/scene/robot_scene.h"
#include "engine/urdf/robot_description.h"

namespace slip::app {
namespace {

/// As the window opens it.
std::shared_ptr<const Scene> Staged(std::shared_ptr<const Scene> scene) {
  if (scene->opens_with.empty()) return scene;
  auto staged = CopyOf(scene);
  staged->Stage();
  return staged;
}

}  // namespace

Session::Session(std::unique_ptr<EngineLink> link)
    : SessionCore(&link->Latest()),
      link_(std::move(link)),
      looks_(*this),
      params_(this, looks_),
      playback_(this, link_.get()),
      notebook_(*this),
      reference_(this, looks_, [this](UseRecording use) { WithRecording(std::move(use)); }),
      lessons_(this, looks_, notebook_, series_),
      warnings_(this, looks_, params_),
      written_(*this),
      branches_([this](Command command) { Send(std::move(command)); },
                [this](Message message) { Post(std::move(message)); },
                [this](const std::string& subject) { Unsay(subject); }) {}

Session::~Session() = default;

void Session::Update(double now) {
  frame_seconds_ = now - now_;
  now_ = now;
  changed_ = false;
  snapshot_ = &link_->Latest();
  if (snapshot_->scene_generation != seen_generation_ || snapshot_->time != seen_time_) {
    changed_ = true;
    // showing the recorded run again does nothing that a file could keep
    const LoopPhase loop = playback_.loop_phase();
    if (loop == LoopPhase::kOff || loop == LoopPhase::kRun) changed_since_save_ = true;
    seen_generation_ = snapshot_->scene_generation;
    seen_time_ = snapshot_->time;
  }
  DrainTelemetry();
  DrainEvents();
  if (branches_.Update(*snapshot_, now_)) changed_ = changed_since_save_ = true;
  if (reference_.Update()) changed_ = true;
  if (std::exchange(seen_edits_, notebook_.edits()) != notebook_.edits())
    changed_since_save_ = true;
  UpdateReading();
  UpdateReplay();
  UpdateAutosave();
  // a branch may be of the scene as its file was before
  if (TakenOver() && snapshot_->scene != nullptr && snapshot_->scene != scene_ &&
      replay_ == nullptr) {
    scene_ = snapshot_->scene;
  }
  looks_.Sync();
  params_.Update();
  warnings_.PostFailures();
  playback_.Update();
  if (lessons_.Update()) changed_ = true;
  written_.Update(playback_, series_, changed_);
}

bool Session::Load(const std::string& name_or_path) {
  if (IsExperiment(name_or_path)) return OpenExperiment(name_or_path);
  scene_request_ = name_or_path;
  return StartReading(name_or_path, [this, name_or_path]() -> ReadingJob::Finish {
    const auto scene = FindScene(name_or_path);
    if (!scene.ok()) {
      return [this, name_or_path, errors = scene.errors()] {
        PostFileErrors(errors, "scene", name_or_path);
        return false;
      };
    }
    LoadScene load{Staged(*scene)};
    MakeTracks(&load);
    return [this, load] {
      Begin(load);
      return true;
    };
  });
}

void Session::PostFileErrors(const ErrorList& errors, const std::string& what,
                             const std::string& path) {
  const Error& error = errors.front();
  Message message;
  message.level = Message::Level::kError;
  message.subject = what + " file";
  message.what = error.message;
  message.where = error.file;
  if (error.line > 0) message.where += fmt::format(", line {}", error.line);
  if (error.line > 0 && error.column > 0) message.where += fmt::format(", column {}", error.column);
  message.advice = error.hint;
  if (errors.size() > 1) {
    message.advice += fmt::format("{}{} more errors in this file.",
                                  message.advice.empty() ? "" : ". ", errors.size() - 1);
  }
  if (scene_ != nullptr) {
    message.advice += (message.advice.empty() ? "" : " ");
    message.advice += "Not loaded; the present scene keeps running.";
  }
  message.actions.push_back({"Reload", [path](Session* s) { s->Load(path); }});
  Post(std::move(message));
}

const Model& Session::scene_model() const {
  static const Model kNone;
  return scene_ != nullptr && scene_->model != nullptr ? *scene_->model : kNone;
}

void Session::Open(std::shared_ptr<const Scene> scene,
                   std::shared_ptr<const std::vector<RecordedPath>> paths,
                   std::function<void()> begun) {
  if (paths == nullptr) scene = Staged(std::move(scene));
  StartLoading({std::move(scene), std::move(paths)}, std::move(begun));
}

void Session::Begin(LoadScene load) {
  const bool was_looping = playback_.looping(), was_playing = playback_.playing();
  const bool recorded = load.paths != nullptr;
  replay_.reset();
  KeepFormer();
  Forget(load.scene);
  ++loads_;
  if (!recorded) PostRemarks();
  Send(std::move(load));
  if (!recorded) playback_.BeginLoop();
  if ((was_looping || playback_.looping()) && was_playing) playback_.SetPlaying(true);
}

/// What of somebody's robot was left out or taken for granted, once. The program's own are known.
void Session::PostRemarks() {
  const bool robot_file = IsRobotFile(scene_->file);
  std::vector<std::string> notes = StartNotes(*scene_->model);
  if (robot_file) notes.insert(notes.begin(), scene_->notes.begin(), scene_->notes.end());
  const std::vector<std::string> robots = ListRobots();
  const bool own = std::any_of(robots.begin(), robots.end(), [this](const std::string& robot) {
    std::error_code none;
    return std::filesystem::equivalent(robot, scene_->file, none);
  });
  if (notes.empty() || own) return;
  constexpr std::size_t kMost = 3;
  Message message;
  message.subject = "remarks";
  message.what =
      fmt::format("{} was read with {} remark{}.", robot_file ? "The robot's file" : "The scene",
                  notes.size(), notes.size() == 1 ? "" : "s");
  message.where = scene_->file;
  const auto shown = std::span(notes).first(std::min(notes.size(), kMost));
  message.advice = fmt::format("{}.", fmt::join(shown, ". "));
  if (notes.size() > kMost)
    message.advice += fmt::format(" {} more: slipscope check names all.", notes.size() - kMost);
  Post(std::move(message));
}

// Everything of the scene before, and shows the next one.
void Session::Forget(std::shared_ptr<const Scene> scene) {
  scene_ = std::move(scene);
  log_.RemoveIf([](const Message& m) { return m.level == Message::Level::kError; });
  warnings_.Forget();
  looks_.Start(*scene_);
  params_.Forget();
  notebook_.Forget();
  reference_.Forget();
  series_.Clear();
  lessons_.Start(*scene_);
  status_ = scene_->title;
  playback_.Start(*scene_);
}

/// Asked for before the scene goes: the engine answers in the order of the commands.
void Session::KeepFormer() {
  former_.reset();
  if (scene_ == nullptr || !TakenOver()) return;
  former_ = std::make_shared<std::shared_ptr<const Recording>>();
  WithRecording([former = former_, view = ViewText()](const auto& told) {
    auto recording = std::make_shared<Recording>(*told);
    recording->view = view;
    *former = std::move(recording);
  });
}

void Session::ReturnTo(const Former& former) {
  if (former == nullptr || *former == nullptr) return Say("What was there before is gone.");
  const Recording& recording = **former;
  BeginReplay(At(recording.branches, recording.present).scene->title, *former);
}

void Session::LoadNeighbour(int offset) {
  const std::vector<std::string> names = ListScenesToTeach();
  if (names.empty()) return;
  const auto here = std::find(names.begin(), names.end(), scene_ == nullptr ? "" : scene_->id);
  const auto count = static_cast<std::ptrdiff_t>(names.size());
  std::ptrdiff_t next = here == names.end() ? 0 : here - names.begin() + offset;
  next = (next % count + count) % count;
  Load(At(names, next));
}

void Session::SeekMark(int direction) {
  if (const TimeMark* mark = notebook_.Beside(snapshot_->time, direction))
    playback_.Seek(mark->time);
}

void Session::AddChannel(MethodId model) {
  if (channel_count() == 0 || channel_count() >= kMaxChannels || IsOpening()) return;
  Config config = frame(looks_.chosen_lead()).config;
  config.step.method = static_cast<int>(model);
  looks_.EndSolo();  // the new one is to be seen
  Send(slip::AddChannel{std::move(config)});
}

void Session::RemoveChannel(int channel) {
  if (channel_count() < 2 || channel < 0 || channel >= channel_count()) return;
  Send(slip::RemoveChannel{channel});
}

void Session::SwitchModel(int channel, MethodId model) {
  params_.Set(channel, std::string(kMethodParam), static_cast<double>(model));
}

}  // namespace slip::app
