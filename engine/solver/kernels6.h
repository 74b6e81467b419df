// Loops over 6x6 blocks, which free bodies make, compiled once per instruction set and chosen at
// run time. Every variant takes the same products and sums in the same order, none is fused: the
// bits are the same on every processor. Plain data only; engine/solver/kernels6_impl.h says why.
#pragma once

namespace slip {

/// Columns of a stored 6x6 block begin this many doubles apart: a cache line.
inline constexpr int kStride6 = 8;
inline constexpr int kBlock6 = 6 * kStride6;
/// Doubles from column to column of a stored block with this many rows.
inline constexpr int ColumnStride(int rows) { return rows == 6 ? kStride6 : rows; }
/// Doubles that a stored block takes: whole cache lines.
inline constexpr int BlockRoom(int rows, int columns) {
  return (ColumnStride(rows) * columns + 7) / 8 * 8;
}

/// A column of a block Cholesky factor: offsets into its arrays.
struct FactorColumn {
  int x = 0;                         ///< its first scalar row
  int H = 0;                         ///< its diagonal block of H
  int L = 0;                         ///< inverse of L_jj, and its transpose behind it
  int blocks = 0, blocks_end = 0;    ///< its off-diagonal blocks of L
  int updates = 0, updates_end = 0;  ///< of its diagonal block
};
struct FactorBlock {        // off-diagonal block of L
  int row = 0;              ///< place in the elimination order
  int x = 0;                ///< first scalar row
  int L = 0, H = 0;         ///< offsets; H = -1 for fill
  bool transposed = false;  ///< H holds the block's transpose
  int updates = 0, updates_end = 0;
};
struct FactorUpdate {  // block -= L_a L_b^T
  int a = 0, b = 0, inner = 0;
};
struct FactorView {
  const FactorColumn* columns;
  const FactorBlock* blocks;
  const FactorUpdate* updates;
  const double* H;
};

/// Contacts between the same two bodies; offsets in doubles. Contacts hold 3x6 rows of the first
/// body, then of the second, if there is one.
struct PairBlock {
  int begin = 0, end = 0;     ///< contacts
  int J = 0;                  ///< of the first contact
  int x_row = 0, x_col = -1;  ///< velocities; -1 is the world
  int H_row = 0, H_col = 0;   ///< diagonal blocks
  int H = 0;                  ///< off-diagonal block, row x col
  int A = -1;                 ///< the row's inertia if this is its first pair, else -1
};
struct PairView {
  const PairBlock* pairs;
  const double* J;
  int stride;  ///< doubles from contact to contact in the arrays below
};

struct Kernels6 {
  const char* name;
  /// C - sum of A B^T over the updates, stored blocks; C may be null (zero).
  void (*subtract_products)(const double* C, const double* L, const FactorUpdate* update,
                            const FactorUpdate* end, double* out);
  /// L^-1 and its transpose for the stored block C = L L^T (lower part read); false when C is not
  /// positive definite.
  bool (*invert_factor)(const double* C, double* X, double* XT);
  /// Factors the columns [first, last); with `shift` the diagonal is multiplied by 1 + shift.
  bool (*factor)(const FactorView& view, int first, int last, double shift, double* L);
  /// x := H^-1 x.
  void (*solve)(const FactorView& view, const double* L, int first, int last, double* x);
  /// y += H x by the blocks of these columns, of a pattern without fill or transposed blocks.
  void (*multiply)(const FactorView& view, int first, int last, const double* x, double* y);
  /// y = A x for a diagonal matrix of `count` symmetric blocks, 36 doubles each.
  void (*multiply_diagonal)(const double* A, int count, const double* x, double* y);
  /// y_i = J_i x for the contacts of these pairs, three doubles each.
  void (*contact_steps)(const PairView& view, int first, int last, const double* x, double* y);
  /// y += J^T gamma.
  void (*impulse_sum)(const PairView& view, int first, int last, const double* gamma, double* y);
  /// H = A + J^T G J, G symmetric 3x3 per contact. All blocks of the pairs are written; a body's
  /// diagonal block must hold its inertia when only later bodies touch it.
  void (*assemble)(const PairView& view, int first, int last, const double* G, const double* A,
                   double* H);
};

/// The variant in use: the widest that the processor has, or the one that the environment variable
/// SLIPSCOPE_KERNELS names. Chosen once.
const Kernels6& GetKernels6();

/// Variants of this build that this processor has, the baseline first; null past the last.
const Kernels6* FindKernels6(int index);

}  // namespace slip
