#include "tests/random/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>

namespace slip {
namespace {

constexpr std::size_t kShown = 10;

using Pick = std::function<double(const RunVerdict&)>;
using Describe = std::function<std::string(const RunVerdict&)>;

struct Criterion {
  std::string_view name;
  std::function<bool(const RunVerdict&)> broken;
  Pick by;            ///< worst first; runs with 0 are not worth naming
  Describe describe;  ///< what happened, in a few words
};

// A law that acts at any distance makes every pair a contact.
bool TooSlow(const RunVerdict& v) {
  return v.step_seconds.value > kSlowStep &&
         v.spec.CommandLine().find("log-barrier") == std::string::npos;
}

std::vector<Criterion> Criteria() {
  return {
      {"energy beyond the balance of the steps",
       [](const RunVerdict& v) { return v.gain_ratio.value > 1; },
       [](const RunVerdict& v) { return v.gain_ratio.value; },
       [](const RunVerdict& v) {
         return fmt::format(
             "{:.3g} J beyond, {:.3g} times the tolerance, of {:.3g} J turned over; step {}; "
             "mostly {} ({:.3g} / {:.3g} / {:.3g} J by unconverged / rotation / contact)",
             v.gain.value, v.gain_ratio.value, v.energy, v.gain_ratio.step, Name(v.MainCause()),
             v.by_cause[0], v.by_cause[1], v.by_cause[2]);
       }},
      {"energy beyond the ledger that nobody was told of",
       [](const RunVerdict& v) { return v.ledger.broken(); },
       [](const RunVerdict& v) { return v.ledger.judged ? v.ledger.rise_ratio.value : 0; },
       [](const RunVerdict& v) {
         const LedgerVerdict& l = v.ledger;
         return fmt::format(
             "{:.3g} J above the start, {:.3g} times the tolerance, step {}; climbs by {:.3g} J, "
             "{:.3g} of what was turned over, step {}; {}{} in pieces, {} gain, {} beyond{}{}",
             l.rise.value, l.rise_ratio.value, l.rise_ratio.step, l.climb.value,
             l.climb_share.value, l.climb_share.step, l.expected ? "expected; " : "", l.halved,
             l.gained, l.beyond, l.told.empty() ? "" : "; told: ", l.told);
       }},
      {"a step that created energy (reported only)", [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) { return v.created.value > 1 ? v.created.value : 0; },
       [](const RunVerdict& v) {
         return fmt::format(
             "{:.3g} times the tolerance in step {}, of {:.3g} J turned over; mostly {}",
             v.created.value, v.created.step, v.energy, Name(v.MainCause()));
       }},
      {"thrown by overlap that long steps made (reported only)",
       [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) { return v.thrown_ratio.value > 1 ? v.thrown_ratio.value : 0; },
       [](const RunVerdict& v) {
         return fmt::format("{:.3g} J of {:.3g} J turned over, {:.3g} times the tolerance; step {}",
                            v.thrown.value, v.energy, v.thrown_ratio.value, v.thrown_ratio.step);
       }},
      {"depth beyond what compression and impact explain",
       [](const RunVerdict& v) { return v.depth_ratio.value > 1 || v.through.value > 0; },
       [](const RunVerdict& v) { return std::max(v.depth_ratio.value, 1e3 * v.through.value); },
       [](const RunVerdict& v) {
         return fmt::format("{:.3g} times the explained, {:.3g} m at most; centre {:.3g} m below{}",
                            v.depth_ratio.value, v.depth.value, v.through.value,
                            v.through.value > 0 ? fmt::format(" (step {})", v.through.step) : "");
       }},
      {"steps that did not converge", [](const RunVerdict& v) { return v.harmful > 0; },
       [](const RunVerdict& v) {
         return static_cast<double>(v.unconverged) + 1e6 * static_cast<double>(v.harmful) +
                (v.refused ? 1 : 0);
       },
       [](const RunVerdict& v) {
         return fmt::format(
             "{} of {} steps, {} harmful{}; residual {:.3g}{}", v.unconverged, v.steps, v.harmful,
             v.refused ? ", one refused" : "", v.residual.value,
             v.at_floor > 0 ? fmt::format("; {} at the smallest inner step", v.at_floor) : "");
       }},
      {"steps of exact friction without a solution (reported only)",
       [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) { return static_cast<double>(v.labelled); },
       [](const RunVerdict& v) { return fmt::format("{} of {} steps", v.labelled, v.steps); }},
      {"contacts of one step (reported only)", [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) {
         return v.contacts.value / static_cast<double>(std::max<int64_t>(v.bodies, 1));
       },
       [](const RunVerdict& v) {
         return fmt::format("{} contacts among {} bodies in step {}", v.contacts.value, v.bodies,
                            v.contacts.step);
       }},
      {"slowest steps", TooSlow, [](const RunVerdict& v) { return v.step_seconds.value; },
       [](const RunVerdict& v) {
         return fmt::format("{:.3g} s in step {}; at most {} contacts, {} bodies",
                            v.step_seconds.value, v.step_seconds.step, v.contacts.value, v.bodies);
       }},
      {"runaways (broken unless motors, the explicit part or a potential drove them)",
       [](const RunVerdict& v) { return v.runaway && !v.driven; },
       [](const RunVerdict& v) { return v.runaway ? (v.driven ? 1e-9 : 1) * v.kinetic.value : 0; },
       [](const RunVerdict& v) {
         return fmt::format(
             "{:.3g} J kinetic energy before step {}; {:.3g} J work of belts and motors, {:.3g} J "
             "explicit gain, {:.3g} J by overlap",
             v.kinetic.value, v.steps + 1, v.work, v.explicit_gain, v.thrown.value);
       }},
      {"not finite", [](const RunVerdict& v) { return v.not_finite && !v.ledger.expected; },
       [](const RunVerdict& v) { return v.not_finite ? 1.0 : 0.0; },
       [](const RunVerdict& v) { return v.failure; }},
      {"steps refused for the energy that they would make (reported only)",
       [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) { return v.kept_back ? 1.0 : 0.0; },
       [](const RunVerdict& v) { return v.failure; }},
      {"runs that ended early (reported only)", [](const RunVerdict&) { return false; },
       [](const RunVerdict& v) { return v.stopped || !v.failure.empty() ? v.seconds + 1e-9 : 0; },
       [](const RunVerdict& v) {
         return v.stopped ? fmt::format("time limit after {} steps, {:.3g} s", v.steps, v.seconds)
                          : v.failure;
       }},
  };
}

void PrintTable(const std::vector<RunVerdict>& verdicts) {
  fmt::print(
      "{:<20}{:>6}{:>9}{:>7}{:>8}{:>8}{:>8}{:>9}{:>10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>8}\n",
      "method", "runs", "steps", "early", "unconv", "refused", "harmful", "residual", "energy",
      "ledger", "created", "thrown", "depth", "through", "contacts", "step s", "all s");
  for (const std::string_view model : MethodIds()) {
    int64_t runs = 0, steps = 0, early = 0, unconverged = 0, harmful = 0, through = 0, created = 0,
            thrown = 0, untold = 0, refused = 0;
    double residual = 0, gain = 0, depth = 0, contacts = 0, step_seconds = 0, wall = 0;
    for (const RunVerdict& v : verdicts) {
      if (v.spec.model != model) continue;
      ++runs;
      steps += v.steps;
      early += v.stopped || !v.failure.empty();
      unconverged += v.unconverged;
      refused += v.refused ? 1 : 0;
      harmful += v.harmful;
      through += v.through.value > 0;
      untold += v.ledger.broken();
      created += v.created.value > 1;
      thrown += v.thrown_ratio.value > 1;
      residual = std::max(residual, v.residual.value);
      gain = std::max(gain, v.gain_ratio.value);
      depth = std::max(depth, v.depth_ratio.value);
      contacts = std::max(contacts, v.contacts.value);
      step_seconds = std::max(step_seconds, v.step_seconds.value);
      wall += v.seconds;
    }
    if (runs == 0) continue;
    fmt::print(
        "{:<20}{:>6}{:>9}{:>7}{:>8}{:>8}{:>8}{:>9.2g}{:>10.3g}{:>8}{:>9}{:>9}{:>9.3g}{:>9}{:>10}{:>"
        "9.3g}"
        "{:>8."
        "1f}"
        "\n",
        model, runs, steps, early, unconverged, refused, harmful, residual, gain, untold, created,
        thrown, depth, through, contacts, step_seconds, wall);
  }
  fmt::print(
      "energy: largest gain over its tolerance; ledger: runs with a rise of their balance that "
      "nobody was told of; created: runs with a step that created energy; "
      "thrown: runs where overlap made by long steps gave energy; depth: largest over the "
      "explained; through: runs; contacts, step s: of one step\n");
}

void PrintWorst(const Criterion& criterion, const std::vector<RunVerdict>& verdicts) {
  std::vector<const RunVerdict*> order;
  std::size_t broken = 0;
  for (const RunVerdict& v : verdicts) {
    if (criterion.by(v) > 0) order.push_back(&v);
    broken += criterion.broken(v);
  }
  std::stable_sort(order.begin(), order.end(), [&](const RunVerdict* a, const RunVerdict* b) {
    return criterion.by(*a) > criterion.by(*b);
  });
  fmt::print("\n## {}: {} broken\n", criterion.name, broken);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool bad = criterion.broken(*order[i]);
    if (i >= kShown && !bad) continue;
    fmt::print("{}{}\n    {}\n", bad ? "BROKEN " : "", criterion.describe(*order[i]),
               order[i]->spec.CommandLine());
  }
}

}  // namespace

int Report(const std::vector<RunVerdict>& verdicts) {
  PrintTable(verdicts);
  int broken = 0;
  for (const Criterion& criterion : Criteria()) {
    PrintWorst(criterion, verdicts);
    broken += std::any_of(verdicts.begin(), verdicts.end(), criterion.broken);
  }
  int64_t steps = 0, unconverged = 0, refused = 0, labelled = 0, exact = 0;
  for (const RunVerdict& v : verdicts) {
    labelled += v.labelled;
    if (v.spec.model == "coulomb") exact += v.steps;
    steps += v.steps + (v.refused ? 1 : 0);
    unconverged += v.unconverged;
    refused += v.refused ? 1 : 0;
    if (v.error.empty()) continue;
    fmt::print("\nBROKEN could not start: {}\n    {}\n", v.error, v.spec.CommandLine());
    ++broken;
  }
  fmt::print("\n{} of {} steps did not converge and went on, {} were refused\n", unconverged, steps,
             refused);
  if (static_cast<double>(unconverged) * kStepsPerUnconverged >= static_cast<double>(steps) &&
      unconverged > 0) {
    fmt::print("BROKEN: more than one in {:.0f}\n", kStepsPerUnconverged);
    ++broken;
  }
  if (exact > 0)
    fmt::print("{} of {} steps of exact friction found no solution\n", labelled, exact);
  if (static_cast<double>(labelled) * kStepsPerLabelled > static_cast<double>(exact)) {
    fmt::print("BROKEN: more than one in {:.0f}\n", kStepsPerLabelled);
    ++broken;
  }
  return broken;
}

}  // namespace slip
