// A tab of a side panel. Its one file in panels/ draws it and says its name, key, table and when it
// is there; its one line elsewhere is in session/tab_list.h.
#pragma once

#include <vector>

#include "app/session/tab_list.h"

namespace slip::app {

class DifferenceStore;
class Session;
struct DataTable;
struct TabContext;

struct Tab {
  const char* name = nullptr;  ///< in the strip and in the menu
  const char* tip = nullptr;   ///< tool tip of the strip
  const char* doc = nullptr;   ///< one sentence, of its action
  const char* key = "";        ///< "F3"; empty = none
  /// Why it is not there: a sentence; null = it is. A null pointer = it always is.
  const char* (*why_not)(const Session&) = nullptr;
  void (*draw)(const TabContext&) = nullptr;
  /// In every frame in which another tab of the panel is shown: what it has marked elsewhere goes.
  void (*rest)(const TabContext&) = nullptr;
  /// What the commands of tables copy and save; null = there is none.
  DataTable (*table)(const Session&, DifferenceStore*) = nullptr;
};

#define SLIP_TAB(constant, id) extern const Tab constant##Tab;
SLIP_TABS(SLIP_TAB, SLIP_TAB, SLIP_TAB)
#undef SLIP_TAB

const Tab& TabOf(TabId tab);

/// Whether the window is too narrow for a right panel, whose tabs are then in one of the left.
enum class Narrow : bool { kNo, kYes };
/// The tabs of a panel that are there.
std::vector<TabId> TabsOf(const Session& session, Side side, Narrow narrow);
/// The chosen tab; where it is not there now, the one shown in its place.
TabId ShownTab(const Session& session, TabId chosen, Narrow narrow);

}  // namespace slip::app
