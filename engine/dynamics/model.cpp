#include "engine/dynamics/model.h"

#include <algorithm>
#include <initializer_list>

namespace slip {

void Body::SetMotion(Motion kept) {
  const auto keep = [this](std::initializer_list<int> components) {
    nv = 0;
    for (const int component : components) dof[nv++] = component;
  };
  motion = kept;
  switch (kept) {
    case Motion::kFree:
      return keep({0, 1, 2, 3, 4, 5});
    case Motion::kPlanar:
      return keep({1, 3, 5});
    case Motion::kXZ:
      return keep({3, 5});
    case Motion::kZ:
      return keep({5});
    case Motion::kFixed:
      return keep({});
  }
}

void Model::Finish() {
  nv = 0;
  planar = true;
  lead_body = -1;
  int trees = 0;
  int64_t key = 0;
  for (Body& body : bodies) {
    body.v_start = nv;
    nv += body.nv;
    if (body.nv > 0 && lead_body < 0) lead_body = static_cast<int>(&body - bodies.data());
    body.tree = body.nv > 0 ? trees++ : -1;
    body.first_key = key;
    key += static_cast<int64_t>(body.points_B.size() * surfaces.size());
    if (body.motion == Motion::kFree) planar = false;

    Vec3 low, high;
    CalcBounds(body.shape, Pose{}, &low, &high);
    body.half_width = 0.5 * (high - low).minCoeff();
    body.bound = low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm();
    for (const Vec3& p : body.points_B) {
      body.bound = std::max(body.bound, p.norm() + body.point_radius);
    }
  }
  lead_body = std::max(lead_body, 0);
}

}  // namespace slip
