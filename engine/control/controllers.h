// Controllers of robots: at their own ticks they compute forces of joints, which hold until the
// next tick. What they remember is part of the State, so that a step stays a pure function.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/method/config.h"
#include "engine/method/step_io.h"

namespace slip {

/// Whether the controller can move this robot; the sentence names what is missing.
Status CheckController(const Model& model, const Robot& robot, ControllerId id);
/// Whether those of all robots can.
Status CheckControllers(const Model& model, const Config& config);

/// Why the value of a parameter changes nothing now, as a sentence: WhyUnused(), the robot's
/// controller does not read it, or the joint's motor has no stiffness. Empty where it matters.
std::string WhyUnread(const Model& model, const Config& config, const ParamEntry& entry);
/// Uses() of method/config.h, and what a robot does with its parameters.
bool Uses(const Model& model, const Config& config, const ParamEntry& entry);

/// All controllers of one model; memory is reused from step to step, what it keeps changes no
/// result. A controller that does not fit its robot gives no forces.
class Controllers {
 public:
  explicit Controllers(const Model& model);
  ~Controllers();
  Controllers(Controllers&&) noexcept;
  Controllers& operator=(Controllers&&) noexcept;

  /// Ticks those that are due at the state's time. `trees`: Kinematics::trees of the state;
  /// `control`: State::control after the ticks; `actuation`: forces of joints during the step,
  /// Model::nv [N m] or [N].
  void Update(const Model& model, const Config& config, const State& state,
              std::span<TreeDynamics> trees, VectorX* control, VectorX* actuation);

  /// The forces that a memory holds, as Update leaves them in `actuation`.
  void GetHeldForces(const Model& model, const VectorX& control, VectorX* actuation) const;

  /// Per robot, whether a memory is of a controller that has given up (fallen.h).
  /// From then on the motors only brake, until it is replaced or gets another period.
  void GetGivenUp(const VectorX& control, std::vector<char>* given_up) const;

  bool AnyGivenUp(const VectorX& control) const;
  /// The motors of those robots brake (fallen.h).
  void Brake(const Model& model, const VectorX& control, Config* config) const;

  /// Notes the loads of feet that a step has left, for the next tick. Contacts in ascending order
  /// of their keys.
  void NoteLoads(const Model& model, std::span<const KeyedLoad> contacts, VectorX* control) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
