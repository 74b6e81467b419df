// Scenes that are made for a robot's file alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/folders.h"

namespace slip::test {

inline const std::string kOwnRobots = SourceFolder() + "/assets/robots/";

/// The path of the file that holds it.
inline std::string WriteUrdf(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "slipscope_" + name + ".urdf";
  std::ofstream(path) << text;
  return path;
}

/// Null, after a failure, where there is an error.
inline std::shared_ptr<const Scene> ReadRobotScene(const std::string& path) {
  const auto scene = FindScene(path);
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  return scene.ok() ? *scene : nullptr;
}

/// Of all shapes that touch [m].
inline double LowestOfParts(const Simulation& sim) {
  double lowest = 1e9;
  for (std::size_t b = 0; b < sim.model().bodies.size(); ++b) {
    if (sim.model().bodies[b].shape_of_link < 0) continue;
    Vec3 min, max;
    CalcBounds(sim.model().bodies[b].shape, sim.state().X_WB[b], &min, &max);
    lowest = std::min(lowest, min.z());
  }
  return lowest;
}

}  // namespace slip::test
