// What exists: bodies, surfaces, contact geometry. Immutable after the scene reader built it;
// shared by all channels and the renderer without locks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/types.h"
#include "engine/dynamics/contact_key.h"
#include "engine/dynamics/joint.h"
#include "engine/dynamics/path.h"
#include "engine/geometry/shape.h"
#include "engine/solver/tree_matrix.h"

namespace slip {

/// How the start height depends on the channel's contact model (engine/README.md 10.3, 10.6).
enum class StartOffset {
  kNone,
  kRest,        ///< lowered by m g / k: static compression
  kGlide,       ///< raised by the model's gliding distance at the start velocity
  kGlideOrRest  ///< raised likewise; a model that does not glide starts at its static compression
};

/// One body: a tree of its own, a link of one, or fixed.
struct Body {
  std::string name;
  Shape shape;
  Joint joint;                    ///< to its parent, or to the world
  double mass = 1;                ///< [kg]
  Vec3 inertia_B = Vec3::Ones();  ///< principal moments, body axes [kg m^2]
  int material = 0;               ///< index into Config::materials
  /// Contact points against surfaces, fixed in the body: small spheres of radius point_radius
  /// around p_BP. Shapes without such points (cylinder, convex mesh) have none.
  std::vector<Vec3> points_B;
  double point_radius = 0;  ///< [m]
  /// The points act as probes against other bodies too, instead of the shape (PCF section 7).
  bool probes = false;
  Pose X_WB;                   ///< start pose
  Vec6 V_WB = Vec6::Zero();    ///< start velocity (angular, linear), world axes
  std::array<double, 7> q0{};  ///< start position of a joint with coordinates q, which then
  std::array<double, 6> v0{};  ///< gives the start pose, and its start velocity
  StartOffset start_offset = StartOffset::kNone;
  /// The frame that the file of a robot's link, a mesh or a cloud names; else its own.
  Pose X_BL;
  int robot = -1;          ///< index into Model::robots; -1 = of none
  int shape_of_link = -1;  ///< a shape of this link, without mass of its own; -1 = a body
  bool visible = true;
  std::optional<std::array<double, 4>> colour;  ///< red, green, blue, opacity; none = by its shape
  bool collides = true;                         ///< the shape does; points do anyway
  /// It stands on the ground, and yet in the tree of the body before: joints of the one follow
  /// those of the other.
  bool joins_tree = false;
  Path<double> target_path;  ///< added to the target of its motor [rad], [m]

  int nv = 6;             ///< number of velocity coordinates of its joint
  int v_start = 0;        ///< first index in State::v
  int nq = 0;             ///< likewise of position; 0 where the pose is the position
  int q_start = 0;        ///< first index in State::q
  int tree = 0;           ///< index in Model::trees; -1 = fixed
  int link = 0;           ///< index in Tree::link, of a part its link's
  int group = 0;          ///< the first of the bodies that move as one with it
  int parent_group = -1;  ///< that its joint, or theirs, hangs on; -1 = none
  int drive = -1;         ///< index into Config::joints; -1 = no motor
  int64_t first_key = 0;  ///< of its contacts with surfaces, see ContactKey below
  double bound = 0;       ///< radius of a ball about the origin that holds the body [m]
  double half_width = 0;  ///< half of the smallest side of its box in its own axes [m]
  /// Without parent: coordinate i is component dof[i] of V_WB.
  int dof[6] = {0, 1, 2, 3, 4, 5};

  /// Sets the joint's kind, nv and dof.
  void SetJoint(JointKind kind);
  /// Sets bound and half_width.
  void CalcSizes();
  /// For the eyes: where the centre of mass is, turned as the frame that the file names is.
  Pose ShownPose(const Pose& at_WB) const { return {at_WB.p, ShownTurn(at_WB.q)}; }
  Quat ShownTurn(const Quat& q_WB) const;
  /// From the centre of mass, along the axes of that frame.
  Vec3 ShownPoint(const Vec3& p_BP) const;
  /// The body that a click on this one means.
  int Owner(int index) const { return shape_of_link >= 0 ? shape_of_link : index; }
  /// Whether it has coordinates, its own or those of links it hangs on.
  bool Moves() const { return tree >= 0; }
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

/// What of a link and its joint no state changes, side by side for the loops over a tree. Frames as
/// in engine/dynamics/joint.h.
struct Link {
  int parent = -1;              ///< link of the same tree; -1 = none
  int outside = -1;             ///< then: fixed body that its joint hangs on; -1 = the world
  int begin = 0, end = 0;       ///< its own coordinates, counted within the tree
  int last = -1;                ///< last coordinate on the way from the root to it
  bool floats = false;          ///< its coordinates are components of its spatial velocity
  bool turns = false;           ///< revolute
  Quat R_PB, turned_PB;         ///< at q = 0, and at half a turn: R_PB cos q/2 + turned_PB sin q/2
  Vec3 slide_P = Vec3::Zero();  ///< of a joint that slides along one axis
  Vec3 p_PF = Vec3::Zero(), p_BM = Vec3::Zero();
  double mass = 0, armature = 0;
  Vec3 inertia_B = Vec3::Zero();
};

/// A velocity coordinate of a tree: a rotation about M's origin or a translation.
struct TreeCoordinate {
  bool rotates = false;
  Vec3 axis_P = Vec3::UnitX();
};

/// Bodies that joints link, one after the other: parents come before their children. It has more
/// than one root where a fixed base carries joints that follow each other.
struct Tree {
  int first_body = 0, bodies = 0;
  int links = 0;  ///< how many of the bodies, the first ones, are not parts of others
  int v_start = 0, nv = 0;
  int q_start = 0, nq = 0;
  bool coupled = false;  ///< some of its joints follow another
  int articulated = -1;  ///< place among those with links or coordinates q; -1 = one free body
  // of articulated trees
  std::vector<Link> link = {};                  ///< as many as `links`
  std::vector<TreeCoordinate> coordinate = {};  ///< nv
  TreePattern pattern = {};                     ///< of the mass matrix
};

/// Links that one file describes, and a controller moves.
struct Robot {
  /// A frame that the file names, such as a foot that was merged into its leg.
  struct Frame {
    std::string name;
    int body = 0;
    Pose X_BF;
  };
  /// A link or frame that the scene gave contact points.
  struct Foot {
    std::string name;
    int body = 0;
    Pose X_BF;
    int first_point = 0, points = 0;  ///< of Body::points_B
  };

  std::string name;
  int first_body = 0, bodies = 0;  ///< links, and the shapes that are parts of them
  bool self_collision = false;     ///< links that no joint joins collide
  bool weightless = false;         ///< its motors carry the weight of its links by themselves
  std::vector<Frame> frames;
  std::vector<Foot> feet;

  /// Null when there is none of that name.
  const Frame* FindFrame(std::string_view frame) const;
};

/// Force and torque that a scene applies to a body, at its centre of mass, in world axes.
struct Push {
  std::string name;
  int body = 0;
  Path<Vec3> torque = {}, force = {};  ///< [N m], [N]
};

/// Who collides with whom, where a file says so.
struct Meetings {
  /// Two meet where a bit of the one's type is in what the other has affinity to, or the reverse.
  struct Mask {
    uint32_t type = 1, affinity = 1;

    bool Meets(const Mask& other) const {
      return ((type & other.affinity) | (other.type & affinity)) != 0;
    }
  };
  std::vector<Mask> bodies, surfaces;  ///< by index; what is beyond the end is as new
  /// Pairs of bodies that do not meet, or do in any case, the smaller index first; in order. In
  /// `together` a surface s is -1 - s.
  std::vector<std::pair<int, int>> apart, together;
  /// Pairs, likewise, whose contacts have a material of their own in place of both theirs.
  struct PairMaterial {
    std::pair<int, int> pair;
    int material = 0;  ///< index into Config::materials
  };
  std::vector<PairMaterial> materials;

  bool empty() const {
    return bodies.empty() && surfaces.empty() && apart.empty() && together.empty() &&
           materials.empty();
  }
  static int OfSurface(int surface) { return -1 - surface; }
  /// The material that two have as a pair; -1 = none of its own.
  int FindMaterial(int a, int b) const;
  static Mask MaskOf(const std::vector<Mask>& masks, std::size_t index) {
    return index < masks.size() ? masks[index] : Mask();
  }
};

struct Model {
  std::vector<Body> bodies;   ///< the links of a tree depth first
  std::vector<Tree> trees;    ///< of those that move, in their order
  std::vector<Body> visuals;  ///< only seen: they ride on their joint's parent, X_PF of its frame
  std::vector<Surface> surfaces;
  std::vector<Robot> robots;     ///< as many as Config::robots
  std::vector<Push> pushes;      ///< as many as Config::pushes
  int nv = 0;                    ///< sum of Body::nv
  int nq = 0;                    ///< sum of Body::nq
  int articulated = 0;           ///< trees that are
  bool pairs = true;             ///< some two bodies may collide
  bool paths = false;            ///< some motor's target changes with time
  int lead_body = 0;             ///< the first one that moves: signals of position are its own
  Pose lead_start;               ///< where it starts
  double contact_margin = 0.02;  ///< signed distance below which a pair is a contact [m]
  bool planar = false;           ///< no body leaves the x-z plane
  Meetings meetings;

  const Body& body(int index) const { return At(bodies, index); }
  Body& body(int index) { return At(bodies, index); }

  /// Which of the body's points_B touches a surface there; -1 = the contact is another one.
  int FindPoint(const Body& body, ContactKey key) const;

  /// What is drawn: bodies, then visuals.
  int drawn() const { return static_cast<int>(bodies.size() + visuals.size()); }
  const Body& Drawn(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < bodies.size() ? bodies[i] : visuals[i - bodies.size()];
  }

  /// Whether two bodies are one, or a joint links them, or they are of a robot that does not
  /// collide with itself, or the meetings keep them apart.
  bool Linked(int a, int b) const;
  /// Whether the meetings let a body touch a surface.
  bool CanTouch(std::size_t body, std::size_t surface) const {
    return meetings.empty() ||
           Meetings::MaskOf(meetings.bodies, body)
               .Meets(Meetings::MaskOf(meetings.surfaces, surface)) ||
           MeetAnyway(body, surface);
  }
  bool HasPairs() const;
  /// The tree of a body that moves.
  const Tree& TreeOf(const Body& body) const { return At(trees, body.tree); }
  /// A body of its own that moves in all six coordinates.
  bool IsFree(const Body& body) const {
    return body.Moves() && body.joint.kind == JointKind::kFree && TreeOf(body).articulated < 0;
  }

  /// Numbers trees, coordinates and contacts, and bounds the shapes: the last step of making a
  /// model.
  void Finish();

 private:
  bool MeetAnyway(std::size_t body, std::size_t surface) const;
  void FillTables(Tree* tree);
};

}  // namespace slip
