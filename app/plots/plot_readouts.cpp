#include "app/plots/plot_readouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "app/kit/widgets.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// Figures of the readouts: as many as show a hundredth of the axis, no fewer than tell its halves
/// apart.
struct Digits {
  int least = 1, most = 3;
};

Digits DigitsFor(const ReadoutAxis& axis) {
  if (axis.scale != AxisScale::kLinear) return {};
  const double size = std::max(std::abs(axis.range.min), std::abs(axis.range.max));
  const double parts = size / axis.range.span();
  if (!std::isfinite(parts) || parts <= 0) return {};
  const auto figures = [&](double of_axis, int low, int high) {
    return std::clamp(static_cast<int>(std::ceil(std::log10(parts / of_axis) - 1e-9)), low, high);
  };
  return {figures(0.5, 1, 3), figures(0.01, 3, 6)};
}

/// A value that is small beside the unit of its axis, but not beside the axis: two figures of it.
std::string SmallText(double raw, const ReadoutAxis& axis) {
  constexpr double kOfAxis = 1e-4;  // less than this share of the axis reads as zero
  const double shown = raw * axis.factor, size = std::abs(shown);
  const double all = std::max(std::abs(axis.range.min), std::abs(axis.range.max));
  if (axis.scale != AxisScale::kLinear || axis.is_count || !(size < 0.0995)) return {};
  if (!(std::abs(raw) >= kOfAxis * all) || size < 1e-4) return {};
  return FormatFixed(shown, 1 + static_cast<int>(std::ceil(-std::log10(size) - 1e-9)));
}

}  // namespace

std::string ReadoutOf(double value, const ReadoutAxis& axis, int digits) {
  const std::string small = SmallText(value, axis);
  if (!small.empty()) return small;
  return AsRich(ReadoutText(value * axis.factor, axis.scale, axis.is_count, digits));
}

namespace {

/// A line's place in the head of a plot: its mark, and its number or its name.
struct Readout {
  const PlotSeries* series;
  std::string text;
  float width;
};

std::vector<Readout> ListReadouts(const PlotSpec& spec, const PlotState& state, double time) {
  std::vector<Readout> items;
  for (const PlotSeries& series : spec.series) {
    if (series.prediction || !series.readout) continue;
    if (spec.figure && Hidden(state, series)) continue;
    // parts of one name share a place, which reads the part in force
    const auto same = std::find_if(items.begin(), items.end(), [&](const Readout& item) {
      return item.series->label == series.label;
    });
    if (same == items.end()) {
      items.push_back({&series, series.label, 0});
    } else if (same->series->IsElsewhere(time)) {
      same->series = &series;
    }
  }
  return items;
}

Role RoleOf(const PlotSpec& spec) { return spec.figure ? Role::kLabel : Role::kValue; }

/// Writes the items and measures them; the sum of their widths, none where there is no room for
/// their numbers beside the title.
std::optional<float> FitReadouts(const PlotFrame& frame, const PlotSpec& spec,
                                 const ReadoutAxis& axis,
                                 const std::function<double(const PlotSeries&)>& value_of,
                                 std::vector<Readout>* items) {
  const auto measure = [&](int digits) {
    float total = 0;
    for (Readout& item : *items) {
      if (!spec.figure) item.text = ReadoutOf(value_of(*item.series), axis, digits);
      item.width = Px(14) + MeasureRich(item.text, RoleOf(spec)).x + Px(12);
      total += item.width;
    }
    return total;
  };
  // figures go one by one before the note does; the note before all of the numbers
  const float note = spec.note.empty() ? 0 : MeasureText(spec.note, Role::kCaption).x + Px(8);
  const float unit = MeasureRich("[" + frame.y_unit.text + "]", Role::kCaption).x;
  const float title = MeasureRich(spec.title, Role::kTitle).x + note + unit + Px(20);
  // the name of a quantity gives way to its symbol before the numbers go
  const float brief = spec.symbol.empty() || spec.figure
                          ? title - note
                          : MeasureRich(spec.symbol, Role::kTitle).x + unit + Px(20);
  const Digits allowed = DigitsFor(axis);
  for (const float before : {title, title - note, brief}) {
    for (int digits = allowed.most; digits >= allowed.least; --digits) {
      const float total = measure(digits);
      if (total + before < frame.max.x - frame.min.x - Px(12)) return total;
    }
  }
  return std::nullopt;
}

/// A click hides or shows the line; with Ctrl it shows it alone, or all again where it is alone.
void ClickReadout(const std::string& label, std::span<const Readout> items, PlotState* state) {
  const bool hidden = state->hidden.count(label) > 0;
  if (!ImGui::GetIO().KeyCtrl) {
    if (hidden) {
      state->hidden.erase(label);
    } else {
      state->hidden.insert(label);
    }
    return;
  }
  const bool alone = !hidden && state->hidden.size() + 1 >= items.size();
  state->hidden.clear();
  if (alone) return;
  for (const Readout& other : items) state->hidden.insert(other.series->label);
  state->hidden.erase(label);
}

/// Its mark, a frame where it is the chosen one, and as item `number` its text; -1 = the mark
/// alone. `place`: where it begins, and how wide it is.
void DrawReadout(const PlotFrame& frame, const PlotSpec& spec, const Readout& item, ImVec2 place,
                 bool hidden, int number) {
  const float x = place.x, middle = frame.min.y + Px(16);
  ChannelStyle style = item.series->style;
  if (style.mark == Mark::kNone) style.mark = Mark::kDisc;
  if (hidden) {
    style.hollow = true;
    style.colour = Color(Token::kLineStrong);
  }
  DrawMark(frame.list, {x + Px(4), middle}, style, 4);
  if (spec.focused && item.series->label == spec.chosen) {
    frame.list->AddRect({x - Px(4), frame.min.y + Px(5)},
                        {x + place.y - Px(number >= 0 ? 6.0f : 2.0f), frame.min.y + Px(27)},
                        Color(Token::kAccent), Px(3), 0, Snap(1));
  }
  if (number < 0) return;
  const Role role = RoleOf(spec);
  DrawRich(frame.list, {x + Px(14), middle - FontPx(role) / 2}, item.text, role,
           Color(hidden ? Token::kText3 : Token::kText));
  RegisterWidget(fmt::format("plot/{}/readout/{}", spec.id, number), {x + Px(14), frame.min.y},
                 {x + item.width - Px(12), frame.min.y + Px(32)}, false, item.text);
}

}  // namespace

std::string DrawReadouts(const PlotFrame& frame, const PlotSpec& spec, PlotState* state,
                         const ReadoutAxis& axis,
                         const std::function<double(const PlotSeries&)>& value_of, double time,
                         float* left) {
  std::vector<Readout> items = ListReadouts(spec, *state, time);
  const std::optional<float> total = FitReadouts(frame, spec, axis, value_of, &items);
  const bool numbers = total.has_value();
  float x = frame.max.x - Px(12) -
            (numbers ? *total - Px(12) : static_cast<float>(items.size()) * Px(16));
  *left = x - Px(10);

  std::string hovered_label;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Readout& item = items[i];
    const bool hidden = Hidden(*state, *item.series);
    const float width = numbers ? item.width : Px(16);
    ImGui::SetCursorScreenPos({x - Px(4), frame.min.y + Px(4)});
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("legend", {width - Px(2), Px(24)});
    RegisterLastItem(fmt::format("plot/{}/legend/{}", spec.id, i));
    if (ImGui::IsItemHovered()) {
      hovered_label = item.series->label;
      Tooltip(item.series->label +
              (hidden ? ": hidden. Click shows it" : ": click hides, Ctrl+click shows it alone"));
    }
    ImGui::PopID();
    if (clicked) ClickReadout(item.series->label, items, state);
    DrawReadout(frame, spec, item, {x, width}, hidden, numbers ? static_cast<int>(i) : -1);
    x += width;
  }
  return hovered_label;
}

std::string DrawReadouts(const PlotFrame& frame, const PlotSpec& spec, PlotState* state,
                         double time, float* left) {
  const ReadoutAxis axis{frame.y_scale, frame.y, frame.y_unit.factor, spec.is_count};
  const auto value = [&](const PlotSeries& series) {
    // The curves of another run arrive in pieces: a time without samples has no number.
    return series.data.IsOver(time) ? kNaN : spec.Read(series.data.At(time));
  };
  return DrawReadouts(frame, spec, state, axis, value, time, left);
}

}  // namespace slip::app
