// render: the window, its view or its plots as a picture or a video, without a screen. Beside a
// video lies a file that makes the same frames again.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/frame/record_actions.h"
#include "app/host/picture.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "app/host/window.h"
#include "app/session/render_spec.h"
#include "engine/core/param_text.h"
#include "engine/core/side_work.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/plan_check.h"
#include "engine/sim/part_signals.h"
#include "render/video/video_writer.h"

namespace slip::app {
namespace {

// The curves are fed in pieces of this length [s], so that memory stays bounded and Ctrl+C works.
constexpr double kPiece = 0.1;
// Of a GIF, when nothing else is asked for: its frames last whole hundredths of a second.
constexpr double kGifRate = 25;

/// Runs on to `until` [s], the end of the work being at `total` [s]; false when interrupted.
bool Skip(OffscreenUi* ui, double until, Progress* progress, double total) {
  for (int64_t i = 1; ui->session().snapshot().time < until - 1e-9; ++i) {
    if (Interrupted() != 0) return false;
    const double next = static_cast<double>(i) * kPiece;
    ui->SkipTo(std::min(next, until));
    progress->Update(std::min(next, until) / std::max(total, 1e-9));
    if (next >= until) break;
  }
  return Interrupted() == 0;
}

int RenderPicture(const RenderOptions& options, bool transparent, OutputFile* file, OffscreenUi* ui,
                  double time) {
  Progress progress(options.progress, file->path());
  if (!Skip(ui, time, &progress, time)) return ExitInterrupted("there is no picture");
  const render::Image image = ReadPicture(ui, transparent);
  progress.Finish();
  const Status status = render::WritePng(image, file);
  if (status.ok()) return kExitDone;
  PrintErrors(status.errors());
  return kExitFailed;
}

/// Where the picture, the video or the frames go: owned before anything is computed.
struct RenderTarget {
  std::shared_ptr<OutputFile> picture;
  std::optional<render::VideoWriter> video;
  std::shared_ptr<OutputFile> sidecar;  ///< of a video: makes the same frames again
};

/// What was run, with how it was shown.
Status WriteSidecar(const RenderOptions& options, const RenderSpec& spec, OffscreenUi* ui,
                    OutputFile* file) {
  std::shared_ptr<Recording> recording;
  ui->session().experiments().With([&recording](const std::shared_ptr<const Recording>& told) {
    recording = std::make_shared<Recording>(*told);
  });
  ui->Skip(0);
  if (recording == nullptr) return Error{.message = "the run was not told", .file = file->path()};
  recording->render = FormatRenderSpec(spec);
  file->Write(FormatRecording(*recording, options.context, file->path()));
  return file->Commit();
}

int RenderVideo(const RenderOptions& options, const RenderSpec& spec, RenderTarget* target,
                OffscreenUi* ui) {
  const auto interrupted = [&] {
    return ExitInterrupted(render::KindOfOutput(options.output) == render::OutputKind::kFolder
                               ? "finished frames were kept"
                               : "there is no video");
  };
  render::VideoWriter* writer = &*target->video;
  Progress progress(options.progress, options.output);
  // simulated seconds cost, and so do frames
  const int64_t frames = spec.Frames(*spec.to);
  const double rendering = spec.from + static_cast<double>(frames) * spec.speed / spec.fps;
  if (!Skip(ui, spec.from, &progress, rendering)) return interrupted();
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  // while a frame is drawn the one before is sent; without threads, before the next one is
  std::future<Status> sent;
  Status status = Ok{};
  const auto send = [&](render::Image frame, int64_t times) {
    if (sent.valid()) status = sent.get();
    if (!status || frame.empty()) return;
    const std::launch when = StartsThreads() ? std::launch::async : std::launch::deferred;
    sent = std::async(when, [writer, times, frame = std::move(frame)] {
      Status added = Ok{};
      for (int64_t i = 0; i < times && added && Interrupted() == 0; ++i) added = writer->Add(frame);
      return added;
    });
  };
  for (int64_t i = 0; i < frames && status && Interrupted() == 0; ++i) {
    if (i > 0) ui->FrameAt(spec.TimeOf(i), 1 / spec.fps);
    send(ui->ReadBefore(), 1);
    progress.Update(spec.TimeOf(i) / std::max(rendering, 1e-9));
  }
  if (status && Interrupted() == 0 && spec.EndFrames() > 0) {
    ui->ui().state.record.end_card = spec.end_card;
    ui->Frame(0);
    send(ui->ReadBefore(), 1);
    send(ui->ReadBefore(), spec.EndFrames());
  } else if (status && Interrupted() == 0) {
    send(ui->ReadBefore(), 1);
  }
  send({}, 0);
  if (status && Interrupted() == 0) status = writer->Finish();
  progress.Finish();
  // what was stopped on the way failed because of that; what was ready before stays
  if (Interrupted() != 0 && (!status || writer->frames() < frames)) return interrupted();
  if (status) {
    ui->SkipTo(*spec.to);  // the recording holds what was asked for
    if (Interrupted() != 0) return ExitInterrupted("the video is there, how it was made is not");
    status = WriteSidecar(options, spec, ui, target->sidecar.get());
  }
  PrintErrors(status.errors());
  if (writer->wrote_nothing()) return kExitGraphics;
  return status ? kExitDone : kExitFailed;
}

/// "a.mp4.json", "frames.json".
std::string SidecarOf(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const bool name = !path.empty() && path.back() != '.' && path.back() != '/';
  return name ? path + ".json" : path + "/frames.json";
}

int OpenTarget(const RenderOptions& options, double fps, RenderTarget* target) {
  const std::string& path = options.output;
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
  render::VideoWriter::Options video{
      .frames_per_second = fps, .force = options.force, .stop = [] { return Interrupted() != 0; }};
  auto writer = render::VideoWriter::Create(path, std::move(video), &taken);
  if (writer) {
    target->video.emplace(std::move(writer).value());
    const auto sidecar = OutputFile::Open(SidecarOf(path), options.force, &taken);
    if (!sidecar) return refuse(sidecar.errors());
    target->sidecar = *sidecar;
    return kExitDone;
  }
  const int exit = refuse(writer.errors());
  if (kind == render::OutputKind::kUnknown || fps > render::MostFramesPerSecond(path))
    return kExitUsage;
  const bool encoder =
      kind == render::OutputKind::kVideo && render::VideoWriter::FindFfmpeg().empty();
  return encoder ? kExitGraphics : exit;
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

/// What the file says, and over it what the command line says. Nothing after an error was printed,
/// with *exit.
std::optional<RenderSpec> TakeSpec(const RenderOptions& options, const RunPlan& plan,
                                   const std::string& section, int* exit) {
  RenderSpec spec;
  if (options.output.ends_with(".gif")) spec.fps = kGifRate;
  if (!section.empty()) {
    const Result<RenderSpec> read = ReadRenderSpec(section, options.scene);
    if (!read) {
      PrintErrors(read.errors());
      *exit = kExitInput;
      return std::nullopt;
    }
    spec = *read;
    if (spec.fps > render::MostFramesPerSecond(options.output)) spec.fps = kGifRate;
  }
  if (!options.region.empty()) spec.region = options.region;
  if (!options.theme.empty()) spec.theme = options.theme;
  if (!options.quality.empty()) spec.quality = options.quality;
  if (options.width > 0) spec.width = options.width, spec.height = options.height;
  spec.fps = options.fps.value_or(spec.fps);
  spec.speed = options.speed.value_or(spec.speed);
  spec.scale = options.scale.value_or(spec.scale);
  spec.from = options.from.value_or(spec.from);
  spec.transparent = spec.transparent || options.transparent;
  const bool longer = options.duration || options.steps;
  spec.to = options.to.value_or(longer ? LatestEnd(plan) : spec.to.value_or(LatestEnd(plan)));
  return spec;
}

}  // namespace

int RenderCommand(const RenderOptions& options) {
  int exit = kExitDone;
  std::string section;
  const std::optional<RunPlan> plan = LoadPlan(options, &exit, &section);
  if (!plan) return exit;
  const std::string& path = options.output;
  const bool picture = render::KindOfOutput(path) == render::OutputKind::kPicture;
  const std::optional<RenderSpec> spec = TakeSpec(options, *plan, section, &exit);
  if (!spec) return exit;
  const double to = *spec->to, time = options.time.value_or(to);
  if (!picture && spec->from > to) {
    PrintError(fmt::format("there is nothing from --from {} s to {} {} s", FormatNumber(spec->from),
                           options.to ? "--to" : "the end at", FormatNumber(to)));
    return kExitUsage;
  }
  const auto refuse = [](const ErrorList& errors) {
    PrintErrors(errors);
    return kExitUsage;
  };
  if (const Status fits = CheckSpec(*spec, picture); !fits) return refuse(fits.errors());
  if (const Status changes = CheckChanges(*plan, picture ? time : to); !changes)
    return refuse(changes.errors());
  const std::vector<std::string> switches =
      options.show.empty() ? std::vector<std::string>() : SplitList(options.show);
  if (const Status known = CheckSwitches(switches); !known) return refuse(known.errors());
  const std::string list =
      options.plots.empty() ? fmt::format("{}", fmt::join(spec->plots, ",")) : options.plots;
  const Result<std::vector<PlotChoice>> plots = PlotsOf(list, *plan->scene->model);
  if (!plots) return refuse(plots.errors());
  UiSetup setup = SetupOf(*plan, *spec, *plots);
  if (!LoadForeign(options, *plan, &exit)) return exit;
  setup.foreign = options.foreign;
  setup.shows_machine = picture;
  if (!section.empty()) setup.look = *spec;
  RenderSpec resolved = *spec;
  resolved.plots.clear();
  for (const PlotChoice& choice : setup.plots)
    resolved.plots.push_back(NameOf(*plan->scene->model, choice));
  CatchInterrupts();  // before there is a file to clear away
  RenderTarget target;
  exit = OpenTarget(options, spec->fps, &target);
  if (exit != kExitDone) return exit;
  Result<std::unique_ptr<OffscreenUi>> ui = OffscreenUi::Create(setup, spec->width, spec->height);
  if (!ui.ok()) {
    PrintErrors(ui.errors());
    return kExitGraphics;
  }
  // what is drawn sixty times a second by a processor is drawn faster
  if (resolved.quality.empty())
    resolved.quality = picture || !(*ui)->ui().machine.software_gl ? "best" : "fast";
  ApplyQuality(resolved.quality, &(*ui)->ui().state.view);
  if (const Status on = SwitchBy(switches, &(*ui)->ui().state); on && !switches.empty())
    resolved.show = LookOf((*ui)->ui()).show;
  // a scene may ask for another one to be looked at in
  (*ui)->session().playback().SetSpeed(spec->speed);
  exit = target.picture != nullptr
             ? RenderPicture(options, spec->transparent, target.picture.get(), ui->get(), time)
             : RenderVideo(options, resolved, &target, ui->get());
  const bool failed = PrintFailures((*ui)->session());
  return exit == kExitDone && failed ? kExitFailed : exit;
}

}  // namespace slip::app
