// What models in MuJoCo's format are drawn with at random.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

#include "engine/core/pose.h"
#include "tests/support/mjcf_models.h"

namespace slip::test::variants {

inline constexpr int kEach = 10;

/// Numbers of a few digits, so that the text is the number.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int Below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  double In(double low, double high) {
    return std::round(1e4 * (low + (high - low) * Below(10000) / 9999)) / 1e4;
  }
  std::string Some(int count, double low, double high) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? " " : "") + fmt::format("{}", In(low, high));
    return text;
  }
  Vec3 Vector(double low, double high) {
    const double x = In(low, high), y = In(low, high);
    return {x, y, In(low, high)};
  }
  /// A turn in one of the five ways to say it, angles in degrees.
  std::string Turn(int way) {
    switch (way % 5) {
      case 0:
        return fmt::format("quat='{}'", Some(4, 0.2, 1));
      case 1:
        return fmt::format("axisangle='{} {}'", Some(3, 0.2, 1), In(-120, 120));
      case 2:
        return fmt::format("euler='{}'", Some(3, -80, 80));
      case 3:
        return fmt::format("xyaxes='{} {}'", Some(3, 0.3, 1), Some(3, -1, -0.3));
      default:
        return fmt::format("zaxis='{}'", Some(3, 0.2, 1));
    }
  }
  Pose Place() {
    const Vec3 p = Vector(-0.5, 0.5), v = Vector(0.2, 1);
    return {p, Quat(In(0.2, 1), v.x(), v.y(), v.z()).normalized()};
  }

 private:
  std::mt19937 random_;
};

inline std::string PlaceText(const Pose& X) {
  return fmt::format("pos='{} {} {}' quat='{} {} {} {}'", X.p.x(), X.p.y(), X.p.z(), X.q.w(),
                     X.q.x(), X.q.y(), X.q.z());
}

inline std::string Whole(const std::string& world, const std::string& before = {},
                         const std::string& after = {}) {
  return "<mujoco model='m'><compiler autolimits='true'/>" + before +
         "<worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -9'/>" + world +
         "</worldbody>" + after + "</mujoco>";
}

/// Two links on hinges; `joint` and `geom` are more of the first one's.
inline std::string Arm(Dice* dice, const std::string& joint = {}, const std::string& geom = {}) {
  return fmt::format(
      "<body name='a' pos='{}'><joint name='ja' axis='{}' {}/><geom name='ga' size='0.1' {}/>"
      "<body name='b' pos='{}' {}><joint name='jb' axis='{}'/>"
      "<geom name='gb' type='box' size='{}' pos='0.1 0 0'/></body></body>",
      dice->Some(3, -1, 1), dice->Some(3, 0.2, 1), joint, geom, dice->Some(3, 0.3, 0.8),
      dice->Turn(dice->Below(5)), dice->Some(3, -1, -0.2), dice->Some(3, 0.05, 0.2));
}

// Of each feature one by its number; mjcf_variants_across.cpp has those that join bodies or files.
MjcfCase Excludes(int i, Dice* dice);
MjcfCase Pairs(int i, Dice* dice);
MjcfCase Couplers(int i, Dice* dice);
MjcfCase Keyframes(int i, Dice* dice);
MjcfCase Frames(int i, Dice* dice);
MjcfCase Replicas(int i, Dice* dice);
MjcfCase Includes(int i, Dice* dice);
MjcfCase Attached(int i, Dice* dice);

}  // namespace slip::test::variants
