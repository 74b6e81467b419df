#include "engine/formulation/contact_detector.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/geometry/narrow_phase.h"

namespace slip {
namespace {

Vec3 PointVelocity(const Pose& X_WB, const Vec6& V, const Vec3& p_W) {
  return V.tail<3>() + V.head<3>().cross(p_W - X_WB.p);
}

// Features of one pair in the order of their names; two that share a name are told apart by
// counting on.
void Number(ContactKeyKind kind, int first, int second, PairContacts* found,
            std::vector<ContactKey>* keys) {
  keys->clear();
  std::sort(found->begin(), found->end(), [&](const PairContact& a, const PairContact& b) {
    return MakeContactKey(kind, first, second, a.feature) <
           MakeContactKey(kind, first, second, b.feature);
  });
  for (const PairContact& contact : *found) {
    const ContactKey key = MakeContactKey(kind, first, second, contact.feature);
    keys->push_back(keys->empty() ? key : std::max(key, keys->back() + 1));
  }
}

// Each body's points against the other's shape.
void CollideBothProbes(const Body& a, const Pose& X_WA, const Body& b, const Pose& X_WB,
                       double margin, PairContacts* out) {
  CollideProbes(a.points_B, a.point_radius, X_WA, b.shape, X_WB, margin, out);
  const std::size_t of_b = out->size();
  CollideProbes(b.points_B, b.point_radius, X_WB, a.shape, X_WA, margin, out);
  for (std::size_t i = of_b; i < out->size(); ++i) {
    PairContact& contact = (*out)[i];
    contact.n_W = -contact.n_W;
    contact.feature += static_cast<uint32_t>(a.points_B.size());
  }
}

// Index of A's material; -1 = rigid.
int OtherMaterial(const Model& model, int surface, int body_a) {
  return body_a >= 0 ? model.bodies[static_cast<std::size_t>(body_a)].material
                     : model.surfaces[static_cast<std::size_t>(surface)].material;
}

// Tangents that turn with the normal as little as possible.
void SetFrame(const Vec3& normal, ContactGeometry* g) {
  g->n_W = normal;
  const Vec3 along = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
  g->t1_W = (along - normal.dot(along) * normal).normalized();
  g->t2_W = normal.cross(g->t1_W);
}

}  // namespace

Material CombineMaterials(const Material& a, const Material& b) {
  Material m;
  const double sum = a.stiffness + b.stiffness;
  m.stiffness = sum > 0 ? a.stiffness * b.stiffness / sum : 0;
  const double hertz = a.hertz_stiffness + b.hertz_stiffness;
  m.hertz_stiffness = hertz > 0 ? a.hertz_stiffness * b.hertz_stiffness / hertz : 0;
  m.dissipation =
      sum > 0 ? b.stiffness / sum * a.dissipation + a.stiffness / sum * b.dissipation : 0;
  m.relaxation_time = a.relaxation_time + b.relaxation_time;
  const double mu = a.friction + b.friction;
  m.friction = mu > 0 ? 2 * a.friction * b.friction / mu : 0;
  return m;
}

Material ContactMaterial(const Model& model, const Config& config, int surface, int body_a,
                         int body) {
  const auto material = [&](int index) -> const Material& {
    return config.materials[static_cast<std::size_t>(index)];
  };
  const Material& own = material(model.bodies[static_cast<std::size_t>(body)].material);
  const int other = OtherMaterial(model, surface, body_a);
  return other < 0 ? own : CombineMaterials(material(other), own);
}

const Material& ContactDetector::material(const Model& model, const ContactGeometry& g) const {
  const auto own =
      static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(g.body)].material);
  const auto other = static_cast<std::size_t>(OtherMaterial(model, g.surface, g.body_a) + 1);
  return materials_[other * material_count_ + own];
}

void ContactDetector::CombineAll(const Config& config) {
  material_count_ = config.materials.size();
  materials_.assign(config.materials.begin(), config.materials.end());
  for (const Material& other : config.materials) {
    for (const Material& own : config.materials) {
      materials_.push_back(CombineMaterials(other, own));
    }
  }
}

double CalcSignedDistance(const Surface& surface, const Body& body, const Vec3& p_BP,
                          const Pose& X_WB, Vec3* p_W) {
  const Vec3 center = X_WB * p_BP;
  if (p_W != nullptr) *p_W = center - body.point_radius * surface.normal;
  return surface.normal.dot(center - surface.point) - body.point_radius;
}

// One call of Detect.
struct ContactDetector::Scan {
  const ContactDetector& detector;
  const Model& model;
  const Config& config;
  const State& state;
  std::vector<ContactGeometry>* contacts;
  double h;
  bool unlimited;   // the law acts at any distance
  double friction;  // bounds over all pairs of materials
  double relaxation;
  double barrier;  // where the law begins to act
  bool glides;     // the model acts at a distance that grows with slip

  const Body& body(int b) const { return model.bodies[static_cast<std::size_t>(b)]; }
  const Pose& pose(int b) const { return state.X_WB[static_cast<std::size_t>(b)]; }
  const Vec6& velocity(int b) const { return detector.velocities_[static_cast<std::size_t>(b)]; }

  // Distance that a relative velocity can make a contact act across, margin included.
  double Reach(double closing, double slip, double mu, double tau) const {
    return model.contact_margin + 2 * h * (closing + h * config.step.gravity) +
           3 * mu * (h + tau) * slip + barrier;
  }
  // Bodies in a pile have many neighbours, and contacts that cannot act tie islands together: only
  // what closes counts, with half as much again for what the step itself changes.
  double PairReach(double vn0, double slip, double mu, double tau) const {
    const double closing = std::max(-vn0, 0.0) + 2 * h * config.step.gravity;
    return model.contact_margin + 1.5 * h * closing + (glides ? 1.5 * mu * (h + tau) * slip : 0) +
           barrier;
  }
  double SlipReach(double slip) const { return 3 * friction * (h + relaxation) * slip; }

  // Fills what depends on velocities and keeps the contact if it could act.
  void Keep(ContactGeometry* g) const {
    Vec3 v = PointVelocity(pose(g->body), velocity(g->body), g->p_W);
    if (g->belt != 0) v -= g->belt * g->t1_W;
    if (g->body_a >= 0) v -= PointVelocity(pose(g->body_a), velocity(g->body_a), g->p_W);
    g->vn0 = g->n_W.dot(v);
    // nearer than the margin it counts whatever its speed
    if (!unlimited && g->phi0 > model.contact_margin) {
      const Material& m = detector.material(model, *g);
      const double slip = (v - g->vn0 * g->n_W).norm();
      const double reach = g->body_a < 0
                               ? Reach(std::abs(g->vn0), slip, m.friction, m.relaxation_time)
                               : PairReach(g->vn0, slip, m.friction, m.relaxation_time);
      if (g->phi0 > reach) return;
    }
    contacts->push_back(*g);
  }
};

// Calls visit(g, reach) for every moving body and surface that are near each other.
template <class Visit>
void ContactDetector::ForEachSurface(const Scan& scan, const Visit& visit) {
  const double t_new = scan.state.Time(scan.h) + scan.h;
  ContactGeometry g;
  for (std::size_t b = 0; b < scan.model.bodies.size(); ++b) {
    const Body& body = scan.model.bodies[b];
    if (body.nv == 0) continue;
    g.body = static_cast<int>(b);
    for (std::size_t s = 0; s < scan.model.surfaces.size(); ++s) {
      const Surface& surface = scan.model.surfaces[s];
      g.belt = surface.drive >= 0
                   ? scan.config.surfaces[static_cast<std::size_t>(surface.drive)].Velocity(t_new)
                   : 0;
      const double reach = reach_[b] + scan.SlipReach(std::abs(g.belt));
      const double distance = surface.normal.dot(scan.state.X_WB[b].p - surface.point) - body.bound;
      if (!scan.unlimited && distance > reach) continue;
      g.surface = static_cast<int>(s);
      g.n_W = surface.normal;
      g.t1_W = surface.belt_axis;
      g.t2_W = g.n_W.cross(g.t1_W);
      visit(&g, reach);
    }
  }
}

void ContactDetector::DetectPoints(const Scan& scan) {
  ForEachSurface(scan, [&](ContactGeometry* g, double) {
    const Body& body = scan.body(g->body);
    const Surface& surface = scan.model.surfaces[static_cast<std::size_t>(g->surface)];
    g->key = body.first_key +
             static_cast<ContactKey>(g->surface) * static_cast<ContactKey>(body.points_B.size());
    for (const Vec3& point : body.points_B) {
      g->phi0 = CalcSignedDistance(surface, body, point, scan.pose(g->body), &g->p_W);
      scan.Keep(g);
      ++g->key;
    }
  });
}

void ContactDetector::DetectShapes(const Scan& scan) {
  const auto& bodies = scan.model.bodies;
  if (std::none_of(bodies.begin(), bodies.end(),
                   [](const Body& body) { return body.nv > 0 && body.points_B.empty(); })) {
    return;
  }
  ForEachSurface(scan, [&](ContactGeometry* g, double reach) {
    const Body& body = scan.body(g->body);
    if (!body.points_B.empty()) return;
    const Surface& surface = scan.model.surfaces[static_cast<std::size_t>(g->surface)];
    found_.clear();
    CollidePlane({surface.normal, surface.point}, body.shape, scan.pose(g->body), reach, &found_);
    Number(ContactKeyKind::kSurface, g->body, g->surface, &found_, &keys_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      g->key = keys_[i];
      g->phi0 = found_[i].phi;
      g->p_W = found_[i].p_W;
      scan.Keep(g);
    }
  });
}

void ContactDetector::DetectPairs(const Scan& scan) {
  const Model& model = scan.model;
  boxes_.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    Bounds& box = boxes_[b];
    CalcBounds(model.bodies[b].shape, scan.state.X_WB[b], &box.min, &box.max);
    box.min.array() -= reach_[b];
    box.max.array() += reach_[b];
    box.is_static = model.bodies[b].nv == 0;
  }
  ContactGeometry g;
  for (const BodyPair& pair : broad_phase_.FindPairs(boxes_)) {
    const int first = static_cast<int>(pair.i), second = static_cast<int>(pair.j);
    // a fixed body is always A
    const bool swapped = scan.body(second).nv == 0;
    const int a = swapped ? second : first, b = swapped ? first : second;
    const Body& body_a = scan.body(a);
    const Body& body_b = scan.body(b);
    const double reach = reach_[static_cast<std::size_t>(a)] + reach_[static_cast<std::size_t>(b)];
    found_.clear();
    if (body_a.probes && body_b.probes) {
      CollideBothProbes(body_a, scan.pose(a), body_b, scan.pose(b), reach, &found_);
    } else {
      Collide(body_a.shape, scan.pose(a), body_b.shape, scan.pose(b), reach, &found_,
              static_cast<NarrowPhaseId>(scan.config.step.narrow_phase));
    }
    Number(ContactKeyKind::kPair, first, second, &found_, &keys_);
    g.body_a = a;
    g.body = b;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      g.key = keys_[i];
      g.phi0 = found_[i].phi;
      g.p_W = found_[i].p_W;
      SetFrame(found_[i].n_W, &g);
      scan.Keep(&g);
    }
  }
}

void ContactDetector::Detect(const Model& model, const Config& config, const State& state,
                             std::vector<ContactGeometry>* contacts) {
  contacts->clear();
  const double h = config.step.time_step;
  const bool unlimited =
      config.law() == NormalLawId::kLogBarrier && Info(config.model()).uses_normal_law;
  CombineAll(config);
  Scan scan{
      *this, model, config, state, contacts, h, unlimited, 0, 0, 0, Info(config.model()).glides};
  if (config.law() == NormalLawId::kIpcBarrier) scan.barrier = config.step.barrier_distance;
  for (const Material& m : config.materials) {
    scan.friction = std::max(scan.friction, m.friction);
    scan.relaxation = std::max(scan.relaxation, 2 * m.relaxation_time);
  }

  // how far each body's own motion can make a contact act
  reach_.resize(model.bodies.size());
  velocities_.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Vec6& V = velocities_[b] = CalcSpatialVelocity(body, state.v);
    const double speed = V.tail<3>().norm() + body.bound * V.head<3>().norm();
    reach_[b] = body.nv > 0 ? scan.Reach(speed, speed, scan.friction, scan.relaxation) : 0;
  }
  DetectPoints(scan);
  DetectShapes(scan);
  if (model.bodies.size() > 1) DetectPairs(scan);
}

}  // namespace slip
