// What exists: bodies, surfaces, contact geometry. Immutable after the scene reader built it;
// shared by all channels and the renderer without locks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/types.h"
#include "engine/dynamics/contact_key.h"
#include "engine/geometry/shape.h"

namespace slip {

/// Which velocity coordinates a body keeps, in the order (angular xyz, linear xyz).
enum class Motion {
  kFree,    ///< all six
  kPlanar,  ///< x-z plane with rotation about y: (w_y, v_x, v_z)
  kXZ,      ///< x-z plane without rotation: (v_x, v_z)
  kZ,       ///< vertical only: (v_z)
  kFixed    ///< none: part of the environment
};

/// How the start height depends on the channel's contact model (engine/README.md 10.3, 10.6).
enum class StartOffset {
  kNone,
  kRest,        ///< lowered by m g / k: static compression
  kGlide,       ///< raised by the model's gliding distance at the start velocity
  kGlideOrRest  ///< raised likewise; a model that does not glide starts at its static compression
};

/// One body: a tree of its own in this version, or fixed.
struct Body {
  std::string name;
  Shape shape;
  Motion motion = Motion::kFree;
  double mass = 1;                ///< [kg]
  Vec3 inertia_B = Vec3::Ones();  ///< principal moments, body axes [kg m^2]
  int material = 0;               ///< index into Config::materials
  /// Contact points against surfaces, fixed in the body: small spheres of radius point_radius
  /// around p_BP. Shapes without such points (cylinder, convex mesh) have none.
  std::vector<Vec3> points_B;
  double point_radius = 0;  ///< [m]
  /// The points act as probes against other bodies too, instead of the shape (PCF section 7).
  bool probes = false;
  Pose X_WB;                     ///< start pose
  Quat R_SB = Quat::Identity();  ///< principal axes in those of the shape's file
  Vec6 V_WB = Vec6::Zero();      ///< start velocity (angular, linear), world axes
  StartOffset start_offset = StartOffset::kNone;

  int nv = 6;                       ///< number of velocity coordinates
  int v_start = 0;                  ///< first index in State::v
  int tree = 0;                     ///< index among the bodies that move; -1 = fixed
  int64_t first_key = 0;            ///< of its contacts with surfaces, see ContactKey below
  double bound = 0;                 ///< radius of a ball about the origin that holds the body [m]
  double half_width = 0;            ///< half of the smallest side of its box in its own axes [m]
  int dof[6] = {0, 1, 2, 3, 4, 5};  ///< coordinate i is component dof[i] of V_WB

  /// Sets motion, nv and dof.
  void SetMotion(Motion kept);
};

/// A half-space {p : n . (p - point) <= 0}, optionally with a belt moving along `belt_axis`.
struct Surface {
  std::string name;
  Vec3 normal = Vec3::UnitZ();
  Vec3 point = Vec3::Zero();       ///< [m]
  Vec3 belt_axis = Vec3::UnitX();  ///< unit, tangent
  int material = -1;  ///< index into Config::materials; -1 = rigid (the body's values hold)
  int drive = -1;     ///< index into Config::surfaces; -1 = at rest
  Vec2 display_size = Vec2(4, 4);  ///< drawn extent along belt axis and across, about `point` [m]
  bool display_given = false;      ///< the scene chose it; otherwise walls are drawn to fit
};

struct Model {
  std::vector<Body> bodies;
  std::vector<Surface> surfaces;
  int nv = 0;                    ///< sum of Body::nv
  int lead_body = 0;             ///< the first one that moves: signals of position are its own
  double contact_margin = 0.02;  ///< signed distance below which a pair is a contact [m]
  bool planar = false;           ///< no body leaves the x-z plane

  /// Numbers trees, coordinates and contacts, and bounds the shapes: the last step of making a
  /// model.
  void Finish();
};

}  // namespace slip
