// Every panel of the window. A panel reads the session and the state, draws its region, writes its
// own part of the state, and asks for actions (Queue) and changes of the session (Requests); it
// keeps nothing of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/kit/data_table.h"
#include "app/panels/record.h"
#include "app/view/pane.h"
#include "app/view/ui.h"

namespace slip::app {

struct FrictionLoad;  // kit/widgets.h

/// A window without frame that covers `rect`; false (and nothing to end) when it is empty.
bool BeginRegion(const char* id, const Rect& rect, ImVec2 padding, Token fill,
                 ImGuiWindowFlags flags = 0);
void EndRegion();

/// Whether a toggle is on, for the check mark in the menu. Not a toggle: false.
bool IsOn(const Ui& ui, Action action);
/// Why the action cannot be done now; null when it can.
const char* WhyDisabled(const Ui& ui, Action action);

// Regions, in drawing order.
void DrawMenuBar(Ui* ui);
void DrawToolBar(Ui* ui);
void DrawLeft(Ui* ui);
void DrawView(Ui* ui, double dt);
void DrawRight(Ui* ui);
void DrawPlots(Ui* ui);
void DrawTimeLine(Ui* ui);
void DrawStatusBar(Ui* ui);

// Contents of tabs, inside a scrolling child.
void DrawLesson(Ui* ui);
void DrawParameters(Ui* ui);
void DrawJoints(Ui* ui);
void DrawBranches(Ui* ui);
void DrawInspect(Ui* ui);  ///< tab strip and the chosen one
/// Into the plot that shows it already, or else into the last one.
void ShowPlot(Ui* ui, const PlotChoice& choice);
void DrawContacts(Ui* ui);
void DrawSolver(Ui* ui);
void DrawBody(Ui* ui);
void DrawCompare(Ui* ui);
void DrawFeet(Ui* ui);
/// Some robot has feet.
bool HasFeet(const Ui& ui);

/// Sets targets of joints by their paths: of the channel, or of all where one is for all. One step
/// of undo.
void SetJointTargets(Ui* ui, int channel,
                     const std::vector<std::pair<std::string, double>>& targets);

/// Whether the channel's steps are quasi-dynamic.
bool IsQuasiDynamic(const ChannelFrame& frame);
/// Some channel's steps choose points of a cloud.
bool HasChosenPoints(const Session& session);
FrictionLoad LoadOf(const ContactFrame& contact, const ChannelStyle& style, double time_step);
/// From this share on a contact that sticks is said to be at the limit.
inline constexpr double kAtLimit = 0.999;
/// Share of what friction can give under the present normal force: of the cone, or of the
/// octahedron.
double CalcFrictionUsed(const ContactFrame& contact, bool octahedral);
/// "open", "stick", "slip"; "limit": it sticks, and friction gives all that it can.
const char* ModeWord(const ContactFrame& contact, bool octahedral);
/// Sections and numbers of a contact's budget; height of the sections [px].
void DrawFrictionBudget(const FrictionLoad& load, float height);
/// Of a quasi-dynamic channel the force that starting from rest costs the lead body now, as a sum,
/// and as a share of its weight; empty where there is none.
std::string RestDrag(const Ui& ui, int channel, double* share);

/// Whether there are joints to show.
bool HasJoints(const Session& session);

/// Iteration that the solver tab looks at, of a solve with `recorded` ones: chosen, or the first.
int ShownIteration(const Ui& ui, int recorded);
/// Under the residuals: numbers of that iteration, and the line that it searched.
void DrawSearchLine(Ui* ui, int recorded);

/// One row of a parameter with its edits; used by the parameter panel and lesson cards.
void DrawParam(Ui* ui, const ParamEntry& entry);

/// Under a row: amber notes about the present value.
void DrawParamNotes(Ui* ui, const ParamEntry& entry);
/// Under a row: presets, and the button that matches it to another model's parameter (channel
/// -1 = shared).
void DrawParamMatch(Ui* ui, const ParamEntry& entry, int channel);

// Over everything.
void DrawScenePicker(Ui* ui);
void DrawPalette(Ui* ui);
void DrawHelp(Ui* ui);
void DrawAbout(Ui* ui);
/// Which parameters act in which method.
void DrawReaders(Ui* ui);
void DrawExplain(Ui* ui);
/// Statistics, loop and export of the stretch that is selected on the time line.
void DrawRangeCard(Ui* ui);
/// What is made a video, and how.
void DrawRecordCard(Ui* ui);
/// Opens the box in which the text of a note is typed.
void EditNote(Ui* ui, uint64_t note);
/// Over the time line, at the note that is edited; `x` = its place [px].
void DrawNoteBox(Ui* ui, float x);
/// Moves on in the stretch that is shown again and again. Once per frame.
void ShowLoop(Ui* ui);

/// A raised window over the others; its position and size in pixels. It takes the keyboard and the
/// mouse when it appears, unless told not to.
bool BeginOverlay(const char* id, ImVec2 position, ImVec2 size, ImGuiWindowFlags flags = 0);
void EndOverlay();
bool ClickedOutside();  ///< inside an overlay: the mouse was pressed somewhere else
bool EnterPressed();

/// In the status bar: how many warnings there were. A click opens the list. Returns its left end.
float MessageSign(Ui* ui, const Rect& bar);
/// All messages, over the status bar.
void DrawMessageList(Ui* ui, const Rect& bar);

/// A GL texture for ImGui, whose ImTextureID is a pointer or an integer, depending on its version.
ImTextureID TextureId(unsigned texture);

/// A key went down outside of a text box: presenter mode shows it for a while.
void EchoKey(Ui* ui, const KeyChord& chord);
/// The presenter's keys and clicks, over everything.
void DrawKeyEcho(Ui* ui);

/// What a picture of the lead shows in this frame.
render::ViewRequest LeadRequest(const Ui& ui);
/// So many bodies or contacts of the lead that forces are drawn as chains, unless told otherwise.
bool ShowsPile(const Ui& ui);

/// Of the scene's instrument in that form [pixels].
ImVec2 InstrumentSize(const Session& session, GapForm form);
/// What can be done with the selected body or contact, opened by a right click on the picture.
void DrawViewMenu(Ui* ui);
/// What the pull is bound to, under the readouts of the pane.
void DrawPullHint(const Ui& ui, const Pane& pane);
/// Decides on the gap instrument and the camera of a pane whose place and request are set.
void FitGap(const Ui& ui, Pane* pane);
/// The instrument that the scene asks for, in the form that FitGap chose.
void DrawSceneInstrument(Ui* ui, const Pane& pane);
/// What lies over the picture: readouts, gap instrument, labels, legend, triad.
void DrawOverlays(Ui* ui, const Pane& pane);
/// Whether numbers written at that time [s] stay as they are: while a run plays they change ten
/// times a second, because those of every frame cannot be read.
bool NumbersRest(const Session& session, double written);
/// From `at` down, the first place for something of that size which no overlay so far covers.
ImVec2 UnderOverlays(const Ui& ui, ImVec2 at, ImVec2 size);
/// Over a robot, one tag per model; false where numbers beside the arrows do better.
bool DrawModelTags(Ui* ui, const Pane& pane);
/// How many feet of the lead's robot touch the ground; empty without one.
std::string DescribeFeet(const Session& session);
/// Numbers beside the arrows, or the tags.
bool ShowsLabels(const Ui& ui, const Pane& pane);
/// `tagged`: tags per model say what contacts carry.
void DrawForceLabels(Ui* ui, const Pane& pane, bool tagged);
/// At the border, which way other models' bodies have gone out of the picture.
void DrawOutsideSigns(Ui* ui, const Pane& pane);
/// The newest message on a card, in the window of the picture, where it hides the least.
void DrawCard(Ui* ui, const std::vector<Pane>& panes);
/// Right of the legend: how the lead's robot stands. `left` is where there is room.
void DrawSupportChip(Ui* ui, const Pane& pane, float left);
/// Under the readouts: whose robot has fallen and will not get up.
void DrawFallenSign(Ui* ui, const Pane& pane);
/// Over the legend, in difference mode: what the colours of the bodies mean.
void DrawDifferenceLegend(Ui* ui, const Pane& pane);
/// Which run stands there as a ghost, under the readout.
void DrawGhostPlate(Ui* ui, const Pane& pane);

/// How many models are drawn.
int ShownChannels(const Session& session);
/// Difference mode with at least one model to compare with the lead.
bool ShowsDifference(const Ui& ui);

/// The table that the inspector shows, and the one of metrics.
DataTable ShownTable(Ui* ui);
DataTable MetricsTable(Ui* ui);
/// Writes the table that is shown to a CSV file of its own.
void SaveTable(Ui* ui);
/// Inside the inspector: a right click offers its table as text.
void TableMenu(Ui* ui);
/// Table of metrics: text for the clipboard.
std::string MetricsText(Ui* ui, bool markdown);

}  // namespace slip::app
