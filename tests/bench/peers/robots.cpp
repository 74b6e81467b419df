// Standing quadrupeds on motors that hold their pose, here and in MuJoCo: the whole step, and the
// terms of their dynamics alone.
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/integrators/integrator_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/bench/peers/peer.h"
#include "tests/support/mjcf.h"

namespace slip::bench {
namespace {

constexpr double kStep = 1e-3;
constexpr double kGain = 20, kDamping = 0.5;  // of the motors [N m/rad], [N m s/rad]
constexpr int kWarm = 500, kMany = 16;

struct Standing {
  std::shared_ptr<const Model> model;
  Config config;
};

// The scene's robot as often as asked for, a metre apart.
Standing MakeStanding(int robots) {
  std::string text = fmt::format(
      "title = \"Standing\"\ntime_step = {}\nfriction_regularization = "
      "1e-3\n[material.rubber]\nstiffness = 1e5\n"
      "relaxation_time = 0.003\nfriction = 1\n[surface.floor]\n",
      kStep);
  for (int i = 0; i < robots; ++i) {
    text += fmt::format("[robot.r{}]\nfile = \"quadruped.urdf\"\nposition = [{}, 0, 0.222936147]\n",
                        i, i);
    text += "joints = { ";
    for (const char* leg : {"FL", "FR", "HL", "HR"})
      text += fmt::format("{0}_HFE = -0.8, {0}_KFE = 1.6{1}", leg,
                          leg[1] == 'R' && leg[0] == 'H' ? " }\n" : ", ");
    text += "contact_points = { ";
    for (const char* leg : {"FL", "FR", "HL", "HR"})
      text += fmt::format("{}_FOOT = [[0, 0, 0]]{}", leg,
                          leg[1] == 'R' && leg[0] == 'H' ? " }\n" : ", ");
    text += fmt::format("joint_stiffness = {}\njoint_damping = {}\n", kGain, kDamping);
  }
  text += "[[channel]]\nmodel = \"sap\"\n";
  const auto scene = ReadSceneText(text, "standing");
  if (!scene.ok()) {
    fmt::print(stderr, "{}\n", scene.error().Text());
    return {};
  }
  return {(*scene)->model, (*scene)->channels[0].config};
}

class MujocoRobots {
 public:
  MujocoRobots(const Standing& standing, const char* cone, const char* integrator) {
    const Model& model = *standing.model;
    const auto& bodies = model.bodies;
    test::MjcfExtras extras;
    extras.elements = [&](int b) {
      std::string geoms;
      for (const Vec3& p : bodies[static_cast<std::size_t>(b)].points_B)
        geoms += fmt::format("<geom type='sphere' size='1e-4' pos='{}' friction='1 0 0'/>",
                             test::MjcfText(p));
      return geoms;
    };
    extras.attributes = [&](int b) {
      const Body& body = bodies[static_cast<std::size_t>(b)];
      return fmt::format("stiffness='{}' damping='{}' springref='{:.17g}'", kGain, kDamping,
                         body.q0[0]);
    };
    const std::string xml = fmt::format(
        "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option timestep='{}' "
        "gravity='0 0 -9.81' solver='Newton' cone='{}' integrator='{}' tolerance='1e-8' "
        "iterations='100'/>"
        "<default><geom condim='3' contype='1' conaffinity='2'/></default><worldbody>"
        "<geom type='plane' size='0 0 1' contype='2' conaffinity='1'/>{}</worldbody></mujoco>",
        kStep, cone, integrator, test::MjcfBodies(model, extras));
    char path[] = "/tmp/slipscope_bench_XXXXXX.xml";
    const int file = mkstemps(path, 4);
    if (file >= 0) close(file);
    std::ofstream(path) << xml;
    char error[400] = "";
    m = mj_loadXML(path, nullptr, error, sizeof(error));
    std::remove(path);
    if (m == nullptr) {
      fmt::print(stderr, "MuJoCo: {}\n", error);
      return;
    }
    d = mj_makeData(m);
    int at = 0;
    for (const Body& body : bodies) {
      if (body.joint.kind == JointKind::kFree) at += 7;  // at its pose already
      if (body.nq == 1 && body.nv == 1) d->qpos[at++] = body.q0[0];
    }
    mj_forward(m, d);
  }
  ~MujocoRobots() {
    if (d != nullptr) mj_deleteData(d);
    if (m != nullptr) mj_deleteModel(m);
  }
  MujocoRobots(const MujocoRobots&) = delete;
  MujocoRobots& operator=(const MujocoRobots&) = delete;

  mjModel* m = nullptr;
  mjData* d = nullptr;
};

// Median time of a call [us].
template <class Call>
double Median(int calls, Call&& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> us;
  for (int i = 0; i < kWarm + calls; ++i) {
    const Clock::time_point begin = Clock::now();
    call();
    us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  us.erase(us.begin(), us.begin() + kWarm);
  std::nth_element(us.begin(), us.begin() + calls / 2, us.end());
  return us[static_cast<std::size_t>(calls / 2)];
}

struct Row {
  std::string name, note;
  double best = 1e300;
  void Take(double us) { best = std::min(best, us); }
};

}  // namespace

void StandingRobots(int rounds, int calls, std::FILE* out) {
  const Standing one = MakeStanding(1), many = MakeStanding(kMany);
  if (one.model == nullptr || many.model == nullptr) return;
  // MuJoCo's Euler has joint damping implicit, its "implicit" all forces that depend on velocity;
  // our motors are implicit whole
  struct Peer {
    const char *cone, *integrator;
    Row row = {fmt::format("MuJoCo {}, {}, whole step", cone, integrator)};
  };
  Peer peers[] = {{"pyramidal", "Euler"},
                  {"elliptic", "Euler"},
                  {"pyramidal", "implicit"},
                  {"elliptic", "implicit"}};
  Standing anchored = one;
  anchored.config.step.method = static_cast<int>(MethodNamed("exponential"));
  Standing without_products = anchored;
  without_products.config.step.part<ExponentialParams>().matrix_multiplications = 0;
  Row exponential{"Slipscope Exponential, whole step"},
      no_products{"Slipscope Exponential without products, whole step"};
  Row ours{"Slipscope SAP, whole step"}, sixteen{fmt::format("Slipscope SAP, {} robots", kMany)},
      terms{"Slipscope, M, bias, 4 Jacobians"}, their_terms{"MuJoCo, M, bias, 4 Jacobians"};
  for (int round = 0; round < rounds; ++round) {
    const auto step = [&](const Standing& standing, int count, Row* row) {
      Simulation sim(standing.model, standing.config);
      sim.SetMeasureCondition(false);
      row->Take(Median(count, [&] { (void)sim.Step(); }));
      row->note = fmt::format("{} contacts, base at {:.4f} m", sim.solve().contacts,
                              sim.state().X_WB[0].p.z());
    };
    step(one, calls, &ours);
    step(anchored, calls, &exponential);
    step(without_products, calls, &no_products);
    for (Peer& peer : peers) {
      const MujocoRobots robots(one, peer.cone, peer.integrator);
      if (robots.d == nullptr) continue;
      peer.row.Take(Median(calls, [&] { mj_step(robots.m, robots.d); }));
      peer.row.note = fmt::format("{} contacts, base at {:.4f} m, {} iterations", robots.d->ncon,
                                  robots.d->qpos[2], robots.d->solver_iter);
    }
    step(many, calls / 8, &sixteen);

    State state;
    SetStart(*one.model, &state);
    TreeDynamics links;
    MatrixX M(one.model->nv, one.model->nv);
    VectorX bias(one.model->nv), row(one.model->nv);
    std::vector<int> feet;
    for (std::size_t b = 0; b < one.model->bodies.size(); ++b) {
      if (!one.model->bodies[b].points_B.empty()) feet.push_back(static_cast<int>(b));
    }
    terms.Take(Median(calls, [&] {
      UpdatePoses(*one.model, &state);
      links.Update(*one.model, one.model->trees[0], state);
      links.CalcMassMatrix(M.data());
      links.CalcInverseDynamics(Vec3(0, 0, -9.81), nullptr, bias.data());
      for (const int foot : feet) {
        const Vec3 p_W = state.X_WB[static_cast<std::size_t>(foot)].p;
        for (int axis = 0; axis < 3; ++axis)
          links.CalcPointRow(foot, p_W, Vec3::Unit(axis), row.data());
      }
    }));
    const MujocoRobots robots(one, "pyramidal", "Euler");
    if (robots.d == nullptr) continue;
    std::vector<double> J(static_cast<std::size_t>(3 * robots.m->nv));
    their_terms.Take(Median(calls, [&] {
      mj_kinematics(robots.m, robots.d);
      mj_comPos(robots.m, robots.d);
      mj_crb(robots.m, robots.d);
      mj_comVel(robots.m, robots.d);
      mj_rne(robots.m, robots.d, 0, robots.d->qfrc_bias);
      for (int g = 1; g < robots.m->ngeom; ++g)
        mj_jac(robots.m, robots.d, J.data(), nullptr, robots.d->geom_xpos + 3 * g,
               robots.m->geom_bodyid[g]);
    }));
  }
  fmt::print(out,
             "\n### A quadruped stands on its motors, h = 1 ms\n\n"
             "| what | median [us] | ratio | |\n|---|---|---|---|\n");
  const auto print = [&](const Row& row, const Row& to) {
    fmt::print(out, "| {} | {:.2f} | {:.2f} | {} |\n", row.name, row.best, row.best / to.best,
               row.note);
  };
  print(ours, ours);
  print(exponential, ours);
  print(no_products, ours);
  for (const Peer& peer : peers) print(peer.row, ours);
  print(sixteen, ours);
  for (const Row* row : {&terms, &their_terms}) print(*row, terms);
  std::fflush(out);
}

}  // namespace slip::bench
