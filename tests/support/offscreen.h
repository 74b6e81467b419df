// The window without a screen, opened as tests want it: small pictures, widgets by name.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"

namespace slip::app {

/// A scene in a window of so many pixels, without shadows, which take most of the time without a
/// GPU. Null where there is no off-screen OpenGL; a scene that does not load fails the test.
std::unique_ptr<OffscreenUi> Open(const std::string& scene, int width = 1600, int height = 900,
                                  double scale = 1, Theme theme = Theme::kDark);

/// The same as `slipscope SCENE -m models -p assignment...`, at 1600 x 900 pixels.
std::unique_ptr<OffscreenUi> OpenPlan(const std::string& scene, const std::string& models,
                                      const std::vector<std::string>& assignments = {});

/// As the window opens it: at the scene's own speed, in its loop.
std::unique_ptr<OffscreenUi> OpenStaged(const std::string& scene);

/// The same of a scene that is at hand.
std::unique_ptr<OffscreenUi> OpenScene(std::shared_ptr<const Scene> scene, int width = 1600,
                                       int height = 900);

/// An action is done in the frame after the click and seen in the one after that.
void Settle(OffscreenUi* ui);

/// Lets time pass at sixty frames a second of which none is drawn.
void Pass(OffscreenUi* ui, double seconds);

/// The same, of which the last few are drawn.
void PassAndDraw(OffscreenUi* ui, double seconds);

/// So many frames at sixty a second, of which the last two are drawn.
void RunFrames(OffscreenUi* ui, int frames);

/// Whether two widgets share pixels.
inline bool Overlap(const WidgetRecord& a, const WidgetRecord& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

#define UI_OR_SKIP(ui, ...) \
  auto ui = __VA_ARGS__;    \
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here"
#define OPEN_OR_SKIP(ui, ...) UI_OR_SKIP(ui, Open(__VA_ARGS__))

}  // namespace slip::app
