// What notes on parameters look at: channels side by side at one moment, with what was seen of
// their run before.
#pragma once

#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/sim/snapshot.h"

namespace slip {

struct RunMoment {
  struct Channel {
    std::string name;  ///< "Lagged"
    const ChannelFrame* frame = nullptr;
  };

  const Model* model = nullptr;  ///< null before the first scene
  std::vector<Channel> channels;
  int lead = 0;               ///< index into `channels`
  double duration = 1;        ///< of the scene [s]
  double hardest_impact = 0;  ///< speed of the hardest impact that was seen [m/s]; 0 = none
  /// Parameters were changed that no step has followed yet: contacts say nothing of them.
  bool outdated = false;

  const ChannelFrame& frame(int channel) const { return *At(channels, channel).frame; }
  const std::string& name(int channel) const { return At(channels, channel).name; }
  int count() const { return static_cast<int>(channels.size()); }
};

/// Does the contact's body have the material of this name; an empty name is that of every body.
bool HasMaterial(const RunMoment& moment, int channel, const ContactFrame& contact,
                 const std::string& name);

}  // namespace slip
