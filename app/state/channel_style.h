// How a channel is told from the others, in the theme in force.
#pragma once

#include "app/kit/theme.h"
#include "app/session/session.h"

namespace slip::app {

ChannelStyle StyleOf(const Session& session, int channel);
/// The same where another model made its steps.
ChannelStyle StyleOf(const Session& session, int channel, MethodId model);
/// Of a channel's mark: that of its model of then, of a switch of the new one.
ChannelStyle StyleOf(const Session& session, const TimeMark& mark);

/// Of a recorded run of others: no model's colour, a hollow mark.
ChannelStyle ForeignStyle(int index);

}  // namespace slip::app
