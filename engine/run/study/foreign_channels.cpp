#include "engine/run/study/foreign_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "engine/core/param_text.h"

namespace slip {
namespace {

bool IsNameSign(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

}  // namespace

Result<std::pair<std::string, std::string>> SplitForeign(const std::string& text) {
  namespace fs = std::filesystem;
  const std::size_t equals = text.find('=');
  std::error_code ignored;
  // a path may hold '=', too
  const bool named = equals != std::string::npos && equals > 0 && text.find('/') > equals &&
                     !fs::exists(text, ignored);
  std::string name = named ? text.substr(0, equals) : std::string();
  const std::string path = named ? text.substr(equals + 1) : text;
  if (!named) {
    fs::path whole = fs::path(path).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    name = whole.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !IsNameSign(c); }, '_');
    // what a method or a place among the channels is called needs another word
    if (FindMethod(name)) name += "-file";
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
      name = "run-" + name;
  }
  const std::string hint = "--foreign NAME=PATH";
  if (path.empty()) return Error{.message = "--foreign: no path", .hint = hint};
  if (FindMethod(name)) {
    return Error{.message = "--foreign: '" + name + "' is a method of ours",
                 .hint = "give the recording another name: " + hint};
  }
  const bool good = std::all_of(name.begin(), name.end(), IsNameSign) && name.size() <= 40 &&
                    std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  if (!good) {
    return Error{.message = "--foreign: '" + name.substr(0, 60) + "' cannot be a name",
                 .hint = "letters, digits, '_', '-' and '.', a letter first: " + hint};
  }
  return std::pair(name, path);
}

Result<ForeignChannels> ForeignChannels::Read(const ForeignRequest& request, const RunPlan& plan,
                                              bool* usage) {
  ForeignChannels all;
  *usage = true;
  if (request.files.empty() && !request.empty()) {
    return Error{.message = "--foreign-meta and --align are of recorded runs, and none is given",
                 .hint = "--foreign [NAME=]PATH"};
  }
  if (!request.align.empty()) {
    const auto word =
        std::find(std::begin(kForeignAligns), std::end(kForeignAligns), request.align);
    if (word == std::end(kForeignAligns)) {
      return Error{.message = "no way to align '" + request.align.substr(0, 60) + "'",
                   .hint = DidYouMean(request.align, kForeignAligns)};
    }
    all.align_ = static_cast<ForeignAlign>(word - std::begin(kForeignAligns));
  }
  ErrorList errors;
  ForeignMeta all_of;  // what is said of all of them is wrong once
  for (const std::string& text : request.meta)
    if (const Status status = SetForeignMeta(text, &all_of); !status)
      errors.push_back(status.error());
  if (!errors.empty()) {
    *usage = false;
    return errors;
  }
  std::vector<std::string> taken = plan.labels.All();
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& text : request.files) {
    auto split = SplitForeign(text);
    if (!split) {
      errors.push_back(split.error());
      continue;
    }
    auto& [name, path] = split.value();
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      errors.push_back({.message = "--foreign: two channels would be called '" + name + "'",
                        .hint = "--foreign NAME=PATH"});
    }
    taken.push_back(name);
    files.emplace_back(name, path);
  }
  if (!errors.empty()) return errors;
  *usage = false;
  all.stepped_ = plan.configs.size();
  all.trails_.resize(all.stepped_);
  for (const auto& [name, path] : files) {
    auto file = ReadForeignFile(path, request.meta);
    if (!file) {
      errors.insert(errors.end(), file.errors().begin(), file.errors().end());
      continue;
    }
    auto run = ForeignRun::Make(std::move(file).value(), plan.scene->model, name, request.meta);
    if (!run) {
      errors.insert(errors.end(), run.errors().begin(), run.errors().end());
      continue;
    }
    Channel channel;
    channel.run = std::make_shared<ForeignRun>(std::move(run).value());
    channel.config = ForeignMeasure(channel.run, plan.configs.front()).config();
    channel.report = std::make_shared<ForeignReport>();
    channel.report->name = name;
    channel.report->path = path;
    channel.report->engine = channel.run->file().meta.engine;
    channel.report->settings = channel.run->file().meta.settings;
    channel.report->notes = channel.run->notes();
    all.channels_.push_back(std::move(channel));
  }
  if (!errors.empty()) return errors;
  return all;
}

std::vector<std::string> ForeignChannels::Names() const {
  std::vector<std::string> names;
  for (const Channel& channel : channels_) names.push_back(channel.run->name());
  return names;
}

RunPlan ForeignChannels::Widen(const RunPlan& plan) const {
  RunPlan wide = plan;
  for (const Channel& channel : channels_) {
    wide.configs.push_back(channel.config);
    wide.own.push_back(channel.config);
    wide.labels.AddForeign(channel.config.method(), channel.run->name());
  }
  return wide;
}

void ForeignChannels::Watch(int channel, const Simulation& simulation) {
  if (!empty()) At(trails_, channel).Add(simulation);
}

Status ForeignChannels::Measure(const RunPlan& plan,
                                const std::function<void(int channel, const Simulation&)>& step) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    ForeignReport& report = *channel.report;
    const auto aligned = Align(align_, trails_.front(), channel.run.get(), channel.config);
    if (!aligned) return aligned.errors();
    if (!aligned->empty()) report.notes.push_back(*aligned);
    report.shift = channel.run->shift();
    for (std::size_t c = 0; c < stepped_; ++c)
      report.differences.emplace_back(plan.labels[c], Compare(*channel.run, trails_[c]));
    double end = 0;
    for (const MotionTrail& trail : trails_)
      if (!trail.empty()) end = std::max(end, trail.end());
    end += 0.5 * channel.config.step.time_step;

    ForeignMeasure measure(channel.run, channel.config);
    Simulation shown(plan.scene->model, channel.config);
    int64_t beyond = 0;
    for (int64_t k = 0; k < channel.run->samples(); ++k) {
      const double time = channel.run->time(k);
      if (time > end || time < 0) {
        ++beyond;
        continue;
      }
      const StepRecord& record = measure.At(k);
      report.forces.Add(measure, k);
      shown.Restore(record, channel.config);
      step(static_cast<int>(stepped_ + i), shown);
    }
    if (beyond == channel.run->samples()) {
      report.notes.push_back(
          fmt::format("no sample is within the run: they go from {:.6g} s to {:.6g} s",
                      channel.run->time(0), channel.run->time(channel.run->samples() - 1)));
    } else if (beyond > 0) {
      report.notes.push_back(
          fmt::format("{} of its {} samples are not within the run, and left out", beyond,
                      channel.run->samples()));
    }
    if (report.forces.band_of_weight > 0.2) {
      report.notes.push_back(fmt::format(
          "too few digits for forces, off by up to {:.3g} N; write 12 or add velocities",
          report.forces.band));
    }
  }
  return Ok{};
}

std::shared_ptr<const ForeignReport> ForeignChannels::ReportOf(std::size_t channel) const {
  return channel < stepped_ ? nullptr : channels_.at(channel - stepped_).report;
}

}  // namespace slip
