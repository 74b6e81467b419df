#include "app/session/scene_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "app/session/replay_job.h"
#include "app/session/session.h"
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

SceneFiles::SceneFiles(Session* session, TakeScene take)
    : session_(*session), take_(std::move(take)), foreign_(session), studies_(session) {}
SceneFiles::~SceneFiles() = default;

bool SceneFiles::Update() {
  const bool opening = this->opening();
  UpdateReading();
  UpdateReplay();
  return opening;
}

bool SceneFiles::Load(const std::vector<std::string>& paths) {
  if (paths.empty()) return false;
  if (std::all_of(paths.begin(), paths.end(), ForeignRuns::IsForeign))
    return foreign_.Open({.files = paths});
  return Load(paths.front());
}

bool SceneFiles::Load(const std::string& name_or_path) {
  if (ForeignRuns::IsForeign(name_or_path)) return foreign_.Open({.files = {name_or_path}});
  if (IsExperiment(name_or_path)) return OpenExperiment(name_or_path);
  if (name_or_path.ends_with(".toml") && IsStudyFile(name_or_path)) {
    studies_.Open(name_or_path);
    return true;
  }
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

void SceneFiles::Open(std::shared_ptr<const Scene> scene,
                      std::shared_ptr<const std::vector<RecordedPath>> paths,
                      std::function<void()> begun, std::shared_ptr<std::vector<Track>> tracks) {
  if (paths == nullptr) scene = Staged(std::move(scene));
  StartLoading({std::move(scene), std::move(paths), std::move(tracks)}, std::move(begun));
}

void SceneFiles::PostFileErrors(const ErrorList& errors, const std::string& what,
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
  if (session_.scene() != nullptr) {
    message.advice += (message.advice.empty() ? "" : " ");
    message.advice += "Not loaded; the present scene keeps running.";
  }
  message.actions.push_back({"Reload", [path](Session* s) { s->Load(path); }});
  session_.Post(std::move(message));
}

void SceneFiles::Begin(LoadScene load) {
  const bool was_looping = session_.playback().looping(),
             was_playing = session_.playback().playing();
  const bool recorded = load.paths != nullptr;
  replay_.reset();
  KeepFormer();
  take_(load.scene);
  if (!recorded) PostRemarks();
  session_.Send(std::move(load));
  if (!recorded) session_.playback().BeginLoop();
  if ((was_looping || session_.playback().looping()) && was_playing)
    session_.playback().SetPlaying(true);
}

/// What of somebody's robot was left out or taken for granted, once. The program's own are known.
void SceneFiles::PostRemarks() {
  const bool robot_file = IsRobotFile(session_.scene()->file);
  std::vector<std::string> notes = StartNotes(*session_.scene()->model);
  if (robot_file)
    notes.insert(notes.begin(), session_.scene()->notes.begin(), session_.scene()->notes.end());
  const std::vector<std::string> robots = ListRobots();
  const bool own = std::any_of(robots.begin(), robots.end(), [this](const std::string& robot) {
    std::error_code none;
    return std::filesystem::equivalent(robot, session_.scene()->file, none);
  });
  if (notes.empty() || own) return;
  constexpr std::size_t kMost = 3;
  Message message;
  message.subject = "remarks";
  message.what =
      fmt::format("{} was read with {} remark{}.", robot_file ? "The robot's file" : "The scene",
                  notes.size(), notes.size() == 1 ? "" : "s");
  message.where = session_.scene()->file;
  const auto shown = std::span(notes).first(std::min(notes.size(), kMost));
  message.advice = fmt::format("{}.", fmt::join(shown, ". "));
  if (notes.size() > kMost)
    message.advice += fmt::format(" {} more: slipscope check names all.", notes.size() - kMost);
  session_.Post(std::move(message));
}

/// Asked for before the scene goes: the engine answers in the order of the commands.
void SceneFiles::KeepFormer() {
  former_.reset();
  if (session_.scene() == nullptr || !session_.TakenOver()) return;
  former_ = std::make_shared<std::shared_ptr<const Recording>>();
  session_.experiments().With(
      [former = former_, view = session_.experiments().ViewText()](const auto& told) {
        auto recording = std::make_shared<Recording>(*told);
        recording->view = view;
        *former = std::move(recording);
      });
}

void SceneFiles::ReturnTo(const Former& former) {
  if (former == nullptr || *former == nullptr)
    return session_.Say("What was there before is gone.");
  const Recording& recording = **former;
  BeginReplay(At(recording.branches, recording.present).scene->title, *former);
}

void SceneFiles::LoadNeighbour(int offset) {
  const std::vector<std::string> names = ListScenesToTeach();
  if (names.empty()) return;
  const auto here = std::find(names.begin(), names.end(),
                              session_.scene() == nullptr ? "" : session_.scene()->id);
  const auto count = static_cast<std::ptrdiff_t>(names.size());
  std::ptrdiff_t next = here == names.end() ? 0 : here - names.begin() + offset;
  next = (next % count + count) % count;
  Load(At(names, next));
}

}  // namespace slip::app
