// Contents of the tabs of the side panels, inside a scrolling child.
#pragma once

#include "app/plots/difference.h"
#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/mouse_state.h"
#include "app/state/picked.h"
#include "app/state/plots_state.h"
#include "app/state/popups.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"

namespace slip::app {

void DrawLesson(const Session& session, const Rect& rect, LessonTab* own, ParamRows* rows,
                Popups* popups, Requests* requests);
void DrawParameters(const Session& session, const Rect& rect, ParametersTab* own, ParamRows* rows,
                    MouseState* mouse, Requests* requests);
/// Whether there are joints to show.
bool HasJoints(const Session& session);
/// True when the gains of the motors, among the parameters, are asked for.
bool DrawJoints(const Session& session, const Rect& rect, JointsView* own, Picked* picked,
                Requests* requests);
void DrawBranches(const Session& session, BranchEdit* own, bool* run_ghost, float* along_opacity,
                  Requests* requests);

void DrawContacts(const Session& session, ContactsTab* own, Picked* picked, PlotsState* plots);
void DrawSolver(const Session& session, const StableSteps& stable_steps, SolverTab* own,
                PlotsState* plots, Requests* requests);
/// Iteration that the solver tab looks at, of a solve with `recorded` ones: chosen, or the first.
int ShownIteration(const SolverTab& own, int recorded);
/// Under the residuals: numbers of that iteration, and the line that it searched.
void DrawSearchLine(const Session& session, int recorded, SolverTab* own, Requests* requests);
/// "box", of a link "box x2, cylinder": what touches of it, or else what is seen; "none".
std::string ShapeWords(const Model& model, int body);
void DrawBody(const Session& session, Picked* picked, PlotsState* plots, ParamRows* rows,
              Requests* requests);
void DrawCompare(const Session& session, DifferenceStore* differences, PlotsState* plots,
                 Requests* requests);
/// Some robot has feet.
bool HasFeet(const Session& session);
void DrawFeet(const Session& session, Picked* picked);

}  // namespace slip::app
