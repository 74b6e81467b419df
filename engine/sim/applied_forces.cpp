#include "engine/sim/applied_forces.h"

#include "engine/core/numbers.h"

namespace slip {

void FollowPaths(const Model& model, double time, Config* config) {
  for (const Body& body : model.bodies) {
    if (body.drive < 0) continue;
    At(config->joints, body.drive).target += body.target_path.At(time);
  }
}

void CompensateWeight(const Model& model, const Config& config, const State& state,
                      Kinematics* kinematics, VectorX* forces) {
  const Vec3 gravity_W = CalcGravity(config.step);
  for (const Robot& robot : model.robots) {
    if (!robot.weightless) continue;
    for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
      const Body& body = model.body(b);
      if (body.shape_of_link >= 0) continue;
      kinematics->AddWrench(model, state, b, Vec3::Zero(), -body.mass * gravity_W, forces);
    }
  }
}

void AddPushes(const Model& model, const Config& config, const State& state, double time,
               Kinematics* kinematics, VectorX* forces) {
  for (std::size_t i = 0; i < model.pushes.size(); ++i) {
    const Push& push = model.pushes[i];
    const double scale = config.pushes[i].scale;
    kinematics->AddWrench(model, state, push.body, scale * push.torque.At(time, Vec3::Zero()),
                          scale * push.force.At(time, Vec3::Zero()), forces);
  }
}

}  // namespace slip
