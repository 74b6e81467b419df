// Reads [body.NAME] and [surface.NAME] tables of a scene file.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// Positions and lengths beyond it are slips of the pen [m].
inline constexpr double kFar = 1e3;

/// [surface.NAME]: a half-space, perhaps with a belt.
///   normal = [0, 0, 1]        outward, any length
///   point = [0, 0, 0]         on the plane [m]
///   belt_axis = [1, 0, 0]     direction of the belt, made tangent to the plane
///   material = "rubber"       optional: without it the surface is rigid and the body's values hold
///   display_size = [4, 0.6]   drawn length and width [m]
///   belt_speed, belt_acceleration, belt_amplitude, belt_frequency: any of them makes it a belt
Surface ReadSurface(const TomlNode& node, Config* config, Reporter* reporter);

// clang-format off
/// [body.NAME]: one rigid body; position is that of the centre of mass.
///   shape = "box" | "sphere" | "capsule" | "cylinder" | "mesh" | "cloud"
///   size = [x, y, z]         box: full edges [m]
///   radius, length           the round ones (axis x) [m]
///   file, scale              mesh: OBJ file, convex or its hull taken; the triangles themselves for
///                            motion = "fixed". cloud: points of a file, with `radius`. Beside the
///                            scene file or in assets/meshes or assets/clouds; turned to its
///                            principal axes, but for a cloud with
///   center_of_mass = [x, y, z]   in the file's coordinates [m]: axes stay, inertia is given
///   mesh, samples            cloud without `file`: so many points, 1 to 1000000, spread over the
///                            surface of an OBJ file, as many per area everywhere and the same ones
///                            every time (SampleSurface in geometry/point_cloud.h)
///   mass or density          [kg] or [kg/m^3], exactly one
///   inertia = "solid" | "rod" | "hull" | [Ixx, Iyy, Izz]   default "solid", of a cloud its balls;
///                            rod: m L²/12 [kg m^2]. hull: mass, axes and inertia of a cloud are
///                            those of its convex hull, filled
///   motion = "free" | "planar" | "xz" | "z" | "upright" | "fixed"   default "free"; planar scenes:
///                            "planar". upright: does not tip, slides and turns about z
///   material = "steel"       may be left out when the scene has only one
///   position, velocity       [m], [m/s]
///   pitch or quaternion      about +y (nose down is positive) [rad]; or [w, x, y, z]
///   angular_velocity         world axes [rad/s]
///   contact_points = "corners" | "grid" | "ends" | "centre" | [[x, y, z], ...]   body frame [m];
///                            default corners (box), ends (capsule), centre (sphere); of a
///                            cylinder a list or none: its shape
///   point_radius             of each contact point; default 0, the shape's own for ends and centre
///   probes = true            the points act against other bodies too, instead of the shape
///   start_offset = "none" | "rest" | "glide" | "glide-or-rest"   see StartOffset
// clang-format on
Body ReadBody(const TomlNode& node, const Config& config, bool planar, Reporter* reporter);

/// The same for a pattern of a pile: a table in a list, whose `name` key defaults to the shape's.
Body ReadPattern(const TomlNode& node, const std::string& where, const Config& config, bool planar,
                 Reporter* reporter);

/// Index of the material that `material` names; `otherwise` where there is no such key.
int ReadMaterial(TableReader* table, const Config& config, int otherwise);
/// quaternion = [w, x, y, z], normalised.
void ReadQuaternion(TableReader* table, Quat* q);
/// Contact points that a shape has unless a file says otherwise: corners, ends, centre or none.
void SetDefaultPoints(Body* body);

/// shape = "mesh" or "cloud": reads `file` and `scale`; for clouds also `radius`, `center_of_mass`,
/// `mesh` and `samples`.
void ReadMeshShape(TableReader* table, bool cloud, Body* body);

/// Whether a body's table says inertia = "hull".
bool IsHullInertia(const TomlNode& table);

/// Principal moments of a solid of uniform density [kg m^2].
Vec3 SolidInertia(const Shape& shape, double mass);
/// Volume [m^3].
double Volume(const Shape& shape);

}  // namespace slip
