#include "app/plots/plot_choice.h"

#include <charconv>

#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

constexpr char kAgainstSign = '@', kContactSign = '#';
constexpr std::string_view kHistogramName = "histogram";

}  // namespace

std::string NameOf(const Model& model, const PlotChoice& choice) {
  std::string name = slip::NameOf(model, choice.signal);
  if (choice.kind == PlotKind::kHistogram) name += kAgainstSign + std::string(kHistogramName);
  if (choice.kind == PlotKind::kAgainst) name += kAgainstSign + slip::NameOf(model, choice.against);
  if (choice.contact >= 0) name += kContactSign + std::to_string(choice.contact);
  return name;
}

Result<PlotChoice> PlotNamed(const Model& model, std::string_view name) {
  PlotChoice choice;
  if (const std::size_t at = name.find(kContactSign); at != std::string_view::npos) {
    const std::string_view key = name.substr(at + 1);
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), choice.contact);
    if (error != std::errc() || end != key.data() + key.size() || choice.contact < 0)
      return Error{"expected the number of a contact behind '#', found '" + std::string(key) + "'"};
    name = name.substr(0, at);
  }
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
  if (choice.contact >= 0) label += " of one contact";
  return label;
}

}  // namespace slip::app
