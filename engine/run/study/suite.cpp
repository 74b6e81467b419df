#include "engine/run/study/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/run/study/recorder.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/signal_stats.h"

namespace slip {
namespace {

/// The same scene with its bodies turned about the vertical through the origin.
std::shared_ptr<const Scene> Turned(const std::shared_ptr<const Scene>& scene, double angle) {
  if (angle == 0) return scene;
  const Quat turn(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  auto model = std::make_shared<Model>(*scene->model);
  for (Body& body : model->bodies) {
    body.X_WB.p = turn * body.X_WB.p;
    body.X_WB.q = (turn * body.X_WB.q).normalized();
    body.V_WB.head<3>() = (turn * body.V_WB.head<3>()).eval();
    body.V_WB.tail<3>() = (turn * body.V_WB.tail<3>()).eval();
  }
  model->Finish();
  auto turned = std::make_shared<Scene>(*scene);
  turned->model = std::move(model);
  return turned;
}

double Allowed(const SuiteCase& of, double law) { return of.at_most + of.within * std::abs(law); }

std::string Sentences(const ErrorList& errors) {
  std::string text;
  for (const Error& error : errors) text += (text.empty() ? "" : "; ") + error.Text();
  return text;
}

class CellRun {
 public:
  CellRun(const SuiteCase& of, const SuiteVariant& variant) : of_(of), variant_(variant) {
    const auto& law = variant.law ? variant.law : of.law;
    law_ = &*law;
    scene_ = Turned(of.scene, variant.turn);
    set_ = of.set;
    set_.insert(set_.end(), variant.set.begin(), variant.set.end());
  }

  /// False when it was stopped.
  Sliced<bool> Run(const std::function<bool()>& poll, double* law, SuiteCell* cell) const {
    const MethodInfo& info = Info(cell->method);
    const std::string id(info.id);
    cell->value = cell->own = kNaN;
    if (const auto why = of_.not_for.find(id); why != of_.not_for.end()) {
      cell->note = why->second;
      co_return true;
    }
    if (!info.WhyMissing().empty()) {
      cell->note = "not in this build: " + std::string(info.WhyMissing());
      co_return true;
    }
    std::vector<std::string> set = set_;
    if (const auto more = of_.set_of.find(id); more != of_.set_of.end())
      set.push_back(more->second);
    const Result<RunPlan> plan = MakeRunPlan(scene_, id, set, {});
    if (!plan) {
      cell->note = Sentences(plan.errors());
      co_return true;
    }
    RunPlan one = *plan;
    one.duration = of_.duration;
    ChannelMetrics metrics;
    RunCallbacks callbacks;
    callbacks.step = [&](int, const Simulation& simulation) { metrics.Add(simulation); };
    callbacks.poll = [&](double) { return poll(); };
    callbacks.stop = [&] { return !poll(); };
    std::vector<Track> tracks;
    const RunResult result = co_await RunInSlices(one, &tracks, callbacks);
    if (result.stopped) co_return false;
    const ChannelResult& channel = result.channels.front();
    if (channel.status == ChannelResult::Status::kFailed) {
      cell->note = channel.failure;
      // a method that takes no such scene says so before its first step
      cell->verdict = metrics.steps == 0 ? SuiteVerdict::kNotAsked : SuiteVerdict::kWrong;
      co_return true;
    }
    const ChannelStats stats{&metrics.stats, &one.configs.front(), {id}};
    const ExpressionData data = MakeExpressionData(std::span(&stats, 1));
    *law = law_->Number(data).value_or(kNaN);
    cell->value = of_.measure->Number(data).value_or(kNaN);
    if (const Expression* own = OwnOf(id)) cell->own = own->Number(data).value_or(kNaN);
    cell->off = std::abs(cell->value - *law) / Allowed(of_, *law);
    cell->verdict = Judge(of_, id, *law, cell->value, cell->own);
    if (cell->verdict == SuiteVerdict::kKnown) cell->note = of_.known.at(id);
    co_return true;
  }

 private:
  /// What this method's own law makes of it; null = nobody says.
  const Expression* OwnOf(const std::string& id) const {
    for (const auto* own_of : {&variant_.own_of, &of_.own_of})
      if (const auto own = own_of->find(id); own != own_of->end()) return &own->second;
    return of_.own ? &*of_.own : nullptr;
  }

  const SuiteCase& of_;
  const SuiteVariant& variant_;
  const Expression* law_;
  std::shared_ptr<const Scene> scene_;
  std::vector<std::string> set_;
};

}  // namespace

std::string_view Name(SuiteVerdict verdict) {
  constexpr std::string_view kNames[] = {"right", "predicted", "known", "wrong", "not asked"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string SuiteRow::Text() const {
  std::string text = fmt::format("{}", fmt::join(variant->set, ", "));
  if (variant->turn == 0) return text;
  constexpr double kDegrees = 180 / std::numbers::pi;
  return text + (text.empty() ? "" : ", ") +
         fmt::format("turned by {:.4g}°", variant->turn * kDegrees);
}

SuiteVerdict Judge(const SuiteCase& of, std::string_view method, double law, double value,
                   double own) {
  if (std::abs(value - law) <= Allowed(of, law)) return SuiteVerdict::kRight;
  const bool must = std::find(of.exact.begin(), of.exact.end(), method) != of.exact.end();
  if (!must && std::abs(value - own) <= kPredictedWithin * std::abs(own - law))
    return SuiteVerdict::kPredicted;
  return of.known.contains(std::string(method)) ? SuiteVerdict::kKnown : SuiteVerdict::kWrong;
}

Sliced<bool> AskMethod(const SuiteCase& of, const SuiteVariant& variant, std::function<bool()> poll,
                       double* law, SuiteCell* cell) {
  const CellRun run(of, variant);
  co_return co_await run.Run(poll, law, cell);
}

bool RunSuite(const Suite& suite, std::span<const MethodId> methods,
              const SuiteCallbacks& callbacks) {
  std::size_t all = 0, done = 0;
  for (const SuiteCase& of : suite.cases) all += of.variants.size() * methods.size();
  const std::function<bool()> poll = [&] {
    return !callbacks.poll || callbacks.poll(static_cast<double>(done) / static_cast<double>(all));
  };
  for (const SuiteCase& of : suite.cases) {
    for (const SuiteVariant& variant : of.variants) {
      SuiteRow row{.of = &of, .variant = &variant, .law = kNaN, .cells = {}};
      const CellRun run(of, variant);
      for (const MethodId method : methods) {
        SuiteCell& cell = row.cells.emplace_back(SuiteCell{.method = method, .note = {}});
        if (!poll() || !run.Run(poll, &row.law, &cell).Finish()) return false;
        ++done;
      }
      if (callbacks.row) callbacks.row(row);
    }
  }
  return true;
}

}  // namespace slip
