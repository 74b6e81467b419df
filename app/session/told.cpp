#include "app/session/told.h"

#include "engine/scene/scene.h"

namespace slip::app {
namespace {

template <class FrameOf>
Told TellOf(const Session& session, FrameOf frame_of) {
  Told told;
  told.model = session.model();
  told.lead = session.looks().lead();
  told.hardest_impact = session.HardestImpact();
  told.outdated = !session.TakenOver();
  if (session.scene() != nullptr) told.duration = session.scene()->duration;
  for (int i = 0; i < session.channel_count(); ++i)
    told.channels.push_back({session.looks().Name(i), &frame_of(i)});
  return told;
}

}  // namespace

Told ToldNumbers(const Session& session) {
  return TellOf(session, [&](int i) -> const ChannelFrame& { return session.written().frame(i); });
}

Told ToldPicture(const Session& session) {
  return TellOf(session, [&](int i) -> const ChannelFrame& { return session.frame(i); });
}

}  // namespace slip::app
