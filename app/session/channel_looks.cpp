#include "app/session/channel_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {

void ChannelLooks::Add(MethodId model) {
  const int count = core_.channel_count();
  if (count == 0 || count >= kMaxChannels || core_.IsOpening()) return;
  Config config = core_.frame(chosen_lead()).config;
  config.step.method = static_cast<int>(model);
  EndSolo();  // the new one is to be seen
  core_.Send(AddChannel{std::move(config)});
}

void ChannelLooks::Remove(int channel) {
  if (core_.channel_count() < 2 || channel < 0 || channel >= core_.channel_count()) return;
  core_.Send(RemoveChannel{channel});
}

const ChannelLook& ChannelLooks::Of(int channel) const {
  static const ChannelLook kNone;
  return channel >= 0 && ToIndex(channel) < looks_.size() ? At(looks_, channel) : kNone;
}

std::string ChannelLooks::Name(int channel) const { return Name(channel, Of(channel).model); }

std::string ChannelLooks::Name(int channel, MethodId model) const {
  int number = 1;
  for (int i = 0; i < channel; ++i) number += Of(i).model == model ? 1 : 0;
  const std::string_view label = Info(model).label;
  return number > 1 ? fmt::format("{} {}", label, number) : std::string(label);
}

std::string ChannelLooks::Difference(int channel) const {
  int first = 0;
  while (first < channel && Of(first).model != Of(channel).model) ++first;
  if (first >= channel) return {};
  const Config &own = core_.frame(channel).config, &other = core_.frame(first).config;
  std::string text;
  for (const ParamEntry& entry : ListParams(own)) {
    const std::optional<double> value = GetParam(own, entry.path);
    if (!value || value == GetParam(other, entry.path)) continue;
    if (!text.empty()) return text + " …";
    const ParamInfo& info = *entry.info;
    text = fmt::format("{} = {}", info.symbol.empty() ? info.label : info.symbol,
                       AsRich(FormatQuantity(*value, info.unit)));
  }
  return text;
}

bool ChannelLooks::Shown(int channel) const {
  return solo() >= 0 ? channel == solo() : Of(channel).visible;
}

bool ChannelLooks::Begun(int channel) const {
  return channel >= core_.channel_count() || core_.frame(channel).begun;
}

int ChannelLooks::lead() const {
  int lead = Begun(lead_) ? lead_ : 0;
  while (!Begun(lead)) ++lead;
  return lead;
}

void ChannelLooks::ToggleVisible(int channel) {
  if (channel < 0 || ToIndex(channel) >= looks_.size()) return;
  if (solo_ >= 0) {
    solo_ = -1;
    At(looks_, channel).visible = true;
    return;
  }
  At(looks_, channel).visible = !At(looks_, channel).visible;
}

void ChannelLooks::ToggleSolo(int channel) {
  if (channel < 0 || ToIndex(channel) >= looks_.size()) return;
  solo_ = solo_ == channel ? -1 : channel;
}

ChannelLooks::Seen ChannelLooks::seen() const {
  Seen seen{{}, solo_};
  for (const ChannelLook& look : looks_) seen.visible.push_back(look.visible);
  return seen;
}

void ChannelLooks::SetSeen(const Seen& seen) {
  if (seen.visible.size() != looks_.size()) return;
  for (std::size_t i = 0; i < looks_.size(); ++i) looks_[i].visible = seen.visible[i];
  solo_ = seen.solo;
}

void ChannelLooks::SetLead(int channel) {
  if (channel >= 0 && channel < core_.channel_count()) lead_ = channel;
}

void ChannelLooks::RestoreLead(int channel) { lead_ = std::clamp(channel, 0, kMaxChannels - 1); }

void ChannelLooks::Start(const Scene& scene) {
  looks_.clear();
  for (const ChannelSpec& spec : scene.channels) {
    looks_.push_back({.model = spec.config.method(), .of_scene = static_cast<int>(looks_.size())});
    // what stands still for want of an engine must not look as if it stuck
    looks_.back().visible = Info(spec.config.method()).WhyMissing().empty();
  }
  NameSeconds();
  solo_ = -1;
  lead_ = 0;
}

void ChannelLooks::Sync() {
  const std::vector<ChannelFrame>& channels = core_.snapshot().channels;
  if (channels.empty()) return;
  // Until the engine has taken a new scene over, the list made from its file holds.
  if (!core_.TakenOver()) return;
  while (looks_.size() < channels.size())
    looks_.push_back({.added_as = channels[looks_.size()].config.method()});
  looks_.resize(channels.size());
  for (std::size_t i = 0; i < looks_.size(); ++i) looks_[i].model = channels[i].config.method();
  NameSeconds();
  const int last = core_.channel_count() - 1;
  lead_ = std::clamp(lead_, 0, last);
  if (solo_ > last) solo_ = -1;
}

bool ChannelLooks::ForgetRemoved(int gone) {
  if (ToIndex(gone) >= looks_.size() || looks_.size() < 2) return false;
  looks_.erase(looks_.begin() + gone);
  if (lead_ > gone || lead_ + 1 > static_cast<int>(looks_.size())) lead_ = std::max(0, lead_ - 1);
  if (solo_ == gone) solo_ = -1;
  if (solo_ > gone) --solo_;
  return true;
}

void ChannelLooks::NameSeconds() {
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    looks_[i].second = false;
    for (std::size_t j = 0; j < i; ++j) {
      if (looks_[j].model == looks_[i].model) looks_[i].second = true;
    }
  }
}

}  // namespace slip::app
