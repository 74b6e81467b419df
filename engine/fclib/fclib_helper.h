// The process that reads contact problems through the library HDF5, and nothing else.
#pragma once

#include <span>
#include <string>

namespace slip {

/// In a helper (core/helper_process.h) with these words: where they are its own, it answers and
/// never returns.
void ServeFclib(std::span<const std::string> words);

/// The library with its version, as "HDF5 1.10.8"; empty in a build without it.
std::string FclibLibrary();
/// Why it does not open here; empty = it does.
std::string WhyNoFclib();

}  // namespace slip
