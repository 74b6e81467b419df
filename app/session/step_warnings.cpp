#include "app/session/step_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "app/session/session.h"
#include "engine/core/numbers.h"
#include "engine/quasi_dynamic/quasi_dynamic_params.h"
#include "engine/sim/failure_words.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// A round number that leaves a tenth of the limit.
double NiceStepBelow(double limit) {
  const double decade = std::pow(10.0, std::floor(std::log10(0.9 * limit)));
  double best = decade;
  for (const double round : {1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (round * decade <= 0.9 * limit) best = round * decade;
  }
  return best;
}

}  // namespace

void StepWarnings::Count(const Sample& sample) {
  const auto value = [&](Signal s) { return At(sample.values, s); };
  TakeNotes(sample);
  if (value(Signal::kConverged) != 0 || sample.channel < 0) return;
  if (static_cast<std::size_t>(sample.channel) >= unconverged_.size())
    unconverged_.resize(static_cast<std::size_t>(sample.channel) + 1);
  Unconverged& count = At(unconverged_, sample.channel);
  if (count.model != looks_.Of(sample.channel).model) count = {};
  count.model = looks_.Of(sample.channel).model;
  ++count.steps;
  count.fresh = true;
  count.last_step = sample.step;
  count.last_time = sample.time;
  count.mismatch = sample.guard.mismatch > 0;
  const double residual = count.mismatch ? sample.guard.mismatch : value(Signal::kMomentumResidual);
  if (count.steps > 1 && !(residual > count.worst)) return;
  count.worst = residual;
  count.worst_time = sample.time;
}

void StepWarnings::TakeNotes(const Sample& sample) {
  const auto c = static_cast<std::size_t>(sample.channel);
  const Snapshot& now = core_.snapshot();
  if (sample.channel < 0 || c >= now.channels.size() || now.model == nullptr) return;
  if (c >= notes_.size()) notes_.resize(c + 1);
  ChannelNotes& of = notes_[c];
  if (of.of != now.model || of.model != sample.method)
    of = {sample.method, now.model, StepNotes(*now.model)};
  const ChannelFrame& frame = core_.frame(sample.channel);
  if (of.notes.Add({sample.values, frame.config.step, sample.step, sample.time, sample.guard}))
    of.fresh = true;
  if (of.notes.wants_body()) of.notes.SetBody(*now.model, frame);
}

void StepWarnings::PostNotes() {
  for (std::size_t i = 0; i < notes_.size() && i < core_.snapshot().channels.size(); ++i) {
    if (!std::exchange(notes_[i].fresh, false)) continue;
    for (const StepNote& note : notes_[i].notes.List()) {
      if (note.elsewhere) continue;
      const double time = note.worst_time;
      Message message;
      message.level = note.is_little ? Message::Level::kInfo : Message::Level::kWarning;
      message.subject = fmt::format("note {} {}", note.id, i);
      message.ongoing = true;
      message.after_question = true;
      message.run_time = note.first_time;
      message.what = fmt::format("{} {}.", Info(notes_[i].model).label, note.what);
      message.where = note.steps > 1 ? fmt::format("At {:.4g} s, {} of {} such steps.", time,
                                                   note.most, note.steps)
                                     : fmt::format("At {:.4g} s.", time);
      message.advice = note.advice + ".";
      message.advice[0] = static_cast<char>(std::toupper(message.advice[0]));
      message.actions.push_back({"Go to the step", [time](Session* s) {
                                   s->playback().SetPlaying(false);
                                   s->playback().Seek(time);
                                 }});
      core_.Post(std::move(message));
    }
  }
}

/// One entry per channel and model, which counts in place.
void StepWarnings::PostUnconverged() {
  for (std::size_t i = 0; i < unconverged_.size() && i < core_.snapshot().channels.size(); ++i) {
    Unconverged& count = unconverged_[i];
    if (!count.fresh) continue;
    count.fresh = false;
    const int channel = static_cast<int>(i);
    const StepParams& step = core_.frame(channel).config.step;
    const std::string_view model = Info(count.model).label;
    Message message;
    message.level = Message::Level::kWarning;
    message.subject = fmt::format("not converged {} {}", channel, model);
    message.ongoing = true;
    message.run_time = count.last_time;
    message.what = count.steps == 1
                       ? fmt::format("{} did not converge at {:.4g} s (step {}).", model,
                                     count.last_time, count.last_step)
                       : fmt::format("{} did not converge in {} steps, last at {:.4g} s.", model,
                                     count.steps, count.last_time);
    const std::string when =
        count.steps == 1 ? std::string() : fmt::format(" at {:.4g} s", count.worst_time);
    const std::string limit = fmt::format("limit {} iteration{}", step.max_iterations,
                                          step.max_iterations == 1 ? "" : "s");
    const bool missed = step.error_control != 0;
    message.advice = "The best iterate found was taken.";
    if (missed) {
      message.where = fmt::format("Inner steps of the smallest length, {}, missed the accuracy.",
                                  FormatQuantity(step.min_step, "s"));
      message.advice =
          "They were taken all the same: lower the smallest inner step, or ask for less accuracy.";
    } else if (count.mismatch) {
      const bool unsolved = count.worst > kUnstableMismatch;
      message.where =
          unsolved
              ? fmt::format("No solution found: bounds of friction wrong by up to {:.3g} N{}, {}.",
                            count.worst, when, limit)
              : fmt::format("Only an unstable solution found (index -1), {}.", limit);
      message.advice = unsolved ? "A Lagged step was taken: exact in momentum, it makes no energy."
                                : "It was taken: it solves the step, but there are others.";
    } else if (Info(count.model).family == Family::kProgram) {
      message.where =
          fmt::format("Tolerance {:.2g}, {}.", step.part<QuasiDynamicParams>().qp_tolerance, limit);
    } else {
      message.where = fmt::format("{} {:.2g}{}, tolerance {:.2g}, {}.",
                                  count.steps == 1 ? "Residual" : "Worst residual", count.worst,
                                  when, step.solver_tolerance, limit);
    }
    const double time = count.last_time;
    message.actions.push_back({"Go to the step", [time](Session* s) {
                                 s->playback().SetPlaying(false);
                                 s->playback().Seek(time);
                               }});
    if (auto raise = RaiseLimit(channel, false); raise && !missed)
      message.actions.push_back(std::move(*raise));
    core_.Post(std::move(message));
  }
}

/// Four times as many iterations, up to what the parameter allows; nothing when it allows no more.
std::optional<MessageAction> StepWarnings::RaiseLimit(int channel, bool go_on) const {
  const Config& config = core_.frame(channel).config;
  const ParamInfo* info = FindParam(config, "max_iterations");
  const int most = info != nullptr ? static_cast<int>(info->max) : 400;
  const int now = config.step.max_iterations;
  const int more = std::min(most, std::max(400, 4 * now));
  if (more <= now) return std::nullopt;
  return MessageAction{fmt::format("Raise the limit to {}", more), [=](Session* s) {
                         s->params().Set(s->params().Shared("max_iterations") ? -1 : channel,
                                         "max_iterations", more);
                         if (go_on) s->playback().SetPlaying(true);
                       }};
}

/// A card for each channel that has stopped, until it runs again: what it offers acts.
void StepWarnings::PostFailures() {
  // each says whether others go on
  const int stopped_count = core_.StoppedCount();
  if (stopped_count != stopped_said_) failures_said_.clear();
  stopped_said_ = stopped_count;
  for (int c = 0; c < kMaxChannels; ++c) {
    const bool stands = c < core_.channel_count() && core_.frame(c).state != ChannelState::kRunning;
    if (stands && failures_said_.count(c) != 0) continue;
    // the chip says what this build lacks
    if (stands && !Info(looks_.Of(c).model).WhyMissing().empty()) continue;
    const std::string subject = fmt::format("failure {}", c);
    core_.Unsay(subject);
    failures_said_.erase(c);
    if (!stands) continue;
    failures_said_.insert(c);
    const ChannelFrame& stopped = core_.frame(c);
    const bool refused = stopped.state == ChannelState::kRefused;
    Message message;
    message.level = Message::Level::kError;
    message.subject = subject;
    message.run_time = stopped.time;
    message.what = fmt::format("{} stopped at {:.4g} s: step {} {}.", looks_.Name(c), stopped.time,
                               stopped.step + 1, refused ? "was refused" : "failed");
    message.where = "In " + stopped.failure_cause + ".";
    const int others = core_.channel_count() - stopped_count;
    message.advice = fmt::format("It stands on its last good step{}.",
                                 others == 0   ? ""
                                 : others == 1 ? "; the other model goes on"
                                               : "; the others go on");
    if (!refused) {
      std::string advice = stopped.failure_advice;
      if (!advice.empty()) advice[0] = static_cast<char>(std::toupper(advice[0]));
      message.advice += " " + advice + ".";
    }
    if (refused) {
      const std::string accept(stopped.accepted_by);
      if (accept == "lost_steps") {
        if (auto raise = RaiseLimit(c, true)) message.actions.push_back(std::move(*raise));
      }
      message.actions.push_back({"Accept such steps", [c, accept](Session* s) {
                                   s->params().Set(s->params().Shared(accept) ? -1 : c, accept, 1);
                                   s->playback().SetPlaying(true);
                                 }});
    }
    const double step =
        stopped.exceeded_step > 0 ? NiceStepBelow(stopped.exceeded_step) : 0;  // of a NaN, too
    if (step >= ShortestTimeStep()) {
      message.actions.push_back(
          {fmt::format("Use {}", FormatQuantity(step, "s")), [c, step](Session* s) {
             s->params().Set(s->params().Shared("time_step") ? -1 : c, "time_step", step);
             s->playback().SetPlaying(true);
           }});
    }
    if (params_.CanUndo()) {
      message.actions.push_back({"Undo the last change", [](Session* s) {
                                   s->params().Undo();
                                   s->playback().SetPlaying(true);
                                 }});
    }
    message.actions.push_back({"Reset", [](Session* s) { s->playback().Reset(); }});
    core_.Post(std::move(message));
  }
}

void StepWarnings::Forget(double after) {
  for (Unconverged& count : unconverged_) {
    if (count.last_time > after) count = {};
  }
  for (ChannelNotes& of : notes_) of.notes.Forget(after);
  core_.message_log().RemoveIf(
      [after](const Message& m) { return m.run_time && *m.run_time > after; });
  failures_said_.clear();
}

}  // namespace slip::app
