// The list of measurable quantities of a channel, of its joints, feet and bodies. One row in
// signals.cpp names, documents and reads each; plots, --expect, metrics and lessons read this list.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "engine/core/numbers.h"

namespace slip {

/// Order of the table in signals.cpp. "Contact" signals of a channel with several contacts are the
/// sum of forces, and otherwise the value at the contact that carries the largest normal force.
enum class Signal : int {
  kNormalForce,
  kFrictionForce,
  kSignedDistance,
  kSupportForce,
  kPenetration,
  kMeanPenetration,
  kMeanOverlap,
  kNormalVelocity,
  kSlipSpeed,
  kImpactSpeed,
  kGlidingOffset,
  kGlidingPredicted,
  kCreepPredicted,
  kStictionTolerance,
  kMeanStictionTolerance,
  kMaxStictionTolerance,
  kEffectiveStiffness,
  kEffectiveDissipation,
  kEffectiveDamping,
  kFrictionUsed,
  kBeltSpeed,
  kIterations,
  kInteriorPointIterations,
  kFallbacks,
  kLineSearchIterations,
  kMomentumResidual,
  kInverseDynamicsResidual,
  kConditionNumber,
  kConditionNumberRaw,
  kCost,
  kIslands,
  kLargestIsland,
  kContacts,
  kSticking,
  kSlipping,
  kWithoutFriction,
  kKineticEnergy,
  kPotentialEnergy,
  kElasticEnergy,
  kMechanicalEnergy,
  kDriveWork,
  kFrictionDissipation,
  kDampingDissipation,
  kNumericalDissipation,
  kPositionX,
  kPositionZ,
  kVelocityX,
  kVelocityZ,
  kPitch,
  kPitchRate,
  kTimeStep,
  kStabilityLimit,
  kConverged,
  kStepTimeUs,
  kDetectionTimeUs,
  kAssemblyTimeUs,
  kSolveTimeUs,
  kMeasureTimeUs,
  kTimedStepUs,
  kInnerSteps,
  kRejectedSteps,
  kInnerStep,
  kSmallestInnerStep,
  kInnerError,
  kFloorSteps,
  kSolveRate,
  kTiltAngle,
  kRise,
  kFrictionBudget,
  kContactTorque,
  kFallen,
  kGlidingOverStep,
  kOverlapEnergy,
  kLeftOverlap,
  kNearRigidOverlap,
  kImpactSteps,
  kImpactRestitution,
  kLinearMomentum,
  kTurnPerStep,
  kCoulombDistance,
  kCoulombRelative,
  kCoulombOffset,
  kCoulombLag,
  kConeExcess,
  kDissipationDeficit,
  kBeyondCone,
  kKinematicsTimeUs,
  kLinearTimeUs,
  kIntegralsTimeUs,
  kLineTimeUs,
  kDistancesTimeUs,
  kSortingTimeUs,
  kUnknowns,
  kProgramRows,
  kPointsChecked,
  kCount
};
inline constexpr int kSignalCount = static_cast<int>(Signal::kCount);
using SignalValues = std::array<double, kSignalCount>;

/// What has signals of its own: a joint with one coordinate, a foot of a robot, or a free body.
enum class SignalPart : int { kTurningJoint, kSlidingJoint, kFoot, kBody };
inline constexpr std::size_t kPartSignals = 4;  ///< of each of them

/// A signal of a part is a Signal, too, above those of the enum: it holds its row and its
/// place (part_signals.h).
inline constexpr int kPlaceBits = 20;
/// Among all values of a step: those of the enum, of joints, of feet, of bodies.
constexpr int Place(Signal id) { return static_cast<int>(id) & ((1 << kPlaceBits) - 1); }
constexpr bool IsOfEnum(Signal id) { return Place(id) < kSignalCount; }

struct StepView;  // step_view.h: what a step measured

struct SignalInfo {
  Signal id;
  double (*read)(const StepView&);  ///< kNaN where there is none
  std::string_view name;            ///< "gliding_offset"
  std::string_view label;           ///< "Gliding offset"
  std::string_view symbol;          ///< UTF-8, e.g. "f_n"
  std::string_view unit;            ///< SI; empty for a pure number
  double noise;  ///< smaller sizes say nothing and read 0 on a screen [unit]; files keep
                 ///< every figure
  std::string_view doc;
  bool log_axis;          ///< natural scale of a plot
  bool is_count = false;  ///< a whole number
  bool is_wall = false;   ///< a wall time: the same run gives another one
};

std::span<const SignalInfo> SignalTable();
/// The rows of a part; their ids lack the place.
std::span<const SignalInfo> PartSignals(SignalPart part);
/// Name and label are without the part.
const SignalInfo& Info(Signal id);
/// The value as a screen shows it: 0 where it is smaller than the signal's noise. NaN stays NaN.
double AboveNoise(Signal id, double value);
/// Of the enum; null when there is none of that name.
const SignalInfo* FindSignal(std::string_view name);

}  // namespace slip
