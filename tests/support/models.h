// Small models made by hand, so that engine tests need no scene file.
#pragma once

#include <memory>
#include <numbers>

#include "engine/dynamics/model.h"
#include "engine/integrators/integrator_params.h"
#include "engine/method/config.h"
#include "engine/sim/simulation.h"

namespace slip::test {

/// Ready to be simulated.
inline std::shared_ptr<const Model> Finish(Model model) {
  model.Finish();
  return std::make_shared<const Model>(std::move(model));
}

/// A 0.1 m box, 1 kg, one contact at its base centre, on a belt at z = 0.
inline std::shared_ptr<const Model> BoxOnBelt(JointKind motion = JointKind::kXZ, double phi0 = 0,
                                              Vec3 velocity = Vec3::Zero()) {
  Body box;
  box.name = "box";
  box.shape.kind = ShapeKind::kBox;
  box.SetJoint(motion);
  box.inertia_B = Vec3::Constant(1.0 / 600);
  box.points_B = {Vec3(0, 0, -0.05)};
  box.X_WB.p = Vec3(0, 0, 0.05 + phi0);
  box.V_WB.tail<3>() = velocity;
  Surface belt;
  belt.name = "belt";
  belt.drive = 0;
  Model model;
  model.bodies = {box};
  model.surfaces = {belt};
  return Finish(model);
}

inline Config BeltConfig(MethodId id, double h) {
  Config config;
  config.step.method = static_cast<int>(id);
  config.step.time_step = h;
  config.step.solver_tolerance = 1e-10;
  Material steel;
  steel.name = "steel";
  steel.stiffness = 1e7;
  steel.dissipation = 10;
  steel.relaxation_time = 1e-4;
  steel.friction = 0.5;
  config.materials = {steel};
  SurfaceDrive belt;
  belt.name = "belt";
  config.surfaces = {belt};
  return config;
}

/// Of steel, 0.1 m; falls from a centimetre at 2 m/s along: of the papers.
inline Body SteelSphere() {
  Body sphere;
  sphere.name = "sphere";
  sphere.SetJoint(JointKind::kPlanar);
  sphere.mass = 7800 * std::numbers::pi / 6 * 1e-3;
  sphere.inertia_B = Vec3::Constant(0.4 * sphere.mass * 0.05 * 0.05);
  sphere.points_B = {Vec3::Zero()};
  sphere.point_radius = 0.05;
  sphere.X_WB.p = Vec3(0, 0, 0.06);
  sphere.V_WB[3] = 2;
  return sphere;
}

/// It above a ground that nothing moves.
inline Simulation FallingSphere(MethodId id, double h) {
  Surface ground;
  ground.name = "ground";
  Model model;
  model.bodies = {SteelSphere()};
  model.surfaces = {ground};
  Config config = BeltConfig(id, h);
  config.surfaces.clear();
  config.materials[0].friction = 0.3;
  config.materials[0].dissipation = 20;
  config.materials[0].relaxation_time = 1e-3;
  return {Finish(model), config};
}

/// The papers' own forms, and no guard of energy: what experiments of before stand for.
inline void TakePublishedForms(Config* config) {
  config->step.part<ExponentialParams>().slip_set = config->step.part<AnchorParams>().anchors =
      config->step.part<BiasParams>().bias = 1;
  config->step.gained_energy = 1;
}

inline double Value(const Simulation& sim, Signal id) {
  return sim.signals()[static_cast<std::size_t>(id)];
}

/// Steps until `time`; false as soon as a step fails or does not converge.
inline bool RunTo(Simulation* sim, double time) {
  while (sim->time() + 0.5 * sim->config().step.time_step <= time) {
    if (sim->Step() != StepStatus::kConverged) return false;
  }
  return true;
}

}  // namespace slip::test
