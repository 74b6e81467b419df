#include "engine/fit/fit_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/quantity_text.h"
#include "engine/core/worker_pool.h"
#include "engine/dynamics/joint.h"
#include "engine/fit/flight.h"
#include "engine/fit/toss.h"
#include "engine/foreign/foreign_measure.h"
#include "engine/method/contact_finder.h"

namespace slip {
namespace {

// Cameras see corners some 7 % of a half edge off (cubes of ContactNets).
constexpr double kFar = 0.3;         ///< of the half of its smallest side a body is not off
constexpr double kFarTurn = 0.5;     ///< [rad]
constexpr double kShare = 0.1;       ///< of the samples: a few are outliers
constexpr int64_t kLeastFallen = 8;  ///< samples that tell an acceleration

std::string Named(const Body& body) { return "'" + body.name.substr(0, 60) + "'"; }

double FarOf(const Body& body) { return std::max(kFar * body.half_width, 0.05 * body.bound); }

Error Misfit(const ForeignRun& run, std::string message) {
  return {.message = std::move(message),
          .file = run.file().path,
          .hint = "the recording is not of this scene, or its units or its place differ"};
}

/// Least squares by the columns of A; *scatter: of each coordinate about it.
Eigen::MatrixX3d Regress(const MatrixX& A, const Eigen::MatrixX3d& points, double* scatter) {
  const Eigen::MatrixX3d x = A.colPivHouseholderQr().solve(points);
  const auto freedom = static_cast<double>(3 * (A.rows() - A.cols()));
  *scatter = std::sqrt((points - A * x).squaredNorm() / std::max(1.0, freedom));
  return x;
}

/// What the first samples say of the way of a body: powers of time, and places.
struct Way {
  MatrixX powers;  ///< 1, t, t^2 / 2
  Eigen::MatrixX3d places;
};
Way WayOf(const ForeignRun& run, int body, int64_t samples) {
  Way way{MatrixX(samples, 3), Eigen::MatrixX3d(samples, 3)};
  std::vector<Pose> X;
  for (int64_t k = 0; k < samples; ++k) {
    run.GetPoses(k, &X);
    const double t = run.time(k) - run.time(0);
    way.powers.row(k) << 1, t, 0.5 * t * t;
    way.places.row(k) = At(X, body).p.transpose();
  }
  return way;
}

/// How far a body gets along and about axes that its joint holds, over all samples [m], [rad].
std::optional<Error> FindHeld(const ForeignRun& run, int index) {
  const Body& body = run.model().body(index);
  if (!KeepsPose(body.joint.kind) || body.nv == 6) return std::nullopt;
  std::vector<Pose> X;
  run.GetPoses(0, &X);
  const Pose first = At(X, index);
  double moved = 0, turned = 0;
  for (int64_t k = 1; k < run.samples(); ++k) {
    run.GetPoses(k, &X);
    Vec6 way;  // (turn, path)
    way << CalcRotationVector(At(X, index).q * first.q.conjugate()), At(X, index).p - first.p;
    for (int i = 0; i < body.nv; ++i) way[body.dof[i]] = 0;
    turned = std::max(turned, way.head<3>().norm());
    moved = std::max(moved, way.tail<3>().norm());
  }
  if (moved <= FarOf(body) && turned <= kFarTurn) return std::nullopt;
  return Misfit(
      run, fmt::format("{} moves by {} and turns by {} where its joint in this scene "
                       "holds it",
                       Named(body), FormatQuantity(moved, "m"), FormatQuantity(turned, "rad")));
}

/// How near recorded bodies are to what else there is.
struct Nearness {
  std::vector<int64_t> deep;     ///< per body, samples in which it lies deep in something
  std::vector<double> depth;     ///< and how deep [m]
  std::vector<double> distance;  ///< at the nearest [m]
};
Nearness NearnessOf(const ForeignRun& run, const Config& config) {
  const Model& model = run.model();
  const std::size_t count = model.bodies.size();
  Nearness near{std::vector<int64_t>(count, 0), std::vector<double>(count, 0),
                std::vector<double>(count, kInfinity)};
  LawReach reach;
  for (const Body& body : model.bodies) reach.distance = std::max(reach.distance, FarOf(body));
  ContactFinder finder;
  std::vector<ContactGeometry> found;
  std::vector<Pose> X;
  const std::vector<Vec6> at_rest(count, Vec6::Zero());
  const auto known = [&](int body) {
    const int link = model.body(body).shape_of_link;
    return !model.body(body).Moves() || run.Has(link >= 0 ? link : body);
  };
  std::vector<double> deepest(count);
  for (int64_t k = 0; k < run.samples(); ++k) {
    run.GetPoses(k, &X);
    finder.Find(model, config, StateOf(model, X, at_rest), at_rest, reach, &found);
    std::fill(deepest.begin(), deepest.end(), 0);
    for (const ContactGeometry& contact : found) {
      if (!known(contact.body) || (contact.body_a >= 0 && !known(contact.body_a))) continue;
      for (const int body : {contact.body, contact.body_a}) {
        if (body < 0) continue;
        At(deepest, body) = std::max(At(deepest, body), -contact.phi0);
        At(near.distance, body) = std::min(At(near.distance, body), contact.phi0);
      }
    }
    for (std::size_t b = 0; b < count; ++b) {
      near.depth[b] = std::max(near.depth[b], deepest[b]);
      if (deepest[b] > FarOf(model.bodies[b])) ++near.deep[b];
    }
  }
  return near;
}

/// A body that nothing touches falls along a parabola.
std::optional<Error> FindBent(const ForeignRun& run, const Config& config, int index) {
  const Body& body = run.model().body(index);
  const Way way = WayOf(run, index, run.samples());
  const Eigen::MatrixX3d straight =
      way.places - way.powers.col(2) * CalcGravity(config.step).transpose();
  double off = 0;
  Regress(way.powers.leftCols<2>(), straight, &off);
  if (off <= FarOf(body)) return std::nullopt;
  return Misfit(run,
                fmt::format("{} does not fall freely, and yet nothing of this scene is nearer to "
                            "it than {}",
                            Named(body), FormatQuantity(FarOf(body), "m")));
}

/// What flies falls by the scene's gravity.
std::optional<Error> FindOtherFall(const ForeignRun& run, const Config& config, int index,
                                   int64_t samples) {
  if (samples < kLeastFallen) return std::nullopt;
  // no more: what is far from all else in this scene may touch in its own
  const Way way = WayOf(run, index, std::min(samples, 2 * kLeastFallen));
  double scatter = 0;
  const Eigen::MatrixX3d x = Regress(way.powers, way.places, &scatter);
  const Vec3 fall = x.row(2), gravity = CalcGravity(config.step);
  const Mat3 spread = (way.powers.transpose() * way.powers).inverse();
  const double error = scatter * std::sqrt(3 * spread(2, 2));
  constexpr double kSurely = 6, kShareOfFall = 0.3, kLeast = 1;  // [m/s^2]
  const double most = std::max({kSurely * error, kShareOfFall * gravity.norm(), kLeast});
  if (!((fall - gravity).norm() > most)) return std::nullopt;
  return Misfit(run,
                fmt::format("{} flies at first and falls by {}, in this scene by {}",
                            Named(run.model().body(index)), FormatQuantity(fall.norm(), "m/s²"),
                            FormatQuantity(gravity.norm(), "m/s²")));
}

/// Whether some parameter of the search moves what some method makes of a run.
bool Depends(const FitPlan& plan, const std::shared_ptr<const ForeignRun>& run) {
  for (std::size_t m = 0; m < plan.methods(); ++m) {
    const Config& own = plan.base.configs[m];
    const Toss toss(run, plan.base.scene->ModelFor(own), own, plan.smooth);
    std::optional<TossError> first;
    for (const std::size_t axis : plan.AxesOf(m)) {
      for (const double end : {plan.axes[axis].low, plan.axes[axis].high}) {
        Config config = own;
        static_cast<void>(SetParam(&config, plan.axes[axis].path, end));  // checked with the plan
        const TossError error = toss.Measure(plan.base.scene->ModelFor(config), config);
        if (first && error.way != first->way) return true;
        first = error;
      }
    }
  }
  return false;
}

}  // namespace

std::optional<Error> FindMisfit(const ForeignRun& run, const Config& config) {
  const Model& model = run.model();
  std::vector<int> bodies;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.Moves() && body.shape_of_link < 0 && run.Has(static_cast<int>(b)))
      bodies.push_back(static_cast<int>(b));
  }
  if (bodies.empty()) return Misfit(run, "no body that it has can move in this scene");
  for (const int body : bodies)
    if (std::optional<Error> error = FindHeld(run, body)) return error;
  const Nearness near = NearnessOf(run, config);
  for (std::size_t b = 0; b < near.deep.size(); ++b) {
    if (static_cast<double>(near.deep[b]) <= kShare * static_cast<double>(run.samples())) continue;
    return Misfit(run, fmt::format("{} lies up to {} deep in what it touches in this scene, in {} "
                                   "of {} samples",
                                   Named(model.bodies[b]), FormatQuantity(near.depth[b], "m"),
                                   near.deep[b], run.samples()));
  }
  const std::vector<int64_t> flight = CountFlight(run, config);
  for (const int index : bodies) {
    if (!FliesFreely(model, model.body(index), index)) continue;
    if (std::optional<Error> error = FindOtherFall(run, config, index, At(flight, index)))
      return error;
    if (At(near.distance, index) <= FarOf(model.body(index))) continue;
    if (std::optional<Error> error = FindBent(run, config, index)) return error;
  }
  return std::nullopt;
}

Result<std::vector<std::string>> CheckFitRuns(FitPlan* plan, int jobs) {
  const std::size_t count = plan->runs.size();
  std::vector<std::optional<Error>> misfits(count);
  std::vector<char> tells(count, 0);
  WorkerPool workers(jobs);
  workers.ForEach(static_cast<int>(count), [&](int i) {
    const auto& run = At(plan->runs, i);
    const bool enough = run->samples() >= kLeastFlight;
    At(misfits, i) = enough ? FindMisfit(*run, plan->base.configs.front()) : std::nullopt;
    At(tells, i) = enough && !At(misfits, i) && Depends(*plan, run);
  });
  ErrorList errors;
  std::size_t more = 0;
  constexpr std::size_t kMostTold = 5;
  for (const std::optional<Error>& misfit : misfits) {
    if (!misfit) continue;
    if (errors.size() < kMostTold) {
      errors.push_back(*misfit);
    } else {
      ++more;
    }
  }
  if (more > 0) errors.push_back({.message = fmt::format("and {} more are not of it", more)});
  if (!errors.empty()) return errors;
  std::vector<std::string> told;
  std::vector<std::shared_ptr<const ForeignRun>> runs;
  std::vector<char> held_out;
  for (std::size_t i = 0; i < count; ++i) {
    const ForeignRun& run = *plan->runs[i];
    if (tells[i] != 0) {
      runs.push_back(plan->runs[i]);
      held_out.push_back(plan->held_out[i]);
    } else if (run.samples() < kLeastFlight) {
      told.push_back(fmt::format("{} is left out: {} samples tell nothing, and {} are the least",
                                 run.name(), run.samples(), kLeastFlight));
    } else {
      told.push_back(run.name() +
                     " is left out: no parameter of --vary changes it, as of what flies freely or "
                     "lies still");
    }
  }
  if (std::count(held_out.begin(), held_out.end(), 0) == 0) {
    for (std::string& sentence : told) errors.push_back({.message = std::move(sentence)});
    errors.push_back({.message = "no recorded run is left to fit to"});
    return errors;
  }
  plan->runs = std::move(runs);
  plan->held_out = std::move(held_out);
  return told;
}

}  // namespace slip
