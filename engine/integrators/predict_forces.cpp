// The contact forces that exponential integration foretells: those of the step's linear system,
// followed beyond the step (Hammoud et al., eq. (12): lambda(t) = D x(t)).
#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/integrator_params.h"

namespace slip {

// Nothing of the formulation's memory is used: the next step must not know of this.
bool Exponential::PredictForces(const StepInput& input, double span, int samples,
                                ForcePrediction* out) const {
  const Model& model = input.model;
  const Config& config = input.config;
  MaterialPairs materials;
  materials.Combine(config.materials);
  std::vector<Touch> found;
  std::vector<AnchoredTouch> touches, of_tree;
  FindTouches(model, config, materials, input.start.Time(config.step.time_step), input.start,
              &found);
  FindAnchors(found, input.start.memory, &touches);
  if (touches.empty()) return false;

  const auto count = static_cast<std::size_t>(samples) + 1;
  out->contacts.clear();
  out->normal.assign(count, 0);
  out->span = span;
  TreeMotion motion;
  MiddleBias middle;
  ExponentialStep step;
  MatrixX forces;
  for (const Tree& tree : model.trees) {
    of_tree.clear();
    for (const AnchoredTouch& at : touches) {
      const Body& body = model.body(at.touch.body);
      if (&model.TreeOf(body) == &tree) of_tree.push_back(at);
    }
    if (of_tree.empty()) continue;
    TreeDynamics* links = tree.articulated >= 0 ? &At(input.trees, tree.articulated) : nullptr;
    motion.Update(model, config, tree, links, input.start, input.V_WB, input.actuation);
    if (config.step.part<BiasParams>().bias == static_cast<int>(BiasForm::kMidpoint))
      middle.Take(input, tree, true, &motion);
    if (!step.Predict(&motion, of_tree, Settings(config.step), span, samples, &forces))
      return false;
    for (std::size_t i = 0; i < of_tree.size(); ++i) {
      const Touch& touch = of_tree[i].touch;
      ForcePrediction::Contact& contact = out->contacts.emplace_back();
      contact.key = touch.key;
      contact.body = touch.body;
      contact.n_W = touch.n_W;
      contact.f_W.resize(count);
      for (std::size_t k = 0; k < count; ++k) {
        contact.f_W[k] =
            forces.col(static_cast<Eigen::Index>(k)).segment<3>(static_cast<Eigen::Index>(3 * i));
        out->normal[k] += contact.Normal(k);
      }
    }
  }
  std::sort(out->contacts.begin(), out->contacts.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  return true;
}

}  // namespace slip
