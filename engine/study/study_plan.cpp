#include "engine/study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/core/hash.h"
#include "engine/run/record/scene_json.h"

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

bool MakeStudyCells(const StudyPlan& plan, int jobs, const std::vector<bool>& done,
                    const StudyCallbacks& callbacks) {
  const std::size_t count = plan.cells();
  std::size_t ours = 0, finished = 0;
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (!plan.IsOurs(cell)) continue;
    ++ours;
    if (done[cell]) ++finished;
  }
  const auto kept = static_cast<double>(finished);
  StudyReferences references;
  WorkCalls<StudyCell> calls;
  calls.make = [&](std::size_t cell, const WorkWatch& watch) -> std::unique_ptr<StudyCell> {
    if (!plan.IsOurs(cell) || done[cell]) return nullptr;
    const StudyPlan::Place place = plan.PlaceOf(cell);
    auto made = MakeStudyCell(plan.RunOf(place), place.index, &references, watch);
    if (made != nullptr) made->cell = cell;
    return made;
  };
  calls.take = [&](std::unique_ptr<StudyCell> cell) {
    ++finished;
    if (callbacks.cell) callbacks.cell(*cell);
  };
  if (callbacks.poll)
    calls.poll = [&](double made) {
      return callbacks.poll(
          std::min(1.0, (kept + made) / static_cast<double>(std::max<std::size_t>(1, ours))));
    };
  MakeAll(count, jobs, calls);
  return finished == ours;
}

}  // namespace slip
