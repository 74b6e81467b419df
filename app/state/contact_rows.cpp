// Rows of the contact table.
#include "app/state/contact_rows.h"

#include <algorithm>
#include <cmath>

namespace slip::app {

bool Touches(const ContactFrame& contact, int body) {
  return body < 0 || contact.body == body || contact.body_a == body;
}

// Ten bits of the number: rows of the same load keep their places while its last digits jitter.
static double Coarse(double fn) {
  int exponent = 0;
  const double mantissa = std::frexp(fn, &exponent);
  return std::ldexp(std::round(mantissa * 1024), exponent - 10);
}

void ContactRows::Update(const Snapshot& snapshot, bool changed, const Shown& shown, int body) {
  Key key{shown, body, snapshot.time, snapshot.scene_generation, snapshot.session, {}, {}};
  const std::size_t count = std::min(snapshot.channels.size(), shown.size());
  for (std::size_t i = 0; i < count; ++i) {
    key.data[i] = snapshot.channels[i].contacts.data();
    key.sizes[i] = snapshot.channels[i].contacts.size();
  }
  if (!changed && sorts_ > 0 && key == key_) return;
  key_ = key;
  ++sorts_;
  rows_.clear();
  total_ = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (!shown[c]) continue;
    const std::vector<ContactFrame>& contacts = snapshot.channels[c].contacts;
    total_ += contacts.size();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (!Touches(contacts[i], body)) continue;
      // a failed channel's numbers must not upset the order
      const double fn = contacts[i].fn == contacts[i].fn ? contacts[i].fn : -1;
      rows_.push_back({static_cast<int>(c), static_cast<int>(i), Coarse(fn)});
    }
  }
  std::sort(rows_.begin(), rows_.end(), [](const ContactRow& a, const ContactRow& b) {
    if (a.fn != b.fn) return a.fn > b.fn;
    return a.channel != b.channel ? a.channel < b.channel : a.index < b.index;
  });
}

}  // namespace slip::app
