// Where a value sits on its slider. Pure functions: tested without a screen.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/params.h"
#include "engine/core/result.h"
#include "engine/tell/format.h"

namespace slip::app {

/// Width of the zero detent at the left end of a log slider that may also be 0.
inline constexpr double kZeroDetent = 0.06;

/// True when the slider works in decades: log parameters, and integers over two decades or more.
bool IsLogSlider(const ParamInfo& info);
/// Position in [0, 1]; values outside the range stay at the ends.
double SliderPosition(const ParamInfo& info, double value);
/// Value at a position; integers and choices are rounded.
double SliderValue(const ParamInfo& info, double position);
/// Like SliderValue, rounded to figures that a hand can mean: three significant ones.
double SliderDragValue(const ParamInfo& info, double position);
/// The value as the row and its tool tip show it: with unit and prefix, integers without decimals.
QuantityText SplitParam(const ParamInfo& info, double value);
std::string FormatParam(const ParamInfo& info, double value);  ///< choices by their names

/// Text typed into a box that shows `shown` [SI]; a bare number means the unit in the box. Errors:
/// not a number, a unit that does not fit, a value that the parameter cannot take.
Result<double> ParseTyped(const ParamInfo& info, double shown, std::string_view text);

/// What typed text will be taken for.
struct TypedMeaning {
  bool valid = false;
  std::string text;   ///< "= 100 GN/m", or what is wrong
  std::string note;   ///< of a bare number: the unit it is taken in; may be empty
  bool bare = false;  ///< a number without unit
};
TypedMeaning ReadTyped(const ParamInfo& info, double shown, std::string_view text);

/// One nudge: 1/20 decade or 1 % of the range; `fine` a tenth of it; integers at least 1.
/// direction is -1 or +1. Steps into and out of the zero detent.
double NudgeValue(const ParamInfo& info, double value, int direction, bool fine);

}  // namespace slip::app
