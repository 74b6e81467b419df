#include "engine/quasi_dynamic/candidates.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/geometry/mesh.h"

namespace slip {

void SetTangents(const Vec3& n_W, Vec3* t1_W, Vec3* t2_W) {
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(n_W[k]) < std::abs(n_W[least])) least = k;
  }
  *t1_W = (Vec3::Unit(least) - n_W[least] * n_W).normalized();
  *t2_W = n_W.cross(*t1_W);
}

bool CandidateFinder::Prepare(const StepInput& input) {
  const Model& model = input.model;
  if (prepared_ == &model) return true;
  prepared_ = nullptr;
  clouds_.clear();
  has_cloud_.assign(model.bodies.size(), false);
  with_pairs_.assign(model.bodies.size(), false);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves()) continue;
    const bool cloud = body.shape.kind == ShapeKind::kPointCloud && body.shape.cloud != nullptr;
    if (!cloud && body.points_B.empty()) continue;
    has_cloud_[b] = true;
    with_pairs_[b] = cloud || body.probes;
    clouds_.push_back({.body = static_cast<int>(b),
                       .radius = cloud ? body.shape.radius : body.point_radius,
                       .pairs = with_pairs_[b] != 0,
                       .tree = CloudTree(cloud ? std::span<const Vec3>(body.shape.cloud->points)
                                               : std::span<const Vec3>(body.points_B),
                                         input.stop)});
    if (!clouds_.back().tree.whole()) return false;
  }
  shapes_ = false;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.collides || !body.Moves()) continue;
    shapes_ |= !has_cloud_[b] && !model.surfaces.empty();
    for (std::size_t a = 0; a < model.bodies.size(); ++a) {
      const bool meet = a != b && model.bodies[a].collides &&
                        !model.Linked(static_cast<int>(a), static_cast<int>(b));
      shapes_ |= meet && !with_pairs_[a] && !with_pairs_[b];
    }
  }
  prepared_ = &model;
  return true;
}

bool CandidateFinder::HasPoints(int a, int b) const {
  return At(with_pairs_, a) || At(with_pairs_, b);
}

void CandidateFinder::SetMaterial(const Model& model, Candidate* candidate) const {
  const Material& material =
      materials_.Of(model, candidate->surface, candidate->body_a, candidate->body);
  candidate->mu = material.friction;
  candidate->mu_w = material.torsional_friction;
}

int CandidateFinder::FindPoints(const StepInput& input, const State& at, const Cloud& cloud,
                                int surface, int body_a, std::span<CloudCandidate> closest) const {
  const Pose& X_WB = at.pose(cloud.body);
  if (surface >= 0) {
    const Surface& of = At(input.model.surfaces, surface);
    return FindClosest(cloud.tree, X_WB, HalfSpace{of.normal, of.normal.dot(of.point)}, closest);
  }
  const auto a = static_cast<std::size_t>(body_a);
  return FindClosest(cloud.tree, X_WB, input.model.bodies[a].shape, at.X_WB[a], closest);
}

void CandidateFinder::AddPoints(const StepInput& input, std::size_t index,
                                std::span<CloudCandidate> closest,
                                std::vector<Candidate>* candidates) {
  const Cloud& cloud = clouds_[index];
  const Model& model = input.model;
  const auto b = static_cast<std::size_t>(cloud.body);
  const Body& body = model.bodies[b];
  // links of robots are kept off surfaces where they come near one
  const double farthest = model.TreeOf(body).articulated >= 0 ? model.contact_margin : kInfinity;
  const auto add = [&](int surface, int body_a) {
    const int found = FindPoints(input, input.start, cloud, surface, body_a, closest);
    checked_ += cloud.tree.size();
    Choice& choice = choices_.emplace_back(Choice{.cloud = index,
                                                  .surface = surface,
                                                  .body_a = body_a,
                                                  .first = chosen_.size(),
                                                  .count = 0,
                                                  .phi = kInfinity});
    for (int i = 0; i < found; ++i) {
      const CloudCandidate& from = At(closest, i);
      if (found < cloud.tree.size()) choice.phi = from.phi - cloud.radius;
      if (from.phi - cloud.radius > farthest) return;
      chosen_.push_back(from.point);
      ++choice.count;
      Candidate& to = candidates->emplace_back();
      to.surface = surface;
      to.body_a = body_a;
      to.body = cloud.body;
      to.point = from.point;
      to.phi = from.phi - cloud.radius;
      to.n_W = from.n_W;
      to.alpha_W = from.alpha_W;
      to.beta_W = from.beta_W - cloud.radius * from.n_W;
      if (surface >= 0) {
        const Surface& of = At(model.surfaces, surface);
        to.t1_W = of.belt_axis;
        to.t2_W = to.n_W.cross(to.t1_W);
        to.key = body.points_B.empty()
                     ? MakeContactKey(ContactKeyKind::kSurface, to.body, surface,
                                      static_cast<uint32_t>(from.point))
                     : body.first_key + surface * static_cast<ContactKey>(body.points_B.size()) +
                           from.point;
      } else {
        SetTangents(to.n_W, &to.t1_W, &to.t2_W);
        to.key = MakeContactKey(ContactKeyKind::kPair, std::min(body_a, to.body),
                                std::max(body_a, to.body), static_cast<uint32_t>(from.point));
      }
      SetMaterial(model, &to);
    }
  };
  for (std::size_t s = 0; s < model.surfaces.size(); ++s) {
    if (model.CanTouch(static_cast<std::size_t>(cloud.body), s)) add(static_cast<int>(s), -1);
  }
  for (std::size_t a = 0; cloud.pairs && a < model.bodies.size(); ++a) {
    const Body& other = model.bodies[a];
    if (a == b || !other.collides || model.Linked(static_cast<int>(a), cloud.body)) continue;
    add(-1, static_cast<int>(a));
  }
}

void CandidateFinder::AddShapes(const StepInput& input, std::vector<Candidate>* candidates) {
  finder_.Find(input.model, input.config, input.start, input.V_WB, LawReach{}, &found_);
  for (const ContactGeometry& g : found_) {
    if (g.surface >= 0 ? At(has_cloud_, g.body) != 0 : HasPoints(g.body_a, g.body)) continue;
    Candidate& to = candidates->emplace_back();
    to.key = g.key;
    to.surface = g.surface;
    to.body_a = g.body_a;
    to.body = g.body;
    to.phi = g.phi0;
    to.n_W = g.n_W;
    SetTangents(to.n_W, &to.t1_W, &to.t2_W);
    // the detector's point lies midway between the two witnesses
    to.alpha_W = g.p_W - 0.5 * g.phi0 * g.n_W;
    to.beta_W = g.p_W + 0.5 * g.phi0 * g.n_W;
    SetMaterial(input.model, &to);
  }
}

bool CandidateFinder::Find(const StepInput& input, int closest, std::vector<Candidate>* candidates,
                           StageTimes* times) {
  if (!Prepare(input)) return false;
  Stopwatch watch(times != nullptr);
  materials_.Combine(input.config.materials);
  candidates->clear();
  checked_ = 0;
  choices_.clear();
  chosen_.clear();
  closest_.resize(static_cast<std::size_t>(closest));
  for (std::size_t c = 0; c < clouds_.size(); ++c) AddPoints(input, c, closest_, candidates);
  if (shapes_) AddShapes(input, candidates);
  if (times != nullptr) watch.Lap(&times->distances_us);
  std::sort(candidates->begin(), candidates->end(),
            [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
  if (times != nullptr) watch.Lap(&times->sorting_us);
  return true;
}

double CandidateFinder::CalcLeftOutPenetration(const StepInput& input, const State& end) {
  // how far a point of `body` within `reach` of its origin may have gone
  const auto way = [&](int body, double reach) {
    const Pose& from = input.start.pose(body);
    const Pose& to = end.pose(body);
    const Quat turn = to.q * from.q.conjugate();
    return (to.p - from.p).norm() + 2 * turn.vec().norm() * reach;
  };
  double deepest = 0;
  for (const Choice& choice : choices_) {
    const Cloud& cloud = clouds_[choice.cloud];
    double gone = way(cloud.body, cloud.tree.radius());
    if (choice.body_a >= 0) {
      const auto b = static_cast<std::size_t>(cloud.body),
                 a = static_cast<std::size_t>(choice.body_a);
      gone += way(choice.body_a, (input.start.X_WB[b].p - input.start.X_WB[a].p).norm() +
                                     cloud.tree.radius() + gone);
    }
    if (choice.phi > gone) continue;
    const auto chosen = std::span<const int>(chosen_).subspan(choice.first, choice.count);
    closest_.resize(choice.count + 1);
    const int found = FindPoints(input, end, cloud, choice.surface, choice.body_a, closest_);
    for (int i = 0; i < found; ++i) {
      const CloudCandidate& point = At(closest_, i);
      if (std::find(chosen.begin(), chosen.end(), point.point) != chosen.end()) continue;
      deepest = std::max(deepest, cloud.radius - point.phi);
      break;
    }
  }
  return deepest;
}

}  // namespace slip
