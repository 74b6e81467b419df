// Orbit camera. Works in the drawn frame D: the world turned about y so that gravity points down
// on the screen. Pixels have their origin at the top left of the viewport, y down.
#pragma once

#include <optional>

#include "engine/core/types.h"
#include "engine/sim/camera_spec.h"

namespace slip::render {

using Mat4 = Eigen::Matrix4d;

/// A rectangle of pixels.
struct Viewport {
  double width = 1, height = 1;

  bool empty() const { return !(width >= 1 && height >= 1); }
  double aspect() const { return empty() ? 1.0 : width / height; }
};

/// Half-line in the world; `direction` has unit length.
struct Ray {
  Vec3 origin = Vec3::Zero();
  Vec3 direction = Vec3::UnitX();

  Vec3 At(double t) const { return origin + t * direction; }
};

/// The plane on which a scene stands.
struct Ground {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, up
};

class Camera {
 public:
  explicit Camera(const CameraSpec& spec = {});

  /// Jumps to a view; ends any flight.
  void Set(const CameraSpec& spec);
  const CameraSpec& spec() const { return spec_; }

  /// Turns about the target by a drag of (dx, dy) pixels.
  void Orbit(double dx, double dy);
  /// The same, but the eye does not go below the ground from above it.
  void OrbitAbove(const Ground& ground, double dx, double dy);
  /// Moves so that the point under the mouse at target depth follows it.
  void Pan(double dx, double dy, const Viewport& viewport);
  /// Multiplies the distance by `factor`; the point under `pixel` stays there.
  void Dolly(double factor, const Vec2& pixel, const Viewport& viewport);

  /// Takes the target along by `way` [m]; a flight goes on, towards a target that moves as well.
  void Travel(const Vec3& way);

  /// Starts a flight of 250 ms. With `animate` false the camera jumps (reduced motion).
  void FlyTo(const CameraSpec& spec, bool animate = true);
  /// Flies so that p_W becomes the orbit centre; distance <= 0 keeps the present one [m].
  void Focus(const Vec3& p_W, double distance = 0, bool animate = true);
  /// Orthographic view along +y, x to the right: scenes in the x-z plane seen as a drawing.
  void SideView(bool animate = true);
  /// Advances a flight by `dt` [s]; true while flying.
  bool Update(double dt);

  void set_orthographic(bool on) { orthographic_ = on; }
  bool orthographic() const { return orthographic_; }

  /// Rolls the drawn world so that this vector points down; a zero vector changes nothing.
  void SetGravity(const Vec3& gravity_W);
  /// Drawn world from simulated world (a rotation about y).
  Mat3 R_DW() const;
  /// Up on the screen's vertical plane, in world axes.
  Vec3 up_W() const { return R_DW().transpose() * Vec3::UnitZ(); }

  Vec3 eye_W() const;
  /// Unit view direction in the world.
  Vec3 forward_W() const;
  Vec3 right_W() const;
  /// Maps p_W - spec().target to eye axes (x right, y up, -z forward). Positions are taken relative
  /// to the target so that single precision suffices far from the origin.
  Mat4 View() const;
  Mat4 Projection(const Viewport& viewport) const;

  /// (pixel x, pixel y, depth along the view direction [m]); nothing when behind the eye.
  std::optional<Vec3> Project(const Vec3& p_W, const Viewport& viewport) const;
  Ray PixelRay(const Vec2& pixel, const Viewport& viewport) const;
  /// Metres per pixel at this depth along the view direction.
  double MetresPerPixel(double depth, const Viewport& viewport) const;
  /// Depth of p_W along the view direction [m]; the distance to the target when orthographic.
  double Depth(const Vec3& p_W) const;
  /// Value of the depth buffer, 0 to 1, at this depth along the view direction.
  double BufferDepth(double depth) const;
  double near_plane() const { return 0.02 * spec_.distance; }
  double far_plane() const { return 60 * spec_.distance + 40; }

 private:
  CameraSpec spec_, from_, to_;
  double flight_ = -1;  ///< time since the start of the flight; negative = none [s]
  double roll_ = 0;     ///< angle of R_DW about y [rad]
  bool orthographic_ = false;
};

}  // namespace slip::render
