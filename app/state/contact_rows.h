// The contacts of all shown channels in the order of the table, worked out once per snapshot.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/sim/snapshot.h"
#include "render/view_request.h"

namespace slip::app {

struct ContactRow {
  int channel = 0;
  int index = 0;  ///< into ChannelFrame::contacts
  double fn = 0;  ///< that it is sorted by: the normal force to three digits [N]
};

/// Whether the contact is one of this body's; every contact is one of body -1.
bool Touches(const ContactFrame& contact, int body);

class ContactRows {
 public:
  using Shown = std::array<bool, Snapshot::kMaxChannels>;

  /// Contacts of `body` (-1 = all) in the shown channels, largest normal force first. Does nothing
  /// while the snapshot, told by `changed` and its times, is the one of the last call.
  void Update(const Snapshot& snapshot, bool changed, const Shown& shown, int body);

  const std::vector<ContactRow>& rows() const { return rows_; }
  /// Contacts of all bodies in the shown channels.
  std::size_t total() const { return total_; }
  int sorts() const { return sorts_; }  ///< done so far

 private:
  struct Key {
    Shown shown{};
    int body = -1;
    double time = -1;
    uint64_t generation = 0, session = 0;
    std::array<const ContactFrame*, Snapshot::kMaxChannels> data{};
    std::array<std::size_t, Snapshot::kMaxChannels> sizes{};
    bool operator==(const Key&) const = default;
  };
  Key key_;
  std::vector<ContactRow> rows_;
  std::size_t total_ = 0;
  int sorts_ = 0;
};

}  // namespace slip::app
