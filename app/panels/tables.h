// The tables of the inspector as data: copied, or written to a file.
#pragma once

#include <string>

#include "app/kit/data_table.h"
#include "app/plots/difference.h"
#include "app/session/session.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"

namespace slip::app {

/// The table that the inspector shows, and the one of metrics.
DataTable ShownTable(const Session& session, InspectTab tab, DifferenceStore* differences);
DataTable MetricsTable(const Session& session, DifferenceStore* differences);
/// Table of metrics: text for the clipboard.
std::string MetricsText(const Session& session, DifferenceStore* differences, bool markdown);
/// Writes a table to a CSV file of its own.
void SaveTable(const Session& session, const DataTable& table, Requests* requests);
/// Inside the inspector: a right click offers its table as text.
void TableMenu(const Session& session, InspectTab tab, DifferenceStore* differences,
               Requests* requests);

}  // namespace slip::app
