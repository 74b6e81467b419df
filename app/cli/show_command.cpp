// show: the resolved scene. check: validate files without a run.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "engine/core/json_writer.h"
#include "engine/core/param_text.h"
#include "engine/formulation/problem_file.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

std::string FormatText(const Scene& scene) {
  std::string text =
      fmt::format("{} ({})\n{}\n\n{}\n\nsource: {}\nfile: {}\nduration: {} s\n\n", scene.title,
                  scene.id, std::string(scene.title.size(), '='), scene.story, scene.source,
                  scene.file, FormatNumber(scene.duration));
  for (const Body& body : scene.model->bodies) {
    text += fmt::format("body {}: {} kg, {} contact point{}, {} velocity coordinate{}\n", body.name,
                        FormatNumber(body.mass), body.points_B.size(),
                        body.points_B.size() == 1 ? "" : "s", body.nv, body.nv == 1 ? "" : "s");
  }
  for (const Surface& surface : scene.model->surfaces) {
    text += fmt::format("surface {}{}\n", surface.name, surface.drive >= 0 ? ", moving" : "");
  }
  text += "\n";
  // One column of values per channel.
  std::vector<std::vector<std::string>> rows = {{"parameter"}};
  for (const ChannelSpec& channel : scene.channels) {
    rows[0].emplace_back(Info(channel.config.model()).id);
  }
  rows[0].emplace_back("range");
  rows[0].emplace_back("meaning");
  for (const ParamEntry& entry : ListParams(scene.config)) {
    const ParamInfo& info = *entry.info;
    std::vector<std::string> row = {entry.path};
    for (const ChannelSpec& channel : scene.channels) {
      row.push_back(FormatValue(info, *GetParam(channel.config, entry.path)));
    }
    row.push_back(info.scale == Scale::kChoice ? "choice"
                                               : (info.zero ? "0, " : "") + FormatNumber(info.min) +
                                                     ".." + FormatNumber(info.max));
    row.emplace_back(info.doc);
    rows.push_back(std::move(row));
  }
  return text + FormatTable(rows, std::vector<bool>(rows[0].size(), false));
}

/// True when the file is valid; says what it is, or what is wrong.
bool CheckFile(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".urdf" || extension == ".obj") {
    PrintError(Error{.message = extension.substr(1) + " files cannot be read by this version",
                     .file = path});
    return false;
  }
  if (extension == ".json") {
    const Result<ProblemFile> problem = ReadProblem(path);
    if (!problem) {
      PrintErrors(problem.errors());
      return false;
    }
    Print(fmt::format("{}: contact problem, {} trees, {} contacts\n", path,
                      problem->problem.trees.size(), problem->problem.contacts.size()));
    return true;
  }
  const auto scene = FindScene(path);
  if (!scene) {
    PrintErrors(scene.errors());
    return false;
  }
  Print(fmt::format("{}: scene \"{}\", {} bodies, {} channels\n", path, (*scene)->title,
                    (*scene)->model->bodies.size(), (*scene)->channels.size()));
  return true;
}

}  // namespace

int ShowCommand(const ShowOptions& options) {
  const auto scene = FindScene(options.scene);
  if (!scene) {
    PrintErrors(scene.errors());
    return kExitInput;
  }
  if (!options.json) return Print(FormatText(**scene)) ? kExitDone : kExitFailed;
  JsonWriter json;
  WriteScene(**scene, &json);
  return Print(json.Take()) ? kExitDone : kExitFailed;
}

int CheckCommand(const CheckOptions& options) {
  bool good = true;
  for (const std::string& file : options.files) good = CheckFile(file) && good;
  return good ? kExitDone : kExitInput;
}

}  // namespace slip::app
