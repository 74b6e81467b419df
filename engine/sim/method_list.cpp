#include "engine/sim/method_list.h"

#include <algorithm>
#include <vector>

#include "engine/convex/convex_formulation.h"
#include "engine/core/check.h"
#include "engine/integrators/implicit_euler.h"
#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/runge_kutta.h"
#include "engine/quasi_dynamic/quasi_dynamic.h"

namespace slip {
namespace {

/// What each formulation reads beside the common parameters.
constexpr std::array kOwnParams = {&ConvexFormulation::Params, &IntegratorFormulation::Params,
                                   &QuasiDynamic::Params};

template <class Row, std::size_t kSize, class Id>
const Row& RowOf(const std::array<Row, kSize>& rows, Id id) {
  const auto index = static_cast<std::size_t>(id);
  SLIP_CHECK(index < rows.size());
  return rows[index];
}

// Every method finds contacts, and can have its error controlled.
constexpr KnobMask kAnyMethod = knob::kNarrowPhase | knob::kErrorControl;
constexpr KnobMask kAnyLaw = [] {
  KnobMask knobs = 0;
  for (const NormalLawTraits& law : kNormalLaws) knobs |= law.knobs;
  return knobs;
}();

// The common parameters and every formulation's own, group by group; then those of the detector.
std::vector<Param<StepParams>> JoinStepParams() {
  std::vector<Param<StepParams>> rows;
  const auto append = [&](std::span<const Param<StepParams>> table) {
    rows.insert(rows.end(), table.begin(), table.end());
  };
  append(CommonParamTable());
  for (const auto& params : kOwnParams) append(params());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return GroupRank(a.info.group) < GroupRank(b.info.group);
  });
  append(DetectionParamTable());
  return rows;
}

}  // namespace

template <class T>
std::unique_ptr<Formulation> Make() {
  return std::make_unique<T>();
}
template <class T>
void Report(const SolvedStep& step, StepReport* report) {
  T::Report(step, report);
}

std::span<const Param<StepParams>> StepParamTable() {
  static const std::vector<Param<StepParams>> rows = JoinStepParams();
  return rows;
}

std::span<const MethodInfo> Methods() { return kMethods; }
const MethodInfo& Info(MethodId id) { return RowOf(kMethods, id); }
std::span<const std::string_view> MethodIds() { return kMethodIds; }

std::optional<MethodId> FindMethod(std::string_view id) {
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    if (kMethods[i].id == id) return static_cast<MethodId>(i);
  }
  return std::nullopt;
}

const NormalLawTraits& Info(NormalLawId id) { return RowOf(kNormalLaws, id); }
std::span<const std::string_view> NormalLawIds() { return kNormalLawIds; }

bool Reads(const MethodInfo& method, const ParamInfo& info, std::optional<NormalLawId> law) {
  KnobMask knobs = method.knobs | kAnyMethod;
  if (method.takes_law) knobs |= law ? Info(*law).knobs : kAnyLaw;
  return info.knob == 0 || (info.knob & knobs) != 0;
}

bool ReadByAll(const ParamInfo& info) {
  return std::all_of(kMethods.begin(), kMethods.end(),
                     [&](const MethodInfo& method) { return Reads(method, info); });
}

}  // namespace slip
