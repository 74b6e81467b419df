// Models of MuJoCo's format as scenes, and how these go on.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/methods.h"
#include "tests/support/temp_folder.h"

namespace slip::test {

class MjcfSceneTest : public testing::Test {
 protected:
  /// The file alone, or the scene `toml` that names it "m.xml".
  std::shared_ptr<const Scene> Read(const std::string& text, const std::string& toml = {}) {
    WriteText(folder_.path("m.xml"), text);
    if (!toml.empty()) WriteText(folder_.path("s.toml"), toml);
    const auto scene = FindScene(folder_.path(toml.empty() ? "m.xml" : "s.toml"));
    std::string errors;
    for (const Error& error : scene.errors()) errors += error.Text() + "\n";
    EXPECT_TRUE(scene.ok()) << errors;
    return scene.ok() ? *scene : nullptr;
  }
  TempFolder folder_;
};

inline std::size_t FindBody(const Model& model, const std::string& name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].name == name) return b;
  throw std::runtime_error("no body " + name);
}

/// The scene by a method after so many steps, all of which are solved.
inline Simulation RunSteps(const Scene& scene, const Config& config, int steps,
                           MethodId method = method_id::kSap) {
  Config own = config;
  own.step.method = static_cast<int>(method);
  Simulation sim(scene.model, own);
  for (int i = 0; i < steps; ++i) {
    const StepStatus status = sim.Step();
    EXPECT_EQ(status, StepStatus::kConverged) << "step " << i << ": " << sim.failure();
    if (status != StepStatus::kConverged) break;
  }
  return sim;
}

/// By SAP after a time [s]. Contacts may be stiffer than a step resolves.
inline Simulation RunStiff(const Scene& scene, double time) {
  Config config = scene.config;
  config.step.part<ConvexParams>().near_rigid = 0.01;
  return RunSteps(scene, config, static_cast<int>(std::lround(time / config.step.time_step)));
}

}  // namespace slip::test
