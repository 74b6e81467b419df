#include "app/session/closed_form.h"

#include <algorithm>
#include <cmath>

#include "engine/collide/contact_material.h"
#include "engine/contact/spring_damper.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr double kInterval = 1e-3;  // between samples [s]

}  // namespace

std::vector<Sample> CalcClosedForm(const Model& model, const Config& config, double end) {
  std::vector<Sample> samples;
  if (model.surfaces.empty() || model.bodies.empty()) return samples;
  const auto b = static_cast<std::size_t>(model.lead_body);
  const Body& body = model.bodies[b];
  const Material material = ContactMaterial(model, config.materials, 0, -1, model.lead_body);
  const double g = config.step.gravity, m = body.mass, mu = material.friction;
  const SpringDamper spring{m, material.stiffness, material.damping, -m * g};
  const Vec3 start = body.X_WB.p;
  const double vx = body.V_WB[3], vz = body.V_WB[5];
  bool slides = vx != 0;
  double x = start.x();
  const auto count = static_cast<int64_t>(std::ceil(end / kInterval));
  for (int64_t i = 0; i <= count; ++i) {
    Sample sample;
    sample.step = i;
    sample.time = static_cast<double>(i) * kInterval;
    sample.values.fill(kNaN);
    const auto set = [&sample](Signal signal, double value) { At(sample.values, signal) = value; };
    const double t = sample.time;
    const SpringDamperMotion z = CalcMotion(spring, 0, vz, t);
    set(Signal::kPositionZ, start.z() + z.x);
    set(Signal::kVelocityZ, z.v);
    const double normal = -material.stiffness * z.x - material.damping * z.v;
    if (i > 0) set(Signal::kNormalForce, normal);
    // friction is mu times the normal force: its impulse is mu m (g t + change of the speed)
    const double lost = mu * (g * t + z.v - vz), way = mu * (0.5 * g * t * t + z.x - vz * t);
    slides = slides && lost < std::abs(vx);
    if (slides) x = start.x() + vx * t - std::copysign(way, vx);
    set(Signal::kPositionX, x);
    set(Signal::kVelocityX, slides ? vx - std::copysign(lost, vx) : 0);
    if (i > 0 && vx != 0) set(Signal::kFrictionForce, slides ? mu * normal : 0);
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace slip::app
