// The keys of scene files as data. A reader names a key by its row, and a key without a row does
// not compile; errors suggest from the same rows, and `slipscope list keys` prints them. The rows
// are in top_keys.h, body_keys.h, robot_keys.h and lesson_keys.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/method/config.h"

namespace slip {

namespace key_limits {

/// Positions and lengths beyond it are slips of the pen [m].
inline constexpr double kFar = 1e3;
inline constexpr double kFast = 1e3;  ///< likewise speeds [m/s], [rad/s]
inline constexpr double kHuge = 1e9;  ///< masses, densities, moments of inertia

}  // namespace key_limits

enum class KeyKind {
  kNumber,  ///< or a text with a unit
  kWhole,
  kText,
  kFlag,
  kVector,  ///< three numbers
  kTexts,   ///< a list of them
  kChoice,
  kOther  ///< SceneKey::form says what
};

/// Limits of a number.
struct Range {
  double min;
  double max;
  bool open_min = false;  ///< min itself is not allowed
};

struct SceneKey {
  std::string_view name;
  KeyKind kind = KeyKind::kOther;
  std::string_view unit = {};  ///< SI, of its numbers
  /// Of a number; of a vector `max` is the largest size of a component.
  Range range = {-kInfinity, kInfinity};
  std::span<const std::string_view> choices = {};
  std::string_view form = {};       ///< how the value is written, where the kind does not say it
  std::string_view otherwise = {};  ///< what holds without the key, as a file would say it
  bool needed = false;              ///< always; what single kinds of values need is in `doc`
  std::string_view doc;
};

/// The row of a key. One that is not there does not compile.
consteval const SceneKey& RowOf(std::span<const SceneKey> rows, std::string_view name) {
  for (const SceneKey& row : rows) {
    if (row.name == name) return row;
  }
  throw "no such key";
}

/// A row of a parameter table that a section reads, too.
struct SceneParam {
  const ParamInfo* info;
  const ParamInfo* other;  ///< the same parameter of things that have it in another unit
  double otherwise;        ///< its default
};

/// One kind of table in a scene file.
struct SceneSection {
  std::string_view name;               ///< "[body.NAME]"; of the keys before all tables "(top)"
  std::span<const SceneKey> keys;      ///< its own
  const SceneSection* like = nullptr;  ///< it has the keys of this one, too
  std::vector<SceneParam> (*params)() = nullptr;  ///< and these parameters

  bool Has(std::string_view key) const;
  /// Names of all keys and parameters.
  std::vector<std::string_view> Names() const;
  /// What a key means; empty where there is none.
  std::string DocOf(std::string_view key) const;
};

/// In the order in which a person would write them.
std::span<const SceneSection* const> SceneSections();

/// The parameters of a struct that a scene file sets by their names alone.
template <class T>
std::span<const Param<T>> SceneParamTable() {
  if constexpr (std::is_same_v<T, StepParams>) return StepParamTable();
  if constexpr (std::is_same_v<T, Material>) return MaterialTable();
  if constexpr (std::is_same_v<T, SurfaceDrive>) return SurfaceTable();
  if constexpr (std::is_same_v<T, PileDrive>) return PileTable();
  if constexpr (std::is_same_v<T, PushDrive>) return PushTable();
  // the first row is what a key of its own says: the targets, and the controller
  if constexpr (std::is_same_v<T, JointDrive>) return JointTable().subspan(1);
  if constexpr (std::is_same_v<T, RobotDrive>) return RobotTable().subspan(1);
}

/// The same as SceneSection::params.
template <class T>
std::vector<SceneParam> ListSceneParams() {
  const std::span<const Param<T>> rows = SceneParamTable<T>();
  std::span<const Param<T>> others = rows;
  if constexpr (std::is_same_v<T, JointDrive>) others = JointTable(true).subspan(1);
  std::vector<SceneParam> list;
  for (std::size_t i = 0; i < rows.size(); ++i)
    list.push_back({&rows[i].info, &others[i].info, rows[i].Get(T())});
  return list;
}

}  // namespace slip
