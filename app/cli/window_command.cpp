// The window as a command: what it starts with.
#include <utility>

#include "app/cli/commands.h"
#include "app/host/print.h"
#include "app/host/window.h"
#include "engine/core/numbers.h"
#include "engine/study/study.h"

namespace slip::app {

int WindowCommand(const WindowOptions& options) {
  UiSetup setup;
  SimulateOptions simulate = options;
  const bool lesson = !options.lesson.empty();
  if (simulate.scene.empty() && lesson)
    simulate.scene = options.lesson == "first" ? "conveyor" : options.lesson;
  const bool changed = !options.models.empty() || !options.params.empty() || !options.at.empty();
  setup.context = options.context;
  if (simulate.scene.ends_with(".toml") && IsStudyFile(simulate.scene)) {
    const Result<Study> study = FindStudy(simulate.scene, false);
    PrintErrors(study.errors());
    if (!study) return kExitInput;
    if (changed || !options.foreign.empty()) {
      PrintError("-m, -p, --at and --foreign do not go with a study");
      return kExitUsage;
    }
    setup.study = std::exchange(simulate.scene, "");
  }
  if (simulate.scene.empty() && (changed || !options.foreign.empty())) simulate.scene = "conveyor";
  if (IsExperiment(simulate.scene)) {
    setup.experiment = simulate.scene;
    const Result<RecordingFile> file = ReadRecording(simulate.scene);
    if (!file) {
      PrintErrors(file.errors());
      return kExitInput;
    }
    if (changed) {
      PrintError("-m, -p and --at do not go with an experiment",
                 "'slipscope run FILE -p ...' does");
      return kExitUsage;
    }
    const Recording& recording = *file->recording;
    setup.scene = At(recording.branches, recording.present).scene;
    if (options.foreign.empty()) simulate.scene.clear();
  }
  if (!simulate.scene.empty()) {
    int exit = kExitDone;
    const std::optional<RunPlan> plan = LoadPlan(simulate, &exit);
    if (!plan) return exit;
    if (setup.experiment.empty()) setup.scene = SceneOf(*plan);
    if (setup.experiment.empty()) setup.changes = plan->changes;
    // what is wrong with a file is said here, where there is a terminal
    if (!LoadForeign(simulate, *plan, &exit)) return exit;
    setup.foreign = options.foreign;
  }
  if (!options.theme.empty()) setup.theme = options.theme == "light" ? Theme::kLight : Theme::kDark;
  setup.scale = options.scale;
  setup.paused = options.paused || !setup.experiment.empty();
  setup.frames = options.frames;
  return RunUi(setup);
}

}  // namespace slip::app
