// The project's scenes as what an export begins with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/core/param_text.h"
#include "engine/export/export.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip::test {

/// A scene at the start of its first channel; piles are kept small, unless they are to be whole.
class ExportedScene {
 public:
  explicit ExportedScene(std::shared_ptr<const Scene> scene, bool whole = false)
      : scene_(std::move(scene)) {
    config = scene_->channels.front().config;
    for (PileDrive& pile : config.piles)
      if (!whole) pile.bodies = std::min(pile.bodies, 40);
    model = scene_->ModelFor(config);
    start = Simulation(model, config).state();
  }
  ExportInput Input() const {
    return {.model = *model, .config = config, .start = start, .name = scene_->id, .stem = "scene"};
  }

  Config config;
  std::shared_ptr<const Model> model;
  State start;

 private:
  std::shared_ptr<const Scene> scene_;
};

inline ExportedScene ExportedText(const std::string& text) {
  const auto scene = ReadSceneText(text, "export.toml");
  if (!scene) throw std::runtime_error(scene.error().Text());
  return ExportedScene(*scene);
}
inline ExportedScene ExportedFile(const std::string& name) {
  const auto scene = FindScene(name);
  if (!scene) throw std::runtime_error(scene.error().Text());
  return ExportedScene(*scene);
}

inline std::set<std::string> Kinds(const Export& exported) {
  std::set<std::string> kinds;
  for (const ExportLoss& loss : exported.losses) kinds.emplace(Name(loss.id));
  return kinds;
}

}  // namespace slip::test
