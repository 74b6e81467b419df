// The grammar of the command line. The only file that is compiled with CLI11, with what it
// includes: that takes long.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>

#include "app/cli/build_info.h"
#include "app/cli/command_words.h"
#include "app/cli/commands.h"
#include "app/cli/grammar_fit.h"
#include "app/cli/grammar_parts.h"
#include "app/cli/numbers.h"
#include "app/cli/text_words.h"
#include "app/host/print.h"
#include "app/session/render_spec.h"
#include "engine/core/param_text.h"
#include "engine/core/side_work.h"
#include "engine/dialect/dialect.h"
#include "engine/export/export.h"
#include "engine/geometry/shape_formats.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

/// Everything CLI11 writes into. It must stay where it is while parsing.
struct Grammar {
  CLI::App app{"An oscilloscope for contact mechanics."};
  RawNumbers raw;
  std::string threads;
  RunOptions run, compare;
  SweepOptions sweep;
  StudyOptions study;
  FitOptions fit;
  SolveOptions solve;
  ListOptions list;
  ShowOptions show;
  CheckOptions check;
  ReplayOptions replay;
  DoctorOptions doctor;
  ExportOptions exported;
  DialectOptions dialect;
  WindowOptions window;
  RenderOptions render;
};

void AddSimulate(CLI::App* app, SimulateOptions* options, RawNumbers* raw, bool changes) {
  app->add_option("-m,--model", options->models,
                  "Comma list of contact models; default: the scene's");
  auto* duration =
      app->add_option("-t,--duration", raw->duration, "Length in s; default: the scene's");
  app->add_option("--steps", raw->steps, "Length in steps")->excludes(duration);
  Repeatable(app, "-p,--param", &options->params,
             "PATH=VALUE[UNIT], for example time_step=2ms; a bare name sets "
             "every material");
  if (changes) {
    Repeatable(app, "--at", &options->at, "S:PATH=VALUE, a parameter change at that time");
  }
}

void AddForeign(CLI::App* app, ForeignRequest* request) {
  Repeatable(app, "--foreign", &request->files,
             "[NAME=]PATH, a recorded run as one more channel: a folder as -o "
             "writes it, .csv, .npz");
  Repeatable(app, "--foreign-meta", &request->meta,
             "KEY=VALUE about it, for example quaternion_order=xyzw");
  const std::vector<std::string> aligns(std::begin(kForeignAligns), std::end(kForeignAligns));
  app->add_option("--align", request->align,
                  fmt::format("Its time to the run's: {}", fmt::join(aligns, ", ")))
      ->check(OneOf(aligns, "no way to align"));
}

void AddRun(CLI::App* app, RunOptions* options, RawNumbers* raw) {
  CLI::Option* scene = AddScene(app, &options->scene)->required();
  if (!options->compare)
    app->add_option("--suite", options->suite, "Name from 'list suites' or .toml, for a scene")
        ->excludes(scene)
        ->each([scene](const std::string&) { scene->required(false); });
  AddSimulate(app, options, raw, true);
  app->add_option("--every", raw->every, "Write every N-th step (default 1)");
  for (const TextWord<RunOptions>& word : RunTexts())
    app->add_option(word.name, options->*word.member, word.help);
  Repeatable(app, "--expect", &options->expect, "Condition; false: exit 4");
  AddForeign(app, &options->foreign);
  app->add_flag("--strict", options->strict, "A step that did not converge: exit 3");
  app->add_option("-j,--jobs", raw->jobs,
                  "Threads that share the steps (default: all cores); the "
                  "numbers are the same for "
                  "any");
  app->add_flag("--force", options->force, "Overwrite files");
  AddProgress(app, &options->progress);
}

/// An empty value, as an unset shell variable gives it, is not the same as none.
void RefuseEmpty(CLI::App* app) {
  for (CLI::Option* option : app->get_options()) {
    if (option->get_items_expected_min() == 0) continue;  // flags
    const std::string name = option->get_positional() ? "the " + option->get_name() + " " : "";
    option->check([name](const std::string& text) {
      return text.empty() ? name + "must not be empty" : std::string();
    });
  }
  for (CLI::App* command : app->get_subcommands({})) RefuseEmpty(command);
}

void AddSweep(Grammar* g) {
  CLI::App* app = AddCommand(&g->app, "sweep", "Grid over parameters, one row per run");
  app->add_option("scene", g->sweep.scene, "Name from 'list scenes', or a path");
  AddSimulate(app, &g->sweep, &g->raw, true);
  for (const ListWord<SweepOptions>& word : SweepLists())
    Repeatable(app, word.name, &(g->sweep.*word.member), word.help);
  for (const TextWord<SweepOptions>& word : SweepTexts())
    app->add_option(word.name, g->sweep.*word.member, word.help);
  app->add_option("-o,--output", g->sweep.output, "Folder for sweep.csv and meta.json")->required();
  app->add_option("--from", g->raw.from, "Measure from this time in s (default 0)");
  app->add_option("--to", g->raw.to, "Measure up to this time in s; default: the end");
  app->add_flag("--strict", g->sweep.strict, "A run that did not converge or failed: exit 3");
  app->add_option("-j,--jobs", g->raw.jobs, "Worker threads (default 1)");
  app->add_option("--local-error", g->raw.local_error,
                  "Tick in s: measure the error after a tick from the state of "
                  "a ground truth");
  app->add_option("--merge", g->sweep.merge, "Join the folders of all shards instead of running");
  app->add_flag("--force", g->sweep.force, "Overwrite files");
  AddProgress(app, &g->sweep.progress);
}

void AddStudy(Grammar* g) {
  CLI::App* app = AddCommand(&g->app, "study", "Figures with statements that are checked");
  app->add_option("study", g->study.names, "Names from 'list studies', files (.toml), or all")
      ->required();
  app->add_option("-o,--output", g->study.output,
                  "Folder for tables, figures, report.md and report.html");
  app->add_flag("--quick", g->study.quick, "With the fewer values that a study gives for it");
  app->add_option("-j,--jobs", g->raw.jobs, "Worker threads (default 1)");
  app->add_option("--shard", g->study.shard, "I/N, only the I-th of N parts of the cells");
  app->add_option("--merge", g->study.merge, "Join the folders of all parts instead of running");
  app->add_flag("--force", g->study.force, "Overwrite files");
  AddProgress(app, &g->study.progress);
}

void AddWindow(Grammar* g) {
  CLI::App* app = &g->app;
  app->add_option("scene", g->window.scene,
                  "Scene, experiment or robot (.urdf, .xml) to open; default: "
                  "the first lesson");
  AddSimulate(app, &g->window, &g->raw, false);
  AddForeign(app, &g->window.foreign);
  app->add_option("--theme", g->window.theme, "light or dark")->check(OneOf({"light", "dark"}));
  app->add_option("--scale", g->raw.scale, "Size of the user interface");
  app->add_flag("--paused", g->window.paused, "Do not start running");
  app->add_option("--lesson", g->window.lesson, "Start with this scene's lesson")
      ->expected(0, 1)
      ->default_str("first");
  app->add_option("--frames", g->raw.frames, "Leave after N drawn frames");
}

void AddRender(Grammar* g) {
  CLI::App* app = AddCommand(&g->app, "render", "Picture or video, off-screen");
  app->add_option("scene", g->render.scene,
                  "Scene, experiment, the .json beside a video, or robot (.urdf, .xml)")
      ->required();
  AddSimulate(app, &g->render, &g->raw, true);
  AddForeign(app, &g->render.foreign);
  app->add_option("-o,--output", g->render.output,
                  "FILE.mp4, .webm, .gif, .png, or a folder for frames; beside "
                  "a video OUTPUT.json, "
                  "which makes the same frames again")
      ->required();
  app->add_option("--size", g->raw.size,
                  "WxH in pixels (default 1600x900; the window at least 800x450)");
  app->add_option("--fps", g->raw.fps, "Frames per second (default 60; GIF 25)");
  app->add_option("--speed", g->raw.speed,
                  "Simulated seconds in a second of video (default 1; 0.1: ten "
                  "times slower)");
  app->add_option("--from", g->raw.from, "Start of the video in s");
  app->add_option("--to", g->raw.to, "End of the video in s");
  app->add_option("--time", g->raw.time, "Moment of the picture in s");
  app->add_option("--region", g->render.region,
                  "view, plots, view-plots (with the time line) or window (default)")
      ->check(OneOf(RegionNames()));
  app->add_option("--plots", g->render.plots,
                  "Signals of the plots, a comma list; a@b draws a against b, "
                  "a@histogram its histogram");
  app->add_option("--show", g->render.show,
                  "Switches of Show and View, a comma list: joint_axes turns "
                  "on, no_forces off");
  app->add_option("--theme", g->render.theme, "light or dark")->check(OneOf({"light", "dark"}));
  app->add_option("--quality", g->render.quality,
                  "best, balanced or fast (default best; fast for a video "
                  "without a GPU)")
      ->check(OneOf(QualityNames()));
  app->add_option("--scale", g->raw.scale, "Size of the user interface");
  app->add_flag("--transparent", g->render.transparent,
                "Of a .png of the view: no ground, clear where no body is");
  app->add_flag("--force", g->render.force, "Overwrite files");
  AddProgress(app, &g->render.progress);
}

void AddExport(Grammar* g) {
  CLI::App* app = AddCommand(&g->app, "export",
                             "The scene in another program's format; what that "
                             "cannot say goes to stderr");
  AddScene(app, &g->exported.scene)->required();
  std::vector<std::string> ids;
  for (const ExportFormat& format : ExportFormats()) ids.emplace_back(format.id);
  app->add_option("--to", g->exported.to, FormatChoices())
      ->required()
      ->check(OneOf(std::move(ids), "no format"));
  app->add_option("-o,--output", g->exported.output,
                  "File, and its meshes beside it; default: stdout");
  app->add_option("-m,--model", g->exported.model,
                  "Model whose contacts are translated; default: the scene's first");
  Repeatable(app, "-p,--param", &g->exported.params, "PATH=VALUE[UNIT], as for run");
  app->add_option("--contact", g->exported.contact,
                  "'translated': parameters of contacts in the other program's "
                  "terms; 'none': left "
                  "out, so that its own hold (default: translated)")
      ->check(OneOf({"translated", "none"}, "no way to write contacts"));
  app->add_option("--at", g->raw.at,
                  "Moment in s whose loads of contacts count (default: the first step)");
  app->add_flag("--json", g->exported.json, "What was left out as JSON on stdout");
  app->add_flag("--force", g->exported.force, "Overwrite files");
}

void AddDialect(Grammar* g) {
  CLI::App* app = AddCommand(&g->app, "dialect",
                             "The numbers of a contact in the words of another engine, both ways");
  AddScene(app, &g->dialect.scene)->required();
  std::vector<std::string> ids;
  for (const Dialect& dialect : Dialects()) ids.emplace_back(dialect.id);
  app->add_option("--from", g->dialect.from, "Engine whose --values become ours")
      ->check(OneOf(ids, "no dialect"));
  ids.emplace_back("all");
  app->add_option("--to", g->dialect.to, "Engine from 'list dialects', or all")
      ->check(OneOf(std::move(ids), "no dialect"));
  app->add_option("--values", g->dialect.values,
                  "Of --from, e.g. 'solref=\"0.02 1\" impratio=10'; the rest "
                  "is at its defaults");
  app->add_option("-m,--model", g->dialect.model, "Default: the scene's first");
  Repeatable(app, "-p,--param", &g->dialect.params, "PATH=VALUE[UNIT], as for run");
  app->add_option("--contact", g->dialect.contact,
                  "A:B, names of two bodies or surfaces (default: what carries most)");
  app->add_option("--at", g->raw.at, "Moment in s (default: 1)");
  app->add_option("--keep", g->dialect.keep,
                  "rest or impact, where no number keeps both (default: rest)")
      ->check(OneOf({"rest", "impact"}, "no effect to keep"));
  app->add_flag("--json", g->dialect.json, "One object per row");
}

std::unique_ptr<Grammar> MakeGrammar() {
  auto g = std::make_unique<Grammar>();
  g->app.name("slipscope");
  g->app.set_version_flag("--version", "slipscope " + Version());
  g->app.require_subcommand(0, 1);
  AddWindow(g.get());
  CLI::App* run = AddCommand(&g->app, "run", "Simulate without a window, write data");
  AddRun(run, &g->run, &g->raw);
  run->add_option("--dump-problems", g->run.dump_problems,
                  "Folder for each written step's contact problem");
  g->compare.compare = true;
  AddRun(AddCommand(&g->app, "compare", "Several models side by side; metric table"), &g->compare,
         &g->raw);
  AddSweep(g.get());
  AddStudy(g.get());
  AddFit(AddCommand(&g->app, "fit", "Parameters of each method from recorded runs, with intervals"),
         &g->fit, &g->raw);

  CLI::App* replay = AddCommand(&g->app, "replay", "Run a saved experiment again");
  replay->add_option("experiment", g->replay.file, "Experiment file")->required();
  replay->add_flag("--verify", g->replay.verify, "Not the same bits, or a changed file: exit 4");
  replay->add_option("-j,--jobs", g->raw.jobs, "Threads (default: all cores)");
  AddProgress(replay, &g->replay.progress);

  CLI::App* solve = AddCommand(&g->app, "solve", "Solve one recorded contact problem");
  solve->add_option("problem", g->solve.file, "Contact problem: ours (.json), or FCLIB's (.hdf5)")
      ->required();
  solve->add_option("-m,--model", g->solve.model,
                    "Contact models, a comma list, instead of the file's; of HDF5 all");
  Repeatable(solve, "-p,--param", &g->solve.params, "PATH=VALUE[UNIT] instead of the file's");
  solve->add_option("--repeat", g->raw.repeat, "Time N solves (median, min)");
  solve->add_flag("--json", g->solve.json, "Machine-readable answer");
  AddRender(g.get());

  CLI::App* list = AddCommand(&g->app, "list", "What there is");
  list->add_option("kind", g->list.what, ListChoices() + " (what a scene file may hold)")
      ->required()
      ->check(OneOf(ListWords(), "nothing to list is called"));
  list->add_option("scene", g->list.scene,
                   "With signals: scene, or robot (.urdf, .xml), whose they are");
  list->add_flag("--json", g->list.json, "Machine-readable");
  CLI::App* show =
      AddCommand(&g->app, "show", "The resolved scene with every parameter, unit and range");
  show->add_option("scene", g->show.scene, "Scene name or path")->required();
  show->add_flag("--json", g->show.json, "Machine-readable");
  CLI::App* check =
      AddCommand(&g->app, "check", "Validate files; of scenes also each channel's first step");
  check
      ->add_option(
          "file", g->check.files,
          "Scenes and studies (.toml), experiments and contact problems (.json, .hdf5), robots "
          "(.urdf, .xml), meshes (" +
              MeshSuffixes() + "), point clouds (" + CloudSuffixes() + ")")
      ->required();
  AddExport(g.get());
  AddDialect(g.get());
  CLI::App* doctor = AddCommand(&g->app, "doctor", "Build, libraries, graphics, encoder, paths");
  doctor->add_flag("--json", g->doctor.json, "Machine-readable");
  AddThreads(&g->app, &g->threads);
  for (CLI::App* command : g->app.get_subcommands({}))
    if (command != solve && command != doctor) AddThreads(command, &g->threads);
  RefuseEmpty(&g->app);
  return g;
}

/// The first unknown option among the arguments, with a suggestion.
int PrintUnknown(const CLI::App& app, const std::vector<std::string>& extras) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& extra : extras) {
    if (extra.size() < 2 || extra.front() != '-') continue;
    const std::string word = extra.substr(0, extra.find('='));
    const std::string_view closest = Closest(word, known);
    PrintError("unknown option '" + word.substr(0, 80) + "'",
               closest.empty() ? "see --help" : "did you mean '" + std::string(closest) + "'?");
    return kExitUsage;
  }
  PrintError("unexpected argument '" + (extras.empty() ? "" : extras.front().substr(0, 80)) + "'",
             "see --help");
  return kExitUsage;
}

/// What a command was given, once its numbers are read.
template <class Options>
bool Give(bool fits, const Options& own, AnyOptions* options) {
  if (fits) *options = own;
  return fits;
}

bool Choose(Grammar* g, AnyOptions* options) {
  const auto is = [&](const char* name) { return g->app.got_subcommand(name); };
  if (is("run")) return Give(TakeRun(g->raw, &g->run), g->run, options);
  if (is("compare")) return Give(TakeRun(g->raw, &g->compare), g->compare, options);
  if (is("sweep")) return Give(TakeSweep(g->raw, &g->sweep), g->sweep, options);
  if (is("study")) return Give(TakeStudy(g->raw, &g->study), g->study, options);
  if (is("fit")) return Give(TakeFit(g->raw, &g->fit), g->fit, options);
  if (is("solve")) return Give(TakeSolve(g->raw, &g->solve), g->solve, options);
  if (is("render")) return Give(TakeRender(g->raw, &g->render), g->render, options);
  if (is("list")) return Give(CheckList(g->list), g->list, options);
  if (is("show")) return Give(true, g->show, options);
  if (is("replay")) return Give(TakeReplay(g->raw, &g->replay), g->replay, options);
  if (is("check")) return Give(true, g->check, options);
  if (is("export")) return Give(TakeExport(g->raw, &g->exported), g->exported, options);
  if (is("dialect")) return Give(TakeDialect(g->raw, &g->dialect), g->dialect, options);
  if (is("doctor")) return Give(true, g->doctor, options);
  return Give(TakeWindow(g->raw, &g->window), g->window, options);
}

/// First line of a library's message, in our form.
int PrintParseError(const CLI::App& command, const CLI::ParseError& error) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && text.back() == '.') text.pop_back();
  const auto argument = [&](const std::string& name) {
    const CLI::Option* option = name.starts_with('-') ? nullptr : command.get_option_no_throw(name);
    return option != nullptr && option->get_positional() ? option : nullptr;
  };
  std::string hint = text.ends_with(')') ? "" : "see --help";
  const std::size_t colon = std::min(text.find(": "), text.size());
  const std::string name = text.substr(0, colon);
  if (error.get_name() == "ArgumentMismatch") {
    text = name + (text.find("At Most") == std::string::npos ? " needs a value"
                                                             : " is given more than once");
  } else if (argument(name) != nullptr) {
    text = text.substr(colon + 2);  // the sentence says which
  } else if (error.get_name() == "RequiredError") {
    const std::string missing = text.substr(0, text.find(' '));
    if (const CLI::Option* option = argument(missing)) {
      text = fmt::format("'{}' needs a {}", command.get_name(), missing);
      hint = option->get_description();
      hint.front() = static_cast<char>(std::tolower(hint.front()));
    }
  }
  PrintError(text, hint);
  return kExitUsage;
}

}  // namespace

std::optional<int> ParseCommandLine(int argc, char** argv, AnyOptions* options) {
  if (argc > 1) {
    if (const auto exit = CheckFirstWord(argv[1])) return exit;
  }
  const std::unique_ptr<Grammar> grammar = MakeGrammar();
  CLI::App& app = grammar->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return Print(chosen.empty() ? app.help() : chosen.front()->help()) ? kExitDone : kExitFailed;
  } catch (const CLI::CallForVersion& version) {
    return Print(std::string(version.what()) + "\n") ? kExitDone : kExitFailed;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& active = chosen.empty() ? app : *chosen.front();
    const std::vector<std::string> extras = app.remaining(true);
    const bool unknown = std::any_of(extras.begin(), extras.end(), [](const std::string& extra) {
      return extra.size() > 1 && extra.front() == '-';
    });
    if (unknown || error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
      return PrintUnknown(active, extras);
    }
    return PrintParseError(active, error);
  }
  if (!Choose(grammar.get(), options)) return kExitUsage;
  if (grammar->threads == "0") SetStartsThreads(false);
  return std::nullopt;
}

}  // namespace slip::app
