// The instrument that shows numbers which the scene names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/curves/plot_content.h"
#include "app/panels/picture/instrument_laws.h"
#include "app/panels/picture/instrument_place.h"
#include "app/plots/reduce.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// A number of the scene, read from a channel of `series` at this moment, with the parameters of
/// `config`. The last value is that of the moment; other reductions are of the run so far, as the
/// plots' are: all of what was recorded while its past is looked at.
double ValueIn(const Session& session, const SeriesStore& series, int channel, const Config& config,
               const SceneNumber& number, double time) {
  const double now = time + 1e-9;
  if (&series == &session.series() && !session.series().Covers(channel, time)) return kNaN;
  if (number.signal) return series.View(channel, *number.signal).At(now);
  ExpressionData data;
  data.signal = [&](Reduction reduction, Signal signal, std::string_view) {
    const double until =
        reduction == Reduction::kLast ? now : std::max(now, session.written().until());
    return Reduce(series.View(channel, signal), until, reduction);
  };
  data.parameter = [&](std::string_view path, std::string_view) { return GetParam(config, path); };
  return number.value.Number(data).value_or(kNaN);
}

/// Largest size of a number in what was just shown and in what is recorded from there on: bars that
/// grow show that they do, and what was long ago does not flatten them.
double LargestOf(const Session& session, int channel, const SceneNumber& number) {
  const SeriesStore& series = session.series();
  const double from = session.snapshot().time - LookBack(session, channel);
  double largest = kNaN;
  for (const Reduction end : {Reduction::kMax, Reduction::kMin}) {
    const auto reduce = [&](Reduction reduction, Signal signal) -> std::optional<double> {
      const SeriesView view = series.View(channel, signal);
      if (reduction != Reduction::kLast) return Reduce(view, kInfinity, reduction);
      const MinMax shown = view.Query(from, kInfinity);
      if (shown.empty()) return std::nullopt;
      return end == Reduction::kMax ? shown.max : shown.min;
    };
    ExpressionData data;
    data.signal = [&](Reduction reduction, Signal signal, std::string_view) {
      return reduce(reduction, signal);
    };
    data.parameter = [&](std::string_view path, std::string_view) {
      return GetParam(session.frame(channel).config, path);
    };
    const std::optional<double> value =
        number.signal ? reduce(Reduction::kLast, *number.signal) : number.value.Number(data);
    largest = std::fmax(largest, std::abs(value.value_or(kNaN)));
  }
  return largest;
}

/// What a number of the scene is for a channel at the moment of this frame.
double ValueOf(const Session& session, int channel, const SceneNumber& number,
               const ChannelFrame& frame, double time) {
  if (number.signal && IsOfEnum(*number.signal)) return At(frame.signals, *number.signal);
  return ValueIn(session, session.series(), channel, frame.config, number, time);
}

constexpr int kMostDecimals = 2;  // of a unit that the scene names: what is less counts as 0 in it

int DecimalsOf(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == number.npos ? 0 : static_cast<int>(number.size() - point - 1);
}

std::vector<std::string> ColumnInUnit(const SceneNumber& number, const std::vector<double>& values,
                                      double largest) {
  const QuantityText shown = SplitQuantity(largest / number.shown_scale, "");
  const int decimals = std::min(DecimalsOf(shown.number), kMostDecimals);
  std::vector<std::string> cells;
  for (const double value : values) {
    cells.push_back(
        AsRich(std::isfinite(value)
                   ? FormatFixed(value / number.shown_scale, decimals) + " " + number.shown_unit
                   : FormatQuantity(value, "")));
  }
  return cells;
}

/// Cells of one column: in one unit, that of the largest, so that they compare at a glance.
std::vector<std::string> ColumnOf(const SceneNumber& number, std::vector<double> values) {
  const bool count = number.signal ? slip::Info(*number.signal).is_count : number.unit.empty();
  double largest = 0;
  for (double& value : values) {
    const double noise = number.signal ? slip::Info(*number.signal).noise : number.value.noise();
    if (std::abs(value) < noise) value = 0;
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  if (!number.shown_unit.empty()) return ColumnInUnit(number, values, largest);
  std::string_view unit = number.unit;
  if (unit == "µs") {  // so that long ones get another prefix
    unit = "s";
    largest *= 1e-6;
    for (double& value : values) value *= 1e-6;
  }
  const double factor = DisplayFactor(largest, unit);
  const QuantityText shown = SplitQuantity(largest, unit);
  const int decimals = DecimalsOf(shown.number);
  std::vector<std::string> cells;
  for (const double value : values) {
    const bool whole = count && std::isfinite(value) && value == std::round(value);
    // too small for that unit
    const bool lost = value != 0 && std::abs(value) * factor < 0.5 * std::pow(10, -decimals);
    if (whole) {
      cells.push_back(FormatFixed(value, 0));
    } else if (unit.empty() || !std::isfinite(value) || lost) {
      cells.push_back(AsRich(FormatQuantity(value, unit)));
    } else {
      const std::string behind = shown.unit == "°" ? shown.unit : " " + shown.unit;
      cells.push_back(AsRich(FormatFixed(value * factor, decimals) + behind));
    }
  }
  return cells;
}

/// In a table of several columns long names give way to symbols.
std::string HeadingOf(const SceneNumber& number, bool alone) {
  if (!number.signal) return number.label;
  const SignalInfo& info = slip::Info(*number.signal);
  const std::string_view label = info.label;
  if (alone || MeasureText(label, Role::kCaption).x <= Px(80)) return std::string(label);
  // without a symbol the last word of its name says most: "iterations"
  return std::string(info.symbol.empty() ? label.substr(label.rfind(' ') + 1) : info.symbol);
}

/// Other values in every run: how fast the machine is.
bool ReadsMachine(const SceneNumber& number) {
  if (number.signal) return slip::Info(*number.signal).is_wall;
  const auto all = slip::SignalTable();
  return std::any_of(all.begin(), all.end(), [&](const SignalInfo& info) {
    return info.is_wall && number.value.Reads(info.id);
  });
}

/// The lesson asks for it.
bool IsHeld(const Session& session, const SceneNumber& number) {
  if (number.signal) return IsHeld(session, *number.signal);
  const std::vector<Signal> held = HeldSignals(session);
  return std::any_of(held.begin(), held.end(),
                     [&](Signal signal) { return number.value.Reads(signal); });
}

/// Of the bars: a round number, or the largest count itself.
double FullScale(const SceneNumber& number, double largest) {
  if (!(largest > 0)) return 1;
  const bool count = number.signal ? slip::Info(*number.signal).is_count
                                   : number.unit.empty() && largest == std::round(largest);
  return count ? largest : RoundFull(largest, largest);
}

}  // namespace

bool HasClosedFormRow(const Session& session) {
  return InstrumentOf(session) == Instrument::kNumbers && session.reference().ShowsClosedForm();
}

bool DrawNumbers(const Session& session, const Pane& pane, bool shows_machine, FrameMarks* marks) {
  const std::vector<SceneNumber>& numbers = session.scene()->numbers;
  if (numbers.empty()) return false;
  GaugeTableText text;
  text.title = "Measured";
  if (!session.scene()->piles.empty()) {
    const auto movers = [](const Model& model) {
      return std::count_if(model.bodies.begin(), model.bodies.end(),
                           [](const Body& body) { return body.Moves(); });
    };
    text.title +=
        fmt::format(", pile of {}", movers(*session.model()) - movers(session.scene()->base));
  }
  const std::string first = HeadingOf(numbers.front(), true);
  text.laws = {{{}, "bars: " + (numbers.front().signal ? Lower(first) : first)}};
  text.question = "What are these numbers?";
  for (const SceneNumber& number : numbers)
    text.headings.push_back(HeadingOf(number, numbers.size() == 1));
  std::vector<int> channels;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.looks().Present(i)) channels.push_back(i);
  }
  std::vector<GaugeRow> rows;
  for (const int i : channels) rows.push_back({StyleOf(session, i), {}, 0, kNaN});
  const bool closed_form = HasClosedFormRow(session);
  if (closed_form) rows.push_back({PredictionStyle(), {}, 0, kNaN, "closed form"});
  for (const SceneNumber& number : numbers) {
    const bool hidden = ReadsMachine(number) && !shows_machine;
    const bool held = IsHeld(session, number);
    const WrittenMoment& written = session.written();
    std::vector<double> values;
    for (const int i : channels) {
      values.push_back(
          hidden || held ? kNaN : ValueOf(session, i, number, written.frame(i), written.time()));
    }
    if (closed_form) {
      const Config& config = written.frame(session.looks().lead()).config;
      values.push_back(
          held ? kNaN
               : ValueIn(session, session.reference().series(), 0, config, number, written.time()));
    }
    const std::vector<std::string> cells = ColumnOf(number, values);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row].cells.push_back(held ? "?" : cells[row]);
      const bool has_bar = &number == &numbers.front() && row < channels.size();
      if (!has_bar || hidden || held) continue;
      const int i = channels[row];
      const double drawn = ValueOf(session, i, number, session.frame(i), session.snapshot().time);
      if (std::isfinite(drawn)) rows[row].bar = std::abs(drawn);
    }
  }
  double largest = 0;
  for (std::size_t row = 0; row < channels.size(); ++row) {
    largest = std::max(largest, rows[row].bar);
    if (!IsHeld(session, numbers.front()))
      largest = std::fmax(largest, LargestOf(session, channels[row], numbers.front()));
  }
  const InstrumentPlace place = TakePlace(session, pane, marks);
  if (closed_form && place.form != InstrumentForm::kFull) rows.back().name = "exact";
  return GaugeTable("overlay/numbers", place.at, text, rows, FullScale(numbers.front(), largest),
                    place.form);
}

}  // namespace slip::app
