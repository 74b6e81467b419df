// One picture of a plan, without a screen: for the command line and for Python.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot_choice.h"
#include "app/session/render_spec.h"
#include "engine/core/stop.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/simulation.h"
#include "render/video/frame_writer.h"

namespace slip::app {

class OffscreenUi;
struct UiSetup;

// Errors name the option that is wrong, "--size".
/// Signals of a comma list, as many as the window has plots; empty = none.
Result<std::vector<PlotChoice>> PlotsOf(const std::string& list, const Model& model);
/// Whether there are such switches.
Status CheckSwitches(const std::vector<std::string>& names);
/// Whether the size has room for what is shown, and what is transparent can be.
Status CheckSpec(const RenderSpec& spec, bool picture);

/// How the window starts that shows a plan as the spec says.
UiSetup SetupOf(const RunPlan& plan, const RenderSpec& spec, std::vector<PlotChoice> plots);
/// As the last frame shows it; without its ground and with alpha where it is transparent.
render::Image ReadPicture(OffscreenUi* ui, bool transparent);

struct PictureWish {
  RunPlan plan = {};
  RenderSpec spec = {};  ///< transparent, too
  double time = 0;       ///< [s]
  /// Shown as it is, and nothing is run; the plan has its parameters alone.
  std::optional<StepRecord> step = std::nullopt;
  StopPoll stop = {};  ///< asked on the thread that draws
};
struct MadePicture {
  render::Image image;
  std::vector<std::string> failures;  ///< of channels that did not come so far, a sentence each
};
/// One at a time, on a thread of its own where the program starts any: what the caller draws with
/// OpenGL is not touched. Ends early, with an error, when stopped; `waiting` is called on the
/// caller's thread meanwhile, several times a second.
Result<MadePicture> MakePicture(const PictureWish& wish, const std::function<void()>& waiting);

}  // namespace slip::app
