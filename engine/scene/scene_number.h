// A number that a scene names for its instrument: a signal, or what is worked out of several.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/sim/expression.h"

namespace slip {

struct Model;

struct SceneNumber {
  std::string label;             ///< heading of its column; of a signal empty
  std::string unit;              ///< SI; empty for a pure number
  std::string shown_unit;        ///< always in this one ("mm"); empty: in what suits its size
  double shown_scale = 1;        ///< SI per shown_unit
  std::optional<Signal> signal;  ///< it is this one, as it is now
  Expression value;              ///< else; "@" is left out for the model of the row
};

/// Reads "fallen", or "gone [m] = last(position_x) - 0.1 m": a label, a unit where the expression
/// has none of its own or all values are to be in that one, and an expression
/// (engine/sim/expression.h).
Result<SceneNumber> ReadSceneNumber(std::string_view text, const Model& model);

}  // namespace slip
