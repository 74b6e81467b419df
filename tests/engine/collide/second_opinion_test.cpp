// Overlap depths of polyhedra against libccd, which shares no code with ours. At this tolerance, a
// square, its depths are sometimes off by 1e-5 m, so the gap along its direction decides. libccd as
// the narrow phase: collide_ccd_test.cpp.
#include <ccd/ccd.h>

#include "tests/support/convex_reference.h"

namespace slip::test {
namespace {

// Any point of the hull or box farthest along the direction.
void Support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
  const auto& body = *static_cast<const Placed*>(object);
  const Vec3 d = body.pose.q.conjugate() * Vec3(direction->v[0], direction->v[1], direction->v[2]);
  Vec3 best = body.shape.convex->vertices[0];
  for (const Vec3& p : body.shape.convex->vertices)
    if (d.dot(p) > d.dot(best)) best = p;
  const Vec3 p = body.pose * best;
  ccdVec3Set(result, p.x(), p.y(), p.z());
}

TEST(SecondOpinion, PolyhedraOverlapAsDeepAsLibccdSays) {
  Random random(1);
  int compared = 0, equal = 0;
  for (int round = 0; round < 500; ++round) {
    Placed a{RandomShape(&random, 4), {}}, b{RandomShape(&random, 4), {}};
    PlaceAtGap(&random, 0, &a, &b);
    b.pose.p += random.Uniform(0, 0.5) * (a.pose.p - b.pose.p);
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = Support;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = 1e-9;
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    const PairContacts contacts = Collide(a, b, 0);
    if (ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) != 0) continue;
    ASSERT_FALSE(contacts.empty()) << round << " depth " << depth;
    const double phi = Deepest(contacts).phi;
    const Vec3 theirs(direction.v[0], direction.v[1], direction.v[2]);
    const double gap = std::max(CalcGap(a, b, theirs), CalcGap(a, b, -theirs));
    EXPECT_GT(phi, gap - 1e-9) << round;
    EXPECT_NEAR(phi, -depth, 1e-3) << round;
    ++compared;
    if (std::abs(phi + depth) < 1e-8) ++equal;
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(equal, 0.95 * compared);
}

}  // namespace
}  // namespace slip::test
