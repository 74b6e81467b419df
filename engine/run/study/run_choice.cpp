#include "engine/run/study/run_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

// meta.json is always there: without it nobody knows what the others are
constexpr std::string_view kTables[] = {"steps",  "bodies",  "contacts", "joints",
                                        "events", "signals", "metrics"};
constexpr std::string_view kArrays[] = {"bodies", "contacts", "signals"};

template <class T>
bool Has(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

bool RunChoice::Wants(std::string_view file) const {
  return files.empty() || Has(files, std::string(file));
}

bool RunChoice::HasWallTimes() const {
  return std::any_of(signals.begin(), signals.end(),
                     [](Signal signal) { return Info(signal).is_wall; });
}

Result<std::vector<Signal>> ParseSignals(const Model& model, const std::string& list) {
  std::vector<Signal> signals;
  ErrorList errors;
  for (const std::string& name : SplitList(list)) {
    const Result<Signal> signal = SignalNamed(model, name);
    if (!signal) {
      errors.push_back(
          {.message = "--signals: " + signal.error().message, .hint = signal.error().hint});
    } else if (Has(signals, *signal)) {
      errors.push_back({.message = "--signals: " + name.substr(0, 60) + " is given twice"});
    } else {
      signals.push_back(*signal);
    }
  }
  if (!errors.empty()) return errors;
  return signals;
}

Result<RunChoice> ParseRunChoice(const Model& model, const std::string& signals,
                                 const std::string& files, bool arrays) {
  RunChoice choice;
  ErrorList errors;
  if (!signals.empty()) {
    const auto parsed = ParseSignals(model, signals);
    if (parsed) choice.signals = *parsed;
    if (!parsed) errors = parsed.errors();
  }
  const std::span<const std::string_view> known =
      arrays ? std::span<const std::string_view>(kArrays) : std::span(kTables);
  for (const std::string& name : files.empty() ? std::vector<std::string>() : SplitList(files)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      errors.push_back({.message = fmt::format("--files: no {} '{}'", arrays ? "arrays" : "file",
                                               name.substr(0, 60)),
                        .hint = DidYouMean(name, known)});
    } else if (!Has(choice.files, name)) {
      choice.files.push_back(name);
    }
  }
  if (errors.empty() && !choice.signals.empty() && !choice.Wants("signals"))
    errors.push_back({.message = "--signals are not among --files", .hint = "add signals to them"});
  if (!errors.empty()) return errors;
  if (choice.signals.empty() && !choice.files.empty() && choice.Wants("signals") && !arrays)
    choice.signals = ListSignals(model);
  return choice;
}

std::string SignalColumn(const Model& model, Signal signal) {
  return ColumnName(NameOf(model, signal), Info(signal).is_wall ? "" : Info(signal).unit);
}

double ValueOf(const Simulation& simulation, Signal signal) {
  const auto at = static_cast<std::size_t>(Place(signal));
  const SignalValues& values = simulation.signals();
  const std::vector<double>& parts = simulation.now().part_signals;
  if (at < values.size()) return values[at];
  return at - values.size() < parts.size() ? parts[at - values.size()] : kNaN;
}

}  // namespace slip
