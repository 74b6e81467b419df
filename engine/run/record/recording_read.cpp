// Reading experiment files: everything is checked before anything is run.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/core/hash.h"
#include "engine/core/json_document.h"
#include "engine/core/numbers.h"
#include "engine/run/record/recorded_scene.h"
#include "engine/run/record/recording_branch.h"
#include "engine/run/record/recording_file.h"
#include "engine/sim/method_list.h"

namespace slip {
namespace {

constexpr TextFileKind kExperimentFile{.name = "experiment file", .most_bytes = 256 * kMebibyte};
constexpr std::string_view kSchema = "slipscope.experiment/1";
constexpr double kMostSteps = 1e15;
constexpr double kFarthest = 1e30;  // any number of a state

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name), check_(name) {}

  Result<RecordingFile> Read(const Json& json) {
    if (!check_.Object(json, "the file")) return check_.errors();
    const std::string schema = check_.Text(json, "file", "schema");
    if (schema != kSchema) return WrongSchema(schema);
    check_.Known(json, "the file",
                 {"schema", "build", "command", "seed", "scenes", "branch", "time", "branches",
                  "view", "render", "checksum", "engines"});
    if (json.contains("build") && json["build"].is_string()) file_.build = json["build"];
    ReadEngines(json, &file_.engines, &check_);
    CheckSum(json);
    ReadScenes(json);
    if (!check_.empty()) return check_.errors();
    ReadBranches(json);
    if (!check_.empty()) return check_.errors();
    recording_->present =
        Whole(json, "file", "branch", 0, static_cast<double>(recording_->branches.size()) - 1);
    recording_->time = check_.Number(json, "file", "time", -kFarthest, kFarthest, 0.0);
    if (json.contains("view") && json["view"].is_string()) recording_->view = json["view"];
    if (json.contains("render") && check_.Object(json["render"], "file.render"))
      recording_->render = json["render"].dump();
    if (check_.empty()) CheckPresent();
    if (!check_.empty()) return check_.errors();
    file_.recording = std::move(recording_);
    return std::move(file_);
  }

 private:
  ErrorList WrongSchema(const std::string& found) {
    const bool newer = found.starts_with("slipscope.experiment/");
    Error error{
        .message = fmt::format("schema must be {} (found '{}')", kSchema, found.substr(0, 60)),
        .file = name_};
    error.hint =
        newer ? "a newer Slipscope wrote it: open it with that one" : "is it an experiment?";
    return check_.empty() ? ErrorList{error} : check_.errors();
  }

  // Every byte before the checksum's own text counts.
  void CheckSum(const Json& json) {
    const std::string sum = json.contains("checksum") && json["checksum"].is_string()
                                ? json["checksum"].get<std::string>()
                                : std::string();
    const std::size_t key = text_.rfind("\"checksum\"");
    const std::size_t begin = key == std::string_view::npos
                                  ? key
                                  : text_.find('"', key + std::string_view("\"checksum\"").size());
    Fnv1a hash;
    for (std::size_t i = 0; begin != std::string_view::npos && i < begin; ++i)
      hash.Add(static_cast<unsigned char>(text_[i]));
    if (sum != fmt::format("{:016x}", hash.value()))
      file_.remarks.push_back("the file was changed after it was saved");
  }

  int Whole(const Json& json, const std::string& where, const char* key, double min, double max) {
    return static_cast<int>(WholeStep(json, where, key, min, max));
  }
  int64_t WholeStep(const Json& json, const std::string& where, const char* key, double min,
                    double max) {
    const double value = check_.Number(json, where, key, min, max);
    if (value != std::floor(value)) check_.Add(where + "." + key + " must be a whole number");
    return static_cast<int64_t>(value);
  }

  const Json* List(const Json& json, const std::string& where, const char* key, std::size_t least) {
    const auto at = json.find(key);
    if (at != json.end() && at->is_array() && at->size() >= least) return &*at;
    check_.Add(fmt::format("{}{}{} must be a list{}", where, where.empty() ? "" : ".", key,
                           least > 0 ? " with something in it" : ""));
    return nullptr;
  }

  void ReadScenes(const Json& json) {
    const Json* list = List(json, "", "scenes", 1);
    if (list == nullptr) return;
    const bool changed = !file_.remarks.empty();
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& item = (*list)[i];
      const std::string where = fmt::format("scenes[{}]", i);
      if (!check_.Object(item, where)) continue;
      check_.Known(item, where, {"id", "file", "text", "bodies_hash", "resolved"});
      const std::string id = check_.Text(item, where, "id"),
                        path = check_.Text(item, where, "file");
      const std::string text = check_.Text(item, where, "text");
      if (!check_.empty()) return;
      const std::string hash = check_.Text(item, where, "bodies_hash");
      const Result<std::shared_ptr<const Scene>> scene =
          ReadRecordedScene({.id = id, .file = path, .text = text, .bodies_hash = hash}, name_);
      if (!scene) {
        check_.Add(
            where + ".text is no scene: " + scene.error().Text(),
            "the scene is written in the experiment, its mesh files and robots are not: they "
            "are looked for from the experiment's folder on");
        continue;
      }
      if (hash != fmt::format("{:016x}", Hash(*(*scene)->model)))
        file_.remarks.push_back(SayOtherBodies(id, *(*scene)->model, changed, file_.build));
      scenes_.push_back(*scene);
    }
  }

  void ReadBranches(const Json& json) {
    const Json* list = List(json, "", "branches", 1);
    for (std::size_t b = 0; list != nullptr && b < list->size(); ++b) {
      const Json& item = (*list)[b];
      const std::string where = fmt::format("branches[{}]", b);
      RecordedBranch& branch = recording_->branches.emplace_back();
      if (!check_.Object(item, where)) return;
      check_.Known(item, where, {"parent", "fork_time", "name", "dropped", "scene", "channels"});
      const int scene = Whole(item, where, "scene", 0, static_cast<double>(scenes_.size()) - 1);
      branch.scene = At(scenes_, scene);
      if (item.contains("parent") && !item["parent"].is_null()) {
        if (b == 0) {
          check_.Add(where + ".parent: the first branch has none");
          return;
        }
        branch.parent = Whole(item, where, "parent", 0, static_cast<double>(b) - 1);
        branch.fork_time = check_.Number(item, where, "fork_time", -kFarthest, kFarthest);
      }
      ReadBranchKeys(item, where, recording_->branches, &branch, &check_);
      const Json* channels = List(item, where, "channels", branch.dropped ? 0 : 1);
      for (std::size_t i = 0; channels != nullptr && i < channels->size(); ++i) {
        ReadLine((*channels)[i], static_cast<int>(b), fmt::format("{}.channels[{}]", where, i));
        if (!check_.empty()) return;  // what follows counts on it
      }
      if (!check_.empty()) return;
    }
  }

  /// The line of a channel in an earlier branch; null when there is none.
  const TrackLine* Find(int branch, int channel) const {
    for (const RecordedLine& line : At(recording_->branches, branch).lines) {
      if (line.channel == channel) return &line.line;
    }
    return nullptr;
  }

  void ReadLine(const Json& json, int b, const std::string& where) {
    if (!check_.Object(json, where)) return;
    check_.Known(json, where,
                 {"channel", "model", "gone", "from_branch", "from_step", "to_step", "stands",
                  "parameters", "state", "events", "state_hashes", "bodies"});
    RecordedBranch& branch = At(recording_->branches, b);
    RecordedLine item;
    item.channel = Whole(json, where, "channel", 0, channels_);
    item.gone = json.value("gone", false);
    TrackLine& line = item.line;
    line.branch = b;
    line.stands = json.value("stands", false);
    line.fork_step = WholeStep(json, where, "from_step", 0, kMostSteps);
    line.end_step =
        WholeStep(json, where, "to_step", static_cast<double>(line.fork_step), kMostSteps);
    const bool starts = json.contains("parameters");
    line.config = branch.scene->config;
    if (starts) {
      ReadParams(json["parameters"], where, &line.config);
      if (const Status size = branch.scene->CheckSize(line.config); !size.ok())
        check_.Add(where + ": " + size.error().message);
    } else {
      const int parent = b > 0 ? Whole(json, where, "from_branch", 0, b - 1) : 0;
      const TrackLine* left = b > 0 && check_.empty() ? Find(parent, item.channel) : nullptr;
      if (left == nullptr || line.fork_step < left->fork_step || line.fork_step > left->end_step) {
        check_.Add(where + " has no start: neither parameters nor a branch that it left");
        return;
      }
      line.parent = parent;
      line.config = left->config;
    }
    if (!check_.empty()) return;
    // one channel has one model throughout
    for (const RecordedBranch& other : recording_->branches) {
      for (const RecordedLine& own : other.lines) {
        if (own.channel != item.channel ||
            (other.scene == branch.scene && SameBodies(own.line.config, line.config)))
          continue;
        check_.Add(where + ".channel had another scene before");
        return;
      }
    }
    model_ = branch.scene->ModelFor(line.config);
    if (starts && json.contains("state")) line.start = ReadState(json["state"], where + ".state");
    ReadEvents(json, where, &line);
    ReadLog(json, where, &line);
    const bool twice =
        std::any_of(branch.lines.begin(), branch.lines.end(),
                    [&](const auto& other) { return other.channel == item.channel; });
    if (twice) check_.Add(where + ".channel is there twice");
    channels_ = std::max(channels_, static_cast<double>(item.channel) + 1);
    branch.lines.push_back(std::move(item));
  }

  void ReadParams(const Json& json, const std::string& where, Config* config) {
    if (!check_.Object(json, where + ".parameters")) return;
    for (const Param<StepParams>& row : StepParamTable()) {
      if (row.info.unnamed) row.Set(&config->step, *row.info.unnamed);
    }
    for (const auto& [path, entry] : json.items()) {
      if (path.rfind("x-", 0) == 0) continue;
      const std::string name = where + ".parameters." + path.substr(0, 60);
      if (!check_.Object(entry, name)) continue;
      if (!entry.contains("value")) {
        check_.Add(name + ".value is missing");
        continue;
      }
      SetFrom(entry["value"], path, name, config);
    }
    // one that does not know the forms of slip was made when no step of implicit Euler was refused
    if (!json.contains("slip_set") && config->method() == MethodNamed("implicit-euler"))
      config->step.lost_steps = 1;
  }

  /// A number, or the name of a choice.
  std::optional<double> SetFrom(const Json& value, const std::string& path,
                                const std::string& where, Config* config) {
    double number = 0;
    if (const ParamInfo* info = FindParam(*config, path); info != nullptr && value.is_string()) {
      const Result<double> parsed = ParseValue(*info, value.get<std::string>());
      if (!parsed) {
        check_.Add(where + ": " + parsed.error().message, parsed.error().hint);
        return std::nullopt;
      }
      number = *parsed;
    } else if (value.is_number()) {
      number = value.get<double>();
    } else {
      check_.Add(where + " must be a number or the name of a choice");
      return std::nullopt;
    }
    if (const Status status = SetParam(config, path, number); !status.ok()) {
      check_.Add(where + ": " + status.error().message, status.error().hint);
      return std::nullopt;
    }
    return number;
  }

  std::shared_ptr<const State> ReadState(const Json& json, const std::string& where) {
    if (!check_.Object(json, where)) return nullptr;
    check_.Known(json, where, {"step", "time", "bodies", "control", "energy"});
    auto state = std::make_shared<State>();
    const std::size_t bodies = model_->bodies.size();
    state->step = state->step_base = WholeStep(json, where, "step", 0, kMostSteps);
    state->time_base = check_.Number(json, where, "time", -kFarthest, kFarthest);
    const std::vector<double> numbers = check_.Numbers(
        json, where, "bodies", static_cast<int>(7 * bodies) + model_->nv + model_->nq);
    const std::vector<double> energy = check_.Numbers(json, where, "energy", 5);
    std::vector<double> control;
    if (const Json* list = json.contains("control") ? List(json, where, "control", 0) : nullptr;
        list != nullptr) {
      control = check_.Numbers(json, where, "control", static_cast<int>(list->size()));
    }
    if (!check_.empty()) return nullptr;
    const double* in = numbers.data();
    for (std::size_t b = 0; b < bodies; ++b, in += 7) {
      Pose X;
      X.p = Vec3(in[0], in[1], in[2]);
      X.q = Quat(in[3], in[4], in[5], in[6]);
      if (!(std::abs(X.q.norm() - 1) < 1e-6))
        check_.Add(where + ".bodies holds no unit quaternion");
      state->X_WB.push_back(X);
    }
    state->v = Eigen::Map<const VectorX>(in, model_->nv);
    state->q = Eigen::Map<const VectorX>(in + model_->nv, model_->nq);
    state->control =
        Eigen::Map<const VectorX>(control.data(), static_cast<Eigen::Index>(control.size()));
    state->energy = {energy[0], energy[1], energy[2], energy[3], energy[4]};
    return state;
  }

  Grab ReadGrab(const Json& json, const std::string& where) {
    Grab grab;
    grab.body = Whole(json, where, "body", -1, static_cast<double>(model_->bodies.size()) - 1);
    if (grab.body < 0) return Grab{};
    const std::vector<double> point = check_.Numbers(json, where, "point", 3);
    const std::vector<double> anchor = check_.Numbers(json, where, "anchor", 3);
    const std::vector<double> q = check_.Numbers(json, where, "orientation", 4);
    grab.stiffness = check_.Number(json, where, "stiffness", 0, kFarthest);
    grab.damping = check_.Number(json, where, "damping", 0, kFarthest);
    grab.force_limit = check_.Number(json, where, "force_limit", 0, kFarthest);
    grab.twist = json.value("twist", false);
    if (!check_.empty()) return Grab{};
    grab.p_BP = Vec3(point[0], point[1], point[2]);
    grab.p_WA = Vec3(anchor[0], anchor[1], anchor[2]);
    grab.q_WA = Quat(q[0], q[1], q[2], q[3]);
    if (!(std::abs(grab.q_WA.norm() - 1) < 1e-6))
      check_.Add(where + ".orientation must be a unit quaternion");
    return grab;
  }

  void ReadEvents(const Json& json, const std::string& where, TrackLine* line) {
    const Json* list = List(json, where, "events", 0);
    Config config = line->config;
    int64_t last = line->fork_step;
    for (std::size_t i = 0; list != nullptr && i < list->size() && check_.empty(); ++i) {
      const Json& item = (*list)[i];
      const std::string at = fmt::format("{}.events[{}]", where, i);
      if (!check_.Object(item, at)) return;
      JournalEntry entry;
      entry.step = WholeStep(item, at, "step", static_cast<double>(last),
                             static_cast<double>(line->end_step));
      last = entry.step;
      const std::string kind = check_.Text(item, at, "kind");
      if (kind == "parameter") {
        check_.Known(item, at, {"step", "kind", "path", "to"});
        const std::string path = check_.Text(item, at, "path");
        if (!check_.empty()) return;
        const auto value =
            item.contains("to") ? SetFrom(item["to"], path, at + ".to", &config) : std::nullopt;
        if (!value) check_.Add(at + ".to is missing or wrong");
        const ParamInfo* info = FindParam(config, path);
        if (info != nullptr && info->applies == Applies::kRebuild)
          check_.Add(at + ": " + path + " cannot change during a run");
        entry.change = ParamChange{path, value.value_or(0)};
      } else if (kind == "pull") {
        check_.Known(item, at,
                     {"step", "kind", "body", "point", "anchor", "stiffness", "damping",
                      "force_limit", "twist", "orientation"});
        entry.change = ReadGrab(item, at);
      } else if (kind == "state") {
        check_.Known(item, at, {"step", "kind", "state"});
        const Json none;
        entry.change =
            StateChange{ReadState(item.contains("state") ? item["state"] : none, at + ".state")};
      } else if (check_.empty()) {
        check_.Add(at + ".kind must be parameter, pull or state (found '" + kind.substr(0, 60) +
                   "')");
      }
      line->entries.push_back(std::move(entry));
    }
  }

  void ReadLog(const Json& json, const std::string& where, TrackLine* line) {
    const Json* hashes = List(json, where, "state_hashes", 0);
    const Json* bodies = List(json, where, "bodies", 0);
    if (hashes == nullptr || bodies == nullptr) return;
    std::vector<StateLog::Hash> read;
    for (const Json& item : *hashes) {
      const std::string text = item.is_string() ? item.get<std::string>() : std::string();
      StateLog::Hash& hash = read.emplace_back();
      const char* end = text.data() + text.size();
      const auto step = std::from_chars(text.data(), end, hash.step);
      const bool colon = step.ptr != end && *step.ptr == ':';
      const auto value = std::from_chars(colon ? step.ptr + 1 : end, end, hash.hash, 16);
      if (step.ec == std::errc{} && colon && value.ec == std::errc{} && value.ptr == end) continue;
      check_.Add(where + ".state_hashes must hold texts such as \"12:0123456789abcdef\" (found '" +
                 text.substr(0, 60) + "')");
      return;
    }
    std::vector<StateLog::Bodies> numbers;
    const std::size_t count =
        1 + 7 * model_->bodies.size() + static_cast<std::size_t>(model_->nv + model_->nq);
    for (const Json& item : *bodies) {
      const bool right =
          item.is_array() && item.size() == count &&
          std::all_of(item.begin(), item.end(), [](const Json& x) { return x.is_number(); });
      if (!right) {
        check_.Add(
            fmt::format("{}.bodies must hold lists of {} numbers: the step, 7 a body, {} "
                        "velocities, {} positions of joints",
                        where, count, model_->nv, model_->nq));
        return;
      }
      StateLog::Bodies& one = numbers.emplace_back();
      one.step = item[0].get<int64_t>();
      for (std::size_t i = 1; i < count; ++i) one.numbers.push_back(item[i].get<double>());
    }
    if (line->end_step > line->fork_step && (read.empty() || read.back().step != line->end_step)) {
      check_.Add(fmt::format("{}.to_step must be the step of the last state hash (found {})", where,
                             line->end_step));
      return;
    }
    line->log = StateLog(std::move(read), numbers);
  }

  void CheckPresent() {
    const auto& lines = At(recording_->branches, recording_->present).lines;
    const auto shown =
        std::count_if(lines.begin(), lines.end(), [](const auto& line) { return !line.gone; });
    if (shown == 0) check_.Add("the present branch has no channel");
    for (const RecordedBranch& branch : recording_->branches) {
      if (branch.lines.size() > 64) check_.Add("a branch has more than 64 channels");
    }
  }

  std::string_view text_;
  std::string name_;
  JsonChecker check_;
  RecordingFile file_;
  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
  std::vector<std::shared_ptr<const Scene>> scenes_;
  std::shared_ptr<const Model> model_;
  double channels_ = 0;
};

}  // namespace

Result<RecordingFile> ReadRecordingText(std::string_view text, const std::string& name) {
  Reader reader(text, name);
  return ReadJson<RecordingFile>(text, name, kExperimentFile,
                                 [&](const Json& json) { return reader.Read(json); });
}

Result<RecordingFile> ReadRecording(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path, kExperimentFile);
  if (!text) return text.errors();
  return ReadRecordingText(*text, path);
}

bool IsExperiment(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::path(path).extension() != ".json" ||
      !std::filesystem::is_regular_file(path, ignored)) {
    return false;
  }
  // the schema stands first
  std::string begin(4096, ' ');
  std::ifstream(path, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("slipscope.experiment/") != std::string::npos;
}

}  // namespace slip
