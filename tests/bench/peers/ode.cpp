#include <ode/ode.h>

#include <algorithm>

#include "tests/bench/peers/peer.h"

namespace slip::bench {
namespace {

struct World {
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID joints = dJointGroupCreate(0);
  std::vector<dBodyID> bodies;
  int contacts = 0;
  double belt = 0;  ///< velocity of the ground along x [m/s]
  bool moving = false;

  explicit World(int iterations) {
    dWorldSetGravity(world, 0, 0, -kGravity);
    dWorldSetQuickStepNumIterations(world, iterations);
  }
  ~World() {
    dJointGroupDestroy(joints);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void AddBody(bool sphere, const Vec3& p) {
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dGeomID geom;
    if (sphere) {
      dMassSetSphereTotal(&mass, kSphereMass, kSize / 2);
      geom = dCreateSphere(space, kSize / 2);
    } else {
      dMassSetBoxTotal(&mass, kBoxMass, kSize, kSize, kSize);
      geom = dCreateBox(space, kSize, kSize, kSize);
    }
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    dBodySetPosition(body, p.x(), p.y(), p.z());
    bodies.push_back(body);
  }

  static void Near(void* data, dGeomID a, dGeomID b) {
    World& w = *static_cast<World*>(data);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact found[8];
    const int count = dCollide(a, b, 8, &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dContact& c = found[i];
      c.surface = {};
      c.surface.mode = dContactApprox1;
      c.surface.mu = kFriction;
      if (w.moving) {
        c.surface.mode |= dContactMotion1 | dContactFDir1;
        c.surface.motion1 = w.belt;
        c.fdir1[0] = 1;
        c.fdir1[1] = c.fdir1[2] = 0;
      }
      dJointAttach(dJointCreateContact(w.world, w.joints, &c), body_a, body_b);
    }
    w.contacts += count;
  }

  void Step(double h) {
    contacts = 0;
    dJointGroupEmpty(joints);
    dSpaceCollide(space, this, &Near);
    dWorldQuickStep(world, h);
  }
};

class OdePeer : public Peer {
 public:
  OdePeer(const PileSpec& pile, double h, int iterations)
      : world_(iterations), h_(h), iterations_(iterations) {
    const double s = pile.side / 2;
    dCreatePlane(world_.space, 0, 0, 1, 0);
    dCreatePlane(world_.space, 1, 0, 0, -s);
    dCreatePlane(world_.space, -1, 0, 0, -s);
    dCreatePlane(world_.space, 0, 1, 0, -s);
    dCreatePlane(world_.space, 0, -1, 0, -s);
    for (const PileBody& body : pile.start) world_.AddBody(body.sphere, body.p);
  }
  void Step() override { world_.Step(h_); }
  std::vector<Pose> Poses() const override {
    std::vector<Pose> poses;
    for (dBodyID body : world_.bodies) {
      const dReal* p = dBodyGetPosition(body);
      const dReal* q = dBodyGetQuaternion(body);
      poses.push_back({Vec3(p[0], p[1], p[2]), Quat(q[0], q[1], q[2], q[3])});
    }
    return poses;
  }
  int contacts() const override { return world_.contacts; }
  int iterations() const override { return iterations_; }

 private:
  World world_;
  double h_;
  int iterations_;
};

void InitOnce() {
  static const int done = dInitODE2(0);
  (void)done;
}

}  // namespace

std::unique_ptr<Peer> MakeOde(const PileSpec& pile, double h, int iterations) {
  InitOnce();
  return std::make_unique<OdePeer>(pile, h, iterations);
}

std::function<void()> MakeOdeBelt(double h) {
  InitOnce();
  auto world = std::make_shared<World>(20);
  dCreatePlane(world->space, 0, 0, 1, 0);
  world->AddBody(false, Vec3(0, 0, 0.05));
  world->moving = true;
  auto time = std::make_shared<double>(0);
  return [world, time, h] {
    world->belt = BeltVelocity(*time);
    world->Step(h);
    *time += h;
  };
}

}  // namespace slip::bench
