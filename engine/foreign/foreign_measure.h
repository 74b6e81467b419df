// What the poses of a recorded run, its velocities and the contacts that it gives say of each
// sample, by the detector and the table of signals that all channels are judged by.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/foreign/foreign_run.h"
#include "engine/method/contact_finder.h"
#include "engine/sim/simulation.h"
#include "engine/sim/snapshot.h"

namespace slip {

struct ContactTotals;

/// Why a signal is not to be had of a recorded run; of one that now and then is, why it is missing
/// where it is.
std::string_view ForeignReason(Signal signal);

/// A state with these bodies and velocities; of bodies that joints link, what the joints let be.
State StateOf(const Model& model, std::span<const Pose> X_WB, std::span<const Vec6> V_WB);

/// The word of a contact whose force is a share of what its pair gives in sum.
inline constexpr std::string_view kEstimated = "estimated";

/// Net force and torque of contacts on a body, mean over the time to a sample.
struct NetForce {
  bool known = false;
  Vec3 force_W = Vec3::Zero(), torque_W = Vec3::Zero();  ///< [N], at the centre of mass [N m]
  double band = 0;              ///< most that rounding in the file moves the force [N]
  Vec3 given_W = Vec3::Zero();  ///< sum of the given contacts' forces [N]
};

/// Measures samples; quickest in their order, as it keeps the one before.
class ForeignMeasure {
 public:
  /// `config`: the scene's, whose materials, drives and gravity hold for the recording as well.
  ForeignMeasure(std::shared_ptr<const ForeignRun> run, const Config& config);

  const ForeignRun& run() const { return *run_; }
  const Config& config() const { return config_; }
  /// Sample k as a step: its state, contacts and signals, not a number where there is none.
  const StepRecord& At(int64_t k);
  /// Of the bodies at the sample last asked for.
  const std::vector<NetForce>& net() const { return net_; }
  const std::vector<Vec6>& velocities() const { return V_WB_; }

 private:
  struct Pair;
  void FillState(int64_t k, const std::vector<Pose>& X, const std::vector<Vec6>& V, State* state);
  void FindContacts(int64_t k);
  void FindNet(int64_t k);
  void TakeGiven(int64_t k);
  void ShareNet();
  void ShareAmong(const NetForce& net, int body, bool on_a, std::vector<ContactFrame*> points);
  const ContactFrame* SumContacts(ContactTotals* totals);
  void Finish(int64_t k);

  std::shared_ptr<const ForeignRun> run_;
  Config config_;
  ContactFinder finder_;
  std::vector<ContactGeometry> found_;
  std::vector<GivenContact> given_;
  std::vector<Pose> X_before_, X_WB_;
  std::vector<Vec6> V_before_, V_WB_;
  State before_;  // where the contacts of the present sample were found
  std::vector<NetForce> net_;
  std::vector<ContactKey> loaded_;  // contacts with load at the sample before
  int64_t last_ = -2;
  bool forces_ = false;    // every contact of the present sample has its force
  bool friction_ = false;  // and its friction, point by point
  std::vector<JointFrame> joints_;
  StepRecord record_;
};

}  // namespace slip
