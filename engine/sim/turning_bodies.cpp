#include "engine/sim/turning_bodies.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {

bool TurnsContacts(const Model& model, const Body& body) {
  const auto at_centre = [](const Vec3& point) { return point.isZero(0); };
  const bool ball = body.shape.kind == ShapeKind::kSphere &&
                    std::all_of(body.points_B.begin(), body.points_B.end(), at_centre);
  return !ball && model.IsFree(body);
}

int FindFastestTurning(const Model& model, const ChannelFrame& frame) {
  int fastest = -1;
  double most = 0;
  for (const ContactFrame& contact : frame.contacts) {
    if (!(contact.fn > 0)) continue;
    for (const int b : {contact.body, contact.body_a}) {
      if (b < 0 || static_cast<std::size_t>(b) >= frame.bodies.size()) continue;
      const Body& body = model.body(b);
      const double speed = At(frame.bodies, b).V_WB.head<3>().norm();
      if (!TurnsContacts(model, body) || !(speed > most)) continue;
      most = speed;
      fastest = b;
    }
  }
  return fastest;
}

}  // namespace slip
