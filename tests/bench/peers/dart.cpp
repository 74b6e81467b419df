#include <dart/collision/bullet/BulletCollisionDetector.hpp>
#include <dart/dart.hpp>

#include "tests/bench/peers/peer.h"

namespace slip::bench {
namespace {

namespace ds = dart::dynamics;

ds::SkeletonPtr MakeBody(const PileBody& start, std::size_t index) {
  auto skeleton = ds::Skeleton::create("body" + std::to_string(index));
  auto* body = skeleton->createJointAndBodyNodePair<ds::FreeJoint>().second;
  ds::ShapePtr shape;
  double mass = kBoxMass;
  if (start.sphere) {
    shape = std::make_shared<ds::SphereShape>(kSize / 2);
    mass = kSphereMass;
  } else {
    shape = std::make_shared<ds::BoxShape>(Vec3::Constant(kSize));
  }
  auto* node = body->createShapeNodeWith<ds::CollisionAspect, ds::DynamicsAspect>(shape);
  node->getDynamicsAspect()->setFrictionCoeff(kFriction);
  ds::Inertia inertia;
  inertia.setMass(mass);
  inertia.setMoment(shape->computeInertia(mass));
  body->setInertia(inertia);
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = start.p;
  ds::FreeJoint::setTransformOf(body, X);
  return skeleton;
}

class DartPeer : public Peer {
 public:
  DartPeer(const PileSpec& pile, double h) : world_(dart::simulation::World::create()) {
    world_->setTimeStep(h);
    world_->setGravity(Vec3(0, 0, -kGravity));
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::BulletCollisionDetector::create());
    auto container = ds::Skeleton::create("container");
    auto* ground = container->createJointAndBodyNodePair<ds::WeldJoint>().second;
    const double s = pile.side / 2;
    const std::pair<Vec3, double> planes[] = {{Vec3::UnitZ(), 0},
                                              {Vec3::UnitX(), -s},
                                              {-Vec3::UnitX(), -s},
                                              {Vec3::UnitY(), -s},
                                              {-Vec3::UnitY(), -s}};
    for (const auto& [normal, offset] : planes) {
      auto* node = ground->createShapeNodeWith<ds::CollisionAspect, ds::DynamicsAspect>(
          std::make_shared<ds::PlaneShape>(normal, offset));
      node->getDynamicsAspect()->setFrictionCoeff(kFriction);
    }
    container->setMobile(false);
    world_->addSkeleton(container);
    for (std::size_t i = 0; i < pile.start.size(); ++i) {
      bodies_.push_back(MakeBody(pile.start[i], i));
      world_->addSkeleton(bodies_.back());
    }
  }
  void Step() override { world_->step(); }
  std::vector<Pose> Poses() const override {
    std::vector<Pose> poses;
    for (const auto& body : bodies_) {
      const Eigen::Isometry3d& X = body->getBodyNode(0)->getWorldTransform();
      poses.push_back({X.translation(), Quat(X.rotation())});
    }
    return poses;
  }
  int contacts() const override {
    return static_cast<int>(
        world_->getConstraintSolver()->getLastCollisionResult().getNumContacts());
  }
  int iterations() const override { return -1; }

 private:
  dart::simulation::WorldPtr world_;
  std::vector<ds::SkeletonPtr> bodies_;
};

}  // namespace

std::unique_ptr<Peer> MakeDart(const PileSpec& pile, double h) {
  return std::make_unique<DartPeer>(pile, h);
}

}  // namespace slip::bench
