// What single keys have just changed, to be said and taken back at once: who types beside a box
// hits several.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace slip::app {

struct KeyChange {
  std::string subject;    ///< of one kind: a later change is merged with it
  std::string text = {};  ///< "SAP hidden"
  std::string from = {};  ///< how it was before the first of them
  int count = 0;          ///< of steps, back less than 0
  std::function<void()> undo = {};
  bool said = false;  ///< somebody else says it
};

struct KeyChanges {
  /// Changes that follow each other sooner are one, and so long they can be taken back [s].
  static constexpr double kTogether = 2, kStands = 8;

  std::vector<KeyChange> list;
  double at = -1e9;  ///< of the last one, on the session's clock [s]

  bool undone = false;  ///< its message goes with the next frame

  bool CanUndo(double now) const { return !list.empty() && now - at <= kStands; }
};

}  // namespace slip::app
