// Methods: what a channel can run. Behind -m, @sap in expressions, chips and help. The list of them
// is sim/method_list.h.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <typeinfo>

#include "engine/contact/normal_law.h"
#include "engine/core/params.h"

namespace slip {

class Formulation;

/// Which common parameters not every method reads; the other bits are in contact/knobs.h.
namespace knob {
inline constexpr KnobMask kNarrowPhase = 1 << 16;
inline constexpr KnobMask kErrorControl = 1 << 17;  // of every method, while errors are controlled
inline constexpr KnobMask kOutOfPlane = 1 << 18;    // turns bodies, where they leave a plane
inline constexpr KnobMask kNewton = 1 << 19;        // solves by Newton's method
inline constexpr KnobMask kIterations = 1 << 20;    // solves by iterations of whatever kind
inline constexpr KnobMask kBalance = 1 << 21;       // has the energy of its steps judged
inline constexpr KnobMask kImpedance = 1 << 22;     // its joints are springs
inline constexpr KnobMask kLostSteps = 1 << 23;     // refuses steps whose solve came to nothing
inline constexpr KnobMask kMinimum = 1 << 24;       // its step is a minimum that is searched for
}  // namespace knob

/// Place in Methods(): a channel's identity.
enum class MethodId : int {};

/// Longest step at which a method integrates ẍ = −c ẋ − k x stably [s]; c [1/s], k [1/s^2].
using StableStep = double (*)(double c, double k);

// step_report.h
struct SolvedStep;
struct StepReport;
/// Fills the report, which is empty (step_report.h).
using ReportStep = void (*)(const SolvedStep& step, StepReport* report);

/// What the steps of a method are made of. Who differs by it compares with one of these:
/// engine/method/README.md says where to look.
enum class Family : int {
  kOther,     ///< none of these: a new formulation
  kConvex,    ///< contact impulses are a minimum
  kAnchored,  ///< contacts are springs and dampers with anchors
  kProgram,   ///< every step starts from rest and solves one quadratic program
  kEngine     ///< another program computes the steps
};

/// Structs with parameters of a formulation (step_params.h): those whose tables a method reads.
using OwnTables = std::array<const std::type_info*, 3>;
template <class... Part>
inline constexpr OwnTables kTablesOf = {&typeid(Part)...};

/// What a person sees of a method, and what the rest of the engine must know of it.
struct MethodInfo {
  std::string_view id;           ///< of -m: "lagged-regularized"
  std::string_view label;        ///< "Regularised Lagged"
  std::string_view doc;          ///< one sentence
  std::string_view gap_formula;  ///< gap while sliding, rich text: "φ = μ δt |v_t|"
  std::string_view source;
  std::unique_ptr<Formulation> (*make_formulation)() = nullptr;  ///< what computes its steps
  /// Why it cannot run in this build, a phrase: null or empty = it can.
  std::string_view (*missing)() = nullptr;
  /// Of the engine that computes its steps, "2.2.2": null = they are our own.
  std::string_view (*version)() = nullptr;
  ReportStep report = nullptr;  ///< what is told of its steps
  Family family = Family::kOther;
  int contact_model = -1;  ///< of the convex formulation: place in ContactModelList
  bool glides = false;     ///< has a gliding offset while sliding
  bool takes_law = false;  ///< its normal force is that of a normal law
  OwnTables tables = {};   ///< beside those that all methods read
  KnobMask knobs = 0;      ///< of these tables what it reads, but for a normal law's
  /// Of a method of springs and dampers that becomes unstable; null = stable at any step.
  StableStep stable_step = nullptr;

  std::string_view WhyMissing() const { return missing != nullptr ? missing() : ""; }
};

/// Name of the parameter that holds a channel's MethodId.
inline constexpr std::string_view kMethodParam = "method";

/// In the order of the user interface.
std::span<const MethodInfo> Methods();
const MethodInfo& Info(MethodId id);
/// Ids of all methods, in the order of Methods().
std::span<const std::string_view> MethodIds();
std::optional<MethodId> FindMethod(std::string_view id);

enum class NormalLawId : int { kHuntCrossley, kHertz, kKelvinVoigt, kLogBarrier, kIpcBarrier };
const NormalLawTraits& Info(NormalLawId id);
std::span<const std::string_view> NormalLawIds();

/// Does the method read this parameter, with this law or (without one) with any.
bool Reads(const MethodInfo& method, const ParamInfo& info, std::optional<NormalLawId> law = {});

bool ReadByAll(const ParamInfo& info);

}  // namespace slip
