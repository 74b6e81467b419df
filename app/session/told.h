// The session as engine/tell looks at it.
#pragma once

#include "app/session/session.h"
#include "engine/tell/told.h"

namespace slip::app {

/// At the moment of the numbers (WrittenMoment).
Told ToldNumbers(const Session& session);
/// At the moment of the picture.
Told ToldPicture(const Session& session);

}  // namespace slip::app
