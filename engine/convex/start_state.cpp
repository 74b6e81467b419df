#include "engine/convex/start_state.h"

#include <cmath>

#include "engine/convex/convex.h"
#include "engine/convex/task_builder.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"

namespace slip {
namespace {

// What the model says of a contact under this load and slip, far above the stiction tolerance.
ContactPrediction Predict(const Config& config, const Body& body, ContactStart start, double fn,
                          double slip) {
  ModelChoice model = ChooseModel(config.step);
  model.params.stiction_tolerance = 1e-100;
  start.w = 1 / body.mass;
  return Predict(model, start, {.fn = fn, .ft = 0, .slip_speed = slip});
}

// Signed distance at which the body should start, above the surface its lowest point faces.
Vec3 CalcOffset(const Model& model, const Config& config, std::size_t b) {
  const Body& body = model.bodies[b];
  const Surface* lowest = nullptr;
  Vec3 p_BP = Vec3::Zero();
  double smallest = kInfinity;
  int touching = 0;
  for (const Surface& surface : model.surfaces) {
    for (const Vec3& point : body.points_B) {
      const double phi = CalcSignedDistance(surface, body, point, body.X_WB, nullptr);
      if (phi < smallest - 1e-9) {
        smallest = phi;
        lowest = &surface;
        p_BP = point;
        touching = 0;
      }
      if (phi <= smallest + 1e-9) ++touching;
    }
  }
  if (lowest == nullptr) return Vec3::Zero();
  const Surface& surface = *lowest;
  const auto index = static_cast<int>(lowest - model.surfaces.data());
  const ContactStart start =
      MakeContactStart(config.step.time_step, config.step.part<ConvexParams>(),
                       ContactMaterial(model, config.materials, index, -1, static_cast<int>(b)));

  const bool glides = Info(config.method()).glides;
  if (body.start_offset != StartOffset::kRest && glides) {
    Vec3 p_W;
    CalcSignedDistance(surface, body, p_BP, body.X_WB, &p_W);
    const double belt = surface.drive >= 0 ? At(config.surfaces, surface.drive).Velocity(0) : 0;
    const Vec3 v = body.V_WB.tail<3>() + body.V_WB.head<3>().cross(p_W - body.X_WB.p) -
                   belt * surface.belt_axis;
    double slip = (v - surface.normal.dot(v) * surface.normal).norm();
    if (start.mu_w > 0 && start.mu > 0)
      slip = std::hypot(slip, start.rho() * surface.normal.dot(body.V_WB.head<3>()));
    // unloaded, for the weight compresses the contact by itself
    return Predict(config, body, start, 0, slip).gliding_offset * surface.normal;
  }
  if (body.start_offset == StartOffset::kGlide) return Vec3::Zero();
  const double load = -body.mass * CalcGravity(config.step).dot(surface.normal) / touching;
  if (load > 0 && Info(config.method()).takes_law) {
    return Predict(config, body, start, load, 0).rest_distance * surface.normal;
  }
  return -(load > 0 && start.law.k > 0 ? load / start.law.k : 0) * surface.normal;
}

}  // namespace

State MakeStartState(const Model& model, const Config& config) {
  State state;
  SetStart(model, &state);
  bool moved = false;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].start_offset == StartOffset::kNone) continue;
    state.X_WB[b].p += CalcOffset(model, config, b);
    moved = true;
  }
  if (moved) UpdatePoses(model, &state);
  return state;
}

}  // namespace slip
