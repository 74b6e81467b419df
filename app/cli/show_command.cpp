// show: the resolved scene.
#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/host/print.h"
#include "engine/core/json_writer.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/geometry/mesh.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/record/scene_json.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

std::string FormatText(const Scene& scene) {
  std::string text =
      fmt::format("{} ({})\n{}\n\n{}\n\nsource: {}\nfile: {}\nduration: {} s\n\n", scene.title,
                  scene.id, std::string(scene.title.size(), '='), scene.story, scene.source,
                  scene.file, FormatNumber(scene.duration));
  const std::vector<Body>& bodies = scene.model->bodies;
  // shapes of a link are the link's
  std::vector<std::size_t> of_shapes(bodies.size(), 0);
  for (const Body& body : bodies) {
    if (body.shape_of_link >= 0) At(of_shapes, body.shape_of_link) += body.points_B.size();
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    if (body.shape_of_link >= 0) continue;
    const bool cloud = body.shape.cloud != nullptr;
    const std::size_t points =
        cloud ? body.shape.cloud->points.size() : body.points_B.size() + of_shapes[b];
    text += fmt::format("body {}: {} kg, {} {}point{}, {} velocity coordinate{}\n", body.name,
                        FormatNumber(body.mass), points, cloud ? "cloud " : "contact ",
                        points == 1 ? "" : "s", body.nv, body.nv == 1 ? "" : "s");
  }
  for (const Surface& surface : scene.model->surfaces) {
    text += fmt::format("surface {}{}\n", surface.name, surface.drive >= 0 ? ", moving" : "");
  }
  text += "\n";
  // One column of values per channel.
  std::vector<std::vector<std::string>> rows = {{"parameter"}};
  for (const ChannelSpec& channel : scene.channels) {
    rows[0].emplace_back(Info(channel.config.method()).id);
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

}  // namespace

int ShowCommand(const ShowOptions& options) {
  if (IsExperiment(options.scene)) {
    PrintError(options.scene + ": an experiment, not a scene",
               "'slipscope check FILE' says what is in it");
    return kExitInput;
  }
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

}  // namespace slip::app
