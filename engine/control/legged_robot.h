// A robot with legs at a tick: where base and feet are, and the joint forces that give the base a
// wanted acceleration. Elimination inverse dynamics (exponential-integration notes, section 5): the
// feet's accelerations give those of the joints leg by leg; the forces of the feet that carry give
// the base's six equations; the rest are the motors'. Without superscript all is in the home frame
// H; forces act on the robot.
#pragma once

#include <span>

#include "engine/control/tick.h"
#include "engine/core/numbers.h"

namespace slip {

/// Forces of least square sum at the points r with Σ f = force and Σ r × f = moment; zero where the
/// points cannot give the moment.
void CalcLeastForces(std::span<const Vec3> r, const Vec3& force, const Vec3& moment,
                     std::span<Vec3> f);

class LeggedRobot {
 public:
  static constexpr int kMostLegs = 4, kMostPoints = 8;

  struct Foot {
    Vec3 p, v;         ///< of its frame
    Quat R;            ///< of its frame
    Vec3 turn, w;      ///< rotation vector, angular velocity
    Vec3 center;       ///< mean of its contact points
    int touching = 0;  ///< contact points that are active or were loaded
    // what it is asked for; angular of flat feet alone
    Vec3 acceleration = Vec3::Zero(), angular = Vec3::Zero();
  };

  explicit LeggedRobot(const Tick& tick);

  // base frame
  Vec3 p, v;
  Quat R;
  Vec3 turn, w;  ///< rotation vector, angular velocity
  Vec3 com, com_v;
  double mass = 0, g = 0;
  std::array<Foot, kMostLegs> feet;
  int feet_on = 0;  ///< that touch with a point or more

  int legs() const { return static_cast<int>(tick_.map.legs.size()); }
  double q(int leg, int joint) const;
  double qd(int leg, int joint) const;
  Vec3 ContactPoint(int leg, int point) const;

  /// Joint forces without feet that carry, for this acceleration of the base and of the feet; then
  /// `force` and `moment` about the base's origin are what the feet must give.
  void Accelerate(const Vec3& a, const Vec3& angular);
  Vec3 force, moment;
  /// The foot is pressed by this force, and moment about its frame's origin.
  void Carry(int leg, const Vec3& f, const Vec3& m = Vec3::Zero());
  /// The point feet of these legs share `force` and `moment` with the least square sum.
  void CarryAll(const std::array<bool, kMostLegs>& stance);

  /// Joint forces that give the legs' joints their `wanted` accelerations while nothing touches.
  void Fly();
  double& wanted(int leg, int joint);
  double& torque(int leg, int joint);  ///< as computed so far, or set by the recipe

 private:
  std::size_t CoordinateOf(int leg, int joint) const;
  const LegMap& map(int leg) const { return At(tick_.map.legs, leg); }
  Foot SenseFoot(int leg);
  bool Touches(int leg, int point) const;

  const Tick& tick_;
  RobotScratch& s_;
  Mat3 R_WH_;
  Vec3 base_W_, com_of_base_W_, w_W_;
};

/// All feet on the ground: those in the air sink back. The stance is the feet that touch when three
/// or more do, else all four. Feet that slide on the ground lose their speed by `brake` [1/s].
void Balance(const Vec3& a, const Vec3& angular, LeggedRobot* robot, double brake = 0);

}  // namespace slip
