// A resolved scene in the words of other programs. Pure functions: what a scene is goes in, the
// text of a file comes out, with a list of all that the other format cannot say.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

/// What a format leaves out, or says in another way.
enum class LossId : int {
  kSurface,        ///< half-spaces
  kBelt,           ///< their motion
  kMotion,         ///< joints that it does not have
  kContactLaw,     ///< normal law and regularised friction
  kStiffness,      ///< a contact stiffer than its steps can be
  kDamping,        ///< of contacts, right at one speed only
  kCreep,          ///< slip of a contact that sticks
  kCombining,      ///< of two materials
  kContactPoints,  ///< points without size
  kPointCloud,
  kMesh,     ///< one that is not convex
  kCapsule,  ///< made of other shapes
  kLimits,   ///< of joints
  kFollower,
  kJointFriction,
  kArmature,
  kMotor,
  kTargetPath,
  kController,
  kPush,
  kWeightless,
  kSelfCollision,
  kStart,  ///< positions and velocities
  kStartOffset,
  kWorld,  ///< gravity, time step
  kInertia,
  kFilter,  ///< who touches whom
  kName,
  kFrame,
};

/// Id of a kind of loss: "belt".
std::string_view Name(LossId id);

/// One sentence, and what it is true of.
struct ExportLoss {
  LossId id = LossId::kSurface;
  std::string text;
  std::vector<std::string> names;

  /// "text: a, b and 3 more".
  std::string Line() const;
};

/// The contact at whose load parameters are translated that depend on it.
struct ExportLoad {
  int surface = -1, body_a = -1, body = 0;  ///< as in ContactFrame
  double normal_force = 0;                  ///< [N]
  double w = 0;                             ///< inverse mass that our models see [1/kg]
};

struct ExportInput {
  const Model& model;
  const Config& config;
  const State& start;
  std::string name;                     ///< of the scene
  std::string stem;                     ///< what names of files beside begin with
  std::optional<ExportLoad> load = {};  ///< none = nothing is in contact
  bool contacts = true;  ///< their parameters are translated; else those of the other program hold
};

/// Written beside the text, which names it.
struct ExportFile {
  std::string name, text;
};

struct Export {
  std::string text;
  std::vector<ExportFile> meshes;
  std::vector<ExportLoss> losses;
};

struct ExportFormat {
  std::string_view id;     ///< of --to
  std::string_view label;  ///< "MJCF"
  std::string_view doc;
  std::string_view extension;  ///< ".xml"
  Export (*write)(const ExportInput& input);
};

/// THE TABLE of formats, in the order of the help.
std::span<const ExportFormat> ExportFormats();
/// Null when there is none of that id.
const ExportFormat* FindExportFormat(std::string_view id);

Export WriteMjcf(const ExportInput& input);
Export WriteUrdf(const ExportInput& input);
Export WriteSdf(const ExportInput& input);

}  // namespace slip
