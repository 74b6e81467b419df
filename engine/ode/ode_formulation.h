// ODE as a method (engine/README.md section 27): its own steps, with our contacts handed in.
#pragma once

#include <Eigen/Cholesky>
#include <string>
#include <vector>

#include "engine/method/contact_finder.h"
#include "engine/method/formulation.h"
#include "engine/method/pull.h"
#include "engine/ode/contact_law.h"
#include "engine/ode/engine.h"
#include "engine/ode/ode_params.h"

namespace slip {

/// Why a model is not handed in, of which body; empty where it is.
std::string FindOdeRefusal(const Model& model);

class OdeFormulation : public Formulation {
 public:
  static void Report(const SolvedStep& step, StepReport* report);

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  void SetWorkers(WorkerPool* workers) override { finder_.SetWorkers(workers); }
  State StartState(const Model& model, const Config& config) const override;
  double ElasticEnergy(const StepInput& input) const override;
  double ElasticEnergy(const StepInput& input, std::span<const StoredContact> left) const override;

 private:
  /// A body that moves, and which of theirs it is.
  struct Carried {
    int body = 0;
    bool keeps_pose = false;       ///< it hangs on no joint
    bool floats = false;           ///< in all six coordinates
    bool alone = false;            ///< likewise, and nothing hangs on it
    Quat turn = Quat::Identity();  ///< their axes in its own
  };
  /// A body on a joint, in the order of their joints.
  struct Jointed {
    int body = 0, parent = -1;
    Pose X_WF = {};                           ///< the joint's frame at the step's start
    double force = 0, damping = 0, held = 0;  ///< of its motor: force - damping v
  };
  /// A contact of the step under way.
  struct Contact {
    OdeLaw law;
    double w = 0;    ///< RMS of the Delassus block [1/kg]
    int place = -1;  ///< in given_; -1 = it does not touch
  };

  /// Makes the world once. Empty, or why the model cannot be stepped.
  std::string_view Prepare(const Model& model);
  void Carry(const Model& model, const State& start, int body, std::vector<OdeBody>* out);
  void CarryJoint(const Model& model, const State& start, int body, std::vector<OdeJoint>* out);
  /// Their number of a body's owner; -1 = of the world.
  int TheirsOf(const Model& model, int body) const;
  /// The law of a contact of these; `w` may be NaN where friction does not count.
  static OdeLaw LawOf(const Config& config, const Material& material, double w);
  void BeginMobility(const StepInput& input);
  /// J M⁻¹ Jᵀ of a point between two bodies, world axes [1/kg].
  Mat3 CalcMobility(const StepInput& input, int body_a, int body_b, const Vec3& p_W);
  void HandIn(const StepInput& input);
  void WriteState(const StepInput& input);
  void WriteJoints(const StepInput& input);
  void WriteMotors(const StepInput& input, std::size_t joint, double held);
  /// Against each other.
  void Turn(const Model& model, const Jointed& joint, const Vec3& torque_W);
  void WritePull(const StepInput& input);
  void ReadEnd(const StepInput& input, StepOutput* output);
  void ReadJoint(const Model& model, const Jointed& joint, VectorX* v) const;
  void ReadJointWork(const StepInput& input, StepOutput* output) const;
  /// Velocity of a body's point by the velocities at the step's end in the poses of its start.
  Vec3 CalcEndVelocity(const Model& model, int body, const Vec3& p_W) const;
  /// Of B relative to A at the contact point, at the step's end [m/s].
  Vec3 EndVelocity(const Model& model, const ContactGeometry& g) const;
  /// (t1, t2, n), on B; zero where it does not touch [N].
  Vec3 ForceOf(const ContactGeometry& g, const Contact& contact) const;
  void SetOutcome(const Model& model, std::size_t i, ContactOutcome* out) const;
  /// How far contacts are from their equations, relative.
  double CalcResidual() const;

  OdeEngine engine_;
  const Model* model_ = nullptr;
  std::string refusal_;
  std::vector<Carried> carried_;
  std::vector<Jointed> joints_;
  std::vector<Vec3> turn_bias_;  // angular acceleration without any of coordinates, of our bodies
  std::vector<int> theirs_;      // of each of our bodies; -1 = it does not move

  ContactFinder finder_;
  std::vector<ContactGeometry> geometry_;
  std::vector<Contact> contacts_;  // of each of them
  std::vector<OdeTouch> given_;
  std::vector<double> rows_, solved_;  // scratch
  MatrixX mass_, solution_;            // likewise
  struct TreeFactor {
    bool made = false;
    Eigen::LLT<MatrixX> llt;
  };
  std::vector<TreeFactor> factors_;    // of trees with joints, or held
  std::vector<Mat3> inverse_inertia_;  // world axes, of the carried ones that are alone
  std::vector<Pose> start_;            // of the carried ones
  Pull pull_;
  PullOutcome pulled_;
  double time_step_ = 0;
  bool measure_distance_ = true;  // in the last step
  std::vector<ContactOutcome> block_;
};

}  // namespace slip
