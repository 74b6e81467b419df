// The Hessian of islands: its pattern, its factor and, where that has too much fill, conjugate
// gradients.
//
// Most contacts of a pile are near, but carry nothing: H is factored over the pairs of trees that
// have stiffness, which leaves a fraction of the fill (engine/README.md 8).
#pragma once

#include "engine/convex/island_numbers.h"
#include "engine/core/numbers.h"
#include "engine/solver/block_cholesky.h"
#include "engine/solver/conjugate_gradients.h"

namespace slip {

class IslandHessian {
 public:
  IslandHessian(const IslandOrder* order, const IslandNumbers* numbers)
      : order_(*order), numbers_(*numbers) {}

  /// Block products of a factor per block of H beyond which conjugate gradients are faster, as
  /// measured: they take some thirty multiplications and preconditionings to a Newton step.
  void SetExpensiveFill(int products) { expensive_fill_ = products; }
  /// Products with H in one direction after which the island gets its factor at any price.
  void SetExpensiveProducts(int products) { expensive_products_ = products; }
  /// Every island gets its factor at any price: directions are then exact.
  void SetWhole(bool whole) { whole_ = whole; }

  /// Follows a change of the order; `branched` of the task.
  void Fit(IslandOrder::Change change, bool branched);
  /// H = A + J^T G J. Its pattern begins (`renew`) as the pairs that have stiffness or are near,
  /// and only grows after that. `scalar_stiffness` is that of the island's scalars, null = theirs
  /// at v.
  void Assemble(const Island& island, const VectorX& v, bool renew,
                const double* scalar_stiffness = nullptr);
  /// H in full, by rows `stride` apart.
  void CopyDense(const Island& island, int stride, double* out) const;
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
      const IslandOrder::Place& place = order_.place(j);
      const double* H = H_.data() + place.H;
      if (const TreePattern* pattern = numbers_.PatternOf(j)) {
        pattern->Unpack(H, full_.data());
        H = full_.data();
      }
      fn(place.row, place.size, place.row, place.size, H);
    }
    for (int e = island.edge_begin; e < island.edge_end; ++e) {
      if (At(stiff_, e) == 0) continue;
      const IslandOrder::Edge& edge = At(order_.edges(), e);
      const IslandOrder::Place &row = order_.place(edge.row), &col = order_.place(edge.col);
      fn(row.row, row.size, col.row, col.size, H_.data() + edge.H);
    }
  }

 private:
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

  bool HasStiffness(const PairBlock& pair) const;
  void UpdatePattern(const Island& island, bool renew);
  void Analyze(const Island& island);
  void AssemblePairs(int first, int last);
  void AssembleScalars(const Island& island, const VectorX& v, const double* stiffness);
  void AssembleSpins(const Island& island);

  const IslandOrder& order_;
  const IslandNumbers& numbers_;
  const Kernels6* kernels_ = &GetKernels6();
  int expensive_fill_ = 32, expensive_products_ = 250;
  bool whole_ = false;
  AlignedVector H_, L_;      // L_: factors of trees with a pattern, in the places of H
  std::vector<char> stiff_;  // of the order's edges: part of the pattern that H is factored over
  std::vector<Factor> factors_;       // the first one is that of all lone trees
  std::vector<double> GJ_;            // scratch of 3 x size for every tree
  mutable std::vector<double> full_;  // scratch of a tree
};

}  // namespace slip
