#include "engine/run/track/contact_history.h"

#include <algorithm>

namespace slip {

std::vector<ContactMoment> ReadContact(const Timeline& history, ContactKey key, double after) {
  std::vector<ContactMoment> moments;
  if (history.empty()) return moments;
  std::size_t first = history.Find(after);
  while (first < history.size() && history.time(first) <= after) ++first;
  const std::size_t count = history.size() - first;
  const std::size_t wanted = std::min(count, ContactHistory::kMostSteps);
  moments.reserve(wanted);
  StepRecord record;
  for (std::size_t i = 0; i < wanted; ++i) {
    // the last of them is the newest step
    const std::size_t at = first + (i + 1) * count / wanted - 1;
    history.Load(at, &record);
    ContactMoment moment;
    moment.time = history.time(at);
    const auto found = std::find_if(record.contacts.begin(), record.contacts.end(),
                                    [key](const ContactFrame& c) { return c.key == key; });
    if (record.measured && found != record.contacts.end()) {
      moment.fn = found->fn;
      moment.ft = found->ft;
      moment.slip_speed = found->vt;
      moment.signed_distance = found->signed_distance;
    }
    moments.push_back(moment);
  }
  return moments;
}

}  // namespace slip
