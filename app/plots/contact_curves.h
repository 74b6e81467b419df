// The curves of single contacts, which the engine reads from its recorded steps on demand.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/plots/series.h"
#include "engine/run/track/command.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class ContactCurves {
 public:
  /// Signals that one contact has by itself: normal force, friction, slip speed, signed distance.
  static std::span<const Signal> Signals();
  static bool Has(Signal signal);

  /// Once per frame: takes an answer, and forgets contacts that are not `wanted`. What is to be
  /// asked next, if anything; `epoch` is that of the samples, `now` [s].
  std::optional<TellContact> Update(const Snapshot& snapshot, uint64_t epoch,
                                    std::span<const ContactKey> wanted, double now);
  /// Empty until the engine has sent it; valid until the next Update.
  SeriesView View(int channel, ContactKey key, Signal signal) const;
  /// "box – belt"; before it was seen "contact 12".
  std::string Name(ContactKey key) const;

 private:
  static constexpr std::size_t kQuantities = 4;
  struct Curves {
    std::array<std::array<Series, kQuantities>, Snapshot::kMaxChannels> channels;
    double end = 0;  // of what was sent [s]
    bool told = false;
    double asked_at = -1;  // [s]
    std::string name;
  };
  void Take(const ContactHistory& history);
  void FindName(const Snapshot& snapshot, ContactKey key, Curves* curves) const;

  std::map<ContactKey, Curves> curves_;
  std::shared_ptr<const ContactHistory> taken_;
  uint64_t session_ = 0, epoch_ = 0;
  uint64_t number_ = 0;   // of the last request
  bool waiting_ = false;  // for its answer
};

}  // namespace slip::app
