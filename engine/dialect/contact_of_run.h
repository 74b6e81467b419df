// The contact of a run that is translated.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/dialect/dialect.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/sim/simulation.h"

namespace slip {

/// Inverse masses of a model as it starts; of large trees zeros.
InverseMasses CalcStartMasses(const Model& model);

/// The same for whoever looks often: computed when the model is another one.
class StartMasses {
 public:
  const InverseMasses& Of(const std::shared_ptr<const Model>& model);

 private:
  std::shared_ptr<const Model> model_;
  InverseMasses masses_;
};

/// The contact with the largest normal force, of those that `among` lets pass; null without load.
const ContactFrame* FindMostLoaded(std::span<const ContactFrame> contacts,
                                   const std::function<bool(const ContactFrame&)>& among = {});

struct PickedContact {
  std::string name;  ///< "floor:box"
  DialectContact numbers;
};
/// Of the last step, between these two ("A:B", in either order), or of all, the one with the
/// largest normal force. Errors: no such names, no load.
Result<PickedContact> FindDialectContact(const Simulation& simulation, std::string_view pair);

/// One that carries load of a step with these `contacts`, which it is one of. `masses` are those of
/// the model's start. Error: a contact moves neither of its bodies.
Result<PickedContact> DescribeContact(const Model& model, const Config& config,
                                      std::span<const ContactFrame> contacts,
                                      const ContactFrame& contact, const InverseMasses& masses);

}  // namespace slip
