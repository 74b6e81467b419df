// The table of notes on steps: when each is said, how much there is to say, and its words.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/numbers.h"
#include "engine/tell/step_notes.h"

namespace slip {

/// What a row looks at: a step and the run before it, or the step that it says most of.
struct StepNotes::View {
  const SignalValues& values;
  const StepParams& params;
  int64_t step;  ///< its number
  const StepGuard& guard;
  double smallest;  ///< radius of the smallest body that moves [m]
  double handled;   ///< most energy of motion and springs so far, work, a step's fall [J]
  bool has_links;
  const Seen& seen;
  const Held& held;

  /// Above this share of what the run handles, the energy that a step made is told.
  static constexpr double kToldShare = 1e-6;

  double operator()(Signal signal) const { return At(values, signal); }
  double h() const { return params.time_step; }
  const MethodInfo& method() const { return Info(static_cast<MethodId>(params.method)); }
  /// The step's length over the longest stable one; NaN where none is known.
  double OverLimit() const {
    const View& s = *this;
    const double inner = s(Signal::kInnerStep), limit = s(Signal::kStabilityLimit);
    return (std::isnan(inner) ? h() : inner) / std::max(1e-300, limit);
  }
  /// Energies are sums of large numbers: less than this is nobody's [J].
  double LastBits() const {
    constexpr double kRoundOff = 1e4 * std::numeric_limits<double>::epsilon();
    double sum = 0;
    for (const Signal energy : {Signal::kKineticEnergy, Signal::kPotentialEnergy,
                                Signal::kElasticEnergy, Signal::kOverlapEnergy, Signal::kDriveWork})
      sum = std::fmax(sum, sum + std::abs((*this)(energy)));  // without those that are not known
    return kRoundOff * sum;
  }
  /// Energy that the step made, where that is to be told [J].
  double Made() const {
    // most steps make next to nothing, and are done here
    const double untold = kToldShare * handled;
    return guard.made > untold && guard.made > untold + LastBits() ? guard.made : 0;
  }
  /// The step is longer than is stable.
  bool IsBeyond() const {
    const bool known = !std::isnan((*this)(Signal::kStabilityLimit));
    return known && method().stable_step != nullptr && OverLimit() > 1;
  }
};

struct StepNotes::Row {
  using Phrase = std::string (*)(const View&);
  std::string_view id;
  /// How much there is to say of the step; nothing at 0 or below.
  double (*size)(const View&);
  std::string_view most;  ///< what the step of the largest size has: "the deepest"
  Phrase what, advice = nullptr;
  int in_a_row = 1;  ///< so many steps, one after another, before it is said
  bool elsewhere = false;
  bool names_body = false;
  /// It is of the run up to the last step, which may take it back.
  bool of_run = false;
  bool (*is_little)(const View&) = nullptr;  ///< it need not interrupt anybody
  double (*counts)(const View&) = nullptr;   ///< what is summed over the steps
};

/// In the order in which notes are listed.
std::span<const StepNotes::Row> StepNoteRows();

}  // namespace slip
