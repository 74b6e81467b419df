// Parameters described once. A struct owns its defaults as member initialisers; one table beside it
// owns name, unit, range, scale and doc. Sliders, scene keys, --param, help and CSV headers read
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <typeinfo>
#include <variant>

namespace slip {

enum class Scale { kLinear, kLog, kChoice, kInteger };

/// When a change takes effect: at the next step, only in the next start state, or at once in a new
/// model for all channels, which start again.
enum class Applies { kLive, kRestart, kRebuild };

/// Parameters that not every method reads, a bit each (engine/contact/knobs.h).
using KnobMask = uint32_t;

/// Type-erased description of one parameter. Every value is handled as a double:
/// integers exactly, choices as the index into `choices`.
struct ParamInfo {
  std::string_view name;    ///< id on the command line and in files, e.g. "stiffness"
  std::string_view label;   ///< for people, e.g. "Stiffness"
  std::string_view symbol;  ///< of the papers, UTF-8, e.g. "k"; "_" starts a subscript
  std::string_view unit;    ///< SI, e.g. "N/m"; empty for a pure number
  double min = 0;
  double max = 1;
  Scale scale = Scale::kLinear;
  bool zero = false;         ///< log scale only: 0 is legal too, below `min`
  std::string_view group;    ///< heading in the panel: Time, Contact, Friction, Drive, Solver
  KnobMask knob = 0;         ///< the bit of its readers; 0 = whoever reads its table
  std::string_view doc;      ///< one sentence: meaning
  std::string_view formula;  ///< UTF-8, may be empty
  std::string_view source;   ///< paper and equation or section
  std::span<const std::string_view> choices = {};  ///< kChoice only
  Applies applies = Applies::kLive;
  /// In an experiment that does not name it: such a one was saved before there was this parameter.
  std::optional<double> unnamed = {};
  const std::type_info* table = nullptr;  ///< the struct in whose table it stands; Param sets it

  bool operator==(const ParamInfo& other) const { return name == other.name; }
};

/// One row of a struct's parameter table.
template <class T>
struct Param {
  using Member = std::variant<double T::*, int T::*>;
  ParamInfo info;
  Member member;

  constexpr Param(ParamInfo described, Member described_member)
      : info(described), member(described_member) {
    info.table = &typeid(T);
  }

  double Get(const T& object) const {
    if (const auto* d = std::get_if<double T::*>(&member)) return object.**d;
    return object.*std::get<int T::*>(member);
  }
  void Set(T* object, double value) const {
    if (const auto* d = std::get_if<double T::*>(&member)) {
      object->** d = value;
    } else {
      object->*std::get<int T::*>(member) = static_cast<int>(value);
    }
  }
};

}  // namespace slip
