#include "engine/run/track/grab_text.h"

#include <fmt/format.h>

namespace slip {

std::string DescribeGrab(const Grab& grab, const Body& body) {
  const auto point = [](const Vec3& p) {
    return fmt::format("({:.6g} {:.6g} {:.6g}) m", p.x(), p.y(), p.z());
  };
  const std::string spring =
      fmt::format("{:.6g} {}; at most {:.6g} {}", grab.stiffness, grab.twist ? "N m/rad" : "N/m",
                  grab.force_limit, grab.twist ? "N m" : "N");
  if (grab.twist) return "twist; " + spring;
  return "point " + point(body.ShownPoint(grab.p_BP)) + " of the body; anchor " + point(grab.p_WA) +
         "; " + spring;
}

}  // namespace slip
