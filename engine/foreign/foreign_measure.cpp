#include "engine/foreign/foreign_measure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/foreign/foreign_joints.h"

namespace slip {
namespace {

/// A given contact is of a found one that is not farther than this [m].
constexpr double kSameContact = 0.02;

}  // namespace

State StateOf(const Model& model, std::span<const Pose> X_WB, std::span<const Vec6> V_WB) {
  State state;
  SetStart(model, &state);
  state.X_WB.assign(X_WB.begin(), X_WB.end());
  ProjectJoints(model, X_WB, V_WB, &state);
  UpdatePoses(model, &state);
  return state;
}

ForeignMeasure::ForeignMeasure(std::shared_ptr<const ForeignRun> run, const Config& config)
    : run_(std::move(run)), config_(config) {
  const double h = run_->time_step() > 0 ? run_->time_step() : run_->median();
  if (h > 0) config_.step.time_step = h;
  SetStart(run_->model(), &record_.state);
  before_ = record_.state;
}

void ForeignMeasure::FillState(int64_t k, const std::vector<Pose>& X, const std::vector<Vec6>& V,
                               State* state) {
  const Model& model = run_->model();
  state->step = state->step_base = k + 1;
  state->time_base = run_->time(k);
  state->X_WB = X;
  ProjectJoints(model, X, V, state);
}

const StepRecord& ForeignMeasure::At(int64_t k) {
  if (k != last_ + 1) loaded_.clear();
  const bool follows = k == last_ + 1 && k > 0;
  if (follows) {
    std::swap(X_before_, X_WB_);
    std::swap(V_before_, V_WB_);
  } else if (k > 0) {
    run_->GetPoses(k - 1, &X_before_);
    run_->GetVelocities(k - 1, &V_before_);
  }
  run_->GetPoses(k, &X_WB_);
  run_->GetVelocities(k, &V_WB_);
  FillState(k, X_WB_, V_WB_, &record_.state);
  record_.measured = true;
  FindContacts(k);
  FindNet(k);
  if (run_->has_contacts()) {
    TakeGiven(k);
  } else {
    ShareNet();
  }
  Finish(k);
  last_ = k;
  return record_;
}

// Where each step was recorded, contacts are those that the step began with, as in every run of
// ours; else those of the sample.
void ForeignMeasure::FindContacts(int64_t k) {
  const Model& model = run_->model();
  const bool step = run_->StepsTo(k) == 1;
  FillState(step ? k - 1 : k, step ? X_before_ : X_WB_, step ? V_before_ : V_WB_, &before_);
  if (!step) before_.time_base -= config_.step.time_step;  // drives are taken at a step's end
  finder_.Find(model, config_, before_, step ? V_before_ : V_WB_, LawReach{}, &found_);
  const double h = step ? config_.step.time_step : 0;
  record_.contacts.clear();
  for (const ContactGeometry& g : found_) {
    const Material& material = finder_.material(model, g);
    const auto velocity = [&](int body) {
      if (body < 0) return Vec3(Vec3::Zero());
      const Vec6& V = slip::At(V_WB_, body);
      const Vec3 arm = g.p_W - before_.pose(body).p;
      return Vec3(V.tail<3>() + V.head<3>().cross(arm));
    };
    const Vec3 v = velocity(g.body) - velocity(g.body_a) - g.belt * g.t1_W;
    ContactFrame frame;
    frame.key = g.key;
    frame.surface = g.surface;
    frame.body_a = g.body_a;
    frame.body = g.body;
    frame.p_W = g.p_W;
    frame.n_W = g.n_W;
    const Pose& X = before_.pose(g.body);
    frame.p_BP = X.q.conjugate() * (g.p_W - X.p);
    frame.vn = v.dot(g.n_W);
    const Vec2 slip(v.dot(g.t1_W), v.dot(g.t2_W));
    frame.vt_W = g.ToWorld(Vec3(slip.x(), slip.y(), 0));
    frame.vt = slip.norm();
    frame.signed_distance = g.phi0 + h * frame.vn;
    frame.friction = material.friction;
    frame.fn = frame.ft = kNaN;
    frame.ft_W = Vec3::Constant(kNaN);
    frame.creep_predicted = frame.gliding_predicted = kNaN;
    frame.stiction_tolerance = frame.dissipation = frame.damping = kNaN;
    frame.stiffness = material.stiffness;
    record_.contacts.push_back(frame);
  }
}

// Newton and Euler for each body of its own: what its motion needs beside weight and pushes.
void ForeignMeasure::FindNet(int64_t k) {
  const Model& model = run_->model();
  const Vec3 gravity = CalcGravity(config_.step);
  net_.assign(model.bodies.size(), NetForce{});
  if (k < 1) return;
  const double h = run_->time(k) - run_->time(k - 1);
  const bool hole = h > 5 * run_->median();
  for (std::size_t b = 0; b < model.bodies.size() && !hole; ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0 || !run_->Has(static_cast<int>(b))) continue;
    // what joints take or give is not known
    if (model.trees[static_cast<std::size_t>(body.tree)].links > 1 || body.nq > 0) continue;
    NetForce& net = net_[b];
    const Vec6 &V0 = V_before_[b], &V1 = V_WB_[b];
    net.force_W = body.mass * ((V1.tail<3>() - V0.tail<3>()) / h - gravity);
    const Mat3 I_W = CalcInertia(body, X_before_[b]).I_W;
    net.torque_W = I_W * (V1.head<3>() - V0.head<3>()) / h + V0.head<3>().cross(I_W * V0.head<3>());
    for (std::size_t i = 0; i < model.pushes.size(); ++i) {
      const Push& push = model.pushes[i];
      if (push.body != static_cast<int>(b)) continue;
      const double scale = config_.pushes[i].scale, time = run_->time(k - 1);
      net.force_W -= scale * push.force.At(time, Vec3::Zero());
      net.torque_W -= scale * push.torque.At(time, Vec3::Zero());
    }
    // what its joint to the world takes is no contact's
    Vec6 kept = Vec6::Zero(), all;
    all << net.torque_W, net.force_W;
    for (int i = 0; i < body.nv; ++i) kept[body.dof[i]] = all[body.dof[i]];
    net.torque_W = kept.head<3>();
    net.force_W = kept.tail<3>();
    net.band = body.mass * run_->ForceBand(k);
    net.known = net.force_W.allFinite();
  }
}

// Given forces go to the nearest contact that was found between the two; one that nothing was
// found for stands by itself.
void ForeignMeasure::TakeGiven(int64_t k) {
  run_->GetContacts(k, &given_);
  forces_ = friction_ = true;
  for (ContactFrame& frame : record_.contacts) {
    frame.fn = frame.ft = 0;
    frame.ft_W.setZero();
  }
  const std::size_t found = record_.contacts.size();
  for (const GivenContact& given : given_) {
    ContactFrame* nearest = nullptr;
    double least = kSameContact;
    for (std::size_t i = 0; i < found; ++i) {
      ContactFrame& frame = record_.contacts[i];
      if (frame.body != given.body || frame.body_a != given.body_a) continue;
      const double distance = (frame.p_W - given.p_W).norm();
      // of points that are as near each gets its own
      if (distance < least || (distance == least && nearest != nullptr && nearest->fn != 0))
        least = distance, nearest = &frame;
    }
    if (nearest == nullptr) {
      ContactFrame alone;
      alone.body = given.body;
      alone.body_a = given.body_a;
      alone.p_W = given.p_W;
      alone.n_W = given.n_W;
      const Pose& X = before_.pose(given.body);
      alone.p_BP = X.q.conjugate() * (given.p_W - X.p);
      alone.signed_distance = alone.vn = alone.vt = kNaN;
      alone.stiffness = alone.creep_predicted = alone.gliding_predicted = kNaN;
      record_.contacts.push_back(alone);
      nearest = &record_.contacts.back();
    }
    const bool first = nearest->fn == 0 && nearest->ft == 0;
    nearest->fn += given.fn;
    nearest->ft_W += given.f_W - given.fn * given.n_W;
    nearest->ft =
        first || !nearest->ft_W.allFinite() ? nearest->ft + given.ft : nearest->ft_W.norm();
    slip::At(net_, given.body).given_W += given.f_W;
    if (given.body_a >= 0) slip::At(net_, given.body_a).given_W -= given.f_W;
  }
  for (ContactFrame& frame : record_.contacts) {
    // the direction of friction is not known, its size is
    if (!frame.ft_W.allFinite()) frame.ft_W.setZero();
  }
}

/// Contacts between the same two.
struct ForeignMeasure::Pair {
  int body_a = -1, surface = -1, body = 0;
  std::vector<ContactFrame*> points;
};

// A body that touches one other alone has its net force from that one; with more, nothing says who
// gives what.
void ForeignMeasure::ShareNet() {
  std::map<std::pair<std::pair<int, int>, int>, Pair> pairs;
  std::map<int, int> pairs_of;
  for (ContactFrame& frame : record_.contacts) {
    Pair& pair = pairs[{{frame.body_a, frame.surface}, frame.body}];
    if (pair.points.empty()) {
      pair = {frame.body_a, frame.surface, frame.body, {}};
      ++pairs_of[frame.body];
      if (frame.body_a >= 0) ++pairs_of[frame.body_a];
    }
    pair.points.push_back(&frame);
  }
  forces_ = friction_ = true;
  for (auto& [key, pair] : pairs) {
    const auto lone = [&](int body) {
      return body >= 0 && pairs_of[body] == 1 && slip::At(net_, body).known;
    };
    if (lone(pair.body)) {
      ShareAmong(slip::At(net_, pair.body), pair.body, false, pair.points);
    } else if (lone(pair.body_a)) {
      ShareAmong(slip::At(net_, pair.body_a), pair.body_a, true, pair.points);
    } else {
      forces_ = false;
    }
    friction_ = friction_ && forces_ && pair.points.size() == 1;
  }
}

// The smallest forces at the points whose sum and torque are those of the motion.
void ForeignMeasure::ShareAmong(const NetForce& net, int body, bool on_a,
                                std::vector<ContactFrame*> points) {
  const double sign = on_a ? -1 : 1;
  const Vec3 center = before_.pose(body).p;
  const double size = std::max(1e-3, run_->model().body(body).bound);
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Mat6 gram = Mat6::Zero();
  const auto cross = [&](const ContactFrame& frame) {
    const Vec3 r = (frame.p_W - center) / size;
    Mat3 out;
    out << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return out;
  };
  for (const ContactFrame* point : points) {
    const Mat3 r = cross(*point);
    gram.topLeftCorner<3, 3>() += Mat3::Identity();
    gram.topRightCorner<3, 3>() += r.transpose();
    gram.bottomLeftCorner<3, 3>() += r;
    gram.bottomRightCorner<3, 3>() += r * r.transpose();
  }
  Vec6 wanted;
  wanted << net.force_W, net.torque_W / size;
  // torques that the points cannot give are left out by a grain of softness
  const double grain = 1e-12 * static_cast<double>(points.size());
  gram.bottomRightCorner<3, 3>().diagonal().array() += grain;
  const Vec6 share = points.size() > 1 ? Vec6(gram.ldlt().solve(wanted)) : Vec6(wanted);
  Vec3 sum = Vec3::Zero();
  std::vector<Vec3> forces;
  for (const ContactFrame* point : points) {
    forces.push_back(points.size() > 1
                         ? Vec3(share.head<3>() + cross(*point).transpose() * share.tail<3>())
                         : Vec3(net.force_W));
    sum += forces.back();
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    ContactFrame& frame = *points[i];
    const Vec3 f = sign * (forces[i] + (net.force_W - sum) / static_cast<double>(points.size()));
    frame.fn = f.dot(frame.n_W);
    frame.ft_W = f - frame.fn * frame.n_W;
    frame.ft = frame.ft_W.norm();
    if (points.size() > 1) frame.word = kEstimated;
  }
}

}  // namespace slip
