#include "engine/study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "engine/core/hash.h"
#include "engine/run/record/scene_json.h"
#include "engine/run/study/plan_check.h"
#include "engine/study/study_pace.h"

namespace slip {

std::size_t StudyPlan::cells() const {
  std::size_t count = 0;
  for (const Study& study : studies) count += study.cells();
  return count;
}

StudyPlan::Place StudyPlan::PlaceOf(std::size_t cell) const {
  Place place;
  for (; place.study < studies.size(); ++place.study) {
    const Study& study = studies[place.study];
    for (place.run = 0; place.run < study.runs.size(); ++place.run) {
      const std::size_t count = study.runs[place.run].cells();
      if (cell < count) {
        place.index = cell;
        return place;
      }
      cell -= count;
    }
  }
  return place;
}

double StudyPlan::WorkOf(const Place& place) const {
  constexpr std::size_t kMany = 10000;  // cells, of which one stands for all
  const StudyRun& run = RunOf(place);
  const std::size_t index = run.cells() > kMany ? run.cells() / 2 : place.index;
  if (run.suite != nullptr) {
    std::size_t question = index / run.plan.models();
    auto of = run.suite->cases.begin();
    for (; question >= of->variants.size(); ++of) question -= of->variants.size();
    const double length = of->duration > 0 ? of->duration : of->scene->duration;
    return length / of->scene->config.step.time_step * (1 + of->scene->model->nv);
  }
  Config config = run.plan.ConfigOf(index);
  double times = 1;
  if (const auto& largest = run.plan.largest) {
    const double low = largest->values[0], high = largest->values[1];
    static_cast<void>(SetParam(&config, largest->path, std::sqrt(low * high)));
    times = 2 + std::max(0.0, std::log2(std::log(high / low) / std::log(1.05)));
  }
  auto steps = static_cast<double>(CalcLength(run.plan.base, config).steps);
  if (run.reference) {
    // the cells that are compared with it share its cost
    double sharing = static_cast<double>(run.plan.models());
    for (const SweepAxis& axis : run.plan.axes)
      if (axis.path == "time_step") sharing *= static_cast<double>(axis.values.size());
    const RunPlan& reference = *run.reference->plan;
    steps += static_cast<double>(CalcLength(reference, reference.configs.front()).steps) / sharing;
  }
  return times * steps * (1 + run.plan.base.scene->model->nv);
}

std::string StudyPlan::Hash(const RunContext& context) const {
  Fnv1a hash;
  const auto add = [&hash](std::string_view text) {
    hash.Add(text.size());
    for (const char c : text) hash.Add(static_cast<unsigned char>(c));
  };
  add(context.version);
  add(context.build);
  for (const Study& study : studies) {
    add(study.id);
    add(study.text);
    hash.Add(study.is_quick ? 1 : 0);
    for (const StudyRun& run : study.runs) {
      JsonWriter json;
      json.BeginObject().Key("scene");
      WriteScene(*run.plan.base.scene, &json);
      json.EndObject();
      add(json.Take());
      if (run.suite != nullptr) add(run.suite->text);
    }
  }
  return fmt::format("{:016x}", hash.value());
}

Sliced<bool> MakeCellsInSlices(const StudyPlan& plan, int jobs, std::vector<bool> done,
                               const StudyCallbacks& callbacks) {
  using Clock = std::chrono::steady_clock;
  constexpr double kTold = 0.002;  // of a cell: short steps are many
  const std::size_t count = plan.cells();
  std::size_t ours = 0, finished = 0;
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (!plan.IsOurs(cell)) continue;
    ++ours;
    finished += done[cell] ? 1 : 0;
  }
  StudyPace pace(plan, done);
  StudyReferences references;
  WorkCalls<StudyCell> calls;
  calls.make = [&](std::size_t cell, const WorkWatch& watch) -> Sliced<std::unique_ptr<StudyCell>> {
    if (!plan.IsOurs(cell) || done[cell]) co_return nullptr;
    const StudyPlan::Place place = plan.PlaceOf(cell);
    const double work = plan.WorkOf(place);
    const Clock::time_point begin = Clock::now();
    double told = 0;  // of it
    const auto tell = [&](double now) {
      pace.Add(place, work * (now - told));
      told = now;
    };
    const WorkWatch weighed{[&](double fraction) {
                              if (fraction > told + kTold) tell(fraction);
                              return watch.poll(fraction);
                            },
                            watch.stop};
    auto made = co_await MakeStudyCell(plan.RunOf(place), place.index, &references, weighed);
    if (made == nullptr) co_return nullptr;
    tell(1);
    pace.Measure(place, work, std::chrono::duration<double>(Clock::now() - begin).count());
    made->cell = cell;
    co_return made;
  };
  calls.take = [&](std::unique_ptr<StudyCell> cell) {
    ++finished;
    if (callbacks.cell) callbacks.cell(*cell);
  };
  if (callbacks.poll) calls.poll = [&](double) { return callbacks.poll(pace.fraction()); };
  co_await MakeAll(count, jobs, calls);
  co_return finished == ours;
}

}  // namespace slip
