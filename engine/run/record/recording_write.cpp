// A recording as text.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/hash.h"
#include "engine/core/json_writer.h"
#include "engine/run/record/recorded_scene.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/record/scene_json.h"

namespace slip {
namespace {

void WriteState(const State& state, JsonWriter* json) {
  json->BeginObject().Integer("step", state.step).Number("time", state.time_base);
  const std::vector<double> numbers = BodyNumbers(state);
  json->Numbers("bodies", numbers.data(), static_cast<int>(numbers.size()));
  if (state.control.size() > 0)
    json->Numbers("control", state.control.data(), static_cast<int>(state.control.size()));
  const EnergyLedger& e = state.energy;
  const double energy[] = {e.drive_work, e.friction, e.damping, e.numerical, e.mechanical};
  json->Numbers("energy", energy, 5).EndObject();
}

void WriteGrab(const Grab& grab, JsonWriter* json) {
  json->Integer("body", grab.body);
  if (grab.body < 0) return;
  json->Numbers("point", grab.p_BP.data(), 3).Numbers("anchor", grab.p_WA.data(), 3);
  json->Number("stiffness", grab.stiffness).Number("damping", grab.damping);
  json->Number("force_limit", grab.force_limit).Flag("twist", grab.twist);
  const double q[] = {grab.q_WA.w(), grab.q_WA.x(), grab.q_WA.y(), grab.q_WA.z()};
  json->Numbers("orientation", q, 4);
}

void WriteEntry(const JournalEntry& entry, const Config& config, JsonWriter* json) {
  json->BeginObject().Integer("step", entry.step);
  if (const auto* param = std::get_if<ParamChange>(&entry.change)) {
    json->Text("kind", "parameter").Text("path", param->path);
    const ParamInfo* info = FindParam(config, param->path);
    if (info != nullptr && info->scale == Scale::kChoice) {
      json->Text("to", FormatValue(*info, param->value));
    } else {
      json->Number("to", param->value);
    }
  } else if (const auto* grab = std::get_if<Grab>(&entry.change)) {
    json->Text("kind", "pull");
    WriteGrab(*grab, json);
  } else {
    json->Text("kind", "state").Key("state");
    WriteState(*std::get<StateChange>(entry.change).state, json);
  }
  json->EndObject();
}

void WriteLine(const RecordedLine& item, JsonWriter* json) {
  const TrackLine& line = item.line;
  json->BeginObject().Integer("channel", item.channel);
  json->Text("model", Info(line.config.method()).id);
  if (item.gone) json->Flag("gone", true);
  if (line.parent >= 0) json->Integer("from_branch", line.parent);
  json->Integer("from_step", line.fork_step).Integer("to_step", line.end_step);
  if (line.stands) json->Flag("stands", true);
  if (line.parent < 0) {
    json->Key("parameters");
    WriteParams(line.config, nullptr, json);
    if (line.start != nullptr) {
      json->Key("state");
      WriteState(*line.start, json);
    }
  }
  json->Key("events").BeginList(false);
  for (const JournalEntry& entry : line.entries) WriteEntry(entry, line.config, json);
  json->EndList();
  // "step:hash"; the bodies as [step, numbers]
  std::vector<std::string> hashes;
  for (const StateLog::Hash& hash : line.log.hashes())
    hashes.push_back(fmt::format("{}:{:016x}", hash.step, hash.hash));
  json->Texts("state_hashes", hashes).Key("bodies").BeginList(false);
  for (const StateLog::Bodies& bodies : line.log.bodies()) {
    json->BeginList().Integer(bodies.step);
    for (const double x : bodies.numbers) json->Number(x);
    json->EndList();
  }
  json->EndList().EndObject();
}

}  // namespace

std::string FormatRecording(const Recording& recording, const RunContext& context,
                            const std::string& path) {
  // a scene that was read again is another one
  std::vector<const Scene*> scenes;
  const auto number = [&](const Scene* scene) {
    const auto found = std::find(scenes.begin(), scenes.end(), scene);
    if (found != scenes.end()) return found - scenes.begin();
    scenes.push_back(scene);
    return static_cast<std::ptrdiff_t>(scenes.size()) - 1;
  };
  for (const RecordedBranch& branch : recording.branches) number(branch.scene.get());
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.experiment/1");
  json.Text("build", context.version + " " + context.build).Text("command", context.command_line);
  json.Text(
      "x-frames",
      "bit by bit as the steps have them: poses in bodies and state are of the centre of mass "
      "with the principal axes, and so are point and orientation of a pull; a body's own "
      "frame, as its file names it, is the principal one times the inverse of principal_axes "
      "in resolved, where that is given");
  if (const std::vector<MethodId> engines = EnginesOf(recording); !engines.empty()) {
    json.Key("engines").BeginObject();
    for (const MethodId method : engines) json.Text(Info(method).id, Info(method).version());
    json.EndObject();
  }
  if (!recording.branches.empty()) WriteSeed(*recording.branches[0].scene, &json, false);
  json.Key("scenes").BeginList(false);
  for (const Scene* scene : scenes) {
    json.BeginObject().Text("id", scene->id).Text("file", PathFromExperiment(scene->file, path));
    json.Text("text", scene->text);
    json.Text("bodies_hash", fmt::format("{:016x}", Hash(*scene->model)));
    json.Key("resolved");
    WriteScene(*scene, &json);
    json.EndObject();
  }
  json.EndList();
  json.Integer("branch", recording.present).Number("time", recording.time);
  json.Key("branches").BeginList(false);
  for (const RecordedBranch& branch : recording.branches) {
    json.BeginObject().Key("parent");
    if (branch.parent >= 0) {
      json.Integer(branch.parent).Number("fork_time", branch.fork_time);
    } else {
      json.Null();
    }
    if (!branch.name.empty()) json.Text("name", branch.name);
    if (branch.dropped) json.Flag("dropped", true);
    json.Integer("scene", number(branch.scene.get()));
    json.Key("channels").BeginList(false);
    for (const RecordedLine& line : branch.lines) WriteLine(line, &json);
    json.EndList().EndObject();
  }
  json.EndList();
  json.Text("view", recording.view);
  if (!recording.render.empty()) json.Key("render").Raw(recording.render);
  json.Text("checksum", "").EndObject();
  std::string text = json.Take();
  // the place of the checksum is the last pair of quotes
  const std::size_t quotes = text.rfind("\"\"");
  Fnv1a hash;
  for (std::size_t i = 0; i < quotes; ++i) hash.Add(static_cast<unsigned char>(text[i]));
  text.insert(quotes + 1, fmt::format("{:016x}", hash.value()));
  return text;
}

}  // namespace slip
