#include "engine/mujoco/engine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#ifdef SLIP_MUJOCO
#include "engine/mujoco/library.h"
#endif

#include "engine/core/numbers.h"

namespace slip {

#ifndef SLIP_MUJOCO

// Without the library: nothing can be loaded, and so nothing else is ever called.
struct MujocoEngine::Impl {};
std::string_view MujocoVersion() { return {}; }
std::string_view WhyNoMujoco() { return "libmujoco-dev was not found"; }
MujocoEngine::MujocoEngine() = default;
MujocoEngine::~MujocoEngine() = default;
MujocoEngine::MujocoEngine(MujocoEngine&&) noexcept = default;
MujocoEngine& MujocoEngine::operator=(MujocoEngine&&) noexcept = default;
bool MujocoEngine::loaded() const { return false; }
std::string MujocoEngine::Load(const std::string&, int) {
  return "not in this build: " + std::string(WhyNoMujoco());
}
std::string_view MujocoEngine::Reserve(int) { return "not in this build"; }
std::string_view MujocoEngine::Find(std::vector<MujocoFound>*) { return "not in this build"; }
int MujocoEngine::nq() const { return 0; }
int MujocoEngine::nv() const { return 0; }
int MujocoEngine::DofOf(int) const { return -1; }
double MujocoEngine::InverseMass(int) const { return 0; }
double MujocoEngine::InverseInertia(int) const { return 0; }
double MujocoEngine::InverseInertiaOf(int) const { return 0; }
std::span<double> MujocoEngine::qpos() { return {}; }
std::span<double> MujocoEngine::qvel() { return {}; }
std::span<double> MujocoEngine::warm_start() { return {}; }
std::span<double> MujocoEngine::forces() { return {}; }
std::span<double> MujocoEngine::damping() { return {}; }
void MujocoEngine::SetWrench(int, const Vec3&, const Vec3&) {}
void MujocoEngine::ClearWrenches() {}
void MujocoEngine::SetLimit(int, const std::array<double, 2>&, const std::array<double, 2>&) {}
std::string_view MujocoEngine::Step(const MujocoOptions&, std::span<const MujocoTouch>, double,
                                    MujocoSolve*) {
  return "not in this build";
}
MujocoForce MujocoEngine::Force(int) const { return {}; }
void MujocoEngine::Velocity(int, const Vec3&, Vec3*, Vec3*) const {}
double MujocoEngine::FrictionLoss(double) const { return 0; }
bool MujocoEngine::finite() const { return true; }

#else

std::string_view MujocoVersion() {
  static const std::string version = VersionText(mj_version());
  return version;
}
std::string_view WhyNoMujoco() {
  return mj_version() == mjVERSION_HEADER ? "" : "libmujoco is not the version of its header";
}

struct MujocoEngine::Impl {
  MujocoModel model;
  MujocoData data;
  std::vector<int> body, geom;  // theirs, of ours
  std::vector<int> touches;     // ours of their shapes, as of MujocoFound
  int world_geom = 0;
  int contacts = 0, rows = 0;  // room
  int fixed_rows = 0;          // of joints
  bool moved = false;          // since velocities of bodies were found
  std::vector<double> residual, product;
  std::string error;

  mjModel* m() const { return model.get(); }
  mjData* d() const { return data.get(); }
  int BodyOf(int b) const { return b >= 0 ? At(body, b) : 0; }
  int GeomOf(int b) const { return b >= 0 ? At(geom, b) : world_geom; }

  // Room for so many contacts, and a stack of what is usual for it.
  std::string_view MakeRoom(int count);
  void SetOptions(const MujocoOptions& options);
  void AddContacts(std::span<const MujocoTouch> from);
  void MoveRows(std::span<const MujocoTouch> from);
  double CalcResidual();
  static void RunStep(void* context);

  const MujocoOptions* options = nullptr;  // of the step under way
  std::span<const MujocoTouch> given;
};

MujocoEngine::MujocoEngine() : impl_(std::make_unique<Impl>()) {}
MujocoEngine::~MujocoEngine() = default;
MujocoEngine::MujocoEngine(MujocoEngine&&) noexcept = default;
MujocoEngine& MujocoEngine::operator=(MujocoEngine&&) noexcept = default;

bool MujocoEngine::loaded() const { return impl_->data != nullptr; }

std::string MujocoEngine::Load(const std::string& text, int bodies) {
  Impl& s = *impl_;
  s.data.reset();
  std::string error;
  s.model = LoadMujocoModel(text, &error);
  if (s.model == nullptr) return error;
  const mjModel* m = s.m();
  s.body.assign(static_cast<std::size_t>(bodies), 0);
  s.geom.assign(static_cast<std::size_t>(bodies), 0);
  for (int b = 0; b < bodies; ++b) {
    const int id = mj_name2id(m, mjOBJ_BODY, ("b" + std::to_string(b)).c_str());
    if (id < 0) continue;  // a part of another
    At(s.body, b) = id;
    At(s.geom, b) = m->body_geomadr[id];
  }
  s.touches.assign(static_cast<std::size_t>(m->ngeom), 0);
  for (int g = 0; g < m->ngeom; ++g) {
    const char* name = mj_id2name(m, mjOBJ_GEOM, g);
    if (name == nullptr) continue;  // touches nothing
    const int number = std::atoi(name + 1);
    At(s.touches, g) = name[0] == 's' ? -1 - number : number;
  }
  s.fixed_rows = m->neq;
  for (int j = 0; j < m->njnt; ++j) s.fixed_rows += m->jnt_limited[j] != 0 ? 2 : 0;
  for (int i = 0; i < m->nv; ++i) s.fixed_rows += m->dof_frictionloss[i] > 0 ? 1 : 0;
  s.residual.resize(static_cast<std::size_t>(m->nv));
  s.product.resize(static_cast<std::size_t>(m->nv));
  s.contacts = -1;
  return std::string(s.MakeRoom(0));
}

std::string_view MujocoEngine::Impl::MakeRoom(int count) {
  constexpr int kRowsOfContact = 6, kLeast = 8;
  contacts = std::max(kLeast, count);
  rows = fixed_rows + kRowsOfContact * contacts;
  mjModel& of = *m();
  of.nconmax = contacts;
  of.njmax = rows;
  // as its compiler counts
  const double square = static_cast<double>(rows + of.neq + of.nv) * (rows + of.neq + of.nv);
  const double small = of.nq + of.nv + of.nu + of.na + of.nbody + of.njnt + of.ngeom + of.neq;
  const double stack = std::max(1000.0, 5 * square + 20 * small);
  constexpr double kMostStack = 2e9 / sizeof(mjtNum);
  if (stack > kMostStack) return "its contacts need more memory than MuJoCo can address";
  of.nstack = static_cast<int>(stack);
  data.reset();
  data = MakeMujocoData(&of, &error);
  return data != nullptr ? std::string_view() : error;
}

std::string_view MujocoEngine::Reserve(int contacts) {
  Impl& s = *impl_;
  if (contacts <= s.contacts) return {};
  return s.MakeRoom(std::max(contacts, s.contacts + s.contacts / 2));
}

std::string_view MujocoEngine::Find(std::vector<MujocoFound>* found) {
  found->clear();
  Impl& s = *impl_;
  s.d()->pstack = 0;
  const std::string_view error = GuardMujoco(
      [](void* context) {
        Impl& of = *static_cast<Impl*>(context);
        mj_kinematics(of.m(), of.d());
        mj_collision(of.m(), of.d());
      },
      &s, &s.error);
  if (!error.empty()) return error;
  for (int i = 0; i < s.d()->ncon; ++i) {
    const mjContact& c = s.d()->contact[i];
    found->push_back({.a = At(s.touches, c.geom1),
                      .b = At(s.touches, c.geom2),
                      .phi = c.dist,
                      .p_W = Eigen::Map<const Vec3>(c.pos),
                      .n_W = Eigen::Map<const Vec3>(c.frame),
                      .t1_W = Eigen::Map<const Vec3>(c.frame + 3)});
  }
  return {};
}

int MujocoEngine::nq() const { return impl_->m()->nq; }
int MujocoEngine::nv() const { return impl_->m()->nv; }
int MujocoEngine::DofOf(int body) const {
  const int id = impl_->BodyOf(body);
  return impl_->m()->body_dofnum[id] > 0 ? impl_->m()->body_dofadr[id] : -1;
}
double MujocoEngine::InverseMass(int body) const {
  return impl_->m()->body_invweight0[2 * impl_->BodyOf(body)];
}
double MujocoEngine::InverseInertia(int body) const {
  return impl_->m()->body_invweight0[2 * impl_->BodyOf(body) + 1];
}
double MujocoEngine::InverseInertiaOf(int dof) const { return impl_->m()->dof_invweight0[dof]; }

namespace {
std::span<double> SpanOf(mjtNum* first, int count) {
  return {first, static_cast<std::size_t>(count)};
}
}  // namespace

std::span<double> MujocoEngine::qpos() { return SpanOf(impl_->d()->qpos, nq()); }
std::span<double> MujocoEngine::qvel() { return SpanOf(impl_->d()->qvel, nv()); }
std::span<double> MujocoEngine::warm_start() { return SpanOf(impl_->d()->qacc_warmstart, nv()); }
std::span<double> MujocoEngine::forces() { return SpanOf(impl_->d()->qfrc_applied, nv()); }
std::span<double> MujocoEngine::damping() { return SpanOf(impl_->m()->dof_damping, nv()); }

void MujocoEngine::SetWrench(int body, const Vec3& force_W, const Vec3& torque_W) {
  mjtNum* out = impl_->d()->xfrc_applied + 6 * impl_->BodyOf(body);
  Eigen::Map<Vec3>(out) += force_W;
  Eigen::Map<Vec3>(out + 3) += torque_W;
}
void MujocoEngine::ClearWrenches() {
  std::fill_n(impl_->d()->xfrc_applied, 6 * impl_->m()->nbody, 0.0);
}
void MujocoEngine::SetLimit(int body, const std::array<double, 2>& solref,
                            const std::array<double, 2>& solimp) {
  mjModel* m = impl_->m();
  const int j = m->body_jntadr[impl_->BodyOf(body)];
  std::copy(solref.begin(), solref.end(), m->jnt_solref + mjNREF * j);
  std::copy(solimp.begin(), solimp.end(), m->jnt_solimp + mjNIMP * j);
}

void MujocoEngine::Impl::SetOptions(const MujocoOptions& from) {
  mjOption& opt = m()->opt;
  opt.timestep = from.time_step;
  std::copy_n(from.gravity.data(), 3, opt.gravity);
  opt.cone = from.elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  opt.integrator = from.implicit ? mjINT_IMPLICIT : mjINT_EULER;
  constexpr mjtSolver kSolvers[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};
  opt.solver = kSolvers[from.solver];
  opt.impratio = from.impratio;
  opt.tolerance = from.tolerance;
  opt.iterations = from.iterations;
  opt.noslip_iterations = from.noslip_iterations;
  opt.disableflags = from.warm_start ? 0 : mjDSBL_WARMSTART;
}

void MujocoEngine::Impl::AddContacts(std::span<const MujocoTouch> from) {
  d()->ncon = 0;
  for (const MujocoTouch& c : from) {
    mjContact out{};
    out.dist = c.phi;
    Eigen::Map<Vec3>(out.pos) = c.p_W;
    Eigen::Map<Vec3>(out.frame) = c.n_W;
    Eigen::Map<Vec3>(out.frame + 3) = c.t1_W;
    Eigen::Map<Vec3>(out.frame + 6) = c.t2_W;
    constexpr double kRolling = 1e-4;  // its default, which no contact here reads
    out.friction[0] = out.friction[1] = c.friction;
    out.friction[2] = c.torsion;
    out.friction[3] = out.friction[4] = kRolling;
    std::copy(c.solref.begin(), c.solref.end(), out.solref);
    std::copy(c.solimp.begin(), c.solimp.end(), out.solimp);
    out.dim = !(c.friction > 0) ? 1 : c.torsion > 0 ? 4 : 3;
    out.geom1 = GeomOf(c.body_a);
    out.geom2 = GeomOf(c.body_b);
    mj_addContact(m(), d(), &out);
  }
}

// Rows of moving surfaces: their velocity is less by the row's share s of the belt, and the
// acceleration that is asked for more by b s + s'.
void MujocoEngine::Impl::MoveRows(std::span<const MujocoTouch> from) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const MujocoTouch& c = from[i];
    if (c.belt == 0 && c.belt_rate == 0) continue;
    const mjContact& at = d()->contact[i];
    if (at.efc_address < 0 || at.dim == 1) continue;
    const auto move = [&](int row, double share) {
      const double b = d()->efc_KBIP[4 * row + 1];
      d()->efc_vel[row] -= share * c.belt;
      d()->efc_aref[row] += share * (b * c.belt + c.belt_rate);
    };
    if (mj_isPyramidal(m())) {
      move(at.efc_address, at.friction[0]);
      move(at.efc_address + 1, -at.friction[0]);
    } else {
      move(at.efc_address + 1, 1);
    }
  }
}

// M a less the forces, each by the square root of its own inertia, beside the larger of both.
double MujocoEngine::Impl::CalcResidual() {
  mj_mulM(m(), d(), product.data(), d()->qacc);
  double error = 0, motion = 0, force = 0;
  for (int i = 0; i < m()->nv; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double scale = 1 / d()->qM[m()->dof_Madr[i]];
    const double off = product[k] - d()->qfrc_smooth[i] - d()->qfrc_constraint[i];
    error += scale * off * off;
    motion += scale * product[k] * product[k];
    force += scale * d()->qfrc_constraint[i] * d()->qfrc_constraint[i];
  }
  const double most = std::max(motion, force);
  return most > 0 ? std::sqrt(error / most) : 0;
}

// The stages of mj_step, one by one.
void MujocoEngine::Impl::RunStep(void* context) {
  Impl& s = *static_cast<Impl*>(context);
  mjModel* m = s.m();
  mjData* d = s.d();
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_crb(m, d);
  mj_factorM(m, d);
  s.AddContacts(s.given);
  mj_makeConstraint(m, d);
  mj_transmission(m, d);
  mj_projectConstraint(m, d);
  mj_fwdVelocity(m, d);
  s.MoveRows(s.given);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  if (s.options->implicit) {
    mj_implicit(m, d);
  } else {
    mj_Euler(m, d);
  }
  s.moved = true;
}

std::string_view MujocoEngine::Step(const MujocoOptions& options,
                                    std::span<const MujocoTouch> contacts, double time,
                                    MujocoSolve* solve) {
  Impl& s = *impl_;
  s.options = &options;
  s.given = contacts;
  s.SetOptions(options);
  s.d()->time = time;
  s.d()->pstack = 0;  // a step that was given up has left it
  const std::string_view error = GuardMujoco(&Impl::RunStep, &s, &s.error);
  s.given = {};
  if (!error.empty()) return error;
  const mjData& d = *s.d();
  solve->rows = d.nefc;
  solve->iterations = d.nefc > 0 ? d.solver_iter : 0;
  solve->converged = solve->iterations < options.iterations;
  solve->line_search = 0;
  for (int i = 0; i < std::min(solve->iterations, mjNSOLVER); ++i)
    solve->line_search += d.solver[i].neval;
  solve->residual = s.CalcResidual();
  return {};
}

MujocoForce MujocoEngine::Force(int contact) const {
  mjtNum out[6];
  mj_contactForce(impl_->m(), impl_->d(), contact, out);
  return {.f_C = Vec3(out[1], out[2], out[0]), .torque = out[3]};
}

void MujocoEngine::Velocity(int body, const Vec3& p_W, Vec3* linear, Vec3* angular) const {
  // by the new velocities, in the old poses; not every step has a contact that asks
  if (impl_->moved) mj_comVel(impl_->m(), impl_->d());
  impl_->moved = false;
  const int id = impl_->BodyOf(body);
  const mjtNum* velocity = impl_->d()->cvel + 6 * id;
  const mjtNum* center = impl_->d()->subtree_com + 3 * impl_->m()->body_rootid[id];
  *angular = Eigen::Map<const Vec3>(velocity);
  *linear = Eigen::Map<const Vec3>(velocity + 3) +
            angular->cross(p_W - Vec3(Eigen::Map<const Vec3>(center)));
}

double MujocoEngine::FrictionLoss(double time_step) const {
  const mjData& d = *impl_->d();
  double loss = 0;
  for (int row = d.ne; row < d.ne + d.nf; ++row)
    loss -= time_step * d.efc_force[row] * d.qvel[d.efc_id[row]];
  return loss;
}

bool MujocoEngine::finite() const {
  const mjData& d = *impl_->d();
  return std::all_of(d.qacc, d.qacc + nv(), [](double x) { return std::isfinite(x); });
}

#endif

}  // namespace slip
