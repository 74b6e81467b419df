// What is wrong with how the parts of a COLLADA file name each other. The library that reads them
// follows every name for ever, leaves out what there is not, and takes negative numbers for large
// ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// Of a text without comments; empty where nothing is. What can be left out is noted.
std::string FindColladaProblem(std::string_view text, std::vector<std::string>* notes);

}  // namespace slip
