// One convex step as numbers, in three parts: the task (what is to be solved), the settings (how)
// and the solution.
//   v = argmin 1/2 (v - v*)^T A (v - v*) + sum_i l_i(J_i v + b_i)      (ICF eq (2))
// Storage is flat and reused from step to step; capacity only grows.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/contact/contact_value.h"
#include "engine/core/stop.h"
#include "engine/core/types.h"
#include "engine/method/coordinate_potential.h"
#include "engine/method/solve_record.h"
#include "engine/solver/tree_matrix.h"

namespace slip {

/// Everything that the minimum depends on, and the guess it is looked for from.
struct ContactTask {
  /// Kinematic tree: a block of velocity coordinates with its own inertia block.
  struct Tree {
    int nv = 0;
    int start = 0;     ///< first velocity coordinate
    int A_offset = 0;  ///< first entry in `A`, nv x nv row major, symmetric positive definite
    /// Not null: A has the rows of this pattern instead. The model's, which outlives the task.
    const TreePattern* pattern = nullptr;

    /// Numbers of A, and the place of a diagonal one.
    int entries() const { return pattern != nullptr ? pattern->entries() : nv * nv; }
    int Diagonal(int coordinate) const {
      return A_offset +
             (pattern != nullptr ? pattern->Diagonal(coordinate) : coordinate * (nv + 1));
    }
  };
  /// Contact velocity v_c = J_a v_a + J_b v_b + bias; rows (t1, t2, n) and, where torsion may
  /// count, the spin w_n about n in rad/s; tree -1 = the world.
  /// Between two links of one tree both sides count: J_a + J_b is its Jacobian.
  struct Contact {
    int tree_a = -1, tree_b = -1;
    int rows = 3;          ///< 4 with that of the spin
    int J_a = 0, J_b = 0;  ///< offsets in `J`, rows x nv row major
    /// Not -1, of a contact of the world with one link of a tree that has a pattern: J_b has the
    /// columns on the way to this coordinate alone.
    int last = -1;
    Vec3 bias = Vec3::Zero();
    ContactStart start;
    /// The contact was there in the previous step: the guess v0 is near. Chooses the method, so it
    /// must come from data, never from the solver's memory.
    bool warm = false;

    bool spins() const { return rows == 4 && start.mu_w > 0 && start.mu > 0; }  ///< spin counts
  };

  /// Limits of joints, dry friction, motors with a limited torque.
  using Scalar = CoordinatePotential;

  double h = 1e-3;  ///< time step [s]
  ModelChoice model;

  int nv = 0;
  bool branched = false;  ///< some tree has a pattern
  bool spinning = false;  ///< some contact has a row of spin
  std::vector<Tree> trees;
  std::vector<double> A;
  std::vector<Contact> contacts;
  std::vector<double> J;
  std::vector<Scalar> scalars;
  VectorX v0;  ///< velocities at the start of the step: the guess
  VectorX v_star;
  VectorX momentum;  ///< A v_star, of trees that have a pattern; elsewhere without meaning

  /// Forgets trees, contacts and scalars, keeps memory.
  void Clear();
  /// Appends a tree of nv coordinates with zero A; returns its index. Resize() follows the last.
  int AddTree(int tree_nv, const TreePattern* pattern = nullptr);
  /// Sizes v0, v_star to the trees added so far.
  void Resize();
  /// Appends a contact between trees (-1 = world) with zero Jacobians; returns it.
  Contact& AddContact(int tree_a, int tree_b, int last = -1, int rows = 3);
  /// Columns of J_b, and the velocity coordinates of the tree that they belong to: null = all.
  int Columns(const Contact& contact) const;
  const int* WayOf(const Contact& contact) const;
  /// A of a tree in full, and `count` rows of J_b of a contact: count x nv.
  void GetInertia(const Tree& tree, double* full) const;
  void GetRows(const Contact& contact, int first, int count, double* full) const;
  /// Calls fn(c, entry) for the diagonal of a tree's A.
  template <class Fn>
  void ForEachDiagonal(const Tree& tree, Fn&& fn) const {
    const double* entry = A.data() + tree.A_offset;
    for (int c = 0; tree.pattern != nullptr && c < tree.nv; ++c)
      fn(c, entry[tree.pattern->Diagonal(c)]);
    for (int c = 0; tree.pattern == nullptr && c < tree.nv; ++c, entry += tree.nv + 1)
      fn(c, *entry);
  }
  /// Sets start.w of a contact; of many of them InverseInertia does.
  void CalcDelassus(Contact* contact) const;
};

/// Island by island with the fastest method for the model, or as published.
enum class SolverId : int { kAuto, kPlain };

/// How a task is solved: none of it moves the minimum.
struct SolverSettings {
  double tolerance = 1e-6;  ///< eps_r
  int max_iterations = 100;
  bool backtracking = false;
  SolverId solver = SolverId::kAuto;
  bool estimate_condition = true;  ///< fill the record's condition numbers (costs part of a solve)
  const StopPoll* stop = nullptr;  ///< asked in every iteration; true = give the solve up
};

struct ContactSolution {
  VectorX v;                            ///< one per coordinate of the task
  std::vector<Vec3> impulses;           ///< gamma on B, one per contact of the task [N s]
  std::vector<double> spin_impulses;    ///< about n on B, likewise; empty without spins [N m s]
  std::vector<double> scalar_impulses;  ///< one per scalar of the task [N m s] or [N s]
  SolveRecord record;
};

struct ContactProblem {
  ContactTask task;
  SolverSettings settings;
  ContactSolution solution;
};

}  // namespace slip
