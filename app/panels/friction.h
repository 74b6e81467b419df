// What friction does at a contact, in words and numbers.
#pragma once

#include <string>

#include "app/kit/theme.h"
#include "app/session/session.h"

namespace slip::app {

struct FrictionLoad;  // kit/widgets.h

/// Whether the channel's steps are quasi-dynamic.
bool IsQuasiDynamic(const ChannelFrame& frame);
/// Some channel's steps choose points of a cloud.
bool HasChosenPoints(const Session& session);
FrictionLoad LoadOf(const ContactFrame& contact, const ChannelStyle& style, double time_step);
/// From this share on a contact that sticks is said to be at the limit.
inline constexpr double kAtLimit = 0.999;
/// Share of what friction can give under the present normal force: of the cone, or of the
/// octahedron.
double CalcFrictionUsed(const ContactFrame& contact, bool octahedral);
/// "open", "stick", "slip"; "limit": it sticks, and friction gives all that it can.
const char* ModeWord(const ContactFrame& contact, bool octahedral);
/// Sections of a contact's budget, their height [px], and its numbers as `written`.
void DrawFrictionBudget(const FrictionLoad& load, const FrictionLoad& written, float height);
/// Of a quasi-dynamic channel the force that starting from rest costs the lead body now, as a sum,
/// and as a share of its weight; empty where there is none.
std::string RestDrag(const Session& session, int channel, double* share);

}  // namespace slip::app
