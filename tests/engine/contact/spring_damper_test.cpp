// The closed form against numbers of an independent implementation (spec table I), over the three
// kinds of damping.
#include "engine/contact/spring_damper.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip {
namespace {

struct Case {
  const char* id;
  SpringDamper of;
  double x0, v0, t, x, v, x_int, x_int2;
};
const Case kCases[] = {{"I1",
                        {1, 1e5, 300, -9.81},
                        -1e-4,
                        -0.3,
                        1e-3,
                        -3.548045790488e-04,
                        -2.098761785080e-01,
                        -2.349244777735e-07,
                        -9.623077619126e-11},
                       {"I2",
                        {1, 1e5, 300, -9.81},
                        -1e-4,
                        -0.3,
                        1e-2,
                        -1.819725149640e-04,
                        7.538363443356e-02,
                        -4.488918799444e-06,
                        -2.361851845203e-08},
                       {"I3",
                        {1, 1e5, 300, -9.81},
                        -1e-4,
                        -0.3,
                        4e-2,
                        -9.545307984922e-05,
                        -5.021691460632e-04,
                        -6.932619068992e-06,
                        -1.897276119945e-07},
                       {"I4",
                        {2.5, 1e5, 300, -24.525},
                        0,
                        -0.5,
                        5e-3,
                        -1.677201596909e-03,
                        -1.503240212741e-01,
                        -4.936544677420e-06,
                        -8.825951045016e-09},
                       {"I5",
                        {0.1, 1e5, 300, -0.981},
                        0,
                        -1,
                        2e-3,
                        -2.104148411220e-04,
                        7.132303117590e-02,
                        -4.596985078100e-07,
                        -4.301096354479e-10},
                       {"I6",
                        {1, 1e8, 1e4, -9.81},
                        -1e-6,
                        -0.1,
                        1e-2,
                        -9.810000000000e-08,
                        -1.685590115961e-23,
                        -2.071190000000e-09,
                        -1.570690000000e-11},
                       {"I7",
                        {1, 1e5, 0, -9.81},
                        0,
                        -0.2,
                        1e-2,
                        -1.830975998116e-04,
                        2.005988579295e-01,
                        -4.986988579295e-06,
                        -2.307402400188e-08},
                       {"I8",
                        {10, 1e4, 50, -98.1},
                        -2e-3,
                        0.1,
                        2e-2,
                        -1.682932405704e-03,
                        -6.654426222827e-02,
                        -3.124107574321e-05,
                        -3.228622155800e-07}};

TEST(SpringDamper, ClosedFormsOfTheTable) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.id);
    const SpringDamperMotion found = CalcMotion(c.of, c.x0, c.v0, c.t);
    EXPECT_NEAR(found.x, c.x, 1e-9 * std::abs(c.x));
    EXPECT_NEAR(found.v, c.v, 1e-9 * std::max(std::abs(c.v), 1e-6));
    EXPECT_NEAR(found.x_int, c.x_int, 1e-9 * std::abs(c.x_int));
    EXPECT_NEAR(found.x_int2, c.x_int2, 1e-8 * std::abs(c.x_int2));
  }
}

TEST(SpringDamper, DampingMayBeHeavyOrCritical) {
  for (const double damping :
       {2000.0, 2 * std::sqrt(1e5), 2 * std::sqrt(1e5) * (1 + 1e-9), 700.0}) {
    const SpringDamper of{1, 1e5, damping, -9.81};
    const double t = 3e-3, d = 1e-6;
    const auto x = [&](double time) { return CalcMotion(of, 1e-4, -0.2, time).x; };
    const SpringDamperMotion now = CalcMotion(of, 1e-4, -0.2, t);
    EXPECT_NEAR((x(t + d) - x(t - d)) / (2 * d), now.v, 1e-6) << damping;
    const double a = (x(t + d) - 2 * x(t) + x(t - d)) / (d * d);
    EXPECT_NEAR(a, -9.81 - 1e5 * now.x - damping * now.v, 0.05) << damping;
    EXPECT_NEAR(CalcMotion(of, 1e-4, -0.2, 0).x, 1e-4, 1e-14);
    EXPECT_NEAR(CalcMotion(of, 1e-4, -0.2, 0).v, -0.2, 1e-9);
  }
}

}  // namespace
}  // namespace slip
