#include "render/scene/difference.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip::render {

bool ComparedWithLead(const Snapshot& snapshot, const ViewRequest& request, int channel) {
  const int count = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
  if (channel < 0 || channel >= count || channel == LeadChannel(snapshot, request)) return false;
  return At(request.visible, channel);
}

double PositionDifference(const Snapshot& snapshot, const ViewRequest& request, int body) {
  const auto index = static_cast<std::size_t>(body);
  const auto lead = static_cast<std::size_t>(LeadChannel(snapshot, request));
  if (body < 0 || lead >= snapshot.channels.size()) return 0;
  const auto& reference = snapshot.channels[lead].bodies;
  double most = 0;
  for (std::size_t c = 0; c < snapshot.channels.size(); ++c) {
    const auto& bodies = snapshot.channels[c].bodies;
    if (!ComparedWithLead(snapshot, request, static_cast<int>(c))) continue;
    if (index >= bodies.size() || index >= reference.size()) continue;
    const double distance = (bodies[index].X_WB.p - reference[index].X_WB.p).norm();
    if (distance > most) most = distance;  // false for NaN: a failed channel shows none
  }
  return most;
}

double DifferenceUnit(double metres) {
  if (!(metres > kLeastDifference)) return 0;
  const double unit =
      std::log(metres / kLeastDifference) / std::log(kMostDifference / kLeastDifference);
  return std::min(unit, 1.0);
}

Colour DifferenceColour(double metres) {
  static constexpr std::array<Colour, 4> kStops{Colour::Hex(0x2B4470), Colour::Hex(0x626A78),
                                                Colour::Hex(0xB3A36C), Colour::Hex(0xFEE045)};
  const double place = DifferenceUnit(metres) * (kStops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const auto t = static_cast<float>(place - static_cast<double>(i));
  const Colour &a = kStops[i], &b = kStops[i + 1];
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), 1};
}

}  // namespace slip::render
