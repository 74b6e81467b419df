// MuJoCo as a method (engine/README.md section 19): its own stages, with our contacts handed in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/method/contact_finder.h"
#include "engine/method/formulation.h"
#include "engine/method/pull.h"
#include "engine/mujoco/contact_law.h"
#include "engine/mujoco/coordinates.h"
#include "engine/mujoco/engine.h"
#include "engine/mujoco/mujoco_params.h"

namespace slip {

class MujocoFormulation : public Formulation {
 public:
  explicit MujocoFormulation(bool elliptic) : elliptic_(elliptic) {}
  static void Report(const SolvedStep& step, StepReport* report);

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  void SetWorkers(WorkerPool* workers) override { finder_.SetWorkers(workers); }
  State StartState(const Model& model, const Config& config) const override;
  double ElasticEnergy(const StepInput& input) const override;
  double ElasticEnergy(const StepInput& input, std::span<const StoredContact> left) const override;

 private:
  /// A joint's motor in the step, as it is handed in.
  struct Drive {
    int body = 0;
    double force = 0;    ///< constant [N] or [N m]
    double damping = 0;  ///< of the motor, at the step's end
  };

  /// Loads the model once. Empty, or why it cannot be stepped.
  std::string_view Prepare(const Model& model, const Config& config) const;
  /// What MuJoCo finds in place of what we found, under the keys of ours that are nearest.
  std::string_view TakeTheirContacts(const StepInput& input);
  double InverseMass(const Model& model, int body_a, int body_b) const;
  /// The law of a contact of these; κ and b are set.
  MujocoLaw LawOf(const Config& config, const Material& material, double inverse_mass) const;
  void HandIn(const StepInput& input);
  void WriteState(const StepInput& input);
  void WriteJoints(const StepInput& input);
  void WritePull(const StepInput& input);
  void ReadEnd(const StepInput& input, StepOutput* output);
  void ReadJoints(const StepInput& input, StepOutput* output) const;
  void SetOutcome(const Model& model, std::size_t i, ContactOutcome* out);
  MujocoOptions OptionsOf(const Config& config) const;
  Vec3 StartOffsetOf(const Model& model, const Config& config, int body) const;

  bool elliptic_;
  // loaded by whoever comes first, which changes no result
  mutable MujocoEngine engine_;
  mutable std::unique_ptr<MujocoCoordinates> coordinates_;
  mutable const Model* model_ = nullptr;
  mutable bool has_shapes_ = false;  // that touch
  mutable std::string refusal_;

  ContactFinder finder_;
  std::vector<ContactGeometry> geometry_, ours_;
  std::vector<MujocoFound> found_;
  std::vector<MujocoLaw> laws_;         // of each of them
  std::vector<double> inverse_masses_;  // likewise
  std::vector<int> place_;              // in given_; -1 = it does not touch
  std::vector<MujocoTouch> given_;
  std::vector<Drive> drives_;
  Pull pull_;
  PullOutcome pulled_;
  double time_step_ = 0;
  bool measure_distance_ = true;  // in the last step
  std::vector<ContactOutcome> block_;
};

class MujocoElliptic : public MujocoFormulation {
 public:
  MujocoElliptic() : MujocoFormulation(true) {}
};
class MujocoPyramidal : public MujocoFormulation {
 public:
  MujocoPyramidal() : MujocoFormulation(false) {}
};

}  // namespace slip
