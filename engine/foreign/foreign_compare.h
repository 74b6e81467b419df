// A recorded run beside channels that were stepped: aligned in time, and how far they come apart.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/foreign/foreign_measure.h"
#include "engine/sim/snapshot.h"

namespace slip {

class Simulation;

/// Where the bodies of a channel were, step by step; every second one is dropped when there are
/// very many.
class MotionTrail {
 public:
  /// Bodies times moments that are kept at most.
  explicit MotionTrail(std::size_t most = std::size_t{1} << 22) : most_(most) {}
  void Add(const Simulation& simulation);
  /// A moment that was shown.
  void Add(double time, std::span<const BodyFrame> bodies, bool overlaps);
  /// What was later goes.
  void Truncate(double time);
  bool empty() const { return times_.empty(); }
  double begin() const { return times_.front(); }
  double end() const { return times_.back(); }
  const std::vector<double>& times() const { return times_; }
  /// Of a body at a time between begin() and end(): cubic in positions.
  Pose Interpolate(int body, double time) const;
  /// Of the moments about a time, from one to the next [s].
  double Gap(double time) const;
  /// When some contact overlapped first [s]; NaN = none did.
  double first_contact() const { return first_contact_; }

 private:
  struct Moment {
    Pose X;
    Vec3 v;
  };
  void Thin();

  std::size_t most_;
  std::vector<double> times_;
  std::vector<Moment> moments_;  // bodies of each time
  std::size_t bodies_ = 0;
  int64_t stride_ = 1, seen_ = 0;
  double first_contact_ = kNaN;
};

enum class ForeignAlign : int { kNone, kFirstContact, kStart, kBest };
inline constexpr std::string_view kForeignAligns[] = {"none", "first-contact", "start", "best"};

/// Shifts the recording so that it goes along with the channel; what was done, a sentence. Error:
/// there is nothing to align by.
Result<std::string> Align(ForeignAlign how, const MotionTrail& trail, ForeignRun* run,
                          const Config& config);

/// Differences to a channel at the recording's own sample times, over all bodies of both.
struct ForeignDifference {
  int64_t samples = 0;                              ///< 0: no time in common
  double position_rms = kNaN, position_max = kNaN;  ///< [m]
  double angle_rms = kNaN;                          ///< [rad]
  double apart = kNaN;                              ///< first time apart by kApart [s]; NaN = never
  int apart_body = -1;
};
inline constexpr double kApart = 1e-3;  ///< [m]

/// What is passed over.
struct CompareLimits {
  int64_t samples = 0;          ///< about so many are compared, evenly spread; 0 = all
  double most_gap = kInfinity;  ///< none in a longer gap of the trail [s]
};
ForeignDifference Compare(const ForeignRun& run, const MotionTrail& trail,
                          const CompareLimits& limits = {});
/// The same of two trails, at the times of the first one.
ForeignDifference Compare(const Model& model, const MotionTrail& of, const MotionTrail& to,
                          const CompareLimits& limits = {});

/// What forces of a recording come to, over its samples.
struct ForeignForces {
  double net_max = kNaN;  ///< [N]
  int net_body = -1;
  double band = kNaN;         ///< most that rounding moves a net force [N]
  double band_of_weight = 0;  ///< the same over the body's weight
  double defect_max =
      kNaN;  ///< given minus needed [N]; NaN = contacts or their directions are not given
  double defect_rms = kNaN;
  int defect_body = -1;
  double defect_time = kNaN;

  /// After each sample.
  void Add(const ForeignMeasure& measure, int64_t k);

 private:
  int64_t count_ = 0;
  double squares_ = 0;
};

}  // namespace slip
