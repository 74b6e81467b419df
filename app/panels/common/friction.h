// What friction does at a contact, in words and numbers.
#pragma once

#include <string>

#include "app/kit/theme.h"
#include "app/session/session.h"

namespace slip::app {

struct FrictionLoad;  // kit/widgets.h

/// Some channel's steps choose points of a cloud.
bool HasChosenPoints(const Session& session);
FrictionLoad LoadOf(const ContactFrame& contact, const ChannelStyle& style, double time_step);
/// Sections of a contact's budget, their height [px], and its numbers as `written`.
void DrawFrictionBudget(const FrictionLoad& load, const FrictionLoad& written, float height);

}  // namespace slip::app
