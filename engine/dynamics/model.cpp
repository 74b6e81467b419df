#include "engine/dynamics/model.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"

namespace slip {

void Body::SetJoint(JointKind kind) {
  joint.kind = kind;
  nv = VelocityCount(kind);
  tree = nv > 0 ? 0 : -1;  // until Model::Finish counts
  for (int i = 0; i < nv; ++i) {
    const JointDirection direction = DirectionOf(joint, i);
    int axis = 0;
    direction.axis_F.cwiseAbs().maxCoeff(&axis);
    dof[i] = axis + (direction.rotates ? 0 : 3);
  }
}

// Where the axes are the file's own, not a bit changes.
Quat Body::ShownTurn(const Quat& q_WB) const {
  return X_BL.q.coeffs() == Quat::Identity().coeffs() ? q_WB : (q_WB * X_BL.q).normalized();
}

Vec3 Body::ShownPoint(const Vec3& p_BP) const {
  return X_BL.q.coeffs() == Quat::Identity().coeffs() ? p_BP : Vec3(X_BL.q.conjugate() * p_BP);
}

void Body::CalcSizes() {
  Vec3 low, high;
  CalcBounds(shape, Pose{}, &low, &high);
  half_width = 0.5 * (high - low).minCoeff();
  bound = low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm();
  for (const Vec3& p : points_B) bound = std::max(bound, p.norm() + point_radius);
}

const Robot::Frame* Robot::FindFrame(std::string_view frame) const {
  const auto at =
      std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.name == frame; });
  return at == frames.end() ? nullptr : &*at;
}

int Model::FindPoint(const Body& body, ContactKey key) const {
  const auto points = static_cast<ContactKey>(body.points_B.size());
  const ContactKey i = key - body.first_key;
  if (i < 0 || i >= points * static_cast<ContactKey>(surfaces.size())) return -1;
  return static_cast<int>(i % points);
}

void Model::Finish() {
  nv = nq = 0;
  planar = true;
  articulated = 0;
  lead_body = -1;
  trees.clear();
  int64_t key = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body& body = bodies[b];
    const int parent = body.joint.parent;
    SLIP_CHECK(parent < static_cast<int>(b));
    const bool on_tree = parent >= 0 && At(bodies, parent).Moves();
    body.nq = parent < 0 && KeepsPose(body.joint.kind) ? 0 : PositionCount(body.joint.kind);
    body.v_start = nv;
    body.q_start = nq;
    // what has no freedom against its parent moves as one with it
    body.group = static_cast<int>(b);
    body.parent_group = -1;
    if (parent >= 0) {
      const int parents = At(bodies, parent).group;
      if (body.nv == 0) body.group = parents;
      body.parent_group = body.nv == 0 ? At(bodies, parents).parent_group : parents;
    }
    if (on_tree) {
      body.tree = At(bodies, parent).tree;
      SLIP_CHECK(body.tree + 1 == static_cast<int>(trees.size()));
      if (trees.back().articulated < 0) trees.back().articulated = articulated++;
    } else if (body.joins_tree) {
      SLIP_CHECK(body.nq > 0 && !trees.empty() && bodies[b - 1].Moves());
      body.tree = bodies[b - 1].tree;
    } else if (body.nv > 0) {
      body.tree = static_cast<int>(trees.size());
      trees.push_back({.first_body = static_cast<int>(b),
                       .v_start = nv,
                       .q_start = nq,
                       .articulated = body.nq > 0 ? articulated++ : -1});
    } else {
      body.tree = -1;
    }
    nv += body.nv;
    nq += body.nq;
    if (body.Moves()) {
      Tree& tree = trees.back();
      if (body.shape_of_link < 0) {
        SLIP_CHECK(tree.links == tree.bodies);
        ++tree.links;
      }
      ++tree.bodies;
      tree.nv += body.nv;
      tree.nq += body.nq;
      tree.coupled = tree.coupled || body.joint.leader >= 0;
      if (lead_body < 0) lead_body = static_cast<int>(b);
      if (body.joint.kind == JointKind::kFree || tree.articulated >= 0) planar = false;
    }
    paths = paths || !body.target_path.knots.empty();
    body.first_key = key;
    key += static_cast<int64_t>(body.points_B.size() * surfaces.size());

    body.CalcSizes();
  }
  for (Tree& tree : trees) {
    if (tree.articulated >= 0) FillTables(&tree);
  }
  pairs = (articulated == 0 && meetings.empty()) || HasPairs();
  for (Body& visual : visuals) {
    visual.tree = At(bodies, visual.joint.parent).tree;
    visual.CalcSizes();
  }
  lead_body = std::max(lead_body, 0);
  if (bodies.empty()) return;
  State start;
  SetStart(*this, &start);
  lead_start = start.pose(lead_body);
}

void Model::FillTables(Tree* tree) {
  std::vector<int> before;
  for (int b = tree->first_body; b < tree->first_body + tree->bodies; ++b) {
    Body& body = At(bodies, b);
    if (body.shape_of_link >= 0) {
      body.link = body.shape_of_link - tree->first_body;
      continue;
    }
    body.link = b - tree->first_body;
    const Joint& joint = body.joint;
    Link& link = tree->link.emplace_back();
    if (joint.parent >= tree->first_body) {
      link.parent = joint.parent - tree->first_body;
    } else {
      link.outside = joint.parent;
    }
    link.begin = body.v_start - tree->v_start;
    link.end = link.begin + body.nv;
    link.last = link.parent < 0 ? -1 : At(tree->link, link.parent).last;
    link.floats = joint.kind == JointKind::kFree && body.nq == 0;
    link.turns = joint.kind == JointKind::kRevolute;
    const Quat R_MB = joint.X_BM.q.conjugate();
    const Vec3& axis = joint.axis;
    link.R_PB = joint.X_PF.q * R_MB;
    link.turned_PB = joint.X_PF.q * Quat(0, axis.x(), axis.y(), axis.z()) * R_MB;
    link.p_PF = joint.X_PF.p;
    link.p_BM = joint.X_BM.p;
    link.mass = body.mass;
    link.inertia_B = body.inertia_B;
    link.armature = joint.armature;
    for (int i = 0; i < body.nv; ++i) {
      const JointDirection direction = DirectionOf(joint, i);
      const Vec3 axis_P = Rotate(joint.X_PF.q, direction.axis_F);
      tree->coordinate.push_back({direction.rotates, axis_P});
      if (body.nv == 1 && !direction.rotates) link.slide_P = axis_P;
      before.push_back(link.last);
      link.last = link.begin + i;
    }
  }
  tree->pattern.Assign(before);
}

bool Model::HasPairs() const {
  const int count = static_cast<int>(bodies.size());
  for (int a = 0; a < count; ++a) {
    const Body& A = At(bodies, a);
    for (int b = 0; b < a && A.collides; ++b) {
      const Body& B = At(bodies, b);
      if (B.collides && (A.Moves() || B.Moves()) && !Linked(a, b)) return true;
    }
  }
  return false;
}

int Meetings::FindMaterial(int a, int b) const {
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto at = std::lower_bound(
      materials.begin(), materials.end(), pair,
      [](const PairMaterial& one, const std::pair<int, int>& key) { return one.pair < key; });
  return at != materials.end() && at->pair == pair ? at->material : -1;
}

bool Model::MeetAnyway(std::size_t body, std::size_t surface) const {
  const std::pair<int, int> pair(Meetings::OfSurface(static_cast<int>(surface)),
                                 static_cast<int>(body));
  return std::binary_search(meetings.together.begin(), meetings.together.end(), pair);
}

bool Model::Linked(int a, int b) const {
  const Body &A = At(bodies, a), &B = At(bodies, b);
  if (A.robot >= 0 && A.robot == B.robot && !At(robots, A.robot).self_collision) {
    return true;
  }
  if (!meetings.empty()) {
    const std::pair<int, int> pair = std::minmax(a, b);
    const auto names = [&](const std::vector<std::pair<int, int>>& list) {
      return std::binary_search(list.begin(), list.end(), pair);
    };
    if (names(meetings.together)) return false;
    const auto mask = [&](int body) {
      return Meetings::MaskOf(meetings.bodies, static_cast<std::size_t>(body));
    };
    if (!mask(a).Meets(mask(b)) || names(meetings.apart)) return true;
  }
  return A.group == B.group || A.parent_group == B.group || B.parent_group == A.group;
}

}  // namespace slip
