#include "app/host/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <mutex>
#include <utility>

#include "app/frame/record_actions.h"
#include "app/host/least_size.h"
#include "app/host/window.h"
#include "app/session/plan_scene.h"
#include "engine/core/param_text.h"
#include "engine/core/side_work.h"
#include "engine/run/scope/scope.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

// OpenGL's functions and ImGui are one for the whole process: who draws with them waits.
std::mutex one_picture;

// The curves are fed in pieces of this length [s], so that memory stays bounded.
constexpr double kPiece = 0.1;

Only RegionOf(const std::string& region) {
  return region == "view"         ? Only::kView
         : region == "plots"      ? Only::kPlots
         : region == "view-plots" ? Only::kViewPlots
                                  : Only::kWindow;
}

/// A channel that stands at this step, as if it had come there.
std::shared_ptr<std::vector<Track>> StandAt(const StepRecord& step, const Scene& scene) {
  auto tracks = std::make_shared<std::vector<Track>>();
  const Config& config = scene.channels.front().config;
  tracks->emplace_back(scene.model, config, kHistoryBudget / kMaxChannels, 0,
                       std::make_shared<const State>(step.state));
  tracks->front().sim().Restore(step, config);
  return tracks;
}

Result<MadePicture> Make(const PictureWish& wish, const std::vector<PlotChoice>& plots) {
  const RenderSpec& spec = wish.spec;
  UiSetup setup = SetupOf(wish.plan, spec, plots);
  setup.stop = wish.stop;
  if (wish.step) setup.tracks = StandAt(*wish.step, *setup.scene);
  auto created = OffscreenUi::Create(setup, spec.width, spec.height);
  if (!created) return created.errors();
  OffscreenUi& ui = **created;
  ApplyQuality(spec.quality.empty() ? "best" : spec.quality, &ui.ui().state.view);
  if (spec.show) {
    if (const Status on = SwitchBy(*spec.show, &ui.ui().state); !on) return on.errors();
  }
  ui.session().playback().SetSpeed(spec.speed);
  const auto stopped = [&wish] { return IsStopped(&wish.stop); };
  for (int64_t i = 1; !wish.step && ui.session().snapshot().time < wish.time - 1e-9; ++i) {
    if (stopped()) break;
    const double next = static_cast<double>(i) * kPiece;
    ui.SkipTo(std::min(next, wish.time));
    if (next >= wish.time) break;
  }
  if (stopped()) return Error{.message = "stopped; there is no picture"};
  MadePicture made{ReadPicture(&ui, spec.transparent), {}};
  for (int c = 0; c < ui.session().channel_count(); ++c) {
    const std::string& failure = ui.session().frame(c).failure;
    if (!failure.empty()) made.failures.push_back(failure);
  }
  return made;
}

}  // namespace

Result<std::vector<PlotChoice>> PlotsOf(const std::string& list, const Model& model) {
  constexpr const char* kNames = "slipscope list signals names them";
  std::vector<PlotChoice> plots;
  if (list.empty()) return plots;
  if (("," + list + ",").find(",,") != std::string::npos)
    return Error{.message = "--plots: expected signals separated by commas, found '" +
                            list.substr(0, 60) + "'",
                 .hint = kNames};
  for (const std::string& name : SplitList(list)) {
    const Result<PlotChoice> plot = PlotNamed(model, name);
    if (!plot) {
      const std::string& hint = plot.error().hint;
      return Error{.message = "--plots: " + plot.error().message,
                   .hint = hint.empty() ? kNames : hint};
    }
    plots.push_back(*plot);
  }
  if (plots.size() > static_cast<std::size_t>(kPlotSlots))
    return Error{.message = "--plots: more than three signals",
                 .hint = "the window has three plots"};
  return plots;
}

Status CheckSwitches(const std::vector<std::string>& names) {
  UiState none;
  const Status known = SwitchBy(names, &none);
  if (known) return Ok{};
  return Error{.message = "--show: " + known.error().message, .hint = known.error().hint};
}

Status CheckSpec(const RenderSpec& spec, bool picture) {
  if (spec.transparent && (!picture || spec.region != "view"))
    return Error{.message = "--transparent is for a picture of the view",
                 .hint = "for example --region view -o picture.png"};
  const int least_width = static_cast<int>(std::ceil(kLeastWidth * spec.scale));
  const int least_height = static_cast<int>(std::ceil(kLeastHeight * spec.scale));
  if (RegionOf(spec.region) != Only::kWindow ||
      (spec.width >= least_width && spec.height >= least_height))
    return Ok{};
  return Error{.message = fmt::format("--size {}x{} is too small for the window, which needs {}x{}",
                                      spec.width, spec.height, least_width, least_height),
               .hint = "--region view and --region plots may be smaller"};
}

UiSetup SetupOf(const RunPlan& plan, const RenderSpec& spec, std::vector<PlotChoice> plots) {
  UiSetup setup;
  setup.scene = SceneOf(plan);
  setup.changes = plan.changes;
  setup.paths = std::make_shared<const std::vector<RecordedPath>>(plan.paths);
  setup.theme = spec.theme == "light" ? Theme::kLight : Theme::kDark;
  setup.scale = spec.scale;
  setup.only = RegionOf(spec.region);
  setup.plots = std::move(plots);
  return setup;
}

render::Image ReadPicture(OffscreenUi* ui, bool transparent) {
  // windows that fit their content know their size in the second frame
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  if (!transparent) return ui->Read();
  const auto before = [ui](render::Backdrop backdrop) {
    ui->ui().state.view.backdrop = backdrop;
    for (int i = 0; i < 2; ++i) ui->Frame(0);
    return ui->Read();
  };
  const render::Image black = before(render::Backdrop::kBlack);
  return render::CutOut(black, before(render::Backdrop::kWhite));
}

Result<MadePicture> MakePicture(const PictureWish& wish, const std::function<void()>& waiting) {
  if (const Status fits = CheckSpec(wish.spec, true); !fits) return fits.errors();
  if (const Status known = CheckSwitches(wish.spec.show.value_or(std::vector<std::string>()));
      !known)
    return known.errors();
  const auto plots =
      PlotsOf(fmt::format("{}", fmt::join(wish.spec.plots, ",")), *wish.plan.scene->model);
  if (!plots) return plots.errors();
  const auto when = StartsThreads() ? std::launch::async : std::launch::deferred;
  auto made = std::async(when, [&] {
    const std::lock_guard lock(one_picture);
    return Make(wish, *plots);
  });
  while (made.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout) waiting();
  return made.get();
}

}  // namespace slip::app
