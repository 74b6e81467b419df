// What the one who recorded a run has to say about it: which way its quaternions are written, what
// its poses are of. Keys of meta.json, scalars of an .npz, --foreign-meta KEY=VALUE; the last one
// wins. Beside tables of many runs it is of all of them where its schema says so.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/result.h"

namespace slip {

inline constexpr std::string_view kForeignSchema = "slipscope.foreign/1";

struct ForeignMeta {
  std::string engine;       ///< free text
  std::string schema;       ///< "slipscope.foreign/1", or that of an own run
  std::string model;        ///< of the rows that are meant, where a file has several
  bool xyzw = false;        ///< quaternions: x, y, z, w
  bool order_said = false;  ///< which way they are was said
  bool pose_of_link = false, velocity_of_link = false;  ///< else of the centre of mass
  bool spin_in_body = false;                            ///< angular velocity; else in world axes
  bool y_up = false;                                    ///< else z
  double time_step = kNaN;                              ///< of the engine [s]
  double time_shift = 0;                                ///< added to its times [s]
  std::map<std::string, std::string> names;             ///< theirs to ours
  std::map<std::string, std::string> settings;          ///< of the engine, to be shown

  /// Sets one key; "names.THEIRS" one name, "settings.KEY" one setting. Error: a sentence about key
  /// or value.
  Status Set(const std::string& key, const std::string& value);
};

/// One key of the table.
struct ForeignKey {
  std::string_view name, doc;
  std::vector<std::string_view> choices;  ///< empty: a text, or a number
};
std::span<const ForeignKey> ForeignKeys();

/// "KEY=VALUE" into one; error: what is wrong with it.
Status SetForeignMeta(const std::string& assignment, ForeignMeta* meta);
/// What a meta.json says. One of an own run says nothing that is not the default.
Status ReadForeignMeta(const std::string& path, ForeignMeta* meta);

}  // namespace slip
