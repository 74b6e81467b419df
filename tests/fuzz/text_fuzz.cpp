// Texts of the command line and of lesson cards: quantities, assignments, expressions, --vary,
// --shard, --at.
#include "engine/core/param_text.h"
#include "engine/run/study/sweep_plan.h"
#include "engine/sim/expression.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

constexpr std::string_view kScene = R"(title = "t"
[material.steel]
[surface.belt]
belt_speed = 1
[pile.balls]
bodies = 2
[[pile.balls.body]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 1
)";

const Scene& TheScene() {
  static const std::shared_ptr<const Scene> scene = ReadSceneText(kScene, "fuzz.toml").value();
  return *scene;
}

void CheckConfig(const Config& config) {
  static const std::vector<ParamEntry> entries = ListParams(config);
  for (const ParamEntry& entry : entries) {
    const double value = GetParam(config, entry.path).value();
    Require(CheckValue(*entry.info, value).ok(), "an assignment leaves values in their range");
  }
}

void Quantity(std::string_view text) {
  for (const std::string_view unit : {"", "m", "s", "N/m", "rad", "m/s"}) {
    const Result<double> value = ParseQuantity(text, unit);
    if (!value) {
      RequireErrors(value.errors());
      continue;
    }
    Require(std::isfinite(*value), "a quantity is finite");
    const Result<double> again = ParseQuantity(FormatNumber(*value), unit);
    Require(again.ok() && *again == *value, "a quantity reads back");
  }
}

void Assignment(std::string_view text) {
  Config config = TheScene().config;
  const Status status = ApplyAssignment(&config, text);
  if (!status.ok()) RequireErrors(status.errors());
  Require(status.ok() || config == TheScene().config, "a refused assignment changes nothing");
  CheckConfig(config);
  const std::size_t equals = text.find('=');
  if (!status.ok() || equals == std::string_view::npos) return;
  const std::string_view path = text.substr(0, equals);
  const ParamInfo* info = FindParam(config, path);
  const double value = GetParam(config, path).value();
  const Result<double> again = ParseValue(*info, FormatValue(*info, value));
  Require(again.ok() && *again == value, "a value reads back");
}

void Condition(std::string_view text) {
  const Result<Expression> expression = Expression::Parse(text);
  if (!expression) return RequireErrors(expression.errors());
  ExpressionData data;
  data.signal = [](Reduction, Signal signal, std::string_view model) -> std::optional<double> {
    if (model == "2") return std::nullopt;
    return static_cast<double>(static_cast<int>(signal)) - 20;
  };
  data.parameter = [](std::string_view path, std::string_view) {
    return GetParam(TheScene().config, path);
  };
  const bool once = expression->Evaluate(data);
  const Result<Expression> again = Expression::Parse(expression->text());
  Require(again.ok() && again->Evaluate(data) == once, "an expression reads back");
}

void Sweep(std::string_view text) {
  const Result<SweepAxis> axis = ParseVary(TheScene().config, std::string(text));
  if (!axis) return RequireErrors(axis.errors());
  Require(!axis->values.empty() && axis->values.size() <= kMaxSweepRuns, "values of an axis");
  for (const double value : axis->values)
    Require(CheckValue(*axis->info, value).ok(), "a value of an axis is in its range");
}

void Shard(std::string_view text) {
  const Result<SweepShard> shard = ParseShard(std::string(text));
  if (!shard) return RequireErrors(shard.errors());
  Require(1 <= shard->index && shard->index <= shard->count, "a shard is one of its count");
}

void Change(std::string_view text) {
  static const auto scene = std::make_shared<const Scene>(TheScene());
  const Result<RunPlan> plan = MakeRunPlan(scene, "sap", {}, {std::string(text)});
  if (!plan) return RequireErrors(plan.errors());
  for (const TimedChange& change : plan->changes)
    Require(change.time >= 0 && std::isfinite(change.time), "time of a change");
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip::fuzz;
  if (size < 1) return 0;
  const std::string_view text = TextOf(data + 1, size - 1);
  // the first character chooses who reads the rest
  constexpr void (*kReaders[])(std::string_view) = {Quantity, Assignment, Condition,
                                                    Sweep,    Shard,      Change};
  kReaders[data[0] % std::size(kReaders)](text);
  return 0;
}
