// The library itself behind a seam: engine.cpp and library.* are the only files that include its
// header, and where the library was not found when this was built, Load says so.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"
#include "engine/ode/version.h"

namespace slip {

/// ODE's defaults, which hold for joints and for contacts without numbers of their own.
inline constexpr double kOdeErp = 0.2, kOdeCfm = 1e-10;
/// What stands for an inertia that nothing turns [kg m²].
inline constexpr double kOdeStillInertia = 1e20;

/// A body with its centre of mass at its origin, moments about its own axes.
struct OdeBody {
  Vec3 p_W = Vec3::Zero();  ///< where joints are made
  Quat q_W = Quat::Identity();
  double mass = 1;
  Vec3 inertia = Vec3::Ones();  ///< [kg m²]
  bool gyroscopic = true;
  std::vector<Vec3> held = {};  ///< world axes along which it does not move
};

/// A joint between two of them, where they are made.
struct OdeJoint {
  enum class Kind { kHinge, kSlider, kBall, kFixed };
  Kind kind = Kind::kHinge;
  int child = 0, parent = -1;  ///< -1 = the world
  Vec3 p_W = Vec3::Zero(), axis_W = Vec3::UnitX();
  double q = 0;  ///< its coordinate there [rad], [m]
};
/// Motors beside each other in one joint of one coordinate.
inline constexpr int kOdeMotors = 3;
/// A motor: its force is what takes the coordinate to `speed` but for `cfm` times it, and at most
/// `most`; 0 = it does nothing.
struct OdeMotor {
  double speed = 0, cfm = 0, most = 0;
};

/// A contact that is handed in. A is -1 for what belongs to the world, or B is.
struct OdeTouch {
  int body_a = -1, body_b = -1;
  double phi = 0;  ///< [m], negative
  Vec3 p_W = Vec3::Zero(), n_W = Vec3::UnitZ(), t1_W = Vec3::UnitX();
  double friction = 0;
  bool soft = false;  ///< erp and cfm are its own
  double erp = kOdeErp, cfm = kOdeCfm;
  double slip = 0;  ///< slip1 and slip2 [m/(N s)]; 0 = without
  double belt = 0;  ///< of A's surface along t1 [m/s]
};

struct OdeOptions {
  double time_step = 1e-3;
  Vec3 gravity = Vec3::Zero();
  bool quick = true;
  int iterations = 20;     ///< of quick steps
  unsigned long seed = 0;  ///< of the order in which these take rows
};

/// One world. A step depends on nothing that is not written before it.
class OdeEngine {
 public:
  OdeEngine();
  ~OdeEngine();
  OdeEngine(OdeEngine&&) noexcept;
  OdeEngine& operator=(OdeEngine&&) noexcept;

  /// An error, or empty.
  std::string Load(std::span<const OdeBody> bodies, std::span<const OdeJoint> joints);

  // Written before every step.
  void SetState(int body, const Vec3& p_W, const Quat& q_W, const Vec3& v_W, const Vec3& w_W);
  /// At the centre of mass, on top of what was added.
  void AddWrench(int body, const Vec3& torque_W, const Vec3& force_W);

  /// Of a joint of one coordinate.
  void SetMotor(std::size_t joint, int which, const OdeMotor& motor);
  /// Its limits, and where it is now.
  void SetStop(std::size_t joint, double q, double lower, double upper, double erp, double cfm);

  /// Empty, or what the library says; then nothing of it may be read, and it has to be loaded anew.
  std::string_view Step(const OdeOptions& options, std::span<const OdeTouch> contacts);
  /// Whether the library complained in the last step of a solve that it gave up.
  bool complained() const;

  Vec3 Position(int body) const;
  Quat Orientation(int body) const;
  Vec3 Velocity(int body) const;
  Vec3 AngularVelocity(int body) const;
  /// On B of a contact of the last step, constant within it [N].
  Vec3 Force(std::size_t contact) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
