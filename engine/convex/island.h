// A contact problem in solving order: islands (trees linked by contacts) one after the other,
// contacts of the same two trees side by side. The order depends on the contact graph alone and is
// kept while the graph stands.
//
// Most contacts of a pile are near, but carry nothing: the Hessian is factored over the pairs of
// trees that have stiffness, which leaves a fraction of the fill (engine/README.md 8).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/convex/contact_passes.h"
#include "engine/solver/block_cholesky.h"
#include "engine/solver/conjugate_gradients.h"

namespace slip {

/// A contiguous part of the system: an island, or all of it.
struct Island {
  int tree_begin = 0, tree_end = 0;        ///< positions
  int row_begin = 0, row_end = 0;          ///< velocity coordinates
  int pair_begin = 0, pair_end = 0;        ///< body pairs
  int contact_begin = 0, contact_end = 0;  ///< contacts
  int edge_begin = 0, edge_end = 0;        ///< pairs of two trees that contacts could link
  int scalar_begin = 0, scalar_end = 0;    ///< potentials of one coordinate
  int spin_begin = 0, spin_end = 0;        ///< rows of spin, in the order of their contacts
  int factor = -1;                         ///< its factorisation; -1 = one per island

  int trees() const { return tree_end - tree_begin; }
  int rows() const { return row_end - row_begin; }
  int contacts() const { return contact_end - contact_begin; }
  int scalars() const { return scalar_end - scalar_begin; }
  bool spins() const { return spin_begin < spin_end; }
  /// Whether something acts on it: else it moves freely.
  bool loaded() const { return contacts() > 0 || scalars() > 0; }
  int work() const { return contacts() + scalars(); }
};

class IslandSystem {
 public:
  /// Takes the numbers of a task; rebuilds the order if its graph has changed.
  void Load(const ContactTask& task, const ContactPasses& passes);
  /// Velocities and impulses back in the task's own order.
  void Store(ContactSolution* solution) const;

  const std::vector<Island>& islands() const { return islands_; }
  /// All islands as one.
  const Island& whole() const { return whole_; }
  const ContactPasses& passes() const { return *passes_; }
  /// Contacts in solving order, and their place in the problem.
  ContactWork* work(const Island& i) { return work_.data() + i.contact_begin; }
  int contact(int i) const { return contact_of_[U(i)]; }
  const void* frozen(const Island& i) const {
    return frozen_.data() + U(i.contact_begin) * passes_->frozen_size;
  }
  /// A scalar and its row in solving order.
  struct ScalarRow {
    int row = 0, H = 0;  ///< H: offset of its diagonal entry
    int index = 0;       ///< in the task
    ContactTask::Scalar scalar;
  };
  const ScalarRow* scalars(const Island& i) const { return scalars_.data() + i.scalar_begin; }
  /// Scalar rows of the whole system.
  int rows() const { return row_begin_.back(); }
  /// Coordinate of the problem that a row stands for.
  int coordinate(int row) const { return coordinate_of_[U(row)]; }

  /// Block products of a factor per block of H beyond which conjugate gradients are faster, as
  /// measured: they take some thirty multiplications and preconditionings to a Newton step.
  int expensive_fill = 32;
  /// Products with H in one direction after which the island gets its factor at any price.
  int expensive_products = 250;

  // velocities and gradients in solving order, as long as the system has rows
  VectorX v, v_star, v0, D, delta, A_delta, Av_star, JTg, grad, dv, A_dv;

  /// v_c = J v + b.
  void CalcContactVelocities(const Island& island);
  /// dv_c = J dv.
  void CalcContactSteps(const Island& island);
  /// y = J^T gamma for rows of the island.
  void CalcImpulseSum(const Island& island, VectorX* y) const;
  /// Adds the impulses of the island's scalars at v to y; returns their cost.
  double AddScalars(const Island& island, VectorX* y) const;
  /// Adds their part of cost, slope and curvature at v + alpha dv.
  void AddScalarsAlong(const Island& island, double alpha, LinePoint* point) const;
  /// What the last bit of the velocity does to their impulses, as a scaled residual squared.
  double ScalarRoundOff(const Island& island) const;

  /// y = A x.
  void ApplyA(const Island& island, const VectorX& x, VectorX* y) const;

  /// H = A + J^T G J. Its pattern begins (`renew`) as the pairs that have stiffness or are near,
  /// and only grows after that. `scalar_stiffness` is that of the island's scalars, null = theirs
  /// at v.
  void Assemble(const Island& island, bool renew, const double* scalar_stiffness = nullptr);
  /// Factors H, its diagonal multiplied by 1 + shift; false when it is not positive definite.
  bool Factorize(const Island& island, double shift = 0);
  /// Factors H, its diagonal raised a little where round-off asks for it (`helped`); false when
  /// even that fails.
  bool FactorizeShifted(const Island& island, bool* helped);
  /// Whether the island's inertia is positive definite, but for round-off. Overwrites H.
  bool HasDefiniteInertia(const Island& island);
  /// x := H^-1 x for the island's rows. Exact to round-off, but where fill is too expensive: there
  /// conjugate gradients find what a step of a Newton method needs, a hundredth of the residual.
  void Solve(const Island& island, double* x);
  /// Whether some island is too entangled for a factor: solutions are then those of an iteration.
  bool IsIterative() const;
  /// x := M^-1 x with the factor or the incomplete factor of every island.
  void Precondition(double* x) const;
  /// y = H x, all of it.
  void Multiply(const VectorX& x, VectorX* y) const;
  /// Calls fn(row, rows, col, cols, values) for every block of the island's H with row >= col:
  /// first scalar rows and sizes; column major, ColumnStride(rows) apart.
  template <class Fn>
  void ForEachBlock(const Island& island, Fn&& fn) const {
    for (int j = island.tree_begin; j < island.tree_end; ++j) {
      const double* H = H_.data() + H_begin_[U(j)];
      if (const TreePattern* pattern = PatternOf(j)) {
        pattern->Unpack(H, full_.data());
        H = full_.data();
      }
      fn(row_begin_[U(j)], size(j), row_begin_[U(j)], size(j), H);
    }
    for (int e = island.edge_begin; e < island.edge_end; ++e) {
      const Edge& edge = edges_[U(e)];
      if (!edge.stiff) continue;
      fn(row_begin_[U(edge.row)], size(edge.row), row_begin_[U(edge.col)], size(edge.col),
         H_.data() + edge.H);
    }
  }

 private:
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }
  /// Two trees, row > col (positions), and their block of H.
  struct Edge {
    int row = 0, col = 0, H = 0;
    bool near = false;   ///< so close that the step may well give it stiffness
    bool stiff = false;  ///< part of the pattern that H is factored over
  };
  /// Contacts between the same two trees, or a tree and the world. Their numbers are in `blocks_`.
  struct Pair {
    int row = 0, col = -1;  ///< col = -1 is the world
    int edge = -1;
    bool six = false;  ///< both trees have six coordinates, or the second is the world
  };
  /// The factorisation of an island, or of all trees that touch no other but those of which
  /// PatternOf knows better.
  struct Factor {
    BlockCholesky matrix;
    ConjugateGradients iteration;
    bool stale = true;      // the pattern has changed since the analysis
    bool stubborn = false;  // in this search conjugate gradients were no help
    bool whole = false;     // analysed so: factored at any price
    std::vector<FactorNode> nodes, new_nodes;
    std::vector<FactorEdge> edges, new_edges;
  };
  /// Of a tree that touches no other, and itself nowhere: the pattern that its H keeps. Null =
  /// full.
  const TreePattern* PatternOf(int position) const { return branched_[U(position)]; }
  const TreePattern* PatternOf(const Island& island) const {
    return island.trees() == 1 ? PatternOf(island.tree_begin) : nullptr;
  }
  /// The fourth row of a contact with torsion, rho w_n = J v. The first three are those of every
  /// contact, and the kernels' affair; what the fourth one adds to their products is added here.
  struct SpinRow {
    int contact = 0, pair = 0;
    int J = 0;  ///< offset in `spin_J_`: a number for every row of the pair's trees
    double rho = 0;
  };
  /// Calls fn(first row, rows) for the trees of its pair.
  template <class Fn>
  void ForEachSpinSide(const SpinRow& spin, Fn&& fn) const {
    const Pair& pair = pairs_[U(spin.pair)];
    fn(row_begin_[U(pair.row)], size(pair.row));
    if (pair.col >= 0) fn(row_begin_[U(pair.col)], size(pair.col));
  }
  /// The inertia of a tree to its block of H: in its pattern, or in full.
  void CopyInertia(int position, double* H) const;
  void CopyFullInertia(int position, double* H) const;
  int trees() const { return static_cast<int>(tree_of_.size()); }
  int size(int position) const { return row_begin_[U(position) + 1] - row_begin_[U(position)]; }
  bool SameGraph(const ContactTask& task) const;
  bool SameTrees(const ContactTask& task) const;
  void BuildGraph(const ContactTask& task);
  void OrderTrees(const ContactTask& task);
  void BuildPairs(const ContactTask& task);
  void BuildIslands();
  void LoadPatterns(const ContactTask& task);
  void LoadMomentum(const ContactTask& task);
  void LoadScalars(const ContactTask& task);
  void LoadSpins(const ContactTask& task);
  void AddSpinSteps(const Island& island);
  void AddSpinImpulses(const Island& island, double* y) const;
  void AssembleSpins(const Island& island);
  void AssembleScalars(const Island& island, const double* stiffness);
  // Calls fn6(begin, end) for runs of pairs whose trees have six coordinates (or the second is the
  // world), else fn(block, position of the row, n_row, n_col), in order.
  template <class Fn6, class Fn>
  void ForEachPair(int first, int last, Fn6&& fn6, Fn&& fn) const {
    for (int k = first; k < last;) {
      const int begin = k;
      while (k < last && pairs_[U(k)].six) ++k;
      if (k > begin) fn6(begin, k);
      for (; k < last && !pairs_[U(k)].six; ++k) {
        const Pair& pair = pairs_[U(k)];
        fn(blocks_[U(k)], pair.row, size(pair.row), pair.col < 0 ? 0 : size(pair.col));
      }
    }
  }
  PairView View() const;
  bool HasStiffness(const PairBlock& pair) const;
  void UpdatePattern(const Island& island, bool renew);
  void Analyze(const Island& island);
  void AssemblePairs(int first, int last);

  const ContactPasses* passes_ = nullptr;
  std::vector<Island> islands_;
  Island whole_;
  std::vector<Pair> pairs_;
  std::vector<PairBlock> blocks_;
  std::vector<Edge> edges_;      // by row, then column
  std::vector<Factor> factors_;  // the first one is that of all lone trees
  const Kernels6* kernels_ = &GetKernels6();
  std::vector<ContactWork> work_;
  std::vector<int> contact_of_, coordinate_of_;
  // per tree in solving order: its number, first row, inertia, and diagonal block
  std::vector<int> tree_of_, row_begin_, A_begin_, H_begin_;
  std::vector<char> begins_row_;  // it is the row of a pair
  bool has_patterns_ = false;
  std::vector<const TreePattern*> pattern_of_;  // of its A; null = full
  std::vector<const TreePattern*> branched_;    // of its H
  std::vector<int> last_;             // of each contact of these: its way's last coordinate
  int lone_trees_ = 0;                // they come first
  AlignedVector A_, J_, H_, L_;       // L_: factors of those with a pattern, in the places of H
  std::vector<double> GJ_;            // scratch of 3 x size for every tree
  mutable std::vector<double> full_;  // scratch of a tree
  std::vector<ScalarRow> scalars_;
  std::vector<SpinRow> spins_;
  std::vector<SpinWork> spin_work_;
  std::vector<double> spin_J_;
  struct alignas(std::max_align_t) Chunk {
    std::byte bytes[sizeof(std::max_align_t)];
  };
  struct FrozenPool {
    std::vector<Chunk> chunks;
    void Resize(std::size_t bytes) { chunks.resize(bytes / sizeof(Chunk) + 1); }
    std::byte* data() { return chunks.data()->bytes; }
    const std::byte* data() const { return chunks.data()->bytes; }
  } frozen_;

  // the graph that the order was made for
  std::vector<int> sizes_, entries_, ends_, component_, parent_, position_, scratch_;
  std::vector<std::pair<int, int>> graph_, new_graph_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace slip
