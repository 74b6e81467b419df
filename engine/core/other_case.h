// Names of files that differ from one that exists in upper and lower case alone: some systems take
// the two for one.
#pragma once

#include <string>

namespace slip {

/// The path of a file that exists, where `path` names none and differs from it in the case of its
/// letters; empty where there is none either. Of several the first in the order of their names.
std::string FindOtherCase(const std::string& path);

/// What to do about a file that a scene names and that is not there: the hint of its error. Empty
/// when it is there.
std::string HintForMissing(const std::string& path);

}  // namespace slip
