#include "engine/fit/flight.h"

#include <algorithm>
#include <cmath>

#include "engine/foreign/foreign_measure.h"
#include "engine/method/contact_finder.h"

namespace slip {

bool FliesFreely(const Model& model, const Body& body, int index) {
  const bool alone = body.Moves() && body.shape_of_link < 0 && body.nv == 6 && body.nq == 0 &&
                     At(model.trees, body.tree).links == 1;
  const auto pushes = [index](const Push& push) { return push.body == index; };
  return alone && std::none_of(model.pushes.begin(), model.pushes.end(), pushes);
}

std::vector<int64_t> CountFlight(const ForeignRun& run, const Config& config) {
  const Model& model = run.model();
  std::vector<int64_t> flight(model.bodies.size(), 0);
  std::vector<char> flies(model.bodies.size(), 0);
  for (std::size_t b = 0; b < flies.size(); ++b) {
    const int index = static_cast<int>(b);
    flies[b] = run.Has(index) && FliesFreely(model, model.bodies[b], index);
  }
  ContactFinder finder;
  std::vector<ContactGeometry> found;
  std::vector<Pose> X;
  std::vector<Vec6> V;
  for (int64_t k = 0; k < run.samples(); ++k) {
    if (k > 0 && run.time(k) - run.time(k - 1) > 5 * run.median()) break;
    run.GetPoses(k, &X);
    run.GetVelocities(k, &V);
    finder.Find(model, config, StateOf(model, X, V), V, LawReach{}, &found);
    for (const ContactGeometry& contact : found) {
      if (contact.phi0 > 0) continue;
      At(flies, contact.body) = 0;
      if (contact.body_a >= 0) At(flies, contact.body_a) = 0;
    }
    bool any = false;
    for (std::size_t b = 0; b < flies.size(); ++b) {
      // the touch may have been within the sample before, whose turn is then not free
      if (flies[b] != 0) flight[b] = k, any = true;
    }
    if (!any) break;
  }
  return flight;
}

int64_t CountBallistic(const ForeignRun& run, const Config& config, int body, int64_t most) {
  constexpr double kFar = 6, kLeastScatter = 50e-6;  // [m]
  const Vec3 gravity = CalcGravity(config.step);
  std::vector<Pose> all;
  std::vector<Vec3> straight;  // positions less the fall
  std::vector<double> times;
  for (int64_t k = 0; k < most; ++k) {
    run.GetPoses(k, &all);
    const double t = run.time(k) - run.time(0);
    const Vec3 p = At(all, body).p - 0.5 * t * t * gravity;
    if (k >= kLeastFlight) {
      const double n = static_cast<double>(k);
      double mean = 0, spread = 0, scatter = 0;
      Vec3 center = Vec3::Zero(), slope = Vec3::Zero();
      for (std::size_t i = 0; i < times.size(); ++i)
        mean += times[i] / n, center += straight[i] / n;
      for (std::size_t i = 0; i < times.size(); ++i) {
        spread += (times[i] - mean) * (times[i] - mean);
        slope += (times[i] - mean) * straight[i];
      }
      slope /= spread;
      for (std::size_t i = 0; i < times.size(); ++i)
        scatter += (straight[i] - center - (times[i] - mean) * slope).squaredNorm();
      scatter = std::sqrt(scatter / (3 * n - 6));
      const double off = (p - center - (t - mean) * slope).norm();
      // what touches within a step bends the sample before it a little
      if (off > kFar * std::max(scatter, kLeastScatter)) return k - 1;
    }
    straight.push_back(p);
    times.push_back(t);
  }
  return most;
}

}  // namespace slip
