#include "app/session/lessons.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/sim/signal_stats.h"

namespace slip::app {
namespace {

// Conditions are looked at this often [s]; they scan the samples.
constexpr double kLessonPeriod = 0.1;
// A condition on "the samples so far" needs some of them after the last change [s of the scene].
constexpr double kLessonWindow = 1.0;

}  // namespace

void Lessons::Start(const Scene& scene) {
  std::vector<std::string> errors;
  progress_.Start(scene.lesson, scene.model.get(), &errors);
  checked_ = -1;
  for (std::string& error : errors) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = std::move(error);
    message.where = scene.file;
    core_.Post(std::move(message));
  }
}

/// Expressions name a channel by its model, by its number counted from 1, or not at all.
bool Lessons::IsMeant(int channel, std::string_view model) const {
  return model.empty() || Info(looks_.Of(channel).model).id == model ||
         std::to_string(channel + 1) == model;
}

/// What was measured no longer holds: parameters or models have changed, or the run began anew or
/// goes on from an earlier moment.
bool Lessons::IsAnotherRun() {
  std::vector<Config> configs;
  for (int i = 0; i < core_.channel_count(); ++i) configs.push_back(core_.frame(i).config);
  const double end = core_.snapshot().history_end;
  const int branch = core_.snapshot().branch;
  const bool another = configs != configs_ || end < history_end_ || branch != branch_;
  configs_ = std::move(configs);
  history_end_ = end;
  branch_ = branch;
  return another;
}

bool Lessons::Update() {
  const Scene* scene = core_.scene();
  if (scene == nullptr || progress_.empty() || core_.channel_count() == 0) return false;
  if (core_.now() - checked_ < kLessonPeriod) return false;
  checked_ = core_.now();
  double from = core_.snapshot().history_start;
  for (const TimeMark& mark : notebook_.marks()) {
    if (mark.kind == TimeMark::Kind::kParameter) from = std::max(from, mark.end_time);
  }
  // shown is a moment before the last change: the parameters there are not those that act now
  const bool past = core_.snapshot().time < from;
  if (!past && IsAnotherRun()) progress_.Unsee();
  const double window = std::min(kLessonWindow, 0.25 * scene->duration);
  const bool measured = core_.snapshot().history_end - from >= window;
  ExpressionData data;
  data.signal = [&](Reduction reduction, Signal signal,
                    std::string_view model) -> std::optional<double> {
    if (!measured) return std::nullopt;
    RunningStats all;
    for (int i = 0; i < core_.channel_count(); ++i) {
      if (!IsMeant(i, model)) continue;
      const SeriesView view = series_.View(i, signal);
      for (std::size_t k = view.LowerBound(from); k < view.size(); ++k)
        all.Add(view.TimeAt(k), static_cast<double>(view.ValueAt(k)));
    }
    return all.Get(reduction);
  };
  data.parameter = [&](std::string_view path, std::string_view model) -> std::optional<double> {
    for (int i = 0; i < core_.channel_count(); ++i) {
      if (IsMeant(i, model)) return GetParam(core_.frame(i).config, path);
    }
    return std::nullopt;
  };
  const bool green = measured && !past && progress_.Evaluate(data);
  // that a value is out of reach is known before anything is measured with it
  const bool advised = progress_.Advise(data);
  return green || advised;
}

}  // namespace slip::app
