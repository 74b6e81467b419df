// What the window remembers of itself: theme, scale, which panels are shown and how wide.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/kit/theme.h"
#include "app/session/tab_list.h"
#include "engine/sim/camera_spec.h"

namespace slip::app {

/// What a picture shows: the whole window, one region filling it, or the view over plots and time
/// line.
enum class Only : int { kWindow, kView, kPlots, kViewPlots };

struct Shell {
  // Saved.
  Theme theme = Theme::kDark;
  float user_scale = 1;
  bool presenter = false;
  bool reduced_motion = false;
  bool show_left = true, show_right = true;
  float left_width = 320, right_width = 360, plots_height = 236;  ///< design pixels
  TabId left_tab = TabId::kLesson;
  TabId inspect_tab = TabId::kContacts;

  // Of this run.
  Theme presenter_theme = Theme::kLight;  ///< in presenter mode, in place of `theme`
  Theme& shown_theme() { return presenter ? presenter_theme : theme; }
  Theme shown_theme() const { return presenter ? presenter_theme : theme; }
  // it begins with the panels folded, for the picture and the plots, and leaves the others alone
  bool presenter_left = false, presenter_right = false;
  bool& shown_left() { return presenter ? presenter_left : show_left; }
  bool& shown_right() { return presenter ? presenter_right : show_right; }
  bool shown_left() const { return presenter ? presenter_left : show_left; }
  bool shown_right() const { return presenter ? presenter_right : show_right; }
  Only only = Only::kWindow;
  bool shows_machine = true;  ///< how fast it is; not in frames that are to be made again
  bool hide_all = false;
  bool full_screen = false;
  bool screenshot = false;  ///< asked for
  bool quit = false;
  int foreign_seen = 0;  ///< ForeignRuns::opened, whose tab has been shown

  /// Opens a tab of the left panel.
  void ShowLeft(TabId tab) {
    left_tab = tab;
    shown_left() = true;
  }
  /// Opens a tab of either panel. In a narrow window those of the right one are in the left.
  void Show(TabId tab, bool narrow) {
    hide_all = false;
    if (SideOf(tab) == Side::kLeft) return ShowLeft(tab);
    inspect_tab = tab;
    show_right = true;
    if (narrow) ShowLeft(TabId::kInspect);
  }
};

/// What is kept of scenes from run to run.
struct KeptScenes {
  std::string last_scene;
  /// Views that were kept, by scene.
  std::map<std::string, std::array<std::optional<CameraSpec>, 3>> views;
  std::optional<CameraSpec> restore;  ///< its view of last_scene
};

}  // namespace slip::app
