#include "tests/golden/golden_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/core/text_file.h"
#include "engine/run/study/recorder.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

constexpr int64_t kSteps[] = {1, 100, 500};
constexpr int64_t kFileSteps = 100;

std::string Key(const GoldenCase& each, const std::string& what, int64_t step) {
  return fmt::format("{} {} {}", each.Name(), what, step);
}

std::string Hex(uint64_t hash) { return fmt::format("{:016x}", hash); }

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// What the channel is called; of an engine with its version, whose bits they are: "mujoco@2.2.2".
std::string NameOf(const RunPlan& plan, std::size_t channel) {
  const MethodInfo& method = Info(plan.configs[channel].method());
  std::string name = plan.labels[channel];
  if (method.version != nullptr) name += fmt::format("@{}", method.version());
  return name;
}

/// The plan, cut to these steps and done by one thread.
Result<RunPlan> MakePlan(const GoldenCase& each, int64_t steps) {
  const auto scene = FindScene(each.scene);
  if (!scene) return scene.errors();
  std::vector<std::string> changes;
  if (!each.change.empty()) changes.push_back(each.change);
  Result<RunPlan> plan = MakeRunPlan(*scene, each.models, Words(each.assignments), changes);
  if (plan) plan.value().steps = steps;
  return plan;
}

/// Where a channel ended whose next step could not be made.
std::string LastState(const Simulation& simulation) {
  ChannelFrame frame;
  simulation.Fill(&frame);
  return fmt::format("{} {} in step {}: {}", Hex(Hash(simulation.state())),
                     frame.state == ChannelState::kRefused ? "refused" : "failed", frame.step + 1,
                     frame.failure_cause);
}

/// A folder of this process, removed with the object.
class Folder {
 public:
  Folder()
      : path_((std::filesystem::path(testing::TempDir()) / fmt::format("slip_golden_{}", getpid()))
                  .string()) {}
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string Read(const std::string& name) const {
    const auto text = ReadTextFile(path_ + "/" + name, {.most_bytes = 1024 * kMebibyte});
    EXPECT_TRUE(text.ok()) << (text.ok() ? "" : text.error().Text());
    return text.ok() ? *text : "";
  }

 private:
  std::string path_;
};

}  // namespace

std::string GoldenCase::Name() const {
  std::string name = scene;
  for (const std::string& word : Words(assignments + " " + change)) name += "," + word;
  return name;
}

std::vector<GoldenCase> GoldenCases() {
  const std::vector<std::string> all_models = {"conveyor", "clutter", "object-bin", "sliding-rod"};
  std::vector<GoldenCase> cases;
  for (const std::string& scene : ListScenes()) {
    const bool all = std::find(all_models.begin(), all_models.end(), scene) != all_models.end();
    // beside them, scenes have engines in channels of their own
    std::vector<std::string_view> ours;
    for (const MethodInfo& method : Methods())
      if (method.family != Family::kEngine) ours.push_back(method.id);
    cases.push_back({scene, all ? fmt::format("{}", fmt::join(ours, ",")) : "", "", ""});
  }
  for (const char* law : {"hertz", "kelvin-voigt", "log-barrier", "ipc-barrier"}) {
    for (const char* scene : {"conveyor", "falling-sphere"}) {
      cases.push_back({scene, "", fmt::format("normal_law={}", law), ""});
    }
  }
  cases.push_back({"clutter", "", "solver=plain", ""});
  cases.push_back({"clutter", "", "solver=plain line_search=backtracking", ""});
  cases.push_back({"bouncing-ball", "", "time_step=1ms", ""});  // the scene's own is in the air
  cases.push_back({"conveyor", "", "", "0.5:time_step=5ms"});
  cases.push_back({"clutter", "ode", "ode_solver=quick", ""});
  cases.push_back({"quadruped-stand", "ode", "ode_solver=world", ""});
  return cases;
}

std::vector<GoldenCase> GoldenFileCases() {
  return {{"conveyor", "", "", ""}, {"dominoes", "", "", ""}, {"object-bin", "", "", ""}};
}

GoldenResults RunStates(const GoldenCase& each) {
  const auto engine = FindMethod(each.models);
  if (engine && !Info(*engine).WhyMissing().empty()) return {};  // in this build there is none
  const Result<RunPlan> plan = MakePlan(each, *std::rbegin(kSteps));
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  if (!plan) return {};
  GoldenResults results;
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    const int64_t step = simulation.step();
    if (std::find(std::begin(kSteps), std::end(kSteps), step) == std::end(kSteps)) return;
    const std::string name = NameOf(*plan, static_cast<std::size_t>(channel));
    results[Key(each, name, step)] = Hex(Hash(simulation.state()));
  };
  Run(*plan, &tracks, callbacks);
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    const std::string last = LastState(tracks[c].sim());
    for (const int64_t step : kSteps) results.emplace(Key(each, NameOf(*plan, c), step), last);
  }
  return results;
}

GoldenResults RunFiles(const GoldenCase& each) {
  const Result<RunPlan> plan = MakePlan(each, kFileSteps);
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  if (!plan) return {};
  const Folder folder;
  const auto recorder = Recorder::Open(folder.path(), *plan, 1, true);
  EXPECT_TRUE(recorder.ok()) << (recorder.ok() ? "" : recorder.error().Text());
  if (!recorder) return {};
  std::vector<ChannelMetrics> metrics(plan->configs.size());
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    metrics[static_cast<std::size_t>(channel)].Add(simulation);
    (*recorder)->Step(channel, simulation);
  };
  const RunResult run = Run(*plan, &tracks, callbacks);
  (*recorder)->Complete({}, metrics, run, tracks);
  EXPECT_TRUE(CommitTogether((*recorder)->files()).ok());

  GoldenResults results;
  for (const char* file : {"bodies.csv", "contacts.csv", "steps.csv"}) {
    results[Key(each, file, kFileSteps)] = Hex(HashText(WithoutWallTimes(folder.Read(file))));
  }
  const auto meta = nlohmann::json::parse(folder.Read("meta.json"), nullptr, false);
  for (const auto& channel : meta["channels"]) {
    results[Key(each, channel["model"], channel["steps"])] = channel["state_hash"];
  }
  return results;
}

}  // namespace slip
