#include "tests/support/offscreen.h"

#include <algorithm>

#include "app/kit/widget_registry.h"
#include "engine/run/study/run_plan.h"

namespace slip::app {
namespace {

std::unique_ptr<OffscreenUi> Create(const UiSetup& setup, int width, int height) {
  auto ui = OffscreenUi::Create(setup, width, height);
  if (!ui.ok()) return nullptr;
  EnableWidgetRegistry(true);
  (*ui)->ui().state.view.quality = render::Quality::kLow;
  (*ui)->ui().state.view.msaa = 1;
  return std::move(ui).value();
}

std::shared_ptr<const Scene> Find(const std::string& scene) {
  const auto found = FindScene(scene);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().Text());
  return found.ok() ? *found : nullptr;
}

}  // namespace

std::unique_ptr<OffscreenUi> Open(const std::string& scene, int width, int height, double scale,
                                  Theme theme) {
  const auto found = Find(scene);
  if (found == nullptr) return nullptr;
  UiSetup setup;
  setup.scene = found;
  setup.scale = scale;
  setup.theme = theme;
  return Create(setup, width, height);
}

std::unique_ptr<OffscreenUi> OpenPlan(const std::string& scene, const std::string& models,
                                      const std::vector<std::string>& assignments) {
  const auto found = Find(scene);
  if (found == nullptr) return nullptr;
  const auto plan = MakeRunPlan(found, models, assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return plan.ok() ? OpenScene(SceneOf(*plan)) : nullptr;
}

std::unique_ptr<OffscreenUi> OpenStaged(const std::string& scene) {
  const auto found = Find(scene);
  if (found == nullptr) return nullptr;
  UiSetup setup;
  setup.scene = found;
  setup.staged = true;
  return Create(setup, 1600, 900);
}

std::unique_ptr<OffscreenUi> OpenScene(std::shared_ptr<const Scene> scene, int width, int height) {
  UiSetup setup;
  setup.scene = std::move(scene);
  return Create(setup, width, height);
}

void Settle(OffscreenUi* ui) {
  for (int i = 0; i < 3; ++i) ui->Frame(0);
}

void Pass(OffscreenUi* ui, double seconds) {
  for (double t = 0; t < seconds; t += 1.0 / 60) ui->Skip(1.0 / 60);
}

void PassAndDraw(OffscreenUi* ui, double seconds) {
  ui->Frame(0);
  Pass(ui, seconds);
  Settle(ui);
}

void RunFrames(OffscreenUi* ui, int frames) {
  for (int i = 2; i < frames; ++i) ui->Skip(1.0 / 60);
  for (int i = 0; i < std::min(2, frames); ++i) ui->Frame(1.0 / 60);
}

}  // namespace slip::app
