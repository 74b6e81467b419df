// A contact in words: what its mode means, and all of its numbers.
#pragma once

#include <string>
#include <string_view>

#include "engine/sim/snapshot.h"

namespace slip::app {

/// What the mode's word says, and when.
std::string ModeSentence(std::string_view word);
/// All of a contact, whatever the columns leave out.
std::string RowDetails(const std::string& pair, const ContactFrame& c);

}  // namespace slip::app
