// Formulations of contacts with anchors: explicit Euler, and the exponential integrator. They run
// bodies whose contacts are points on surfaces.
#pragma once

#include <memory>
#include <vector>

#include "engine/collide/pair_contact.h"
#include "engine/integrators/exponential_step.h"
#include "engine/integrators/middle_bias.h"
#include "engine/integrators/stability.h"
#include "engine/method/formulation.h"

namespace slip {

/// What the steps of these formulations have in common: contacts, anchors, outcomes.
class IntegratorFormulation : public Formulation {
 public:
  /// Of explicit methods.
  static void Report(const SolvedStep& step, StepReport* report);

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  void SetWorkers(WorkerPool*) override {}
  void TakeOver(const Model& model, const Config& config, std::span<const PreviousContact> contacts,
                State* state) override;
  State StartState(const Model& model, const Config& config) const override;
  double ElasticEnergy(const StepInput& input) const override;
  double ElasticEnergy(const StepInput& input, std::span<const StoredContact> left) const override;

 protected:
  /// Force on a touching point, mean over the step [N].
  struct PointForce {
    Touch touch;
    Vec3 f_W = Vec3::Zero();
    double weight = 1;  ///< share of what the law gives there
  };
  /// One tree at the start of a step, and what the step makes of it.
  struct TreeStep {
    const Tree* tree = nullptr;
    TreeMotion* motion = nullptr;
    std::span<const AnchoredTouch> touches;
    double h = 0;
    StageTimes* times = nullptr;  ///< null = they are not asked for
    VectorX acceleration;         ///< mean over the step
    VectorX drift;                ///< mean of the mean: q+ = q (+) (h v + h²/2 drift)
    VectorX motors, dampers;      ///< of joints, mean over the step
    PullOutcome pull;
    std::vector<PointForce> forces;  ///< ascending by key
    bool converged = true;
    bool beyond_digits = false;  ///< did not, since numbers have no digits for it
  };
  /// What the mouse spring does in `step` when its force stays as it was at the start.
  static PullOutcome CalcConstantPull(const StepInput& input, const TreeStep& step);
  /// Once before the trees of a step.
  virtual void Begin(const StepInput&, const MaterialPairs&) {}
  /// Fills the second half of `step`. False: the step cannot be made.
  virtual bool Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) = 0;
  /// Whether forces follow their linear law within the step, beyond the cone too.
  virtual bool IsLinear() const { return false; }
  /// Whether springs and dampers of joints are implicit although contacts are not: these methods
  /// are about contacts, and their limit is that of contacts.
  virtual bool JointsAreImplicit() const { return false; }

 private:
  void BeginTree(const StepInput& input, const Tree& tree, StepOutput* output);
  void ClearSums(const Model& model);
  void AddTree(const StepInput& input, StepOutput* output);
  StepStatus CheckEnd(const StepInput& input, bool beyond_digits, StepOutput* output);
  void Finish(const StepInput& input, State* end);
  double CalcSharedError(const StepInput& input, const State& end) const;
  Vec3 Velocity(const State& end, const Touch& touch) const;
  /// The outcome of a contact under the mean force f_W; `before` where it touched at the start,
  /// `now` where it touches at the end, with `slips` there.
  void Append(const StepInput& input, const State& end, const Touch& touch, const Vec3& f_W,
              const AnchoredTouch* before, const AnchoredTouch* now, bool slips);
  /// What it takes of the tree's energy; negative: what it gives.
  double AddLosses(double h, const Vec3& f_C, const Vec3& v0_C, const Vec3& v_C,
                   const AnchoredTouch* before, const AnchoredTouch* now, bool slips);
  EnergyGain CalcGain(const StepInput& input, const State& end);
  static double StoredEnergy(const AnchoredTouch& at);

  const Model* checked_ = nullptr;  // what it has that these formulations do not:
  std::string_view missing_;        // a phrase
  int missing_in_ = -1;             // of this body
  MaterialPairs materials_;
  std::vector<Touch> found_;
  std::vector<AnchoredTouch> touches_;  // of all trees, in the order of their keys
  std::vector<AnchoredTouch> of_tree_;
  std::vector<PointForce> forces_;  // of all trees, in the order of their keys
  TreeMotion motion_;
  MiddleBias middle_;
  TreeStep tree_step_;
  StabilityProbe probe_;
  Kinematics kinematics_;
  VectorX displacement_;
  ContactLosses losses_;
  // Of each tree in the step [J]: what its contacts make from nothing, the work of all that drives
  // it, what its springs hold at both ends.
  std::vector<double> gains_, works_, stored_, still_stored_;
  std::vector<ContactOutcome> outcomes_;
  PairContacts shape_contacts_;
};

class ExplicitEuler : public IntegratorFormulation {
 protected:
  bool Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) override;
  bool JointsAreImplicit() const override { return true; }

 private:
  MatrixX J_;
};

class Exponential : public IntegratorFormulation {
 public:
  static void Report(const SolvedStep& step, StepReport* report);
  bool PredictForces(const StepInput& input, double span, int samples,
                     ForcePrediction* out) const override;

 protected:
  bool Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) override;
  bool IsLinear() const override { return true; }
  bool JointsAreImplicit() const override { return true; }

 private:
  static ExponentialSettings Settings(const StepParams& params);
  ExponentialStep step_;
  ExponentialOutcome out_;
};

}  // namespace slip
