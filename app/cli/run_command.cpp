// run and compare: simulate without a window, write data, check conditions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/cli/metric_table.h"
#include "app/cli/numbers.h"
#include "app/cli/progress.h"
#include "app/cli/reading_notice.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/convex/convex_formulation.h"
#include "engine/convex/problem_file.h"
#include "engine/core/numbers.h"
#include "engine/core/output_series.h"
#include "engine/core/worker_pool.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/former_outputs.h"
#include "engine/run/study/npz_recorder.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/plan_notes.h"

namespace slip::app {
namespace {

/// Everything that a run writes to or counts in.
struct RunOutputs {
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<NpzRecorder> arrays;  ///< in its place
  std::shared_ptr<OutputFile> experiment;
  std::shared_ptr<OutputSeries> problems;
  int64_t problem_count = 0;
  std::vector<ChannelMetrics> metrics;
  std::vector<Expression> expectations;
  ErrorList write_errors;
  bool printed = true;
};

/// Is --save a name of its own, and one of a JSON file?
bool CheckSave(const RunOptions& options, const RunPlan& plan) {
  namespace fs = std::filesystem;
  if (options.save.empty()) return true;
  const auto refuse = [&](const std::string& what, const char* hint) {
    PrintError("--save " + options.save.substr(0, 200) + ": " + what, hint);
    return false;
  };
  const fs::path name(options.save);
  if (name.has_extension() && name.extension() != ".json") {
    return refuse("an experiment is JSON, not " + name.extension().string(),
                  "give it a name that ends in .json");
  }
  // one place has many names
  const auto place = [](const fs::path& path) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored).lexically_normal();
    return fs::weakly_canonical(whole.has_filename() ? whole : whole.parent_path(), ignored);
  };
  const fs::path save = place(name);
  const auto is_in = [&](const std::string& folder) {
    return !folder.empty() && !save.empty() && save.parent_path() == place(folder);
  };
  for (const std::string& folder : {options.output, options.dump_problems}) {
    if (folder.empty() || save.empty() || save != place(folder)) continue;
    return refuse("is the folder of the other files", "name a file, in it or elsewhere");
  }
  const std::string file = save.filename().string();
  const auto files = RunFileNames();
  const std::vector<std::string> labels = plan.labels.All();
  const bool problem = std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
    return file.starts_with(label + "-");
  });
  if ((is_in(options.output) && std::find(files.begin(), files.end(), file) != files.end()) ||
      (is_in(options.dump_problems) && problem)) {
    return refuse("this run writes another file of that name", "choose one for the experiment");
  }
  return true;
}

/// What --signals and --files ask for; nothing after an error was printed.
std::optional<RunChoice> TakeChoice(const RunOptions& options, const RunPlan& plan) {
  const bool arrays = options.output.ends_with(kNpzSuffix);
  for (const auto& [name, text] :
       {std::pair("--signals", &options.signals), std::pair("--files", &options.files),
        std::pair("--foretell", &options.foretell)}) {
    const bool lost = options.output.empty() || (arrays && text == &options.foretell);
    if (text->empty() || !lost) continue;
    PrintError(std::string(name) + " needs --output, a folder" + (arrays ? "" : " or FILE.npz"),
               "for example -o out");
    return std::nullopt;
  }
  double foretell = 0;
  if (!TakeNumber(options.foretell, "--foretell", "s", kLeastDuration, kMostDuration, false,
                  &foretell))
    return std::nullopt;
  auto choice = ParseRunChoice(*plan.scene->model, options.signals, options.files, arrays);
  if (choice) choice.value().foretell = foretell;
  if (choice) return std::move(choice).value();
  PrintErrors(choice.errors());
  return std::nullopt;
}

int OpenOutputs(const RunOptions& options, const RunPlan& plan, const RunChoice& choice,
                RunOutputs* outputs) {
  bool taken = false;
  const auto refuse = [&taken](const ErrorList& errors) {
    PrintErrors(errors);
    return taken ? kExitUsage : kExitFailed;
  };
  if (options.output.ends_with(kNpzSuffix)) {
    auto arrays =
        NpzRecorder::Open(options.output, plan, options.every, options.force, &taken, choice);
    if (!arrays) return refuse(arrays.errors());
    outputs->arrays = std::move(arrays).value();
  } else if (!options.output.empty()) {
    auto recorder =
        Recorder::Open(options.output, plan, options.every, options.force, &taken, choice);
    if (!recorder) return refuse(recorder.errors());
    outputs->recorder = std::move(recorder).value();
    if (outputs->recorder->foretells_nothing())
      PrintError(
          "note: --foretell: no method here foretells forces, or nothing touches at the start",
          "foretold.csv has no rows");
  }
  if (!options.save.empty()) {
    auto file = OutputFile::Open(options.save, options.force, &taken);
    if (!file) return refuse(file.errors());
    outputs->experiment = *file;
  }
  if (!options.dump_problems.empty()) {
    auto series = OutputSeries::Open(options.dump_problems, plan.labels.All(), ".json",
                                     options.force, &taken);
    if (!series) return refuse(series.errors());
    outputs->problems = *series;
  }
  return kExitDone;
}

/// One sentence per cause: a full disk stops every file alike.
void TakeWriteErrors(const ErrorList& errors, RunOutputs* outputs) {
  ErrorList& known = outputs->write_errors;
  for (const Error& error : errors) {
    const bool told = std::any_of(known.begin(), known.end(), [&](const Error& other) {
      return other.message == error.message;
    });
    if (!told) known.push_back(error);
  }
}

void DumpProblem(const RunOptions& options, const std::string& label, const Simulation& simulation,
                 RunOutputs* outputs) {
  if (outputs->problems == nullptr || simulation.step() % options.every != 0) return;
  const ContactProblem* problem = ProblemOf(simulation.formulation());
  if (problem == nullptr) return;
  const Status status = outputs->problems->Write(label, simulation.step(), FormatProblem(*problem));
  if (status.ok()) ++outputs->problem_count;
  TakeWriteErrors(status.errors(), outputs);
}

/// Channels whose steps are no contact problems, where those were asked for.
void PrintWithoutProblems(const RunOptions& options, const RunPlan& plan) {
  if (options.dump_problems.empty()) return;
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const std::vector<MethodId> methods = plan.labels.MethodsOf(c);
    const bool none = std::none_of(methods.begin(), methods.end(),
                                   [](MethodId method) { return Info(method).contact_model >= 0; });
    if (none) labels.push_back(plan.labels[c]);
  }
  if (labels.empty()) return;
  PrintError(
      fmt::format("note: --dump-problems writes none of {}: only steps "
                  "of convex models are "
                  "contact problems",
                  fmt::join(labels, ", ")));
}

/// "6 files in out/, 20 problems in dump/".
void PrintWritten(const RunOptions& options, const RunOutputs& outputs) {
  const auto folder = [](const std::string& path) {
    return path.ends_with("/") ? path : path + "/";
  };
  std::vector<std::string> parts;
  if (outputs.recorder)
    parts.push_back(
        fmt::format("{} files in {}", outputs.recorder->files().size(), folder(options.output)));
  if (outputs.arrays) {
    std::vector<std::string> names;
    for (const OutputFile* file : outputs.arrays->files()) names.push_back(file->path());
    parts.push_back(fmt::format("arrays in {}", fmt::join(names, ", ")));
  }
  if (outputs.problems) {
    parts.push_back(fmt::format("{} problem{} in {}", outputs.problem_count,
                                outputs.problem_count == 1 ? "" : "s",
                                folder(options.dump_problems)));
  }
  if (outputs.experiment) parts.push_back("experiment in " + options.save);
  if (!parts.empty()) std::fputs(fmt::format("{}\n", fmt::join(parts, ", ")).c_str(), stderr);
}

/// Gives all files their names, or none; what was finished before an interrupt is kept.
void CloseOutputs(const RunOptions& options, const RunPlan& plan, const RunContext& context,
                  const RunResult& result, const std::vector<Track>& tracks, RunOutputs* outputs) {
  std::vector<OutputFile*> files;
  if (outputs->recorder) {
    outputs->recorder->Complete(context, outputs->metrics, result, tracks);
    files = outputs->recorder->files();
  }
  if (outputs->arrays) {
    outputs->arrays->Complete(context, NpzRecorder::WordsOf(plan, outputs->metrics, result));
    files = outputs->arrays->files();
    if (!outputs->arrays->good())
      TakeWriteErrors({Error{.message = "cannot be written to its end, as the disk is full?",
                             .file = options.output}},
                      outputs);
  }
  if (outputs->experiment) {
    outputs->experiment->Write(
        FormatRecording(RecordTracks(plan.scene, tracks), context, options.save));
    files.push_back(outputs->experiment.get());
  }
  // a run that a failed write cut short leaves the former one in its place
  if (outputs->write_errors.empty()) TakeWriteErrors(CommitTogether(files).errors(), outputs);
  if (outputs->write_errors.empty()) {
    if (outputs->recorder) outputs->recorder->former().Remove();
    if (outputs->problems) outputs->problems->RemoveFormer(IsFormerProblem);
  }
  const bool table = options.compare || !outputs->recorder;
  if (table) outputs->printed = Print(FormatMetricTable(plan, outputs->metrics, result));
}

int CheckExpectations(const RunPlan& plan, const RunOutputs& outputs,
                      const std::vector<Track>& tracks) {
  std::vector<ChannelStats> channels;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const Config& config = c < tracks.size() ? tracks[c].sim().config() : plan.configs[c];
    channels.push_back({&outputs.metrics[c].stats, &config, plan.labels.AllOf(c)});
  }
  const ExpressionData data = MakeExpressionData(channels);
  int exit = kExitDone;
  for (const Expression& expression : outputs.expectations) {
    if (expression.Evaluate(data)) continue;
    const std::string found = expression.Found(data);
    PrintError("--expect is false: " + expression.text(), found.empty() ? "" : "found " + found);
    exit = kExitFalse;
  }
  return exit;
}

}  // namespace

std::optional<RunPlan> LoadPlan(const SimulateOptions& options, int* exit, std::string* render) {
  const auto refuse = [exit](const ErrorList& errors, int code) {
    PrintErrors(errors);
    *exit = code;
    return std::nullopt;
  };
  std::optional<Result<RunPlan>> plan;
  if (IsExperiment(options.scene)) {
    const Result<RecordingFile> file = ReadRecording(options.scene);
    if (!file) return refuse(file.errors(), kExitInput);
    for (const std::string& remark : file->remarks) PrintError(options.scene + ": " + remark);
    if (!options.models.empty()) {
      return refuse({Error{.message = "-m does not go with an experiment, "
                                      "whose channels are recorded",
                           .hint = "name its scene instead"}},
                    kExitUsage);
    }
    const Recording& recording = *file->recording;
    if (render != nullptr) *render = recording.render;
    plan = MakeRunPlan(recording, recording.present, options.params, options.at);
  } else {
    const auto scene = ReadWithNotice(
        options.scene, [&] { return FindScene(options.scene); }, options.progress);
    if (!scene) return refuse(scene.errors(), kExitInput);
    plan = MakeRunPlan(*scene, options.models, options.params, options.at);
  }
  if (!*plan) return refuse(plan->errors(), kExitUsage);
  RunPlan made = std::move(*plan).value();
  if (options.duration || options.steps) made.last_steps.clear();
  if (options.duration) made.duration = *options.duration;
  if (options.steps) made.steps = *options.steps;
  return made;
}

bool CheckPlan(const RunPlan& plan, const std::vector<Expression>& conditions, int64_t every) {
  return CheckPlan(plan, plan, conditions, every);
}

bool CheckPlan(const RunPlan& plan, const RunPlan& wide, const std::vector<Expression>& conditions,
               int64_t every) {
  ErrorList errors;
  const auto take = [&](const Status& status) {
    errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  };
  for (const Status& status :
       {CheckLength(plan), CheckChanges(plan, LatestEnd(plan)), CheckControllers(plan),
        CheckFriction(plan), CheckEvery(plan, every)})
    take(status);
  for (const Expression& condition : conditions) take(CheckCondition(wide, condition));
  PrintErrors(errors);
  return errors.empty();
}

std::optional<ForeignChannels> LoadForeign(const SimulateOptions& options, const RunPlan& plan,
                                           int* exit) {
  bool usage = false;
  auto foreign = ForeignChannels::Read(options.foreign, plan, &usage);
  if (foreign) return std::move(foreign).value();
  PrintErrors(foreign.errors());
  *exit = usage ? kExitUsage : kExitInput;
  return std::nullopt;
}

bool ParseExpectations(const std::vector<std::string>& texts, const Model& model,
                       std::span<const std::string> recorded, std::vector<Expression>* conditions,
                       std::string_view option) {
  bool good = true;
  for (const std::string& text : texts) {
    Result<Expression> expression = Expression::Parse(text, &model, recorded);
    if (expression) {
      conditions->push_back(*expression);
    } else {
      PrintError(
          std::string(option) + " '" + text.substr(0, 200) + "': " + expression.error().message,
          expression.error().hint);
      good = false;
    }
  }
  return good;
}

/// Robots whose controllers have given up: from then on the numbers are those of braking motors.
void PrintGivenUp(const RunPlan& plan, const std::vector<Track>& tracks) {
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    const Simulation& sim = tracks[c].sim();
    for (int r = sim.NextGivenUp(); r >= 0; r = sim.NextGivenUp(r)) {
      PrintError(
          fmt::format("{}: the controller of {} gave up, and the motors brake",
                      plan.labels.Of(c, sim.config().method()), At(sim.model().robots, r).name),
          std::string(GaveUp::kWhy));
    }
  }
}

/// What nobody would read off the numbers, one line of each kind and channel.
void PrintNotes(const RunPlan& plan, const RunResult& result) {
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    for (const ToldNote& note : NotesOf(plan, c, result.channels[c]))
      PrintError("note: " + note.text, note.advice);
  }
}

/// Rows of recorded runs come behind those of the channels: their times are known only then.
/// False after an error was printed.
bool WriteForeignRuns(const RunPlan& plan, const RunPlan& wide, ForeignChannels* foreign,
                      RunOutputs* outputs, RunResult* result) {
  const Status measured = foreign->Measure(plan, [&](int channel, const Simulation& simulation) {
    At(outputs->metrics, channel).Add(simulation);
    if (outputs->recorder) outputs->recorder->Step(channel, simulation);
    if (outputs->arrays) outputs->arrays->Step(channel, simulation);
  });
  PrintErrors(measured.errors());
  for (std::size_t c = plan.configs.size(); c < wide.configs.size(); ++c) {
    outputs->metrics[c].foreign = foreign->ReportOf(c);
    result->channels.emplace_back().status = ChannelResult::Status::kFinished;
    for (const std::string& note : outputs->metrics[c].foreign->notes)
      PrintError("note: " + wide.labels[c] + ": " + note);
  }
  return measured.ok();
}

int RunCommand(const RunOptions& options, const std::string& command_line) {
  int exit = kExitDone;
  RunOutputs outputs;
  std::optional<RunPlan> plan = LoadPlan(options, &exit);
  if (!plan) return exit;
  std::optional<ForeignChannels> foreign = LoadForeign(options, *plan, &exit);
  if (!foreign) return exit;
  const RunPlan wide = foreign->Widen(*plan);  // what is written and judged
  if (!ParseExpectations(options.expect, *plan->scene->model, foreign->Names(),
                         &outputs.expectations))
    return kExitUsage;
  if (!CheckPlan(*plan, wide, outputs.expectations, options.every) || !CheckSave(options, wide))
    return kExitUsage;
  const std::optional<RunChoice> choice = TakeChoice(options, *plan);
  if (!choice) return kExitUsage;
  plan->times_parts = choice->HasWallTimes();
  plan->watches_params = true;
  // nobody else sees it, and it costs a short step a hundredth
  plan->measures_distance = !options.output.empty() || !options.expect.empty();
  plan->workers = options.jobs > 0 ? options.jobs : HardwareThreads();
  exit = OpenOutputs(options, wide, *choice, &outputs);
  if (exit != kExitDone) return exit;
  outputs.metrics.resize(wide.configs.size());
  for (const PlanNote& note : PlanNotes(*plan)) PrintError("note: " + note.text);
  PrintWithoutProblems(options, *plan);

  CatchInterrupts();
  Progress progress(options.progress, plan->scene->id);
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    const auto c = static_cast<std::size_t>(channel);
    outputs.metrics[c].Add(simulation);
    foreign->Watch(channel, simulation);
    if (outputs.recorder) outputs.recorder->Step(channel, simulation);
    if (outputs.arrays) outputs.arrays->Step(channel, simulation);
    DumpProblem(options, plan->labels.Of(c, simulation.config().method()), simulation, &outputs);
  };
  callbacks.event = [&](const Event& event) {
    if (outputs.recorder) outputs.recorder->Record(event);
  };
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    const bool writable = outputs.write_errors.empty() &&
                          (!outputs.recorder || outputs.recorder->good()) &&
                          (!outputs.arrays || outputs.arrays->good());
    return Interrupted() == 0 && writable;
  };
  callbacks.stop = [] { return Interrupted() != 0; };
  RunResult result = Run(*plan, &tracks, callbacks);
  progress.Finish();
  const bool measured = WriteForeignRuns(*plan, wide, &*foreign, &outputs, &result);

  const RunContext context{command_line, Version(), BuildText()};
  CloseOutputs(options, wide, context, result, tracks, &outputs);

  // The first of these decides: what could not be written, what broke, what was asked for.
  PrintErrors(outputs.write_errors);
  const bool quiet = options.progress != "auto" || !outputs.write_errors.empty();
  if (!quiet) PrintWritten(options, outputs);
  const std::vector<std::string> failures = result.Failures();
  const int64_t not_converged = result.NotConverged();
  for (const std::string& failure : failures) PrintError(failure);
  PrintErrors(result.ByReason().Sentences());
  if (outputs.write_errors.empty() && outputs.printed) PrintNotes(*plan, result);
  PrintGivenUp(*plan, tracks);
  if (Interrupted() != 0) return ExitInterrupted("finished rows were kept");
  if (!outputs.write_errors.empty() || !outputs.printed) return kExitFailed;
  if (options.strict && not_converged > 0) return kExitNotConverged;
  if (!failures.empty()) return kExitFailed;
  if (!measured) return kExitInput;
  return CheckExpectations(wide, outputs, tracks);
}

}  // namespace slip::app
