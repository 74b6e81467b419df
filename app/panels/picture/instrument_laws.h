// What the scene's instrument says at its foot: the law of each model that it shows.
#pragma once

#include <vector>

#include "app/kit/widgets.h"
#include "app/session/session.h"

namespace slip::app {

Instrument InstrumentOf(const Session& session);
/// Each law once, with the marks of its models; the lead's first.
std::vector<LawLine> LawsOf(const Session& session);
int CountLaws(const Session& session);

}  // namespace slip::app
