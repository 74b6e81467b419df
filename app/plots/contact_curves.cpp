#include "app/plots/contact_curves.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/run/track/contact_history.h"

namespace slip::app {
namespace {

constexpr std::array<Signal, 4> kOfContacts = {Signal::kNormalForce, Signal::kFrictionForce,
                                               Signal::kSlipSpeed, Signal::kSignedDistance};
// A curve of a run that goes on grows this often [s].
constexpr double kAskAgain = 0.2;

}  // namespace

std::span<const Signal> ContactCurves::Signals() { return kOfContacts; }

bool ContactCurves::Has(Signal signal) {
  return std::find(kOfContacts.begin(), kOfContacts.end(), signal) != kOfContacts.end();
}

void ContactCurves::Take(const ContactHistory& history) {
  const auto at = curves_.find(history.key);
  if (at == curves_.end()) return;
  Curves& curves = at->second;
  curves.told = true;
  const std::size_t count = std::min(history.channels.size(), curves.channels.size());
  for (std::size_t c = 0; c < count; ++c) {
    for (const ContactMoment& m : history.channels[c]) {
      const double values[kQuantities] = {m.fn, m.ft, m.slip_speed, m.signed_distance};
      for (std::size_t q = 0; q < kQuantities; ++q) curves.channels[c][q].Append(m.time, values[q]);
      curves.end = std::max(curves.end, m.time);
    }
  }
}

void ContactCurves::FindName(const Snapshot& snapshot, ContactKey key, Curves* curves) const {
  if (!curves->name.empty() || snapshot.model == nullptr) return;
  for (const ChannelFrame& frame : snapshot.channels) {
    for (const ContactFrame& contact : frame.contacts) {
      if (contact.key != key) continue;
      const auto body = static_cast<std::size_t>(contact.body);
      curves->name = snapshot.model->bodies[body].name + " – " +
                     std::string(NameOfA(*snapshot.model, contact));
      return;
    }
  }
}

std::string ContactCurves::Name(ContactKey key) const {
  const auto at = curves_.find(key);
  return at != curves_.end() && !at->second.name.empty() ? at->second.name
                                                         : "contact " + std::to_string(key);
}

std::optional<TellContact> ContactCurves::Update(const Snapshot& snapshot, uint64_t epoch,
                                                 std::span<const ContactKey> wanted, double now) {
  const bool other_past = snapshot.session != session_ || epoch != epoch_;
  if (other_past) {
    // an answer that is still to come is of the past before; names stay
    for (auto& [key, curves] : curves_) {
      std::string name = std::move(curves.name);
      curves = Curves();
      curves.name = std::move(name);
    }
    waiting_ = false;
    session_ = snapshot.session;
    epoch_ = epoch;
  }
  const auto is_wanted = [&](ContactKey key) {
    return std::find(wanted.begin(), wanted.end(), key) != wanted.end();
  };
  std::erase_if(curves_, [&](const auto& item) { return !is_wanted(item.first); });
  if (snapshot.contact_history != taken_) {
    taken_ = snapshot.contact_history;
    if (waiting_ && taken_ != nullptr && taken_->asked == number_ && taken_->session == session_) {
      Take(*taken_);
      waiting_ = false;
    }
  }
  for (const ContactKey key : wanted) FindName(snapshot, key, &curves_[key]);
  if (wanted.empty()) waiting_ = false;
  if (waiting_) return std::nullopt;
  for (const ContactKey key : wanted) {
    Curves& curves = curves_[key];
    const bool grown = !curves.told || snapshot.history_end > curves.end + 1e-9;
    if (!grown || (curves.asked_at >= 0 && now - curves.asked_at < kAskAgain)) continue;
    curves.asked_at = now;
    waiting_ = true;
    constexpr double kEver = -kInfinity;
    return TellContact{key, curves.told ? curves.end : kEver, ++number_};
  }
  return std::nullopt;
}

SeriesView ContactCurves::View(int channel, ContactKey key, Signal signal) const {
  const auto at = curves_.find(key);
  const auto quantity = std::find(kOfContacts.begin(), kOfContacts.end(), signal);
  if (at == curves_.end() || quantity == kOfContacts.end() || channel < 0 ||
      channel >= Snapshot::kMaxChannels)
    return {};
  const auto place = quantity - kOfContacts.begin();
  return At(At(at->second.channels, channel), place).View();
}

}  // namespace slip::app
