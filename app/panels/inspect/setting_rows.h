// What models and recorded runs are set to, side by side in our terms: a recording's own settings
// go through the dialect of its engine, at the load of the lead's contact.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/kit/theme.h"
#include "app/session/session.h"
#include "engine/dialect/contact_of_run.h"

namespace slip::app {

inline constexpr std::string_view kNoSetting = "–";

struct SettingRow {
  std::string id, name;            ///< of a DialectRow; with its unit
  std::vector<std::string> cells;  ///< one a column; kNoSetting = it has none, or nobody says
  bool agrees = false;             ///< in all columns that have one, and more than one has
};
struct SettingColumn {
  std::string name;
  ChannelStyle style;
};
struct SettingTable {
  std::string words;  ///< which contact, under which load
  std::vector<SettingColumn> columns;
  std::vector<SettingRow> rows;
  std::vector<std::string> notes;  ///< sentences
};

/// Of the moment that is shown.
SettingTable CompareSettings(const Session& session, StartMasses* masses);

}  // namespace slip::app
