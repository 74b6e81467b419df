#include "app/plots/plot_choice.h"

#include "engine/sim/robot_signals.h"

namespace slip::app {
namespace {

constexpr char kAgainstSign = '@';
constexpr std::string_view kHistogramName = "histogram";

}  // namespace

std::string NameOf(const Model& model, const PlotChoice& choice) {
  std::string name = slip::NameOf(model, choice.signal);
  if (choice.kind == PlotKind::kHistogram) name += kAgainstSign + std::string(kHistogramName);
  if (choice.kind == PlotKind::kAgainst) name += kAgainstSign + slip::NameOf(model, choice.against);
  return name;
}

Result<PlotChoice> PlotNamed(const Model& model, std::string_view name) {
  PlotChoice choice;
  const std::size_t sign = name.find(kAgainstSign);
  const Result<Signal> signal = SignalNamed(model, name.substr(0, sign));
  if (!signal.ok()) return signal.errors();
  choice.signal = *signal;
  if (sign == std::string_view::npos) return choice;
  const std::string_view other = name.substr(sign + 1);
  if (other == kHistogramName) {
    choice.kind = PlotKind::kHistogram;
    return choice;
  }
  const Result<Signal> against = SignalNamed(model, other);
  if (!against.ok()) return against.errors();
  choice.kind = PlotKind::kAgainst;
  choice.against = *against;
  return choice;
}

std::string LabelOf(const Model& model, const PlotChoice& choice) {
  std::string label = slip::LabelOf(model, choice.signal);
  if (choice.kind == PlotKind::kHistogram) label += ", histogram";
  if (choice.kind == PlotKind::kAgainst) {
    label += " against " + slip::LabelOf(model, choice.against);
  }
  return label;
}

}  // namespace slip::app
