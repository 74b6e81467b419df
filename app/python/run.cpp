#include "app/python/run.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <span>

#include "app/python/errors.h"
#include "app/python/memory_arrays.h"
#include "app/python/scene.h"
#include "engine/core/numbers.h"
#include "engine/core/worker_pool.h"
#include "engine/run/study/channel_arrays.h"
#include "engine/run/study/foreign_channels.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/plan_notes.h"
#include "engine/run/study/run_plan.h"

namespace slip::python {
namespace {

namespace py = pybind11;

constexpr std::string_view kSignal = "signal_", kContact = "contact_";
constexpr auto kPollPeriod = std::chrono::milliseconds(50);

/// What a channel of a run has become.
struct Channel {
  std::string label, failure;
  std::vector<std::string> notes;
  int64_t not_converged = 0;
  uint64_t hash = 0;    // of the last state
  bool stepped = true;  // else measured: of another simulator's run
  py::dict arrays;

  py::dict Named(std::string_view prefix) const {
    py::dict named;
    for (const auto& [key, value] : arrays) {
      const auto name = py::cast<std::string>(key);
      if (name.starts_with(prefix)) named[py::str(name.substr(prefix.size()))] = value;
    }
    return named;
  }
  py::object Get(const std::string& name) const {
    for (const std::string_view prefix : {std::string_view(), kSignal}) {
      const py::str key(std::string(prefix) + name);
      if (arrays.contains(key)) return arrays[key];
    }
    throw py::key_error(name);
  }
  void Save(const py::object& path) const {
    py::module_::import("numpy").attr("savez")(path, **arrays);
  }
};

struct Outcome {
  std::vector<std::shared_ptr<Channel>> channels;
  bool complete = false;

  std::shared_ptr<Channel> Get(const py::object& which) const {
    if (py::isinstance<py::int_>(which)) {
      auto at = which.cast<py::ssize_t>();
      const auto count = static_cast<py::ssize_t>(channels.size());
      if (at < 0) at += count;
      if (at < 0 || at >= count) throw py::index_error("no such channel");
      return At(channels, at);
    }
    const auto label = which.cast<std::string>();
    for (const auto& channel : channels) {
      if (channel->label == label) return channel;
    }
    throw py::key_error(label);
  }
};

struct Sink {
  MemoryArrays memory;
  std::optional<ChannelArrays> arrays;
};

RunPlan PlanOf(const ScenePtr& scene, const py::object& models, const py::dict& params,
               const std::vector<std::string>& at, std::optional<double> duration,
               std::optional<int64_t> steps) {
  RunPlan plan = Take(MakeRunPlan(scene, ToModels(models), ToAssignments(params), at));
  if (duration && steps) throw SentenceError("give a duration or steps, not both");
  if (duration && !(*duration >= kLeastDuration && *duration <= kMostDuration))
    throw SentenceError(fmt::format("duration must be from {} to {} s (found {})", kLeastDuration,
                                    kMostDuration, *duration));
  if (steps && !(*steps >= 1 && *steps <= kMostSteps))
    throw SentenceError(fmt::format("steps must be from 1 to {} (found {})", kMostSteps, *steps));
  if (duration) plan.duration = *duration;
  if (steps) plan.steps = *steps;
  return plan;
}

void CheckAll(const RunPlan& plan, int64_t every) {
  if (every < 1) throw SentenceError("every must be 1 or more");
  ErrorList errors;
  for (const Status& status : {CheckChanges(plan, LatestEnd(plan)), CheckControllers(plan),
                               CheckFriction(plan), CheckEvery(plan, every)})
    errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  if (!errors.empty()) Throw(errors);
}

// Python's signals come through now and then; a handler that raises ends the run.
class Interrupts {
 public:
  bool Poll() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ || raised_) return !raised_;
    next_ = now + kPollPeriod;
    py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      raised_ = true;
      error_.emplace();
    }
    return !raised_;
  }
  void Raise() {
    if (error_) throw py::error_already_set(std::move(*error_));
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kPollPeriod;
  bool raised_ = false;
  std::optional<py::error_already_set> error_;
};

std::shared_ptr<Outcome> MakeRun(const py::object& scene, const py::object& models,
                                 std::optional<double> duration, std::optional<int64_t> steps,
                                 const py::dict& params, const std::vector<std::string>& at,
                                 int64_t every, int threads,
                                 const std::vector<std::string>& foreign, const std::string& align,
                                 const py::kwargs& more) {
  const py::dict all = Join(params, more);
  const ScenePtr read = ToScene(scene);
  RunPlan plan = PlanOf(read, models, all, at, duration, steps);
  CheckAll(plan, every);
  plan.watches_params = true;
  if (threads < 0 || threads > kMostWorkers)
    throw SentenceError(
        fmt::format("threads must be from 0 to {} (found {})", kMostWorkers, threads));
  plan.workers = threads > 0 ? threads : HardwareThreads();
  bool usage = false;
  ForeignChannels others = Take(ForeignChannels::Read({foreign, {}, align}, plan, &usage));
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
  callbacks.poll = [&](double) { return interrupts.Poll(); };
  std::vector<Track> tracks;
  RunResult result;
  Status measured = Ok{};
  {
    py::gil_scoped_release release;
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
      for (const ToldNote& note : NotesOf(plan, c, own)) channel->notes.push_back(note.text);
    } else {
      channel->notes = others.ReportOf(c)->notes;
    }
    sinks[c]->arrays->AddWords("Slipscope " + channel->label, "");
    channel->arrays = sinks[c]->memory.Release();
    outcome->channels.push_back(std::move(channel));
  }
  return outcome;
}

std::vector<std::string> Labels(const Outcome& outcome) {
  std::vector<std::string> labels;
  for (const auto& channel : outcome.channels) labels.push_back(channel->label);
  return labels;
}

}  // namespace

void AddRun(py::module_* module) {
  py::class_<Channel, std::shared_ptr<Channel>>(
      *module, "Channel",
      "One model's run as arrays, a row each step. channel[\"normal_force\"] is a signal; "
      "channel[\"position\"] has shape (steps, bodies, 3).")
      .def_readonly("label", &Channel::label)
      .def_readonly("failure", &Channel::failure, "Why it stopped early, a sentence; else empty.")
      .def_readonly("not_converged", &Channel::not_converged, "Steps.")
      .def_readonly("notes", &Channel::notes, "What its numbers do not tell, as `run` prints it.")
      .def_readonly("stepped", &Channel::stepped, "False of another simulator's run.")
      .def_property_readonly(
          "state_hash", [](const Channel& c) { return fmt::format("{:016x}", c.hash); },
          "Of the last state, every bit.")
      .def_readonly("arrays", &Channel::arrays, "All arrays and words, by the names of .npz files.")
      .def_property_readonly(
          "time", [](const Channel& c) { return c.Get("time"); }, "[s]")
      .def_property_readonly(
          "bodies", [](const Channel& c) { return c.Get("bodies"); },
          "Names, in the order of the arrays.")
      .def_property_readonly(
          "signals", [](const Channel& c) { return c.Named(kSignal); }, "Every signal by name.")
      .def_property_readonly(
          "contacts", [](const Channel& c) { return c.Named(kContact); },
          "Arrays of all contacts of all steps, a row each: time, a, b, position, force, ...")
      .def("save", &Channel::Save, py::arg("path"),
           "Writes an .npz that `slipscope run --foreign` reads.")
      .def("__getitem__", &Channel::Get, py::arg("name"))
      .def("__repr__", [](const Channel& c) {
        return fmt::format("<slipscope.Channel '{}', {} steps>", c.label, py::len(c.Get("time")));
      });
  py::class_<Outcome, std::shared_ptr<Outcome>>(*module, "Run",
                                                "Channels by label or by index: run[\"sap\"].")
      .def_readonly("channels", &Outcome::channels)
      .def_readonly("complete", &Outcome::complete, "Every channel made all its steps.")
      .def_property_readonly("labels", Labels)
      .def("__getitem__", &Outcome::Get, py::arg("label"))
      .def("__len__", [](const Outcome& o) { return o.channels.size(); })
      .def("__repr__", [](const Outcome& o) {
        return fmt::format("<slipscope.Run of {}{}>", fmt::join(Labels(o), ", "),
                           o.complete ? "" : ", not complete: see failure of its channels");
      });
  module->def("run", MakeRun, py::arg("scene"), py::arg("models") = py::none(), py::kw_only(),
              py::arg("duration") = py::none(), py::arg("steps") = py::none(),
              py::arg("params") = py::dict(), py::arg("at") = std::vector<std::string>(),
              py::arg("every") = 1, py::arg("threads") = 0,
              py::arg("foreign") = std::vector<std::string>(), py::arg("align") = "",
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
align      how their times meet ours: see `slipscope run --help`

Raises slipscope.Error with the program's sentences.)");
}

}  // namespace slip::python
