// Mistakes that most recordings are made with: their poses stand where the scene's bodies would,
// were the file to say otherwise.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "engine/foreign/foreign_run.h"

namespace slip {
namespace {

/// How far the first poses are from the scene's start.
struct Distance {
  double turn = 0;      ///< mean angle [rad]
  double position = 0;  ///< mean [m]
};

/// One way of reading, in place of what the file says.
struct Reading {
  const char* key;
  const char* value;
  ForeignMeta meta;
};

Distance FromStart(const ForeignRun& run, const ForeignMeta& meta) {
  const ForeignFile& file = run.file();
  const Model& model = run.model();
  Distance distance;
  int count = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!run.Has(static_cast<int>(b))) continue;
    const int64_t row = run.Row(static_cast<int>(b));
    std::array<double, 3> p{};
    std::array<double, 4> q{};
    file.position.Get(3 * row, p);
    file.turn.Get(4 * row, q);
    const Body& body = model.bodies[b];
    const Pose X = ConvertPose(meta, body, p.data(), q.data());
    const Pose& start = run.start()[b];
    const bool ball = body.shape.kind == ShapeKind::kSphere;
    distance.turn += ball ? 0 : X.q.angularDistance(start.q);
    distance.position += (X.p - start.p).norm();
    ++count;
  }
  distance.turn /= std::max(1, count);
  distance.position /= std::max(1, count);
  return distance;
}

bool IsSaid(std::span<const std::string> said, std::string_view key) {
  for (const std::string& text : said)
    if (text.starts_with(std::string(key) + "=")) return true;
  return false;
}

Error Suspect(const ForeignRun& run, std::string what, const char* key, const char* value) {
  return Error{.message = std::move(what),
               .file = run.file().path,
               .hint = fmt::format("--foreign-meta {}={}, or say the other value there to have it "
                                   "as it is",
                                   key, value)};
}

/// Sums of squares of given velocities minus what the poses make of them.
struct VelocityGap {
  double linear = 0, angular = 0;  // off
  double speed = 0, spin = 0;      // of the poses' own
};

VelocityGap CompareVelocities(const ForeignRun& run, const ForeignMeta& meta) {
  VelocityGap gap;
  const int64_t stride = std::max<int64_t>(1, run.samples() / 200);
  std::vector<Pose> before, after;
  std::vector<Vec6> given;
  ForeignRun other = run;
  other.SetMeta(meta);
  for (int64_t k = 1; k + 1 < run.samples(); k += stride) {
    if (run.time(k + 1) - run.time(k - 1) > 10 * run.median()) continue;
    other.GetPoses(k - 1, &before), other.GetPoses(k + 1, &after);
    other.GetVelocities(k, &given);
    const double h = other.time(k + 1) - other.time(k - 1);
    for (std::size_t b = 0; b < before.size(); ++b) {
      if (!run.Has(static_cast<int>(b))) continue;
      const Vec3 v = (after[b].p - before[b].p) / h;
      Quat turn = after[b].q * before[b].q.conjugate();
      if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
      const double angle = 2 * std::atan2(turn.vec().norm(), turn.w());
      if (angle > 2) continue;  // too coarse to tell
      const Vec3 w = angle / h * (angle > 0 ? Vec3(turn.vec().normalized()) : Vec3(Vec3::Zero()));
      gap.linear += (given[b].tail<3>() - v).squaredNorm();
      gap.angular += (given[b].head<3>() - w).squaredNorm();
      gap.speed += v.squaredNorm();
      gap.spin += w.squaredNorm();
    }
  }
  return gap;
}

}  // namespace

Status CheckConventions(const ForeignRun& run, std::span<const std::string> said) {
  const ForeignMeta& meta = run.file().meta;
  Reading order{"quaternion_order", meta.xyzw ? "wxyz" : "xyzw", meta},
      frame{"pose_of", meta.pose_of_link ? "com" : "link", meta},
      up{"up", meta.y_up ? "z" : "y", meta};
  order.meta.xyzw = !meta.xyzw;
  frame.meta.pose_of_link = !meta.pose_of_link;
  up.meta.y_up = !meta.y_up;
  const Distance is = FromStart(run, meta), ordered = FromStart(run, order.meta),
                 framed = FromStart(run, frame.meta), upright = FromStart(run, up.meta);
  constexpr double kFarTurn = 0.3, kNearTurn = 0.03;
  const auto comes_near = [](double far, double near, double least) {
    return far > least && near < 0.1 * far;
  };
  if (is.turn > kFarTurn && ordered.turn < kNearTurn && !IsSaid(said, order.key)) {
    return Suspect(run,
                   fmt::format("its quaternions are probably {}: read so, the bodies begin turned "
                               "as the scene has them, else {:.0f} degrees off",
                               order.value, is.turn * 180 / 3.14159265358979),
                   order.key, order.value);
  }
  if (comes_near(is.position, upright.position, 0.02) && is.turn > kFarTurn &&
      upright.turn < kNearTurn && !IsSaid(said, up.key)) {
    return Suspect(run,
                   fmt::format("its axis {} is probably up: read so, the bodies begin where "
                               "the scene has them",
                               up.value),
                   up.key, up.value);
  }
  if (comes_near(is.position, framed.position, 2e-3) && !IsSaid(said, frame.key)) {
    return Suspect(run,
                   fmt::format("its poses are probably those of {}: read so, the bodies begin "
                               "where the scene has them, else {:.3g} m off",
                               meta.pose_of_link ? "centres of mass" : "link frames", is.position),
                   frame.key, frame.value);
  }
  if (!run.file().has_velocity() || run.samples() < 4) return Ok{};
  const VelocityGap gap = CompareVelocities(run, meta);
  ForeignMeta body_axes = meta, link = meta;
  body_axes.spin_in_body = !meta.spin_in_body;
  link.velocity_of_link = !meta.velocity_of_link;
  if (gap.spin > 0 && gap.angular > 0.05 * gap.spin && !IsSaid(said, "angular_velocity_in") &&
      CompareVelocities(run, body_axes).angular < 0.02 * gap.angular) {
    const char* value = meta.spin_in_body ? "world" : "body";
    return Suspect(run,
                   fmt::format("its angular velocities are probably in {} axes: read so, the "
                               "poses turn as they say",
                               value),
                   "angular_velocity_in", value);
  }
  if (gap.speed > 0 && gap.linear > 0.05 * gap.speed && !IsSaid(said, "velocity_of") &&
      CompareVelocities(run, link).linear < 0.02 * gap.linear) {
    const char* value = meta.velocity_of_link ? "com" : "link";
    return Suspect(run,
                   fmt::format("its velocities are probably those of {}: read so, the poses move "
                               "as they say",
                               meta.velocity_of_link ? "centres of mass" : "link frames"),
                   "velocity_of", value);
  }
  return Ok{};
}

}  // namespace slip
