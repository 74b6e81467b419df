#include "app/session/foreign_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/session/session.h"

namespace slip::app {
namespace {

/// A screen shows no more, and the measuring of a million samples would take minutes.
constexpr int64_t kMostSamples = 20000;
/// Differences are of so many of them, and are made anew so often [s].
constexpr int64_t kMostCompared = 500;
constexpr double kComparePeriod = 0.25;
/// Bodies that are kept of each channel's way.
constexpr std::size_t kMostMoments = std::size_t{1} << 17;
/// Between two frames of a way nothing is compared that is longer [s].
constexpr double kMostGap = 0.1;

/// Names of request.files that are not taken, and paths of files that are read again.
ForeignRequest WithNames(const ForeignRequest& request, std::vector<std::string> taken) {
  ForeignRequest named = request;
  for (std::string& text : named.files) {
    const auto split = SplitForeign(text);
    if (!split) continue;
    std::string name = split->first;
    for (int i = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++i)
      name = fmt::format("{}-{}", split->first, i);
    taken.push_back(name);
    text = name + "=" + split->second;
  }
  return named;
}

std::string PathOf(const std::string& text) {
  const auto split = SplitForeign(text);
  return split ? split->second : text;
}

}  // namespace

ForeignRuns::ForeignRuns(Session* session) : session_(*session) {}

bool ForeignRuns::IsForeign(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::string extension = fs::path(path).extension().string();
  // a scene's name may be that of a folder here, too
  return extension == ".npz" || extension == ".csv" ||
         (path.find('/') != std::string::npos && fs::is_directory(path, ignored));
}

bool ForeignRuns::Open(const ForeignRequest& request) {
  RunPlan plan;
  plan.scene = session_.snapshot().scene;
  if (plan.scene == nullptr || session_.channel_count() == 0 || !session_.TakenOver()) {
    Ask(request);  // the engine has its scene in a moment
    return true;
  }
  std::vector<std::vector<MethodId>> methods;
  for (int c = 0; c < session_.channel_count(); ++c) {
    plan.configs.push_back(session_.frame(c).config);
    methods.push_back({session_.frame(c).config.method()});
  }
  plan.labels = ChannelLabels(methods);
  std::vector<std::string> taken = plan.labels.All();
  for (const Run& run : runs_) {
    const std::string path = run.run->file().path;
    const bool again = std::any_of(request.files.begin(), request.files.end(),
                                   [&](const std::string& text) { return PathOf(text) == path; });
    if (!again) taken.push_back(run.run->name());
  }
  const ForeignRequest named = WithNames(request, std::move(taken));
  const std::string first = request.files.empty() ? std::string() : PathOf(request.files.front());
  return session_.files().ReadBeside(first, [this, named, plan]() -> ReadingJob::Finish {
    bool usage = false;
    auto read = ForeignChannels::Read(named, plan, &usage);
    if (!read) {
      return [this, named, errors = read.errors()] {
        PostErrors(named, errors);
        return false;
      };
    }
    return [this, named, scene = plan.scene, channels = std::move(read).value()] {
      // another scene has come meanwhile
      if (session_.snapshot().scene != scene) return false;
      return Take(named, channels);
    };
  });
}

void ForeignRuns::PostErrors(const ForeignRequest& request, const ErrorList& errors) {
  const Error& error = errors.front();
  Message message;
  message.level = Message::Level::kError;
  message.subject = "recorded run";
  message.what = error.message;
  message.where = error.file;
  if (error.line > 0) message.where += fmt::format(", line {}", error.line);
  message.advice = error.hint;
  // what the command line would be told is a button here
  constexpr std::string_view kOption = "--foreign-meta ";
  for (std::size_t at = error.hint.find(kOption); at != std::string::npos; at = std::string::npos) {
    const std::size_t begin = at + kOption.size();
    const std::string meta =
        error.hint.substr(begin, error.hint.find_first_of(" ,", begin) - begin);
    const auto key = ForeignKeys();
    const auto known = std::find_if(key.begin(), key.end(), [&](const ForeignKey& k) {
      return meta.starts_with(std::string(k.name) + "=");
    });
    if (known == key.end()) break;
    for (const std::string_view choice : known->choices) {
      ForeignRequest again = request;
      again.meta.push_back(fmt::format("{}={}", known->name, choice));
      message.actions.push_back({fmt::format("It is {}", choice),
                                 [again](Session* s) { s->files().foreign().Open(again); }});
    }
  }
  session_.Post(std::move(message));
}

bool ForeignRuns::Take(const ForeignRequest& request, ForeignChannels channels) {
  session_.Unsay("recorded run");
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Run run;
    run.run = channels.run(i);
    run.request = {{request.files[i]}, request.meta, request.align};
    const std::vector<std::string>& notes = run.run->notes();
    session_.Say(fmt::format("{}: {} samples from {:.4g} s to {:.4g} s{}{}.", run.run->name(),
                             run.run->samples(), run.run->time(0),
                             run.run->time(run.run->samples() - 1), notes.empty() ? "" : "; ",
                             fmt::join(notes, "; ")));
    Begin(&run);
    std::erase_if(runs_,
                  [&](const Run& other) { return other.run->file().path == run.run->file().path; });
    runs_.push_back(std::move(run));
    if (!request.align.empty()) Align(count() - 1, channels.align());
  }
  known_.clear();
  stale_ = true;
  ++opened_;
  return true;
}

void ForeignRuns::Begin(Run* run) {
  run->measure = std::make_unique<ForeignMeasure>(run->run, session_.frame(0).config);
  run->series.Clear();
  run->forces = {};
  run->next = 0;
  run->stride = std::max<int64_t>(1, run->run->samples() / kMostSamples);
}

void ForeignRuns::Remove(int index) {
  if (index < 0 || index >= count()) return;
  session_.Say(run(index).name() + " is out of the picture; its file is as it was.");
  runs_.erase(runs_.begin() + index);
  known_.clear();
  stale_ = true;
}

void ForeignRuns::ToggleVisible(int index) {
  if (index < 0 || index >= count()) return;
  At(runs_, index).visible = !At(runs_, index).visible;
  stale_ = true;
}

std::string ForeignRuns::WhyNotStart(int index) const {
  if (!Has(index)) return "It has no sample at this moment.";
  return {};
}

void ForeignRuns::StartHere(int index) {
  if (index < 0 || index >= count() || session_.model() == nullptr) return;
  const double time = session_.snapshot().time;
  std::vector<Pose> poses;
  std::vector<Vec6> velocities;
  if (!WhyNotStart(index).empty() || !run(index).Interpolate(time, &poses, &velocities))
    return session_.Say(WhyNotStart(index));
  session_.Send(
      Resync{.lead = session_.looks().lead(),
             .state = std::make_shared<State>(StateOf(run(index).model(), poses, velocities))});
  session_.Say(fmt::format("All models go on from {} at {:.4g} s.", run(index).name(), time));
}

void ForeignRuns::Align(int index, ForeignAlign how) {
  const auto lead = static_cast<std::size_t>(session_.looks().lead());
  if (index < 0 || index >= count() || lead >= trails_.size()) return;
  Run& run = At(runs_, index);
  const auto aligned = slip::Align(how, trails_[lead], run.run.get(), session_.frame(0).config);
  if (!aligned) {
    Message message;
    message.level = Message::Level::kWarning;
    message.subject = "recorded run";
    message.what = aligned.error().message;
    message.advice = aligned.error().hint;
    return session_.Post(std::move(message));
  }
  if (!aligned->empty()) session_.Say(run.run->name() + ": " + *aligned + ".");
  Begin(&run);
  known_.clear();
  stale_ = true;
}

double ForeignRuns::Progress(int index) const {
  const Run& run = At(runs_, index);
  return static_cast<double>(std::min(run.next, run.run->samples())) /
         static_cast<double>(run.run->samples());
}

// Panels ask in every frame: a difference is made anew when the way has grown, but not more often
// than anybody reads.
template <class Make>
ForeignDifference ForeignRuns::Keep(int of, int to, double shift, const Make& make) const {
  if (to < 0 || to >= static_cast<int>(trails_.size()) || At(trails_, to).empty()) return {};
  Known& known = known_[{of, to}];
  const double end = At(trails_, to).end();
  const bool same = known.end == end && known.shift == shift;
  const bool fresh = std::isfinite(known.end) && session_.now() - known.at < kComparePeriod;
  if (!same && !fresh) known = {end, shift, session_.now(), make()};
  return known.difference;
}

ForeignDifference ForeignRuns::Difference(int index, int channel) const {
  return Keep(-1 - index, channel, run(index).shift(), [&] {
    return Compare(run(index), At(trails_, channel), {kMostCompared, kMostGap});
  });
}

ForeignDifference ForeignRuns::Between(int channel, int other) const {
  if (channel < 0 || channel >= static_cast<int>(trails_.size()) || session_.model() == nullptr)
    return {};
  return Keep(channel, other, 0, [&] {
    return Compare(*session_.model(), At(trails_, channel), At(trails_, other),
                   {kMostCompared, kMostGap});
  });
}

bool ForeignRuns::Measure(Run* run, double budget) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool grown = false;
  while (run->next < run->run->samples()) {
    const StepRecord& record = run->measure->At(run->next);
    run->forces.Add(*run->measure, run->next);
    Telemetry telemetry;
    telemetry.item = Sample{.channel = 0,
                            .step = run->next + 1,
                            .time = run->run->time(run->next),
                            .values = record.signals,
                            .part_values = record.part_signals};
    run->series.Feed(telemetry);
    run->next += run->stride;
    grown = true;
    const std::chrono::duration<double> spent = Clock::now() - begin;
    if (spent.count() > budget) break;
  }
  return grown;
}

// A recording may come any time later: the way of the channels is kept from their start on.
void ForeignRuns::Watch() {
  if (!session_.TakenOver()) return;
  trails_.resize(static_cast<std::size_t>(session_.channel_count()), MotionTrail(kMostMoments));
  for (int c = 0; c < session_.channel_count(); ++c) {
    const ChannelFrame& frame = session_.frame(c);
    MotionTrail& trail = At(trails_, c);
    if (!frame.begun || (!trail.empty() && frame.time <= trail.end())) continue;
    trail.Add(frame.time, frame.bodies, slip::At(frame.signals, Signal::kPenetration) > 0);
  }
}

void ForeignRuns::Show() {
  const double time = session_.snapshot().time;
  if (!stale_ && time == shown_at_) return;
  stale_ = false;
  shown_at_ = time;
  if (runs_.empty()) {
    ghosts_ = nullptr;
    return;
  }
  auto ghosts = std::make_shared<render::ForeignGhosts>();
  std::vector<Pose> poses;
  std::vector<Vec6> velocities;
  for (Run& run : runs_) {
    run.shown = run.run->Interpolate(time, &poses, &velocities);
    std::vector<BodyFrame>& bodies = ghosts->runs.emplace_back();
    for (std::size_t b = 0; run.shown && run.visible && b < poses.size(); ++b)
      bodies.push_back({poses[b], velocities[b]});
  }
  ghosts->model = session_.snapshot().model;
  ghosts_ = std::move(ghosts);
}

bool ForeignRuns::Update() {
  Watch();
  if (!asked_.empty() && session_.TakenOver() && session_.channel_count() > 0 &&
      !session_.files().opening()) {
    for (const ForeignRequest& request : std::exchange(asked_, {})) Open(request);
  }
  bool changed = stale_;
  for (Run& run : runs_) changed = Measure(&run, budget_) || changed;
  Show();
  return changed;
}

void ForeignRuns::Truncate(double time) {
  for (MotionTrail& trail : trails_) trail.Truncate(time);
  known_.clear();
}

void ForeignRuns::Restart() {
  trails_.clear();
  known_.clear();
}

void ForeignRuns::Forget(bool same) {
  if (same && asked_.empty()) {
    for (const Run& run : runs_) asked_.push_back(run.request);
  }
  runs_.clear();
  Restart();
  stale_ = true;
}

}  // namespace slip::app
