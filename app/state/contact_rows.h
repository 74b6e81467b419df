// The contacts of all shown channels in the order of the table, worked out once per snapshot.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/sim/snapshot.h"
#include "render/scene/view_request.h"

namespace slip::app {

struct ContactRow {
  int channel = 0;
  int index = 0;  ///< into ChannelFrame::contacts
  double fn = 0;  ///< the normal force as the table writes it [N]
};

/// Whether the contact is one of this body's; every contact is one of body -1.
bool Touches(const ContactFrame& contact, int body);

enum class ContactOrder {
  kContact,  ///< by what it is: rows keep their places as long as the same contacts last
  kForce     ///< largest normal force first
};

class ContactRows {
 public:
  using Shown = std::array<bool, Snapshot::kMaxChannels>;

  /// Contacts of `body` (-1 = all) in the shown channels. In the order of their forces rows that
  /// are `held`, by a hand over them while the run plays, keep their order for half a second, so
  /// that they can be clicked; new contacts come last until then. `now` [s] is any clock. Does
  /// nothing while `count` is that of the last call, and so the numbers are.
  void Update(const Snapshot& snapshot, int64_t count, const Shown& shown, int body, bool held,
              double now, ContactOrder order);

  const std::vector<ContactRow>& rows() const { return rows_; }
  /// Contacts of all bodies in the shown channels.
  std::size_t total() const { return total_; }
  int updates() const { return updates_; }  ///< done so far

 private:
  struct Key {
    Shown shown{};
    int body = -1;
    ContactOrder order = ContactOrder::kContact;
    uint64_t generation = 0, session = 0;
    std::array<const ContactFrame*, Snapshot::kMaxChannels> data{};
    std::array<std::size_t, Snapshot::kMaxChannels> sizes{};
    int64_t count = -1;
    bool operator==(const Key&) const = default;
  };
  Key key_;
  /// Places of the last sort, by channel and key of the contact.
  struct Place {
    int channel;
    ContactKey key;
    std::size_t row;
  };
  void Sort(const Snapshot& snapshot);
  void KeepOrder(const Snapshot& snapshot);
  std::vector<ContactRow> rows_;
  std::vector<Place> places_;  ///< ascending in channel and key
  double sorted_at_ = -1e9;    ///< [s]
  bool in_order_ = true;       ///< else rows keep the places of a while ago
  std::size_t total_ = 0;
  int updates_ = 0;
};

}  // namespace slip::app
