#include <btBulletDynamicsCommon.h>

#include <vector>

#include "tests/bench/peers/peer.h"

namespace slip::bench {
namespace {

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  explicit World(int iterations) {
    world.setGravity(btVector3(0, 0, btScalar(-kGravity)));
    world.getSolverInfo().m_numIterations = iterations;
  }
  ~World() {
    for (auto& body : bodies) world.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  btRigidBody* Add(btCollisionShape* shape, double mass, const Vec3& p) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
    info.m_friction = btScalar(kFriction);
    info.m_startWorldTransform.setOrigin(
        btVector3(btScalar(p.x()), btScalar(p.y()), btScalar(p.z())));
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
    return bodies.back().get();
  }
  template <class S, class... Args>
  btCollisionShape* Make(Args&&... args) {
    shapes.push_back(std::make_unique<S>(std::forward<Args>(args)...));
    return shapes.back().get();
  }
};

class BulletPeer : public Peer {
 public:
  BulletPeer(const PileSpec& pile, double h, int iterations)
      : world_(iterations), h_(h), iterations_(iterations) {
    const auto s = btScalar(pile.side / 2);
    const auto wall = [&](const btVector3& n, btScalar offset) {
      world_.Add(world_.Make<btStaticPlaneShape>(n, offset), 0, Vec3::Zero());
    };
    wall({0, 0, 1}, 0);
    wall({1, 0, 0}, -s);
    wall({-1, 0, 0}, -s);
    wall({0, 1, 0}, -s);
    wall({0, -1, 0}, -s);
    first_ = world_.bodies.size();
    const auto half = btScalar(kSize / 2);
    btCollisionShape* sphere = world_.Make<btSphereShape>(half);
    btCollisionShape* box = world_.Make<btBoxShape>(btVector3(half, half, half));
    for (const PileBody& body : pile.start) {
      world_.Add(body.sphere ? sphere : box, body.sphere ? kSphereMass : kBoxMass, body.p);
    }
  }
  void Step() override { world_.world.stepSimulation(btScalar(h_), 0); }
  std::vector<Pose> Poses() const override {
    std::vector<Pose> poses;
    for (std::size_t i = first_; i < world_.bodies.size(); ++i) {
      const btTransform& X = world_.bodies[i]->getWorldTransform();
      const btVector3& p = X.getOrigin();
      const btQuaternion q = X.getRotation();
      poses.push_back({Vec3(p.x(), p.y(), p.z()), Quat(q.w(), q.x(), q.y(), q.z())});
    }
    return poses;
  }
  int contacts() const override {
    int count = 0;
    const btDispatcher& dispatcher = world_.dispatcher;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      count +=
          const_cast<btDispatcher&>(dispatcher).getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }
  int iterations() const override { return iterations_; }

 private:
  World world_;
  double h_;
  int iterations_;
  std::size_t first_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeBullet(const PileSpec& pile, double h, int iterations) {
  return std::make_unique<BulletPeer>(pile, h, iterations);
}

std::function<void()> MakeBulletBelt(double h) {
  auto world = std::make_shared<World>(10);
  btRigidBody* belt =
      world->Add(world->Make<btBoxShape>(btVector3(5, 1, btScalar(0.05))), 0, Vec3(0, 0, -0.05));
  belt->setCollisionFlags(belt->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  const auto half = btScalar(0.05);
  world->Add(world->Make<btBoxShape>(btVector3(half, half, half)), 1, Vec3(0, 0, 0.05));
  auto time = std::make_shared<double>(0);
  return [world, belt, time, h] {
    // the velocity of a kinematic body is that of its pose
    btTransform X = belt->getWorldTransform();
    X.getOrigin().setX(X.getOrigin().x() + btScalar(h * BeltVelocity(*time)));
    belt->setWorldTransform(X);
    world->world.stepSimulation(btScalar(h), 0);
    *time += h;
  };
}

}  // namespace slip::bench
