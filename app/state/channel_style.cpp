#include "app/state/channel_style.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/core/numbers.h"

namespace slip::app {

ChannelStyle StyleOf(const Session& session, int channel) {
  return StyleOf(session, channel, session.looks().Of(channel).model);
}

ChannelStyle StyleOf(const Session& session, int channel, MethodId model) {
  // only the channels before it decide whether it is a second one of its model
  std::array<MethodId, Snapshot::kMaxChannels> models{};
  const int count = std::min(channel + 1, Snapshot::kMaxChannels);
  for (int i = 0; i < count; ++i) At(models, i) = session.looks().Of(i).model;
  if (count > 0) At(models, count - 1) = model;
  return StyleOfChannel(std::span(models).first(static_cast<std::size_t>(std::max(count, 0))),
                        channel, CurrentTheme());
}

ChannelStyle ForeignStyle(int index) {
  return ToChannelStyle(render::ForeignStyle(RenderTheme(CurrentTheme()), index));
}

ChannelStyle StyleOf(const Session& session, const TimeMark& mark) {
  MethodId model = session.looks().Of(mark.channel).model;
  if (mark.path == kMethodParam) {
    model = static_cast<MethodId>(mark.to);
  } else if (const auto made = session.series().MethodAt(mark.channel, mark.time)) {
    model = *made;
  }
  return StyleOf(session, mark.channel, model);
}

}  // namespace slip::app
