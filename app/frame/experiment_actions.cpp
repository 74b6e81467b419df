// Saving what was done, and copying it as commands.
#include <fmt/format.h>

#include <filesystem>

#include "app/frame/ui.h"
#include "app/session/scene_file.h"
#include "engine/core/output_file.h"

namespace slip::app {

void SaveExperiment(Ui* ui) {
  const Scene* scene = ui->session.scene();
  if (scene == nullptr) return;
  ui->requests.session().experiments().Save(FreeName("slipscope-" + scene->id, "json"));
}

void SaveSceneFile(Ui* ui) {
  const Scene* scene = ui->session.scene();
  if (scene == nullptr) return;
  const std::string name = scene->id + ".toml";
  std::error_code ignored;
  SaveScene(std::filesystem::exists(name, ignored) ? FreeName(scene->id, "toml") : name,
            &ui->requests.session());
}

void CopyRunCommand(Ui* ui) {
  ui->requests.session().experiments().CopyCommandLine(
      Experiments::CommandKind::kRun,
      [ui](const std::string& line) { ui->requests.Copy(line, "Command line"); });
}

void CopyRenderCommand(Ui* ui) {
  if (ui->session.scene() == nullptr) return;
  const std::string id = ui->session.scene()->id;
  const double end = ui->session.snapshot().history_end;
  ui->requests.session().experiments().CopyCommandLine(
      Experiments::CommandKind::kArguments, [ui, id, end](const std::string& run) {
        ui->requests.Copy(
            fmt::format("slipscope render {} -t {} --region window -o {}.mp4", run, end, id),
            "Render command");
      });
}

}  // namespace slip::app
