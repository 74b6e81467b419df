#include "engine/scene/robot_builder.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/mjcf/link_body.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/robot_sketch.h"

namespace slip {
namespace {

class Builder {
 public:
  Builder(const RobotDescription& robot, const RobotPlacement& placement, Model* model,
          Config* config)
      : robot_(robot), place_(placement), model_(*model), config_(*config) {
    body_of_.assign(robot.links.size(), -1);
    children_.resize(robot.links.size());
    for (const RobotJoint& joint : robot.joints) At(children_, joint.parent).push_back(joint.child);
  }

  void Build() {
    Robot& out = model_.robots.emplace_back();
    out.name = place_.name;
    out.first_body = static_cast<int>(model_.bodies.size());
    out.self_collision = place_.self_collision;
    out.weightless = place_.weightless;
    config_.robots.push_back(place_.drive);
    config_.robots.back().name = place_.name;
    robot_index_ = static_cast<int>(model_.robots.size()) - 1;
    // the shapes of a tree's links come after its links
    if (place_.fixed_base) {
      const std::vector<int> ground = FindGround();
      for (const int link : ground) AddLink(link);
      AddShapes(ground);
      AddBranches(ground);
    } else {
      AddTree({0});
    }
    if (robot_.world) SetMeetings();
    for (const auto& [frame, points] : place_.contact_points) AddFoot(frame, points, &out);
    out.bodies = static_cast<int>(model_.bodies.size()) - out.first_body;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const int b = body_of_[i];
      out.frames.push_back({robot_.links[i].name, b, model_.body(b).X_BL});
    }
    for (const RobotFrame& frame : robot_.frames) {
      const int b = At(body_of_, frame.link);
      out.frames.push_back({frame.name, b, model_.body(b).X_BL * frame.X_LF});
    }
    if (!HasShapes(robot_)) SketchRobot(robot_.world.has_value(), &model_);
    // joints that follow others: all bodies are known now
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      if (!joint.mimic) continue;
      Joint& own = model_.body(At(body_of_, joint.child)).joint;
      own.leader = At(body_of_, At(robot_.joints, joint.mimic->joint).child);
      own.ratio = joint.mimic->multiplier;
      own.offset = joint.mimic->offset;
    }
  }

 private:
  // The base and what is fixed to it, in the order of the description.
  std::vector<int> FindGround() const {
    std::vector<int> ground = {0};
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      const bool on_it = std::find(ground.begin(), ground.end(), joint.parent) != ground.end();
      if (on_it && joint.kind == RobotJointKind::kFixed) ground.push_back(joint.child);
    }
    return ground;
  }

  // What moves on the ground. Branches whose joints follow each other make one tree: the mass
  // matrix that couples them is that of a tree.
  void AddBranches(const std::vector<int>& ground) {
    const std::size_t count = robot_.links.size();
    std::vector<int> branch(count, -1), joined(count);  // the root of a link; of a root, its group
    std::vector<int> roots;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      if (std::find(ground.begin(), ground.end(), joint.child) != ground.end()) continue;
      const bool root = At(branch, joint.parent) < 0;
      At(branch, joint.child) = root ? joint.child : At(branch, joint.parent);
      if (root) roots.push_back(joint.child);
    }
    for (std::size_t i = 0; i < count; ++i) joined[i] = static_cast<int>(i);
    for (const RobotJoint& joint : robot_.joints) {
      if (!joint.mimic) continue;
      const int a = At(joined, At(branch, joint.child));
      const int b = At(joined, At(branch, At(robot_.joints, joint.mimic->joint).child));
      for (int& group : joined)
        if (group == std::max(a, b)) group = std::min(a, b);
    }
    for (const int first : roots) {
      std::vector<int> group;
      for (const int root : roots)
        if (At(joined, root) == first) group.push_back(root);
      if (!group.empty()) AddTree(group);
    }
  }

  // One tree of these branches.
  void AddTree(const std::vector<int>& roots) {
    std::vector<int> links;
    for (const int root : roots) {
      const std::size_t first = model_.bodies.size();
      alone_ = roots.size() == 1;
      AddLinks(root, &links);
      model_.bodies[first].joins_tree = root != roots.front();
    }
    AddShapes(links);
  }
  void AddLinks(int link, std::vector<int>* links) {
    AddLink(link);
    links->push_back(link);
    for (const int child : At(children_, link)) AddLinks(child, links);
  }

  void AddLink(int index) {
    const RobotLink& link = At(robot_.links, index);
    Body body;
    body.name = place_.name + "/" + link.name;
    body.robot = robot_index_;
    body.material = place_.material;
    const Pose X_LB = SetMass(link, &body);
    body.visible = body.collides = false;
    body.shape.radius = 1e-3;
    At(body_of_, index) = static_cast<int>(model_.bodies.size());
    if (index == 0) {
      body.SetJoint(place_.fixed_base ? JointKind::kFixed : JointKind::kFree);
      body.X_WB = place_.X_WL * X_LB;
      body.V_WB << place_.w_WL, place_.v_WL + place_.w_WL.cross(place_.X_WL.q * link.p_LC);
      if (place_.fixed_base) body.V_WB.setZero();
    } else {
      AddJoint(index, &body);
    }
    model_.bodies.push_back(std::move(body));
  }

  void AddJoint(int index, Body* body) {
    const RobotJoint& from = robot_.joints[ToIndex(index) - 1];
    Joint& joint = body->joint;
    joint.name = place_.name + "/" + from.name;
    joint.parent = At(body_of_, from.parent);
    SetJoint(from, model_.body(joint.parent), body);
    joint.lower = from.lower;
    joint.upper = from.upper;
    joint.effort = from.effort;
    joint.damping = from.damping;
    joint.friction = from.friction;
    joint.limit_stiffness = from.limit_stiffness;
    joint.limit_relaxation = from.limit_relaxation;
    if (robot_.world && body->nv == 0)
      body->X_WB = model_.bodies[ToIndex(joint.parent)].X_WB * joint.X_PF * Inverse(joint.X_BM);
    if (body->nv > 1 && !from.starts.empty())
      SetStartOf(from, from.starts[ToIndex(place_.start)], body);
    if (body->nv != 1) return;
    body->q0[0] = place_.positions[ToIndex(index) - 1];
    body->v0[0] = place_.rates[ToIndex(index) - 1];
    if (from.mimic) return;
    body->drive = static_cast<int>(config_.joints.size());
    const std::size_t own = ToIndex(index) - 1;
    const JointDrive gains = own < place_.motors.size() ? place_.motors[own] : JointDrive{};
    config_.joints.push_back({.name = joint.name,
                              .slides = joint.kind == JointKind::kPrismatic,
                              .target = from.starts.empty() ? body->q0[0] : gains.target,
                              .stiffness = gains.stiffness,
                              .damping = gains.damping,
                              .impedance = gains.impedance});
    if (own < place_.target_paths.size()) body->target_path = place_.target_paths[own];
  }

  // How a file says that a ball joint or a free body begins.
  void SetStartOf(const RobotJoint& from, const RobotStart& start, Body* body) {
    Joint& joint = body->joint;
    SetStartTurn(from, start, body);
    const double* wxyz = start.q.data() + (joint.kind == JointKind::kBall ? 0 : 3);
    const Quat turn(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    const Eigen::Map<const Vec3> first(start.v.data()), second(start.v.data() + 3);
    if (joint.kind == JointKind::kBall) {
      const Vec3 w_F = turn * Vec3(first);
      std::copy(w_F.data(), w_F.data() + 3, body->v0.data());
    }
    if (joint.kind != JointKind::kFree) return;
    // C in P, its origin's velocity and the angular one, in P's axes
    const Pose X_PC{Vec3(start.q[0], start.q[1], start.q[2]), turn};
    const Vec3 w_P = turn * Vec3(second);
    if (alone_ && from.parent == 0) {
      // a body of its own
      const Pose X_WC = place_.X_WL * X_PC, X_CB = Inverse(body->X_BL);
      joint.parent = -1;
      joint.X_PF = joint.X_BM = Pose{};
      body->q0 = {};
      body->X_WB = X_WC * X_CB;
      body->X_WB.q.normalize();
      const Vec3 w_W = place_.X_WL.q * w_P;
      body->V_WB << w_W, place_.X_WL.q * Vec3(first) + w_W.cross(X_WC.q * X_CB.p);
      return;
    }
    const Quat R_FP = from.X_PJ.q.conjugate();
    const Vec3 w_F = R_FP * w_P, v_F = R_FP * Vec3(first);
    std::copy(w_F.data(), w_F.data() + 3, body->v0.data());
    std::copy(v_F.data(), v_F.data() + 3, body->v0.data() + 3);
  }

  void AddShapes(const std::vector<int>& links) {
    for (const int index : links) {
      const RobotLink& link = At(robot_.links, index);
      const bool points = HasPoints(index);
      for (const RobotShape& shape : link.visuals) AddVisual(index, shape);
      for (const RobotShape& shape : link.collisions) {
        if (!shape.has_visual) AddVisual(index, shape);
        if (!points) AddPart(index, shape);
      }
    }
  }

  // What all shapes of a link share.
  Body MakeShape(int index, const RobotShape& shape) const {
    const int owner = At(body_of_, index);
    Body part;
    part.name = model_.body(owner).name;
    part.robot = robot_index_;
    part.shape_of_link = owner;
    part.material = place_.material;
    part.mass = 0;
    part.inertia_B.setZero();
    part.shape = shape.shape;
    part.SetJoint(JointKind::kFixed);
    part.joint.parent = owner;
    part.joint.X_PF = model_.body(owner).X_BL * shape.X_LS;
    return part;
  }

  void AddVisual(int index, const RobotShape& shape) {
    Body& visual = model_.visuals.emplace_back(MakeShape(index, shape));
    visual.colour = shape.color;
    visual.collides = false;
  }

  void AddPart(int index, const RobotShape& shape) {
    Body part = MakeShape(index, shape);
    part.visible = false;
    if (!shape.material.empty()) part.material = FindMaterial(shape.material, place_.material);
    SetDefaultPoints(&part);
    if (robot_.world && !model_.bodies[ToIndex(part.shape_of_link)].Moves()) {
      // no joint keeps the world and what hangs on it apart
      const Body& base = model_.bodies[ToIndex(part.shape_of_link)];
      part.X_WB = base.X_WB * part.joint.X_PF;
      part.X_WB.q.normalize();
      part.shape_of_link = part.joint.parent = -1;
      part.joint.X_PF = Pose{};
      part.name = NameOfStanding(shape, part.name);
    }
    if (shape.id >= 0) {
      const std::size_t own = model_.bodies.size();
      bodies_of_id_[shape.id].push_back(static_cast<int>(own));
      SetMask({shape.contype, shape.conaffinity}, own, &model_.meetings.bodies);
    }
    model_.bodies.push_back(std::move(part));
  }

  // A body of its own has a name of its own.
  std::string NameOfStanding(const RobotShape& shape, const std::string& base) const {
    const std::string first = shape.name.empty() ? base + ".shape" : place_.name + "/" + shape.name;
    std::string name = first;
    const auto taken = [&](const Body& body) { return body.name == name; };
    for (int i = 2; std::any_of(model_.bodies.begin(), model_.bodies.end(), taken); ++i)
      name = first + "-" + std::to_string(i);
    return name;
  }

  // The scene's material of that name, `other` where the scene has none.
  int FindMaterial(const std::string& name, int other) const {
    for (std::size_t i = 0; i < config_.materials.size(); ++i)
      if (config_.materials[i].name == name) return static_cast<int>(i);
    return other;
  }

  // Nothing is written where all are as new.
  static void SetMask(const Meetings::Mask& mask, std::size_t index,
                      std::vector<Meetings::Mask>* masks) {
    if (mask.type == 1 && mask.affinity == 1) return;
    masks->resize(std::max(masks->size(), index + 1));
    (*masks)[index] = mask;
  }

  // Who meets whom, as the file says it of its shapes and planes.
  void SetMeetings() {
    int id = 0;
    for (const RobotPlane& plane : robot_.world->planes) {
      --id;
      for (std::size_t i = 0; i < model_.surfaces.size(); ++i) {
        if (model_.surfaces[i].name != plane.name) continue;
        SetMask({plane.contype, plane.conaffinity}, i, &model_.meetings.surfaces);
        bodies_of_id_[id] = {Meetings::OfSurface(static_cast<int>(i))};
      }
    }
    const auto add = [&](const std::vector<std::pair<int, int>>& from,
                         std::vector<std::pair<int, int>>* to) {
      for (const auto& [a, b] : from)
        ForPairs(a, b, [&](std::pair<int, int> pair) { to->push_back(pair); });
      std::sort(to->begin(), to->end());
    };
    add(robot_.apart, &model_.meetings.apart);
    add(robot_.together, &model_.meetings.together);
    for (const RobotPair& pair : robot_.pairs) {
      // in a scene of somebody's own such pairs have the materials that this scene gives
      const int material = FindMaterial(pair.material, -1);
      if (material < 0) continue;
      ForPairs(pair.a, pair.b, [&](std::pair<int, int> bodies) {
        model_.meetings.materials.push_back({bodies, material});
      });
    }
    std::sort(model_.meetings.materials.begin(), model_.meetings.materials.end(),
              [](const auto& a, const auto& b) { return a.pair < b.pair; });
  }

  /// Calls add(pair) for what two ids stand for: parts of a mesh share one.
  template <class Add>
  void ForPairs(int a, int b, const Add& add) const {
    const auto first = bodies_of_id_.find(a), second = bodies_of_id_.find(b);
    if (first == bodies_of_id_.end() || second == bodies_of_id_.end()) return;
    for (const int one : first->second)
      for (const int other : second->second) add(std::minmax(one, other));
  }

  // Points, given for the link or for one that was merged into it, stand for its shapes.
  bool HasPoints(int index) const {
    return std::any_of(place_.contact_points.begin(), place_.contact_points.end(),
                       [&](const auto& given) {
                         const int frame = robot_.FindFrame(given.first);
                         return robot_.FindLink(given.first) == index ||
                                (frame >= 0 && At(robot_.frames, frame).link == index);
                       });
  }

  void AddFoot(const std::string& name, const std::vector<Vec3>& points, Robot* out) {
    int link = robot_.FindLink(name);
    Pose X_LF;
    if (const int at = robot_.FindFrame(name); link < 0 && at >= 0) {
      link = At(robot_.frames, at).link;
      X_LF = At(robot_.frames, at).X_LF;
    }
    if (link < 0) return;
    const int b = At(body_of_, link);
    Body& body = model_.body(b);
    out->feet.push_back({name, b, body.X_BL * X_LF, static_cast<int>(body.points_B.size()),
                         static_cast<int>(points.size())});
    for (const Vec3& p : points) body.points_B.push_back(body.X_BL * (X_LF * p));
  }

  const RobotDescription& robot_;
  const RobotPlacement& place_;
  Model& model_;
  Config& config_;
  int robot_index_ = 0;
  std::vector<int> body_of_;  // of every link
  /// Bodies of shapes that have an id, surfaces as in Meetings.
  std::map<int, std::vector<int>> bodies_of_id_;
  bool alone_ = true;  // the tree in work has one root
  std::vector<std::vector<int>> children_;
};

}  // namespace

void AppendRobot(const RobotDescription& robot, const RobotPlacement& placement, Model* model,
                 Config* config) {
  Builder(robot, placement, model, config).Build();
}

}  // namespace slip
