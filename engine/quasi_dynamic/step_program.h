// The quadratic program of one quasi-dynamic step (Tracy and Manchester, eq. (13); signs and units
// as in engine/README.md section 14):
//
//   min 1/2 δqᵀ H δq - gᵀ δq   such that   A δq >= b
//
// δq in the order of Model's velocity coordinates: of bodies without actuators displacements along
// them, of a tree of actuators those of its joints. Multipliers are impulses [N s].
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/dynamics/motion.h"
#include "engine/quasi_dynamic/candidates.h"
#include "engine/solver/convex_qp.h"

namespace slip {

/// What one contact's multipliers and displacements say.
struct ContactLoadOut {
  Vec3 f_C = Vec3::Zero();              ///< on B along (t1, t2, n) [N]
  double torque = 0;                    ///< on B about n [N m]
  std::array<double, 6> multipliers{};  ///< of its rows, in their order; without torsion four [N s]
  Vec3 slip_C =
      Vec3::Zero();      ///< displacement of B against A along (t1, t2, n), belts taken off [m]
  double turn = 0;       ///< of B against A about n [rad]
  double gap = 0;        ///< signed distance at the end, linear in δq [m]
  double predicted = 0;  ///< max(mu_v |u_1|, mu_v |u_2|, mu_w |turn|) [m]
  double belt = 0;       ///< how far A, a belt, goes along t1 within the step [m]
};

/// Memory is reused from step to step.
class StepProgram {
 public:
  /// What of the model the method does not have, a phrase, and of which body; empty when nothing.
  static std::string_view Missing(const Model& model, const Config& config, int* culprit);

  /// Limits of joints that the step may come to are rows; with `every_limit` all of them.
  void Build(const StepInput& input, const std::vector<Candidate>& candidates, bool every_limit);
  const ConvexQp& qp() const { return qp_; }
  /// Whose row it is: the place of a candidate, which has four, or six with torsion; -1 of a
  /// joint's limit. And of those the body that the joint carries.
  int ContactOfRow(int row) const;
  int BodyOfLimit(int row) const { return At(limits_, row).body; }

  /// x of the program as velocities of all coordinates, δq / h, followers included.
  void SetVelocities(const VectorX& x, VectorX* v) const;
  ContactLoadOut Load(std::size_t contact, const Candidate& candidate, const VectorX& x,
                      const VectorX& lambda) const;
  /// Whether x takes a joint beyond a limit that is no row.
  bool BreaksLimit(const StepInput& input, const VectorX& x) const;
  /// Work of actuators and pushes in the step δq = x [J].
  double CalcDriveWork(const VectorX& x) const;

 private:
  using Row = Eigen::RowVectorXd;
  void NumberColumns(const Model& model);
  void AddBody(const StepInput& input, const Motion& motion);
  void AddActuator(const StepInput& input, const Body& body);
  void AddPull(const StepInput& input);
  void AddLimits(const StepInput& input, bool every_limit);
  /// Adds sign times the motion of a body's point along t1, t2, n and its turn about n to J_.
  void AddMotion(const Model& model, int body, const Vec3& p_W, double sign,
                 const Candidate& candidate);
  /// A row over a tree's coordinates, folded onto the columns of the program.
  void Fold(const Tree& tree, const double* row, double sign, Eigen::Ref<Row> out) const;

  const Motion& MotionOf(const Body& body) const { return At(motions_, body.tree); }

  std::vector<Motion> motions_;  // of every tree, in the step at hand
  const Model* numbered_ = nullptr;
  std::vector<int> column_;    // of each velocity coordinate
  std::vector<double> ratio_;  // δq of the coordinate over that of its column
  int columns_ = 0;
  double h_ = 0;
  ConvexQp qp_;
  std::vector<int> first_row_;
  Eigen::Matrix<double, 4, Eigen::Dynamic, Eigen::RowMajor> J_;  // of one contact
  std::vector<Eigen::Matrix<double, 4, Eigen::Dynamic, Eigen::RowMajor>> contact_rows_;
  std::vector<double> belts_;           // how far A goes along t1 within the step [m]
  std::vector<double> scratch_, mass_;  // a row, and the inertia of a tree
  struct LimitRow {
    int body, column;
    double sign, bound;
  };
  std::vector<LimitRow> limits_;
  VectorX drive_;  // constant part of actuators' forces [N], [N m], at the start
  VectorX gains_;  // their stiffness, 0 of the rest
};

}  // namespace slip
