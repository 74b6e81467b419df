// Where the checkout lies that the tests were built from, and what was built.
#pragma once

#include <string>

namespace slip {

/// The project's root, without a slash at its end.
std::string SourceFolder();
/// build/PRESET, where slipscope and the test programs are.
std::string BuildFolder();

}  // namespace slip
