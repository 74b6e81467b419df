// From bodies to numbers: the contact problem of one step (engine/README.md section 9, items 1-2).
#pragma once

#include "engine/convex/contact_problem.h"
#include "engine/method/contact_detector.h"
#include "engine/method/step_io.h"

namespace slip {

/// What the models need of a contact material, for this config's step.
ContactStart MakeContactStart(const Config& config, const Material& material);

/// The step's length, contact model and what belongs to no contact.
void SetContactModel(const StepParams& params, ContactProblem* problem);

/// Fills the problem of the step that starts at `state`, and its geometry. Allocates only while
/// the number of contacts grows. `times` may be null.
void BuildProblem(const Model& model, const Config& config, const State& state,
                  ContactDetector* detector, ContactProblem* problem,
                  std::vector<ContactGeometry>* geometry, StageTimes* times = nullptr);

}  // namespace slip
