// Rows of the contact table.
#include "app/state/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/core/numbers.h"

namespace slip::app {

bool Touches(const ContactFrame& contact, int body) {
  return body < 0 || contact.body == body || contact.body_a == body;
}

// To the digits that the table writes: rows of the same load keep their places while what is below
// jitters.
static double AsWritten(double fn) {
  return fn < 1e3 ? std::round(fn * 1e3) / 1e3 : std::round(fn);
}

static const ContactFrame& ContactOf(const Snapshot& snapshot, const ContactRow& row) {
  return At(At(snapshot.channels, row.channel).contacts, row.index);
}

void ContactRows::Sort(const Snapshot& snapshot) {
  std::sort(rows_.begin(), rows_.end(), [](const ContactRow& a, const ContactRow& b) {
    if (a.fn != b.fn) return a.fn > b.fn;
    return a.channel != b.channel ? a.channel < b.channel : a.index < b.index;
  });
  places_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    places_.push_back({rows_[i].channel, ContactOf(snapshot, rows_[i]).key, i});
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::tie(a.channel, a.key, a.row) < std::tie(b.channel, b.key, b.row);
  });
}

void ContactRows::KeepOrder(const Snapshot& snapshot) {
  std::vector<std::pair<std::size_t, ContactRow>> kept;
  for (const ContactRow& row : rows_) {
    const std::pair wanted(row.channel, ContactOf(snapshot, row).key);
    const auto at = std::lower_bound(
        places_.begin(), places_.end(), wanted,
        [](const Place& p, const auto& w) { return std::pair(p.channel, p.key) < w; });
    const bool known = at != places_.end() && std::pair(at->channel, at->key) == wanted;
    kept.emplace_back(known ? at->row : places_.size(), row);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = kept[i].second;
}

void ContactRows::Update(const Snapshot& snapshot, int64_t count, const Shown& shown, int body,
                         bool held, double now, ContactOrder order) {
  constexpr double kHold = 0.5;  // [s]
  Key key{shown, body, order, snapshot.scene_generation, snapshot.session, {}, {}, count};
  const std::size_t channels = std::min(snapshot.channels.size(), shown.size());
  for (std::size_t i = 0; i < channels; ++i) {
    key.data[i] = snapshot.channels[i].contacts.data();
    key.sizes[i] = snapshot.channels[i].contacts.size();
  }
  const bool same = updates_ > 0 && key.shown == key_.shown && key.body == key_.body &&
                    key.order == key_.order && order == ContactOrder::kForce &&
                    key.generation == key_.generation && key.session == key_.session;
  const bool keeps = held && same && now >= sorted_at_ && now - sorted_at_ < kHold;
  if (updates_ > 0 && key == key_ && (in_order_ || keeps)) return;
  key_ = key;
  ++updates_;
  rows_.clear();
  total_ = 0;
  for (std::size_t c = 0; c < channels; ++c) {
    if (!shown[c]) continue;
    const std::vector<ContactFrame>& contacts = snapshot.channels[c].contacts;
    total_ += contacts.size();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (!Touches(contacts[i], body)) continue;
      // a failed channel's numbers must not upset the order
      const double fn = contacts[i].fn == contacts[i].fn ? contacts[i].fn : -1;
      rows_.push_back({static_cast<int>(c), static_cast<int>(i), AsWritten(fn)});
    }
  }
  in_order_ = !keeps;
  if (keeps) return KeepOrder(snapshot);
  sorted_at_ = now;
  if (order == ContactOrder::kForce) return Sort(snapshot);
  // the channels of one contact stand together
  std::sort(rows_.begin(), rows_.end(), [&](const ContactRow& a, const ContactRow& b) {
    return std::tuple(ContactOf(snapshot, a).key, a.channel, a.index) <
           std::tuple(ContactOf(snapshot, b).key, b.channel, b.index);
  });
}

}  // namespace slip::app
