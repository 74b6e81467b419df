#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tests/bench/peers/peer.h"

namespace slip::bench {
namespace {

struct World {
  mjModel* model = nullptr;
  mjData* data = nullptr;

  explicit World(const std::string& xml) {
    char path[] = "/tmp/slipscope_bench_XXXXXX.xml";
    const int file = mkstemps(path, 4);
    if (file >= 0) close(file);
    std::ofstream(path) << xml;
    char error[400] = "";
    model = mj_loadXML(path, nullptr, error, sizeof(error));
    std::remove(path);
    if (model == nullptr) {
      std::fprintf(stderr, "MuJoCo: %s\n", error);
      return;
    }
    data = mj_makeData(model);
  }
  ~World() {
    if (data != nullptr) mj_deleteData(data);
    if (model != nullptr) mj_deleteModel(model);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
};

// solref (2h, 1): the stiffest that MuJoCo allows
std::string Head(double h, bool elliptic, int contacts) {
  return fmt::format(
      "<mujoco><compiler angle='radian'/>"
      "<option timestep='{}' gravity='0 0 -{}' solver='Newton' cone='{}' tolerance='1e-8' "
      "iterations='100'/><size nconmax='{}' njmax='{}'/>"
      "<default><geom friction='{} 0 0' solref='{} 1' condim='3'/></default><worldbody>",
      h, kGravity, elliptic ? "elliptic" : "pyramidal", contacts, 4 * contacts + 100, kFriction,
      2 * h);
}

class MujocoPeer : public Peer {
 public:
  explicit MujocoPeer(const std::string& xml) : world_(xml) {}
  bool ok() const { return world_.data != nullptr; }
  void Step() override { mj_step(world_.model, world_.data); }
  std::vector<Pose> Poses() const override {
    std::vector<Pose> poses;
    for (int b = 1; b < world_.model->nbody; ++b) {
      const mjtNum* p = world_.data->xpos + 3 * b;
      const mjtNum* q = world_.data->xquat + 4 * b;
      poses.push_back({Vec3(p[0], p[1], p[2]), Quat(q[0], q[1], q[2], q[3])});
    }
    return poses;
  }
  int contacts() const override { return world_.data->ncon; }
  int iterations() const override { return world_.data->solver_iter; }

 private:
  World world_;
};

}  // namespace

std::unique_ptr<Peer> MakeMujoco(const PileSpec& pile, double h, bool elliptic) {
  std::string xml = Head(h, elliptic, 6 * pile.bodies + 100);
  const double s = pile.side / 2;
  xml += "<geom type='plane' size='0 0 1'/>";
  xml += fmt::format("<geom type='plane' size='0 0 1' pos='-{} 0 0' zaxis='1 0 0'/>", s);
  xml += fmt::format("<geom type='plane' size='0 0 1' pos='{} 0 0' zaxis='-1 0 0'/>", s);
  xml += fmt::format("<geom type='plane' size='0 0 1' pos='0 -{} 0' zaxis='0 1 0'/>", s);
  xml += fmt::format("<geom type='plane' size='0 0 1' pos='0 {} 0' zaxis='0 -1 0'/>", s);
  for (const PileBody& body : pile.start) {
    xml += fmt::format("<body pos='{} {} {}'><freejoint/>", body.p.x(), body.p.y(), body.p.z());
    if (body.sphere) {
      xml +=
          fmt::format("<geom type='sphere' size='{}' mass='{}'/></body>", kSize / 2, kSphereMass);
    } else {
      xml += fmt::format("<geom type='box' size='{0} {0} {0}' mass='{1}'/></body>", kSize / 2,
                         kBoxMass);
    }
  }
  xml += "</worldbody></mujoco>";
  auto peer = std::make_unique<MujocoPeer>(xml);
  if (!peer->ok()) return nullptr;
  return peer;
}

std::function<void()> MakeMujocoBelt(double h) {
  std::string xml = Head(h, false, 100);
  xml +=
      "<body><joint type='slide' axis='1 0 0'/><geom type='box' size='5 1 .05' pos='0 0 -.05' "
      "mass='1000'/></body>"
      "<body pos='0 0 .05'><freejoint/><geom type='box' size='.05 .05 .05' mass='1'/></body>"
      "</worldbody></mujoco>";
  auto world = std::make_shared<World>(xml);
  if (world->data == nullptr) return {};
  return [world] {
    world->data->qvel[0] = BeltVelocity(world->data->time);
    world->data->qpos[0] = 0;
    // the belt body must not fall: gravity acts on the slide's axis only, which is level
    mj_step(world->model, world->data);
  };
}

}  // namespace slip::bench
