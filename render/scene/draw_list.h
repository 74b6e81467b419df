// The picture as plain numbers: instances of the meshes, before any GL. Positions are relative to
// the camera's target, colours linear.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/core/numbers.h"
#include "render/scene/camera.h"
#include "render/scene/robot_looks.h"
#include "render/scene/view_request.h"
#include "render/scene/visibility.h"

namespace slip::render {

/// One body or part; the layout is that of the vertex attributes.
struct SolidInstance {
  float rows[3][4];  ///< pose: rotation and translation
  float half[3];     ///< half extents [m]
  float radius;      ///< of the edges [m]
  float colour[4];
  float params[4];  ///< marking (1 quadrants, 2 halves), emissive; pattern period, phase [m], of
                    ///< clouds the shares of the colour at both ends
};

/// Instances by mesh: each mesh is one draw call.
struct SolidSet {
  struct Own {
    const Shape* shape = nullptr;  ///< names the mesh; of the snapshot's model
    std::vector<SolidInstance> instances;
  };
  std::array<std::vector<SolidInstance>, kMeshCount> shared;
  std::vector<Own> own;

  std::vector<SolidInstance>& Of(Mesh mesh) { return At(shared, mesh); }
  const std::vector<SolidInstance>& Of(Mesh mesh) const { return At(shared, mesh); }
  std::vector<SolidInstance>& Of(const Shape& shape);
  std::size_t size() const;
  /// Forgets the instances, not their memory.
  void clear();
};

/// A bar of constant or tapering width that faces the eye, or (no length) a dot.
struct StrokeInstance {
  float from[3];
  float from_half;  ///< half width [m]
  float to[3];
  float to_half;
  float colour[4];
  float params[4];  ///< 1 = square ends; the others unused
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

/// A straight piece of a line in pixels.
struct LineSegment {
  Vec3 from, to;  ///< pixels, origin top left, and the depth buffer's value
};
struct LineBatch {
  Colour colour;
  double width = 1.5;           ///< [px]
  bool tested = false;          ///< hidden by what stands in front
  std::vector<Vec3> triangles;  ///< filled under the lines: three corners each, likewise in pixels
  std::vector<LineSegment> segments;
};

/// A piece of a soft polygon: from the middle to the edge `inner` it is dark, from there to `outer`
/// it fades. Coordinates in the plane [m].
struct ShadowWedge {
  float inner[4];  ///< two points
  float outer[4];
  float middle[2];
  float dark, unused;
};
/// A soft ellipse in the plane [m].
struct ShadowDisc {
  float centre[2], u[2], v[2];  ///< half axes, with the soft edge
  float dark, inner;            ///< share of the radius that does not fade
};
/// Shadows on one plane.
struct ShadowLayer {
  float origin[3];  ///< relative to the target, as all positions here
  float x[3], y[3];
  float half[2];  ///< extent of the plane; beyond there is nothing to fall on
  Vec2 low = Vec2::Constant(1e30), high = Vec2::Constant(-1e30);  ///< bounds of what follows
  std::vector<ShadowWedge> wedges;
  std::vector<ShadowDisc> discs;
};
/// Shadows of one channel: where they meet, the darkest counts.
struct ShadowGroup {
  Colour colour;  ///< sRGB; alpha of full darkness
  std::vector<ShadowLayer> layers;
};

struct DrawList {
  SolidSet solids;                      ///< opaque, in the picture
  SolidSet casters;                     ///< opaque, outside of it; they only cast shadows
  SolidSet ghosts;                      ///< translucent; of one mesh back to front
  SolidSet shapes;                      ///< what collides, over the bodies
  bool ghosts_in_front = false;         ///< so many that only the nearest at each pixel is drawn
  std::vector<SolidInstance> panes;     ///< translucent walls, in any order
  std::vector<SolidInstance> belts;     ///< opaque, with moving slats
  std::vector<SolidInstance> ground;    ///< with the grid, receives shadow only
  std::vector<ShadowGroup> shadows;     ///< without a map; on planes
  std::vector<SolidInstance> marks;     ///< contact points, strokes; over everything
  std::vector<StrokeInstance> strokes;  ///< force chains and many contact points; over everything
  std::vector<ArrowInstance> arrows;    ///< over everything
  std::vector<ArrowInstance> cones;     ///< translucent, over everything
  std::vector<LineBatch> lines;
  KnownLooks looks;  ///< stay from picture to picture

  void clear();
};

/// What the builders of a draw list need.
struct DrawContext {
  const Snapshot& snapshot;
  const ViewRequest& request;
  const Camera& camera;
  Viewport viewport;
  const SceneColours& colours;
  /// The snapshot is another run's (run_ghost.h): all of it is a ghost, there is no lead.
  bool run_ghost = false;
  int foreign = -1;  ///< and that run is a recorded one, the how-manieth
};

/// The channel drawn solid; -1 where all are ghosts.
int LeadOf(const DrawContext& context);
/// What a channel looks like in this picture.
ChannelStyle StyleIn(const DrawContext& context, int channel);

/// sRGB to linear light, alpha unchanged.
void SetColour(const Colour& colour, float out[4]);
SolidInstance MakeSolid(const Camera& camera, const Pose& X_WB, const Vec3& half, double radius,
                        const Colour& colour);
/// A round bar between two points.
SolidInstance MakeBar(const Camera& camera, const Vec3& from_W, const Vec3& to_W, double radius,
                      const Colour& colour);

/// Grid line distance for a camera this far away [m].
double GridSpacing(double camera_distance);

/// Makes `list` the bodies, walls, conveyors and ground; all else is added by quantity.h.
void BuildScene(const DrawContext& context, DrawList* list);

/// One shape in one colour, seen from all sides: no dome. Nothing where it is out of the picture.
void AppendShape(const DrawContext& context, const Shape& shape, const Pose& X_WS, double bound,
                 const Colour& colour, SolidSet* set);

/// Whether a body or visual is part of the picture of its channel.
bool IsDrawn(const ViewRequest& request, const Model& model, int index);

/// Whether it is a shape of a robot that collides, and these are shown.
bool ShowsCollision(const ViewRequest& request, const Model& model, int index);

/// Adds the bodies of all shown channels.
void AppendBodies(const DrawContext& context, DrawList* list);

/// A wall must not hide what stands behind it: seen from outside only its edges are drawn, from
/// inside a faint pane too. Sizes that the scene does not give end at the neighbouring walls.
void AppendPane(const DrawContext& context, const Surface& surface, DrawList* list);
/// A fixed box that is a wall between the eye and what the camera looks at: likewise.
bool IsGlassWall(const Camera& camera, const Body& body, const Pose& X_WB);
/// Adds such a wall; false for other bodies, which are drawn solid.
bool AppendWall(const DrawContext& context, const Body& body, const Pose& X_WB, DrawList* list);

/// Whether a resting surface leans, has a size of its own and holds everything: then it is drawn as
/// a table over a level floor, else as the ground, on which no slope shows. A robot's ground may
/// lean: it walks far.
bool IsSlope(const DrawContext& context, const Surface& surface);
/// Conveyor for one moving surface: belt, rails, and legs down to the floor. A slope is one
/// without slats.
void AppendConveyor(const DrawContext& context, const Surface& surface, const Ground& floor,
                    DrawList* list);
/// Floor for the conveyors: a resting surface below them, or one invented at leg length.
Ground ChooseFloor(const DrawContext& context, bool* is_surface);
/// The ground that is drawn under everything; none where a scene has neither one nor belts.
std::optional<Ground> GroundOf(const Snapshot& snapshot, const Camera& camera);
/// Two directions in a plane, the first as close to world x as it allows, and its normal.
Mat3 AxesFromNormal(const Vec3& normal);
/// Size of a conveyor's parts relative to the full-grown one, 0.15 to 1.
double ConveyorScale(const Surface& surface);

}  // namespace slip::render
