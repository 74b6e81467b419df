#include "app/session/run_moment.h"

#include "engine/scene/scene.h"

namespace slip::app {
namespace {

template <class FrameOf>
RunMoment MakeMoment(const Session& session, FrameOf frame_of) {
  RunMoment moment;
  moment.model = session.model();
  moment.lead = session.looks().lead();
  moment.hardest_impact = session.series().HardestImpact();
  moment.outdated = !session.TakenOver();
  if (session.scene() != nullptr) moment.duration = session.scene()->duration;
  for (int i = 0; i < session.channel_count(); ++i)
    moment.channels.push_back({session.looks().Name(i), &frame_of(i)});
  return moment;
}

}  // namespace

RunMoment MomentOfNumbers(const Session& session) {
  return MakeMoment(session,
                    [&](int i) -> const ChannelFrame& { return session.written().frame(i); });
}

RunMoment MomentOfPicture(const Session& session) {
  return MakeMoment(session, [&](int i) -> const ChannelFrame& { return session.frame(i); });
}

const RunMoment& FrameMoments::OfNumbers(const Session& session, int frame) {
  if (numbers_.frame != frame) numbers_ = {frame, MomentOfNumbers(session)};
  return numbers_.moment;
}

const RunMoment& FrameMoments::OfPicture(const Session& session, int frame) {
  if (picture_.frame != frame) picture_ = {frame, MomentOfPicture(session)};
  return picture_.moment;
}

}  // namespace slip::app
