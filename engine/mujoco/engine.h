// The library itself behind a seam: engine.cpp is the only file that includes its header, and where
// the library was not found when this was built, Load says so.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"
#include "engine/mujoco/version.h"

namespace slip {

/// More moving bodies than this are refused: memory grows with the square.
inline constexpr int kMostMujocoBodies = 100;

struct MujocoOptions {
  double time_step = 1e-3;
  Vec3 gravity = Vec3::Zero();
  bool elliptic = true, implicit = false, warm_start = true;
  int solver = 0;  ///< MujocoParams::solver
  double impratio = 1, tolerance = 1e-8;
  int iterations = 100, noslip_iterations = 0;
};

/// A contact that is handed in. Bodies are -1 for what belongs to the world.
struct MujocoTouch {
  int body_a = -1, body_b = -1;
  double phi = 0;  ///< [m], negative
  Vec3 p_W = Vec3::Zero(), n_W = Vec3::UnitZ(), t1_W = Vec3::UnitX(), t2_W = Vec3::UnitY();
  double friction = 0, torsion = 0;
  std::array<double, 2> solref{};
  std::array<double, 5> solimp{};
  double belt = 0, belt_rate = 0;  ///< of A's surface along t1 [m/s], [m/s²]
};

/// A contact that the engine finds. Each of both is a body, or -1 - s of surface s.
struct MujocoFound {
  int a = 0, b = 0;
  double phi = 0;                                ///< [m], negative
  Vec3 p_W = Vec3::Zero(), n_W = Vec3::UnitZ();  ///< from a into b
  Vec3 t1_W = Vec3::UnitX();
};

/// On B, constant within the step.
struct MujocoForce {
  Vec3 f_C = Vec3::Zero();  ///< (t1, t2, n) [N]
  double torque = 0;        ///< about n [N m]
};

struct MujocoSolve {
  int iterations = 0;
  bool converged = true;
  double residual = 0;  ///< of the momentum balance, relative
  int rows = 0;
  int line_search = 0;
};

/// One model and its memory. A step depends on nothing that is not written before it.
class MujocoEngine {
 public:
  MujocoEngine();
  ~MujocoEngine();
  MujocoEngine(MujocoEngine&&) noexcept;
  MujocoEngine& operator=(MujocoEngine&&) noexcept;

  bool loaded() const;
  /// Takes a model whose bodies are named b0, b1, ...; `bodies` many. An error, or empty.
  std::string Load(const std::string& text, int bodies);

  /// Memory for so many contacts: an error, or empty. What was written before is lost where it
  /// grows.
  std::string_view Reserve(int contacts);

  /// What overlaps at the positions that are written; not all where Reserve was asked for fewer.
  std::string_view Find(std::vector<MujocoFound>* found);

  int nq() const;
  int nv() const;
  /// First coordinate of velocity of a body; -1 = it has none.
  int DofOf(int body) const;
  /// Inverse mass by which the engine weighs the contacts of a body, and inverse inertia [1/kg],
  /// [1/(kg m²)]; 0 = of the world.
  double InverseMass(int body) const;
  double InverseInertia(int body) const;
  /// Inverse inertia of a coordinate.
  double InverseInertiaOf(int dof) const;

  // Written before every step. Wrenches are six numbers a body: force, torque, world axes, at its
  // own origin.
  std::span<double> qpos();
  std::span<double> qvel();  ///< and read after it
  std::span<double> warm_start();
  std::span<double> forces();   ///< on coordinates
  std::span<double> damping();  ///< of coordinates
  void SetWrench(int body, const Vec3& force_W, const Vec3& torque_W);
  void ClearWrenches();
  /// Of the joint of a body with one coordinate.
  void SetLimit(int body, const std::array<double, 2>& solref, const std::array<double, 2>& solimp);

  /// Empty, or what the library says; then nothing of it may be read.
  std::string_view Step(const MujocoOptions& options, std::span<const MujocoTouch> contacts,
                        double time, MujocoSolve* solve);
  /// Of a contact of the last step.
  MujocoForce Force(int contact) const;
  /// Spatial velocity of a body by the velocities at the step's end in the poses of its start:
  /// linear at p_W, and angular.
  void Velocity(int body, const Vec3& p_W, Vec3* linear, Vec3* angular) const;
  /// What dry friction and limits took of the energy in the step [J].
  double FrictionLoss(double time_step) const;
  bool finite() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
