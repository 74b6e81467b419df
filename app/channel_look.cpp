// How a channel is told from the others: its style and its name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "app/theme.h"
#include "app/ui.h"

namespace slip::app {

ChannelStyle Ui::style(int channel) const {
  // only the channels before it decide whether it is a second one of its model
  std::array<ContactModelId, kMaxChannels> models{};
  const int count = std::min(channel + 1, kMaxChannels);
  for (int i = 0; i < count; ++i) models[static_cast<std::size_t>(i)] = session.look(i).model;
  return StyleOfChannel(std::span(models).first(static_cast<std::size_t>(std::max(count, 0))),
                        channel, CurrentTheme());
}

std::string Ui::ChannelName(int channel) const {
  const ContactModelId model = session.look(channel).model;
  int number = 1;
  for (int i = 0; i < channel; ++i) number += session.look(i).model == model ? 1 : 0;
  const std::string_view label = slip::Info(model).label;
  return number > 1 ? fmt::format("{} {}", label, number) : std::string(label);
}

}  // namespace slip::app
