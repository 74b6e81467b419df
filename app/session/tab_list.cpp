#include "app/session/tab_list.h"

#include <cstddef>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

struct TabRow {
  std::string_view id;
  Side side;
};

#define SLIP_LEFT(constant, id) {id, Side::kLeft},
#define SLIP_RIGHT(constant, id) {id, Side::kRight},
constexpr TabRow kTabRows[] = {SLIP_TABS(SLIP_LEFT, SLIP_LEFT, SLIP_RIGHT)};
#undef SLIP_LEFT
#undef SLIP_RIGHT

const TabRow& RowOf(TabId tab) { return At(kTabRows, tab); }

}  // namespace

std::string_view IdOf(TabId tab) { return RowOf(tab).id; }

Side SideOf(TabId tab) { return RowOf(tab).side; }

std::optional<TabId> FindTab(Side side, std::string_view id) {
  for (int i = 0; i < static_cast<int>(TabId::kCount); ++i) {
    const auto tab = static_cast<TabId>(i);
    if (SideOf(tab) == side && IdOf(tab) == id) return tab;
  }
  return std::nullopt;
}

const std::vector<std::string>& TabIds(Side side) {
  const auto list = [](Side of) {
    std::vector<std::string> ids;
    for (const TabRow& row : kTabRows) {
      if (row.side == of) ids.emplace_back(row.id);
    }
    return ids;
  };
  static const std::vector<std::string> left = list(Side::kLeft), right = list(Side::kRight);
  return side == Side::kLeft ? left : right;
}

}  // namespace slip::app
