#include "engine/sim/method_list.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/convex/convex_formulation.h"
#include "engine/convex/coulomb_report.h"
#include "engine/core/check.h"
#include "engine/integrators/implicit_euler.h"
#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/runge_kutta.h"
#include "engine/mujoco/mujoco_formulation.h"
#include "engine/ode/ode_formulation.h"
#include "engine/quasi_dynamic/quasi_dynamic.h"

namespace slip {
namespace {

template <class Row, std::size_t kSize, class Id>
const Row& RowOf(const std::array<Row, kSize>& rows, Id id) {
  const auto index = static_cast<std::size_t>(id);
  SLIP_CHECK(index < rows.size());
  return rows[index];
}

// Every method finds contacts and can have its error controlled.
constexpr KnobMask kAnyMethod = knob::kNarrowPhase | knob::kErrorControl;
constexpr KnobMask kAnyLaw = [] {
  KnobMask knobs = 0;
  for (const NormalLawTraits& law : kNormalLaws) knobs |= law.knobs;
  return knobs;
}();

// The rows of the list of tables, group by group; then those of the detector.
std::vector<Param<StepParams>> JoinStepParams() {
  std::vector<Param<StepParams>> rows;
  const auto append = [&](const auto& table) {
    for (const auto& row : table) rows.emplace_back(row);
  };
  std::apply([&](const auto&... table) { (append(table()), ...); }, kStepTables);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return GroupRank(a.info.group) < GroupRank(b.info.group);
  });
  append(DetectionParamTable());
  return rows;
}

// Whether the struct in whose table a parameter stands is a formulation's.
template <class... Part>
bool IsOwn(const ParamInfo& info, std::type_identity<std::tuple<Part...>>) {
  return info.table != nullptr && ((*info.table == typeid(Part)) || ...);
}

// Whether the method reads the parameter's table: those of formulations are read by their methods.
bool ReadsTable(const MethodInfo& method, const ParamInfo& info) {
  return !IsOwn(info, std::type_identity<OwnParts>()) ||
         std::any_of(method.tables.begin(), method.tables.end(), [&](const std::type_info* table) {
           return table != nullptr && *table == *info.table;
         });
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
  return ReadsTable(method, info) && (info.knob == 0 || (info.knob & knobs) != 0);
}

bool Reads(const Config& config, const ParamInfo& info) {
  return Reads(Info(config.method()), info, config.step.part<ConvexParams>().law());
}

bool ReadByAll(const ParamInfo& info) {
  return std::all_of(kMethods.begin(), kMethods.end(),
                     [&](const MethodInfo& method) { return Reads(method, info); });
}

}  // namespace slip
