#include "app/session/plan_scene.h"

#include <algorithm>

namespace slip::app {

std::shared_ptr<const Scene> SceneOf(const RunPlan& plan) {
  auto scene = CopyOf(plan.scene);
  scene->channels.clear();
  for (std::size_t c = 0; c < plan.configs.size(); ++c)
    scene->channels.push_back({plan.configs[c], plan.own[c]});
  if (!plan.left_out
           .empty()) {  // engines that are not here stand beside them, and their chips say so
    for (const ChannelSpec& spec : plan.scene->channels) {
      if (Info(spec.config.method()).WhyMissing().empty()) continue;
      scene->channels.push_back(spec);
      TakeBodies(plan.configs.front(), &scene->channels.back().config);
    }
  }
  // who names a value means it
  std::erase_if(scene->opens_with, [&](const auto& one) {
    return std::any_of(plan.assigned.begin(), plan.assigned.end(), [&](const std::string& path) {
      return one.first == path || one.first.ends_with("." + path);
    });
  });
  if (plan.paths.empty()) scene->Stage();
  if (!plan.configs.empty()) {
    // the plan may ask for other bodies than the file
    scene->model = plan.scene->ModelFor(plan.configs.front());
    TakeBodies(plan.configs.front(), &scene->config);
  }
  return scene;
}

}  // namespace slip::app
