// The block Cholesky factorisation against dense algebra, on graphs of every kind.
#include "engine/solver/block_cholesky.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/solver/block_kernels.h"
#include "tests/support/alloc_guard.h"

namespace slip::test {
namespace {

struct Graph {
  std::vector<int> sizes;
  std::vector<BlockEdge> edges;

  std::vector<int> Components() const {
    std::vector<int> c(sizes.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<int>(i);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : edges) {
        int& x = c[static_cast<std::size_t>(a)];
        int& y = c[static_cast<std::size_t>(b)];
        if (x != y) x = y = std::min(x, y), changed = true;
      }
    }
    return c;
  }
};

Graph RandomGraph(std::mt19937_64* engine, int n, double density, const std::vector<int>& sizes) {
  Graph graph;
  std::uniform_real_distribution<double> u(0, 1);
  for (int i = 0; i < n; ++i) graph.sizes.push_back(sizes[(*engine)() % sizes.size()]);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (u(*engine) < density) graph.edges.emplace_back(i, j);
    }
  }
  return graph;
}

// Fills solver and dense matrix with one positive definite matrix of the graph's pattern; compares
// products, solutions and the order's bookkeeping.
void Check(const Graph& graph, std::mt19937_64* engine, BlockCholesky* solver) {
  std::uniform_real_distribution<double> u(-1, 1);
  const auto random = [&] { return u(*engine); };
  solver->Analyze(graph.sizes, graph.edges, graph.Components());
  const int n = static_cast<int>(graph.sizes.size());
  ASSERT_EQ(solver->count(), n);
  const int rows = solver->rows();
  MatrixX H = MatrixX::Zero(rows, rows);
  // what the last matrix left is overwritten, all of it
  for (const auto& [a, b] : graph.edges) {
    const int i = std::max(solver->position(a), solver->position(b));
    const int j = std::min(solver->position(a), solver->position(b));
    const MatrixX B = MatrixX::NullaryExpr(solver->size(i), solver->size(j), random);
    H.block(solver->begin(i), solver->begin(j), B.rows(), B.cols()) = B;
    H.block(solver->begin(j), solver->begin(i), B.cols(), B.rows()) = B.transpose();
    kernels::MapBlock(solver->Values() + solver->Find(i, j), solver->size(i), solver->size(j)) = B;
  }
  for (int j = 0; j < n; ++j) {
    ASSERT_EQ(solver->position(solver->node(j)), j);
    const int size = solver->size(j), begin = solver->begin(j);
    ASSERT_EQ(size, graph.sizes[static_cast<std::size_t>(solver->node(j))]);
    const MatrixX B = MatrixX::NullaryExpr(size, size, random);
    MatrixX D = B * B.transpose();
    // diagonally dominant, hence positive definite
    D.diagonal().array() += H.middleRows(begin, size).cwiseAbs().rowwise().sum().maxCoeff() + 0.1;
    H.block(begin, begin, size, size) = D;
    kernels::MapBlock(solver->Diagonal(j), size, size) = D;
  }
  const VectorX b = VectorX::NullaryExpr(rows, random);
  VectorX x = b, y(rows);
  ASSERT_TRUE(solver->Factorize(0, n));
  solver->Solve(0, n, x.data());
  const VectorX expected = Eigen::LLT<MatrixX>(H).solve(b);
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  solver->Multiply(0, n, b.data(), y.data());
  EXPECT_LT((y - H * b).norm(), 1e-13 * y.norm());
}

TEST(BlockCholesky, AgreesWithDenseOnRandomGraphs) {
  std::mt19937_64 engine(3);
  BlockCholesky solver;
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 1 + static_cast<int>(engine() % 30);
    const double density = 0.02 * static_cast<double>(1 + engine() % 20);
    Check(RandomGraph(&engine, n, density, {6}), &engine, &solver);
    Check(RandomGraph(&engine, n, density, {1, 2, 3, 6, 7, 13}), &engine, &solver);
  }
  Check(RandomGraph(&engine, 6, 0.5, {40, 6, 18}), &engine, &solver);
}

TEST(BlockCholesky, SpecialGraphs) {
  std::mt19937_64 engine(5);
  BlockCholesky solver;
  for (const std::vector<int>& sizes : {std::vector<int>{6}, std::vector<int>{2, 6, 5}}) {
    Graph chain = RandomGraph(&engine, 20, 0, sizes);
    Check(chain, &engine, &solver);  // no edge at all
    for (int i = 1; i < 20; ++i) chain.edges.emplace_back(i - 1, i);
    Check(chain, &engine, &solver);
    // equal blocks: a chain needs no fill
    if (sizes.size() == 1) EXPECT_EQ(solver.factor_blocks(), 19);
    Graph arrow = RandomGraph(&engine, 20, 0, sizes);
    for (int i = 1; i < 20; ++i) arrow.edges.emplace_back(0, i);
    Check(arrow, &engine, &solver);
    EXPECT_EQ(solver.factor_blocks(), 19);  // nor an arrow, once its head goes last
    Check(RandomGraph(&engine, 12, 1.1, sizes), &engine, &solver);  // dense
    EXPECT_EQ(solver.factor_blocks(), 66);
  }
}

TEST(BlockCholesky, OrderOfAGridHasLittleFill) {
  // 20 x 20 grid: natural order fills 7239 blocks
  Graph grid;
  grid.sizes.assign(400, 6);
  for (int i = 0; i < 400; ++i) {
    if (i % 20 != 0) grid.edges.emplace_back(i - 1, i);
    if (i >= 20) grid.edges.emplace_back(i - 20, i);
  }
  BlockCholesky solver;
  solver.Analyze(grid.sizes, grid.edges, grid.Components());
  EXPECT_LT(solver.factor_blocks(), 3500);
}

TEST(BlockCholesky, ComponentsAreContiguousAndFactorAlone) {
  Graph graph;
  graph.sizes = {6, 6, 6, 6, 6};
  graph.edges = {{0, 3}, {1, 4}};
  BlockCholesky solver;
  const std::vector<int> component = {0, 1, 2, 0, 1};
  solver.Analyze(graph.sizes, graph.edges, component);
  for (int j = 0; j < 5; ++j) {
    const int expected[] = {0, 0, 1, 1, 2};
    EXPECT_EQ(component[static_cast<std::size_t>(solver.node(j))], expected[j]);
  }
  for (int j = 0; j < 5; ++j) {
    kernels::MapBlock(solver.Diagonal(j), 6, 6) = MatrixX::Identity(6, 6) * (j == 4 ? -1 : 4);
  }
  kernels::MapBlock(solver.Values() + solver.Find(1, 0), 6, 6).setZero();
  kernels::MapBlock(solver.Values() + solver.Find(3, 2), 6, 6).setZero();
  EXPECT_TRUE(solver.Factorize(2, 4));
  EXPECT_FALSE(solver.Factorize(4, 5));  // indefinite
  VectorX x = VectorX::Ones(30);
  solver.Solve(2, 4, x.data());
  EXPECT_EQ(x[0], 1);
  EXPECT_NEAR(x[12], 0.25, 1e-15);
}

TEST(BlockCholesky, RefactoringAllocatesNothing) {
  std::mt19937_64 engine(7);
  BlockCholesky solver;
  const Graph graph = RandomGraph(&engine, 30, 0.1, {6, 9, 40});
  Check(graph, &engine, &solver);
  const std::vector<int> component = graph.Components();
  VectorX x = VectorX::Ones(solver.rows());
  const AllocGuard guard;
  ASSERT_TRUE(solver.Factorize(0, 30));
  solver.Solve(0, 30, x.data());
  solver.Analyze(graph.sizes, graph.edges, component);
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip::test
