// The block Cholesky factorisation against dense algebra, on graphs of every kind.
#include "engine/solver/block_cholesky.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/core/aligned.h"
#include "engine/solver/block_kernels.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/dense_algebra.h"

namespace slip::test {
namespace {

struct Graph {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> edges;
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

// Blocks of a graph one behind the other, in a matrix whose rows follow the nodes.
struct Blocks {
  std::vector<FactorNode> nodes;
  std::vector<FactorEdge> edges;
  AlignedVector H;
  int rows = 0;

  // `gap` doubles, a multiple of eight, before every block
  explicit Blocks(const Graph& graph, int gap = 0) {
    int at = 0;
    const auto take = [&](int row_count, int columns) {
      const int begin = at + gap;
      at = begin + BlockRoom(row_count, columns);
      return begin;
    };
    for (const int size : graph.sizes) {
      nodes.push_back({size, rows, take(size, size)});
      rows += size;
    }
    for (const auto& [a, b] : graph.edges) edges.push_back({a, b, take(Size(a), Size(b))});
    H.resize(static_cast<std::size_t>(at));
  }
  int Size(int node) const { return nodes[static_cast<std::size_t>(node)].size; }
  int Row(int node) const { return nodes[static_cast<std::size_t>(node)].x; }

  // a random positive definite matrix, here and dense
  MatrixX Fill(std::mt19937_64* engine) {
    std::uniform_real_distribution<double> u(-1, 1);
    const auto random = [&] { return u(*engine); };
    MatrixX dense = MatrixX::Zero(rows, rows);
    for (const FactorEdge& edge : edges) {
      const MatrixX B = MatrixX::NullaryExpr(Size(edge.row), Size(edge.col), random);
      dense.block(Row(edge.row), Row(edge.col), B.rows(), B.cols()) = B;
      dense.block(Row(edge.col), Row(edge.row), B.cols(), B.rows()) = B.transpose();
      kernels::MapBlock(H.data() + edge.H, Size(edge.row), Size(edge.col)) = B;
    }
    for (const FactorNode& node : nodes) {
      const MatrixX B = MatrixX::NullaryExpr(node.size, node.size, random);
      MatrixX D = Multiply(B, B.transpose());
      // diagonally dominant, hence positive definite
      D.diagonal().array() +=
          dense.middleRows(node.x, node.size).cwiseAbs().rowwise().sum().maxCoeff() + 0.1;
      dense.block(node.x, node.x, node.size, node.size) = D;
      kernels::MapBlock(H.data() + node.H, node.size, node.size) = D;
    }
    return dense;
  }
};

// Solves with a random matrix of the graph's pattern, then with another that lies elsewhere.
void Check(const Graph& graph, std::mt19937_64* engine, BlockCholesky* solver) {
  const int n = static_cast<int>(graph.sizes.size());
  const auto solve = [&](Blocks* blocks) {
    const MatrixX dense = blocks->Fill(engine);
    const VectorX b = VectorX::LinSpaced(blocks->rows, -1, 2);
    VectorX x = b;
    ASSERT_TRUE(solver->Factorize(blocks->H.data(), 0, n));
    solver->Solve(0, n, x.data());
    const VectorX expected = SolveDefinite(dense, b);
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  };
  Blocks blocks(graph);
  solver->Analyze(blocks.nodes, blocks.edges);
  ASSERT_EQ(solver->count(), n);
  std::set<int> nodes;
  for (int j = 0; j < n; ++j) nodes.insert(solver->node(j));
  EXPECT_EQ(nodes.size(), graph.sizes.size());
  solve(&blocks);
  Blocks apart(graph, 16);
  solver->Relocate(apart.nodes, apart.edges);
  solve(&apart);
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
  const Blocks blocks(grid);
  solver.Analyze(blocks.nodes, blocks.edges);
  EXPECT_LT(solver.factor_blocks(), 3500);
}

TEST(BlockCholesky, NodesWithoutEdgesKeepTheirOrderAndFactorAlone) {
  Graph graph;
  graph.sizes.assign(5, 6);
  Blocks blocks(graph);
  BlockCholesky solver;
  solver.Analyze(blocks.nodes, blocks.edges);
  for (int j = 0; j < 5; ++j) {
    EXPECT_EQ(solver.node(j), j);
    kernels::MapBlock(blocks.H.data() + blocks.nodes[static_cast<std::size_t>(j)].H, 6, 6) =
        MatrixX::Identity(6, 6) * (j == 4 ? -1 : 4);
  }
  EXPECT_TRUE(solver.Factorize(blocks.H.data(), 2, 4));
  EXPECT_FALSE(solver.Factorize(blocks.H.data(), 4, 5));  // indefinite
  VectorX x = VectorX::Ones(30);
  solver.Solve(2, 4, x.data());
  EXPECT_EQ(x[0], 1);
  EXPECT_NEAR(x[12], 0.25, 1e-15);
}

TEST(BlockCholesky, IncompleteFactorHasTheBlocksOfH) {
  std::mt19937_64 engine(13);
  for (int trial = 0; trial < 20; ++trial) {
    Graph graph = RandomGraph(&engine, 3 + trial, trial < 10 ? 0.3 : 0,
                              trial % 2 == 0 ? std::vector<int>{6} : std::vector<int>{2, 6, 5});
    const bool chain = trial >= 10;  // which a factor without fill solves
    for (int i = 1; chain && i < 3 + trial; ++i) graph.edges.emplace_back(i, i - 1);
    if (graph.edges.empty()) graph.edges.emplace_back(1, 0);
    Blocks blocks(graph);
    BlockCholesky solver;
    solver.Analyze(blocks.nodes, blocks.edges, 0);
    ASSERT_TRUE(solver.incomplete());
    EXPECT_EQ(solver.factor_blocks(), static_cast<int>(graph.edges.size()));
    const MatrixX H = blocks.Fill(&engine);
    const int n = solver.count();
    for (int j = 0; j < n; ++j) EXPECT_EQ(solver.node(j), j);
    const VectorX b = VectorX::LinSpaced(blocks.rows, -1, 2);
    VectorX y = VectorX::Ones(blocks.rows);
    solver.Multiply(blocks.H.data(), b.data(), y.data());
    EXPECT_LT((y - VectorX::Ones(y.size()) - Multiply(H, b)).norm(), 1e-13 * y.norm());

    ASSERT_TRUE(solver.Factorize(blocks.H.data(), 0, n));
    MatrixX inverse = MatrixX::Identity(blocks.rows, blocks.rows);
    for (Eigen::Index c = 0; c < inverse.cols(); ++c) solver.Solve(0, n, inverse.col(c).data());
    EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-13 * inverse.norm());
    EXPECT_GT(CalcEigenvalues(inverse).minCoeff(), 0);
    if (chain)
      EXPECT_LT((Multiply(H, inverse) - MatrixX::Identity(H.rows(), H.rows())).norm(), 1e-11);
    // M agrees with H wherever H has a block
    MatrixX M = MatrixX::Identity(blocks.rows, blocks.rows);
    for (Eigen::Index c = 0; c < M.cols(); ++c) M.col(c) = SolveDefinite(inverse, M.col(c));
    for (const FactorEdge& edge : blocks.edges) {
      const auto part = [&](const MatrixX& A) {
        return MatrixX(A.block(blocks.Row(edge.row), blocks.Row(edge.col), blocks.Size(edge.row),
                               blocks.Size(edge.col)));
      };
      EXPECT_LT((part(M) - part(H)).norm(), 1e-10 * H.norm());
    }

    // back to a whole factor
    solver.Analyze(blocks.nodes, blocks.edges);
    EXPECT_FALSE(solver.incomplete());
  }
}

TEST(BlockCholesky, RefactoringAllocatesNothing) {
  std::mt19937_64 engine(7);
  BlockCholesky solver;
  const Graph graph = RandomGraph(&engine, 30, 0.1, {6, 9, 40});
  Check(graph, &engine, &solver);
  Blocks blocks(graph);
  blocks.Fill(&engine);
  VectorX x = VectorX::Ones(blocks.rows);
  const AllocGuard guard;
  solver.Analyze(blocks.nodes, blocks.edges);
  ASSERT_TRUE(solver.Factorize(blocks.H.data(), 0, 30));
  solver.Solve(0, 30, x.data());
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip::test
