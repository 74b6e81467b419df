// Session: scenes, time, channels and messages. Parameters and measured data are in
// session_params.cpp and session_data.cpp.
#include "app/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>

#include "app/session/autosave.h"
#include "app/session/replay_job.h"
#include "engine/run/reference.h"
#include "engine/scene/robot_scene.h"
#include "engine/urdf/robot_description.h"

namespace slip::app {
namespace {

// Long enough for a click to reach the engine and come back in a snapshot, even on a busy machine.
constexpr double kEchoSeconds = 0.5;

}  // namespace

Session::Session(std::unique_ptr<EngineLink> link)
    : link_(std::move(link)),
      snapshot_(&link_->Latest()),
      branches_([this](Command command) { Send(std::move(command)); },
                [this](Message message) { Post(std::move(message)); },
                [this](const std::string& subject) {
                  log_.RemoveIf([&](const Message& m) { return m.subject == subject; });
                }) {}

Session::~Session() = default;

void Session::Update(double now) {
  frame_seconds_ = now - now_;
  now_ = now;
  changed_ = false;
  snapshot_ = &link_->Latest();
  if (snapshot_->scene_generation != seen_generation_ || snapshot_->time != seen_time_) {
    changed_ = true;
    // showing the recorded run again does nothing that a file could keep
    if (loop_ == LoopPhase::kOff || loop_ == LoopPhase::kRun) changed_since_save_ = true;
    seen_generation_ = snapshot_->scene_generation;
    seen_time_ = snapshot_->time;
  }
  DrainTelemetry();
  DrainEvents();
  if (branches_.Update(*snapshot_, now_)) changed_ = changed_since_save_ = true;
  UpdateReference();
  UpdateReplay();
  UpdateAutosave();
  // a branch may be of the scene as its file was before
  if (TakenOver() && snapshot_->scene != nullptr && snapshot_->scene != scene_ &&
      replay_ == nullptr) {
    scene_ = snapshot_->scene;
  }
  SyncLooks();
  // not before: its own action may have been what undid it
  if (std::exchange(undid_reset_all_, false))
    log_.RemoveIf([](const Message& m) { return m.subject == kResetAll; });
  PostFailures();
  if (wants_play_ && (*wants_play_ == snapshot_->playing || now_ - wants_since_ > kEchoSeconds)) {
    wants_play_.reset();
  }
  for (auto it = pending_.begin(); it != pending_.end();) {
    const auto& [key, wanted] = *it;
    const bool gone = key.first >= channel_count();
    const bool old = now_ - wanted.second > kEchoSeconds;
    const bool met = !gone && GetParam(frame(key.first).config, key.second) == wanted.first;
    it = gone || old || met ? pending_.erase(it) : std::next(it);
  }
  UpdateLoop();
  EvaluateLesson();
}

bool Session::Load(const std::string& name_or_path) {
  if (IsExperiment(name_or_path)) return OpenExperiment(name_or_path);
  scene_request_ = name_or_path;
  Result<std::shared_ptr<const Scene>> scene = FindScene(name_or_path);
  if (!scene.ok()) {
    PostFileErrors(scene.errors(), "scene", name_or_path);
    return false;
  }
  Open(std::move(scene).value());
  return true;
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
                   std::shared_ptr<const std::vector<RecordedPath>> paths) {
  const bool was_looping = looping(), was_playing = playing();
  const bool recorded = paths != nullptr;
  replay_.reset();
  Forget(std::move(scene));
  ++loads_;
  if (IsRobotFile(scene_->file) && !recorded) PostRemarks();
  Send(LoadScene{scene_, std::move(paths)});
  if (!recorded) BeginLoop();
  if ((was_looping || looping()) && was_playing) SetPlaying(true);
}

/// What of somebody's robot was left out or taken for granted, once. The program's own are known.
void Session::PostRemarks() {
  const std::vector<std::string>& notes = scene_->notes;
  const std::vector<std::string> robots = ListRobots();
  const bool own = std::any_of(robots.begin(), robots.end(), [this](const std::string& robot) {
    std::error_code none;
    return std::filesystem::equivalent(robot, scene_->file, none);
  });
  if (notes.empty() || own) return;
  constexpr std::size_t kMost = 3;
  Message message;
  message.subject = "remarks";
  message.what = fmt::format("The robot's file was read with {} remark{}.", notes.size(),
                             notes.size() == 1 ? "" : "s");
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
  ForgetMessagesOfRun();
  looks_.clear();
  for (const ChannelSpec& spec : scene_->channels)
    looks_.push_back({.model = spec.config.method(), .of_scene = static_cast<int>(looks_.size())});
  NameSeconds();
  solo_ = -1;
  lead_ = 0;
  pending_.clear();
  edits_.clear();
  undo_at_ = 0;
  unlocked_.clear();
  marks_.clear();
  notes_aside_.clear();
  params_changed_ = false;
  DropReference();
  series_.Clear();
  std::vector<std::string> errors;
  lesson_.Start(scene_->lesson, scene_->model.get(), &errors);
  for (std::string& error : errors) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = std::move(error);
    message.where = scene_->file;
    Post(std::move(message));
  }
  status_ = scene_->title;
  loop_ = LoopPhase::kOff;
  // the next scene runs in real time again
  const double speed = staged_ ? scene_->speed : 1;
  if (speed != 1 || paced_) SetSpeed(speed);
  paced_ = speed != 1;
}

bool Session::Reload() { return scene_ == nullptr ? Load(scene_request_) : Load(scene_->file); }

void Session::LoadNeighbour(int offset) {
  const std::vector<std::string> names = ListScenesToTeach();
  if (names.empty()) return;
  const auto here = std::find(names.begin(), names.end(), scene_ == nullptr ? "" : scene_->id);
  const auto count = static_cast<std::ptrdiff_t>(names.size());
  std::ptrdiff_t next = here == names.end() ? 0 : here - names.begin() + offset;
  next = (next % count + count) % count;
  Load(names[static_cast<std::size_t>(next)]);
}

void Session::Seek(double time) {
  Send(slip::Seek{std::clamp(time, snapshot_->history_start,
                             std::max(snapshot_->history_start, snapshot_->history_end))});
}

void Session::SeekMark(int direction) {
  const double time = snapshot_->time;
  const TimeMark* best = nullptr;
  for (const TimeMark& mark : marks_) {
    const double ahead = (mark.time - time) * direction;
    if (ahead <= 1e-9) continue;
    if (best == nullptr || ahead < (best->time - time) * direction) best = &mark;
  }
  if (best != nullptr) Seek(best->time);
}

uint64_t Session::AddNote() {
  TimeMark mark;
  mark.kind = TimeMark::Kind::kNote;
  mark.time = mark.end_time = snapshot_->time;
  mark.note = ++notes_made_;
  mark.branch = snapshot_->branch;
  if (channel_count() > 0) mark.step = frame(0).step;
  marks_.push_back(std::move(mark));
  return notes_made_;
}

const TimeMark* Session::Note(uint64_t number) const {
  const auto found = std::find_if(marks_.begin(), marks_.end(), [number](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kNote && mark.note == number;
  });
  return found != marks_.end() ? &*found : nullptr;
}

void Session::NameNote(uint64_t number, std::string text) {
  for (TimeMark& mark : marks_) {
    if (mark.kind == TimeMark::Kind::kNote && mark.note == number) mark.label = std::move(text);
  }
}

void Session::RemoveNote(uint64_t number) {
  std::erase_if(marks_, [number](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kNote && mark.note == number;
  });
}

// Channels -----------------------------------------------------------------------------------

const ChannelLook& Session::look(int channel) const {
  static const ChannelLook kNone;
  return channel >= 0 && At(channel) < looks_.size() ? looks_[At(channel)] : kNone;
}

std::string Session::ChannelName(int channel) const {
  return ChannelName(channel, look(channel).model);
}

std::string Session::ChannelName(int channel, MethodId model) const {
  int number = 1;
  for (int i = 0; i < channel; ++i) number += look(i).model == model ? 1 : 0;
  const std::string_view label = Info(model).label;
  return number > 1 ? fmt::format("{} {}", label, number) : std::string(label);
}

int Session::StoppedCount() const {
  return static_cast<int>(std::count_if(
      snapshot_->channels.begin(), snapshot_->channels.end(),
      [](const ChannelFrame& frame) { return frame.state != ChannelState::kRunning; }));
}

bool Session::Shown(int channel) const {
  return solo() >= 0 ? channel == solo() : look(channel).visible;
}

int Session::lead() const {
  int lead = Begun(lead_) ? lead_ : 0;
  while (!Begun(lead)) ++lead;
  return lead;
}

void Session::ToggleVisible(int channel) {
  if (channel < 0 || At(channel) >= looks_.size()) return;
  if (solo_ >= 0) {
    solo_ = -1;
    looks_[At(channel)].visible = true;
    return;
  }
  looks_[At(channel)].visible = !looks_[At(channel)].visible;
}

void Session::ToggleSolo(int channel) {
  if (channel < 0 || At(channel) >= looks_.size()) return;
  solo_ = solo_ == channel ? -1 : channel;
}

void Session::SetLead(int channel) {
  if (channel >= 0 && channel < channel_count()) lead_ = channel;
}

void Session::AddChannel(MethodId model) {
  if (channel_count() == 0 || channel_count() >= kMaxChannels || IsOpening()) return;
  Config config = frame(lead_).config;
  config.step.method = static_cast<int>(model);
  solo_ = -1;  // the new one is to be seen
  Send(slip::AddChannel{std::move(config)});
}

void Session::RemoveChannel(int channel) {
  if (channel_count() < 2 || channel < 0 || channel >= channel_count()) return;
  Send(slip::RemoveChannel{channel});
}

void Session::SwitchModel(int channel, MethodId model) {
  SetParam(channel, std::string(kMethodParam), static_cast<double>(model));
}

/// The mirror of the channel list follows the snapshot, which alone knows what the engine accepted.
void Session::SyncLooks() {
  if (snapshot_->channels.empty()) return;
  // Until the engine has taken a new scene over, the list made from its file stands.
  if (!TakenOver()) return;
  while (looks_.size() < snapshot_->channels.size())
    looks_.push_back({.added_as = snapshot_->channels[looks_.size()].config.method()});
  looks_.resize(snapshot_->channels.size());
  for (std::size_t i = 0; i < looks_.size(); ++i)
    looks_[i].model = snapshot_->channels[i].config.method();
  NameSeconds();
  const int last = channel_count() - 1;
  lead_ = std::clamp(lead_, 0, last);
  if (solo_ > last) solo_ = -1;
}

void Session::NameSeconds() {
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    looks_[i].second = false;
    for (std::size_t j = 0; j < i; ++j) {
      if (looks_[j].model == looks_[i].model) looks_[i].second = true;
    }
  }
}

// Messages -----------------------------------------------------------------------------------

void Session::Post(Message message) { log_.Post(std::move(message), now_); }

void Session::Say(std::string sentence) {
  status_ = sentence;
  Message message;
  message.what = std::move(sentence);
  Post(std::move(message));
}

}  // namespace slip::app
