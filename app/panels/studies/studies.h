// The place of the studies: their list at the left, the chosen one beside it.
#pragma once

#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/requests.h"
#include "app/state/studies_view.h"

namespace slip::app {

struct StudiesParts {
  const Session& session;
  const Rect& rect;  ///< nothing is drawn where it is empty
  StudiesView& view;
  Requests& requests;

  const Studies& studies() const { return session.files().studies(); }
};
void DrawStudies(const StudiesParts& parts);

// Parts of it, each in a window of its own.
/// The list, its filters, and what runs all.
void DrawStudyList(const StudiesParts& parts);
/// The chosen one: how far it is, figures, statements, story, and what can be done with it.
void DrawStudy(const StudiesParts& parts, std::size_t entry);
/// What can be done with it.
void DrawStudyFoot(const StudiesParts& parts, std::size_t entry);
/// Statements with their verdicts, in the room that there is.
void DrawVerdicts(const StudyEntry& entry);

}  // namespace slip::app
