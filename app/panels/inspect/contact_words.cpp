#include "app/panels/inspect/contact_words.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/contact/contact_value.h"
#include "engine/sim/measure.h"
#include "engine/tell/format.h"

namespace slip::app {

std::string ModeSentence(std::string_view word) {
  if (word == "limit")
    return fmt::format("limit: it does not slip, and friction gives at least {} % of what it can.",
                       100 * kAtLimit);
  const double share = 100 * kSlipShare;
  if (word == "stick")
    return fmt::format(
        "stick: slower than where the method's friction reaches {:.0f} % of its limit.", share);
  if (word == "slip")
    return fmt::format(
        "slip: faster than where the method's friction reaches {:.0f} % of its limit. Anchored "
        "methods: the anchor slides.",
        share);
  return "open: it carries no load.";
}

std::string RowDetails(const std::string& pair, const ContactFrame& c) {
  std::string text =
      fmt::format("{}\ngap {}   slip {}\nf_n {}   f_t {}", pair,
                  FormatSignal(Signal::kSignedDistance, c.signed_distance),
                  FormatSignal(Signal::kSlipSpeed, c.vt), FormatSignal(Signal::kNormalForce, c.fn),
                  FormatSignal(Signal::kFrictionForce, c.ft));
  if (c.torsional_friction > 0)
    text += fmt::format("   T {}", FormatSignal(Signal::kContactTorque, c.torque));
  if (std::isfinite(c.friction_used))
    text += fmt::format("\nfriction used {:.1f} %", 100 * c.friction_used);
  if (!std::isnan(c.coulomb.offset)) {
    text += "\n";
    if (!std::isnan(c.coulomb.distance))
      text += fmt::format("from Coulomb {}   ",
                          FormatSignal(Signal::kCoulombDistance, c.coulomb.distance));
    text += fmt::format("off its law {}", FormatSignal(Signal::kCoulombOffset, c.coulomb.offset));
    if (c.coulomb.lag > 0)
      text += fmt::format("   lag {}", FormatSignal(Signal::kCoulombLag, c.coulomb.lag));
  }
  text += "\n" + ModeSentence(c.word);
  if (c.friction_off) text += "\nThe lagged normal impulse is zero: friction is off.";
  return text;
}

}  // namespace slip::app
