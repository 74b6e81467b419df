#include "app/plots/foretold.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

constexpr double kAskPeriod = 0.05;  // [s] an answer may take a few frames

// What the signal is of; null when there is none in the prediction.
const std::vector<double>* Values(const ForcePrediction& prediction, const Model& model,
                                  Signal signal) {
  if (signal == Signal::kNormalForce) return &prediction.normal;
  const std::string name = NameOf(model, signal);
  for (const ForcePrediction::Foot& sum : prediction.feet) {
    const auto at = static_cast<std::size_t>(sum.robot);
    if (at >= model.robots.size()) break;
    const Robot& robot = model.robots[at];
    const std::string part = robot.name + "/" + At(robot.feet, sum.foot).name;
    if (name == "force:" + part) return &sum.normal;
    if (name == "friction:" + part) return &sum.friction;
  }
  return nullptr;
}

}  // namespace

bool ForetoldForces::Has(Signal signal) {
  if (IsOfEnum(signal)) return signal == Signal::kNormalForce;
  const std::string_view name = slip::Info(signal).name;
  return name == "force" || name == "friction";
}

bool ForetoldForces::Update(const Snapshot& snapshot, bool rests, bool wanted, double now) {
  const bool shown = rests && wanted && !snapshot.playing && snapshot.model != nullptr;
  std::shared_ptr<const std::vector<ForcePrediction>> answer;
  if (shown) answer = snapshot.foretold;
  if (answer != shown_) made_.clear();
  shown_ = answer;
  if (!shown || answer != nullptr || now - asked_ < kAskPeriod) return false;
  asked_ = now;
  return true;
}

SeriesView ForetoldForces::View(const Model& model, int channel, Signal signal) {
  if (shown_ == nullptr) return {};
  const auto of = std::find_if(shown_->begin(), shown_->end(), [channel](const auto& prediction) {
    return prediction.channel == channel;
  });
  if (of == shown_->end()) return {};
  const std::vector<double>* values = Values(*of, model, signal);
  if (values == nullptr) return {};
  const auto [made, is_new] = made_.try_emplace({channel, signal});
  if (is_new) {
    for (std::size_t i = 0; i < values->size(); ++i)
      made->second.Append(of->TimeAt(i), (*values)[i]);
  }
  return made->second.View();
}

std::optional<double> ForetoldForces::end() const {
  if (shown_ == nullptr || shown_->empty()) return std::nullopt;
  double end = 0;
  for (const ForcePrediction& of : *shown_) end = std::max(end, of.begin + of.span);
  return end;
}

}  // namespace slip::app
