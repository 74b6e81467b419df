// Keys of surfaces, bodies, piles of them, and pushes.
#pragma once

#include <array>

#include "engine/scene/scene_keys.h"

namespace slip {

namespace key_words {

// in the order of ShapeKind; a "mesh" becomes one of two kinds
inline constexpr std::array<std::string_view, 6> kShapes = {"sphere",   "box",  "capsule",
                                                            "cylinder", "mesh", "cloud"};
inline constexpr std::array<std::string_view, 6> kMotions = {"free", "planar",  "xz",
                                                             "z",    "upright", "fixed"};
inline constexpr std::array<std::string_view, 4> kOffsets = {"none", "rest", "glide",
                                                             "glide-or-rest"};
inline constexpr std::array<std::string_view, 3> kInertias = {"solid", "rod", "hull"};
// in the order of MeshCollision
inline constexpr std::array<std::string_view, 2> kCollisions = {"parts", "hull"};
inline constexpr std::array<std::string_view, 4> kPointSets = {"corners", "grid", "ends", "centre"};

}  // namespace key_words

inline constexpr SceneKey kSurfaceKeys[] = {
    {.name = "normal",
     .kind = KeyKind::kVector,
     .range = {-key_limits::kHuge, key_limits::kHuge},
     .otherwise = "[0, 0, 1]",
     .doc = "Outward, of any length; bodies stay on its side."},
    {.name = "point",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "A point of the plane."},
    {.name = "belt_axis",
     .kind = KeyKind::kVector,
     .range = {-key_limits::kHuge, key_limits::kHuge},
     .otherwise = "x, or z where the plane faces along x",
     .doc = "Direction of the belt, made tangent to the plane; any belt_ parameter makes it one."},
    {.name = "material",
     .kind = KeyKind::kText,
     .otherwise = "rigid: the body's values hold",
     .doc = "A [material.NAME]."},
    {.name = "display_size",
     .unit = "m",
     .range = {0, key_limits::kFar, true},
     .form = "[length, width]",
     .otherwise = "[4, 4], of a wall as the scene is",
     .doc = "Drawn along the belt axis and across; contacts have no edge."},
};

inline constexpr SceneKey kBodyKeys[] = {
    {.name = "shape",
     .kind = KeyKind::kChoice,
     .choices = key_words::kShapes,
     .needed = true,
     .doc = "Its keys follow; a \"mesh\" with motion = \"fixed\" touches with its surface."},
    {.name = "size",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .doc = "Of a box: full edges."},
    {.name = "radius",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar, true},
     .doc = "Of a sphere, capsule or cylinder; of a cloud that of each point, 0 too."},
    {.name = "length",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar, true},
     .doc = "Of a capsule between the centres of its caps, of a cylinder its height; along x."},
    {.name = "file",
     .kind = KeyKind::kText,
     .doc = "Of a mesh (STL, COLLADA, glTF, PLY, OBJ) or a cloud (points), beside the scene or in "
            "assets/meshes or "
            "assets/clouds; turned to its principal axes."},
    {.name = "scale",
     .kind = KeyKind::kNumber,
     .range = {0, 1e6, true},
     .otherwise = "1",
     .doc = "Of a file: metres in one of its units."},
    {.name = "collision",
     .kind = KeyKind::kChoice,
     .choices = key_words::kCollisions,
     .otherwise = "\"parts\"",
     .doc = "Of a mesh that is not convex and moves: what it touches with, convex parts (motion = "
            "\"free\" only) or its convex hull."},
    {.name = "mesh",
     .kind = KeyKind::kText,
     .doc = "Of a cloud without file: a mesh file that points are spread over."},
    {.name = "samples",
     .kind = KeyKind::kWhole,
     .range = {1, 1e6},
     .doc = "How many points; the same ones every time."},
    {.name = "center_of_mass",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .doc = "Of a cloud, in the file's coordinates: axes stay, and inertia is given."},
    {.name = "mass",
     .kind = KeyKind::kNumber,
     .unit = "kg",
     .range = {0, key_limits::kHuge, true},
     .doc = "Or density, exactly one of them."},
    {.name = "density",
     .kind = KeyKind::kNumber,
     .unit = "kg/m^3",
     .range = {0, key_limits::kHuge, true},
     .doc = "In place of mass."},
    {.name = "inertia",
     .kind = KeyKind::kChoice,
     .unit = "kg m^2",
     .range = {-key_limits::kHuge, key_limits::kHuge},
     .choices = key_words::kInertias,
     .form = "or [Ixx, Iyy, Izz]",
     .otherwise = "\"solid\"",
     .doc = "Principal moments: of a solid (a cloud: its balls), of a slender rod (capsule), of "
            "the filled hull of a cloud, or as given."},
    {.name = "motion",
     .kind = KeyKind::kChoice,
     .choices = key_words::kMotions,
     .otherwise = "\"free\", in planar scenes \"planar\"",
     .doc = "What it may do; upright slides and turns about z, fixed needs no mass."},
    {.name = "material",
     .kind = KeyKind::kText,
     .otherwise = "the scene's, where it has one alone",
     .doc = "A [material.NAME]."},
    {.name = "position",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "Of the centre of mass."},
    {.name = "pitch",
     .kind = KeyKind::kNumber,
     .unit = "rad",
     .range = {-100, 100},
     .otherwise = "0",
     .doc = "About +y: nose down is positive."},
    {.name = "quaternion",
     .form = "[w, x, y, z]",
     .otherwise = "[1, 0, 0, 0]",
     .doc = "Orientation in place of pitch; normalised."},
    {.name = "velocity",
     .kind = KeyKind::kVector,
     .unit = "m/s",
     .range = {-key_limits::kFast, key_limits::kFast},
     .otherwise = "[0, 0, 0]",
     .doc = "At the start."},
    {.name = "angular_velocity",
     .kind = KeyKind::kVector,
     .unit = "rad/s",
     .range = {-key_limits::kFast, key_limits::kFast},
     .otherwise = "[0, 0, 0]",
     .doc = "At the start, world axes."},
    {.name = "contact_points",
     .kind = KeyKind::kChoice,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .choices = key_words::kPointSets,
     .form = "or [[x, y, z], ...]",
     .otherwise = "corners (box), ends (capsule), centre (sphere)",
     .doc = "Where it touches surfaces, body frame; of a cylinder a list, or none: its shape."},
    {.name = "point_radius",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar},
     .otherwise = "0, the shape's for ends and centre",
     .doc = "Of each contact point."},
    {.name = "probes",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "The points act against other bodies too, in place of the shape."},
    {.name = "start_offset",
     .kind = KeyKind::kChoice,
     .choices = key_words::kOffsets,
     .otherwise = "\"none\"",
     .doc = "Start height by the model: as it rests, or as it glides at the start velocity."},
};

inline constexpr SceneKey kPileKeys[] = {
    {.name = "columns",
     .range = {1, 1000},
     .form = "[along x, along y]",
     .otherwise = "[1, 1]",
     .doc = "Bodies of a layer; not of a pyramid."},
    {.name = "first",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0]",
     .doc = "Centre of the first body; of a pyramid that of its lowest row."},
    {.name = "spacing",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0.1, 0.1, 0.1]",
     .doc = "Between centres, > 0."},
    {.name = "jitter",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar},
     .otherwise = "0",
     .doc = "Sideways, at random up to so much."},
    {.name = "turned", .kind = KeyKind::kFlag, .otherwise = "false", .doc = "At random about z."},
    {.name = "seed",
     .kind = KeyKind::kWhole,
     .range = {0, 1e9},
     .otherwise = "1",
     .doc = "Of what is at random."},
    {.name = "body",
     .form = "tables [[pile.NAME.body]]",
     .needed = true,
     .doc = "Patterns, one or more, in turn."},
};

inline constexpr SceneKey kPatternKeys[] = {
    {.name = "name",
     .kind = KeyKind::kText,
     .otherwise = "that of the shape",
     .doc = "Bodies are NAME-001 and so on."},
};

inline constexpr SceneKey kPushKeys[] = {
    {.name = "body",
     .kind = KeyKind::kText,
     .needed = true,
     .doc = "A body of the scene, or a link \"robot/link\"."},
    {.name = "force",
     .unit = "N",
     .form = "[[time, [x, y, z]], ...]",
     .doc = "At its centre of mass, world axes, straight in between."},
    {.name = "torque", .unit = "N m", .form = "[[time, [x, y, z]], ...]", .doc = "Likewise."},
};

inline constexpr SceneSection kSurfaceSection{
    .name = "[surface.NAME]", .keys = kSurfaceKeys, .params = ListSceneParams<SurfaceDrive>};
inline constexpr SceneSection kBodySection{.name = "[body.NAME]", .keys = kBodyKeys};
inline constexpr SceneSection kPileSection{
    .name = "[pile.NAME]", .keys = kPileKeys, .params = ListSceneParams<PileDrive>};
inline constexpr SceneSection kPatternSection{
    .name = "[[pile.NAME.body]]", .keys = kPatternKeys, .like = &kBodySection};
inline constexpr SceneSection kPushSection{
    .name = "[push.NAME]", .keys = kPushKeys, .params = ListSceneParams<PushDrive>};

consteval const SceneKey& SurfaceKey(std::string_view name) { return RowOf(kSurfaceKeys, name); }
consteval const SceneKey& BodyKey(std::string_view name) { return RowOf(kBodyKeys, name); }
consteval const SceneKey& PileKey(std::string_view name) { return RowOf(kPileKeys, name); }
consteval const SceneKey& PatternKey(std::string_view name) { return RowOf(kPatternKeys, name); }
consteval const SceneKey& PushKey(std::string_view name) { return RowOf(kPushKeys, name); }

}  // namespace slip
