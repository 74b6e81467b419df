// What lies over a pane: each notes where it is, so that the next one keeps clear of it.
#pragma once

#include <string>

#include "app/plots/creep_distance.h"
#include "app/state/frame_marks.h"
#include "app/state/view_state.h"
#include "app/view/pane.h"

namespace slip::app {

/// From `at` down, the first place for something of that size which no overlay so far covers.
ImVec2 UnderOverlays(const FrameMarks& marks, ImVec2 at, ImVec2 size);

/// Of the scene's instrument in that form [pixels].
ImVec2 InstrumentSize(const Session& session, GapForm form);
/// Decides on the gap instrument and the camera of a pane whose place and request are set.
void FitGap(const Session& session, const ViewState& view, const CameraRig& rig, Pane* pane);
/// The instrument that the scene asks for, in the form that FitGap chose. `magnification` is the
/// one that a click keeps. True when its question was clicked.
bool DrawSceneInstrument(const Session& session, const Pane& pane, bool shows_machine,
                         double* magnification, CreepDistances* creep, FrameMarks* marks);

/// Over a robot, one tag per model; false where numbers beside the arrows do better.
bool DrawModelTags(const Session& session, const Pane& pane, int selected, ModelTags* own,
                   FrameMarks* marks);
/// How many feet of the lead's robot touch the ground; empty without one.
std::string DescribeFeet(const Session& session);
/// Numbers on a stamp-sized picture would hide it.
bool HasRoomForLabels(const Pane& pane);
/// Numbers beside the arrows, clear of other models' bodies. `tagged`: tags per model say what
/// contacts carry. `picked`: the model whose contact or body is selected, or -1.
void DrawForceLabels(const Session& session, const Pane& pane, bool tagged, int picked,
                     const FrameMarks& marks, LabelNumbers* numbers, LabelPlaces* places);
/// At the border, which way other models' bodies have gone out of the picture.
void DrawOutsideSigns(const Session& session, const Pane& pane, FrameMarks* marks);
/// What the pull is bound to, under the readouts of the pane.
void DrawPullHint(const Session& session, const Pane& pane, const Pull& pull, bool under_info,
                  const FrameMarks& marks);
/// Right of the legend: how the lead's robot stands. `left` is where there is room.
void DrawSupportChip(const Session& session, const Pane& pane, float left, FrameMarks* marks);
/// Under the readouts: whose robot has fallen and will not get up.
void DrawFallenSign(const Session& session, const Pane& pane, FrameMarks* marks,
                    Requests* requests);
/// Over the legend, in difference mode: what the colours of the bodies mean.
void DrawDifferenceLegend(const Session& session, const Pane& pane, FrameMarks* marks);
/// Over the legend, while contacts are coloured by it: how far each model is from Coulomb, and how
/// far from its law. `bottom` is where there is room.
void DrawDistanceCard(const Session& session, const Pane& pane, float bottom, FrameMarks* marks);
/// Under the readouts: what of robots is drawn and what collides, while that is shown.
void DrawShapeKey(const Session& session, const Pane& pane, FrameMarks* marks);
/// Which run is drawn as a ghost, under the readout.
void DrawGhostPlate(const Session& session, const Pane& pane, FrameMarks* marks);

}  // namespace slip::app
