// Random runs over all scenes and the methods that can step them, with parameters from the ranges
// of their tables, each step held to what judge.h and ledger_judge.h say.
//
//   slipscope_random [N] [SEED] [-j THREADS] [-o NUMBER] [--shard K/M] [--limit SECONDS]
//                    [--scene S] [--model M]
//   slipscope_random --lines FILE [-j THREADS] [--limit SECONDS]
//
//   N, SEED        runs (600) and seed (1); the same two give the same runs
//   -o NUMBER      only run NUMBER of them
//   --shard K/M    only the K-th of M parts of them, from 1 on: for machines side by side
//   -j THREADS     whole runs side by side (2); what they come to does not depend on it
//   --limit        time of a run [s of its thread's work] (60): it stops there, and is reported
//   --scene, --model   only these
//   --lines FILE   runs the command lines in FILE instead; "-" = standard input; # starts a comment
//
// Exit: 0 all criteria hold, 1 one is broken, 2 wrong arguments.
#include <fmt/format.h>

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "engine/core/param_text.h"
#include "engine/core/worker_pool.h"
#include "tests/random/report.h"

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kHangFactor = 30;  // limits of a run, within one step

struct Options {
  int64_t runs = 600;
  uint64_t seed = 1;
  int64_t only = -1;
  int64_t shard = 1, shards = 1;
  int threads = 2;
  double limit_s = 60;
  std::string scene, model, lines;
};

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Time that this thread has worked [s]: other work on the machine does not count.
double ThreadSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// What a thread is at, for the watch.
struct Place {
  std::atomic<int64_t> run{-1};
  std::atomic<int64_t> step{0};
  std::atomic<Clock::duration::rep> begin{0};  // of the step
};

// All runs, those at work included.
struct Work {
  std::vector<RunSpec> specs;
  std::vector<RunVerdict> verdicts;  // by run; complete where done
  std::vector<std::atomic<bool>> done;
  std::vector<Place> places;  // by thread
  double limit_s;

  Work(std::vector<RunSpec> runs, const Options& options)
      : specs(std::move(runs)),
        verdicts(specs.size()),
        done(specs.size()),
        places(static_cast<std::size_t>(std::max(options.threads, 1))),
        limit_s(options.limit_s) {}

  std::vector<RunVerdict> Finished() const {
    std::vector<RunVerdict> finished;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (done[i]) finished.push_back(verdicts[i]);
    }
    return finished;
  }
};

// Names a run that stays within one step for long; when that goes on, reports what there is and
// ends the program, for a thread cannot be stopped.
class Watch {
 public:
  explicit Watch(const Work* work) : work_(work), thread_([this] { Look(); }) {}
  ~Watch() {
    stop_ = true;
    thread_.join();
  }

 private:
  void Look() {
    std::vector<int64_t> told(work_->places.size(), -1);
    while (!stop_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      for (std::size_t i = 0; i < told.size(); ++i) {
        const Place& place = work_->places[i];
        const int64_t run = place.run;
        if (run < 0) continue;
        const double age = Since(Clock::time_point(Clock::duration(place.begin.load())));
        const std::string line = work_->specs[static_cast<std::size_t>(run)].CommandLine();
        if (age > work_->limit_s && told[i] != run) {
          told[i] = run;
          fmt::print(stderr, "in step {} for {:.0f} s: {}\n", place.step.load(), age, line);
        }
        if (age > kHangFactor * work_->limit_s) {
          (void)Report(work_->Finished());
          fmt::print("\nBROKEN in step {} for {:.0f} s:\n    {}\n", place.step.load(), age, line);
          std::fflush(nullptr);
          std::_Exit(1);
        }
      }
    }
  }

  const Work* work_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

RunVerdict Execute(const RunSpec& spec, double limit_s, Place* place) {
  RunVerdict verdict;
  verdict.spec = spec;
  const auto scene = FindScene(spec.scene);
  if (!scene.ok()) {
    verdict.error = scene.error().Text();
    return verdict;
  }
  const auto plan = MakeRunPlan(scene.value(), spec.model, spec.assignments, {});
  if (!plan.ok()) {
    verdict.error = plan.error().Text();
    return verdict;
  }
  const Config& config = plan->configs.front();
  Simulation sim(scene.value()->ModelFor(config), config);
  // of explicit methods it measures the limit that they tell
  sim.SetMeasureCondition(Info(config.method()).stable_step != nullptr);
  Judge judge(sim, &verdict);
  const double begin = ThreadSeconds();
  sim.SetStop([begin, limit_s] { return ThreadSeconds() - begin > limit_s; });
  // a heap that is never quiet has always someone who is about to come back
  const int64_t last = spec.steps + 2 * kSunkSteps;
  for (int64_t step = 1; step <= last && (step <= spec.steps || judge.InDoubt()); ++step) {
    const double step_begin = ThreadSeconds();
    place->step = step;
    place->begin = Clock::now().time_since_epoch().count();
    const StepStatus status = sim.Step();
    // controlled error makes a step of many
    const double solves = sim.last_solve().solves;
    verdict.step_seconds.Take((ThreadSeconds() - step_begin) / (solves > 1 ? solves : 1), step);
    if (status == StepStatus::kStopped) {
      verdict.stopped = step <= spec.steps;
      break;
    }
    if (!Advanced(status)) {
      judge.Fail(sim, status);
      break;
    }
    judge.Step(sim, status);
    if (verdict.not_finite) break;
    if (ThreadSeconds() - begin > limit_s) {
      verdict.stopped = step < spec.steps;
      break;
    }
  }
  verdict.seconds = ThreadSeconds() - begin;
  return verdict;
}

std::vector<RunVerdict> ExecuteAll(std::vector<RunSpec> specs, const Options& options) {
  Work work(std::move(specs), options);
  const Watch watch(&work);
  WorkerPool pool(options.threads);
  const auto begin = Clock::now();
  std::atomic<int> count{0};
  pool.ForEach(static_cast<int>(work.specs.size()), [&](int i, int worker) {
    const auto at = static_cast<std::size_t>(i);
    Place& place = work.places[static_cast<std::size_t>(worker)];
    place.begin = Clock::now().time_since_epoch().count();
    place.run = i;
    work.verdicts[at] = Execute(work.specs[at], options.limit_s, &place);
    place.run = -1;
    work.done[at] = true;
    if (++count % 100 == 0) fmt::print(stderr, "{} runs, {:.0f} s\n", count.load(), Since(begin));
  });
  return work.Finished();
}

Status CheckMethod(const std::string& id) {
  if (FindMethod(id)) return Ok{};
  return Error{.message = "there is no method '" + id + "'", .hint = DidYouMean(id, MethodIds())};
}

Result<std::vector<RunSpec>> ReadLines(const std::string& file) {
  std::ifstream in_file;
  if (file != "-") {
    in_file.open(file);
    if (!in_file) return Error{.message = "cannot be read", .file = file};
  }
  std::istream& in = file == "-" ? std::cin : in_file;
  std::vector<RunSpec> specs;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Result<RunSpec> spec = ParseCommandLine(line);
    if (!spec.ok()) return spec.error();
    if (const Status known = CheckMethod(spec->model); !known.ok()) return known.errors();
    specs.push_back(std::move(spec).value());
  }
  return specs;
}

Result<std::vector<RunSpec>> DrawRuns(const Options& options) {
  std::vector<std::shared_ptr<const Scene>> scenes;
  for (const std::string& name : ListScenes()) {
    auto scene = FindScene(name);
    if (!scene.ok()) return scene.error();
    scenes.push_back(scene.value());
  }
  if (!options.model.empty()) {
    if (const Status known = CheckMethod(options.model); !known.ok()) return known.errors();
  }
  const std::vector<ScenePair> pairs = ListPairs(scenes);
  std::vector<RunSpec> specs;
  const int64_t first = options.runs * (options.shard - 1) / options.shards,
                last = options.runs * options.shard / options.shards;
  for (int64_t i = first; i < last; ++i) {
    if (options.only >= 0 && i != options.only) continue;
    RunSpec spec = DrawRun(pairs, options.seed, i);
    if (!options.scene.empty() && spec.scene != options.scene) continue;
    if (!options.model.empty() && spec.model != options.model) continue;
    specs.push_back(std::move(spec));
  }
  if (specs.empty())
    return Error{.message = "none of these runs has that scene and model",
                 .hint = "scenes and methods come in turn: draw more runs"};
  return specs;
}

bool Parse(int argc, char** argv, Options* options) {
  int free = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool named = word.size() > 1 && word[0] == '-';
    if (named && ++i >= argc) return false;
    const std::string value = argv[i];
    const auto number = [&] {
      const Result<double> parsed = ParseQuantity(value, "");
      return parsed.ok() ? *parsed : -1.0;
    };
    if (word == "--scene") {
      options->scene = value;
    } else if (word == "--model") {
      options->model = value;
    } else if (word == "--lines") {
      options->lines = value;
    } else if (word == "--shard") {
      const std::size_t slash = value.find('/');
      const Result<double> k = ParseQuantity(value.substr(0, slash), "");
      if (slash == std::string::npos || !k.ok()) return false;
      const Result<double> m = ParseQuantity(value.substr(slash + 1), "");
      if (!m.ok() || *k < 1 || *m < *k) return false;
      options->shard = static_cast<int64_t>(*k);
      options->shards = static_cast<int64_t>(*m);
    } else if (number() < 0) {
      return false;
    } else if (word == "-j") {
      options->threads = static_cast<int>(number());
    } else if (word == "-o") {
      options->only = static_cast<int64_t>(number());
    } else if (word == "--limit") {
      options->limit_s = number();
    } else if (named || free == 2) {
      return false;
    } else if (free++ == 0) {
      options->runs = static_cast<int64_t>(number());
    } else {
      options->seed = static_cast<uint64_t>(number());
    }
  }
  return true;
}

int Main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, &options)) {
    fmt::print(stderr, "slipscope_random: wrong arguments; see the head of random_runs.cpp\n");
    return 2;
  }
  auto specs = options.lines.empty() ? DrawRuns(options) : ReadLines(options.lines);
  if (!specs.ok()) {
    fmt::print(stderr, "slipscope_random: {}\n", specs.error().Text());
    return 2;
  }
  if (options.lines.empty()) fmt::print("seed {}, ", options.seed);
  if (options.shards > 1) fmt::print("part {} of {}, ", options.shard, options.shards);
  fmt::print("{} runs\n\n", specs->size());
  const int broken = Report(ExecuteAll(std::move(specs).value(), options));
  fmt::print("{}\n", broken == 0 ? "all criteria hold" : fmt::format("{} criteria broken", broken));
  return broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace slip

int main(int argc, char** argv) { return slip::Main(argc, argv); }
