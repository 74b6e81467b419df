// A scene of the program, with any parameters within their ranges and bodies pushed anywhere, for
// three steps.
#include <fuzzer/FuzzedDataProvider.h>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

constexpr int kMostBodies = 8, kMostIterations = 20, kSteps = 3;

const std::vector<std::shared_ptr<const Scene>>& Scenes() {
  static const auto scenes = [] {
    std::vector<std::shared_ptr<const Scene>> found;
    for (const std::string& name : ListScenes()) {
      const auto scene = FindScene(name);
      Require(scene.ok(), "the program's scenes are valid");
      found.push_back(*scene);
    }
    return found;
  }();
  return scenes;
}

double ValueWithin(const ParamInfo& info, FuzzedDataProvider* bytes) {
  const double part = bytes->ConsumeProbability<double>();
  if (info.zero && part < 0.05) return 0;
  double value = info.min + part * (info.max - info.min);
  if (info.scale == Scale::kLog) value = info.min * std::pow(info.max / info.min, part);
  if (info.scale == Scale::kInteger || info.scale == Scale::kChoice) value = std::round(value);
  return std::clamp(value, info.min, info.max);
}

/// Every parameter keeps its value or, half the time, takes another one.
Config ChooseConfig(const Scene& scene, FuzzedDataProvider* bytes) {
  Config config = scene.config;
  for (const ParamEntry& entry : ListParams(config)) {
    if (!bytes->ConsumeBool()) continue;
    const double value = ValueWithin(*entry.info, bytes);
    Require(SetParam(&config, entry.path, value).ok(), "a value within the range is taken");
  }
  config.step.max_iterations = std::min(config.step.max_iterations, kMostIterations);
  int left = kMostBodies;
  for (PileDrive& pile : config.piles) {
    pile.bodies = std::clamp(pile.bodies, 1, std::max(1, left));
    left -= pile.bodies;
  }
  return config;
}

std::shared_ptr<const Model> ChooseModel(const Scene& scene, const Config& config,
                                         FuzzedDataProvider* bytes) {
  const std::shared_ptr<const Model> built = scene.ModelFor(config);
  if (!bytes->ConsumeBool()) return built;
  auto model = std::make_shared<Model>(*built);
  const double reach = bytes->ConsumeFloatingPointInRange(0.0, 0.5);
  const double speed = std::pow(10, bytes->ConsumeFloatingPointInRange(-6.0, 2.0));
  const auto any = [&] { return bytes->ConsumeFloatingPointInRange(-1.0, 1.0); };
  for (Body& body : model->bodies) {
    if (bytes->remaining_bytes() == 0) break;
    for (int i = 0; i < body.nv; ++i) body.V_WB[body.dof[i]] = speed * any();
    // a body of a plane stays in it
    if (body.joint.kind == JointKind::kFree) body.X_WB.p += reach * Vec3(any(), any(), any());
  }
  return model;
}

void CheckState(const Simulation& simulation) {
  Require(simulation.state().X_WB.size() == simulation.model().bodies.size(),
          "poses of all bodies");
  Require(simulation.state().v.allFinite(), "velocity");
  for (const Pose& pose : simulation.state().X_WB) {
    Require(pose.p.allFinite() && std::abs(pose.q.norm() - 1) < 1e-6, "pose");
  }
  const auto energy = static_cast<std::size_t>(Signal::kMechanicalEnergy);
  Require(std::isfinite(simulation.signals()[energy]), "energy");
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  FuzzedDataProvider bytes(data, size);
  const std::size_t which = bytes.ConsumeIntegralInRange<std::size_t>(0, Scenes().size() - 1);
  const Scene& scene = *Scenes()[which];
  const Config config = ChooseConfig(scene, &bytes);
  Simulation simulation(ChooseModel(scene, config, &bytes), config);
  // an eigenvalue problem, as expensive as the step itself
  simulation.SetMeasureCondition(bytes.ConsumeProbability<double>() > 0.9);
  CheckState(simulation);
  for (int i = 0; i < kSteps; ++i) {
    const StepStatus status = simulation.Step();
    Require(Advanced(status) == simulation.failure().empty(), "a failed step says why");
    CheckState(simulation);
    if (!Advanced(status)) break;
  }
  return 0;
}
