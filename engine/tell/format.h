// Signals and names for people; numbers alone: engine/core/quantity_text.h.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/quantity_text.h"
#include "engine/sim/signals.h"

namespace slip {

/// A signal with its unit; 0 where it is smaller than the signal's noise.
std::string FormatSignal(Signal signal, double value, int digits = 3);

/// The same text for MeasureRich and DrawRich: superscripts become "^{−3}". Mono superscript glyphs
/// are as wide as figures and would stand apart.
std::string AsRich(std::string_view text);

/// A sentence for MeasureRich and DrawRich: the powers of units are raised, all other signs stay.
std::string SentenceRich(std::string_view text);

/// A name as it is: its underscores begin no subscripts.
std::string LiteralRich(std::string_view name);

}  // namespace slip
