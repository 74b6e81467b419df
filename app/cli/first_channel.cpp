#include "app/cli/first_channel.h"

#include <utility>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"

namespace slip::app {

std::optional<Track> RunFirstChannel(RunPlan plan, double at, std::string_view hint, int* exit) {
  const auto keep_first = [](auto* list) {
    if (list->size() > 1) list->erase(list->begin() + 1, list->end());
  };
  keep_first(&plan.configs);
  keep_first(&plan.own);
  keep_first(&plan.paths);
  const std::vector<MethodId> methods = plan.labels.MethodsOf(0);
  plan.labels = ChannelLabels(std::span(&methods, 1));
  plan.last_steps.clear();
  plan.duration = at;
  plan.steps = at > 0 ? 0 : 1;
  CatchInterrupts();
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.poll = [](double) { return Interrupted() == 0; };
  callbacks.stop = [] { return Interrupted() != 0; };
  const RunResult result = Run(plan, &tracks, callbacks);
  if (Interrupted() != 0) {
    *exit = ExitInterrupted("nothing was written");
    return std::nullopt;
  }
  if (!result.Complete()) {
    for (const std::string& failure : result.Failures()) PrintError(failure, hint);
    *exit = kExitFailed;
    return std::nullopt;
  }
  return std::move(tracks.front());
}

}  // namespace slip::app
