// A joint's row: name, position and target over a track between its limits, rate and force over a
// bar.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/kit/widgets.h"

namespace slip::app {

/// Places in a row, in pixels from its left end.
struct JointColumns {
  float name = 0, track = 0, track_end = 0, bar = 0, bar_end = 0;
  float rate_end = 0;  ///< 0 = no room for rates
};
/// Tracks of 120 and bars of 112 design pixels where names of this width [px] leave the room.
JointColumns ArrangeJointColumns(float width, float longest_name);

/// What a row shows. Angles [rad] or lengths [m], torques [N m] or forces [N].
struct JointReading {
  std::string_view id;    ///< "joints/solo/FL_HFE"
  std::string_view name;  ///< as shown
  ParamInfo target_info;  ///< of the target, whose range is that of the track
  double position = 0, force = 0;
  double target = 0;  ///< NaN = none: no knob
  /// The same as numbers, which may be those of a moment before.
  double written_position = 0, written_rate = 0, written_force = 0, written_target = 0;
  bool lower_limit = false, upper_limit = false;  ///< the ends of the track are limits
  double full_force = 1;                          ///< at the ends of the bar
  int force_decimals = 2;
  bool force_limited = false;  ///< they are limits
  ImU32 colour = 0;            ///< of what is measured
  bool selected = false;
  std::string_view tooltip;
};

struct JointRowResult {
  std::optional<double> target;  ///< changed in this frame
  bool hovered = false, clicked = false;
};

/// 38 design pixels high. The knob is dragged; a double click on the numbers types the target.
/// Registers "<id>", "<id>/track" and "<id>/value".
JointRowResult JointRow(const JointReading& joint, const JointColumns& columns);

/// "▾ measured  ◉ target, drag it  | limit"; without targets nothing is said of them.
void JointLegend(ImU32 colour, bool targets);

}  // namespace slip::app
