#include "app/host/study_frames.h"

#include <algorithm>
#include <utility>

#include "app/frame/record_actions.h"
#include "app/host/picture.h"
#include "app/host/window.h"
#include "app/session/studies.h"

namespace slip::app {
namespace {

// Curves are fed in pieces of this length [s], so that memory stays bounded.
constexpr double kFrameRun = 0.1;
constexpr double kPixelsPerFrame = 480;  // of a frame's width at the scale 1, names still readable

Result<std::vector<render::Image>> Draw(const StudyRun& run, const std::vector<double>& times,
                                        int width, int height, const StopPoll& stop) {
  const CellScene cell = SceneOfPoint(run, 0);
  UiSetup setup;
  setup.scene = cell.scene;
  setup.changes = cell.changes;
  setup.theme = Theme::kLight;
  setup.scale = std::max(1.0, width / kPixelsPerFrame);
  setup.only = Only::kView;
  setup.shows_machine = false;
  setup.stop = stop;
  auto created = OffscreenUi::Create(setup, width, height);
  if (!created) return created.errors();
  OffscreenUi& ui = **created;
  ViewState& view = ui.ui().state.view;
  ApplyQuality("best", &view);
  // numbers are in the study's tables
  view.show_gap = view.show_labels = view.show_legend = view.show_info = false;
  std::vector<render::Image> frames;
  for (const double time : times) {
    for (double now = ui.session().snapshot().time; now < time - 1e-9;) {
      if (IsStopped(&stop)) return Error{.message = "stopped"};
      now = std::min(now + kFrameRun, time);
      ui.SkipTo(now);
    }
    frames.push_back(ReadPicture(&ui, false));
  }
  for (int c = 0; c < ui.session().channel_count(); ++c)
    if (const std::string& failure = ui.session().frame(c).failure; !failure.empty())
      return Error{.message = failure};
  return frames;
}

}  // namespace

DrawFrames FramesWithoutScreen(StopPoll stop) {
  return [stop = std::move(stop)](const StudyRun& run, const std::vector<double>& times, int width,
                                  int height) { return Draw(run, times, width, height, stop); };
}

}  // namespace slip::app
