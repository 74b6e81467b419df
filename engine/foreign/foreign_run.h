// A recorded run of anything, as the bodies of a scene: centres of mass, world axes with z up,
// turns of the bodies' own axes. It can be looked at, measured and compared, never steered.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/foreign/foreign_file.h"

namespace slip {

/// A given contact in the scene's terms. Forces act on B.
struct GivenContact {
  int body_a = -1;        ///< -1 = a surface, or what the scene has not
  int body = 0;           ///< B
  Vec3 p_W, n_W;          ///< [m], from A into B
  double fn = 0, ft = 0;  ///< [N]
  Vec3 f_W;               ///< [N]; NaN where directions are not known
};

class ForeignRun {
 public:
  /// Error: no body matches, or the poses are likely of another convention than the file says;
  /// what a command line says of it (`said`, "KEY=VALUE") is believed.
  static Result<ForeignRun> Make(ForeignFile file, std::shared_ptr<const Model> model,
                                 std::string name, std::span<const std::string> said);

  const std::string& name() const { return name_; }
  const ForeignFile& file() const { return file_; }
  const Model& model() const { return *model_; }
  int64_t samples() const { return static_cast<int64_t>(file_.time.size()); }
  double time(int64_t k) const { return file_.time[static_cast<std::size_t>(k)] + shift_; }
  double shift() const { return shift_; }
  void SetShift(double seconds) { shift_ = seconds; }
  /// Steps of the engine from the sample before to this one; 0 = not known.
  int64_t StepsTo(int64_t k) const;
  /// Of the engine [s]; NaN = not known.
  double time_step() const { return file_.meta.time_step; }
  /// Between samples, the median [s].
  double median() const { return median_; }
  /// Of a body of the model in the file; -1 = it is not there.
  int Row(int body) const { return At(row_of_, body); }
  bool Has(int body) const { return Row(body) >= 0; }
  /// Other conventions from now on.
  void SetMeta(const ForeignMeta& meta) { file_.meta = meta; }
  /// Poses of the bodies at the scene's start.
  const std::vector<Pose>& start() const { return start_; }
  /// All bodies that can move are in the file.
  bool whole() const { return whole_; }
  bool has_contacts() const { return !file_.contact_time.empty(); }
  /// What is worth telling, sentences without full stop.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Of all bodies of the model; those that the file has not are at their start and at rest.
  void GetPoses(int64_t k, std::vector<Pose>* X_WB) const;
  /// (angular, linear), as given, else by differences of poses.
  void GetVelocities(int64_t k, std::vector<Vec6>* V_WB) const;
  /// Between samples; false before the first, behind the last, and in holes.
  bool Interpolate(double time, std::vector<Pose>* X_WB, std::vector<Vec6>* V_WB) const;
  /// The last sample that is not after a time; -1 = all are.
  int64_t SampleAt(double time) const;
  void GetContacts(int64_t k, std::vector<GivenContact>* contacts) const;
  /// Most that rounding of what was written can move a force on 1 kg from sample k - 1 to k [N].
  double ForceBand(int64_t k) const;

 private:
  ForeignRun() = default;
  Status Match();
  void FindHoles();

  ForeignFile file_;
  std::shared_ptr<const Model> model_;
  std::string name_;
  std::vector<int> row_of_;   // of a body of the model in the file; -1 = not there
  std::vector<int> body_of_;  // of a row of the file; -1 = the scene has no such body
  std::vector<Pose> start_;
  bool whole_ = true;
  double shift_ = 0, median_ = 0;
  std::vector<std::string> notes_;
};

/// What its conventions are likely to be where poses or velocities say something else than the
/// file, as a sentence with a hint; `said` as above.
Status CheckConventions(const ForeignRun& run, std::span<const std::string> said);

/// One pose by the conventions of a file: p of 3, q of 4 numbers.
Pose ConvertPose(const ForeignMeta& meta, const Body& body, const double* p, const double* q);

}  // namespace slip
