#include "engine/run/channels/foot_trails.h"

#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Swings last a quarter of a second: so many points draw a smooth curve.
constexpr double kPointInterval = 0.01;  // [s]

Vec3 PositionOf(const Model& model, const Robot::Foot& foot, const Pose& X_WB) {
  const std::vector<Vec3>& points = model.body(foot.body).points_B;
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < foot.points; ++i) sum += At(points, foot.first_point + i);
  return foot.points > 0 ? X_WB * (sum / foot.points) : X_WB * foot.X_BF.p;
}

}  // namespace

void FillTrails(const Track& track, std::vector<FootTrail>* trails) {
  const Model& model = track.sim().model();
  std::size_t count = 0;
  for (const Robot& robot : model.robots) count += robot.feet.size();
  trails->resize(count);
  for (FootTrail& trail : *trails) trail.p_W.clear();
  if (count == 0) return;

  const auto add = [&](const State& state) {
    auto trail = trails->begin();
    for (std::size_t r = 0; r < model.robots.size(); ++r) {
      const std::vector<Robot::Foot>& feet = model.robots[r].feet;
      for (std::size_t f = 0; f < feet.size(); ++f, ++trail) {
        trail->robot = static_cast<int>(r);
        trail->foot = static_cast<int>(f);
        trail->p_W.push_back(PositionOf(model, feet[f], state.pose(feet[f].body)));
      }
    }
  };
  const Timeline& history = track.history();
  const double now = track.sim().time();
  if (!history.empty()) {
    StepRecord record;
    // counted from zero: points stay where they are while the trail moves on
    double slot = -1;
    for (std::size_t i = history.Find(now - kTrailSeconds); i < history.size(); ++i) {
      if (history.time(i) < now - kTrailSeconds) continue;
      if (history.step(i) >= track.sim().step()) break;
      const double next = std::floor(history.time(i) / kPointInterval + 1e-6);
      if (next == slot) continue;
      slot = next;
      history.Load(i, &record);
      if (record.state.X_WB.size() == model.bodies.size()) add(record.state);
    }
  }
  add(track.sim().state());
}

}  // namespace slip
