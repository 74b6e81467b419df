// The numbers of a task in solving order: inertia and Jacobians, contacts and scalars, and the
// products with them.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/convex/contact_passes.h"
#include "engine/convex/island_order.h"
#include "engine/core/aligned.h"
#include "engine/core/numbers.h"

namespace slip {

class IslandNumbers {
 public:
  /// A scalar and its row.
  struct ScalarRow {
    int row = 0, H = 0;  ///< H: offset of its diagonal entry
    int index = 0;       ///< in the task
    ContactTask::Scalar scalar;
  };
  /// The fourth row of a contact with torsion, rho w_n = J v. The first three are those of every
  /// contact, and the kernels' affair; what the fourth one adds to their products is added apart.
  struct SpinRow {
    int contact = 0, pair = 0;
    int J = 0;  ///< place of its numbers, one for every row of the pair's trees
    double rho = 0;
  };

  explicit IslandNumbers(IslandOrder* order) : order_(order) {}

  /// Of the task that the order follows, which has changed so.
  void Load(const ContactTask& task, const ContactPasses& passes, IslandOrder::Change change);
  void Store(const VectorX& v, ContactSolution* solution) const;

  const ContactPasses& passes() const { return *passes_; }
  ContactWork* work(const Island& i) { return work_.data() + i.contact_begin; }
  const std::vector<ContactWork>& contacts() const { return work_; }
  const void* frozen(const Island& i) const {
    return frozen_.data() + ToIndex(i.contact_begin) * passes_->frozen_size;
  }
  const ScalarRow* scalars(const Island& i) const { return scalars_.data() + i.scalar_begin; }
  /// Velocities of the task: its guess and its minimum without contacts; A v*; and diag(A)^(-1/2).
  const VectorX& v0() const { return v0_; }
  const VectorX& v_star() const { return v_star_; }
  const VectorX& Av_star() const { return Av_star_; }
  const VectorX& D() const { return D_; }
  /// Whether the two trees of an edge are so close that the step may well give it stiffness.
  bool near(int edge) const { return At(near_, edge) != 0; }

  /// w.dv_c = J x, and w.v_c = J x + b, of the island's contacts.
  void CalcContactSteps(const Island& island, const VectorX& x);
  void CalcContactVelocities(const Island& island, const VectorX& x);
  /// y = J^T gamma for rows of the island.
  void CalcImpulseSum(const Island& island, VectorX* y) const;
  /// Adds the impulses of the island's scalars at v to y; returns their cost.
  double AddScalars(const Island& island, const VectorX& v, VectorX* y) const;
  /// Adds their part of cost, slope and curvature at v + alpha dv.
  void AddScalarsAlong(const Island& island, const VectorX& v, const VectorX& dv, double alpha,
                       LinePoint* point) const;
  /// What the last bit of the velocity does to their impulses, as a scaled residual squared.
  double ScalarRoundOff(const Island& island, const VectorX& v) const;
  /// y = A x.
  void ApplyA(const Island& island, const VectorX& x, VectorX* y) const;

  // what the Hessian is made of
  /// Of a tree that touches no other, and itself nowhere: the pattern that its H keeps. Null =
  /// full.
  const TreePattern* PatternOf(int position) const { return At(branched_, position); }
  const TreePattern* PatternOf(const Island& island) const {
    return island.trees() == 1 ? PatternOf(island.tree_begin) : nullptr;
  }
  /// The inertia of a tree to its block of H: in its pattern, or in full.
  void CopyInertia(int position, double* H) const;
  void CopyFullInertia(int position, double* H) const;
  const double* A() const { return A_.data(); }
  PairView View() const;
  /// With a pattern: the last coordinate on the way to the contact's link.
  int last(int contact) const { return At(last_, contact); }
  const std::vector<SpinRow>& spins() const { return spins_; }
  const SpinWork& spin_work(int spin) const { return At(spin_work_, spin); }
  const double* spin_J(const SpinRow& spin) const { return spin_J_.data() + spin.J; }

 private:
  void Resize();
  void LoadPatterns(const ContactTask& task);
  void LoadTrees(const ContactTask& task);
  void LoadContacts(const ContactTask& task);
  void LoadScalars(const ContactTask& task);
  void LoadSpins(const ContactTask& task);
  void AddSpinSteps(const Island& island, const VectorX& x);
  void AddSpinImpulses(const Island& island, double* y) const;
  /// Calls fn(first row, rows) for the trees of its pair.
  template <class Fn>
  void ForEachSpinSide(const SpinRow& spin, Fn&& fn) const {
    const IslandOrder::Pair& pair = At(order_->pairs(), spin.pair);
    const auto side = [&](int position) {
      const IslandOrder::Place& place = order_->place(position);
      fn(place.row, place.size);
    };
    side(pair.row);
    if (pair.col >= 0) side(pair.col);
  }

  struct alignas(std::max_align_t) Chunk {
    std::byte bytes[sizeof(std::max_align_t)];
  };
  struct FrozenPool {
    std::vector<Chunk> chunks;
    void Resize(std::size_t bytes) { chunks.resize(bytes / sizeof(Chunk) + 1); }
    std::byte* data() { return chunks.data()->bytes; }
    const std::byte* data() const { return chunks.data()->bytes; }
  };

  IslandOrder* order_;
  const ContactPasses* passes_ = nullptr;
  const Kernels6* kernels_ = &GetKernels6();
  VectorX v0_, v_star_, Av_star_, D_;
  AlignedVector A_, J_;
  std::vector<ContactWork> work_;
  FrozenPool frozen_;
  std::vector<char> near_;                      // of the order's edges
  std::vector<const TreePattern*> pattern_of_;  // of the A of each tree; null = full
  std::vector<const TreePattern*> branched_;    // of its H
  std::vector<int> last_;  // of each contact of these: its way's last coordinate
  std::vector<ScalarRow> scalars_;
  std::vector<SpinRow> spins_;
  std::vector<SpinWork> spin_work_;
  std::vector<double> spin_J_;
};

/// y += J_i^T g of one contact of a pair, both in solving order; g = (t1, t2, n) and the spin's.
void AddContactImpulse(const IslandOrder& order, const IslandNumbers& numbers, int pair,
                       int contact, const Vec3& g, double g_spin, double* y);

}  // namespace slip
