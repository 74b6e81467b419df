// What lies over the window: scene picker, palette, help, about, texts.
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/state/action_states.h"
#include "app/state/layout.h"
#include "app/state/popups.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"
#include "app/view/thumbnails.h"

namespace slip::app {

/// Every scene of the folder, under the tool bar.
void DrawScenePicker(const Session& session, const Rect& tools, Theme theme, bool studies_open,
                     ScenePicker* own, Thumbnails* thumbnails, Requests* requests);
void DrawPalette(const ActionStates& states, Palette* own, Requests* requests);
void DrawHelp(const KeyMap& in_force, const std::string& keys_file, bool* open);
void DrawAbout(const std::string& gl_renderer, bool* open);
/// Which parameters act in which method.
void DrawReaders(const Session& session, bool* open);
/// The answer to the "Why?" of a note.
void DrawWhy(Why* why);
/// The story of the scene, or what is for teachers.
void DrawExplain(const Session& session, Popups* popups);

}  // namespace slip::app
