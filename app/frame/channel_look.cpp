// How a channel is told from the others: its style and its name.
#include <algorithm>
#include <array>
#include <span>

#include "app/frame/ui.h"
#include "app/kit/theme.h"

namespace slip::app {

ChannelStyle Ui::style(int channel) const { return style(channel, session.look(channel).model); }

ChannelStyle Ui::style(int channel, MethodId model) const {
  // only the channels before it decide whether it is a second one of its model
  std::array<MethodId, Snapshot::kMaxChannels> models{};
  const int count = std::min(channel + 1, Snapshot::kMaxChannels);
  for (int i = 0; i < count; ++i) models[static_cast<std::size_t>(i)] = session.look(i).model;
  if (count > 0) models[static_cast<std::size_t>(count - 1)] = model;
  return StyleOfChannel(std::span(models).first(static_cast<std::size_t>(std::max(count, 0))),
                        channel, CurrentTheme());
}

ChannelStyle Ui::MarkStyle(const TimeMark& mark) const {
  MethodId model = session.look(mark.channel).model;
  if (mark.path == kMethodParam) {
    model = static_cast<MethodId>(mark.to);
  } else if (const auto made = session.series().MethodAt(mark.channel, mark.time)) {
    model = *made;
  }
  return style(mark.channel, model);
}

std::string Ui::ChannelName(int channel) const { return session.ChannelName(channel); }

}  // namespace slip::app
