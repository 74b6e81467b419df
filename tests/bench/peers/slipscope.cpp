#include <cmath>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/bench/peers/peer.h"
#include "tests/support/methods.h"

namespace slip::bench {
namespace {

class SlipscopePeer : public Peer {
 public:
  SlipscopePeer(std::shared_ptr<const Model> model, const Config& config)
      : sim_(std::move(model), config) {
    sim_.SetMeasureCondition(false);  // no peer computes one
  }
  void Step() override { (void)sim_.Step(); }
  std::vector<Pose> Poses() const override { return sim_.state().X_WB; }
  int contacts() const override { return sim_.solve().contacts; }
  int iterations() const override { return sim_.solve().iterations; }

 private:
  Simulation sim_;
};

Surface Wall(const Vec3& normal, const Vec3& point) {
  Surface wall;
  wall.normal = normal;
  wall.point = point;
  wall.material = 0;
  if (std::abs(normal.x()) > 0.9) wall.belt_axis = Vec3::UnitZ();
  return wall;
}

}  // namespace

std::unique_ptr<Peer> MakeSlipscope(const PileSpec& pile, double h, MethodId model_id, bool plain) {
  Model model;
  model.contact_margin = 5e-3;
  const double half = pile.side / 2;
  model.surfaces = {Wall(Vec3::UnitZ(), Vec3::Zero()), Wall(Vec3::UnitX(), Vec3(-half, 0, 0)),
                    Wall(-Vec3::UnitX(), Vec3(half, 0, 0)), Wall(Vec3::UnitY(), Vec3(0, -half, 0)),
                    Wall(-Vec3::UnitY(), Vec3(0, half, 0))};
  for (const PileBody& start : pile.start) {
    Body body;
    body.SetJoint(JointKind::kFree);
    body.X_WB.p = start.p;
    if (start.sphere) {
      body.shape.radius = kSize / 2;
      body.mass = kSphereMass;
      body.inertia_B = Vec3::Constant(0.4 * kSphereMass * kSize * kSize / 4);
      body.points_B = {Vec3::Zero()};
      body.point_radius = kSize / 2;
    } else {
      body.shape.kind = ShapeKind::kBox;
      body.shape.size = Vec3::Constant(kSize);
      body.mass = kBoxMass;
      body.inertia_B = Vec3::Constant(kBoxMass * kSize * kSize / 6);
      for (int i = 0; i < 8; ++i) {
        body.points_B.push_back(kSize / 2 * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
      }
    }
    model.bodies.push_back(body);
  }
  model.Finish();

  Config config;
  config.step.method = static_cast<int>(model_id);
  config.step.time_step = h;
  config.step.solver_tolerance = 1e-6;
  config.step.part<ConvexParams>().solver = plain ? 1 : 0;
  // two of these in series: k = 1e7 N/m, tau_d = 0.1 ms
  Material steel;
  steel.stiffness = 2e7;
  steel.dissipation = 10;
  steel.relaxation_time = 5e-5;
  steel.friction = kFriction;
  config.materials = {steel};
  return std::make_unique<SlipscopePeer>(std::make_shared<const Model>(std::move(model)), config);
}

std::function<void()> MakeSlipscopeBelt(double h) {
  const auto scene = FindScene("conveyor");
  if (!scene.ok()) return {};
  Config config = (*scene)->config;
  config.step.time_step = h;
  config.step.method = static_cast<int>(method_id::kSap);
  // a free box on its four lower corners, like the peers' own
  Model model = *(*scene)->model;
  model.bodies[0].SetJoint(JointKind::kFree);
  model.bodies[0].points_B.clear();
  const Vec3 half = model.bodies[0].shape.size / 2;
  for (int i = 0; i < 8; ++i) {
    model.bodies[0].points_B.push_back(
        half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  model.Finish();
  auto sim = std::make_shared<Simulation>(std::make_shared<const Model>(std::move(model)), config);
  sim->SetMeasureCondition(false);
  return [sim] { (void)sim->Step(); };
}

}  // namespace slip::bench
