#include "engine/run/scope/past.h"

#include <algorithm>
#include <cmath>

#include "engine/run/channels/change_events.h"

namespace slip {
namespace {

/// The entry of another channel that is the same change at the same time.
bool IsSame(const TimedEntry& a, const TimedEntry& b, double tolerance) {
  return a.entry.change == b.entry.change && std::abs(a.time - b.time) <= tolerance;
}

/// What was done on the present branch: once of all channels that did the same.
void TellChanges(const Channels& channels, const Branches& branches, std::vector<Event>* events) {
  const Recording all = branches.Record(channels.MarkTime());
  const Model& model = *branches.at(branches.present()).model;
  std::vector<std::vector<TimedEntry>> entries;
  for (const RecordedPath& path : PathsOf(all, branches.present()))
    entries.push_back(WithTimes(path));
  for (std::size_t c = 0; c < entries.size(); ++c) {
    bool pulled = false;
    for (const TimedEntry& item : entries[c]) {
      const auto has = [&](const std::vector<TimedEntry>& list) {
        return std::any_of(list.begin(), list.end(), [&](const TimedEntry& other) {
          return IsSame(item, other, 0.5 * channels.mark_step());
        });
      };
      const bool everywhere = std::all_of(entries.begin(), entries.end(), has);
      if (everywhere && c > 0) continue;
      const auto* grab = std::get_if<Grab>(&item.entry.change);
      if (grab != nullptr && c > 0) continue;  // the hand pulls in all channels
      const double from = grab == nullptr ? item.from : pulled ? 1 : 0;
      const auto told = ItemOf(item.entry.change, from, model);
      if (!told) continue;
      if (grab != nullptr) pulled = grab->body >= 0;
      const int channel = everywhere ? -1 : static_cast<int>(c);
      events->push_back({channel, item.entry.step, item.time, *told});
    }
  }
}

/// Sends the samples of all channels side by side, so that their curves grow together, and adds
/// what their steps are worth.
void SendSteps(const Channels& channels, const Publisher& publisher, std::vector<Event>* events) {
  StepRecord record;
  std::vector<StepEvents> of_steps(channels.list().size());
  std::vector<std::vector<TrackLines::MethodSpan>> methods;
  std::size_t longest = 0;
  for (const auto& track : channels.list()) {
    longest = std::max(longest, track->history().size());
    methods.push_back(track->lines().Methods());
  }
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t c = 0; c < methods.size(); ++c) {
      const int channel = static_cast<int>(c);
      const Timeline& history = channels.track(channel).history();
      if (i >= history.size()) continue;
      history.Load(i, &record);
      const int64_t step = record.state.step;
      const auto made = std::find_if(methods[c].rbegin(), methods[c].rend(),
                                     [step](const auto& span) { return span.after < step; });
      publisher.Send(SampleOf(channel, record, history.time(i), made->method));
      of_steps[c].Take(channel, record, history.time(i), events);
    }
  }
}

}  // namespace

std::optional<Event> BeginOf(int channel, const Track& track) {
  const TrackLine& first = track.lines().first();
  if (first.start == nullptr) return std::nullopt;
  return Event{channel, track.history().step(0), track.history().time(0),
               ChannelBegan{std::string(Info(first.config.method()).label)}};
}

void Past::Seek(double time, Channels* channels) {
  if (channels->empty() || !std::isfinite(time)) return;
  const double first = channels->HistoryStart();
  double reached = 0;
  begun_.clear();
  for (const auto& track : channels->list()) {
    track->SeekTo(time);
    const double start = track->history().time(0);
    const bool begun = start <= std::max(time, first) + 1e-6 * channels->mark_step();
    begun_.push_back(begun ? 1 : 0);
    if (begun) reached = std::max(reached, track->sim().time());
  }
  live_ = reached >= channels->HistoryEnd();
  if (live_) {
    for (const auto& track : channels->list()) track->CatchUp();
  }
  channels->SetMarkTime(reached);
  channels->UpdateMarks();
}

void Past::Send(const Channels& channels, const Branches& branches,
                const Publisher& publisher) const {
  std::vector<Event> events;
  SendSteps(channels, publisher, &events);
  for (int c = 0; c < channels.count(); ++c) {
    if (!channels.sim(c).failure().empty()) events.push_back(FailureOf(c, channels.sim(c)));
  }
  for (int c = 0; c < channels.count(); ++c) {
    if (const auto begin = BeginOf(c, channels.track(c))) events.push_back(*begin);
  }
  TellChanges(channels, branches, &events);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  for (const Event& event : events) publisher.Send(event);
}

}  // namespace slip
