// Key dispatch. What each action does is in actions.cpp.
#include "app/frame/input.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/frame/key_changes.h"
#include "app/frame/record_actions.h"
#include "app/frame/ui.h"
#include "app/panels/bars/key_echo.h"
#include "app/view/pane.h"

namespace slip::app {
namespace {

constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT, kAlt = GLFW_MOD_ALT;

/// A text box keeps its letters, arrows and clipboard; Esc, F-keys and other Ctrl chords still
/// work.
bool TextBoxKeeps(int key, int mods) {
  if (key == GLFW_KEY_ESCAPE || (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)) return false;
  if ((mods & kCtrl) == 0) return true;
  switch (key) {
    case GLFW_KEY_A:
    case GLFW_KEY_C:
    case GLFW_KEY_V:
    case GLFW_KEY_X:
    case GLFW_KEY_Y:
    case GLFW_KEY_Z:
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
      return true;
    default:
      return false;
  }
}

/// The arrows of a paused run: the clock says it all, and a hand holds them down.
bool IsPacing(const Ui& ui, Action action, int key) {
  const bool steps = action == Action::kStep || action == Action::kStepBack;
  return steps && (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT) &&
         !ui.session.playback().playing();
}

}  // namespace

bool WaitsForText(const Ui& ui) {
  const UiState& s = ui.state;
  if (s.time_line.note_edit.note != 0 || s.popups.palette.open || s.popups.picker.open) return true;
  const std::deque<Action>& actions = ui.requests.actions();
  return std::any_of(actions.begin(), actions.end(), [](Action action) {
    return action == Action::kNote || action == Action::kPalette || action == Action::kOpenScene;
  });
}

bool DispatchKey(Ui* ui, int key, int mods, bool repeat, bool typing) {
  const int wanted = mods & (kCtrl | kShift | kAlt);
  // what is typed into a box is seen there
  if (!typing && !repeat && EchoesKeys(*ui))
    EchoKey(ui->keys.Label(KeyChord{key, wanted}), ui->session.now(), &ui->echo);
  typing = typing || WaitsForText(*ui);
  if (ui->state.mouse.pull.active) {
    // by the letter on the cap, with whatever else the hand holds down
    for (int axis = 0; axis < 3; ++axis) {
      if (ui->keys.Label(KeyChord{key, 0}) != std::string(1, "XYZ"[axis])) continue;
      if (!repeat) LockPull(axis, &ui->state.mouse.pull);
      return true;
    }
  }
  if (typing && TextBoxKeeps(UsKey(key, ui->keys.namer), wanted)) return false;
  // keys of the plots come before the window's while the plots have the keyboard
  for (const bool in_plots : {true, false}) {
    if (in_plots && (typing || !ui->state.plots.focus.on)) continue;
    for (const ActionInfo& info : ActionTable()) {
      if (info.in_plots != in_plots) continue;
      for (const KeyChord& chord : ui->keys.Of(info.id)) {
        if (chord.key != key || chord.key == 0 || chord.mods != wanted) continue;
        if (repeat && !info.repeats) return false;
        ui->requests.Do(info.id, SaysEveryKey(info.id) ||
                                     (wanted == 0 && !in_plots && !IsPacing(*ui, info.id, key)));
        return true;
      }
    }
  }
  return false;
}

}  // namespace slip::app
