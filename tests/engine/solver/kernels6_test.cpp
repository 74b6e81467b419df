// The kernels of every instruction set that this processor has, bit for bit against the baseline;
// the baseline against dense algebra.
#include "engine/solver/kernels6.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "engine/core/aligned.h"
#include "engine/solver/block_kernels.h"
#include "tests/support/dense_algebra.h"

namespace slip::test {
namespace {

using kernels::MapBlock;
using Map = Eigen::Map<MatrixX>;

constexpr int kVariants = 3;

// The doubles that a kernel promises: six of every column of stored blocks.
bool SameBits(const double* a, const double* b, std::size_t count, bool stored) {
  for (std::size_t i = 0; i < count; ++i) {
    if (stored && i % kStride6 >= 6) continue;
    if (std::memcmp(a + i, b + i, sizeof(double)) != 0) return false;
  }
  return true;
}

class Kernels6Test : public testing::TestWithParam<int> {
 protected:
  double Random() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  AlignedVector Randoms(int count) {
    AlignedVector out(static_cast<std::size_t>(count));
    for (double& x : out) x = Random();
    return out;
  }
  // symmetric and positive definite, badly scaled
  void SetDefinite(double* block) {
    const MatrixX B = MatrixX::NullaryExpr(6, 6, [&] { return Random(); });
    VectorX scale(6);
    for (int i = 0; i < 6; ++i) scale[i] = std::pow(10, 3 * Random());
    MapBlock(block, 6, 6) = scale.asDiagonal() *
                            MatrixX(Multiply(B, B.transpose()) + 0.1 * MatrixX::Identity(6, 6)) *
                            scale.asDiagonal();
  }

  std::mt19937_64 engine_{11};
  const Kernels6* variant_ = FindKernels6(GetParam());
  const Kernels6& baseline_ = *FindKernels6(0);
};

TEST_P(Kernels6Test, Blocks) {
  for (int trial = 0; trial < 200; ++trial) {
    AlignedVector L = Randoms(12 * kBlock6), out(3 * kBlock6), expected(3 * kBlock6);
    const int count = trial % 5;
    FactorUpdate updates[4];
    for (int i = 0; i < count; ++i) updates[i] = {2 * i * kBlock6, (2 * i + 1) * kBlock6, 6};
    const double* C = trial % 3 == 0 ? nullptr : L.data() + 11 * kBlock6;
    const auto subtract = [&](const Kernels6& kernels, AlignedVector* to) {
      kernels.subtract_products(C, L.data(), updates, updates + count, to->data());
    };
    subtract(*variant_, &out);
    subtract(baseline_, &expected);
    EXPECT_TRUE(SameBits(out.data(), expected.data(), kBlock6, true));
    MatrixX dense = MatrixX::Zero(6, 6);
    if (C != nullptr) dense = MapBlock(C, 6, 6);
    for (int i = 0; i < count; ++i) {
      const double* factors = L.data() + 2 * i * kBlock6;
      dense -= Multiply(MapBlock(factors, 6, 6), MapBlock(factors + kBlock6, 6, 6).transpose());
    }
    EXPECT_LT((MapBlock(expected.data(), 6, 6) - dense).norm(), 1e-14 * (1 + dense.norm()));

    SetDefinite(L.data());
    const auto invert = [&](const Kernels6& kernels, AlignedVector* to) {
      return kernels.invert_factor(L.data(), to->data(), to->data() + kBlock6);
    };
    EXPECT_TRUE(invert(*variant_, &out));
    EXPECT_TRUE(invert(baseline_, &expected));
    EXPECT_TRUE(SameBits(out.data(), expected.data(), 2 * kBlock6, true));
    const MatrixX X = MapBlock(expected.data(), 6, 6), A = MapBlock(L.data(), 6, 6);
    EXPECT_EQ(X.transpose(), MatrixX(MapBlock(expected.data() + kBlock6, 6, 6)));
    EXPECT_EQ(MatrixX(X.triangularView<Eigen::StrictlyUpper>()), MatrixX::Zero(6, 6));
    EXPECT_LT((Multiply(Multiply(X, A), X.transpose()) - MatrixX::Identity(6, 6)).norm(), 1e-9);
    L[static_cast<std::size_t>(trial % 6 * (kStride6 + 1))] = trial % 2 == 0 ? -1 : NAN;
    EXPECT_FALSE(invert(*variant_, &out));
  }
}

// A dense factor of four bodies with its updates, columns in order; one block is fill.
struct DenseFactor {
  static constexpr int kTrees = 4;
  FactorColumn columns[kTrees];
  std::vector<FactorBlock> blocks;
  std::vector<FactorUpdate> updates;
  int H = 0, L = 0;
  FactorColumn lower_columns[kTrees];
  std::vector<FactorBlock> lower_blocks;

  // its blocks of H, none transposed
  FactorView WithoutFill(const double* values) const {
    return {lower_columns, lower_blocks.data(), nullptr, values};
  }

  DenseFactor() {
    int at[kTrees][kTrees];
    for (int j = 0; j < kTrees; ++j) {
      FactorColumn& column = columns[j];
      column.x = 6 * j;
      column.H = H, H += kBlock6;
      column.L = L, L += 2 * kBlock6;
      column.updates = static_cast<int>(updates.size());
      for (int k = 0; k < j; ++k) updates.push_back({at[j][k], at[j][k], 6});
      column.updates_end = static_cast<int>(updates.size());
      column.blocks = static_cast<int>(blocks.size());
      for (int i = j + 1; i < kTrees; ++i) {
        FactorBlock& block = blocks.emplace_back();
        block.row = i;
        block.x = 6 * i;
        block.L = at[i][j] = L, L += kBlock6;
        block.H = i == kTrees - 1 && j == 0 ? -1 : H;
        if (block.H >= 0) H += kBlock6;
        block.transposed = block.H >= 0 && (i + j) % 2 == 1;
        block.updates = static_cast<int>(updates.size());
        for (int k = 0; k < j; ++k) updates.push_back({at[i][k], at[j][k], 6});
        block.updates_end = static_cast<int>(updates.size());
      }
      column.blocks_end = static_cast<int>(blocks.size());
      lower_columns[j] = column;
      lower_columns[j].blocks = static_cast<int>(lower_blocks.size());
      for (int m = column.blocks; m < column.blocks_end; ++m) {
        const FactorBlock& block = blocks[static_cast<std::size_t>(m)];
        if (block.H < 0) continue;
        lower_blocks.push_back(block);
        lower_blocks.back().transposed = false;
      }
      lower_columns[j].blocks_end = static_cast<int>(lower_blocks.size());
    }
  }
};

TEST_P(Kernels6Test, FactorAndSolve) {
  const DenseFactor factor;
  const auto size = static_cast<std::size_t>(factor.L);
  for (int trial = 0; trial < 50; ++trial) {
    AlignedVector H = Randoms(factor.H);
    for (const FactorColumn& column : factor.columns) {
      MapBlock(H.data() + column.H, 6, 6) +=
          MapBlock(H.data() + column.H, 6, 6).transpose().eval() + 30 * MatrixX::Identity(6, 6);
    }
    const FactorView view{factor.columns, factor.blocks.data(), factor.updates.data(), H.data()};
    const double shift = trial % 2 == 0 ? 0 : 1e-3;
    AlignedVector L(size), expected(size), x = Randoms(24), y = x;
    ASSERT_TRUE(variant_->factor(view, 0, 4, shift, L.data()));
    ASSERT_TRUE(baseline_.factor(view, 0, 4, shift, expected.data()));
    EXPECT_TRUE(SameBits(L.data(), expected.data(), size, true));
    variant_->solve(view, L.data(), 0, 4, x.data());
    baseline_.solve(view, expected.data(), 0, 4, y.data());
    EXPECT_TRUE(SameBits(x.data(), y.data(), 24, false));
    x = y = Randoms(24);
    const FactorView lower = factor.WithoutFill(H.data());
    const AlignedVector b = Randoms(24);
    variant_->multiply(lower, 0, 4, b.data(), x.data());
    baseline_.multiply(lower, 0, 4, b.data(), y.data());
    EXPECT_TRUE(SameBits(x.data(), y.data(), 24, false));
    H[static_cast<std::size_t>(factor.columns[trial % 4].H)] = -40;
    EXPECT_FALSE(variant_->factor(view, 0, 4, 0, L.data()));
  }
}

TEST_P(Kernels6Test, Pairs) {
  constexpr int kTrees = 6, kPairs = 9, kStride = 11;
  for (int trial = 0; trial < 50; ++trial) {
    // rows ascend; each may touch the world first, then earlier bodies
    std::vector<PairBlock> pairs;
    int contacts = 0, J_size = 0, blocks = kTrees;
    for (int k = 0; k < kPairs; ++k) {
      PairBlock& pair = pairs.emplace_back();
      const int row = k * kTrees / kPairs, earlier = k > 0 ? pairs[pairs.size() - 2].x_row / 6 : -1;
      const int col = row != earlier ? -1 : static_cast<int>(engine_() % 2) * (row - 1);
      pair.begin = contacts;
      pair.end = contacts += 1 + static_cast<int>(engine_() % 7);
      pair.J = J_size;
      pair.x_row = 6 * row;
      pair.H_row = kBlock6 * row;
      if (row != earlier) pair.A = 36 * row;
      if (row == earlier && row > 0) {
        pair.x_col = 6 * col;
        pair.H_col = kBlock6 * col;
        pair.H = kBlock6 * blocks++;
      }
      J_size += (pair.x_col < 0 ? 18 : 36) * (pair.end - pair.begin);
    }
    const AlignedVector J = Randoms(J_size), A = Randoms(36 * kTrees), x = Randoms(6 * kTrees);
    AlignedVector data = Randoms(kStride * contacts), other = data;
    for (int i = 0; i < contacts; ++i) {  // gamma, then a symmetric matrix
      Map G(data.data() + kStride * i + 2, 3, 3);
      G = MatrixX(G + G.transpose());
    }
    const PairView view{pairs.data(), J.data(), kStride};
    const double* G = data.data() + 2;

    // dense J
    MatrixX dense = MatrixX::Zero(3 * contacts, 6 * kTrees), GG(3 * contacts, 3 * contacts);
    GG.setZero();
    using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;
    for (const PairBlock& pair : pairs) {
      const double* rows = J.data() + pair.J;
      for (int i = pair.begin; i < pair.end; ++i) {
        dense.block(3 * i, pair.x_row, 3, 6) = Rows(rows), rows += 18;
        if (pair.x_col >= 0) dense.block(3 * i, pair.x_col, 3, 6) = Rows(rows), rows += 18;
        GG.block(3 * i, 3 * i, 3, 3) = Eigen::Map<const Mat3>(G + kStride * i);
      }
    }
    const Eigen::Map<const VectorX> vector(x.data(), 6 * kTrees);

    AlignedVector out = other, expected = other;
    variant_->contact_steps(view, 0, kPairs, x.data(), out.data());
    baseline_.contact_steps(view, 0, kPairs, x.data(), expected.data());
    EXPECT_TRUE(SameBits(out.data(), expected.data(), out.size(), false));
    const VectorX steps = Multiply(dense, vector);
    for (int i = 0; i < 3 * contacts; ++i) {
      EXPECT_NEAR(expected[static_cast<std::size_t>(kStride * (i / 3) + i % 3)], steps[i], 1e-14);
    }

    out = expected = x;
    variant_->impulse_sum(view, 0, kPairs, data.data(), out.data());
    baseline_.impulse_sum(view, 0, kPairs, data.data(), expected.data());
    EXPECT_TRUE(SameBits(out.data(), expected.data(), out.size(), false));
    VectorX gamma(3 * contacts);
    for (int i = 0; i < 3 * contacts; ++i) {
      gamma[i] = data[static_cast<std::size_t>(kStride * (i / 3) + i % 3)];
    }
    const VectorX sum = vector + Multiply(dense.transpose(), gamma);
    EXPECT_LT((Eigen::Map<const VectorX>(expected.data(), sum.size()) - sum).norm(), 1e-13);

    out = expected = Randoms(kBlock6 * blocks);
    variant_->assemble(view, 0, kPairs, G, A.data(), out.data());
    baseline_.assemble(view, 0, kPairs, G, A.data(), expected.data());
    EXPECT_TRUE(SameBits(out.data(), expected.data(), out.size(), true));
    const MatrixX H = Multiply(dense.transpose(), Multiply(GG, dense));
    for (const PairBlock& pair : pairs) {
      const Eigen::Map<const MatrixX> inertia(A.data() + 6 * pair.x_row, 6, 6);
      EXPECT_LT((MapBlock(expected.data() + pair.H_row, 6, 6) -
                 H.block(pair.x_row, pair.x_row, 6, 6) - inertia)
                    .norm(),
                1e-12);
      if (pair.x_col < 0) continue;
      EXPECT_LT(
          (MapBlock(expected.data() + pair.H, 6, 6) - H.block(pair.x_row, pair.x_col, 6, 6)).norm(),
          1e-12);
    }

    AlignedVector Ax(x.size()), expected_Ax(x.size());
    variant_->multiply_diagonal(A.data(), kTrees, x.data(), Ax.data());
    baseline_.multiply_diagonal(A.data(), kTrees, x.data(), expected_Ax.data());
    EXPECT_TRUE(SameBits(Ax.data(), expected_Ax.data(), Ax.size(), false));
  }
}

// Those that this processor has.
std::vector<int> Variants() {
  std::vector<int> all;
  for (int i = 0; FindKernels6(i) != nullptr; ++i) all.push_back(i);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Variants, Kernels6Test, testing::ValuesIn(Variants()),
                         [](const auto& variant_info) {
                           return std::string(FindKernels6(variant_info.param)->name);
                         });

TEST(Kernels6, TheWidestIsChosen) {
  const Kernels6* widest = nullptr;
  for (int i = 0; FindKernels6(i) != nullptr; ++i) widest = FindKernels6(i);
  EXPECT_EQ(FindKernels6(kVariants), nullptr);
  if (std::getenv("SLIPSCOPE_KERNELS") == nullptr) EXPECT_EQ(&GetKernels6(), widest);
}

}  // namespace
}  // namespace slip::test
