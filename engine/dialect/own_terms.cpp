// A contact in the terms of our own models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/contact/equivalent.h"
#include "engine/core/param_text.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"
#include "engine/export/contact_terms.h"
#include "engine/method/config.h"
#include "engine/method/methods.h"

namespace slip {
namespace {

template <class T>
const ParamInfo* FindInfo(std::span<const Param<T>> table, std::string_view name) {
  for (const Param<T>& param : table)
    if (param.info.name == name) return &param.info;
  return nullptr;
}

/// Where a value leaves the range of its knob.
std::string TellRange(const ParamInfo* info, double value) {
  if (info == nullptr || (value >= info->min && value <= info->max) || (info->zero && value == 0))
    return {};
  return fmt::format("outside its range, {} to {}", FormatNumber(info->min),
                     FormatNumber(info->max));
}

void WriteOwn(DialectWriter* rows, const ParamInfo* info, std::string name, double value,
              std::string keeps, Exactness exactness, std::string note) {
  const std::string range = TellRange(info, value);
  const std::string both = range.empty() ? note : note.empty() ? range : range + "; " + note;
  rows->Number(std::move(name), value, info != nullptr ? std::string(info->unit) : "",
               std::move(keeps), exactness, both);
}

}  // namespace

DialectRows ToSlipscope(const DialectContact& contact) {
  DialectWriter rows("slipscope");
  const auto material = [&](const char* name, double value, const char* keeps, Exactness exactness,
                            std::string note = {}) {
    WriteOwn(&rows, FindInfo(MaterialTable(), name), name, value, keeps, exactness,
             std::move(note));
  };
  const auto step = [&](const char* name, double value, Exactness exactness, std::string note) {
    WriteOwn(&rows, FindInfo(StepParamTable(), name), name, value, "C", exactness, std::move(note));
  };
  const Exactness law = contact.force_bends ? Exactness::kAtLoad : Exactness::kExact;
  if (!contact.k) {
    rows.Lost("stiffness", "rigid: anitescu is nearest, with no spring at all");
  } else {
    const double k = *contact.k, m = 1 / contact.inverse_mass;
    material("stiffness", k, "R I", law,
             "of the contact: two alike bodies have twice as much each");
    material("relaxation_time", contact.c / k, "I", law, "of the contact; sap");
    material("damping", contact.c, "I", law, "of the contact; methods with anchors");
    const double e = CalcTouchDampingRestitution(contact.c / k, k, m);
    const bool own = contact.dissipation > 0;
    if (own || (e > 0 && e <= 1))
      material("dissipation",
               own ? contact.dissipation : CalcHuntCrossleyDissipation(e, kImpactSpeed), "I",
               own ? Exactness::kExact : Exactness::kAtSpeed,
               own ? "lagged, similar"
                   : fmt::format("lagged, similar: {:.3g} is left of {}", e,
                                 FormatQuantity(kImpactSpeed, "m/s", 2)));
  }
  material("friction", contact.friction, "L", Exactness::kExact);
  if (contact.torsion > 0) material("torsional_friction", contact.torsion, "L", Exactness::kExact);
  if (!contact.c_t) {
    rows.Word("creep", "none", "C", "as exponential, implicit-euler and quasi-dynamic have it");
    return rows.Take();
  }
  const double sigma = 1 / (contact.w * contact.time_step * *contact.c_t);
  step("friction_regularization", sigma, Exactness::kAtStep, "sap");
  const double limit = contact.friction * contact.fn;
  const double r = limit > 0 && !contact.slides ? contact.ft / limit : 0;
  if (r < 1)
    step("stiction_tolerance", limit * std::sqrt(1 - r * r) / *contact.c_t, Exactness::kAtLoad,
         "lagged, similar");
  if (!contact.slides) rows.Number("creep", CalcCreep(contact), "m/s", "C", Exactness::kAtLoad);
  return rows.Take();
}

}  // namespace slip
