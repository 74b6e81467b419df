// The cone form of a contact problem at the interior point's end.
#include "engine/convex/cone_interior_point.h"

#include <gtest/gtest.h>

#include "tests/support/pile.h"

namespace slip::test {
namespace {

TEST(ConeInteriorPoint, EndsAtTheSoftNormsCone) {
  PileSpec spec;
  spec.model = 3;
  const ContactProblem p = MakePile(spec);
  static constexpr ContactPasses kPasses = MakePasses<Similar<HuntCrossley>, HuntCrossley, false>();
  IslandSystem system;
  system.Load(p.task, kPasses);
  ConeInteriorPoint solver;
  for (const Island& island : system.islands()) {
    system.v() = system.numbers().v0();
    system.CalcContactVelocities(island);
    IslandRecord record;
    solver.Run(&system, island, 1e-4, 0, 60, nullptr, &record);
    EXPECT_LE(record.iterations, 25);
    for (int i = 0; i < island.contacts(); ++i) {
      const ConePair<2>& cone = solver.cones()[static_cast<std::size_t>(i)];
      const ContactWork& work = system.work(island)[i];
      EXPECT_LT(cone.g.dot(cone.y), 1e-9);
      EXPECT_LT(cone.rho.norm(), 1e-6);
      // a contact that pushes has y = (r, v_t, eps) and gamma_e = -mu gamma_n eps / r
      if (cone.g[0] < 1e-2) continue;
      const Vec2 v_t = work.v_c.head<2>();
      const double r = std::sqrt(v_t.squaredNorm() + cone.form.eps * cone.form.eps);
      EXPECT_NEAR(cone.y[0], r, 1e-5 * (1 + r));
      EXPECT_LT((cone.y.segment<2>(1) - v_t).norm(), 1e-5);
      EXPECT_NEAR(cone.y[3], cone.form.eps, 1e-6);
      EXPECT_LT((Vec2(cone.g[1], cone.g[2]) + cone.g[0] * v_t / r).norm(), 2e-2 * cone.g[0]);
      EXPECT_LE(work.q.norm(), 1 + 1e-15);
    }
  }
}

}  // namespace
}  // namespace slip::test
