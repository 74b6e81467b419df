// Random trees: what is done along branches agrees with full matrices.
#include "engine/solver/tree_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace slip {
namespace {

struct Sample {
  TreePattern pattern;
  std::vector<double> M;
  MatrixX full;
  VectorX x;

  // `chain` in [0, 1]: how likely a coordinate follows the last one.
  Sample(unsigned seed, double chain) {
    std::mt19937 random(seed);
    const auto number = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    const int n = 1 + static_cast<int>(random() % 24);
    std::vector<int> before;
    for (int k = 0; k < n; ++k) {
      const int any = static_cast<int>(random() % static_cast<unsigned>(k + 1)) - 1;
      before.push_back(number() < 2 * chain - 1 ? k - 1 : any);
    }
    pattern.Assign(before);
    for (int i = 0; i < pattern.entries(); ++i) M.push_back(number());
    for (int k = 0; k < n; ++k) M[static_cast<std::size_t>(pattern.Diagonal(k))] = n;
    full = Full();
    x = VectorX::NullaryExpr(n, number);
  }
  int n() const { return pattern.size(); }
  MatrixX Full() const {
    MatrixX out(n(), n());
    pattern.Unpack(M.data(), out.data());
    return out;
  }
};

template <class Fn>
void ForEachSample(Fn&& fn) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Sample sample(seed, seed % 2 == 0 ? 0.8 : 0.3);
    fn(sample);
  }
}

TEST(TreeMatrix, HasEntriesOnTheWayToTheRoot) {
  ForEachSample([](Sample& s) {
    for (int k = 0; k < s.n(); ++k) {
      const auto way = s.pattern.Path(k);
      int at = k;
      for (std::size_t e = way.size(); e-- > 0; at = s.pattern.Before(at)) EXPECT_EQ(way[e], at);
      EXPECT_EQ(at, -1);
      EXPECT_EQ(s.full(k, k), s.n());
    }
    EXPECT_EQ((s.full - s.full.transpose()).norm(), 0);
  });
}

TEST(TreeMatrix, MultipliesLikeTheFullMatrix) {
  ForEachSample([](Sample& s) {
    VectorX y(s.n());
    s.pattern.Multiply(s.M.data(), s.x.data(), y.data());
    EXPECT_LT((y - s.full * s.x).norm(), 1e-13 * s.n() * s.x.norm());
  });
}

TEST(TreeMatrix, SolvesLikeTheFullMatrix) {
  ForEachSample([](Sample& s) {
    ASSERT_TRUE(s.pattern.Factorize(s.M.data()));
    VectorX y = s.x;
    s.pattern.Solve(s.M.data(), y.data());
    EXPECT_LT((s.full * y - s.x).norm(), 1e-12 * s.x.norm());
  });
}

TEST(TreeMatrix, TakesRowsAlongAWay) {
  ForEachSample([](Sample& s) {
    const int k = s.n() - 1, length = s.pattern.Length(k);
    MatrixX J = MatrixX::Random(length, 3), wide = MatrixX::Zero(s.n(), 3);
    for (int e = 0; e < length; ++e)
      wide.row(s.pattern.Path(k)[static_cast<std::size_t>(e)]) = J.row(e);
    const Mat3 half = Mat3::Random(), G = half * half.transpose();
    s.pattern.AddSquare(k, J.data(), G, s.M.data());
    EXPECT_LT((s.Full() - s.full - wide * G * wide.transpose()).norm(), 1e-12 * s.n());
  });
}

TEST(TreeMatrix, RefusesWhatIsNotPositiveDefinite) {
  ForEachSample([](Sample& s) {
    const int k = static_cast<int>(s.M.size()) % s.n();
    s.M[static_cast<std::size_t>(s.pattern.Diagonal(k))] = -1;
    EXPECT_FALSE(s.pattern.Factorize(s.M.data()));
    s.M[static_cast<std::size_t>(s.pattern.Diagonal(k))] = std::nan("");
    EXPECT_FALSE(s.pattern.Factorize(s.M.data()));
  });
}

}  // namespace
}  // namespace slip
