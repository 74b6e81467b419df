// Line searches on convex functions whose scales differ by many orders, as those of stiff contacts.
#include "engine/solver/line_search.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace slip {
namespace {

// Sum of springs k (a - b)_+^2 / 2 and soft norms c sqrt((a - b)^2 + e^2), as a function of alpha.
struct Line {
  struct Term {
    double weight, border, width;
    bool spring;
  };
  std::vector<Term> terms;

  LinePoint operator()(double alpha) const {
    LinePoint p;
    for (const Term& term : terms) {
      const double x = alpha - term.border;
      if (term.spring) {
        if (x <= 0) continue;
        p.cost += 0.5 * term.weight * x * x;
        p.slope += term.weight * x;
        p.curvature += term.weight;
        continue;
      }
      const double r = std::sqrt(x * x + term.width * term.width);
      p.cost += term.weight * r;
      p.slope += term.weight * x / r;
      p.curvature += term.weight * term.width * term.width / (r * r * r);
    }
    return p;
  }
};

// A line that descends at 0, with its minimum anywhere from 1e-12 to 2.
Line RandomLine(std::mt19937_64* engine) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto draw = [&](double low, double high) { return low + (high - low) * uniform(*engine); };
  Line line;
  do {
    line.terms.clear();
    const double minimum = std::pow(10, draw(-12, 0.3));
    for (int i = 0; i < 4; ++i) {
      const double weight = std::pow(10, draw(-3, 12));
      const double border = minimum * (i == 0 ? 1 : draw(0, 3));
      line.terms.push_back({weight, border, border * std::pow(10, draw(-6, 0)), draw(0, 1) < 0.5});
    }
  } while (!(line(0).slope < 0));
  return line;
}

TEST(LineSearch, NeverRaisesTheCost) {
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const Line line = RandomLine(&engine);
    const LinePoint start = line(0);
    for (int kind = 0; kind < 3; ++kind) {
      const LineSearchResult found = kind == 0   ? ExactLineSearch(start, 1.5, line)
                                     : kind == 1 ? LooseLineSearch(start, 1.0, line)
                                                 : BacktrackingLineSearch(start, 1.0, line);
      if (found.evaluations == 0) continue;  // below the round-off of the cost
      EXPECT_GE(found.alpha, 0);
      ASSERT_LE(line(found.alpha).cost, start.cost + 2e-14 * std::abs(start.cost))
          << "trial " << trial << " search " << kind << " alpha " << found.alpha;
    }
  }
}

// One soft norm whose minimum lies nine orders below a full step.
TEST(LineSearch, ExactFindsAMinimumFarBelowTheFullStep) {
  for (const double minimum : {1e-3, 1e-6, 1e-9}) {
    const Line line{{{1e9, minimum, 1e-3 * minimum, false}, {1e3, 0, 0, true}}};
    const LineSearchResult found = ExactLineSearch(line(0), 1.5, line);
    EXPECT_NEAR(found.alpha, minimum, 1e-6 * minimum);
    EXPECT_LE(found.evaluations, 100);
  }
}

}  // namespace
}  // namespace slip
