// What a plan asks for and its methods leave out: told beside a run, which goes on all the same.
#pragma once

#include <string>
#include <vector>

#include "engine/run/study/run_plan.h"

namespace slip {

/// One sentence, without a full stop, for each thing that the scene or an assignment sets and a
/// channel's method ignores: torsional friction where contacts spin freely, start velocities where
/// every step starts from rest, and contacts between clouds. Besides, bodies of files that are
/// likely in millimetres. Channels are named by RunPlan::labels. Empty = nothing.
std::vector<std::string> PlanNotes(const RunPlan& plan);

/// Of those what is so whatever the plan: joints that follow others and start outside of their own
/// limits.
std::vector<std::string> StartNotes(const Model& model);

}  // namespace slip
