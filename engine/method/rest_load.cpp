#include "engine/method/rest_load.h"

#include "engine/collide/contact_detector.h"
#include "engine/dynamics/model.h"

namespace slip {

RestLoad FindRestLoad(const Model& model, const Config& config, int b) {
  constexpr double kSame = 1e-9;
  const Body& body = model.body(b);
  const Surface* lowest = nullptr;
  double smallest = kInfinity;
  int touching = 0;
  for (const Surface& surface : model.surfaces) {
    for (const Vec3& point : body.points_B) {
      const double phi = CalcSignedDistance(surface, body, point, body.X_WB, nullptr);
      if (phi < smallest - kSame) smallest = phi, lowest = &surface, touching = 0;
      if (phi <= smallest + kSame) ++touching;
    }
  }
  if (lowest == nullptr) return {};
  return {static_cast<int>(lowest - model.surfaces.data()),
          -body.mass * CalcGravity(config.step).dot(lowest->normal) / touching};
}

}  // namespace slip
