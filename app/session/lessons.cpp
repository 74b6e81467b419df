#include "app/session/lessons.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace slip::app {
namespace {

// Conditions are looked at this often [s]; they scan the samples.
constexpr double kLessonPeriod = 0.1;
// A condition on "the samples so far" needs some of them after the last change [s of the scene].
constexpr double kLessonWindow = 1.0;

/// One signal over one or several channels, from a time on.
class Reducer {
 public:
  void Add(const SeriesView& view, double from) {
    for (std::size_t i = view.LowerBound(from); i < view.size(); ++i) {
      const double value = static_cast<double>(view.ValueAt(i));
      if (std::isnan(value)) continue;
      max_ = count_ == 0 ? value : std::max(max_, value);
      min_ = count_ == 0 ? value : std::min(min_, value);
      sum_ += value;
      squares_ += value * value;
      last_ = value;
      ++count_;
    }
  }
  std::optional<double> Get(Reduction reduction) const {
    if (count_ == 0) return std::nullopt;
    const double n = static_cast<double>(count_);
    switch (reduction) {
      case Reduction::kMax:
        return max_;
      case Reduction::kMin:
        return min_;
      case Reduction::kMean:
        return sum_ / n;
      case Reduction::kRms:
        return std::sqrt(squares_ / n);
      case Reduction::kLast:
        return last_;
    }
    return std::nullopt;
  }

 private:
  double max_ = 0, min_ = 0, sum_ = 0, squares_ = 0, last_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

void Lessons::Start(const Scene& scene) {
  std::vector<std::string> errors;
  progress_.Start(scene.lesson, scene.model.get(), &errors);
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

bool Lessons::Update() {
  const Scene* scene = core_.scene();
  if (scene == nullptr || progress_.empty() || core_.channel_count() == 0) return false;
  if (core_.now() - checked_ < kLessonPeriod) return false;
  checked_ = core_.now();
  double from = core_.snapshot().history_start;
  for (const TimeMark& mark : notebook_.marks()) {
    if (mark.kind == TimeMark::Kind::kParameter) from = std::max(from, mark.end_time);
  }
  const double window = std::min(kLessonWindow, 0.25 * scene->duration);
  const bool measured = core_.snapshot().history_end - from >= window;
  ExpressionData data;
  data.signal = [&](Reduction reduction, Signal signal,
                    std::string_view model) -> std::optional<double> {
    if (!measured) return std::nullopt;
    Reducer all;
    for (int i = 0; i < core_.channel_count(); ++i) {
      if (IsMeant(i, model)) all.Add(series_.View(i, signal), from);
    }
    return all.Get(reduction);
  };
  data.parameter = [&](std::string_view path, std::string_view model) -> std::optional<double> {
    for (int i = 0; i < core_.channel_count(); ++i) {
      if (IsMeant(i, model)) return GetParam(core_.frame(i).config, path);
    }
    return std::nullopt;
  };
  const bool green = measured && progress_.Evaluate(data);
  // that a value is out of reach is known before anything is measured with it
  const bool advised = progress_.Advise(data);
  return green || advised;
}

}  // namespace slip::app
