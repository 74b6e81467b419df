// The channels as the window has them: which there are, which are visible, which is alone, which
// leads, and what they are called.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/session/session_core.h"

namespace slip::app {

/// How one channel is shown. The numbers come from the snapshot.
struct ChannelLook {
  MethodId model{};
  bool visible = true;
  bool second = false;  ///< another channel before it has the same model: hollow mark, dotted line
  int of_scene = -1;    ///< index of the scene's channel that it is; -1 = it was added
  MethodId added_as{};  ///< model that it began with
};

class ChannelLooks {
 public:
  explicit ChannelLooks(SessionCore* core) : core_(*core) {}

  /// One more, which goes on from the state of the chosen lead.
  void Add(MethodId model);
  void Remove(int channel);

  const ChannelLook& Of(int channel) const;
  /// Its model, with a number from the second channel of a model on.
  std::string Name(int channel) const;
  /// The same where another model made its steps.
  std::string Name(int channel, MethodId model) const;
  /// Of a second channel of one model, what sets it apart: "µ_w = 0 m". Rich text; else empty.
  std::string Difference(int channel) const;
  bool Shown(int channel) const;  ///< visible, and not put aside by another's solo
  /// Not when a moment before its start is looked at.
  bool Begun(int channel) const;
  /// Shown, and begun: it has a place in the picture and numbers of this moment.
  bool Present(int channel) const { return Begun(channel) && Shown(channel); }
  void ToggleVisible(int channel);
  void ToggleSolo(int channel);
  /// Which channels are seen.
  struct Seen {
    std::vector<bool> visible;
    int solo = -1;
    bool operator==(const Seen&) const = default;
  };
  Seen seen() const;
  /// Nothing where there are other channels by now.
  void SetSeen(const Seen& seen);
  void EndSolo() { solo_ = -1; }
  int solo() const { return solo_ >= 0 && !Begun(solo_) ? -1 : solo_; }  ///< -1 = none
  /// While a moment before its start is looked at, the first channel that had begun.
  int lead() const;
  int chosen_lead() const { return lead_; }  ///< also where it has not begun
  void SetLead(int channel);

  // Called by the session.
  void Start(const Scene& scene);
  /// The list follows the snapshot, which alone knows what the engine accepted.
  void Sync();
  /// Those behind a removed channel move up by one place; false when there is nothing to remove.
  bool ForgetRemoved(int gone);
  /// That of an experiment, whose channels are not there yet.
  void RestoreLead(int channel);

 private:
  void NameSeconds();

  SessionCore& core_;
  std::vector<ChannelLook> looks_;
  int solo_ = -1;
  int lead_ = 0;
};

}  // namespace slip::app
