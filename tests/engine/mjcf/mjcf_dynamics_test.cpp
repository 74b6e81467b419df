// Models read by us and by libmujoco at random configurations: poses, mass matrix, bias, contact
// pairs, inverse masses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/collide/contact_material.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/mjcf/mjcf_contact_law.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/mjcf_models.h"
#include "tests/support/mjcf_twin.h"
#include "tests/support/mjcf_variants.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

class MjcfTwins : public testing::TestWithParam<test::MjcfCase> {
 protected:
  void SetUp() override {
    WriteText(folder_.path("m.xml"), GetParam().text);
    for (const auto& [name, text] : GetParam().files) WriteText(folder_.path(name), text);
    const auto scene = FindScene(folder_.path("m.xml"));
    std::string errors;
    for (const Error& error : scene.errors()) errors += error.Text() + "\n";
    ASSERT_TRUE(scene.ok()) << errors;
    scene_ = *scene;
    twin_ = std::make_unique<test::MjcfTwin>(GetParam().twin(), "");
    twin_->SetPrefix(model().robots.at(0).name + "/");
  }
  const Model& model() const { return *scene_->model; }
  /// Of ten, not of those that are written out.
  static bool IsDrawn() { return GetParam().name.find('_') != std::string::npos; }

  /// Free bodies anywhere, joints within a radian.
  State Random(std::mt19937* random) const {
    std::uniform_real_distribution<double> number(-1, 1);
    State state;
    SetStart(model(), &state);
    for (std::size_t b = 0; b < model().bodies.size(); ++b) {
      const Body& body = model().bodies[b];
      if (body.nv == 0) continue;
      const auto turn = [&] {
        return Quat(number(*random), number(*random), number(*random), number(*random))
            .normalized();
      };
      if (body.nq == 0) {
        state.X_WB[b] = {Vec3(number(*random), number(*random), number(*random)), turn()};
      } else if (body.nq == 4) {
        state.q.segment<4>(body.q_start) = turn().coeffs();
      } else {
        state.q[body.q_start] = number(*random);
      }
      for (int i = 0; i < body.nv; ++i) state.v[body.v_start + i] = number(*random);
    }
    UpdatePoses(model(), &state);
    return state;
  }

  TempFolder folder_;
  std::shared_ptr<const Scene> scene_;
  std::unique_ptr<test::MjcfTwin> twin_;
};
INSTANTIATE_TEST_SUITE_P(Models, MjcfTwins, testing::ValuesIn(test::kMjcfModels),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(TenOfEachFeature, MjcfTwins, testing::ValuesIn(test::MakeMjcfVariants()),
                         [](const auto& info) { return info.param.name; });

/// Of shapes: libmujoco keeps meshes in single precision [m].
constexpr double kSamePlace = 1e-6;

double Off(const MatrixX& a, const MatrixX& b) { return (a - b).norm() / (1e-9 + b.norm()); }

TEST_P(MjcfTwins, HaveTheSameDynamics) {
  mjModel* m = twin_->m;
  mjData* d = twin_->d;
  ASSERT_EQ(m->nv, model().nv);
  // their contacts and limits do not belong to the bias
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  const Vec3 gravity = CalcGravity(scene_->config.step);
  // libmujoco finds principal axes to 1e-8, as half angles from their cosines: what is drawn has
  // them anywhere
  const double same = IsDrawn() ? 2e-7 : 1e-9;
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const State state = Random(&random);
    twin_->Set(model(), state);
    mj_forward(m, d);
    for (int b = 1; b < m->nbody; ++b) {
      const int own = twin_->Find(model(), b);
      if (own < 0) continue;  // merged into its parent
      const Vec3 p(d->xpos + 3 * b);
      const Pose& X_WB = state.X_WB[static_cast<std::size_t>(own)];
      const Body& body = model().bodies[static_cast<std::size_t>(own)];
      EXPECT_LT((X_WB * body.X_BL.p - p).norm(), 1e-9) << body.name;
      const double* xquat = d->xquat + 4 * b;
      const Quat turn(xquat[0], xquat[1], xquat[2], xquat[3]);
      EXPECT_LT((X_WB.q * body.X_BL.q).angularDistance(turn), 1e-7) << body.name;
    }
    MatrixX theirs(m->nv, m->nv);
    mj_fullM(m, theirs.data(), d->qM);
    const MatrixX& T = twin_->T;
    const MatrixX M_theirs = test::Multiply(T.transpose(), test::Multiply(theirs, T));
    const VectorX turned = test::Multiply(theirs, twin_->rate);
    const VectorX bias_theirs =
        test::Multiply(T.transpose(), Eigen::Map<VectorX>(d->qfrc_bias, m->nv) + turned);
    MatrixX M = MatrixX::Zero(m->nv, m->nv);
    VectorX bias = VectorX::Zero(m->nv);
    double mass = 0;
    Vec3 center = Vec3::Zero();
    for (const Tree& tree : model().trees) {
      ASSERT_GE(tree.articulated, 0);
      TreeDynamics links;
      links.Update(model(), tree, state);
      MatrixX own(tree.nv, tree.nv);
      links.CalcMassMatrix(own.data());
      M.block(tree.v_start, tree.v_start, tree.nv, tree.nv) = own;
      links.CalcInverseDynamics(gravity, nullptr, bias.data() + tree.v_start);
      mass += links.mass();
      center += links.mass() * links.CalcCenterOfMass();
    }
    EXPECT_LT(Off(M, M_theirs), same);
    EXPECT_LT(Off(bias, bias_theirs), same);
    double their_mass = 0;
    Vec3 their_center = Vec3::Zero();
    for (int b = 1; b < m->nbody; ++b) {
      if (m->body_weldid[b] == 0) continue;
      their_mass += m->body_mass[b];
      their_center += m->body_mass[b] * Vec3(d->xipos + 3 * b);
    }
    EXPECT_NEAR(mass, their_mass, 1e-9 * mass);
    EXPECT_LT((center / mass - their_center / their_mass).norm(), 1e-9);
  }
}

TEST_P(MjcfTwins, HaveTheSameJoints) {
  const mjModel* m = twin_->m;
  for (int j = 0; j < m->njnt; ++j) {
    const Body& body = twin_->BodyOf(model(), j);
    const int dof = m->jnt_dofadr[j];
    if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
    EXPECT_NEAR(body.joint.damping, m->dof_damping[dof], 1e-12) << body.name;
    EXPECT_NEAR(body.joint.friction, m->dof_frictionloss[dof], 1e-12) << body.name;
    EXPECT_NEAR(body.joint.armature, m->dof_armature[dof], 1e-12) << body.name;
    if (m->jnt_limited[j]) {
      EXPECT_NEAR(body.joint.lower, m->jnt_range[2 * j], 1e-12);
      EXPECT_NEAR(body.joint.upper, m->jnt_range[2 * j + 1], 1e-12);
      // at full impedance δ, k = κ δ²/((1 − δ) Â) with κ = 1/(δ tc dr)²
      const double tc = std::max(m->jnt_solref[2 * j], 2 * m->opt.timestep);
      const double full = m->jnt_solimp[5 * j + 1];
      const double k = 1 / (tc * tc * m->jnt_solref[2 * j + 1] * m->jnt_solref[2 * j + 1]) /
                       ((1 - full) * m->dof_invweight0[dof]);
      if (body.joint.leader < 0) EXPECT_NEAR(body.joint.limit_stiffness, k, 1e-6 * k) << body.name;
    } else {
      EXPECT_TRUE(std::isinf(body.joint.lower));
    }
    // passive springs and motors at the keyframe's ctrl are one motor
    for (int e = 0; e < m->neq; ++e) {
      if (m->eq_type[e] != mjEQ_JOINT || m->eq_obj1id[e] != j) continue;
      const int leader = m->eq_obj2id[e];
      const double* c = m->eq_data + mjNEQDATA * e;
      const auto ref = [&](int joint) { return m->qpos0[m->jnt_qposadr[joint]]; };
      ASSERT_GE(body.joint.leader, 0) << body.name;
      EXPECT_EQ(&model().body(body.joint.leader), &twin_->BodyOf(model(), leader));
      EXPECT_NEAR(body.joint.ratio, c[1], 1e-12);
      EXPECT_NEAR(body.joint.offset, ref(j) + c[0] - c[1] * ref(leader), 1e-12);
    }
    if (body.drive < 0) continue;
    double stiffness = m->jnt_stiffness[j], gain = 0;
    double pull = stiffness * m->qpos_spring[m->jnt_qposadr[j]];
    for (int a = 0; a < m->nu; ++a) {
      if (m->actuator_trnid[2 * a] != j) continue;
      const double gear = m->actuator_gear[6 * a];
      const double* bias = m->actuator_biasprm + mjNBIAS * a;
      if (m->actuator_biastype[a] != mjBIAS_AFFINE) continue;
      stiffness -= bias[1] * gear * gear;
      gain -= bias[2] * gear * gear;
      double ctrl = m->nkey > 0 ? m->key_ctrl[a] : 0;
      if (m->actuator_ctrllimited[a])
        ctrl = std::clamp(ctrl, m->actuator_ctrlrange[2 * a], m->actuator_ctrlrange[2 * a + 1]);
      if (bias[1] != 0) pull += gear * (m->actuator_gainprm[mjNGAIN * a] * ctrl + bias[0]);
    }
    const JointDrive& drive = scene_->config.joints[static_cast<std::size_t>(body.drive)];
    EXPECT_NEAR(drive.stiffness, stiffness, 1e-9 * (1 + stiffness)) << body.name;
    EXPECT_NEAR(drive.damping, gain, 1e-9) << body.name;
    if (stiffness > 0) EXPECT_NEAR(drive.target, pull / stiffness, 1e-9) << body.name;
  }
}

// As many names for a pair as it has contacts, whatever bodies are merged into what.
TEST_P(MjcfTwins, LetTheSameShapesMeet) {
  mjModel* m = twin_->m;
  const Model& own = model();
  // shapes of ours by where they stand at the start
  State state;
  SetStart(own, &state);
  if (m->nkey > 0) mj_resetDataKeyframe(m, twin_->d, 0);
  mj_forward(m, twin_->d);
  std::vector<int> shape_of(static_cast<std::size_t>(m->ngeom), -1);
  for (int g = 0; g < m->ngeom; ++g) {
    if (m->geom_type[g] == mjGEOM_PLANE) continue;
    const Vec3 p(twin_->d->geom_xpos + 3 * g);
    for (std::size_t b = 0; b < own.bodies.size(); ++b)
      if (own.bodies[b].collides && (state.X_WB[b].p - p).norm() < kSamePlace)
        shape_of[static_cast<std::size_t>(g)] = static_cast<int>(b);
    EXPECT_GE(shape_of[static_cast<std::size_t>(g)], 0) << g;
  }
  const auto exclude = [&](int body1, int body2) {
    for (int e = 0; e < m->nexclude; ++e) {
      const int a = (m->exclude_signature[e] >> 16) - 1, b = (m->exclude_signature[e] & 0xffff) - 1;
      if (std::minmax(a, b) == std::minmax(body1, body2)) return true;
    }
    return false;
  };
  for (int g = 0; g < m->ngeom; ++g) {
    for (int h = 0; h < g; ++h) {
      const int a = m->geom_bodyid[g], b = m->geom_bodyid[h];
      const int weld_a = m->body_weldid[a], weld_b = m->body_weldid[b];
      const int parent_a = m->body_weldid[m->body_parentid[weld_a]];
      const int parent_b = m->body_weldid[m->body_parentid[weld_b]];
      bool meet = weld_a != weld_b && !exclude(a, b) &&
                  ((m->geom_contype[g] & m->geom_conaffinity[h]) |
                   (m->geom_contype[h] & m->geom_conaffinity[g])) != 0;
      if (weld_a != 0 && weld_b != 0 && (weld_a == parent_b || weld_b == parent_a)) meet = false;
      for (int p = 0; p < m->npair; ++p)
        meet = meet || std::minmax(m->pair_geom1[p], m->pair_geom2[p]) == std::minmax(g, h);
      const bool plane_g = m->geom_type[g] == mjGEOM_PLANE,
                 plane_h = m->geom_type[h] == mjGEOM_PLANE;
      if (plane_g && plane_h) continue;
      if (plane_g || plane_h) {
        const int shape = shape_of[static_cast<std::size_t>(plane_g ? h : g)];
        const Body& body = own.bodies[static_cast<std::size_t>(shape)];
        ASSERT_EQ(own.surfaces.size(), 1u);
        EXPECT_EQ(meet, body.Moves() && own.CanTouch(static_cast<std::size_t>(shape), 0))
            << g << " " << h;
        continue;
      }
      const int i = shape_of[static_cast<std::size_t>(g)],
                j = shape_of[static_cast<std::size_t>(h)];
      const bool moves = own.bodies[static_cast<std::size_t>(i)].Moves() ||
                         own.bodies[static_cast<std::size_t>(j)].Moves();
      EXPECT_EQ(meet, moves && !own.Linked(i, j)) << g << " " << h;
    }
  }
}

TEST_P(MjcfTwins, BeginAlike) {
  mjModel* m = twin_->m;
  mjData* d = twin_->d;
  if (m->nkey > 0) mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  State start;
  SetStart(model(), &start);
  for (int b = 1; b < m->nbody; ++b) {
    const int own = twin_->Find(model(), b);
    if (own < 0) continue;
    // at the frame that the file names
    const Pose& X_WB = start.X_WB[static_cast<std::size_t>(own)];
    const Vec3 r = X_WB.q * model().bodies[static_cast<std::size_t>(own)].X_BL.p;
    EXPECT_LT((X_WB.p + r - Vec3(d->xpos + 3 * b)).norm(), 1e-9);
    double V[6];
    mj_objectVelocity(m, d, mjOBJ_XBODY, b, V, 0);
    const Vec6 V_WB = CalcVelocity(model(), start, own);
    const Vec3 w = V_WB.head<3>(), v = V_WB.tail<3>() + w.cross(r);
    EXPECT_LT((w - Vec3(V)).norm(), 1e-9);
    EXPECT_LT((v - Vec3(V + 3)).norm(), 1e-9);
  }
  EXPECT_EQ(scene_->config.step.time_step, m->opt.timestep);
  EXPECT_LT((CalcGravity(scene_->config.step) - Vec3(m->opt.gravity)).norm(), 1e-9);
}

TEST_P(MjcfTwins, HaveStiffnessOfTheSameInverseMasses) {
  const mjModel* m = twin_->m;
  State state;
  SetStart(model(), &state);
  if (m->nkey > 0) mj_resetDataKeyframe(m, twin_->d, 0);
  mj_forward(m, twin_->d);
  int compared = 0;
  for (int g = 0; g < m->ngeom; ++g) {
    const int weld = m->body_weldid[m->geom_bodyid[g]];
    if (m->geom_type[g] == mjGEOM_PLANE || weld == 0) continue;
    const Vec3 p(twin_->d->geom_xpos + 3 * g);
    for (std::size_t b = 0; b < model().bodies.size(); ++b) {
      const Body& body = model().bodies[b];
      if (!body.collides || (state.X_WB[b].p - p).norm() > kSamePlace) continue;
      const Material& material = scene_->config.materials[static_cast<std::size_t>(body.material)];
      // the load is what its damping of Hunt and Crossley was made for
      const double load = material.stiffness * material.relaxation_time / material.dissipation;
      MjcfContact contact;
      std::copy(m->geom_solref + 2 * g, m->geom_solref + 2 * g + 2, contact.solref.begin());
      std::copy(m->geom_solimp + 5 * g, m->geom_solimp + 5 * g + 5, contact.solimp.begin());
      std::copy(m->geom_friction + 3 * g, m->geom_friction + 3 * g + 3, contact.friction.begin());
      contact.condim = m->geom_condim[g];
      contact.solmix = m->geom_solmix[g];
      for (int f = 0; f < m->ngeom; ++f) {
        if (m->geom_type[f] != mjGEOM_PLANE) continue;
        MjcfContact ground;
        std::copy(m->geom_solref + 2 * f, m->geom_solref + 2 * f + 2, ground.solref.begin());
        std::copy(m->geom_solimp + 5 * f, m->geom_solimp + 5 * f + 5, ground.solimp.begin());
        contact = CombineMjcf(contact, ground);
      }
      if (!(m->body_invweight0[2 * m->geom_bodyid[g]] > 0)) {
        EXPECT_EQ(material.stiffness, 1e12) << body.name;  // pushes do not move it
        continue;
      }
      if (material.dissipation >= 1e3) continue;  // the end of its range
      const MjcfSpring spring =
          CalcMjcfSpring(contact, m->body_invweight0[2 * m->geom_bodyid[g]], load,
                         {.time_step = m->opt.timestep,
                          .elliptic = m->opt.cone == mjCONE_ELLIPTIC,
                          .impratio = m->opt.impratio});
      EXPECT_NEAR(material.stiffness, spring.stiffness, 2e-3 * spring.stiffness) << body.name;
      ++compared;
    }
  }
  // those that are drawn are stiffer at times
  EXPECT_TRUE(compared > 0 || IsDrawn());
}

// Their own friction, and the spring of the pair's inverse mass at the smaller load of the two.
TEST_P(MjcfTwins, HaveTheSamePairs) {
  const mjModel* m = twin_->m;
  mj_forward(m, twin_->d);
  State state;
  SetStart(model(), &state);
  const std::vector<Material>& materials = scene_->config.materials;
  const auto find = [&](int g) {
    if (m->geom_type[g] == mjGEOM_PLANE) return Meetings::OfSurface(0);
    int found = -1;
    for (std::size_t b = 0; b < model().bodies.size(); ++b)
      if (model().bodies[b].collides &&
          (state.X_WB[b].p - Vec3(twin_->d->geom_xpos + 3 * g)).norm() < kSamePlace)
        found = static_cast<int>(b);
    return found;
  };
  EXPECT_EQ(static_cast<int>(model().meetings.materials.size()), m->npair);
  for (int p = 0; p < m->npair; ++p) {
    const int g = m->pair_geom1[p], h = m->pair_geom2[p], a = find(g), b = find(h);
    const int index = model().meetings.FindMaterial(a, b);
    ASSERT_GE(index, 0) << p;
    const Material& material = materials[static_cast<std::size_t>(index)];
    double load = 1e300, weight = 0;
    for (const auto& [geom, body] : {std::pair(g, a), std::pair(h, b)}) {
      if (body < 0) continue;
      const int points = m->geom_type[geom] == mjGEOM_BOX ? 4 : 1;
      load = std::min(load, m->body_mass[m->geom_bodyid[geom]] * 9.81 / points);
      weight += m->body_invweight0[2 * m->geom_bodyid[geom]];
    }
    MjcfContact contact;
    contact.condim = m->pair_dim[p];
    std::copy(m->pair_solref + 2 * p, m->pair_solref + 2 * p + 2, contact.solref.begin());
    std::copy(m->pair_solimp + 5 * p, m->pair_solimp + 5 * p + 5, contact.solimp.begin());
    const double* friction = m->pair_friction + 5 * p;
    contact.friction = {friction[0], friction[2], friction[3]};
    const MjcfSpring spring = CalcMjcfSpring(contact, weight, load,
                                             {.time_step = m->opt.timestep,
                                              .elliptic = m->opt.cone == mjCONE_ELLIPTIC,
                                              .impratio = m->opt.impratio});
    EXPECT_NEAR(material.stiffness, spring.stiffness, 2e-3 * spring.stiffness);
    EXPECT_NEAR(material.relaxation_time, spring.relaxation, 2e-3 * spring.relaxation);
    EXPECT_EQ(material.friction, contact.condim > 1 ? friction[0] : 0);
    EXPECT_EQ(material.torsional_friction, contact.condim > 3 ? friction[2] : 0);
    // what a step asks, either way round
    MaterialPairs pairs;
    pairs.Combine(materials);
    const auto [low, high] = std::minmax(a, b);
    const int surface = low < 0 ? 0 : -1;
    EXPECT_EQ(pairs.Of(model(), surface, low, high), material);
    EXPECT_EQ(ContactMaterial(model(), materials, surface, low, high), material);
  }
}

}  // namespace
}  // namespace slip
