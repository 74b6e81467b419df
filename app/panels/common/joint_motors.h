// What a hand does to the motors of joints: targets set, controllers taken over, and given back.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "app/state/requests.h"

namespace slip::app {

/// What the scene's path adds to the target that was asked for [m] or [rad].
double FromPath(const Body& body, const ChannelFrame& frame);
/// What a hand has set on the joints of the channel, or of all: targets, and the gains of motors
/// that the scene does not have.
std::vector<std::string> SetByHand(const Session& session, int channel);
/// Motors take the joints over from the controllers and hold them where they are. `alone`: of this
/// channel alone.
void TakeOverJoints(Session* session, int channel, bool alone);
/// Sets targets of joints by their paths: of the channel alone (`alone`), or of all where one is
/// for all. One step of undo.
void SetJointTargets(int channel, const std::vector<std::pair<std::string, double>>& targets,
                     bool alone, Requests* requests);
/// Parameters at these paths are the scene's again.
void ReleaseJoints(Session* session, int channel, bool alone,
                   const std::vector<std::string>& paths);

}  // namespace slip::app
