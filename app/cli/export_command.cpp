// export: the scene in another program's format, and what that cannot say.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/first_channel.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "engine/core/json_writer.h"
#include "engine/core/output_file.h"
#include "engine/core/param_text.h"
#include "engine/export/export.h"
#include "engine/run/study/run_plan.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// The contact that carries most, when the first channel has run to its end.
std::optional<ExportLoad> FindLoad(const Simulation& simulation) {
  const std::vector<ContactFrame>& contacts = simulation.contacts();
  const auto most =
      std::max_element(contacts.begin(), contacts.end(),
                       [](const ContactFrame& a, const ContactFrame& b) { return a.fn < b.fn; });
  if (most == contacts.end() || !(most->fn > 0)) return std::nullopt;
  return ExportLoad{most->surface, most->body_a, most->body, most->fn, most->w};
}

/// Null, with *exit set, when the name cannot be had.
std::shared_ptr<OutputFile> OpenFile(const std::string& path, bool force, int* exit) {
  bool taken = false;
  auto file = OutputFile::Open(path, force, &taken);
  if (file) return *file;
  PrintErrors(file.errors());
  *exit = taken ? kExitUsage : kExitFailed;
  return nullptr;
}

/// What is at a place where a mesh is to lie.
enum class Beside { kNothing, kSame, kOther };
Beside LookBeside(const fs::path& place, const std::string& text) {
  std::error_code code;
  if (!fs::exists(place, code)) return Beside::kNothing;
  if (!fs::is_regular_file(place, code) || fs::file_size(place, code) != text.size())
    return Beside::kOther;
  std::ostringstream there;
  there << std::ifstream(place, std::ios::binary).rdbuf();
  return there.str() == text ? Beside::kSame : Beside::kOther;
}

/// Meshes of another scene keep their names: these then have those of another stem.
Export ExportBeside(const ExportFormat& format, ExportInput input, const fs::path& folder,
                    bool force) {
  const std::string first = input.stem;
  for (int i = 1;; ++i) {
    Export exported = format.write(input);
    const bool other =
        !force &&
        std::any_of(exported.meshes.begin(), exported.meshes.end(), [&](const ExportFile& mesh) {
          return LookBeside(folder / mesh.name, mesh.text) == Beside::kOther;
        });
    constexpr int kTries = 20;
    if (!other || i == kTries) return exported;
    input.stem = i == 1 ? fmt::format("{}-{}", first, format.id)
                        : fmt::format("{}-{}-{}", first, format.id, i);
  }
}

/// All files get their names, or none does; a mesh that lies there already stays.
int WriteFiles(const std::shared_ptr<OutputFile>& first, const Export& exported, bool force) {
  const fs::path folder = fs::path(first->path()).parent_path();
  std::vector<std::shared_ptr<OutputFile>> files = {first};
  first->Write(exported.text);
  for (const ExportFile& mesh : exported.meshes) {
    if (!force && LookBeside(folder / mesh.name, mesh.text) == Beside::kSame) continue;
    int exit = kExitDone;
    files.push_back(OpenFile((folder / mesh.name).string(), force, &exit));
    if (files.back() == nullptr) return exit;
    files.back()->Write(mesh.text);
  }
  std::vector<OutputFile*> all;
  for (const auto& file : files) all.push_back(file.get());
  if (const Status written = CommitTogether(all); !written.ok()) {
    PrintErrors(written.errors());
    return kExitFailed;
  }
  return kExitDone;
}

std::string ReportJson(const ExportOptions& options, const Export& exported) {
  JsonWriter json;
  json.BeginObject();
  json.Text("format", options.to).Text("file", options.output);
  std::vector<std::string> meshes;
  for (const ExportFile& mesh : exported.meshes) meshes.push_back(mesh.name);
  json.Texts("meshes", meshes).Key("losses").BeginList(false);
  for (const ExportLoss& loss : exported.losses) {
    json.BeginObject();
    json.Text("kind", Name(loss.id)).Text("text", loss.text);
    json.Texts("names", loss.names).EndObject();
  }
  json.EndList().EndObject();
  return json.Take();
}

}  // namespace

int ExportCommand(const ExportOptions& options) {
  const ExportFormat* format = FindExportFormat(options.to);
  int exit = kExitDone;
  SimulateOptions simulate;
  simulate.scene = options.scene;
  simulate.models = options.model;
  simulate.params = options.params;
  const std::optional<RunPlan> plan = LoadPlan(simulate, &exit);
  if (!plan) return exit;
  const Config& config = plan->configs.front();
  const Simulation start(plan->scene->ModelFor(config), config);
  // before the work, not after it
  std::shared_ptr<OutputFile> file;
  if (!options.output.empty()) {
    file = OpenFile(options.output, options.force, &exit);
    if (file == nullptr) return exit;
  }
  const std::optional<Track> track =
      RunFirstChannel(*plan, options.at, "--at 0 takes the loads of the first step", &exit);
  if (!track) return exit;
  const std::string stem =
      options.output.empty() ? plan->scene->id : fs::path(options.output).stem().string();
  const ExportInput input{.model = start.model(),
                          .config = config,
                          .start = start.state(),
                          .name = plan->scene->id,
                          .stem = stem,
                          .load = FindLoad(track->sim()),
                          .contacts = options.contact != "none"};
  const Export exported =
      options.output.empty()
          ? format->write(input)
          : ExportBeside(*format, input, fs::path(options.output).parent_path(), options.force);
  if (options.output.empty()) {
    if (!exported.meshes.empty()) {
      PrintError(fmt::format("the scene has {} mesh{}, which {} names as files beside it",
                             exported.meshes.size(), exported.meshes.size() == 1 ? "" : "es",
                             format->label),
                 fmt::format("name a file: -o {}{}", plan->scene->id, format->extension));
      return kExitUsage;
    }
    if (!Print(exported.text)) return kExitFailed;
  } else if (exit = WriteFiles(file, exported, options.force); exit != kExitDone) {
    return exit;
  }
  if (options.json) return Print(ReportJson(options, exported)) ? kExitDone : kExitFailed;
  for (const ExportLoss& loss : exported.losses) PrintError(loss.Line());
  return kExitDone;
}

}  // namespace slip::app
