// What the sources of the command `list` share.
#pragma once

#include <string>
#include <vector>

#include "engine/core/params.h"

namespace slip::app {

/// Rows of one list; the first holds the column names. The last column is a sentence.
using Rows = std::vector<std::vector<std::string>>;

/// What a parameter may be: "0..1 log", "on|off".
std::string RangeText(const ParamInfo& info);
/// "N/m", or "N m/rad or N/m" where another table has the same parameter in other units.
std::string Either(const std::string& one, const std::string& other);

/// Every key of scene files, section by section: with columns of their own for unit, range and
/// default, or with all of them in words that fit into the columns of a terminal.
Rows ListKeys(bool in_words);

}  // namespace slip::app
