// Below the rows of joints: how they are held, and what can be done with all of them.
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/requests.h"

namespace slip::app {

/// Whether motors hold joints at targets.
bool HasTargets(const ChannelFrame& frame);

/// "gains from its masses: 6 … 24 N·m/rad" where the scene was made for a robot's file; else empty.
std::string GainsLine(const Session& session);

struct JointFooterOptions {
  const Session& session;
  int channel = 0;
  bool alone = false;  ///< of this channel
  const std::string& gains;
  float height = 0;  ///< [px]
  const Rect& rect;  ///< of the panel
};

/// True when the gains of the motors are asked for.
bool JointFooter(const JointFooterOptions& options, Requests* requests);

}  // namespace slip::app
