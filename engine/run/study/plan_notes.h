// What is told beside a run, which goes on all the same: what its plan asks for and its methods
// leave out, and what its steps and parameters came to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/run/study/run_plan.h"

namespace slip {

struct PlanNote {
  std::string_view id;  ///< "torsion_ignored"
  int channel = -1;     ///< -1 = it is of the scene
  std::string text;     ///< a sentence without its full stop
};

/// What was chosen for a robot's file alone, and one for each thing that the scene or an assignment
/// sets and a channel's method ignores: torsional friction where contacts spin freely, start
/// velocities where every step starts from rest, and contacts between clouds. Besides, bodies of
/// files that are likely in millimetres.
std::vector<PlanNote> PlanNotes(const RunPlan& plan);

/// What its run says of a channel, one of each kind; of the parameters what is not said of the
/// steps.
std::vector<ToldNote> NotesOf(const RunPlan& plan, std::size_t channel,
                              const ChannelResult& result);

/// Texts of all that meta.json lists of a channel: of the scene, of what its plan asks for, of its
/// run.
std::vector<std::string> NoteTexts(const RunPlan& plan, std::size_t channel,
                                   const ChannelResult& result);

/// Of PlanNotes what is so whatever the plan: joints that follow others and start outside of their
/// own limits.
std::vector<std::string> StartNotes(const Model& model);

}  // namespace slip
