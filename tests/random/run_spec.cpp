#include "tests/random/run_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "engine/contact/knobs.h"
#include "engine/contact/material.h"
#include "engine/core/param_text.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

constexpr int kLargePile = 200;  // bodies from which a run is short
constexpr int kMostBodies = 400;

// Numbers that are the same wherever they are drawn: the standard fixes engines, not distributions.
class Draw {
 public:
  Draw(uint64_t seed, int64_t number) {
    std::seed_seq sequence{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
                           static_cast<uint32_t>(number)};
    engine_.seed(sequence);
  }
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  bool Chance(double probability) { return Unit() < probability; }
  double Uniform(double min, double max) { return min + (max - min) * Unit(); }
  double LogUniform(double min, double max) { return min * std::pow(max / min, Unit()); }

 private:
  std::mt19937_64 engine_;
};

double DrawValue(const ParamInfo& info, Draw* draw) {
  switch (info.scale) {
    case Scale::kLog:
      if (info.zero && draw->Chance(0.1)) return 0;
      // large steps are the hard ones
      if (info.name == "time_step" && draw->Chance(0.5)) return draw->LogUniform(3e-3, info.max);
      return draw->LogUniform(info.min, info.max);
    case Scale::kLinear: {
      const double pick = draw->Unit();
      if (pick < 1.0 / 6) return info.min;
      if (pick < 2.0 / 6) return info.max;
      return draw->Uniform(info.min, info.max);
    }
    default:
      // a number over decades
      if (info.min > 0 && info.max > 1e3 * info.min)
        return std::floor(draw->LogUniform(info.min, info.max + 1));
      return std::floor(draw->Uniform(info.min, info.max + 1));
  }
}

// How exactly to solve, and what to do where that fails.
bool IsAccuracyOfSolver(const ParamInfo& info) {
  return (info.knob & (knob::kNewton | knob::kIterations | knob::kLostSteps)) != 0 ||
         info.name == "solver" || info.name == "line_search" || info.name == "qp_tolerance";
}

double DrawBodies(double usual, Draw* draw) {
  const double pick = draw->Unit();
  if (pick < 0.5) return usual;
  if (pick < 0.75) return kMostBodies;
  return std::floor(draw->LogUniform(1, kMostBodies + 1));
}

}  // namespace

std::string RunSpec::CommandLine() const {
  std::string line = fmt::format("slipscope run {} -m {}", scene, model);
  for (const std::string& assignment : assignments) line += " -p " + assignment;
  return line + fmt::format(" --steps {}", steps);
}

Result<RunSpec> ParseCommandLine(const std::string& line) {
  RunSpec spec;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    if (word == "slipscope" || word == "run") continue;
    if (word[0] != '-') {
      if (!spec.scene.empty()) return Error{.message = "what is '" + word + "' in: " + line};
      spec.scene = word;
      continue;
    }
    std::string value;
    if (!(in >> value)) return Error{.message = "no value after " + word + " in: " + line};
    if (word == "-m") {
      spec.model = value;
    } else if (word == "-p") {
      spec.assignments.push_back(value);
    } else if (word == "--steps") {
      const Result<double> steps = ParseQuantity(value, "");
      if (!steps) return steps.error();
      spec.steps = static_cast<int64_t>(*steps);
    } else {
      return Error{.message = "unknown option " + word + " in: " + line};
    }
  }
  if (spec.scene.empty() || spec.model.empty() || spec.steps < 1) {
    return Error{.message = "expected SCENE -m MODEL [-p PATH=VALUE]... --steps N, found: " + line};
  }
  return spec;
}

int64_t CountMoving(const Model& model) {
  return std::count_if(model.bodies.begin(), model.bodies.end(),
                       [](const Body& body) { return body.nv > 0; });
}

std::vector<ScenePair> ListPairs(const std::vector<std::shared_ptr<const Scene>>& scenes) {
  std::vector<ScenePair> pairs;
  for (const auto& scene : scenes) {
    for (const std::string_view id : MethodIds()) {
      // what engines make of energy is theirs
      if (Info(*FindMethod(id)).family == Family::kEngine) continue;
      const auto plan = MakeRunPlan(scene, std::string(id), {}, {});
      if (!plan.ok()) continue;
      const Config& config = plan->configs.front();
      if (Info(config.method()).contact_model < 0) {
        Simulation sim(scene->ModelFor(config), config);
        sim.SetMeasureCondition(false);
        if (sim.Step() == StepStatus::kUnable) continue;
      }
      pairs.push_back({scene, config.method()});
    }
  }
  return pairs;
}

RunSpec DrawRun(const std::vector<ScenePair>& pairs, uint64_t seed, int64_t number) {
  Draw draw(seed, number);
  const auto& [scene_ptr, method] = pairs[static_cast<std::size_t>(number) % pairs.size()];
  const Scene& scene = *scene_ptr;
  RunSpec spec;
  spec.scene = scene.id;
  spec.model = Info(method).id;
  const auto plan = MakeRunPlan(scene_ptr, spec.model, {}, {});
  Config config = plan.ok() ? plan->configs.front() : scene.config;

  std::vector<std::string_view> drawn;  // a bare name sets every material and surface at once
  for (const ParamEntry& entry : ListParams(config)) {
    const ParamInfo& info = *entry.info;
    const bool fixed = IsAccuracyOfSolver(info) || info.name == kMethodParam ||
                       info.name == "narrow_phase" || !Uses(*scene.model, config, info);
    if (fixed || std::find(drawn.begin(), drawn.end(), info.name) != drawn.end()) continue;
    drawn.push_back(info.name);
    double value = 0;
    if (info.name == "bodies") {
      const double usual = GetParam(config, entry.path).value_or(1);
      value = DrawBodies(usual, &draw);
      if (value == usual) continue;
    } else {
      // what drives the scene, and which law, mostly stay: they are what the scene is about
      const bool mostly_kept = info.group == "Drive" || info.scale == Scale::kChoice;
      if (mostly_kept && !draw.Chance(0.25)) continue;
      value = DrawValue(info, &draw);
    }
    std::string text = info.choices.empty()
                           ? fmt::format("{:.4g}", value)
                           : std::string(info.choices[static_cast<std::size_t>(value)]);
    std::string assignment = fmt::format("{}={}", info.name, text);
    if (!ApplyAssignment(&config, assignment).ok()) {
      // four digits may lie just outside the range
      assignment = fmt::format("{}={}", info.name, FormatNumber(value));
      (void)ApplyAssignment(&config, assignment);
    }
    spec.assignments.push_back(std::move(assignment));
  }
  // a program that is run refuses torsional friction without friction
  if (!CheckFriction(config.materials).ok()) {
    const std::string none = "torsional_friction=0";
    std::erase_if(spec.assignments,
                  [](const std::string& of) { return of.starts_with("torsional_friction="); });
    spec.assignments.push_back(none);
    (void)ApplyAssignment(&config, none);
  }
  const int64_t moving = CountMoving(*scene.ModelFor(config));
  spec.steps = moving >= kLargePile ? 40 : moving > 1 ? 150 : 300;
  return spec;
}

}  // namespace slip
