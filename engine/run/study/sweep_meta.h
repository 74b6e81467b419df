// The meta.json of a sweep as a text: it ends with a checksum of itself, and that of a sweep that
// was interrupted holds what it needs to go on.
#pragma once

#include <string>
#include <string_view>

namespace slip {

/// The text of a JSON object, and behind its members a checksum of all before it.
std::string WithChecksum(std::string_view object);

enum class Checksum { kRight, kWrong, kMissing };
Checksum FindChecksum(std::string_view text);

/// The journal (SweepJournal) in the meta.json of a folder; empty where there is none, as of a
/// sweep that was complete.
std::string ReadInterruptedJournal(const std::string& folder);

}  // namespace slip
