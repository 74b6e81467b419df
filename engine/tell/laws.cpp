#include "engine/tell/laws.h"

#include "engine/contact/knobs.h"

namespace slip {

std::string_view CreepFormula(const MethodInfo& method) {
  // what it reads says how its friction is regularised
  if ((method.knobs & knob::kStictionTolerance) != 0) return "v = v_s r/√(1 − r²)";
  if ((method.knobs & knob::kFrictionRegularization) != 0) return "v = σ w δt f_t";
  if (method.family == Family::kEngine) return "v = f_t/(c impratio)";
  return "sticks";
}

}  // namespace slip
