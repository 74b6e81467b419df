// render: the window, its view or its plots as a picture or a video, without a screen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/process.h"
#include "app/cli/progress.h"
#include "app/host/least_size.h"
#include "app/host/window.h"
#include "engine/core/param_text.h"
#include "engine/run/plan_check.h"
#include "engine/sim/robot_signals.h"
#include "render/video_writer.h"

namespace slip::app {
namespace {

// The curves are fed in pieces of this length [s], so that memory stays bounded and Ctrl+C works.
constexpr double kPiece = 0.1;

bool Skip(OffscreenUi* ui, double until, double* now, Progress* progress, double total) {
  while (*now < until - 1e-9) {
    if (Interrupted() != 0) return false;
    const double piece = std::min(kPiece, until - *now);
    ui->Skip(piece);
    *now += piece;
    progress->Update(*now / std::max(total, 1e-9));
  }
  return true;
}

int RenderPicture(const RenderOptions& options, OutputFile* file, OffscreenUi* ui, double time) {
  Progress progress(options.progress, file->path());
  double now = 0;
  if (!Skip(ui, time, &now, &progress, time)) return ExitInterrupted("there is no picture");
  // Windows that fit their content know their size in the second frame.
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  progress.Finish();
  const Status status = render::WritePng(ui->Read(), file);
  if (status.ok()) return kExitDone;
  PrintErrors(status.errors());
  return kExitFailed;
}

int RenderVideo(const RenderOptions& options, const std::string& path, render::VideoWriter* writer,
                OffscreenUi* ui, double from, double to) {
  const auto interrupted = [&] {
    return ExitInterrupted(render::KindOfOutput(path) == render::OutputKind::kFolder
                               ? "finished frames were kept"
                               : "there is no video");
  };
  Progress progress(options.progress, path);
  double now = 0;
  if (!Skip(ui, from, &now, &progress, to)) return interrupted();
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  const auto frames =
      static_cast<int64_t>(std::max(1.0, std::floor((to - from) * options.fps + 0.5)));
  Status status = Ok{};
  for (int64_t i = 0; i < frames && status && Interrupted() == 0; ++i) {
    status = writer->Add(ui->Read());
    progress.Update((from + static_cast<double>(i) / options.fps) / std::max(to, 1e-9));
    ui->Frame(1 / options.fps);
  }
  if (status && Interrupted() == 0) status = writer->Finish();
  progress.Finish();
  // what was stopped on the way failed because of that; what was ready before stays
  if (Interrupted() != 0 && (!status || writer->frames() < frames)) return interrupted();
  PrintErrors(status.errors());
  return status ? kExitDone : kExitFailed;
}

/// Where the picture, the video or the frames go: owned before anything is computed.
struct RenderTarget {
  std::shared_ptr<OutputFile> picture;
  std::optional<render::VideoWriter> video;
};

int OpenTarget(const RenderOptions& options, const std::string& path, RenderTarget* target) {
  const render::OutputKind kind = render::KindOfOutput(path);
  bool taken = false;
  const auto refuse = [&taken](const ErrorList& errors) {
    PrintErrors(errors);
    return taken ? kExitUsage : kExitFailed;
  };
  if (kind == render::OutputKind::kPicture) {
    const auto file = OutputFile::Open(path, options.force, &taken);
    if (!file) return refuse(file.errors());
    target->picture = *file;
    return kExitDone;
  }
  render::VideoWriter::Options video{.frames_per_second = options.fps,
                                     .force = options.force,
                                     .stop = [] { return Interrupted() != 0; }};
  auto writer = render::VideoWriter::Create(path, std::move(video), &taken);
  if (writer) {
    target->video.emplace(std::move(writer).value());
    return kExitDone;
  }
  const int exit = refuse(writer.errors());
  if (kind == render::OutputKind::kUnknown) return kExitUsage;
  const bool encoder =
      kind == render::OutputKind::kVideo && render::VideoWriter::FindFfmpeg().empty();
  return encoder ? kExitGraphics : exit;
}

/// Signals of a comma list; says what is wrong with it otherwise.
std::optional<std::vector<Signal>> TakePlots(const std::string& list, const Model& model) {
  std::vector<Signal> signals;
  if (("," + list + ",").find(",,") != std::string::npos) {
    PrintError("--plots: expected signals separated by commas, found '" + list.substr(0, 60) + "'",
               "slipscope list signals names them");
    return std::nullopt;
  }
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const Result<Signal> signal = SignalNamed(model, name);
    if (!signal) {
      const std::string& hint = signal.error().hint;
      PrintError("--plots: " + signal.error().message,
                 hint.empty() ? "slipscope list signals names them" : hint);
      return std::nullopt;
    }
    signals.push_back(*signal);
    begin = end + 1;
  }
  if (signals.size() > static_cast<std::size_t>(kPlotSlots)) {
    PrintError("--plots: more than three signals", "the window has three plots");
    return std::nullopt;
  }
  return signals;
}

/// What stopped a channel on the way, as run says it; false when none did.
bool PrintFailures(const Session& session) {
  bool failed = false;
  for (int c = 0; c < session.channel_count(); ++c) {
    const std::string& sentence = session.frame(c).failure;
    if (sentence.empty()) continue;
    PrintError(sentence);
    failed = true;
  }
  return failed;
}

}  // namespace

int RenderCommand(const RenderOptions& options) {
  int exit = kExitDone;
  const std::optional<RunPlan> plan = LoadPlan(options, &exit);
  if (!plan) return exit;
  const std::string& path = options.output;
  const bool picture = render::KindOfOutput(path) == render::OutputKind::kPicture;
  const double to = options.to.value_or(LatestEnd(*plan)), from = options.from.value_or(0),
               time = options.time.value_or(to);
  if (!picture && from > to) {
    PrintError(fmt::format("there is nothing from --from {} s to {} {} s", FormatNumber(from),
                           options.to ? "--to" : "the end at", FormatNumber(to)));
    return kExitUsage;
  }
  if (const Status changes = CheckChanges(*plan, picture ? time : to); !changes) {
    PrintErrors(changes.errors());
    return kExitUsage;
  }
  UiSetup setup;
  setup.scene = SceneOf(*plan);
  setup.changes = plan->changes;
  setup.paths = std::make_shared<const std::vector<RecordedPath>>(plan->paths);
  setup.theme = options.theme == "light" ? Theme::kLight : Theme::kDark;
  setup.scale = options.scale;
  setup.only = options.region == "view"    ? Only::kView
               : options.region == "plots" ? Only::kPlots
                                           : Only::kWindow;
  if (!options.plots.empty()) {
    const std::optional<std::vector<Signal>> plots = TakePlots(options.plots, *plan->scene->model);
    if (!plots) return kExitUsage;
    setup.plots = *plots;
  }
  const double scale = setup.scale > 0 ? setup.scale : 1;
  const int least_width = static_cast<int>(std::ceil(kLeastWidth * scale));
  const int least_height = static_cast<int>(std::ceil(kLeastHeight * scale));
  if (setup.only == Only::kWindow &&
      (options.width < least_width || options.height < least_height)) {
    PrintError(fmt::format("--size {}x{} is too small for the window, which needs {}x{}",
                           options.width, options.height, least_width, least_height),
               "--region view and --region plots may be smaller");
    return kExitUsage;
  }
  RenderTarget target;
  exit = OpenTarget(options, path, &target);
  if (exit != kExitDone) return exit;
  CatchInterrupts();
  Result<std::unique_ptr<OffscreenUi>> ui =
      OffscreenUi::Create(setup, options.width, options.height);
  if (!ui.ok()) {
    PrintErrors(ui.errors());
    return kExitGraphics;
  }
  exit = target.picture != nullptr
             ? RenderPicture(options, target.picture.get(), ui->get(), time)
             : RenderVideo(options, path, &*target.video, ui->get(), from, to);
  const bool failed = PrintFailures((*ui)->session());
  return exit == kExitDone && failed ? kExitFailed : exit;
}

}  // namespace slip::app
