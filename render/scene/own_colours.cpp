#include "render/scene/own_colours.h"

#include <algorithm>

namespace slip::render {
namespace {

// A robot that is darker than `robot` on average is dark as a whole. Its colours below `dark` come
// to lie between `least` and `dark`: light enough beside a dark ground, and to show its relief
// before a light one.
constexpr OwnColours::Lift kBeforeDark{0.15, 0.35, 0.25}, kBeforeLight{0.05, 0.15, 0.07};

}  // namespace

OwnColours::OwnColours(std::span<const RobotLook> looks, Theme theme)
    : lift_(theme == Theme::kDark ? kBeforeDark : kBeforeLight) {
  for (const RobotLook& look : looks) lifted_.push_back(look.luminance < lift_.robot);
}

std::array<float, 3> OwnColours::Of(const Body& body) const {
  const std::array<double, 4>& own = *body.colour;
  const double was = LuminanceOf(own);
  const double lift =
      Lifts(body.robot) && was < lift_.dark ? lift_.least * (1 - was / lift_.dark) : 0;
  std::array<float, 3> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(std::min(1.0, own[i] + lift));
  return out;
}

}  // namespace slip::render
