// THE list of the tabs of the side panels: one line each, and nothing else outside its own file in
// panels/, which defines the constant as a Tab (state/tab.h). From a line come its place in the
// strip, its Action with menu, key and help, its word in settings and render specifications, and
// its part in the commands of tables. The order is that of the strips.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// LEFT(constant, id) and RIGHT(constant, id), by panel; NARROW is a tab of the left panel that is
/// there while the window has no room for a right one, and has no action. `id` is its word in
/// files.
#define SLIP_TABS(LEFT, NARROW, RIGHT) \
  LEFT(kLesson, "lesson")              \
  LEFT(kParameters, "parameters")      \
  LEFT(kBranches, "branches")          \
  LEFT(kJoints, "joints")              \
  LEFT(kDiffers, "differs")            \
  NARROW(kInspect, "inspect")          \
  RIGHT(kContacts, "contacts")         \
  RIGHT(kSolver, "solver")             \
  RIGHT(kBody, "body")                 \
  RIGHT(kCompare, "compare")           \
  RIGHT(kFeet, "feet")                 \
  RIGHT(kCheck, "check")

namespace slip::app {

#define SLIP_TAB(constant, id) constant,
enum class TabId : int { SLIP_TABS(SLIP_TAB, SLIP_TAB, SLIP_TAB) kCount };
#undef SLIP_TAB

enum class Side : int { kLeft, kRight };

/// Its word in files.
std::string_view IdOf(TabId tab);
Side SideOf(TabId tab);
/// The tab of that panel with this word.
std::optional<TabId> FindTab(Side side, std::string_view id);
/// Words of all tabs of a panel, in the order of the list.
const std::vector<std::string>& TabIds(Side side);

}  // namespace slip::app
