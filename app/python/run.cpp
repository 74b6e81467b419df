#include "app/python/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "app/python/bind.h"
#include "app/python/channel.h"
#include "app/python/channel_file.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/memory_arrays.h"
#include "app/python/scene.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/core/worker_pool.h"
#include "engine/run/study/channel_arrays.h"
#include "engine/run/study/foreign_channels.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/plan_notes.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/part_signals.h"

namespace slip::python {
namespace {

namespace py = pybind11;

struct Sink {
  MemoryArrays memory;
  std::optional<ChannelArrays> arrays;
};

RunPlan PlanOf(const ScenePtr& scene, const py::object& models, const py::dict& params,
               const py::object& at, const py::object& duration, const py::object& steps) {
  RunPlan plan =
      Take(MakeRunPlan(scene, ToModels(models), ToAssignments(params), ToTexts(at, "at")));
  if (!duration.is_none() && !steps.is_none())
    throw SentenceError("give a duration or steps, not both");
  if (!duration.is_none()) {
    plan.duration = ToNumber(duration, "duration");
    if (!(plan.duration >= kLeastDuration && plan.duration <= kMostDuration))
      throw SentenceError(fmt::format("duration must be from {} to {} s (found {})", kLeastDuration,
                                      kMostDuration, plan.duration));
  }
  if (!steps.is_none()) plan.steps = ToWhole(steps, "steps", 1, kMostSteps);
  return plan;
}

void CheckAll(const RunPlan& plan, int64_t every) {
  ErrorList errors;
  for (const Status& status : {CheckChanges(plan, LatestEnd(plan)), CheckControllers(plan),
                               CheckFriction(plan), CheckEvery(plan, every)})
    errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  if (!errors.empty()) Throw(errors);
}

// Before it begins: what could never be kept would take minutes to fail.
void CheckMemory(const RunPlan& plan, int64_t every) {
  const Model& model = *plan.scene->model;
  // signals, and 13 numbers a body; contacts come on top
  const double row =
      8.0 * static_cast<double>(1 + ListSignals(model).size() + 13 * model.bodies.size());
  double bytes = 0;
  for (const Config& config : plan.configs) {
    const double steps =
        plan.steps > 0 ? static_cast<double>(plan.steps) : plan.duration / config.step.time_step;
    bytes += row * steps / static_cast<double>(every);
  }
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= there) return;
  throw SentenceError(fmt::format(
      "the arrays of this run take {:.3g} GB, and this machine has {:.3g}: keep every K-th step "
      "with every=K, or run it in parts",
      1e-9 * bytes, 1e-9 * there));
}

ForeignChannels OthersOf(const RunPlan& plan, const py::object& files, const py::object& meta,
                         const py::object& align) {
  bool usage = false;
  ForeignRequest request{ToTexts(files, "foreign"), {}, ToText(align, "align")};
  for (const auto& [key, value] : ToDict(meta, "foreign_meta")) {
    const std::string name = ToText(py::reinterpret_borrow<py::object>(key), "a key");
    const auto given = py::reinterpret_borrow<py::object>(value);
    request.meta.push_back(name + "=" +
                           (py::isinstance<py::str>(given)
                                ? ToText(given, name)
                                : fmt::format("{}", ToNumber(given, name))));
  }
  return Take(ForeignChannels::Read(request, plan, &usage));
}

std::shared_ptr<Outcome> MakeRun(const py::object& scene, const py::object& models,
                                 const py::object& duration, const py::object& steps,
                                 const py::object& params, const py::object& at,
                                 const py::object& keep_every, const py::object& threads,
                                 const py::object& foreign, const py::object& foreign_meta,
                                 const py::object& align, const py::kwargs& more) {
  const py::dict all = Join(params, more);
  const ScenePtr read = ToScene(scene);
  RunPlan plan = PlanOf(read, models, all, at, duration, steps);
  const int64_t every = ToWhole(keep_every, "every", 1, kMostSteps);
  CheckAll(plan, every);
  CheckMemory(plan, every);
  plan.watches_params = true;
  const int64_t workers = ToWhole(threads, "threads", 0, kMostWorkers);
  plan.workers = workers > 0 ? static_cast<int>(workers) : HardwareThreads();
  ForeignChannels others = OthersOf(plan, foreign, foreign_meta, align);
  const RunPlan wide = others.Widen(plan);

  std::vector<std::unique_ptr<Sink>> sinks;
  for (const Config& config : wide.configs) {
    sinks.push_back(std::make_unique<Sink>());
    Sink& sink = *sinks.back();
    sink.arrays.emplace(*plan.scene->model, config.step.time_step, &sink.memory);
  }
  const auto keep = [&](int channel, const Simulation& simulation) {
    if (simulation.step() % every == 0) At(sinks, channel)->arrays->Add(simulation);
  };
  Interrupts interrupts;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    keep(channel, simulation);
    others.Watch(channel, simulation);
  };
  callbacks.poll = [&](double) { return !interrupts.Stopped(); };
  callbacks.stop = interrupts.Poll();
  std::vector<Track> tracks;
  RunResult result;
  Status measured = Ok{};
  {
    const Unlocked unlocked;
    result = Run(plan, &tracks, callbacks);
    if (!result.stopped) measured = others.Measure(plan, keep);
  }
  interrupts.Raise();
  Check(measured);

  auto outcome = std::make_shared<Outcome>();
  outcome->complete = result.Complete();
  const std::vector<std::string> failures = result.Failures();
  for (std::size_t c = 0; c < sinks.size(); ++c) {
    auto channel = std::make_shared<Channel>();
    channel->label = wide.labels[c];
    channel->stepped = c < tracks.size();
    if (channel->stepped) {
      const ChannelResult& own = result.channels[c];
      channel->failure = own.failure;
      channel->not_converged = own.not_converged;
      channel->hash = Hash(tracks[c].sim().state());
      channel->notes = NoteTexts(plan, c, own);
    } else {
      const auto report = others.ReportOf(c);
      channel->notes = NotesIn(report->path);
      channel->notes.insert(channel->notes.end(), report->notes.begin(), report->notes.end());
    }
    sinks[c]->arrays->AddWords(fmt::format("Slipscope {} {}", SLIP_VERSION, channel->label), "");
    channel->arrays = sinks[c]->memory.Release();
    outcome->channels.push_back(std::move(channel));
  }
  return outcome;
}

}  // namespace

void AddRun(py::module_* module) {
  Def(module, "run",
      "(scene, models=None, *, duration=None, steps=None, params={}, at=(), every=1, threads=0, "
      "foreign=(), foreign_meta={}, align='', **more)",
      MakeRun,
      R"(Runs a scene under one or more models, to the bit as `slipscope run` does.

scene      a Scene, a name (list_scenes) or the path of a TOML, URDF or MJCF file
models     "sap", ["sap", "lagged"]; None: those of the scene
duration   [s]; None: the scene's
steps      of every channel, in place of a duration
params     {"material.steel.friction": 0.3, "time_step": "5 ms"}: numbers in SI units, or texts
           with a unit; parameters without a dot may be keywords: stiffness=1e8
at         changes on the way: ["0.5:friction=0.2"]
every      keep every N-th step
threads    0: one for each processor; the same bits for any number
foreign    runs of other simulators, "[NAME=]PATH" of .npz files or CSV folders: channels, too
foreign_meta  what their files do not say: {"quaternion_order": "wxyz"}
align      how their times meet ours: see `slipscope run --help`

Raises slipscope.Error with the program's sentences.)",
      py::arg("scene"), py::arg("models") = py::none(), py::kw_only(),
      py::arg("duration") = py::none(), py::arg("steps") = py::none(),
      py::arg("params") = py::dict(), py::arg("at") = py::tuple(), py::arg("every") = 1,
      py::arg("threads") = 0, py::arg("foreign") = py::tuple(),
      py::arg("foreign_meta") = py::dict(), py::arg("align") = "");
}

}  // namespace slip::python
