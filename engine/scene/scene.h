// A scene as read from its file: the model, the default channels, and what to show and tell.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/pile.h"
#include "engine/scene/scene_number.h"
#include "engine/sim/camera_spec.h"

namespace slip {

struct RobotDescription;

/// Playback speeds that the window offers, and that a scene may open with [simulated over real
/// time]; besides them there is "as fast as possible".
inline constexpr std::array<double, 14> kPlaybackSpeeds = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16};

/// The format of scene files, as their key `schema` names it.
inline constexpr std::string_view kSceneSchema = "slipscope.scene/1";

/// One default channel: the scene's Config with the channel's own values applied.
struct ChannelSpec {
  Config config;                             ///< it starts with these
  std::optional<Config> own = std::nullopt;  ///< the scene's, where the command line changed some

  /// What "reset" goes back to.
  const Config& Own() const { return own ? *own : config; }
};

/// What a card says as long as its condition cannot come true.
struct LessonAdvice {
  std::string when;  ///< engine/sim/expression.h
  std::string say;   ///< at most 30 words
};

/// One lesson card. It turns green when `done_when` (engine/sim/expression.h) becomes true; a
/// prediction asks for an answer first. All texts but titles and answers may have numbers in braces
/// (engine/sim/measured_text.h).
struct LessonCard {
  std::string kind;  ///< predict, observe, explain or try
  std::string title;
  std::string text;       ///< at most 80 words
  std::string formula;    ///< UTF-8, may be empty
  std::string parameter;  ///< path of the slider to show in the card, may be empty
  std::string needs;      ///< id of a method that a build may lack, may be empty
  std::string done_when;  ///< e.g. "max(gliding_offset@similar) < 3e-4 and time_step < 2e-3"
  std::string seen;       ///< sentence shown once green
  std::string hint;
  std::vector<std::string> answers;  ///< of a prediction: what can be chosen, may be empty
  std::string answer;                ///< the right one of them
  std::vector<LessonAdvice> advice;  ///< the first that holds is shown
  std::vector<std::string> hides;    ///< signals of a prediction: not plotted until it is made
};

struct Lesson {
  std::string title;
  int number = 0;  ///< its place in the course, from 1; 0 = it has none
  std::vector<LessonCard> cards;
  std::string teacher_notes;
};

inline constexpr std::size_t kMostNumbers = 3;  ///< of the instrument that shows signals

/// The instrument over the picture; those of gap and rebound in scenes with few bodies.
enum class Instrument : int {
  kGap,           ///< how high each model glides, measured and predicted
  kCreep,         ///< how fast each model creeps where it should stick, measured and predicted
  kRebound,       ///< how fast the first body left the last impact, and the most that it can be
  kConditioning,  ///< condition number and iterations of each model
  kNumbers        ///< Scene::numbers of each model
};

/// A robot as its file has it, before fixed links are merged.
struct SceneRobot {
  std::string name;  ///< in the scene
  std::shared_ptr<const RobotDescription> file;
};

struct Scene {
  std::string id;    ///< file name without .toml
  std::string file;  ///< path it was read from
  std::string text;  ///< of the file
  std::string title;
  std::string story;   ///< one paragraph
  std::string source;  ///< paper and section
  std::vector<std::string> tags;
  std::vector<std::string> notes;      ///< repairs made while reading, e.g. of meshes
  std::vector<SceneRobot> robots;      ///< as many as Model::robots
  std::vector<std::string> made;       ///< of a robot's file alone: what was chosen for it
  bool chose_gains = false;            ///< of motors, from the masses of its joints
  double duration = 2;                 ///< default run length [s]
  std::shared_ptr<const Model> model;  ///< for `config`
  Model base;                          ///< without the piles
  std::vector<Pile> piles;             ///< in the order of Config::piles
  Config config;                       ///< the scene's own values: what "reset" goes back to
  std::vector<std::string> chosen;     ///< parameter paths whose value no paper gives
  std::vector<ChannelSpec> channels;   ///< 1 to 5
  std::vector<std::string> plots;      ///< plot ids, default three
  CameraSpec camera;
  double fan_out = 0;  ///< sideways distance between ghosts [m]
  /// The lead body stands on one spring with an anchor, of whose motion the closed form is drawn.
  bool closed_form = false;
  double speed = 1;  ///< playback speed that the window opens it with, of kPlaybackSpeeds
  Instrument instrument = Instrument::kGap;
  std::vector<SceneNumber> numbers;  ///< of that instrument, at most kMostNumbers
  /// Paths and values of parameters that the window opens the scene with.
  std::vector<std::pair<std::string, double>> opens_with;
  bool loop = false;  ///< the window shows 0 to `duration` again and again, until somebody acts
  Lesson lesson;      ///< may be empty
  /// As its file has it, where this one was changed since (CopyOf); null: this is it.
  std::shared_ptr<const Scene> of_file;

  /// Sets opens_with in the channels, but for what they have changed already: "reset" comes back
  /// to it.
  void Stage();
  /// Error: this config asks for more bodies, or contact points of theirs, than a scene may have.
  Status CheckSize(const Config& for_config) const;
  /// The model with as many bodies as this config asks for; `model` itself when those are the same.
  /// CheckSize comes first.
  std::shared_ptr<const Model> ModelFor(const Config& for_config) const;
};

/// Reads and checks a scene file; all errors at once, each with line, column, key, expectation. A
/// robot's file, *.urdf or *.xml, makes a scene of its own (robot_scene.h).
Result<std::shared_ptr<const Scene>> ReadScene(const std::string& path);
/// The same from text; `name` stands for the file in messages.
Result<std::shared_ptr<const Scene>> ReadSceneText(std::string_view text, const std::string& name);

/// To be changed; it knows what its file had.
std::shared_ptr<Scene> CopyOf(const std::shared_ptr<const Scene>& scene);

/// Over all that the bodies and surfaces of a model are: it differs when a mesh file has changed.
uint64_t Hash(const Model& model);

/// Where scenes/ lives: $SLIPSCOPE_DATA, the source tree, or the installed share folder.
std::string SceneFolder();
/// Names from the folder listing, sorted.
std::vector<std::string> ListScenes();
/// Likewise of those whose steps take too long for a first look, in scenes/large: they are found by
/// their names and stand in no other list.
std::vector<std::string> ListLargeScenes();
/// The same in teaching order: by the number of the lesson, then those without one by name.
std::vector<std::string> ListScenesToTeach();
/// A name from these lists or a path; errors carry a "did you mean".
Result<std::shared_ptr<const Scene>> FindScene(const std::string& name_or_path);

}  // namespace slip
