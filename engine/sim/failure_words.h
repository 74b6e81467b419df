// What is said of a step that did not happen: which body, why, and what to do.
#pragma once

#include <string>

#include "engine/method/step_io.h"

namespace slip {

struct FailureWords {
  std::string cause;   ///< "body 'box': the state became not finite"
  std::string advice;  ///< "try a smaller time step"
};

/// `body` = the culprit, -1 = no single one. `exceeded_step`: the longest stable step of an
/// explicit method that went beyond it [s], else NaN.
FailureWords ExplainFailure(StepStatus status, int body, const Model& model, const Config& config,
                            const StepOutput& output, double exceeded_step);

/// The shortest time step that a channel can be given [s]: a limit below it cannot be kept.
double ShortestTimeStep();
/// What to do where a method was beyond its limit [s]; 0 = it is stable at no step.
std::string AdviceBeyond(double limit);

/// The parameter that lets a refused step pass; empty where it cannot be made. Beyond its limit of
/// stability a method does not recover.
std::string_view AcceptedBy(StepStatus status, double exceeded_step);

}  // namespace slip
