#include "engine/study/foretold_check.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/sim/outlook.h"

namespace slip {

ForetoldCheck::ForetoldCheck(const std::shared_ptr<const Model>& model, const Config& config,
                             double span, double every, double from)
    : probe_(model, config),
      span_(std::max<int64_t>(1, std::llround(span / config.step.time_step))),
      every_(std::max(span_, static_cast<int64_t>(std::llround(every / config.step.time_step)))),
      first_(std::llround(from / config.step.time_step)),
      error_(kNaN),
      most_(kNaN),
      now_(kNaN) {
  if (first_ == 0) Foretell(0);
}

void ForetoldCheck::Foretell(int64_t step) {
  begin_ = step;
  // the middle of each step has a sample: its force is the mean of the step's
  foretells_ =
      Outlook(&probe_).PredictForces(static_cast<double>(span_) * probe_.config().step.time_step,
                                     static_cast<int>(2 * span_), &foretold_);
}

void ForetoldCheck::Compare(const Simulation& simulation, int64_t at) {
  const auto sample = static_cast<std::size_t>(2 * at + 1);
  now_ = foretold_.normal[sample];
  for (const ForcePrediction::Contact& contact : foretold_.contacts) {
    double force = 0;
    for (const ContactFrame& now : simulation.contacts())
      if (now.key == contact.key) force = now.fn;
    const double off = std::abs(contact.Normal(sample) - force);
    error_ = std::fmax(error_, off);
    most_ = std::fmax(most_, force);
  }
}

void ForetoldCheck::Add(const Simulation& simulation) {
  const int64_t step = simulation.step(), at = step - 1 - begin_;
  now_ = kNaN;
  if (foretells_ && at < span_) Compare(simulation, at);
  if (step < first_ || step % every_ != 0) return;
  probe_.Restore(simulation.now(), simulation.config());
  Foretell(step);
}

}  // namespace slip
