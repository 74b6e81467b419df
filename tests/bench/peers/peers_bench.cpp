// The same pile in every engine, in one interleaved run: ratios of medians, with what each of them
// achieved. Run: tests/run --bench [--bodies N,...] [--step MS,...] [--rounds N]
// [--belt STEPS] [--seconds S] [--engine NAME] [--output FILE]; an empty --bodies leaves the belt
// alone
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>

#include "tests/bench/calibrator.h"
#include "tests/bench/peers/peer.h"
#include "tests/support/methods.h"

namespace slip::bench {
namespace {

using Clock = std::chrono::steady_clock;

// A machine that is busy elsewhere runs the kernel slower than this: the round does not count.
constexpr double kSlowest = 1.25;
constexpr double kPatience = 20;  // wall seconds of one run

/// One run, as plain data: it comes back through a pipe.
struct Outcome {
  bool ran = false;
  int steps = 0;
  double median = 0, settled = 0, mean = 0,
         p99 = 0;                       ///< microseconds per step; settled = last 30 %
  double contacts = 0, iterations = 0;  ///< means over all steps
  double settled_iterations = 0;
  double mean_penetration = 0, max_penetration = 0, speed = 0;
  bool escaped = false;
  double megabytes = 0;  ///< peak memory
  double kernel = 0;     ///< calibrator, before the run [ns]
};

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

Outcome Measure(const PeerInfo& info, const PileSpec& pile, double h, int steps) {
  Outcome out;
  out.kernel = CalibratorNanoseconds();
  std::unique_ptr<Peer> peer = info.make(pile, h);
  if (peer == nullptr) return out;
  std::vector<double> us;
  std::vector<double> iterations;
  const Clock::time_point start = Clock::now();
  while (static_cast<int>(us.size()) < steps) {
    const Clock::time_point begin = Clock::now();
    peer->Step();
    const Clock::time_point end = Clock::now();
    us.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
    iterations.push_back(peer->iterations());
    out.contacts += peer->contacts();
    if (std::chrono::duration<double>(end - start).count() > kPatience) break;
  }
  const std::vector<Pose> before = peer->Poses();
  peer->Step();
  const std::vector<Pose> after = peer->Poses();
  for (std::size_t i = 0; i < after.size(); ++i) {
    out.speed = std::max(out.speed, (after[i].p - before[i].p).norm() / h);
  }
  const auto count = static_cast<double>(us.size());
  const std::size_t tail = us.size() - us.size() * 3 / 10;
  out.ran = true;
  out.steps = static_cast<int>(us.size());
  out.contacts /= count;
  out.mean = std::accumulate(us.begin(), us.end(), 0.0) / count;
  out.median = Quantile(us, 0.5);
  out.p99 = Quantile(us, 0.99);
  out.settled = Quantile({us.begin() + static_cast<std::ptrdiff_t>(tail), us.end()}, 0.5);
  out.iterations = std::accumulate(iterations.begin(), iterations.end(), 0.0) / count;
  out.settled_iterations = std::accumulate(iterations.begin() + static_cast<std::ptrdiff_t>(tail),
                                           iterations.end(), 0.0) /
                           static_cast<double>(us.size() - tail);
  const Verdict verdict = Judge(pile, after);
  out.mean_penetration = verdict.mean_penetration;
  out.max_penetration = verdict.max_penetration;
  out.escaped = verdict.escaped;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return out;
}

/// In a process of its own: peak memory is its own, and a crash stays there.
Outcome MeasureApart(const PeerInfo& info, const PileSpec& pile, double h, int steps) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const Outcome out = Measure(info, pile, h, steps);
    const auto written = write(ends[1], &out, sizeof(out));
    _exit(written == static_cast<ssize_t>(sizeof(out)) ? 0 : 1);
  }
  close(ends[1]);
  Outcome out;
  const bool read_all = read(ends[0], &out, sizeof(out)) == static_cast<ssize_t>(sizeof(out));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return read_all ? out : Outcome{};
}

std::vector<PeerInfo> Peers() {
  std::vector<PeerInfo> peers;
  const auto ours = [&](const char* name, MethodId model, bool plain, const char* settings) {
    peers.push_back({name, settings, 4000, [model, plain](const PileSpec& pile, double h) {
                       return MakeSlipscope(pile, h, model, plain);
                     }});
  };
  constexpr const char* kOurs = "k 1e7 N/m, to 1e-6 of the momentum";
  ours("Slipscope SAP", method_id::kSap, false, kOurs);
  ours("Slipscope Lagged", method_id::kLagged, false, kOurs);
  ours("Slipscope Reg. Lagged", method_id::kLaggedRegularized, false, kOurs);
  ours("Slipscope Similar", method_id::kSimilar, false, kOurs);
  ours("Slipscope SAP, plain", method_id::kSap, true, "the same by plain Newton");
  peers.push_back({"MuJoCo pyramidal", "softer (time constant 2 h), Newton to 1e-8", 400,
                   [](const PileSpec& p, double h) { return MakeMujoco(p, h, false); }});
  peers.push_back({"MuJoCo elliptic", "softer (time constant 2 h), Newton to 1e-8", 400,
                   [](const PileSpec& p, double h) { return MakeMujoco(p, h, true); }});
  peers.push_back({"Bullet 10", "single precision, 10 sweeps, not converged", 4000,
                   [](const PileSpec& p, double h) { return MakeBullet(p, h, 10); }});
  peers.push_back({"Bullet 50", "single precision, 50 sweeps, not converged", 4000,
                   [](const PileSpec& p, double h) { return MakeBullet(p, h, 50); }});
  peers.push_back({"ODE 20", "20 sweeps, not converged", 4000,
                   [](const PileSpec& p, double h) { return MakeOde(p, h, 20); }});
  peers.push_back({"ODE 50", "50 sweeps, not converged", 4000,
                   [](const PileSpec& p, double h) { return MakeOde(p, h, 50); }});
  peers.push_back({"DART", "Dantzig's pivoting on boxed LCP", 40,
                   [](const PileSpec& p, double h) { return MakeDart(p, h); }});
  return peers;
}

/// Best of the rounds that the machine let us have.
Outcome Best(const std::vector<Outcome>& rounds, double kernel) {
  const Outcome* best = nullptr;
  for (const Outcome& o : rounds) {
    if (!o.ran) continue;
    const bool fair = o.kernel <= kSlowest * kernel;
    if (best == nullptr || (fair && o.median < best->median)) best = &o;
  }
  return best == nullptr ? Outcome{} : *best;
}

std::string Machine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void Workload(int bodies, double h, double duration, int rounds, const std::string& filter,
              std::FILE* out) {
  const PileSpec pile = MakePile(bodies);
  const int steps = static_cast<int>(std::lround(duration / h));
  std::vector<PeerInfo> peers;
  for (PeerInfo& info : Peers()) {
    if (bodies <= info.most_bodies && info.name.find(filter) != std::string::npos) {
      peers.push_back(std::move(info));
    }
  }
  std::vector<std::vector<Outcome>> results(peers.size());
  double kernel = 1e300;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      results[i].push_back(MeasureApart(peers[i], pile, h, steps));
      if (results[i].back().ran) kernel = std::min(kernel, results[i].back().kernel);
    }
  }
  fmt::print(out, "\n### {} bodies, h = {:g} ms, {:g} s of a fall into the box\n\n", bodies,
             h * 1e3, duration);
  fmt::print(out,
             "| engine | median | settled | mean | p99 | ratio | real time | contacts | iterations "
             "(settled) | penetration mean / max [mm] | speed left [m/s] | MB | what it solves |\n"
             "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  double reference = 0;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const Outcome o = Best(results[i], kernel);
    if (!o.ran) {
      fmt::print(out, "| {} | did not run | | | | | | | | | | | {} |\n", peers[i].name,
                 peers[i].settings);
      continue;
    }
    if (reference == 0) reference = o.median;
    fmt::print(
        out,
        "| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} | {:.0f} | {:.1f} ({:.1f}) | "
        "{:.4f} / {:.4f} | {:.1e} | {:.0f} | {}{}{} |\n",
        peers[i].name, o.median, o.settled, o.mean, o.p99, o.median / reference, h * 1e6 / o.mean,
        o.contacts, o.iterations, o.settled_iterations, o.mean_penetration * 1e3,
        o.max_penetration * 1e3, o.speed, o.megabytes, peers[i].settings,
        o.escaped ? "; A BODY ESCAPED" : "",
        o.steps < steps ? fmt::format("; {} of {} steps", o.steps, steps) : "");
  }
  fmt::print(
      out,
      "\nTimes in us per step; ratio = median over that of the first row; 6x6 kernel {:.1f} ns.\n",
      kernel);
  std::fflush(out);
}

void Belt(int rounds, int steps, std::FILE* out) {
  const BeltPeer peers[] = {{"Slipscope SAP", MakeSlipscopeBelt},
                            {"MuJoCo pyramidal", MakeMujocoBelt},
                            {"Bullet 10", MakeBulletBelt},
                            {"ODE 20", MakeOdeBelt}};
  constexpr double kStep = 1e-3;
  constexpr int kWarm = 500;
  std::vector<double> best(std::size(peers), 1e300);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < std::size(peers); ++i) {
      const std::function<void()> step = peers[i].make(kStep);
      if (!step) continue;
      std::vector<double> us;
      for (int n = 0; n < steps; ++n) {
        const Clock::time_point begin = Clock::now();
        step();
        us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
      }
      best[i] = std::min(best[i], Quantile({us.begin() + kWarm, us.end()}, 0.5));
    }
  }
  fmt::print(out,
             "\n### One box on an oscillating belt, h = 1 ms\n\n| engine | median [us] | ratio "
             "|\n|---|---|---|\n");
  for (std::size_t i = 0; i < std::size(peers); ++i) {
    fmt::print(out, "| {} | {:.2f} | {:.2f} |\n", peers[i].name, best[i], best[i] / best[0]);
  }
  std::fflush(out);
}

std::vector<double> Numbers(const char* text) {
  std::vector<double> numbers;
  for (const char* at = text; *at != 0;) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at) break;
    at = *end == ',' ? end + 1 : end;
  }
  return numbers;
}

}  // namespace
}  // namespace slip::bench

int main(int argc, char** argv) {
  using namespace slip::bench;
  std::vector<double> bodies = {40, 400, 4000}, steps_ms = {10, 1};
  int rounds = 3, belt_steps = 4000;
  double seconds = 0;
  std::string filter, file;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--bodies") == 0) bodies = Numbers(argv[i + 1]);
    if (std::strcmp(argv[i], "--step") == 0) steps_ms = Numbers(argv[i + 1]);
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--belt") == 0) belt_steps = std::max(1000, std::atoi(argv[i + 1]));
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "--engine") == 0) filter = argv[i + 1];
    if (std::strcmp(argv[i], "--output") == 0) file = argv[i + 1];
  }
  std::FILE* out = file.empty() ? stdout : std::fopen(file.c_str(), "w");
  if (out == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", file.c_str());
    return 1;
  }
  fmt::print(out, "## Peers, one thread\n\n{}; GCC {}.\n", Machine(), __VERSION__);
  if (filter.empty()) {
    Belt(rounds, belt_steps, out);
    StandingRobots(rounds, belt_steps, out);
  }
  for (const double n : bodies) {
    for (const double ms : steps_ms) {
      // a settled end at every size, in bearable time
      const double duration = seconds > 0 ? seconds : n <= 40 ? 10 : ms >= 10 ? 5 : 1;
      Workload(static_cast<int>(n), ms * 1e-3, duration, n > 40 ? std::min(rounds, 2) : rounds,
               filter, out);
    }
  }
  if (!file.empty()) std::fclose(out);
  return 0;
}
