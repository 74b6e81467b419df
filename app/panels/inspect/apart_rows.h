// Rows of the comparison that a recorded run brings with it: how far every column is from the lead.
#pragma once

#include <span>

#include "app/session/session.h"

namespace slip::app {

struct ApartRow {
  const char *label, *plain, *unit, *tip;
  double factor;  ///< shown units per SI unit
  int decimals;   ///< negative: significant digits
  double (*value)(const Session& session, int column);
};

/// Empty without a recorded run. Columns: the channels, then recorded runs.
std::span<const ApartRow> ApartRows(const Session& session);

}  // namespace slip::app
