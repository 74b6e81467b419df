// The tables of the inspector as data: copied, or written to a file.
#pragma once

#include <string>

#include "app/kit/data_table.h"
#include "app/plots/difference.h"
#include "app/session/session.h"
#include "app/state/requests.h"
#include "app/state/tab.h"

namespace slip::app {

/// The table of a tab; without columns where it has none.
DataTable ShownTable(const Session& session, TabId tab, DifferenceStore* differences);
/// Every contact of the channels that are shown, the columns named as in contacts.csv.
DataTable ContactsTable(const Session& session, DifferenceStore*);
DataTable FeetTable(const Session& session, DifferenceStore*);
DataTable BodiesTable(const Session& session, DifferenceStore*);
DataTable MetricsTable(const Session& session, DifferenceStore* differences);
/// Table of metrics: text for the clipboard.
std::string MetricsText(const Session& session, DifferenceStore* differences, bool markdown);
/// Writes a table to a CSV file of its own.
void SaveTable(const Session& session, const DataTable& table, Requests* requests);
/// Inside a tab: a right click offers its table as text, where it has one.
void TableMenu(const Session& session, TabId tab, DifferenceStore* differences, Requests* requests);

}  // namespace slip::app
