#include "engine/collide/contact_detector.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"

namespace slip {
namespace {

// Bodies or pairs that one thread takes at a time.
constexpr int kChunk = 16;
// Work below this is done by one thread, in units of a body or a pair of spheres: some 50 ns each.
constexpr int kWorthSharing = 1000;
constexpr int kPairOfOthers = 12;  // what another pair costs in these units

Vec3 PointVelocity(const Pose& X_WB, const Vec6& V, const Vec3& p_W) {
  return V.tail<3>() + V.head<3>().cross(p_W - X_WB.p);
}

// Features of one pair in the order of their names; two that share a name are told apart by
// counting on.
void Number(ContactKeyKind kind, int first, int second, const HeldFeatures& held,
            PairContacts* found, std::vector<ContactKey>* keys) {
  keys->clear();
  std::sort(found->begin(), found->end(), [&](const PairContact& a, const PairContact& b) {
    return MakeContactKey(kind, first, second, a.feature) <
           MakeContactKey(kind, first, second, b.feature);
  });
  for (const PairContact& contact : *found) {
    const ContactKey key = MakeContactKey(kind, first, second, contact.feature);
    keys->push_back(keys->empty() ? key : std::max(key, keys->back() + 1));
  }
  // a rim that rolls, an edge on a round side: one point under many names (spheres have but one)
  if (keys->size() == 1 && found->front().feature != 0) {
    keys->front() = held.Only().value_or(keys->front());
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

// Tangents that turn with the normal as little as possible.
void SetFrame(const Vec3& normal, ContactGeometry* g) {
  g->n_W = normal;
  const Vec3 along = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
  g->t1_W = (along - normal.dot(along) * normal).normalized();
  g->t2_W = normal.cross(g->t1_W);
}

}  // namespace

double CalcSignedDistance(const Surface& surface, const Body& body, const Vec3& p_BP,
                          const Pose& X_WB, Vec3* p_W) {
  const Vec3 center = X_WB * p_BP;
  if (p_W != nullptr) *p_W = center - body.point_radius * surface.normal;
  return surface.normal.dot(center - surface.point) - body.point_radius;
}

bool HasNarrowPhases(const Model& model) {
  // by kinds: piles have many bodies of few
  struct Count {
    int all = 0, moving = 0;
  };
  std::array<Count, kShapeKinds> kinds{};
  for (const Body& body : model.bodies) {
    Count& count = At(kinds, body.shape.kind);
    ++count.all;
    if (body.Moves()) ++count.moving;
  }
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (std::size_t b = 0; b < kinds.size(); ++b) {
      const int others = kinds[b].all - (a == b ? 1 : 0);
      if (kinds[a].moving > 0 && others > 0 &&
          HasNarrowPhases(static_cast<ShapeKind>(a), static_cast<ShapeKind>(b))) {
        return true;
      }
    }
  }
  return false;
}

// One call of Detect.
struct ContactDetector::Scan {
  const Model& model;
  const State& state;
  std::span<const Vec6> V_WB;
  const ContactReach& reach;
  const MaterialPairs& materials;
  std::span<const double> belts;
  NarrowPhaseId narrow_phase;

  const Body& body(int b) const { return model.body(b); }
  const Pose& pose(int b) const { return state.pose(b); }
  const Vec6& velocity(int b) const { return At(V_WB, b); }

  // What two partners touched with in the step before.
  HeldFeatures Held(ContactKeyKind kind, int first, int second) const {
    return {state.contacts, MakeContactKey(kind, first, second, 0)};
  }

  // Distance that a relative velocity can make a contact act across, margin included.
  double Reach(double closing, double slip, double mu, double tau) const {
    const double h = reach.h;
    return model.contact_margin + 2 * h * (closing + h * reach.gravity) +
           3 * mu * (h + tau) * slip + reach.barrier;
  }
  // Bodies in a pile have many neighbours, and contacts that cannot act tie islands together: only
  // what closes counts, with half as much again for what the step itself changes. Across a gap
  // wider than the smaller body (`size`) only bodies that are on course for each other count: the
  // others pass by within the step, whatever friction would lift. `lifting` is the slip with spin.
  double PairReach(const ContactGeometry& g, double slip, double lifting, double mu,
                   double tau) const {
    const Body &a = body(g.body_a), &b = body(g.body);
    const double h = reach.h;
    const double size = !a.Moves() ? b.half_width : std::min(a.half_width, b.half_width);
    const double closing = std::max(-g.vn0, 0.0);
    const bool on_course = slip * g.phi0 <= closing * (a.bound + b.bound);
    const double approach = 1.5 * h * closing;
    const double fall = 3 * h * h * reach.gravity;
    const double glide = reach.glides ? 1.5 * mu * (h + tau) * lifting : 0;
    return model.contact_margin + reach.barrier +
           (on_course ? approach : std::min(approach, size)) + std::min(fall + glide, size);
  }
  // Half of the largest PairReach of a body that moves at this speed.
  double BodyReach(double speed, double spin, double size) const {
    return Reach(speed, 0, 0, 0) + std::min(SlipReach(speed) + SpinReach(spin), size);
  }
  double SlipReach(double slip) const {
    return 3 * materials.largest_friction() * (reach.h + materials.largest_relaxation_time()) *
           slip;
  }
  double SpinReach(double spin) const {
    return 3 * materials.largest_torsional_friction() *
           (reach.h + materials.largest_relaxation_time()) * spin;
  }

  // Fills what depends on velocities and keeps the contact if it could act.
  void Keep(ContactGeometry* g, Contacts* contacts) const {
    Vec3 v = PointVelocity(pose(g->body), velocity(g->body), g->p_W);
    if (g->belt != 0) v -= g->belt * g->t1_W;
    if (g->body_a >= 0) v -= PointVelocity(pose(g->body_a), velocity(g->body_a), g->p_W);
    g->vn0 = g->n_W.dot(v);
    // nearer than the margin it counts whatever its speed
    if (!reach.unlimited && g->phi0 > model.contact_margin) {
      const Material& m = materials.Of(model, g->surface, g->body_a, g->body);
      const double slip = (v - g->vn0 * g->n_W).norm();
      const double mu = m.friction, tau = m.relaxation_time;
      double lifting = slip;
      if (m.torsional_friction > 0) {
        Vec3 w = velocity(g->body).head<3>();
        if (g->body_a >= 0) w -= velocity(g->body_a).head<3>();
        lifting = std::hypot(slip, m.torsional_friction / mu * g->n_W.dot(w));
      }
      const double farthest = g->body_a < 0 ? Reach(std::abs(g->vn0), lifting, mu, tau)
                                            : PairReach(*g, slip, lifting, mu, tau);
      if (g->phi0 > farthest) return;
    }
    contacts->push_back(*g);
  }
};

bool ContactDetector::Shares(int work) const {
  return workers_ != nullptr && workers_->workers() > 1 && work >= kWorthSharing;
}

// Calls append(i, scratch, out) for i in [0, count): what it leaves in *out goes to the contacts in
// the order of i, whoever made the calls.
template <class Append>
void ContactDetector::Gather(int count, int work, Contacts* contacts, Append&& append) {
  if (!Shares(work)) {
    for (int i = 0; i < count; ++i) append(i, &scratch_.front(), contacts);
    return;
  }
  shared_ = true;
  // Who gets what is chance, so all get room for everything, or memory would be asked for long
  // after the first steps. Pages that stay unused cost nothing.
  std::size_t found = 0, keys = 0;
  for (const Scratch& scratch : scratch_) {
    found = std::max(found, scratch.found.capacity());
    keys = std::max(keys, scratch.keys.capacity());
  }
  for (Scratch& scratch : scratch_) {
    scratch.found.reserve(found);
    scratch.keys.reserve(keys);
    scratch.kept.clear();
    scratch.kept.reserve(contacts->capacity());
  }
  const int chunks = (count + kChunk - 1) / kChunk;
  pieces_.resize(static_cast<std::size_t>(chunks));
  const StopPoll* stop = ThreadStop::Present();
  workers_->ForEach(chunks, [&](int chunk, int worker) {
    const ThreadStop same(stop);
    Scratch& scratch = At(scratch_, worker);
    const std::size_t begin = scratch.kept.size();
    const int last = std::min(count, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < last; ++i) append(i, &scratch, &scratch.kept);
    At(pieces_, chunk) = {worker, begin, scratch.kept.size()};
  });
  for (const Piece& piece : pieces_) {
    const ContactGeometry* kept = At(scratch_, piece.worker).kept.data();
    contacts->insert(contacts->end(), kept + piece.begin, kept + piece.end);
  }
}

// Calls visit(g, reach) for every surface that is near the body, if that moves.
template <class Visit>
void ContactDetector::ForEachSurface(const Scan& scan, int b, const Visit& visit) const {
  const Body& body = scan.body(b);
  if (!body.Moves()) return;
  for (std::size_t s = 0; s < scan.model.surfaces.size(); ++s) {
    const Surface& surface = scan.model.surfaces[s];
    if (!scan.model.CanTouch(ToIndex(b), s)) continue;
    const double belt = surface.drive >= 0 ? At(scan.belts, surface.drive) : 0;
    const double reach = At(reach_, b) + scan.SlipReach(std::abs(belt));
    const double distance = surface.normal.dot(scan.pose(b).p - surface.point) - body.bound;
    if (!scan.reach.unlimited && distance > reach) continue;
    ContactGeometry g;
    g.body = b;
    g.belt = belt;
    g.surface = static_cast<int>(s);
    g.n_W = surface.normal;
    g.t1_W = surface.belt_axis;
    g.t2_W = g.n_W.cross(g.t1_W);
    visit(&g, reach);
  }
}

void ContactDetector::DetectPoints(const Scan& scan, Contacts* contacts) {
  // most surfaces are too far from a body to look at its points
  std::size_t points = 0;
  for (const Body& body : scan.model.bodies) points += body.points_B.size();
  const auto work = static_cast<int>(points * scan.model.surfaces.size() / 4);
  const int count = static_cast<int>(scan.model.bodies.size());
  Gather(count, work, contacts, [&](int b, Scratch*, Contacts* out) {
    const Body& body = scan.body(b);
    if (body.points_B.empty()) return;
    ForEachSurface(scan, b, [&](ContactGeometry* g, double reach) {
      const Surface& surface = At(scan.model.surfaces, g->surface);
      g->key = body.first_key +
               static_cast<ContactKey>(g->surface) * static_cast<ContactKey>(body.points_B.size());
      for (const Vec3& point : body.points_B) {
        g->phi0 = CalcSignedDistance(surface, body, point, scan.pose(b), &g->p_W);
        // no motion of the body's makes it act from farther away
        if (g->phi0 <= reach || scan.reach.unlimited) scan.Keep(g, out);
        ++g->key;
      }
    });
  });
}

void ContactDetector::DetectShapes(const Scan& scan, Contacts* contacts) {
  const auto& bodies = scan.model.bodies;
  if (std::none_of(bodies.begin(), bodies.end(), [](const Body& body) {
        return body.Moves() && body.points_B.empty() && body.collides;
      })) {
    return;
  }
  const int count = static_cast<int>(bodies.size());
  Gather(count, kPairOfOthers * count, contacts, [&](int b, Scratch* scratch, Contacts* out) {
    const Body& body = scan.body(b);
    if (!body.points_B.empty() || !body.collides) return;
    ForEachSurface(scan, b, [&](ContactGeometry* g, double reach) {
      const Surface& surface = At(scan.model.surfaces, g->surface);
      PairContacts& found = scratch->found;
      found.clear();
      const HeldFeatures held = scan.Held(ContactKeyKind::kSurface, b, g->surface);
      CollidePlane({surface.normal, surface.point}, body.shape, scan.pose(b), reach, &found, held);
      Number(ContactKeyKind::kSurface, b, g->surface, held, &found, &scratch->keys);
      for (std::size_t i = 0; i < found.size(); ++i) {
        g->key = scratch->keys[i];
        g->phi0 = found[i].phi;
        g->p_W = found[i].p_W;
        scan.Keep(g, out);
      }
    });
  });
}

// Contacts of two bodies whose boxes overlap.
void ContactDetector::Collide(const Scan& scan, const BodyPair& pair, Scratch* scratch,
                              Contacts* out) const {
  const int first = static_cast<int>(pair.i), second = static_cast<int>(pair.j);
  const bool some_linked = scan.model.articulated > 0 || !scan.model.meetings.empty();
  if (some_linked && scan.model.Linked(first, second)) return;
  // a fixed body is always A
  const bool swapped = !scan.body(second).Moves();
  const int a = swapped ? second : first, b = swapped ? first : second;
  const Body& body_a = scan.body(a);
  const Body& body_b = scan.body(b);
  const double reach = At(pair_reach_, a) + At(pair_reach_, b);
  const HeldFeatures held = scan.Held(ContactKeyKind::kPair, first, second);
  PairContacts& found = scratch->found;
  found.clear();
  if (body_a.probes && body_b.probes) {
    CollideBothProbes(body_a, scan.pose(a), body_b, scan.pose(b), reach, &found);
  } else {
    slip::Collide(body_a.shape, scan.pose(a), body_b.shape, scan.pose(b), reach, &found,
                  scan.narrow_phase, held);
  }
  if (found.empty()) return;
  Number(ContactKeyKind::kPair, first, second, held, &found, &scratch->keys);
  ContactGeometry g;
  g.body_a = a;
  g.body = b;
  for (std::size_t i = 0; i < found.size(); ++i) {
    g.key = scratch->keys[i];
    g.phi0 = found[i].phi;
    g.p_W = found[i].p_W;
    SetFrame(found[i].n_W, &g);
    scan.Keep(&g, out);
  }
}

void ContactDetector::DetectPairs(const Scan& scan, Contacts* contacts) {
  const std::vector<BodyPair>& pairs = broad_phase_.FindPairs(boxes_);
  const auto is_sphere = [&](uint32_t i) {
    return scan.model.bodies[colliding_[i]].shape.kind == ShapeKind::kSphere;
  };
  int work = 0;
  for (const BodyPair& pair : pairs) {
    if (work >= kWorthSharing) break;
    work += is_sphere(pair.i) && is_sphere(pair.j) ? 1 : kPairOfOthers;
  }
  Gather(static_cast<int>(pairs.size()), work, contacts,
         [&](int i, Scratch* scratch, Contacts* out) {
           const BodyPair& pair = At(pairs, i);
           Collide(scan, {colliding_[pair.i], colliding_[pair.j]}, scratch, out);
         });
}

// Boxes, and how far each body's own motion can make a contact act.
void ContactDetector::BoundBodies(const Scan& scan) {
  const std::size_t count = scan.model.bodies.size();
  reach_.resize(count);
  pair_reach_.resize(count);
  place_.resize(count);
  colliding_.clear();
  for (std::size_t b = 0; b < count && scan.model.pairs; ++b) {
    place_[b] = -1;
    if (!scan.model.bodies[b].collides) continue;
    place_[b] = static_cast<int>(colliding_.size());
    colliding_.push_back(static_cast<uint32_t>(b));
  }
  boxes_.resize(colliding_.size());
  const auto bound = [&](std::size_t b) {
    const Body& body = scan.model.bodies[b];
    if (body.points_B.empty() && !body.collides) return;  // touches nothing
    const Vec6& V = scan.V_WB[b];
    const double spin = V.head<3>().norm(), speed = V.tail<3>().norm() + body.bound * spin;
    reach_[b] = body.Moves() ? scan.Reach(speed, speed, scan.materials.largest_friction(),
                                          scan.materials.largest_relaxation_time()) +
                                   scan.SpinReach(spin)
                             : 0;
    pair_reach_[b] = body.Moves() ? scan.BodyReach(speed, spin, body.bound) : 0;
    if (count == 1 || !scan.model.pairs || place_[b] < 0) return;
    Bounds& box = At(boxes_, place_[b]);
    CalcBounds(body.shape, scan.state.X_WB[b], &box.min, &box.max);
    box.min.array() -= pair_reach_[b];
    box.max.array() += pair_reach_[b];
    box.is_static = !body.Moves();
  };
  if (!Shares(static_cast<int>(count))) {
    for (std::size_t b = 0; b < count; ++b) bound(b);
    return;
  }
  constexpr std::size_t kRun = 4 * kChunk;
  workers_->ForEach(static_cast<int>((count + kRun - 1) / kRun), [&](int run) {
    const std::size_t first = static_cast<std::size_t>(run) * kRun;
    for (std::size_t b = first; b < std::min(count, first + kRun); ++b) bound(b);
  });
}

void ContactDetector::Detect(const Model& model, const State& state, std::span<const Vec6> V_WB,
                             const ContactReach& reach, const MaterialPairs& materials,
                             std::span<const double> belts, NarrowPhaseId narrow_phase,
                             std::vector<ContactGeometry>* contacts) {
  contacts->clear();
  const int workers = workers_ == nullptr ? 1 : workers_->workers();
  scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(workers)));
  // threads take their time to wake: they are called while the boxes are compared
  if (shared_ && workers_ != nullptr) workers_->Wake();
  shared_ = false;
  const Scan scan{model, state, V_WB, reach, materials, belts, narrow_phase};
  BoundBodies(scan);
  DetectPoints(scan, contacts);
  DetectShapes(scan, contacts);
  if (model.bodies.size() == 1 || !model.pairs) return;
  DropLoneRobots(model);
  if (boxes_.size() > 1) DetectPairs(scan, contacts);
}

}  // namespace slip
