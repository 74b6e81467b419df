// The scalars of a channel that belong to no body: those that all formulations share, and a struct
// for each formulation that has some of its own.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <type_traits>
#include <typeinfo>

#include "engine/core/params.h"

namespace slip {

/// What more than one formulation reads, or what is done with the steps of all.
struct CommonParams {
  double time_step = 1e-3;         ///< [s]
  int method = 0;                  ///< MethodId
  double gravity = 9.81;           ///< [m/s^2]
  double tilt = 0;                 ///< [rad] gravity leans towards +x by this angle
  double solver_tolerance = 1e-6;  ///< eps_r [-]
  int max_iterations = 100;
  int lost_steps = 0;           ///< steps above kLostResidual: 0 refuse, 1 accept
  int gained_energy = 0;        ///< steps that make energy from nothing: 0 refuse, 1 accept
  int narrow_phase = 0;         ///< NarrowPhaseId: 0 own, 1 libccd
  int error_control = 0;        ///< 0 off, 1 on: the step is made of inner steps
  double accuracy = 1e-3;       ///< of positions [m], [rad]
  int accuracy_of = 0;          ///< 0 of each inner step, 1 of all of a time step together
  int local_extrapolation = 0;  ///< 0 the halves are the result, 1 twice them less the whole
  double min_step = 1e-9;       ///< [s]
  int max_inner = 10000;        ///< attempts per step

  bool operator==(const CommonParams&) const = default;
};

/// The formulations' own parameters: one plain struct each, in the formulation's folder. This room
/// knows none of them: sim/method_list.h lists their tables, and sim/formulation_params.cpp says
/// where they stand in here. A value without memory of its own.
class FormulationParams {
 public:
  /// Every struct with its defaults.
  FormulationParams();
  bool operator==(const FormulationParams& other) const;

  /// Part is one of the list, or the program ends.
  template <class Part>
  const Part& Get() const {
    return *std::launder(reinterpret_cast<const Part*>(bytes_.data() + PlaceOf<Part>()));
  }
  template <class Part>
  Part& Get() {
    return *std::launder(reinterpret_cast<Part*>(bytes_.data() + PlaceOf<Part>()));
  }

  static constexpr std::size_t kBytes = 384;

 private:
  static std::size_t Place(const std::type_info& part);
  template <class Part>
  static std::size_t PlaceOf() {
    static const std::size_t place = Place(typeid(Part));
    return place;
  }

  alignas(double) std::array<std::byte, kBytes> bytes_{};
};

/// All of a channel.
struct StepParams : CommonParams {
  FormulationParams formulations = {};

  /// The parameters of one formulation: part<ConvexParams>().
  template <class Part>
  const Part& part() const {
    return formulations.Get<Part>();
  }
  template <class Part>
  Part& part() {
    return formulations.Get<Part>();
  }
  bool operator==(const StepParams&) const = default;
};

/// A row of the tables of StepParams as one: of the common parameters or of a formulation's.
template <>
struct Param<StepParams> {
  template <class Part>
  explicit Param(const Param<Part>& row)
      : info(row.info), row_(&row), get_(&Read<Part>), set_(&Write<Part>) {}

  double Get(const StepParams& params) const { return get_(row_, params); }
  void Set(StepParams* params, double value) const { set_(row_, params, value); }

  ParamInfo info;

 private:
  template <class Part, class Params>
  static auto& PartOf(Params& params) {
    if constexpr (std::is_base_of_v<Part, StepParams>) {
      return params;
    } else {
      return params.template part<Part>();
    }
  }
  template <class Part>
  static double Read(const void* row, const StepParams& params) {
    return static_cast<const Param<Part>*>(row)->Get(PartOf<Part>(params));
  }
  template <class Part>
  static void Write(const void* row, StepParams* params, double value) {
    static_cast<const Param<Part>*>(row)->Set(&PartOf<Part>(*params), value);
  }

  const void* row_;
  double (*get_)(const void* row, const StepParams& params);
  void (*set_)(const void* row, StepParams* params, double value);
};

}  // namespace slip
