// The picture as plain numbers: instances of the meshes, before any GL. Positions are relative to
// the camera's target, colours linear.
#pragma once

#include <vector>

#include "render/camera.h"
#include "render/view_options.h"

namespace slip::render {

/// One rounded box, sphere or capsule; the layout is that of the vertex attributes.
struct SolidInstance {
  float rows[3][4];  ///< pose: rotation and translation
  float half[3];     ///< half extents [m]
  float radius;      ///< of the edges [m]
  float colour[4];
  float params[4];  ///< marking (1 quadrants, 2 halves), emissive; pattern period, phase [m]
};

/// One arrow or cone.
struct ArrowInstance {
  float origin[3];
  float length;
  float direction[3];  ///< unit
  float shaft_radius;
  float head_radius, head_length, emissive, unused;
  float colour[4];
};

/// A straight piece of outline in pixels.
struct LineSegment {
  Vec2 from, to;
};
struct LineBatch {
  Colour colour;
  double width = 1.5;  ///< [px]
  std::vector<LineSegment> segments;
};

struct Solid {
  SolidInstance instance;
  bool round = false;  ///< needs the fine mesh
};

struct DrawList {
  std::vector<SolidInstance> flat, round;  ///< opaque, cast shadows
  std::vector<SolidInstance> belts;        ///< opaque, with moving slats
  std::vector<SolidInstance> ground;       ///< with the grid, receives shadow only
  std::vector<Solid> ghosts;               ///< translucent, back to front
  std::vector<SolidInstance> marks;        ///< contact points, strokes; over everything
  std::vector<ArrowInstance> arrows;       ///< over everything
  std::vector<ArrowInstance> cones;        ///< translucent, over everything
  std::vector<LineBatch> lines;
};

/// What the builders of a draw list need.
struct DrawContext {
  const Snapshot& snapshot;
  const ViewOptions& options;
  const Camera& camera;
  Viewport viewport;
  const SceneColours& colours;
};

/// sRGB to linear light, alpha unchanged.
void SetColour(const Colour& colour, float out[4]);
SolidInstance MakeSolid(const Camera& camera, const Pose& X_WB, const Vec3& half, double radius,
                        const Colour& colour);
/// A round bar between two points.
SolidInstance MakeBar(const Camera& camera, const Vec3& from_W, const Vec3& to_W, double radius,
                      const Colour& colour);

/// Radius of a box's drawn edges [m].
double BoxEdgeRadius(const Shape& shape);

/// Grid line distance for a camera this far away [m].
double GridSpacing(double camera_distance);

/// Bodies, conveyors and ground; contact glyphs are added by contact_glyphs.h.
DrawList BuildScene(const DrawContext& context);

/// Conveyor for one moving surface: belt, rails, and legs down to the floor.
struct Floor {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
};
void AppendConveyor(const DrawContext& context, const Surface& surface, const Floor& floor,
                    DrawList* list);
/// Size of a conveyor's parts relative to the full-grown one, 0.15 to 1.
double ConveyorScale(const Surface& surface);

}  // namespace slip::render
