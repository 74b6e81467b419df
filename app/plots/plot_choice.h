// What a plot shows: a signal over time, against another signal, or how often it had which value.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/dynamics/contact_key.h"
#include "engine/dynamics/model.h"
#include "engine/sim/signals.h"

namespace slip::app {

enum class PlotKind : int { kTime, kAgainst, kHistogram };

struct PlotChoice {
  Signal signal = Signal::kNormalForce;
  PlotKind kind = PlotKind::kTime;
  Signal against = Signal::kSlipSpeed;  ///< on the x axis of PlotKind::kAgainst
  ContactKey contact = -1;  ///< of one contact alone (ContactCurves::Signals); -1 = of the channel
};

/// As files and command lines write it: "friction_force", "friction_force@slip_speed",
/// "friction_force@histogram"; of one contact "friction_force#12".
std::string NameOf(const Model& model, const PlotChoice& choice);
/// Error: a sentence about an unknown name.
Result<PlotChoice> PlotNamed(const Model& model, std::string_view name);
/// As the window writes it: "Friction force against Slip speed".
std::string LabelOf(const Model& model, const PlotChoice& choice);

}  // namespace slip::app
